"""Streamed attention equals the eager computation, cell by cell, without ever holding the matrix."""

import dataclasses

import numpy as np
import pytest

from attnviz.engine import attend, causal_mask, stream
from tests import reference

STAGES = ("scores", "scaled", "masked", "exponentials", "weights")


def inputs(n_query=41, n_key=53, d_k=5, d_v=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_query, d_k)), rng.normal(size=(n_key, d_k)), rng.normal(size=(n_key, d_v))


def assert_same(streamed, trace):
    n_query, n_key = trace.weights.shape
    for stage in STAGES:
        cells = streamed.cells(stage, np.arange(n_query), np.arange(n_key))
        np.testing.assert_allclose(cells, getattr(trace, stage), rtol=1e-12, atol=1e-12, err_msg=stage)
    for name in ("row_max", "normaliser", "output", "empty_rows", "multiplier"):
        np.testing.assert_allclose(getattr(streamed, name), getattr(trace, name), rtol=1e-12, atol=1e-12, err_msg=name)
    np.testing.assert_allclose(streamed.score_range, (trace.scores.min(), trace.scores.max()), rtol=1e-12)
    np.testing.assert_allclose(streamed.scaled_range, (trace.scaled.min(), trace.scaled.max()), rtol=1e-12)


@pytest.mark.parametrize("block", [1, 7, 32, 100])
@pytest.mark.parametrize("temperature", [0.001, 1.0, 50.0])
def test_stream_equals_attend_at_every_block_size(block, temperature):
    q, k, v = inputs()
    assert_same(stream(q, k, v, temperature=temperature, block=block), attend(q, k, v, temperature=temperature))


@pytest.mark.parametrize(("n_query", "n_key"), [(41, 53), (53, 41), (1, 7), (97, 2)])
@pytest.mark.parametrize("align", ["bottom_right", "top_left"])
@pytest.mark.parametrize("temperature", [0.001, 1.0])
def test_causal_offset_equals_the_causal_mask(n_query, n_key, align, temperature):
    q, k, v = inputs(n_query, n_key)
    offset = n_key - n_query if align == "bottom_right" else 0
    mask = causal_mask(n_query, n_key, align)
    streamed = stream(q, k, v, causal_offset=offset, temperature=temperature)
    assert_same(streamed, attend(q, k, v, allowed=mask, temperature=temperature))
    np.testing.assert_array_equal(streamed.visible(np.arange(n_query), np.arange(n_key)), mask)


@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 1.0])
def test_bool_mask_equals_attend(share):
    q, k, v = inputs()
    mask = np.random.default_rng(3).random((41, 53)) < share
    assert_same(stream(q, k, v, allowed=mask), attend(q, k, v, allowed=mask))


def test_mask_and_causal_offset_must_both_hold():
    q, k, v = inputs()
    mask = np.random.default_rng(3).random((41, 53)) < 0.5
    both = mask & causal_mask(41, 53, "top_left")
    assert_same(stream(q, k, v, allowed=mask, causal_offset=0), attend(q, k, v, allowed=both))


@pytest.mark.parametrize("scale", [-0.5, 0.0, "none", "d_k"])
def test_every_scale_equals_attend(scale):
    q, k, v = inputs()
    assert_same(stream(q, k, v, scale=scale), attend(q, k, v, scale=scale))


def test_stream_equals_the_explicit_loops():
    q, k, v = inputs(11, 13)
    weights, output = reference.attention(q, k, v, 5**-0.5)
    streamed = stream(q, k, v, block=4)
    np.testing.assert_allclose(streamed.cells("weights", np.arange(11), np.arange(13)), weights, atol=1e-13)
    np.testing.assert_allclose(streamed.output, output, atol=1e-13)


def test_cells_follow_the_order_asked_for():
    q, k, v = inputs()
    weights = attend(q, k, v).weights
    cells = stream(q, k, v).cells("weights", [40, 0, 7], [52, 3])
    np.testing.assert_allclose(cells, weights[[[40], [0], [7]], [52, 3]], atol=1e-14)


def test_no_cells_asked_for_gives_an_empty_array():
    assert stream(*inputs()).cells("weights", [], [1, 2]).shape == (0, 2)


def test_winner_takes_all_at_a_tiny_temperature():
    q, k, v = inputs(200, 300, d_k=2)
    streamed = stream(q, k, v, temperature=1e-300)
    weights = streamed.cells("weights", np.arange(200), np.arange(300))
    best = np.argmax(q @ k.T, axis=1)
    np.testing.assert_array_equal(weights, np.arange(300) == best[:, np.newaxis])
    np.testing.assert_array_equal(streamed.output, v[best])


@pytest.mark.parametrize("d", [5, 33])
def test_cells_at_a_tiny_temperature_agree_with_the_row_maxima_in_any_part(d):
    q, _, v = inputs(600, 800, d_k=d)
    k = np.random.default_rng(4).normal(size=(2, d)).repeat(400, axis=0)
    streamed = stream(q, k, v, temperature=1e-300)
    rows, columns = np.arange(0, 600, 7), np.arange(0, 800, 5)
    best = (q[rows] @ k[[0, 400]].T).argmax(axis=1)
    expected = (columns // 400 == best[:, np.newaxis]) / 400
    np.testing.assert_array_equal(streamed.cells("weights", rows, columns), expected)


def test_multiplier_that_would_overflow_is_lowered_as_in_attend():
    q, k, v = inputs(5, 7)
    assert (
        stream(q * 1e10, k, v, temperature=1e-300).multiplier == attend(q * 1e10, k, v, temperature=1e-300).multiplier
    )


def test_enormous_values_do_not_overflow():
    output = stream(np.ones((3, 2)), np.ones((7, 2)), np.full((7, 2), 1.7e308)).output
    np.testing.assert_allclose(output, 1.7e308, rtol=1e-12)


def test_negative_zero_never_comes_out():
    zeros = np.zeros((3, 2))
    streamed = stream(-zeros, np.ones((3, 2)), -zeros, scale=-1.0)
    printed = [streamed.cells(stage, [0, 1, 2], [0, 1, 2]) for stage in STAGES]
    for array in (*printed, streamed.output, np.array(streamed.score_range + streamed.scaled_range)):
        assert not np.signbit(array).any()


def test_record_holds_no_square_array_and_is_read_only():
    streamed = stream(*inputs(), causal_offset=12)
    arrays = [getattr(streamed, field.name) for field in dataclasses.fields(streamed)]
    arrays = [array for array in arrays if isinstance(array, np.ndarray)]
    assert all(array.size < 41 * 53 for array in arrays)
    assert not any(array.flags.writeable for array in arrays)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"q": np.ones((2, 3, 5))}, r"q must have 2 axes \(tokens, channels\), got shape \(2, 3, 5\)"),
        ({"v": np.full((53, 3), np.nan)}, r"v must be finite, got nan at \(0, 0\)"),
        ({"k": np.ones((53, 4))}, r"q and k must have the same width d_k, got q \(41, 5\) and k \(53, 4\)"),
        ({"allowed": np.ones((53, 41), bool)}, r"mask must have shape \(41, 53\), got \(53, 41\)"),
        ({"block": 0}, "block must be at least 1, got 0"),
        ({"q": np.full((41, 5), 1e308), "k": np.full((53, 5), 1e308)}, "got a product that overflows"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(change, message):
    q, k, v = inputs()
    arguments = {"q": q, "k": k, "v": v, **change}
    with pytest.raises(ValueError, match=message):
        stream(arguments.pop("q"), arguments.pop("k"), arguments.pop("v"), **arguments)


@pytest.mark.parametrize(
    ("stage", "rows", "columns", "message"),
    [
        ("weight", [0], [0], "stage must be one of 'scores', .* got 'weight'"),
        ("weights", [41], [0], "rows must lie between 0 and 40, got 41 to 41"),
        ("weights", [0], [-1], "columns must lie between 0 and 52, got -1 to -1"),
        ("weights", [0.5], [0], "rows must be a list of whole numbers, got float64"),
    ],
)
def test_bad_request_for_cells_is_refused(stage, rows, columns, message):
    with pytest.raises(ValueError, match=message):
        stream(*inputs()).cells(stage, rows, columns)
