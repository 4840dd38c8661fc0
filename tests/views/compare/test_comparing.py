"""A, B and B - A on one scale."""

from __future__ import annotations

import numpy as np
import pytest

from attnviz.document import edits
from attnviz.document.arrays import every
from attnviz.document.frame import compute
from attnviz.document.matrices import MATRICES_BY_NAME
from attnviz.views.compare.comparing import largest_difference, pictures, shared_limit, why_not
from tests.document.states import cat_dog_phone

SCORE, WEIGHT, OUTPUT = (MATRICES_BY_NAME[name] for name in ("score", "weight", "output"))
BEFORE = compute(cat_dog_phone())
DOUBLED = compute(edits.set_embedding(cat_dog_phone(), "sequence", 0, [2.0, 1.0]))


def test_difference_is_b_minus_a() -> None:
    third = pictures(SCORE, BEFORE, DOUBLED)[2]
    assert third is not None
    # cat doubled: its scores with the others are twice what they were, that with itself four times
    expected = np.array([[3 * 1.25, 1.1, 0.0], [1.1, 0.0, 0.0], [0.0, 0.0, 0.0]])
    np.testing.assert_allclose(third.cells(every(3), every(3)), expected, atol=1e-12)
    apart, row, column = largest_difference(SCORE, BEFORE, DOUBLED)
    assert (round(apart, 12), row, column) == (3.75, 0, 0)


@pytest.mark.parametrize("matrix", [SCORE, WEIGHT, OUTPUT])
def test_all_three_share_one_scale_that_holds_every_number(matrix) -> None:
    limit = shared_limit(matrix, BEFORE, DOUBLED)
    for picture in pictures(matrix, BEFORE, DOUBLED):
        assert picture is not None
        assert picture.limits[1] == limit
        rows, columns = picture.shape
        assert np.abs(picture.cells(every(rows), every(columns))).max() <= limit


def test_difference_beyond_both_widens_the_scale() -> None:
    turned = compute(cat_dog_phone(w_q=-np.eye(2)))
    assert shared_limit(SCORE, BEFORE, turned) == pytest.approx(2.5)  # from 1.25 to -1.25


def test_cell_that_the_mask_bans_in_one_of_them_shows_the_difference() -> None:
    causal = compute(cat_dog_phone(mask="causal"))
    assert pictures(WEIGHT, BEFORE, causal)[2].banned is None
    both = pictures(WEIGHT, causal, causal)[2]
    assert both.banned(every(3), every(3)).tolist() == [[False, True, True], [False, False, True], [False] * 3]


def test_matrices_of_two_shapes_have_no_difference_and_it_is_said() -> None:
    longer = compute(edits.insert_token(cat_dog_phone(), "sequence", 3, "new"))
    assert why_not(WEIGHT, BEFORE, longer) == "B − A needs matrices of one shape, got 3 × 3 in A and 4 × 4 in B"
    first, second, third = pictures(WEIGHT, BEFORE, longer)
    assert (first.shape, second.shape, third) == ((3, 3), (4, 4), None)
