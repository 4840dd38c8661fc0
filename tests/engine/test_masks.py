"""Masks: True = may attend, rows are queries."""

import numpy as np
import pytest

from attnviz.engine import (
    ALIGNMENTS,
    MASKS,
    MaskRequest,
    block_mask,
    causal_mask,
    causal_offset,
    padding_mask,
    prefix_mask,
    window_mask,
)


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


def test_window_reaches_to_both_sides_and_joins_the_causal_mask():
    np.testing.assert_array_equal(window_mask(3, 4, 2), [[1, 1, 1, 0], [0, 1, 1, 1], [0, 0, 1, 1]])
    both = window_mask(4, 4, 2) & causal_mask(4, 4)
    np.testing.assert_array_equal(both, [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]])


def test_window_of_one_sees_its_own_place_alone():
    np.testing.assert_array_equal(window_mask(5, 5, 1), np.eye(5))


def test_padding_bans_columns_for_every_query():
    np.testing.assert_array_equal(padding_mask(3, [True, False]), [[1, 0]] * 3)
    assert padding_mask(3, np.ones((2, 5), bool)).shape == (2, 3, 5)


def test_prefix_is_seen_by_all_and_the_rest_is_causal():
    np.testing.assert_array_equal(prefix_mask(3, 3, 2), [[1, 1, 0], [1, 1, 0], [1, 1, 1]])
    np.testing.assert_array_equal(prefix_mask(2, 3, 1, "top_left"), [[1, 0, 0], [1, 1, 0]])


def test_blocks_see_themselves_alone():
    expected = [[1, 1, 0, 0, 0], [1, 1, 0, 0, 0], [0, 0, 1, 1, 0], [0, 0, 1, 1, 0], [0, 0, 0, 0, 1]]
    np.testing.assert_array_equal(block_mask(5, 5, 2), expected)
    np.testing.assert_array_equal(block_mask(1, 5, 2), [[0, 0, 0, 0, 1]])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: window_mask(3, 3, 0), "width must be at least 1, got 0"),
        (lambda: window_mask(0, 3, 1), "n_query must be at least 1, got 0"),
        (lambda: prefix_mask(3, 3, 0), "prefix must be at least 1, got 0"),
        (lambda: block_mask(3, 3, -1), "size must be at least 1, got -1"),
        (lambda: padding_mask(3, [1, 0]), r"is_real must hold one bool per key, got int64 of shape \(2,\)"),
        (lambda: padding_mask(3, True), r"is_real must hold one bool per key, got bool of shape \(\)"),
        (lambda: padding_mask(3, np.ones(0, bool)), r"is_real must hold one bool per key, got bool of shape \(0,\)"),
    ],
)
def test_masks_that_cannot_be_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("none", [[1, 1, 1], [1, 1, 1], [1, 1, 1]]),
        ("causal", [[1, 0, 0], [1, 1, 0], [1, 1, 1]]),
        ("window", [[1, 1, 0], [1, 1, 1], [0, 1, 1]]),
        ("causal_window", [[1, 0, 0], [1, 1, 0], [0, 1, 1]]),
        ("prefix", [[1, 1, 0], [1, 1, 0], [1, 1, 1]]),
        ("block", [[1, 1, 0], [1, 1, 0], [0, 0, 1]]),
        ("padding", [[0, 1, 1], [0, 1, 1], [0, 1, 1]]),
    ],
)
def test_every_registered_mask_of_three_tokens(name, expected):
    request = MaskRequest(3, 3, prefix=2, is_real=[False, True, True])
    np.testing.assert_array_equal(MASKS[name].function(request), expected)


@pytest.mark.parametrize(
    ("name", "bottom_right", "top_left"),
    [
        ("causal", [[1, 1, 1, 0], [1, 1, 1, 1]], [[1, 0, 0, 0], [1, 1, 0, 0]]),
        ("window", [[0, 1, 1, 1], [0, 0, 1, 1]], [[1, 1, 0, 0], [1, 1, 1, 0]]),
        ("causal_window", [[0, 1, 1, 0], [0, 0, 1, 1]], [[1, 0, 0, 0], [1, 1, 0, 0]]),
        ("prefix", [[1, 1, 1, 0], [1, 1, 1, 1]], [[1, 0, 0, 0], [1, 1, 0, 0]]),
        ("block", [[0, 0, 1, 1], [0, 0, 1, 1]], [[1, 1, 0, 0], [1, 1, 0, 0]]),
    ],
)
def test_every_mask_that_knows_a_query_s_own_key_is_aligned(name, bottom_right, top_left):
    for align, expected in (("bottom_right", bottom_right), ("top_left", top_left)):
        np.testing.assert_array_equal(MASKS[name].function(MaskRequest(2, 4, align=align)), expected)


def test_every_mask_is_tested_above():
    assert list(MASKS) == ["none", "causal", "window", "causal_window", "prefix", "block", "padding"]


def test_padding_is_all_real_unless_told_and_must_have_one_switch_per_key():
    assert MASKS["padding"].function(MaskRequest(2, 3)).all()
    with pytest.raises(ValueError, match=r"is_real must have shape \(3,\), got \(2,\)"):
        MASKS["padding"].function(MaskRequest(2, 3, is_real=[True, False]))
