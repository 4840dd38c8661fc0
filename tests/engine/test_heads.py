"""Several heads: which channels and which key/value head each takes, projections, W_O, refusals."""

import dataclasses

import numpy as np
import pytest

from attnviz.engine import Rotary, attend, attend_heads, causal_mask, merge_heads, rotary, split_heads
from tests import reference


def layer(n_heads=3, n_kv_heads=3, d_model=5, d_context=7, d_k=2, d_v=3, seed=0):
    rng = np.random.default_rng(seed)
    return {
        "w_q": rng.normal(size=(d_model, n_heads * d_k)),
        "w_k": rng.normal(size=(d_context, n_kv_heads * d_k)),
        "w_v": rng.normal(size=(d_context, n_kv_heads * d_v)),
        "w_o": rng.normal(size=(n_heads * d_v, 11)),
        "b_q": rng.normal(size=n_heads * d_k),
        "b_k": rng.normal(size=n_kv_heads * d_k),
        "b_v": rng.normal(size=n_kv_heads * d_v),
        "b_o": rng.normal(size=11),
        "n_heads": n_heads,
        "n_kv_heads": n_kv_heads,
    }


def tokens(n=4, d=5, seed=1, leading=()):
    return np.random.default_rng(seed).normal(size=(*leading, n, d))


def test_head_takes_its_own_channels_of_every_token():
    heads = split_heads(np.arange(8).reshape(2, 4), 2)
    np.testing.assert_array_equal(heads[0], [[0, 1], [4, 5]])
    np.testing.assert_array_equal(heads[1], [[2, 3], [6, 7]])


def test_merging_undoes_splitting_over_leading_axes():
    x = tokens(5, 6, leading=(2, 3))
    assert split_heads(x, 3).shape == (2, 3, 3, 5, 2)
    np.testing.assert_array_equal(merge_heads(split_heads(x, 3)), x)


@pytest.mark.parametrize(("n_heads", "n_kv_heads"), [(1, 1), (3, 3), (4, 2), (14, 2), (6, 1)])
def test_cross_attention_equals_the_explicit_loops(n_heads, n_kv_heads):
    x, context = tokens(4, 5), tokens(6, 7, seed=2)
    weights = layer(n_heads, n_kv_heads)
    allowed = causal_mask(4, 6)
    joined = reference.multi_head(
        reference.project(x, weights["w_q"], weights["b_q"]),
        reference.project(context, weights["w_k"], weights["b_k"]),
        reference.project(context, weights["w_v"], weights["b_v"]),
        n_heads,
        n_kv_heads,
        allowed,
    )
    trace = attend_heads(x, context, allowed=allowed, **weights)
    np.testing.assert_allclose(trace.concatenated, joined, atol=1e-12)
    np.testing.assert_allclose(trace.output, reference.project(joined, weights["w_o"], weights["b_o"]), atol=1e-12)


def test_grouped_queries_share_neighbouring_heads():
    assert attend_heads(tokens(), tokens(6, 7), **layer(4, 2)).kv_head == (0, 0, 1, 1)


@pytest.mark.parametrize("head", range(14))
def test_every_one_of_14_heads_reads_the_right_one_of_2(head):
    x, weights = tokens(), layer(14, 2, d_context=5)
    group = 0 if head < 7 else 1
    q = reference.columns_of(reference.project(x, weights["w_q"], weights["b_q"]), 2 * head, 2 * head + 2)
    k = reference.columns_of(reference.project(x, weights["w_k"], weights["b_k"]), 2 * group, 2 * group + 2)
    v = reference.columns_of(reference.project(x, weights["w_v"], weights["b_v"]), 3 * group, 3 * group + 3)
    expected, output = reference.attention(q, k, v, 2**-0.5)
    trace = attend_heads(x, **weights)
    assert trace.kv_head[head] == group
    np.testing.assert_allclose(trace.heads.weights[head], expected, atol=1e-12)
    np.testing.assert_allclose(trace.heads.output[head], output, atol=1e-12)


def test_self_attention_without_w_o_gives_the_heads_side_by_side():
    x = tokens()
    weights = {name: matrix for name, matrix in layer(d_context=5).items() if name not in {"w_o", "b_o"}}
    trace = attend_heads(x, **weights)
    assert trace.context is trace.x
    assert trace.w_o is None
    np.testing.assert_array_equal(trace.output, merge_heads(trace.heads.output))
    np.testing.assert_array_equal(trace.contributions().sum(axis=0), trace.output)


def test_contributions_of_the_heads_and_the_bias_make_the_output():
    weights = layer(4, 2)
    trace = attend_heads(tokens(), tokens(6, 7), **weights)
    parts = trace.contributions()
    assert parts.shape == (4, 4, 11)
    np.testing.assert_allclose(parts.sum(axis=0) + weights["b_o"], trace.output, atol=1e-12)


def test_scale_uses_the_width_of_one_head():
    one = np.eye(64)
    trace = attend_heads(tokens(3, 64), w_q=one, w_k=one, w_v=one, n_heads=4)
    assert trace.heads.multiplier == 0.25


def test_averaged_heads_are_not_what_the_model_computes():
    heads = attend([[[100.0]], [[-100.0]]], [[1.0], [-1.0]], [[[1.0], [2.0]], [[10.0], [20.0]]])
    np.testing.assert_array_equal(heads.output[:, 0, 0], [1, 20])
    np.testing.assert_array_equal(heads.weights.mean(axis=0), [[0.5, 0.5]])


def test_batches_are_computed_one_by_one():
    x = tokens(leading=(2,))
    weights = layer(d_context=5)
    both = attend_heads(x, rotary=Rotary(positions=[[0, 1, 2, 3], [5, 6, 7, 8]]), **weights)
    second = attend_heads(x[1], rotary=[5, 6, 7, 8], **weights)
    assert both.heads.weights.shape == (2, 3, 4, 4)
    np.testing.assert_allclose(both.output[1], second.output, atol=1e-13)


def test_rotary_turns_queries_and_keys_of_every_head():
    x, weights = tokens(), layer(d_context=5)
    plain, turned = attend_heads(x, **weights), attend_heads(x, rotary=Rotary(pairing="interleaved"), **weights)
    expected = rotary(plain.heads.q[2], np.arange(4), pairing="interleaved")
    np.testing.assert_allclose(turned.heads.q[2], expected, atol=1e-14)
    np.testing.assert_array_equal(turned.heads.v, plain.heads.v)


@pytest.mark.parametrize("shift", [1, 100])
def test_shifting_all_positions_leaves_rotary_scores_alone(shift):
    x, weights = tokens(), layer(d_context=5)
    here = attend_heads(x, rotary=np.arange(4), **weights)
    there = attend_heads(x, rotary=np.arange(4) + shift, **weights)
    np.testing.assert_allclose(there.heads.scores, here.heads.scores, atol=1e-11)


def test_context_counts_its_own_positions_unless_they_are_given():
    x, context, weights = tokens(), tokens(6, 7), layer()
    counted = attend_heads(x, context, rotary=[2, 3, 4, 5], **weights)
    given = attend_heads(x, context, rotary=Rotary([2, 3, 4, 5], context_positions=np.arange(6)), **weights)
    np.testing.assert_array_equal(counted.output, given.output)


def test_sink_per_head_is_the_sink_of_all_its_rows():
    x, weights = tokens(), layer(d_context=5)
    sink = np.array([0.0, 1.0, 2.0])
    per_head = attend_heads(x, sink=sink, **weights)
    per_row = attend_heads(x, sink=np.repeat(sink[:, None], 4, axis=1), **weights)
    np.testing.assert_array_equal(per_head.heads.weights, per_row.heads.weights)
    assert (per_head.heads.weights.sum(axis=-1) < 1).all()


def test_trace_is_read_only():
    trace = attend_heads(tokens(), tokens(6, 7), **layer())
    values = [getattr(trace, field.name) for field in dataclasses.fields(trace)]
    arrays = [value for value in values if isinstance(value, np.ndarray)]
    assert len(arrays) == 8
    assert not any(array.flags.writeable for array in arrays)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": np.full((4, 5), np.nan)}, r"x must be finite, got nan at \(0, 0\)"),
        ({"context": np.ones((6, 8))}, r"w_k must have shape \(8, \.\.\.\), got \(7, 6\)"),
        ({"w_q": np.ones((2, 5, 6))}, r"w_q must have shape \(5, \.\.\.\), got \(2, 5, 6\)"),
        ({"b_v": np.ones(4)}, r"b_v must have shape \(9,\), got \(4,\)"),
        ({"n_heads": 0}, "n_heads must be at least 1, got 0"),
        ({"n_heads": 4}, "n_kv_heads must divide n_heads 4, got 3"),
        ({"n_heads": 5, "n_kv_heads": 5}, "w_q must have a number of columns that 5 heads divide, got 6"),
        ({"w_k": np.ones((7, 9)), "b_k": None}, "w_q and w_k must give heads of the same width d_k, got 2 and 3"),
        ({"w_o": None}, "b_o must be None without w_o, got a bias"),
        (
            {"w_o": np.full((9, 11), 1.7e308), "w_v": np.ones((7, 9)) * 9},
            "the product with w_o must stay below 1.8e308",
        ),
        ({"sink": [0.0, 1.0]}, r"sink must have one logit for each of 3 heads, got shape \(2,\)"),
        ({"rotary": [0, 1, 2]}, r"rotary positions must have shape \(4,\), got \(3,\)"),
        ({"rotary": Rotary(context_positions=3)}, r"rotary context_positions must have shape \(6,\), got \(\)"),
    ],
)
def test_layer_that_does_not_fit_is_refused_in_one_sentence(change, message):
    arguments = {"x": tokens(), "context": tokens(6, 7), **layer(), **change}
    with pytest.raises(ValueError, match=message):
        attend_heads(arguments.pop("x"), arguments.pop("context"), **arguments)


def test_splitting_and_merging_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="n_heads must divide the width 5, got 2"):
        split_heads(np.ones((3, 5)), 2)
    with pytest.raises(
        ValueError, match=r"x must have at least 3 axes \(heads, tokens, channels\), got shape \(3, 5\)"
    ):
        merge_heads(np.ones((3, 5)))
