"""The edits: pure functions from a state to the next one. Each refuses what cannot be with one sentence."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from attnviz.document.arrays import FloatArray
from attnviz.document.errors import DocumentError
from attnviz.document.plane import fit_plane
from attnviz.document.scalars import ScalarValue
from attnviz.document.state import SCALARS, Side, State, field_of
from attnviz.document.tokens import TokenSequence, first_embedding

NO_BREAK_SPACE = "\u00a0"


def set_scalar(state: State, key: str, value: ScalarValue) -> State:
    """Set the scalar parameter ``key``."""
    name = field_of(key)
    return replace(state, **{name: SCALARS[name].check(value)})  # type: ignore[arg-type]  # checked by the scalar


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
    _check_index(old, index)
    row = np.asarray(embedding, dtype=np.float64)
    if row.shape != (state.width,):
        raise DocumentError(f"an embedding must have {state.width} coordinates here, got {row.size}")
    embeddings = old.embeddings.copy()
    embeddings[index] = row + 0.0
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
    _check_index(old, index)
    tokens = (*old.tokens[:index], token, *old.tokens[index + 1 :])
    return _with_side(state, side, tokens, old.embeddings)


def insert_token(
    state: State, side: Side, index: int, token: str, embedding: Sequence[float] | FloatArray | None = None
) -> State:
    """Insert a token before ``index``; without an embedding it gets that of its namesake, or its first one."""
    old = state.side(side)
    _check_place(old, index)
    row = _starting_embedding(old, token) if embedding is None else np.asarray(embedding, dtype=np.float64)
    if row.shape != (state.width,):
        raise DocumentError(f"an embedding must have {state.width} coordinates here, got {row.size}")
    tokens = (*old.tokens[:index], token, *old.tokens[index:])
    return _with_side(state, side, tokens, np.insert(old.embeddings, index, row, axis=0))


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
        _check_index(old, index)
    kept = [i for i in range(len(old)) if i not in set(indices)]
    if not kept:
        raise DocumentError("at least one token must stay, got an order to delete them all")
    return _with_side(state, side, tuple(old.tokens[i] for i in kept), old.embeddings[kept])


def move_token(state: State, side: Side, index: int, to: int) -> State:
    """Move a token to the place ``to``; the others close up."""
    old = state.side(side)
    _check_index(old, index)
    _check_index(old, to)
    order = [i for i in range(len(old)) if i != index]
    order.insert(to, index)
    return _with_side(state, side, tuple(old.tokens[i] for i in order), old.embeddings[order])


def set_sentence(state: State, side: Side, sentence: str) -> State:
    """Make the tokens those of ``sentence``, split at blanks.

    Tokens that stay keep their embeddings, matched by text and position; a changed word gets the embedding
    of its namesake, or its first one. A no-break space stands for a blank inside a token.
    """
    tokens = split_sentence(sentence)
    if not tokens:
        raise DocumentError("a sentence must have at least one token, got none")
    old = state.side(side)
    origin = _origins(old.tokens, tokens)
    rows = [_starting_embedding(old, t) if o is None else old.embeddings[o] for t, o in zip(tokens, origin, strict=True)]
    return _with_side(state, side, tokens, np.array(rows))


def join_sentence(tokens: Sequence[str]) -> str:
    """Write tokens as one line that :func:`split_sentence` takes apart again."""
    return " ".join(token.replace(" ", NO_BREAK_SPACE) for token in tokens)


def split_sentence(sentence: str) -> tuple[str, ...]:
    """Split a line at blanks into tokens."""
    words = [word for word in sentence.replace("\t", " ").replace("\n", " ").split(" ") if word]
    return tuple(word.replace(NO_BREAK_SPACE, " ") for word in words)


def paste_rows(
    state: State, side: Side, at: int, rows: Sequence[tuple[str, Sequence[float] | None]]
) -> State:
    """Insert rows of a spreadsheet before ``at``: each a name and d coordinates, or a name alone."""
    if not rows:
        raise DocumentError("rows to paste must hold at least one token, got none")
    old = state.side(side)
    _check_place(old, at)
    added = []
    for number, (token, embedding) in enumerate(rows, start=1):
        if embedding is not None and len(embedding) != state.width:
            raise DocumentError(
                f"row {number} ({token!r}) must have {state.width} coordinates after the name, got {len(embedding)}"
            )
        added.append(_starting_embedding(old, token) if embedding is None else np.asarray(embedding, np.float64))
    tokens = (*old.tokens[:at], *(token for token, _ in rows), *old.tokens[at:])
    embeddings = np.concatenate([old.embeddings[:at], np.array(added), old.embeddings[at:]])
    return _with_side(state, side, tokens, embeddings)


def replace_embeddings(state: State, tokens: Sequence[str], embeddings: FloatArray, title: str) -> State:
    """Start over with other tokens and embeddings: self-attention, identities, the same settings."""
    sequence = TokenSequence(tuple(tokens), embeddings)
    return State(
        sequence=sequence,
        title=title,
        temperature=state.temperature,
        scale=state.scale,
        custom_multiplier=state.custom_multiplier,
        is_causal=state.is_causal,
        seed=state.seed,
    )


def refit_plane(state: State) -> State:
    """Fit the plane anew to the embeddings as they are now."""
    if state.plane is None:
        raise DocumentError("a plane is fitted for embeddings with 3 or more coordinates, got " + str(state.width))
    every = [state.sequence.embeddings] + ([] if state.context is None else [state.context.embeddings])
    return replace(state, plane=fit_plane(np.concatenate(every)))


def _with_side(state: State, side: Side, tokens: tuple[str, ...], embeddings: FloatArray) -> State:
    changed = TokenSequence(tokens, embeddings)
    return replace(state, sequence=changed) if side == "sequence" else replace(state, context=changed)


def _embedding(state: State, side: Side, index: int) -> FloatArray:
    _check_index(state.side(side), index)
    return state.side(side).embeddings[index]


def _starting_embedding(sequence: TokenSequence, token: str) -> FloatArray:
    if token in sequence.tokens:
        return sequence.embeddings[sequence.tokens.index(token)]
    return first_embedding(token, sequence.width)


def _origins(old: Sequence[str], new: Sequence[str]) -> list[int | None]:
    """Say for each new token which old one it continues: matched by text and order, then by place alone."""
    origin: list[int | None] = [None] * len(new)
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    for operation, a, a_end, b, b_end in matcher.get_opcodes():
        if operation == "equal":
            origin[b:b_end] = range(a, a_end)
        elif operation == "replace" and a_end - a == b_end - b:
            origin[b:b_end] = [
                None if new[b + i] in old else a + i for i in range(b_end - b)
            ]
    return origin


def _check_index(sequence: TokenSequence, index: int) -> None:
    if not 0 <= index < len(sequence):
        raise DocumentError(f"a token's place must be 1 to {len(sequence)}, got {index + 1}")


def _check_place(sequence: TokenSequence, place: int) -> None:
    if not 0 <= place <= len(sequence):
        raise DocumentError(f"a place to insert must be 1 to {len(sequence) + 1}, got {place + 1}")
