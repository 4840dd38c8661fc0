"""Records what PyTorch makes of a few inputs, for test_against_torch.py: python -m tests.engine.record_torch.

PyTorch is larger than everything else that the tests need, so it is asked once, and the tests read its answers.
"""

import json
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from tests.engine.test_against_torch import VALUES


def inputs() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {name: rng.normal(size=(2, 3, *shape)) for name, shape in (("q", (5, 3)), ("k", (7, 3)), ("v", (7, 2)))}


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, **options: object) -> np.ndarray:
    return functional.scaled_dot_product_attention(*(torch.tensor(array) for array in (q, k, v)), **options).numpy()


def record_scales() -> dict[str, object]:
    given = inputs()
    factors = {"sqrt_d_k": None, "none": 1.0, "0.3": 0.3}
    return {**given, "outputs": {name: attention(**given, scale=factor) for name, factor in factors.items()}}


def record_mask() -> dict[str, object]:
    given = inputs()
    allowed = np.random.default_rng(1).random((2, 1, 5, 7)) < 0.5
    allowed[0, 0, 2] = False
    return {**given, "allowed": allowed, "output": attention(**given, attn_mask=torch.tensor(allowed))}


def record_bias() -> dict[str, object]:
    given = inputs()
    bias = np.random.default_rng(1).normal(size=(5, 7))
    return {**given, "bias": bias, "output": attention(**given, attn_mask=torch.tensor(bias))}


def record_causal() -> dict[str, object]:
    given = inputs()
    return {**given, "output": attention(**given, mask="causal")}


def record_grouped() -> dict[str, object]:
    rng = np.random.default_rng(2)
    shapes = {"x": (5, 7), "w_q": (7, 12), "w_k": (7, 6), "w_v": (7, 6)}
    given = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    heads = ((given["x"] @ given[name]).reshape(5, -1, 3).swapaxes(0, 1) for name in ("w_q", "w_k", "w_v"))
    return {**given, "output": attention(*heads, enable_gqa=True)}


def record_module() -> dict[str, object]:
    torch.manual_seed(0)
    module = torch.nn.MultiheadAttention(12, 3, batch_first=True, dtype=torch.float64)
    torch.nn.init.normal_(module.in_proj_bias)
    torch.nn.init.normal_(module.out_proj.bias)
    x = np.random.default_rng(3).normal(size=(1, 5, 12))
    banned = torch.ones(5, 5, dtype=torch.bool).triu(1)
    tensor = torch.tensor(x)
    with torch.no_grad():
        output, weights = module(tensor, tensor, tensor, attn_mask=banned, average_attn_weights=False)
    w_q, w_k, w_v = module.in_proj_weight.detach().numpy().reshape(3, 12, 12).swapaxes(1, 2)
    b_q, b_k, b_v = module.in_proj_bias.detach().numpy().reshape(3, 12)
    w_o, b_o = module.out_proj.weight.detach().numpy().T, module.out_proj.bias.detach().numpy()
    given = {"w_q": w_q, "w_k": w_k, "w_v": w_v, "b_q": b_q, "b_k": b_k, "b_v": b_v, "w_o": w_o, "b_o": b_o}
    return {"x": x, "parameters": given, "weights": weights.numpy(), "output": output.numpy()}


def record_backward() -> dict[str, object]:
    given = inputs()
    allowed = np.random.default_rng(1).random((5, 7)) < 0.6
    grad = np.random.default_rng(4).normal(size=(2, 3, 5, 2))
    tensors = [torch.tensor(array, requires_grad=True) for array in given.values()]
    functional.scaled_dot_product_attention(*tensors, attn_mask=torch.tensor(allowed)).backward(torch.tensor(grad))
    gradients = {name: tensor.grad.numpy() for name, tensor in zip(("query", "key", "value"), tensors, strict=True)}
    return {**given, "allowed": allowed, "grad": grad, "gradients": gradients}


def main(path: Path = VALUES) -> None:
    recorded = {
        "scales": record_scales(),
        "mask": record_mask(),
        "bias": record_bias(),
        "causal": record_causal(),
        "grouped": record_grouped(),
        "module": record_module(),
        "backward": record_backward(),
    }
    lines = [f'"torch": {json.dumps(torch.__version__.partition("+")[0])}']
    lines += [f"{json.dumps(name)}: {json.dumps(case, default=np.ndarray.tolist)}" for name, case in recorded.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
