"""Positional encodings against hand figures and explicit loops."""

import math

import numpy as np
import pytest

from attnviz.engine import PAIRINGS, alibi, alibi_slopes, relative_buckets, rotary, sinusoidal, sinusoidal_at
from tests import reference

Q, K = np.array([[1.0, 2.0, 3.0, 4.0]]), np.array([[0.5, -1.0, 2.0, 0.0]])
PAIRS = {"half": [(0, 2), (1, 3)], "interleaved": [(0, 1), (2, 3)]}


def test_sinusoidal_at_position_1_with_4_channels():
    expected = [0.841471, 0.540302, 0.0099998, 0.999950]
    np.testing.assert_allclose(sinusoidal(2, 4)[1], expected, atol=5e-7)


@pytest.mark.parametrize("d", [1, 2, 5, 8])
def test_sinusoidal_equals_the_explicit_loop(d):
    expected = [[reference.sinusoid(position, channel, d, 100.0) for channel in range(d)] for position in range(7)]
    np.testing.assert_allclose(sinusoidal(7, d, base=100.0), expected, atol=1e-14)


def test_sines_before_cosines_would_leave_every_product_alone():
    angles = [[position / 10000 ** (2 * pair / 6) for pair in range(3)] for position in range(7)]
    halves = [[*map(math.sin, row), *map(math.cos, row)] for row in angles]
    vectors = sinusoidal(7, 6)
    np.testing.assert_allclose(vectors @ vectors.T, reference.scores_of(halves, halves), atol=1e-14)


def test_sinusoidal_products_depend_on_the_distance_alone():
    near = sinusoidal_at([3, 5], 8)
    far = sinusoidal_at([1003, 1005], 8)
    assert near[0] @ near[1] == pytest.approx(far[0] @ far[1], abs=1e-12)


@pytest.mark.parametrize(("pairing", "expected"), [("interleaved", 4.644436107622), ("half", -4.169911070703)])
@pytest.mark.parametrize("shift", [0, 100])
def test_rotary_product_is_the_known_number_and_does_not_move(pairing, expected, shift):
    q, k = rotary(Q, [5 + shift], pairing=pairing), rotary(K, [3 + shift], pairing=pairing)
    assert (q @ k.T).item() == pytest.approx(expected, abs=1e-11)


def test_known_product_of_one_layout_is_that_of_the_other_with_the_channels_of_both_sides_permuted():
    order = [0, 2, 1, 3]
    q, k = rotary(Q[:, order], [5], pairing="half"), rotary(K[:, order], [3], pairing="half")
    assert (q @ k.T).item() == pytest.approx(4.644436107622, abs=1e-11)


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_rotary_equals_the_explicit_loop(pairing):
    rows = np.random.default_rng(0).normal(size=(7, 4))
    expected = [reference.rotate(row, i, 50.0, PAIRS[pairing]) for i, row in enumerate(rows)]
    np.testing.assert_allclose(rotary(rows, np.arange(7), 50.0, pairing), expected, atol=1e-14)


def test_layouts_are_one_permutation_of_the_channels_apart():
    rows = np.random.default_rng(0).normal(size=(5, 6))
    order = [0, 2, 4, 1, 3, 5]
    by_neighbours = rotary(rows, np.arange(5), pairing="interleaved")
    np.testing.assert_allclose(
        rotary(rows[:, order], np.arange(5), pairing="half"), by_neighbours[:, order], atol=1e-15
    )


def test_rotary_keeps_lengths_and_leaves_position_zero_alone():
    rows = np.random.default_rng(0).normal(size=(5, 6))
    turned = rotary(rows, np.arange(5))
    np.testing.assert_allclose(np.linalg.norm(turned, axis=1), np.linalg.norm(rows, axis=1), rtol=1e-14)
    np.testing.assert_array_equal(turned[0], rows[0])


def test_partial_rotary_turns_the_leading_channels_alone():
    rows = np.random.default_rng(0).normal(size=(5, 6))
    turned = rotary(rows, np.arange(5), width=4)
    np.testing.assert_array_equal(turned[:, 4:], rows[:, 4:])
    np.testing.assert_allclose(turned[:, :4], rotary(rows[:, :4], np.arange(5)), atol=1e-15)


def test_rotary_positions_broadcast_over_leading_axes():
    rows = np.random.default_rng(0).normal(size=(5, 4))
    both = rotary(rows, [np.arange(5), np.arange(5) + 2])
    np.testing.assert_allclose(both[1], rotary(rows, np.arange(5) + 2), atol=1e-15)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": np.ones((1, 3))}, "rotary needs an even number of channels up to 3, got 3"),
        ({"width": 6}, "rotary needs an even number of channels up to 4, got 6"),
        ({"positions": [1, 2]}, r"positions must have shape \(1,\), got \(2,\)"),
        ({"positions": 5}, r"positions must have shape \(1,\), got \(\)"),
        ({"positions": [np.inf]}, r"positions must be finite, got inf at \(0,\)"),
        ({"x": [[np.nan, 1.0]]}, r"x must be finite, got nan at \(0, 0\)"),
        ({"pairing": "thirds"}, "pairing must be one of 'half', 'interleaved', got 'thirds'"),
        ({"x": np.full((1, 4), 1.7e308)}, "x must stay below 1.2e308 in magnitude to be turned"),
        ({"base": 1e-320, "positions": [1e300]}, "positions and base must give finite angles, got an overflow with"),
        ({"base": 0.0}, "base must be a finite number above 0, got 0.0"),
    ],
)
def test_rotary_that_does_not_fit_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        rotary(**{"x": Q, "positions": [5], **change})


def test_alibi_slopes_of_eight_and_of_twelve_heads():
    np.testing.assert_allclose(alibi_slopes(8), [2.0**-i for i in range(1, 9)])
    np.testing.assert_allclose(alibi_slopes(12)[8:], [2**-0.5, 2**-1.5, 2**-2.5, 2**-3.5])


def test_alibi_falls_off_linearly_with_the_distance():
    bias = alibi(2, 3, 8)
    assert bias.shape == (8, 2, 3)
    np.testing.assert_allclose(bias[0], -0.5 * np.array([[1, 0, 1], [2, 1, 0]]))
    np.testing.assert_allclose(bias[7], bias[0] / 128)
    assert not np.signbit(bias[bias == 0]).any()


def test_alibi_does_not_move_when_all_positions_shift():
    shifted = alibi(3, 3, 2, query_positions=[7, 8, 9], key_positions=[7, 8, 9])
    np.testing.assert_array_equal(shifted, alibi(3, 3, 2))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_heads": 0}, "n_heads must be at least 1, got 0"),
        ({"key_positions": [1, 2]}, r"key_positions must have shape \(3,\), got \(2,\)"),
        (
            {"query_positions": [1, 1.7e308], "key_positions": [0, 0, -1.7e308]},
            "positions must stay below 8e307 in mag",
        ),
        ({"query_positions": [1, np.nan]}, r"query_positions must be finite, got nan at \(1,\)"),
    ],
)
def test_alibi_that_does_not_fit_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        alibi(**{"n_query": 2, "n_key": 3, "n_heads": 2, **change})


def test_near_distances_have_a_bucket_each_and_far_ones_share():
    buckets = relative_buckets(1, 1000)[0]
    np.testing.assert_array_equal(buckets[-8:], [7, 6, 5, 4, 3, 2, 1, 0])
    assert buckets[-17] == 10
    assert set(buckets[:800]) == {15}


def test_keys_ahead_have_their_own_half_or_none():
    np.testing.assert_array_equal(relative_buckets(3, 3, 8), [[0, 5, 6], [1, 0, 5], [2, 1, 0]])
    one_way = relative_buckets(3, 3, 8, is_bidirectional=False)
    np.testing.assert_array_equal(one_way, [[0, 0, 0], [1, 0, 0], [2, 1, 0]])


@pytest.mark.parametrize(("n_buckets", "max_distance"), [(7, 128), (2, 128), (32, 16)])
def test_impossible_buckets_are_refused(n_buckets, max_distance):
    with pytest.raises(ValueError, match=f"n_buckets must be even, at least 4, .* got {n_buckets} and {max_distance}"):
        relative_buckets(3, 3, n_buckets, max_distance)
