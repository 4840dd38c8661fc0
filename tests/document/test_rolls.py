"""Dropout over many seeds: only the mean keeps the row sum."""

import math

import numpy as np
import pytest

from attnviz.document import edits
from attnviz.document.frame import compute
from attnviz.document.rolls import sums_of_rolls
from tests.document.states import cross_state
from tests.document.test_masking import with_scores

WEIGHTS = [0.5, 0.3, 0.2]


def test_sums_come_as_often_as_three_kept_or_dropped_weights_say():
    frame = compute(with_scores([[math.log(weight) for weight in WEIGHTS]] * 3, dropout=0.2))
    sums = sums_of_rolls(frame, 1, 4000)
    for total, chance in ((1.25, 0.512), (1.0, 0.128), (0.0, 0.008)):
        share = np.isclose(sums, total).mean()
        assert abs(share - chance) < 4 * math.sqrt(chance * (1 - chance) / len(sums)), total
    assert sums.max() == pytest.approx(1.25)
    assert sums.mean() == pytest.approx(1.0, abs=0.02)


def test_each_roll_is_what_the_frame_of_its_seed_shows():
    state = edits.set_scalar(cross_state(3, 5, 6, dropout=0.4, dropout_seed=7), "heads", 2)
    frame = compute(state).at_head(1)
    expected = [
        compute(edits.set_scalar(state, "dropout_seed", 7 + roll)).at_head(1).row_sums(np.array([2]))[0]
        for roll in range(6)
    ]
    np.testing.assert_allclose(sums_of_rolls(frame, 2, 6), expected, rtol=1e-12)
