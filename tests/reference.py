"""Attention written as explicit loops over Python floats: slow, obvious, and independent of the engine."""

import math
from collections.abc import Sequence
from fractions import Fraction

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


def product(a: Matrix, b: Matrix) -> list[list[float]]:
    """Matrix product, entry by entry."""
    columns = list(zip(*b, strict=True))
    return [[dot(row, column) for column in columns] for row in a]


def project(rows: Matrix, matrix: Matrix, bias: Sequence[float] | None = None) -> list[list[float]]:
    """Rows times matrix, plus a bias in every row."""
    shift = [0.0] * len(matrix[0]) if bias is None else bias
    return [[entry + add for entry, add in zip(row, shift, strict=True)] for row in product(rows, matrix)]


def columns_of(rows: Matrix, first: int, last: int) -> list[list[float]]:
    """Channels first ... last - 1 of every row."""
    return [list(row[first:last]) for row in rows]


def multi_head(
    q: Matrix, k: Matrix, v: Matrix, n_heads: int, n_kv_heads: int, allowed: Mask | None = None
) -> list[list[float]]:
    """Attention head by head on projected rows, outputs side by side; 1/sqrt of the width of one head."""
    d_k, d_v = len(q[0]) // n_heads, len(v[0]) // n_kv_heads
    joined: list[list[float]] = [[] for _ in q]
    for head in range(n_heads):
        group = head // (n_heads // n_kv_heads)
        _, output = attention(
            columns_of(q, head * d_k, (head + 1) * d_k),
            columns_of(k, group * d_k, (group + 1) * d_k),
            columns_of(v, group * d_v, (group + 1) * d_v),
            1 / math.sqrt(d_k),
            allowed,
        )
        for row, part in zip(joined, output, strict=True):
            row.extend(part)
    return joined


def rotate(row: Sequence[float], position: float, base: float, pairs: Sequence[tuple[int, int]]) -> list[float]:
    """Turn each pair of channels of one row by position * base^(-2i/width), i the number of the pair."""
    turned = list(row)
    for i, (first, second) in enumerate(pairs):
        angle = position * base ** (-i / len(pairs))
        turned[first] = row[first] * math.cos(angle) - row[second] * math.sin(angle)
        turned[second] = row[first] * math.sin(angle) + row[second] * math.cos(angle)
    return turned


def pairs_of(width: int, pairing: str) -> list[tuple[int, int]]:
    """Which channels turn together: neighbours, or the same place in both halves."""
    if pairing == "interleaved":
        return [(2 * i, 2 * i + 1) for i in range(width // 2)]
    return [(i, i + width // 2) for i in range(width // 2)]


def sinusoid(position: float, channel: int, d: int, base: float = 10000.0) -> float:
    """One entry of the sinusoidal encoding."""
    angle = position / base ** (2 * (channel // 2) / d)
    return math.sin(angle) if channel % 2 == 0 else math.cos(angle)


def banned_logit(logit: float, masking: str) -> float:
    """What a masking method puts in place of the logit of a banned cell."""
    replacements = {
        "before": -math.inf,
        "add_large_negative": logit + -1e9,
        "fill_large_negative": -1e9,
        "multiply_zero": 0.0,
        "after": logit,
        "after_renormalised": logit,
    }
    return replacements[masking]


def weights_of(
    logits: Matrix, allowed: Mask, masking: str, softmax: str, sink: Sequence[float] | None = None
) -> list[list[float]]:
    """Weights under any masking method and softmax variant, from scaled scores plus bias."""
    masked = [
        [logit if seen else banned_logit(logit, masking) for logit, seen in zip(row, mask, strict=True)]
        for row, mask in zip(logits, allowed, strict=True)
    ]
    if softmax == "columns":
        columns = [softmax_row(column) for column in zip(*masked, strict=True)]
        weights = [list(row) for row in zip(*columns, strict=True)]
    else:
        one = [0.0] if softmax == "plus_one" else []
        weights = [softmax_row(row, one + ([] if sink is None else [sink[i]])) for i, row in enumerate(masked)]
    before = [math.fsum(row) for row in weights]
    if masking in {"after", "after_renormalised"}:
        weights = [
            [weight if seen else 0.0 for weight, seen in zip(row, mask, strict=True)]
            for row, mask in zip(weights, allowed, strict=True)
        ]
    if masking == "after_renormalised":
        left = [math.fsum(row) or 1.0 for row in weights]
        weights = [[weight * s / k for weight in row] for row, s, k in zip(weights, before, left, strict=True)]
    return weights


def scale_factor(scale: str | float, d_k: int) -> float:
    """What the scores are multiplied by, before the temperature divides them."""
    return {"none": 1.0, "sqrt_d_k": 1 / math.sqrt(d_k), "d_k": 1 / d_k}[scale] if isinstance(scale, str) else scale


def capped(logits: Matrix, cap: float) -> list[list[float]]:
    """cap * tanh(logit / cap)."""
    return [[cap * math.tanh(logit / cap) for logit in row] for row in logits]


def total(first: Matrix, second: Matrix) -> list[list[float]]:
    """Sum of two matrices, entry by entry."""
    return [[a + b for a, b in zip(row, more, strict=True)] for row, more in zip(first, second, strict=True)]


def dropped(weights: Matrix, keep: Mask, rate: float) -> list[list[float]]:
    """0 where a weight is not kept, weight / (1 - rate) where it is."""
    return [
        [weight / (1 - rate) if kept else 0.0 for weight, kept in zip(row, mask, strict=True)]
        for row, mask in zip(weights, keep, strict=True)
    ]


def sees(
    mask: str,
    i: int,
    j: int,
    *,
    n_query: int,
    n_key: int,
    align: str,
    width: int,
    prefix: int,
    size: int,
    is_real: Sequence[bool],
) -> bool:
    """Whether query i may attend to key j; its own key is number `place`."""
    place = i if align == "top_left" else i + n_key - n_query
    rules = {
        "none": True,
        "causal": j <= place,
        "window": abs(place - j) < width,
        "causal_window": 0 <= place - j < width,
        "prefix": j < prefix or j <= place,
        "block": j // size == place // size,
        "padding": bool(is_real[j]),
    }
    return rules[mask]


def alibi_slope(head: int, n_heads: int) -> float:
    """2^(-8/n), 2^(-16/n), ... for n a power of two; what is over takes every other one of the next power of two."""
    power = 1
    while 2 * power <= n_heads:
        power *= 2
    if head < power:
        return 2 ** (-8 * (head + 1) / power)
    return 2 ** (-8 * (2 * (head - power) + 1) / (2 * power))


def bucket(ahead: float, n_buckets: int, max_distance: int, is_bidirectional: bool) -> int:
    """Bucket of a key that stands `ahead` places after the query, compared by exact powers instead of logarithms.

    With e near buckets and m far ones, far bucket number b begins at e * (max_distance / e)^(b / m).
    """
    one_side = n_buckets // 2 if is_bidirectional else n_buckets
    first = one_side if is_bidirectional and ahead > 0 else 0
    distance = Fraction(abs(ahead)) if is_bidirectional or ahead < 0 else Fraction(0)
    near = one_side // 2
    if distance < near:
        return first + math.floor(distance)
    far = one_side - near
    begun = [b for b in range(far) if (distance / near) ** far >= Fraction(max_distance, near) ** b]
    return first + near + max(begun)
