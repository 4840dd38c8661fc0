"""The same attention by PyTorch, in float64, where it is installed; test_against_torch.py has a few of its answers."""

import numpy as np
import pytest

from attnviz.engine import attend, attend_heads, causal_mask, padding_mask

torch = pytest.importorskip(
    "torch",
    reason="PyTorch is larger than all else the tests need, so that only the extra 'torch' installs it; "
    ".ci/run does, and fails where these tests are skipped",
)


def normal(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def inputs(n_query=5, n_key=7, d_k=3, d_v=2):
    return normal(2, 3, n_query, d_k), normal(2, 3, n_key, d_k, seed=1), normal(2, 3, n_key, d_v, seed=2)


def by_torch(q, k, v, allowed=None, **options):
    mask = None if allowed is None else torch.tensor(allowed)
    tensors = (torch.tensor(array) for array in (q, k, v))
    return torch.nn.functional.scaled_dot_product_attention(*tensors, attn_mask=mask, **options).numpy()


def assert_same(got, expected):
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-12)


# The function


@pytest.mark.parametrize("sizes", [(5, 7, 3, 2), (7, 5, 2, 3), (1, 11, 13, 2), (1, 1, 1, 1)])
@pytest.mark.parametrize(("scale", "factor"), [("sqrt_d_k", None), ("none", 1.0), (-0.7, -0.7), (0.0, 0.0)])
def test_scale_agrees_at_every_shape(sizes, scale, factor):
    q, k, v = inputs(*sizes)
    assert_same(attend(q, k, v, scale=scale).output, by_torch(q, k, v, scale=factor))


def test_scale_by_the_width_agrees():
    q, k, v = inputs()
    assert_same(attend(q, k, v, scale="d_k").output, by_torch(q, k, v, scale=1 / 3))


def test_temperature_divides_the_scale():
    q, k, v = inputs()
    assert_same(attend(q, k, v, scale=0.6, temperature=0.5).output, by_torch(q, k, v, scale=1.2))


@pytest.mark.parametrize("leading", [(), (3,), (2, 1), (2, 3)])
def test_true_in_a_bool_mask_means_may_attend_in_both(leading):
    q, k, v = inputs()
    allowed = np.random.default_rng(3).random((*leading, 5, 7)) < 0.6
    allowed[..., 0] = True
    assert_same(attend(q, k, v, allowed=allowed).output, by_torch(q, k, v, allowed))


def test_row_without_a_visible_key_is_zero_in_both():
    q, k, v = inputs()
    allowed = np.random.default_rng(3).random((5, 7)) < 0.6
    allowed[2] = False
    trace, expected = attend(q, k, v, allowed=allowed), by_torch(q, k, v, allowed)
    assert_same(trace.output, expected)
    np.testing.assert_array_equal(trace.output[..., 2, :], 0)
    np.testing.assert_array_equal(expected[..., 2, :], 0)


def test_float_mask_is_the_bias():
    q, k, v = inputs()
    bias = normal(3, 5, 7, seed=4)
    assert_same(attend(q, k, v, bias=bias).output, by_torch(q, k, v, bias))


@pytest.mark.parametrize("align", ["bottom_right", "top_left"])
def test_causal_flag_agrees_where_there_are_as_many_queries_as_keys(align):
    q, k, v = inputs(7, 7)
    assert_same(attend(q, k, v, allowed=causal_mask(7, 7, align)).output, by_torch(q, k, v, is_causal=True))


@pytest.mark.parametrize(("n_heads", "n_kv_heads"), [(4, 2), (6, 3), (14, 2), (3, 1)])
@pytest.mark.parametrize("is_causal", [False, True])
def test_grouped_queries_agree(n_heads, n_kv_heads, is_causal):
    x, w_q = normal(2, 5, 7), normal(7, n_heads * 3, seed=1) / 7
    w_k, w_v = normal(7, n_kv_heads * 3, seed=2) / 7, normal(7, n_kv_heads * 2, seed=3) / 7
    heads = attend_heads(
        x,
        w_q=w_q,
        w_k=w_k,
        w_v=w_v,
        n_heads=n_heads,
        n_kv_heads=n_kv_heads,
        allowed=causal_mask(5, 5) if is_causal else None,
    ).heads
    split = ((x @ w).reshape(2, 5, -1, width).swapaxes(1, 2) for w, width in ((w_q, 3), (w_k, 3), (w_v, 2)))
    assert_same(heads.output, by_torch(*split, is_causal=is_causal, enable_gqa=True))


# The module, which multiplies columns from the left and bans where True


def module_of(n_heads, seed=0, **options):
    torch.manual_seed(seed)
    module = torch.nn.MultiheadAttention(12, n_heads, batch_first=True, dtype=torch.float64, **options)
    for parameter in module.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return module.eval()


def converted(module):
    """Its parameters as `attend_heads` takes them, for rows multiplied from the right."""
    given = {name: parameter.detach().numpy() for name, parameter in module.named_parameters()}
    weights = {"w_o": given["out_proj.weight"].T}
    if "in_proj_weight" in given:
        stacked = np.split(given["in_proj_weight"], 3)
        weights |= {name: rows.T for name, rows in zip(("w_q", "w_k", "w_v"), stacked, strict=True)}
    else:
        weights |= {f"w_{name}": given[f"{name}_proj_weight"].T for name in "qkv"}
    if "in_proj_bias" in given:
        weights |= dict(zip(("b_q", "b_k", "b_v"), np.split(given["in_proj_bias"], 3), strict=True))
        weights["b_o"] = given["out_proj.bias"]
    return weights


def check_module(module, x, context=None, allowed=None, **masks):
    trace = attend_heads(x, context, **converted(module), n_heads=module.num_heads, allowed=allowed)
    query = torch.tensor(x)
    source = query if context is None else torch.tensor(context)
    options = {name: torch.tensor(mask) for name, mask in masks.items()}
    with torch.no_grad():
        output, weights = module(query, source, source, need_weights=True, average_attn_weights=False, **options)
    assert_same(trace.heads.weights, weights.numpy())
    assert_same(trace.output, output.numpy())


@pytest.mark.parametrize("n_heads", [1, 3, 4])
@pytest.mark.parametrize("bias", [True, False])
def test_module_agrees_weights_and_output(n_heads, bias):
    check_module(module_of(n_heads, bias=bias), normal(2, 5, 12))


def test_cross_attention_to_another_width_agrees():
    module = module_of(3, kdim=7, vdim=7)
    check_module(module, normal(2, 5, 12), normal(2, 11, 7, seed=1))


def test_attn_mask_of_the_module_bans_where_true():
    allowed = causal_mask(5, 5)
    check_module(module_of(3), normal(2, 5, 12), allowed=allowed, attn_mask=~allowed)


def test_attn_mask_per_head_of_the_module_runs_through_the_heads_of_each_batch():
    allowed = np.random.default_rng(5).random((2, 3, 5, 7)) < 0.6
    allowed[..., 0] = True
    context = normal(2, 7, 12, seed=1)
    check_module(module_of(3), normal(2, 5, 12), context, allowed, attn_mask=~allowed.reshape(6, 5, 7))


def test_key_padding_mask_bans_columns_where_true():
    is_real = np.array([[True] * 5 + [False] * 2, [True] * 7])
    allowed = padding_mask(5, is_real)[:, np.newaxis]
    check_module(module_of(4), normal(2, 5, 12), normal(2, 7, 12, seed=1), allowed, key_padding_mask=~is_real)


def test_both_masks_of_the_module_together_are_one_mask_of_ours():
    is_real = np.array([[True] * 4 + [False], [True] * 5])
    allowed = padding_mask(5, is_real)[:, np.newaxis] & causal_mask(5, 5)
    banned = {"key_padding_mask": ~is_real, "attn_mask": ~causal_mask(5, 5)}
    check_module(module_of(4), normal(2, 5, 12), allowed=allowed, **banned)


def test_averaged_weights_of_the_module_are_the_mean_over_heads():
    module, x = module_of(3), normal(2, 5, 12)
    trace = attend_heads(x, **converted(module), n_heads=3)
    tensor = torch.tensor(x)
    with torch.no_grad():
        _, weights = module(tensor, tensor, tensor)
    assert_same(trace.heads.weights.mean(axis=1), weights.numpy())
