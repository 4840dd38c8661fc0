"""Where the tokens of a state stand, and what that does to vectors, to queries and keys, or to logits."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from attnviz.document.arrays import FloatArray
from attnviz.document.projection import bucket_table, position_table
from attnviz.document.state import State
from attnviz.engine import POSITIONAL_ENCODINGS, PositionEffect, PositionRequest

_NO_EFFECT = PositionEffect()


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
    ValueError
        If the positions or settings do not fit the encoding.
    """
    if state.positions == "none":
        return _NO_EFFECT
    queries, keys = query_positions(state), key_positions(state)
    table = None
    if state.positions == "learned":
        table = position_table(state, _rows_needed(queries, keys))
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


def _rows_needed(queries: FloatArray, keys: FloatArray) -> int:
    return int(max(1.0, min(20_000.0, max(queries.max(), keys.max()) + 1.0)))


def _shifted(ids: FloatArray | None, count: int, shift: int) -> FloatArray:
    return _counted(count, shift) if ids is None else ids + shift


@lru_cache(maxsize=8)
def _counted(count: int, first: int) -> FloatArray:
    places = np.arange(first, first + count, dtype=np.float64)
    places.flags.writeable = False
    return places
