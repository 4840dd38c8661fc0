"""Where the tokens of a state stand, and what that does to vectors, to queries and keys, or to logits."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from attnviz.document.arrays import FloatArray
from attnviz.document.errors import DocumentError
from attnviz.document.projection import bucket_table, learned_positions
from attnviz.document.state import State
from attnviz.document.tokens import MAX_TOKENS
from attnviz.engine import POSITIONAL_ENCODINGS, PositionEffect, PositionRequest

_NO_EFFECT = PositionEffect()
_MOST_LEARNED = MAX_TOKENS  # rows of a table, as many as a file may hold


def query_positions(state: State) -> FloatArray:
    """Give where the tokens that ask stand, shape (n_query,), shifted."""
    return _shifted(state.position_ids, len(state.sequence), state.shift)


def key_positions(state: State) -> FloatArray:
    """Give where the tokens that answer stand, shape (n_key,), shifted."""
    if state.context is None:
        return query_positions(state)
    return _shifted(state.context_position_ids, len(state.context), state.shift)


def effect_of(state: State) -> PositionEffect:
    """Give what the positional encoding of a state does.

    Raises
    ------
    DocumentError
        If the positions or settings do not fit the encoding.
    """
    if state.positions == "none":
        return _NO_EFFECT
    _check(state)
    queries, keys = query_positions(state), key_positions(state)
    table = None
    if state.positions == "learned":
        used = np.unique(np.concatenate([queries, keys]))
        table = learned_positions(state, used.astype(np.intp))
        queries, keys = (np.searchsorted(used, places).astype(np.float64) for places in (queries, keys))
    elif state.positions == "relative":
        table = bucket_table(state)
    request = PositionRequest(
        positions=queries,
        context_positions=keys,
        d_model=state.width,
        d_context=state.width,
        n_heads=state.n_heads,
        base=state.base,
        pairing=state.pairing,
        width=state.rotary_width or None,
        table=table,
        max_distance=state.max_distance,
        is_bidirectional=state.is_bidirectional,
    )
    return POSITIONAL_ENCODINGS[state.positions].function(request)


def rows_in_use(state: State) -> int:
    """Give the number of learned positions up to the last one that a token stands at, at least 1."""
    last = max(query_positions(state).max(), key_positions(state).max())
    return int(max(1.0, min(float(_MOST_LEARNED), last + 1.0)))


def turned_channels(state: State) -> int:
    """Give how many channels of a head rotary positions turn."""
    return state.rotary_width or state.d_k


def _check(state: State) -> None:
    """Refuse what an encoding cannot do, in the words of the controls."""
    if state.positions == "rotary":
        _check_turned(state)
    elif state.positions == "learned":
        places = np.concatenate([query_positions(state), key_positions(state)])
        wrong = places[(places < 0) | (places >= _MOST_LEARNED) | (places != np.floor(places))]
        if wrong.size:
            got = repr(float(wrong[0])).removesuffix(".0")
            raise DocumentError(f"learned positions must be whole numbers from 0 to {_MOST_LEARNED - 1:,}, got {got}")
    elif state.positions == "relative":
        least = 4 if state.is_bidirectional else 2
        if state.n_buckets % 2 or state.n_buckets < least:
            raise DocumentError(f"buckets must be an even number, at least {least}, got {state.n_buckets}")
        if state.max_distance <= state.n_buckets // 2:
            raise DocumentError(
                f"the farthest distance must be more than half the buckets, {state.n_buckets // 2}, "
                f"got {state.max_distance}"
            )


def _check_turned(state: State) -> None:
    width, turned = state.d_k, state.rotary_width
    if not turned and width % 2:
        raise DocumentError(f"rotary positions need an even d_k, or an even number of turned channels, got d_k {width}")
    if turned % 2 or turned > width:
        raise DocumentError(
            f"turned channels must be an even number up to d_k, {width}, or 0 for all of them, got {turned}"
        )


def _shifted(ids: FloatArray | None, count: int, shift: int) -> FloatArray:
    return _counted(count, shift) if ids is None else ids + shift


@lru_cache(maxsize=8)
def _counted(count: int, first: int) -> FloatArray:
    places = np.arange(first, first + count, dtype=np.float64)
    places.flags.writeable = False
    return places
