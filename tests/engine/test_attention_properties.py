"""Random attention, every registry crossed, against the explicit loops; and what holds for all of it."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviz.engine import (
    MASKING_METHODS,
    MASKS,
    SCALE_RULES,
    SOFTMAX_VARIANTS,
    MaskRequest,
    attend,
    softmax,
    stream,
)
from tests import reference

SIZES = (1, 2, 3, 5, 7, 11, 13)
EPS = np.finfo(np.float64).eps


@st.composite
def configurations(draw):
    n_query, n_key, d_k, d_v = (draw(st.sampled_from(SIZES)) for _ in range(4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    softmax_name = draw(st.sampled_from(sorted(SOFTMAX_VARIANTS)))
    request = MaskRequest(
        n_query,
        n_key,
        align=draw(st.sampled_from(["bottom_right", "top_left"])),
        width=draw(st.sampled_from(SIZES)),
        prefix=draw(st.sampled_from(SIZES)),
        size=draw(st.sampled_from(SIZES)),
        is_real=rng.random(n_key) < 0.7,
    )
    return {
        "q": rng.normal(size=(n_query, d_k)),
        "k": rng.normal(size=(n_key, d_k)),
        "v": rng.normal(size=(n_key, d_v)),
        "scale": draw(st.sampled_from([*SCALE_RULES, 0.0, -0.7, 3.0])),
        "temperature": draw(st.sampled_from([0.05, 0.3, 1.0, 7.0])),
        "allowed": MASKS[draw(st.sampled_from(sorted(MASKS)))].function(request),
        "bias": rng.normal(size=(n_query, n_key)) if draw(st.booleans()) else None,
        "masking": draw(st.sampled_from(sorted(MASKING_METHODS))),
        "softmax": softmax_name,
        "sink": rng.normal(size=n_query) if softmax_name != "columns" and draw(st.booleans()) else None,
        "soft_cap": draw(st.sampled_from([None, 2.0])),
    }


def attended(configuration):
    options = dict(configuration)
    return attend(options.pop("q"), options.pop("k"), options.pop("v"), **options)


def check_against_the_loops(configuration):
    trace = attended(configuration)
    d_k = configuration["q"].shape[1]
    rules = {"none": 1.0, "sqrt_d_k": 1 / math.sqrt(d_k), "d_k": 1 / d_k}
    multiplier = rules.get(configuration["scale"], configuration["scale"]) / configuration["temperature"]
    logits = reference.masked_logits(reference.scores_of(configuration["q"], configuration["k"]), multiplier)
    cap, bias = configuration["soft_cap"], configuration["bias"]
    if cap is not None:
        logits = [[cap * math.tanh(logit / cap) for logit in row] for row in logits]
    if bias is not None:
        logits = [
            [logit + more for logit, more in zip(row, add, strict=True)] for row, add in zip(logits, bias, strict=True)
        ]
    weights = reference.weights_of(
        logits, configuration["allowed"], configuration["masking"], configuration["softmax"], configuration["sink"]
    )
    # Where -1e9 was added, the logits themselves are only known to 1e-7.
    tolerance = 1e-6 if configuration["masking"] == "add_large_negative" and trace.empty_rows.any() else 1e-12
    np.testing.assert_allclose(trace.weights, weights, rtol=0, atol=tolerance)
    np.testing.assert_allclose(
        trace.output, reference.mixture(weights, configuration["v"]), rtol=0, atol=10 * tolerance
    )
    check_row_sums(trace, configuration)


def check_row_sums(trace, configuration):
    sums = trace.weights.sum(axis=-1)
    if (
        configuration["masking"] == "before"
        and configuration["softmax"] == "standard"
        and configuration["sink"] is None
    ):
        np.testing.assert_allclose(sums[~trace.empty_rows], 1, rtol=0, atol=4 * EPS)
        np.testing.assert_array_equal(trace.weights[trace.empty_rows], 0)
        np.testing.assert_array_equal(trace.output[trace.empty_rows], 0)
    np.testing.assert_array_equal(trace.empty_rows, [not any(row) for row in configuration["allowed"]])


@settings(deadline=None, max_examples=100)
@given(configurations())
def test_every_configuration_equals_the_explicit_loops(configuration):
    check_against_the_loops(configuration)


@pytest.mark.long
@settings(deadline=None, max_examples=10_000)
@given(configurations())
def test_ten_thousand_configurations_equal_the_explicit_loops(configuration):
    check_against_the_loops(configuration)


ANY_FLOAT = st.floats(allow_nan=False, allow_infinity=False)
ANY_TEMPERATURE = st.floats(min_value=0, exclude_min=True, allow_nan=False, allow_infinity=False)


@settings(deadline=None, max_examples=200)
@given(
    st.lists(ANY_FLOAT, min_size=1, max_size=7),
    ANY_TEMPERATURE,
    ANY_FLOAT,
    st.lists(st.booleans(), min_size=7, max_size=7),
    st.lists(ANY_FLOAT, min_size=7, max_size=7),
)
def test_no_finite_input_gives_a_warning_or_anything_not_finite(scores, temperature, scale, visible, bias):
    k = np.transpose([scores])
    allowed, shift = [visible[: len(scores)]], [bias[: len(scores)]]
    trace = attend([[1.0]], k, k, scale=scale, temperature=temperature, allowed=allowed, bias=shift)
    for stage in (trace.scaled, trace.row_max, trace.exponentials, trace.normaliser, trace.weights, trace.output):
        assert np.isfinite(stage).all()
    assert math.isfinite(trace.multiplier)
    assert abs(trace.weights.sum() - any(allowed[0])) <= 8 * EPS
    np.testing.assert_array_equal(trace.scaled, trace.scores * trace.multiplier)


@settings(deadline=None, max_examples=100)
@given(st.lists(ANY_FLOAT, min_size=1, max_size=7), ANY_TEMPERATURE, ANY_FLOAT, st.integers(-8, 8))
def test_streaming_any_finite_input_agrees_with_attend(scores, temperature, scale, offset):
    k = np.transpose([scores])
    n = len(scores)
    allowed = np.tri(1, n, offset, dtype=bool)
    eager = attend([[1.0]], k, k, scale=scale, temperature=temperature, allowed=allowed)
    lazy = stream([[1.0]], k, k, scale=scale, temperature=temperature, causal_offset=offset)
    assert lazy.multiplier == eager.multiplier
    np.testing.assert_allclose(lazy.cells("weights", [0], np.arange(n)), eager.weights, rtol=0, atol=1e-12)
    np.testing.assert_allclose(lazy.output, eager.output, rtol=1e-12, atol=1e-12 * max(map(abs, scores)) + 1e-320)


@settings(deadline=None, max_examples=100)
@given(st.lists(ANY_FLOAT, min_size=1, max_size=9))
def test_softmax_of_any_finite_logits_sums_to_one_and_keeps_their_order(logits):
    weights = softmax(logits)
    assert abs(weights.sum() - 1) <= 4 * EPS
    order = np.argsort(logits)
    assert (np.diff(weights[order]) >= 0).all()
