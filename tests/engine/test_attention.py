"""`attend`: agreement with explicit loops, extreme numbers, empty rows, refusals, and the record's promises."""

import dataclasses
import math

import numpy as np
import pytest

from attnviz.engine import AttentionTrace, attend, causal_mask
from tests import reference

CAT_DOG_PHONE = np.array([[1.0, 0.5], [0.8, 0.6], [-0.5, 1.0]])
ONE_HOT = np.eye(2)


def inputs(n_query=5, n_key=7, d_k=3, d_v=2, seed=0, leading=()):
    rng = np.random.default_rng(seed)
    shapes = ((n_query, d_k), (n_key, d_k), (n_key, d_v))
    return tuple(rng.normal(size=(*leading, *shape)) for shape in shapes)


def arrays_of(trace):
    values = [getattr(trace, field.name) for field in dataclasses.fields(trace)]
    return [value for value in values if isinstance(value, np.ndarray)]


@pytest.mark.parametrize(("n_query", "n_key", "d_k", "d_v"), [(5, 7, 3, 2), (7, 5, 2, 3), (1, 1, 1, 1), (1, 11, 13, 2)])
@pytest.mark.parametrize(("scale", "factor"), [("none", 1.0), ("sqrt_d_k", None), ("d_k", None), (-0.3, -0.3)])
def test_weights_and_output_equal_the_explicit_loops(n_query, n_key, d_k, d_v, scale, factor):
    q, k, v = inputs(n_query, n_key, d_k, d_v)
    if factor is None:
        factor = 1 / d_k if scale == "d_k" else 1 / math.sqrt(d_k)
    weights, output = reference.attention(q, k, v, factor / 0.7)
    trace = attend(q, k, v, scale=scale, temperature=0.7)
    np.testing.assert_allclose(trace.weights, weights, atol=1e-14)
    np.testing.assert_allclose(trace.output, output, atol=1e-14)


def test_mask_and_bias_equal_the_explicit_loops():
    q, k, v = inputs()
    rng = np.random.default_rng(1)
    allowed, bias = rng.random((5, 7)) < 0.6, rng.normal(size=(5, 7))
    allowed[2] = False
    weights, output = reference.attention(q, k, v, 1 / math.sqrt(3), allowed, bias)
    trace = attend(q, k, v, allowed=allowed, bias=bias)
    np.testing.assert_allclose(trace.weights, weights, atol=1e-14)
    np.testing.assert_allclose(trace.output, output, atol=1e-14)


def test_every_stage_follows_from_the_one_before():
    q, k, v = inputs()
    bias = np.linspace(-1, 1, 35).reshape(5, 7)
    trace = attend(q, k, v, temperature=0.5, bias=bias, allowed=causal_mask(5, 7))
    assert trace.multiplier == pytest.approx(2 / math.sqrt(3), rel=1e-15)
    np.testing.assert_allclose(trace.scores, q @ k.T, rtol=1e-14)
    np.testing.assert_array_equal(trace.scaled, trace.scores * trace.multiplier)
    np.testing.assert_array_equal(trace.masked, np.where(causal_mask(5, 7), trace.scaled + bias, -np.inf))
    np.testing.assert_array_equal(trace.row_max, trace.masked.max(axis=-1))
    np.testing.assert_allclose(trace.exponentials, np.exp(trace.masked - trace.row_max[:, None]), rtol=1e-15)
    np.testing.assert_allclose(trace.normaliser, trace.exponentials.sum(axis=-1), rtol=1e-15)
    np.testing.assert_allclose(trace.weights, trace.exponentials / trace.normaliser[:, None], rtol=1e-15)
    np.testing.assert_allclose(trace.output, trace.weights @ v, atol=1e-15)


def test_leading_axes_broadcast_one_by_one():
    q, _, _ = inputs(leading=(2, 3))
    _, k, v = inputs(leading=(3,), seed=1)
    allowed = np.random.default_rng(2).random((2, 1, 5, 7)) < 0.5
    trace = attend(q, k, v, allowed=allowed)
    assert trace.output.shape == (2, 3, 5, 2)
    assert trace.empty_rows.shape == (2, 3, 5)
    for batch in range(2):
        for head in range(3):
            single = attend(q[batch, head], k[head], v[head], allowed=allowed[batch, 0])
            np.testing.assert_allclose(trace.output[batch, head], single.output, atol=1e-14)
            np.testing.assert_array_equal(trace.empty_rows[batch, head], single.empty_rows)


@pytest.mark.parametrize("width", [4, 64, 512])
def test_scale_rules_are_none_root_and_width(width):
    x = np.ones((2, width))
    assert attend(x, x, x, scale="none").multiplier == 1
    assert attend(x, x, x).multiplier == pytest.approx(width**-0.5, rel=1e-15)
    assert attend(x, x, x, scale="d_k").multiplier == 1 / width


@pytest.mark.parametrize(
    ("scores", "scale", "expected"),
    [
        ([8, 0, -8], "none", [0.999665, 0.000335350, 1.12497e-7]),
        ([8, 0, -8], 1 / 8, [0.665241, 0.244728, 0.0900306]),
        ([16, 8, 0], 1 / 8, [0.665241, 0.244728, 0.0900306]),
        ([16, 8, 0], 1 / 64, [0.375757, 0.331604, 0.292639]),
        ([2, 1, 0], 1 / 0.5, [0.866813, 0.117310, 0.0158762]),
        ([2, 1, 0], 1 / 2, [0.506480, 0.307196, 0.186324]),
        ([490, 495, 500], "none", [4.5094e-5, 0.006692547, 0.993262]),
    ],
)
def test_known_rows_under_a_scale(scores, scale, expected):
    k = np.transpose([scores])
    np.testing.assert_allclose(attend([[1.0]], k, k, scale=scale).weights[0], expected, rtol=2e-5)


def test_temperature_and_scale_are_one_knob_multiplied():
    q, k, v = inputs()
    by_temperature = attend(q, k, v, scale="none", temperature=2.5).weights
    np.testing.assert_allclose(by_temperature, attend(q, k, v, scale=1 / 2.5).weights, atol=1e-15)


@pytest.mark.parametrize("temperature", [1e-9, 1e-100, 1e-300, 1e-320, 5e-324])
@pytest.mark.parametrize("size", [1e-2, 1.0, 1e150])
def test_tiny_temperature_is_arg_max_and_ties_share_equally(temperature, size):
    k = size * np.array([[1.0, 0.0], [0.2, 3.0], [1.0, 0.0], [-2.0, 0.0]])
    trace = attend([[size, 0.0]], k, k, temperature=temperature)
    np.testing.assert_array_equal(trace.weights, [[0.5, 0, 0.5, 0]])
    for stage in (trace.scaled, trace.row_max, trace.exponentials, trace.normaliser):
        assert np.isfinite(stage).all()
    np.testing.assert_array_equal(trace.scaled, trace.scores * trace.multiplier)


@pytest.mark.parametrize(("n", "d"), [(3, 2), (7, 33), (257, 5), (601, 7)])
def test_equal_tokens_tie_exactly_wherever_they_stand(n, d):
    rng = np.random.default_rng(0)
    k = np.repeat(rng.normal(size=(1, d)), n, axis=0)
    weights = attend(rng.normal(size=(n, d)), k, k, temperature=1e-300).weights
    np.testing.assert_array_equal(weights, 1 / n)


def test_tiny_temperature_with_a_negative_scale_is_arg_min():
    k = np.array([[1.0], [5.0], [1.0]])
    for size in (1.0, 1e150):
        weights = attend([[size]], k, k, scale=-1.0, temperature=1e-300).weights
        np.testing.assert_array_equal(weights, [[0.5, 0, 0.5]])


def test_tiny_temperature_keeps_banned_winners_out():
    k = np.array([[9e10], [1.0], [1.0 + 1e-15]])
    weights = attend([[1.0]], k, k, temperature=1e-305, allowed=[[False, True, True]]).weights
    np.testing.assert_array_equal(weights, [[0, 0, 1]])


@pytest.mark.parametrize("temperature", [1e20, 1e300, 1.7e308])
def test_huge_temperature_is_uniform_over_the_visible_keys(temperature):
    q, k, v = inputs()
    allowed = causal_mask(5, 7)
    expected = allowed / allowed.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(attend(q, k, v, temperature=temperature, allowed=allowed).weights, expected, atol=1e-15)


def test_zero_temperature_on_zero_scores_is_uniform_even_when_the_multiplier_is_infinite():
    zeros = np.zeros((2, 2))
    np.testing.assert_array_equal(attend(zeros, zeros, zeros, temperature=5e-324).weights, 0.5)


def test_temperature_zero_is_refused_with_the_reason():
    with pytest.raises(ValueError, match="temperature must be above 0, got 0: the scores are divided by it"):
        attend(ONE_HOT, ONE_HOT, ONE_HOT, temperature=0)


@pytest.mark.parametrize("temperature", [-1.0, math.nan, math.inf, True, "1"])
def test_other_impossible_temperatures_are_refused(temperature):
    with pytest.raises(ValueError, match="temperature must be a finite number above 0, got"):
        attend(ONE_HOT, ONE_HOT, ONE_HOT, temperature=temperature)


def test_scores_of_1e308_give_right_weights_without_a_warning():
    k = np.array([[1e308], [-1e308], [1e308]])
    trace = attend([[1.0]], k, k, scale="none")
    np.testing.assert_array_equal(trace.weights, [[0.5, 0, 0.5]])
    np.testing.assert_array_equal(trace.output, [[1e308]])


def test_bias_beside_scores_of_1e308_stays_finite():
    k = np.array([[1.7e308], [1.0]])
    trace = attend([[1.0]], k, k, scale="none", bias=[[1.7e308, -1.7e308]])
    np.testing.assert_array_equal(trace.weights, [[1, 0]])
    assert np.isfinite(trace.masked).all()


def test_mean_of_enormous_values_does_not_overflow():
    v = np.full((3, 2), np.finfo(np.float64).max)
    output = attend(np.zeros((1, 2)), np.zeros((3, 2)), v).output
    np.testing.assert_allclose(output, np.finfo(np.float64).max, rtol=1e-12)


@pytest.mark.parametrize("rate", [0.0, 0.9, 1 - 2**-53])
def test_weights_that_sum_to_more_than_one_saturate_enormous_values(rate):
    largest = np.finfo(np.float64).max
    v = np.full((7, 2), largest) * [1, -1]
    v[3] *= -1
    keep = np.ones((5, 7), bool)
    output = attend(np.ones((5, 3)), np.ones((7, 3)), v, softmax="columns", dropout=(keep, rate)).output
    np.testing.assert_allclose(output, np.broadcast_to([largest, -largest], (5, 2)), rtol=1e-12)


def test_products_that_overflow_are_refused():
    big = np.full((2, 2), 1e200)
    with pytest.raises(ValueError, match=r"q k\^T must stay below 1.8e308 in magnitude, got a product that overflows"):
        attend(big, big, big)


def test_row_without_a_visible_key_is_zero_and_named():
    q, k, v = inputs()
    allowed = np.ones((5, 7), bool)
    allowed[3] = False
    trace = attend(q, k, v, allowed=allowed)
    np.testing.assert_array_equal(trace.empty_rows, [False, False, False, True, False])
    for stage in (trace.weights[3], trace.output[3], trace.exponentials[3], trace.normaliser[3], trace.row_max[3]):
        np.testing.assert_array_equal(stage, 0.0)
    np.testing.assert_array_equal(np.delete(trace.output, 3, 0), np.delete(attend(q, k, v).output, 3, 0))


def test_masked_key_gets_weight_zero_and_the_others_share():
    k = np.array([[2.0], [1.0], [0.0]])
    weights = attend([[1.0]], k, k, allowed=[[True, True, False]]).weights
    np.testing.assert_allclose(weights, [[0.731059, 0.268941, 0]], atol=5e-7)
    assert weights[0, 2] == 0


def test_mask_works_where_an_allowed_score_is_below_any_large_negative_number():
    k = np.array([[-1.2e5], [-1e5]])
    np.testing.assert_array_equal(attend([[1.0]], k, k, allowed=[[True, False]]).weights, [[1, 0]])


def test_cached_decoding_step_sees_all_keys_only_when_aligned_bottom_right():
    q, k = [[1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 0.0]]
    top_left = attend(q, k, k, allowed=causal_mask(1, 4, "top_left")).weights
    bottom_right = attend(q, k, k, allowed=causal_mask(1, 4)).weights
    np.testing.assert_array_equal(top_left, [[1, 0, 0, 0]])
    np.testing.assert_allclose(bottom_right, [[0.221181, 0.109057, 0.221181, 0.448581]], atol=5e-7)


def test_more_queries_than_keys_leave_the_first_outputs_zero():
    q, k, v = inputs(5, 2)
    trace = attend(q, k, v, allowed=causal_mask(5, 2))
    np.testing.assert_array_equal(trace.empty_rows, [True, True, True, False, False])
    np.testing.assert_array_equal(trace.output[:3], 0)
    np.testing.assert_array_equal(trace.weights[3], [1, 0])
    np.testing.assert_allclose(trace.output[3], v[0], rtol=1e-15)


def test_banning_the_diagonal_too_leaves_the_first_row_empty_and_the_second_without_a_choice():
    q, k, v = inputs(5, 5)
    trace = attend(q, k, v, allowed=causal_mask(5, 5) & ~np.eye(5, dtype=bool))
    np.testing.assert_array_equal(trace.empty_rows, [True, False, False, False, False])
    np.testing.assert_array_equal(trace.weights[:2], [[0, 0, 0, 0, 0], [1, 0, 0, 0, 0]])


@pytest.mark.parametrize(("n_query", "n_key", "align", "offset"), [(5, 7, "bottom_right", 2), (5, 7, "top_left", 0)])
def test_beyond_the_diagonal_weights_are_exactly_zero(n_query, n_key, align, offset):
    weights = attend(*inputs(n_query, n_key), allowed=causal_mask(n_query, n_key, align)).weights
    beyond = [weights[i, j] for i in range(n_query) for j in range(n_key) if j > i + offset]
    assert sum(beyond) == 0
    assert np.count_nonzero(weights) == weights.size - len(beyond)


def test_symmetric_scores_give_asymmetric_weights():
    weights = attend([[2.0, 1.0], [1.0, 0.0]], ONE_HOT, ONE_HOT, scale="none").weights
    np.testing.assert_allclose(weights, [[0.731059, 0.268941]] * 2, atol=5e-7)


def test_columns_of_the_weights_need_not_sum_to_one():
    scores = [[2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [2.0, 0.0, 1.0]]
    weights = attend(scores, np.eye(3), np.eye(3), scale="none").weights
    np.testing.assert_allclose(weights.sum(axis=0), [2.11747, 0.441266, 0.441266], atol=5e-6)


def test_permuting_the_tokens_permutes_the_outputs():
    x, _, _ = inputs(7, 7, 3, 3)
    order = np.array([3, 1, 6, 0, 2, 5, 4])
    np.testing.assert_allclose(attend(*[x[order]] * 3).output, attend(x, x, x).output[order], atol=1e-15)


def test_single_token_attends_to_itself():
    trace = attend([[3.0]], [[2.0]], [[5.0, 7.0]])
    np.testing.assert_array_equal(trace.weights, [[1.0]])
    np.testing.assert_array_equal(trace.output, [[5.0, 7.0]])


def test_negative_zero_never_comes_out():
    trace = attend([[-1.0, 0.0]], np.zeros((3, 2)), -np.zeros((3, 2)), scale=-1.0, allowed=np.zeros((1, 3), bool))
    for stage in (trace.scores, trace.scaled, trace.weights, trace.output):
        assert not np.signbit(stage).any()


def test_trace_is_frozen_and_its_arrays_are_read_only():
    q, k, v = inputs()
    trace = attend(q, k, v, allowed=causal_mask(5, 7), bias=np.zeros((5, 7)), sink=np.zeros(5))
    arrays = arrays_of(trace) + arrays_of(trace.options)
    assert len(arrays) == 16
    assert not any(array.flags.writeable for array in arrays)
    with pytest.raises(dataclasses.FrozenInstanceError):
        trace.scores = q
    assert not hasattr(trace, "__dict__")
    assert trace != attend(q, k, v)


def test_arguments_are_neither_changed_nor_shared():
    q, k, v = inputs()
    allowed = causal_mask(5, 7)
    before = [array.copy() for array in (q, k, v, allowed)]
    trace = attend(q, k, v, allowed=allowed)
    for array in (q, k, v, allowed):
        array[...] = 1
    np.testing.assert_array_equal(trace.q, before[0])
    np.testing.assert_array_equal(trace.v, before[2])
    np.testing.assert_array_equal(trace.options.allowed, before[3])


def test_read_only_input_is_not_copied():
    q, k, v = inputs()
    q.flags.writeable = False
    assert attend(q, k, v).q is q


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int64, np.uint8, bool])
def test_other_real_types_are_computed_in_float64(dtype):
    x = np.eye(3).astype(dtype)
    trace = attend(x, x, x)
    assert isinstance(trace, AttentionTrace)
    assert trace.output.dtype == trace.q.dtype == np.float64


def refuse(message, **change):
    arguments = {"q": np.ones((5, 3)), "k": np.ones((7, 3)), "v": np.ones((7, 2)), **change}
    with pytest.raises(ValueError, match=message):
        attend(arguments.pop("q"), arguments.pop("k"), arguments.pop("v"), **arguments)


@pytest.mark.parametrize("name", ["q", "k", "v"])
def test_input_that_is_not_a_finite_filled_matrix_of_reals_is_refused(name):
    good = {"q": np.ones((5, 3)), "k": np.ones((7, 3)), "v": np.ones((7, 2))}[name]
    for bad in (np.nan, np.inf, -np.inf):
        spoilt = good.copy()
        spoilt[1, 0] = bad
        refuse(rf"{name} must be finite, got {bad} at \(1, 0\)", **{name: spoilt})
    refuse(rf"{name} must not be empty, got shape \(0, 3\)", **{name: np.ones((0, 3))})
    refuse(rf"{name} must have at least 2 axes \(tokens, channels\), got shape \(3,\)", **{name: [1, 2, 3]})
    refuse(f"{name} must be a rectangular array of numbers, got rows of different lengths", **{name: [[1, 2], [3]]})
    refuse(f"{name} must hold real numbers, got complex128 elements", **{name: good + 1j})
    refuse(f"{name} must hold real numbers, got", **{name: [["a", "b", "c"]]})


def test_value_that_is_not_finite_is_refused_even_where_its_weight_is_zero():
    v = np.ones((7, 2))
    v[6, 1] = np.inf
    allowed = np.ones((5, 7), bool)
    allowed[:, 6] = False
    refuse(r"v must be finite, got inf at \(6, 1\)", v=v, allowed=allowed)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"k": np.ones((7, 4))}, r"q and k must have the same width d_k, got q \(5, 3\) and k \(7, 4\)"),
        ({"v": np.ones((6, 2))}, r"k and v must have the same number of rows n_key, got k \(7, 3\) and v \(6, 2\)"),
        ({"allowed": np.ones((7, 5), bool)}, r"mask must have shape \(5, 7\), got \(7, 5\)"),
        ({"allowed": np.ones((5, 7))}, r"mask must hold bool elements \(True = may attend\), got float64"),
        ({"bias": np.ones((7, 5))}, r"bias must have shape \(5, 7\), got \(7, 5\)"),
        ({"bias": np.full((5, 7), -np.inf)}, r"bias must be finite, got -inf at \(0, 0\)"),
        ({"q": np.ones((2, 5, 3)), "k": np.ones((3, 7, 3))}, r"leading axes must broadcast, got q \(2,\), k \(3,\), v"),
        ({"scale": "sqrt"}, "scale must be one of 'none', 'sqrt_d_k', 'd_k', got 'sqrt'"),
        ({"scale": math.nan}, "scale must be a finite number or one of 'none', 'sqrt_d_k', 'd_k', got nan"),
        ({"scale": True}, "scale must be a finite number or one of 'none', 'sqrt_d_k', 'd_k', got True"),
        ({"scale": None}, "scale must be a finite number or one of 'none', 'sqrt_d_k', 'd_k', got None"),
        ({"masking": "later"}, "masking must be one of 'before', .*, got 'later'"),
        ({"softmax": ["standard"]}, "softmax must be one of 'standard', 'plus_one', 'columns', got"),
        ({"sink": np.ones(4)}, r"sink must be one number or have shape \(5,\), got \(4,\)"),
        ({"sink": np.nan}, r"sink must be finite, got nan at \(\)"),
        ({"dropout": (np.ones((7, 5), bool), 0.1)}, r"dropout must have shape \(5, 7\), got \(7, 5\)"),
        ({"dropout": (np.ones((5, 7), bool), 1.0)}, "dropout rate must be at least 0 and below 1, got 1.0"),
        ({"soft_cap": 0}, "soft_cap must be a finite number above 0, got 0"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_in_one_sentence(change, message):
    refuse(message, **change)
