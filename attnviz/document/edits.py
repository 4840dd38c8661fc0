"""The edits: pure functions from a state to the next one. Each refuses what cannot be with one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from attnviz.document.arrays import FloatArray, frozen_array
from attnviz.document.attending import kv_head_of
from attnviz.document.carried import carried
from attnviz.document.errors import DocumentError
from attnviz.document.interventions import NO_INTERVENTIONS, Intervention, pinned_head
from attnviz.document.number_ref import NumberRef
from attnviz.document.parameters import CAUSAL, CAUSAL_SWITCH
from attnviz.document.scalars import ScalarValue
from attnviz.document.sentence import origins, unwritten, words_of, written
from attnviz.document.state import SCALARS, Side, State, field_of, scalar_of
from attnviz.document.tokens import TokenSequence, check_index, first_embedding

_OF_THE_WIDTH = ("d_k", "n_heads", "n_kv_heads")


def set_scalar(state: State, key: str, value: ScalarValue) -> State:
    """Set the scalar parameter ``key``; heads share out the channels that are there."""
    if key == CAUSAL:
        return _with_causal(state, is_causal=CAUSAL_SWITCH.check(value) is True)
    name = field_of(key)
    checked = SCALARS[name].check(value)
    if name == "n_heads":
        return _with_heads(state, int(checked))
    return replace(state, **{name: checked})  # type: ignore[arg-type]  # checked by the scalar


def parse_scalar(key: str, text: str) -> ScalarValue:
    """Read the value of a scalar as it is typed after ``--set``.

    Raises
    ------
    DocumentError
        If there is no such scalar, or the text cannot be its value.
    """
    return scalar_of(key).parse(text)


def _with_causal(state: State, *, is_causal: bool) -> State:
    """Choose the causal mask, or no mask instead of it; another mask is not touched by switching it off."""
    if is_causal:
        return replace(state, mask="causal")
    return replace(state, mask="none") if state.is_causal else state


def _with_heads(state: State, n_heads: int) -> State:
    """Share the channels of queries, keys and values out among another number of heads."""
    width = state.n_heads * state.d_k
    for what, size in (("queries", width), ("values", state.w_v.shape[1])):
        if size % n_heads:
            raise DocumentError(f"heads must divide the width of the {what}, {size}, got {n_heads}")
    one_each = state.n_kv_heads == state.n_heads
    return replace(state, n_heads=n_heads, n_kv_heads=n_heads if one_each else state.n_kv_heads, d_k=width // n_heads)


def redraw(state: State) -> State:
    """Draw other columns for the part of d_k beyond the written ones: the next seed."""
    return replace(state, seed=(state.seed + 1) % 2**31)


def move_point(state: State, side: Side, index: int, x: float, y: float) -> State:
    """Move a token's embedding so that it is drawn at (``x``, ``y``); what lies across the plane stays."""
    embedding = _embedding(state, side, index)
    if state.plane is not None:
        return set_embedding(state, side, index, state.plane.move(embedding, x, y))
    return set_embedding(state, side, index, np.array([x, y])[: state.width])


def set_embedding(state: State, side: Side, index: int, embedding: Sequence[float] | FloatArray) -> State:
    """Give a token the coordinates ``embedding``, shape (d,)."""
    old = state.side(side)
    check_index(old, index)
    embeddings = old.embeddings.copy()
    embeddings[index] = _checked_row(state, embedding)
    return _with_side(state, side, old.tokens, embeddings)


def set_coordinate(state: State, side: Side, index: int, coordinate: int, value: float) -> State:
    """Set one coordinate of a token's embedding."""
    embedding = _embedding(state, side, index).copy()
    if not 0 <= coordinate < state.width:
        raise DocumentError(f"a coordinate must be one of 1 to {state.width}, got {coordinate + 1}")
    embedding[coordinate] = value
    return set_embedding(state, side, index, embedding)


def rename_token(state: State, side: Side, index: int, token: str) -> State:
    """Rename a token; its embedding stays."""
    old = state.side(side)
    check_index(old, index)
    tokens = (*old.tokens[:index], token, *old.tokens[index + 1 :])
    return _with_side(state, side, tokens, old.embeddings)


def insert_token(
    state: State, side: Side, index: int, token: str, embedding: Sequence[float] | FloatArray | None = None
) -> State:
    """Insert a token before ``index``; without an embedding it gets that of its namesake, or its first one."""
    old = state.side(side)
    _check_place(old, index)
    row = _starting_embedding(old, token) if embedding is None else _checked_row(state, embedding)
    tokens = (*old.tokens[:index], token, *old.tokens[index:])
    stood_at = [*range(index), None, *range(index, len(old))]
    return _with_side(state, side, tokens, np.insert(old.embeddings, index, row, axis=0), stood_at)


def add_point(state: State, side: Side, token: str, x: float, y: float) -> State:
    """Add a token at the end whose embedding is drawn at (``x``, ``y``)."""
    if state.plane is not None:
        embedding = state.plane.move(state.plane.centre, x, y)
    else:
        embedding = np.array([x, y])[: state.width]
    return insert_token(state, side, len(state.side(side)), token, embedding)


def delete_tokens(state: State, side: Side, indices: Sequence[int]) -> State:
    """Delete tokens; the last one of a list stays."""
    old = state.side(side)
    for index in indices:
        check_index(old, index)
    deleted = set(indices)
    kept = [i for i in range(len(old)) if i not in deleted]
    if not kept:
        raise DocumentError("at least one token must stay, got an order to delete them all")
    return _with_side(state, side, tuple(old.tokens[i] for i in kept), old.embeddings[kept], kept)


def move_token(state: State, side: Side, index: int, to: int) -> State:
    """Move a token to the place ``to``; the others close up."""
    old = state.side(side)
    check_index(old, index)
    check_index(old, to)
    order = [i for i in range(len(old)) if i != index]
    order.insert(to, index)
    return _with_side(state, side, tuple(old.tokens[i] for i in order), old.embeddings[order], order)


def reorder_tokens(state: State, side: Side, order: Sequence[int]) -> State:
    """Let the token that stands at ``order[i]`` stand at place i; pins and padding go with their tokens."""
    old = state.side(side)
    if sorted(order) != list(range(len(old))):
        raise DocumentError(f"an order must name each of the {len(old)} places once, got {len(order)} of them")
    places = list(order)
    return _with_side(state, side, tuple(old.tokens[i] for i in places), old.embeddings[places], places)


def set_sentence(state: State, side: Side, sentence: str, base: State | None = None) -> State:
    """Make the tokens those of ``sentence``, split at blanks.

    Tokens that stay or move keep their embeddings, matched by text and order. A word that takes the place of
    another keeps the place's embedding, unless a token has its name already: then it gets the namesake's. Other
    new words get their namesake's embedding or their first one. A no-break space is a blank inside a token.

    While a sentence is being typed, ``base`` is the state before its first key: the sentence is one edit of that,
    whatever half-typed words led to ``state``.
    """
    before = state if base is None else base
    words = words_of(sentence)
    if not words:
        raise DocumentError("a sentence must have at least one token, got none")
    old = before.side(side)
    names = [written(token) for token in old.tokens]
    tokens, rows, stood_at = [], [], origins(names, words)
    for word, origin in zip(words, stood_at, strict=True):
        is_kept = origin is not None and names[origin] == word
        token = old.tokens[origin] if origin is not None and is_kept else unwritten(word)
        tokens.append(token)
        rows.append(_starting_embedding(old, token) if origin is None else old.embeddings[origin])
    return _with_side(before, side, tuple(tokens), np.array(rows), stood_at)


def paste_rows(state: State, side: Side, at: int, rows: Sequence[tuple[str, Sequence[float] | None]]) -> State:
    """Insert rows of a spreadsheet before ``at``: each a name and d coordinates, or a name alone."""
    if not rows:
        raise DocumentError("rows to paste must hold at least one token, got none")
    old = state.side(side)
    _check_place(old, at)
    added = []
    for number, (token, embedding) in enumerate(rows, start=1):
        if embedding is not None and len(embedding) != state.width:
            raise DocumentError(
                f"row {number} ({_shown(token)}) must have {state.width} coordinates after the name, "
                f"got {len(embedding)}"
            )
        added.append(_starting_embedding(old, token) if embedding is None else _checked_row(state, embedding))
    tokens = (*old.tokens[:at], *(token for token, _ in rows), *old.tokens[at:])
    embeddings = np.concatenate([old.embeddings[:at], np.array(added), old.embeddings[at:]])
    stood_at = [*range(at), *([None] * len(rows)), *range(at, len(old))]
    return _with_side(state, side, tokens, embeddings, stood_at)


def replace_embeddings(state: State, tokens: Sequence[str], embeddings: FloatArray, title: str) -> State:
    """Start over with other tokens and embeddings: self-attention, identities, the same settings."""
    sequence = TokenSequence(tuple(tokens), embeddings)
    kept = {name: getattr(state, name) for name in SCALARS if name not in _OF_THE_WIDTH}
    if kept["mask"] == "custom":
        kept["mask"] = "none"  # what was painted belongs to the tokens that were there
    return State(sequence=sequence, title=title, **kept)


def refit_plane(state: State) -> State:
    """Fit the plane anew to the embeddings as they are now."""
    if state.plane is None:
        raise DocumentError(f"a plane is fitted for embeddings with 3 or more coordinates, got {state.width}")
    return replace(state, plane=None)


def pin_number(state: State, ref: NumberRef, value: float, head: int = 0) -> State:
    """Pin an entry of q, k, v, a raw score or a weight of a query head to ``value``; all that follows uses it."""
    if len(ref.indices) != 2:
        raise DocumentError(f"a number to pin must be an entry of q, k, v, a score or a weight, got {ref.kind!r}")
    row, column = ref.indices
    added = Intervention(ref.kind, row, column, value, _head_of(state, ref, head))
    return replace(state, interventions=state.interventions.with_one(added))


def release_number(state: State, ref: NumberRef, head: int = 0) -> State:
    """Let a pinned number of a query head be computed again."""
    own = _head_of(state, ref, head)
    if state.interventions.at(ref, own) is None:
        raise DocumentError(f"a number to release must be pinned, got {ref.kind} {ref.indices}, which is computed")
    return replace(state, interventions=state.interventions.without(ref, own))


def release_all(state: State) -> State:
    """Let every pinned number be computed again."""
    return replace(state, interventions=NO_INTERVENTIONS)


def _head_of(state: State, ref: NumberRef, head: int) -> int:
    if not 0 <= head < state.n_heads:
        raise DocumentError(f"a head must be one of 1 to {state.n_heads}, got {head + 1}")
    return pinned_head(ref.kind, head, kv_head_of(state, head))


def _shown(token: str) -> str:
    return repr(token if len(token) <= 40 else token[:40] + "…")


def _checked_row(state: State, embedding: Sequence[float] | FloatArray) -> FloatArray:
    row = frozen_array(embedding, name="an embedding", ndim=1)
    if row.size != state.width:
        raise DocumentError(f"an embedding must have {state.width} coordinates here, got {row.size}")
    without_negative_zeros: FloatArray = row + 0.0
    return without_negative_zeros


def _with_side(
    state: State,
    side: Side,
    tokens: tuple[str, ...],
    embeddings: FloatArray,
    stood_at: Sequence[int | None] | None = None,
) -> State:
    """Exchange the tokens of a side; ``stood_at`` says where each of them stood, ``None`` where it did."""
    name = "sequence" if side == "sequence" else "context"
    changed: dict[str, object] = {name: TokenSequence(tokens, embeddings)}
    if stood_at is not None:
        changed |= carried(state, side, stood_at)
    return replace(state, **changed)  # type: ignore[arg-type]  # each under the name of its field


def _embedding(state: State, side: Side, index: int) -> FloatArray:
    check_index(state.side(side), index)
    row: FloatArray = state.side(side).embeddings[index]
    return row


def _starting_embedding(sequence: TokenSequence, token: str) -> FloatArray:
    if token in sequence.tokens:
        namesake: FloatArray = sequence.embeddings[sequence.tokens.index(token)]
        return namesake
    return first_embedding(token, sequence.width)


def _check_place(sequence: TokenSequence, place: int) -> None:
    if not 0 <= place <= len(sequence):
        raise DocumentError(f"a place to insert must be 1 to {len(sequence) + 1}, got {place + 1}")
