"""The same attention by PyTorch, in float64, where PyTorch is installed."""

import numpy as np
import pytest

from attnviz.engine import attend, attend_heads, backward, causal_mask

torch = pytest.importorskip("torch")
functional = pytest.importorskip("torch.nn.functional")


def inputs(n_query=5, n_key=7, d_k=3, d_v=2, leading=(2, 3)):
    rng = np.random.default_rng(0)
    shapes = ((n_query, d_k), (n_key, d_k), (n_key, d_v))
    return tuple(rng.normal(size=(*leading, *shape)) for shape in shapes)


def attention_of_torch(q, k, v, **options):
    tensors = (torch.tensor(array) for array in (q, k, v))
    return functional.scaled_dot_product_attention(*tensors, **options).numpy()


@pytest.mark.parametrize(("scale", "factor"), [("sqrt_d_k", None), ("none", 1.0), (0.3, 0.3)])
def test_scale_agrees(scale, factor):
    q, k, v = inputs()
    expected = attention_of_torch(q, k, v, scale=factor)
    np.testing.assert_allclose(attend(q, k, v, scale=scale).output, expected, rtol=0, atol=1e-12)


def test_bool_mask_with_an_empty_row_agrees():
    q, k, v = inputs()
    allowed = np.random.default_rng(1).random((2, 1, 5, 7)) < 0.5
    allowed[0, 0, 2] = False
    expected = attention_of_torch(q, k, v, attn_mask=torch.tensor(allowed))
    np.testing.assert_allclose(attend(q, k, v, allowed=allowed).output, expected, rtol=0, atol=1e-12)


def test_bias_agrees_with_a_float_mask():
    q, k, v = inputs()
    bias = np.random.default_rng(1).normal(size=(5, 7))
    expected = attention_of_torch(q, k, v, attn_mask=torch.tensor(bias))
    np.testing.assert_allclose(attend(q, k, v, bias=bias).output, expected, rtol=0, atol=1e-12)


def test_causal_flag_is_the_top_left_alignment():
    q, k, v = inputs()
    output = attend(q, k, v, allowed=causal_mask(5, 7, "top_left")).output
    np.testing.assert_allclose(output, attention_of_torch(q, k, v, is_causal=True), rtol=0, atol=1e-12)


def test_grouped_queries_agree():
    rng = np.random.default_rng(2)
    x, w_q, w_k, w_v = (rng.normal(size=shape) for shape in ((5, 7), (7, 12), (7, 6), (7, 6)))
    heads = attend_heads(x, w_q=w_q, w_k=w_k, w_v=w_v, n_heads=4, n_kv_heads=2).heads
    grouped = ((x @ w).reshape(5, -1, 3).swapaxes(0, 1) for w in (w_q, w_k, w_v))
    expected = attention_of_torch(*grouped, enable_gqa=True)
    np.testing.assert_allclose(heads.output, expected, rtol=0, atol=1e-12)


def test_multi_head_module_agrees_weights_and_output():
    torch.manual_seed(0)
    module = torch.nn.MultiheadAttention(12, 3, batch_first=True, dtype=torch.float64)
    torch.nn.init.normal_(module.in_proj_bias)
    torch.nn.init.normal_(module.out_proj.bias)
    x = np.random.default_rng(3).normal(size=(1, 5, 12))
    allowed = causal_mask(5, 5)
    tensor = torch.tensor(x)
    with torch.no_grad():
        output, weights = module(tensor, tensor, tensor, attn_mask=torch.tensor(~allowed), average_attn_weights=False)
    w_q, w_k, w_v = module.in_proj_weight.detach().numpy().reshape(3, 12, 12).swapaxes(1, 2)
    b_q, b_k, b_v = module.in_proj_bias.detach().numpy().reshape(3, 12)
    trace = attend_heads(
        x,
        w_q=w_q,
        w_k=w_k,
        w_v=w_v,
        b_q=b_q,
        b_k=b_k,
        b_v=b_v,
        w_o=module.out_proj.weight.detach().numpy().T,
        b_o=module.out_proj.bias.detach().numpy(),
        n_heads=3,
        allowed=allowed,
    )
    np.testing.assert_allclose(trace.heads.weights, weights.numpy(), rtol=0, atol=1e-12)
    np.testing.assert_allclose(trace.output, output.numpy(), rtol=0, atol=1e-12)


def test_backward_agrees_with_automatic_differentiation():
    arrays = inputs()
    allowed = np.random.default_rng(1).random((5, 7)) < 0.6
    grad = np.random.default_rng(4).normal(size=(2, 3, 5, 2))
    tensors = [torch.tensor(array, requires_grad=True) for array in arrays]
    functional.scaled_dot_product_attention(*tensors, attn_mask=torch.tensor(allowed)).backward(torch.tensor(grad))
    gradients = backward(attend(*arrays, allowed=allowed), grad)
    for ours, theirs in zip((gradients.query, gradients.key, gradients.value), tensors, strict=True):
        np.testing.assert_allclose(ours, theirs.grad.numpy(), rtol=0, atol=1e-12)
