"""Attention written as explicit loops over Python floats: slow, obvious, and independent of the engine."""

import math
from collections.abc import Sequence

Matrix = Sequence[Sequence[float]]
Mask = Sequence[Sequence[bool]]


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    """Sum the products of two vectors, exactly rounded."""
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def softmax_row(logits: Sequence[float], extra: Sequence[float] = ()) -> list[float]:
    """exp(x - max) / sum; logits in `extra` take weight but are not returned; a row of -inf gives 0."""
    largest = max([*logits, *extra])
    if largest == -math.inf:
        return [0.0 for _ in logits]
    total = math.fsum(math.exp(x - largest) for x in [*logits, *extra])
    return [math.exp(x - largest) / total for x in logits]


def scores_of(q: Matrix, k: Matrix) -> list[list[float]]:
    """Dot product of every query with every key."""
    return [[dot(query, key) for key in k] for query in q]


def masked_logits(
    scores: Matrix, multiplier: float, allowed: Mask | None = None, bias: Matrix | None = None
) -> list[list[float]]:
    """score * multiplier + bias where a key may be seen, -inf elsewhere."""
    rows = []
    for i, row in enumerate(scores):
        logits = []
        for j, score in enumerate(row):
            logit = score * multiplier + (bias[i][j] if bias is not None else 0.0)
            logits.append(logit if allowed is None or allowed[i][j] else -math.inf)
        rows.append(logits)
    return rows


def mixture(weights: Matrix, v: Matrix) -> list[list[float]]:
    """Weighted sum of the value rows for every row of weights."""
    return [
        [math.fsum(w * value[c] for w, value in zip(row, v, strict=True)) for c in range(len(v[0]))] for row in weights
    ]


def attention(
    q: Matrix, k: Matrix, v: Matrix, multiplier: float, allowed: Mask | None = None, bias: Matrix | None = None
) -> tuple[list[list[float]], list[list[float]]]:
    """(weights, output) of scaled dot-product attention."""
    weights = [softmax_row(row) for row in masked_logits(scores_of(q, k), multiplier, allowed, bias)]
    return weights, mixture(weights, v)
