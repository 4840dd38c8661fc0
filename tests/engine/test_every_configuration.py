"""Random layers of attention, all registries crossed, against the explicit loops; and what their rows sum to."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviz.engine import (
    ALIGNMENTS,
    MASKING_METHODS,
    MASKS,
    PAIRINGS,
    POSITIONAL_ENCODINGS,
    SCALE_RULES,
    SOFTMAX_VARIANTS,
    HeadsTrace,
    MaskRequest,
    PositionRequest,
    attend_heads,
)
from tests import reference

SIZES = (1, 2, 3, 5, 7, 11, 13, 17)
SMALL = (1, 2, 3, 5, 7)
EPS = np.finfo(np.float64).eps
TOLERANCE = 1e-12
SEEDS = st.integers(0, 2**32 - 1)


@dataclass(frozen=True)
class Layer:
    """One configuration; arrays are lists, None is what is left out."""

    x: list
    context: list | None
    projections: dict
    n_heads: int
    n_kv_heads: int
    encoding: str
    positions: dict
    mask: str | None
    mask_settings: dict
    banned: list | None
    bias: list | None
    sink: list | float | None
    dropout: tuple | None
    choices: dict

    @property
    def n_query(self) -> int:
        return len(self.x)

    @property
    def n_key(self) -> int:
        return len(self.x if self.context is None else self.context)


def one_of(rng: np.random.Generator, choices: Iterable) -> Any:
    among = list(choices)
    return among[rng.integers(len(among))]


def maybe(rng: np.random.Generator) -> bool:
    return bool(rng.random() < 0.5)


def random_layer(seed: int) -> Layer:
    """Draw everything from one seed: drawn by Hypothesis, the choices come in clusters, and many pairs never.

    Vectors, queries and keys are near 1, so that no logit is 700 below another, where the engine takes exp as 0.
    """
    rng = np.random.default_rng(seed)
    n_query, n_key, d_model, d_context, d_k, d_v, d_out = map(int, rng.permutation(SIZES)[:7])
    encoding = one_of(rng, POSITIONAL_ENCODINGS)
    is_self = maybe(rng)
    if is_self:
        n_key, d_context = n_query, d_model
    elif encoding == "learned":
        d_context = d_model
    n_heads = one_of(rng, (1, 2, 3, 4, 6))
    n_kv_heads = one_of(rng, [count for count in range(1, n_heads + 1) if n_heads % count == 0])
    if encoding == "rotary" and (d_k == 1 or maybe(rng)):
        d_k *= 2
    softmax = one_of(rng, SOFTMAX_VARIANTS)
    cells = (n_heads, n_query, n_key)

    def optional(shape: tuple[int, ...]) -> Any:
        return rng.normal(size=shape).tolist() if maybe(rng) else None

    return Layer(
        x=(0.7 * rng.normal(size=(n_query, d_model))).tolist(),
        context=None if is_self else (0.7 * rng.normal(size=(n_key, d_context))).tolist(),
        projections=projections(rng, (d_model, d_context), (n_heads, n_kv_heads), (d_k, d_v, d_out)),
        n_heads=n_heads,
        n_kv_heads=n_kv_heads,
        encoding=encoding,
        positions=positions(rng, encoding, (n_query, None if is_self else n_key), d_model, n_heads, d_k),
        mask=one_of(rng, (None, *MASKS)),
        mask_settings={
            "align": one_of(rng, ALIGNMENTS),
            "width": one_of(rng, SMALL),
            "prefix": one_of(rng, SMALL),
            "size": one_of(rng, SMALL),
            "is_real": (rng.random(n_key) < 0.7).tolist(),
        },
        banned=(rng.random(cells) < 0.2).tolist() if maybe(rng) else None,
        bias=optional(one_of(rng, (cells, cells[1:]))),
        sink=None if softmax == "columns" else optional(one_of(rng, ((), cells[:1], cells[:2]))),
        dropout=((rng.random(cells) < 0.7).tolist(), one_of(rng, (0.0, 0.1, 0.5))) if maybe(rng) else None,
        choices={
            "scale": one_of(rng, (*SCALE_RULES, 0.0, -0.7, 2.0)),
            "temperature": one_of(rng, (0.3, 0.7, 1.0, 7.0)),
            "soft_cap": one_of(rng, (None, 2.0)),
            "masking": one_of(rng, MASKING_METHODS),
            "softmax": softmax,
        },
    )


def projections(rng, widths, heads, sizes):
    """Draw matrices that keep the size of numbers, and biases or none."""
    (d_model, d_context), (n_heads, n_kv_heads), (d_k, d_v, d_out) = widths, heads, sizes
    shapes = {
        "q": (d_model, n_heads * d_k),
        "k": (d_context, n_kv_heads * d_k),
        "v": (d_context, n_kv_heads * d_v),
        "o": (n_heads * d_v, d_out),
    }
    if maybe(rng):
        del shapes["o"]
    drawn = {f"w_{name}": rng.normal(size=shape) / math.sqrt(shape[0]) for name, shape in shapes.items()}
    drawn |= {f"b_{name}": 0.5 * rng.normal(size=shape[1]) for name, shape in shapes.items() if maybe(rng)}
    return {name: array.tolist() for name, array in drawn.items()}


def positions(rng, encoding, lengths, d_model, n_heads, d_k):
    """Draw where queries and keys stand (between whole numbers too, if that is allowed), and what encodings ask."""
    places, step = (40, 1.0) if encoding == "learned" else (300, 0.5)
    query, key = (None if n is None else (step * rng.integers(0, places, n)).tolist() for n in lengths)
    n_buckets, max_distance = one_of(rng, ((4, 5), (4, 18), (6, 40), (8, 9), (16, 32), (32, 128)))
    tables = {"learned": (places, d_model), "relative": (n_heads, n_buckets)}
    return {
        "positions": query,
        "context_positions": query if key is None else key,
        "base": one_of(rng, (10.0, 10000.0, 500000.0)),
        "pairing": one_of(rng, PAIRINGS),
        "width": one_of(rng, [*range(2, d_k + 1, 2), *([] if d_k % 2 else [None])] or [None]),
        "table": (0.7 * rng.normal(size=tables[encoding])).tolist() if encoding in tables else None,
        "max_distance": max_distance,
        "is_bidirectional": maybe(rng),
    }


# By the engine


def attended(layer: Layer) -> HeadsTrace:
    x, context = np.array(layer.x), None if layer.context is None else np.array(layer.context)
    widths = {"d_model": x.shape[1], "d_context": (x if context is None else context).shape[1]}
    effect = POSITIONAL_ENCODINGS[layer.encoding].function(
        PositionRequest(**layer.positions, **widths, n_heads=layer.n_heads)
    )
    if effect.added is not None:
        x = x + effect.added
        context = None if context is None else context + effect.context_added
    biases = [np.array(bias) for bias in (effect.bias, layer.bias) if bias is not None]
    return attend_heads(
        x,
        context,
        **layer.projections,
        n_heads=layer.n_heads,
        n_kv_heads=layer.n_kv_heads,
        rotary=effect.rotary,
        allowed=allowed_by_engine(layer),
        bias=sum(biases) if biases else None,
        sink=layer.sink,
        dropout=layer.dropout,
        **layer.choices,
    )


def allowed_by_engine(layer: Layer) -> np.ndarray | None:
    painted = None if layer.banned is None else ~np.array(layer.banned)
    if layer.mask is None:
        return painted
    allowed = MASKS[layer.mask].function(MaskRequest(layer.n_query, layer.n_key, **layer.mask_settings))
    return allowed if painted is None else allowed & painted


# By the loops


def placed(layer: Layer, rows: list, places: list) -> list:
    """Rows plus the vectors of their positions, if the encoding adds any."""
    d, base, table = len(rows[0]), layer.positions["base"], layer.positions["table"]
    if layer.encoding == "sinusoidal":
        return reference.total(
            rows, [[reference.sinusoid(p, channel, d, base) for channel in range(d)] for p in places]
        )
    if layer.encoding == "learned":
        return reference.total(rows, [table[int(p)] for p in places])
    return rows


def turned(layer: Layer, rows: list, places: list) -> list:
    """Rows of one head, turned if the encoding turns."""
    if layer.encoding != "rotary":
        return rows
    pairs = reference.pairs_of(layer.positions["width"] or len(rows[0]), layer.positions["pairing"])
    return [reference.rotate(row, p, layer.positions["base"], pairs) for row, p in zip(rows, places, strict=True)]


def position_bias(layer: Layer, head: int, query: float, key: float) -> float:
    """What the encoding adds to the logit of a query and a key at two positions."""
    if layer.encoding == "alibi":
        return -reference.alibi_slope(head, layer.n_heads) * abs(query - key)
    if layer.encoding == "relative":
        row = layer.positions["table"][head]
        settings = layer.positions["max_distance"], layer.positions["is_bidirectional"]
        return row[reference.bucket(key - query, len(row), *settings)]
    return 0.0


def allowed_in(layer: Layer, head: int) -> list[list[bool]]:
    sizes = {"n_query": layer.n_query, "n_key": layer.n_key}
    return [
        [
            reference.sees(layer.mask or "none", i, j, **sizes, **layer.mask_settings)
            and not (layer.banned is not None and layer.banned[head][i][j])
            for j in range(layer.n_key)
        ]
        for i in range(layer.n_query)
    ]


def weights_in(layer: Layer, head: int, scores: list) -> list[list[float]]:
    """Weights of one head before dropout."""
    choices = layer.choices
    d_k = len(layer.projections["w_q"][0]) // layer.n_heads
    multiplier = reference.scale_factor(choices["scale"], d_k) / choices["temperature"]
    logits = reference.masked_logits(scores, multiplier)
    if choices["soft_cap"] is not None:
        logits = reference.capped(logits, choices["soft_cap"])
    query, key = layer.positions["positions"], layer.positions["context_positions"]
    logits = reference.total(logits, [[position_bias(layer, head, p, other) for other in key] for p in query])
    if layer.bias is not None:
        logits = reference.total(logits, layer.bias[head] if np.ndim(layer.bias) == 3 else layer.bias)
    sink = layer.sink if np.ndim(layer.sink) == 0 else layer.sink[head]
    rows = sink if np.ndim(sink) == 1 else [sink] * layer.n_query
    return reference.weights_of(
        logits,
        allowed_in(layer, head),
        choices["masking"],
        choices["softmax"],
        None if sink is None else rows,
    )


def by_the_loops(layer: Layer) -> dict[str, list]:
    """Scores, weights and outputs as the engine names them, head after head."""
    given, n_heads, n_kv_heads = layer.projections, layer.n_heads, layer.n_kv_heads
    places, others = layer.positions["positions"], layer.positions["context_positions"]
    x = placed(layer, layer.x, places)
    context = x if layer.context is None else placed(layer, layer.context, others)
    query, key, value = (
        reference.project(rows, given[f"w_{name}"], given.get(f"b_{name}"))
        for name, rows in (("q", x), ("k", context), ("v", context))
    )
    d_k, d_v = len(query[0]) // n_heads, len(value[0]) // n_kv_heads
    found = {"scores": [], "undropped": [], "weights": []}
    joined: list[list[float]] = [[] for _ in x]
    for head in range(n_heads):
        group = head // (n_heads // n_kv_heads)
        q = turned(layer, reference.columns_of(query, head * d_k, (head + 1) * d_k), places)
        k = turned(layer, reference.columns_of(key, group * d_k, (group + 1) * d_k), others)
        v = reference.columns_of(value, group * d_v, (group + 1) * d_v)
        scores = reference.scores_of(q, k)
        undropped = weights_in(layer, head, scores)
        kept = None if layer.dropout is None else layer.dropout[0][head]
        weights = undropped if kept is None else reference.dropped(undropped, kept, layer.dropout[1])
        for row, part in zip(joined, reference.mixture(weights, v), strict=True):
            row.extend(part)
        for name, matrix in (("scores", scores), ("undropped", undropped), ("weights", weights)):
            found[name].append(matrix)
    output = reference.project(joined, given["w_o"], given.get("b_o")) if "w_o" in given else joined
    return {**found, "concatenated": joined, "output": output}


# The comparison


def largest_difference(layer: Layer) -> float:
    """Compare everything, and give the largest difference."""
    trace = attended(layer)
    largest = 0.0
    for name, expected in by_the_loops(layer).items():
        got = getattr(trace if hasattr(trace, name) else trace.heads, name)
        np.testing.assert_allclose(got, expected, rtol=0, atol=TOLERANCE, err_msg=name)
        largest = max(largest, np.abs(got - expected).max())
    check_row_sums(layer, trace)
    return float(largest)


def check_row_sums(layer: Layer, trace: HeadsTrace) -> None:
    """A row before dropout sums to 1 under the standard softmax, or it is one of those that must not."""
    allowed = np.array([allowed_in(layer, head) for head in range(layer.n_heads)])
    weights, is_empty = trace.heads.undropped, ~allowed.any(axis=-1)
    np.testing.assert_array_equal(trace.heads.empty_rows, is_empty)
    masking = layer.choices["masking"]
    if masking in {"before", "after", "after_renormalised"}:
        np.testing.assert_array_equal(weights[~allowed], 0)
    filled = {"before": ~is_empty, "after": allowed.all(axis=-1), "after_renormalised": ~is_empty}
    must = filled.get(masking, np.ones_like(is_empty))
    if layer.choices["softmax"] != "standard" or layer.sink is not None:
        return
    np.testing.assert_allclose(weights[must].sum(axis=-1), 1, rtol=0, atol=4 * EPS)
    assert (weights[~must].sum(axis=-1) <= 1 + 4 * EPS).all()


@settings(deadline=None, max_examples=150)
@given(SEEDS)
def test_every_configuration_of_a_layer_equals_the_explicit_loops(seed):
    assert largest_difference(random_layer(seed)) <= TOLERANCE


@pytest.mark.long
@settings(deadline=None, max_examples=10_000)
@given(SEEDS)
def test_ten_thousand_layers_equal_the_explicit_loops(seed):
    assert largest_difference(random_layer(seed)) <= TOLERANCE
