"""What holds for any finite input; test_every_configuration.py has the numbers themselves."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviz.engine import attend, softmax, stream

EPS = np.finfo(np.float64).eps
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
