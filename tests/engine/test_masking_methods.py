"""Masking methods, softmax variants, sinks, dropout and soft cap, with figures computed by hand."""

import math

import numpy as np
import pytest

from attnviz.engine import MASKING_METHODS, SOFTMAX_VARIANTS, attend, causal_mask


def row(scores, **options):
    """Attention of one query whose raw scores are given, with the scale left out."""
    k = np.transpose([np.asarray(scores, float)])
    return attend([[1.0]], k, k, scale="none", **options)


@pytest.mark.parametrize(
    ("masking", "expected"),
    [
        ("before", [0.731059, 0.268941, 0]),
        ("add_large_negative", [0.731059, 0.268941, 0]),
        ("fill_large_negative", [0.731059, 0.268941, 0]),
        ("multiply_zero", [0.665241, 0.244728, 0.0900306]),
        ("after", [0.665241, 0.244728, 0]),
        ("after_renormalised", [0.731059, 0.268941, 0]),
    ],
)
def test_third_key_banned_under_each_method(masking, expected):
    weights = row([2, 1, 0], allowed=[[True, True, False]], masking=masking).weights[0]
    np.testing.assert_allclose(weights, expected, atol=5e-7)


def test_masking_after_the_softmax_leaves_a_row_that_does_not_sum_to_one():
    trace = row([2, 1, 0], allowed=[[True, True, False]], masking="after")
    assert trace.weights.sum() == pytest.approx(0.909969, abs=5e-7)
    np.testing.assert_array_equal(trace.masked, trace.scaled)


@pytest.mark.parametrize(
    ("masking", "expected"),
    [
        ("before", [0, 0, 0]),
        ("add_large_negative", [0.843795, 0.114195, 0.0420101]),
        ("fill_large_negative", [1 / 3, 1 / 3, 1 / 3]),
        ("multiply_zero", [1 / 3, 1 / 3, 1 / 3]),
        ("after", [0, 0, 0]),
        ("after_renormalised", [0, 0, 0]),
    ],
)
def test_row_with_every_key_banned_under_each_method(masking, expected):
    trace = row([3, 1, 0], allowed=[[False, False, False]], masking=masking)
    np.testing.assert_allclose(trace.weights[0], expected, atol=5e-7)
    assert trace.empty_rows.all()


def test_multiplying_negative_scores_by_zero_lets_the_banned_key_win():
    weights = row([-1, -2, -3], allowed=[[True, True, False]], masking="multiply_zero").weights[0]
    assert weights[2] == pytest.approx(0.665241, abs=5e-7)
    assert weights.argmax() == 2


def test_zero_filled_banned_keys_take_their_share():
    scores = [0.43, -0.21, 0.99, 5, 6, 7]
    allowed = [[True, True, True, False, False, False]]
    right = row(scores, allowed=allowed).weights[0]
    wrong = row(scores, allowed=allowed, masking="multiply_zero").weights[0]
    np.testing.assert_allclose(right, [0.305067, 0.160860, 0.534073, 0, 0, 0], atol=5e-7)
    np.testing.assert_allclose(wrong[3:], 0.124392, atol=5e-7)


def test_zeros_and_ones_added_as_a_mask_leak():
    weights = row(np.add([2, 1, 0], [1, 1, 0])).weights[0]
    np.testing.assert_allclose(weights, [0.705385, 0.259496, 0.0351190], atol=5e-7)


def test_large_negative_added_in_single_precision_makes_the_row_uniform():
    scores = np.array([3, 1, 0], np.float32) + np.float32(-1e9)
    assert np.spacing(np.float32(1e9)) == 64
    np.testing.assert_allclose(row(scores).weights[0], 1 / 3, rtol=1e-15)


def test_banned_score_written_above_the_allowed_one_takes_everything():
    np.testing.assert_array_equal(row([-1.2e5, -1e5]).weights, [[0, 1]])
    np.testing.assert_array_equal(row([-1.2e5, -1e5], allowed=[[True, False]]).weights, [[1, 0]])


def test_filling_loses_where_allowed_scores_are_lower_still():
    weights = row([-2e9, 0], allowed=[[True, False]], masking="fill_large_negative").weights
    np.testing.assert_array_equal(weights, [[0, 1]])


@pytest.mark.parametrize("masking", MASKING_METHODS)
def test_without_a_mask_every_method_is_the_same(masking):
    np.testing.assert_array_equal(row([2, 1, 0], masking=masking).weights, row([2, 1, 0]).weights)


def test_renormalising_after_underflow_gives_zero_not_nan():
    weights = row([2000, 0], allowed=[[False, True]], masking="after_renormalised").weights
    np.testing.assert_array_equal(weights, [[0, 0]])


@pytest.mark.parametrize(
    ("scores", "expected", "total"),
    [([2, 1, 0], [0.610296, 0.224515, 0.0825945], 0.917406), ([-5, -5, -5], [0.00660445] * 3, 0.0198133)],
)
def test_plus_one_lets_a_row_attend_to_nothing(scores, expected, total):
    weights = row(scores, softmax="plus_one").weights[0]
    np.testing.assert_allclose(weights, expected, rtol=2e-6)
    assert weights.sum() == pytest.approx(total, rel=4e-6)


def test_standard_softmax_cannot_attend_to_nothing():
    np.testing.assert_allclose(row([-5, -5, -5]).weights[0], 1 / 3, rtol=1e-15)


def test_plus_one_is_right_for_enormous_logits():
    np.testing.assert_array_equal(row([1e308, 0], softmax="plus_one").weights, [[1, 0]])
    np.testing.assert_array_equal(row([-1e308, -1e308], softmax="plus_one").weights, [[0, 0]])


def test_column_softmax_gives_rows_that_do_not_sum_to_one():
    scores = [[2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [2.0, 0.0, 1.0]]
    trace = attend(scores, np.eye(3), np.eye(3), scale="none", softmax="columns")
    np.testing.assert_allclose(trace.weights.sum(axis=0), 1, atol=1e-15)
    np.testing.assert_allclose(trace.weights.sum(axis=1), [0.757216, 1.12139, 1.12139], atol=5e-6)


def test_column_softmax_has_one_maximum_and_normaliser_per_key():
    trace = attend(np.ones((5, 3)), np.ones((7, 3)), np.ones((7, 2)), softmax="columns", allowed=causal_mask(5, 7))
    assert trace.row_max.shape == trace.normaliser.shape == (7,)
    np.testing.assert_allclose(trace.weights, trace.exponentials / trace.normaliser, rtol=1e-15)
    assert trace.empty_rows.shape == (5,)


def test_sink_and_weights_share_the_budget():
    trace = row([2, 1, 0], sink=1.5)
    total = math.exp(2) + math.exp(1) + 1 + math.exp(1.5)
    np.testing.assert_allclose(trace.weights[0], [math.exp(2) / total, math.exp(1) / total, 1 / total], rtol=1e-14)
    assert trace.weights.sum() + math.exp(1.5) / total == pytest.approx(1, rel=1e-14)


def test_sink_of_zero_is_plus_one_and_both_together_are_two_units():
    np.testing.assert_allclose(row([2, 1], sink=0.0).weights, row([2, 1], softmax="plus_one").weights, rtol=1e-15)
    both = row([2, 1], sink=0.0, softmax="plus_one").weights
    np.testing.assert_allclose(both.sum(), 1 - 2 / (2 + math.exp(2) + math.exp(1)), rtol=1e-14)


def test_sink_per_row_broadcasts_over_heads():
    x = np.ones((3, 5, 2))
    sink = np.arange(15.0).reshape(3, 5)
    sums = attend(x, x, x, scale=0.0, sink=sink).weights.sum(axis=-1)
    np.testing.assert_allclose(sums, 5 / (5 + np.exp(sink)), rtol=1e-14)


def test_sink_takes_all_in_a_row_without_a_visible_key():
    trace = row([2, 1], sink=3.0, allowed=[[False, False]])
    np.testing.assert_array_equal(trace.weights, [[0, 0]])
    assert trace.row_max[0] == 3


def test_sink_with_column_softmax_is_refused():
    with pytest.raises(ValueError, match="sink must be None with softmax 'columns'"):
        row([2, 1], sink=0.0, softmax="columns")


@pytest.mark.parametrize(("keep", "total"), [([1, 1, 1], 1.25), ([1, 1, 0], 1.0), ([0, 0, 0], 0)])
def test_dropout_keeps_only_the_expected_sum(keep, total):
    trace = row(np.log([0.5, 0.3, 0.2]), dropout=([[bool(k) for k in keep]], 0.2))
    assert trace.weights.sum() == pytest.approx(total, rel=1e-14)
    np.testing.assert_allclose(trace.undropped, [[0.5, 0.3, 0.2]], rtol=1e-14)
    assert trace.options.drop_rate == 0.2


def test_mean_row_sum_over_all_dropout_patterns_is_one():
    mean = 0.0
    for pattern in range(8):
        keep = [bool(pattern >> bit & 1) for bit in range(3)]
        chance = math.prod(0.8 if kept else 0.2 for kept in keep)
        mean += chance * row([2, 1, 0], dropout=([keep], 0.2)).weights.sum()
    assert mean == pytest.approx(1, rel=1e-14)


def test_chances_of_the_row_sums_under_dropout():
    chances = dict.fromkeys((1.25, 1.0, 0.0), 0.0)
    for pattern in range(8):
        keep = [bool(pattern >> bit & 1) for bit in range(3)]
        total = round(float(row(np.log([0.5, 0.3, 0.2]), dropout=([keep], 0.2)).weights.sum()), 9)
        if total in chances:
            chances[total] += math.prod(0.8 if kept else 0.2 for kept in keep)
    assert chances == pytest.approx({1.25: 0.512, 1.0: 0.128, 0.0: 0.008}, rel=1e-14)


def test_soft_cap_bends_the_logits_below_the_cap():
    trace = row([100, 10, -100], soft_cap=30.0)
    expected = [30 * math.tanh(100 / 30), 30 * math.tanh(10 / 30), -30 * math.tanh(100 / 30)]
    np.testing.assert_allclose(trace.masked[0], expected, rtol=1e-14)
    np.testing.assert_array_equal(trace.scaled, [[100, 10, -100]])


def test_every_choice_has_a_label_and_one_sentence_of_help():
    for registry in (MASKING_METHODS, SOFTMAX_VARIANTS):
        for name, choice in registry.items():
            assert choice.name == name
            assert choice.label
            assert choice.help.endswith(".")


def test_multiplying_by_zero_leaves_no_negative_zero():
    assert not np.signbit(row([-1.0, 2.0], allowed=[[False, True]], masking="multiply_zero").masked).any()


@pytest.mark.parametrize("sink", [None, 1.0])
@pytest.mark.parametrize("softmax", SOFTMAX_VARIANTS)
@pytest.mark.parametrize("masking", MASKING_METHODS)
def test_mask_that_allows_all_is_no_mask(masking, softmax, sink):
    if sink is not None and softmax == "columns":
        pytest.skip("a sink belongs to a row")
    rng = np.random.default_rng(3)
    q, k, v = rng.normal(size=(5, 2)), rng.normal(size=(7, 2)), rng.normal(size=(7, 3))
    choices = {"masking": masking, "softmax": softmax, "sink": sink}
    without, allowing = attend(q, k, v, **choices), attend(q, k, v, allowed=np.ones((5, 7), bool), **choices)
    for name in ("masked", "exponentials", "normaliser", "weights", "output"):
        np.testing.assert_allclose(getattr(allowing, name), getattr(without, name), rtol=4e-16 * 7, err_msg=name)


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ({"softmax": "plus_one"}, [2 / 3, 0.0]),  # 1/3 each and 1/3 for nothing
        ({"sink": math.log(2)}, [1 / 2, 0.0]),  # 1/4 each and 2/4 for the sink
        ({"softmax": "columns"}, [2.0, 0.0]),  # the only query gets all of both keys
    ],
)
def test_renormalising_brings_a_row_back_to_the_sum_it_had(choices, expected):
    weights = row([0, 0], allowed=[[True, False]], masking="after_renormalised", **choices).weights[0]
    np.testing.assert_allclose(weights, expected, rtol=1e-15)
