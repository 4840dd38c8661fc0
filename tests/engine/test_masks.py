"""Masks: True = may attend, rows are queries."""

import numpy as np
import pytest

from attnviz.engine import ALIGNMENTS, causal_mask, causal_offset


def test_square_causal_mask_is_the_lower_triangle_with_diagonal():
    mask = causal_mask(3, 3)
    assert mask.dtype == bool
    np.testing.assert_array_equal(mask, [[1, 0, 0], [1, 1, 0], [1, 1, 1]])


def test_more_queries_than_keys_leave_the_first_rows_empty():
    np.testing.assert_array_equal(causal_mask(5, 2), [[0, 0], [0, 0], [0, 0], [1, 0], [1, 1]])


def test_top_left_alignment_starts_at_the_first_key():
    np.testing.assert_array_equal(causal_mask(2, 4, align="top_left"), [[1, 0, 0, 0], [1, 1, 0, 0]])
    np.testing.assert_array_equal(causal_mask(2, 4, align="bottom_right"), [[1, 1, 1, 0], [1, 1, 1, 1]])


def test_offset_is_the_difference_of_lengths_or_zero():
    assert [causal_offset(5, 7, align) for align in ALIGNMENTS] == [2, 0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 3), "n_query must be at least 1, got 0"),
        ((3, -1), "n_key must be at least 1, got -1"),
        ((2.5, 3), "n_query must be a whole number, got 2.5"),
        ((3, 3, "left"), "align must be one of 'bottom_right', 'top_left', got 'left'"),
    ],
)
def test_impossible_sizes_and_alignments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        causal_mask(*arguments)
