"""`softmax` along any axis, for any finite logits."""

import numpy as np
import pytest

from attnviz.engine import softmax
from tests import reference


def test_rows_equal_the_explicit_loop():
    logits = np.random.default_rng(0).normal(size=(5, 7)) * 10
    np.testing.assert_allclose(softmax(logits), [reference.softmax_row(row) for row in logits], rtol=1e-13)


def test_axis_is_the_one_that_sums_to_one():
    logits = np.random.default_rng(0).normal(size=(2, 3, 5))
    for axis in (0, 1, 2, -1, -2, -3):
        weights = softmax(logits, axis=axis)
        assert weights.shape == (2, 3, 5)
        np.testing.assert_allclose(weights.sum(axis=axis), 1, rtol=1e-14)


@pytest.mark.parametrize("size", [1000.0, 1e308, -1e308, 0.0])
def test_equal_logits_share_equally_at_any_size(size):
    np.testing.assert_allclose(softmax([size] * 3), [1 / 3] * 3, rtol=1e-15)


def test_adding_a_constant_changes_nothing():
    np.testing.assert_allclose(softmax([1.0, 2.0, 4.0]), softmax([1001.0, 1002.0, 1004.0]), rtol=1e-13)


def test_opposite_extremes_do_not_warn():
    np.testing.assert_array_equal(softmax([1e308, -1e308]), [1, 0])


def test_far_tail_is_exactly_zero():
    np.testing.assert_array_equal(softmax([0.0, -800.0, -707.5]), [1, 0, 0])


def test_minus_infinity_gets_weight_zero_and_a_slice_of_it_stays_zero():
    np.testing.assert_array_equal(softmax([[0, -np.inf], [-np.inf, -np.inf]]), [[1, 0], [0, 0]])


@pytest.mark.parametrize("logits", [[np.nan, 1.0], [np.inf, 1.0]])
def test_nan_and_plus_infinity_are_refused(logits):
    with pytest.raises(ValueError, match=r"x must be below \+inf and not NaN"):
        softmax(logits)


@pytest.mark.parametrize(("logits", "axis"), [([], -1), (3.0, -1), ([1.0, 2.0], 1), (np.ones((2, 0)), 0)])
def test_missing_axis_or_empty_input_is_refused(logits, axis):
    with pytest.raises(ValueError, match=f"x must have a filled axis {axis}, got shape"):
        softmax(logits, axis=axis)
