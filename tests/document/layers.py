"""Random documents in which every setting of a layer may be anything, drawn from one seed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import numpy as np

from attnviz.document.edits import pin_number
from attnviz.document.errors import DocumentError
from attnviz.document.frame import compute
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import SCALARS, State
from attnviz.document.tokens import TokenSequence

T = TypeVar("T")


def one_of(rng: np.random.Generator, choices: Iterable[T]) -> T:
    among = list(choices)
    return among[rng.integers(len(among))]


def maybe(rng: np.random.Generator) -> bool:
    return bool(rng.random() < 0.5)


def names_of(field: str) -> list[str]:
    return [name for name, _, _ in SCALARS[field].choices]


def random_layer(seed: int, *, with_pins: bool = False) -> State:
    """Draw a document that can be computed; numbers are near 1."""
    rng = np.random.default_rng(seed)
    heads = one_of(rng, (1, 1, 2, 3, 4))
    d, d_k, d_v, d_out = (int(size) for size in rng.permutation((2, 3, 4, 5, 7))[:4])
    positions = one_of(rng, names_of("positions"))
    if positions == "rotary" and d_k % 2:
        d_k += 1
    n_query, n_key = (int(count) for count in rng.permutation((1, 2, 3, 5, 7))[:2])
    context = None if maybe(rng) else tokens(rng, "k", n_key, d)
    n_key = n_query if context is None else n_key
    softmax = one_of(rng, names_of("softmax"))
    written = heads * d_k + one_of(rng, (-1, 0, 0, 2))  # fewer columns than act, all of them, or more
    has_output = maybe(rng)
    buckets = one_of(rng, (4, 8))

    def optional(*shape: int, scale: float = 1.0) -> np.ndarray | None:
        return scale * rng.normal(size=shape) if maybe(rng) else None

    state = State(
        sequence=tokens(rng, "q", n_query, d),
        context=context,
        w_q=rng.normal(size=(d, written)) / np.sqrt(d),
        w_k=rng.normal(size=(d, written)) / np.sqrt(d),
        w_v=rng.normal(size=(d, heads * d_v)) / np.sqrt(d),
        w_o=rng.normal(size=(heads * d_v, d_out)) if has_output else None,
        b_q=optional(written, scale=0.5),
        b_k=optional(written, scale=0.5),
        b_v=optional(heads * d_v),
        b_o=optional(d_out) if has_output else None,
        sinks=optional(heads),
        padding=rng.random(n_key) < 0.3 if maybe(rng) else None,
        visible=rng.random((n_query, n_key)) < 0.6 if maybe(rng) else None,
        position_ids=rng.permutation(11)[:n_query].astype(float) if maybe(rng) else None,
        context_position_ids=rng.permutation(11)[:n_key].astype(float) if context is not None and maybe(rng) else None,
        position_table=optional(4, d, scale=0.5),
        bucket_table=optional(heads, buckets),
        temperature=one_of(rng, (0.5, 1.0, 3.0)),
        d_k=d_k,
        scale=one_of(rng, names_of("scale")),
        custom_multiplier=-0.7,
        seed=int(rng.integers(5)),
        mask=one_of(rng, names_of("mask")),
        align=one_of(rng, names_of("align")),
        window=one_of(rng, (1, 2, 3)),
        prefix=one_of(rng, (1, 2)),
        block=one_of(rng, (1, 2, 3)),
        masking=one_of(rng, names_of("masking")),
        softmax=softmax,
        has_sink=softmax != "columns" and maybe(rng),
        soft_cap=one_of(rng, (0.0, 2.0)),
        dropout=one_of(rng, (0.0, 0.0, 0.3)),
        dropout_seed=int(rng.integers(5)),
        n_heads=heads,
        n_kv_heads=one_of(rng, [count for count in range(1, heads + 1) if heads % count == 0]),
        is_tied=maybe(rng),
        positions=positions,
        shift=one_of(rng, (0, 3)),
        base=one_of(rng, (10.0, 10000.0)),
        pairing=one_of(rng, names_of("pairing")),
        rotary_width=one_of(rng, (0, 2)),
        n_buckets=buckets,
        max_distance=one_of(rng, (8, 16)),
        is_bidirectional=maybe(rng),
    )
    return pinned(state, rng) if with_pins and maybe(rng) else state


def tokens(rng: np.random.Generator, letter: str, count: int, width: int) -> TokenSequence:
    return TokenSequence(tuple(f"{letter}{i}" for i in range(count)), 0.7 * rng.normal(size=(count, width)))


def pinned(state: State, rng: np.random.Generator) -> State:
    """Pin a few numbers of any head."""
    frame = compute(state)
    shapes = {"q": frame.q.shape, "k": frame.k.shape, "v": frame.v.shape}
    for kind in ("q", "k", "v", "score", "weight"):
        if maybe(rng):
            rows, columns = shapes.get(kind, (frame.n_query, frame.n_key))
            place = (int(rng.integers(rows)), int(rng.integers(columns)))
            state = pin_number(
                state, NumberRef(kind, place), one_of(rng, (0.0, 0.25, 3.0)), int(rng.integers(state.n_heads))
            )
    return state


def is_refused(state: State) -> bool:
    try:
        compute(state)
    except DocumentError:
        return True
    return False
