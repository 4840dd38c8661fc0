"""The edits of mask, sinks and positions: pure functions from a state to the next one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray
from attnviz.document.errors import DocumentError
from attnviz.document.masking import allowed_cells
from attnviz.document.state import Side, State
from attnviz.document.tokens import check_index


def set_padding(state: State, key: int, *, is_padding: bool) -> State:
    """Mark a key as padding, so that no query sees it, or as a real token."""
    check_index(state.key_sequence, key)
    flags = np.zeros(len(state.key_sequence), dtype=np.bool_) if state.padding is None else state.padding.copy()
    flags[key] = is_padding
    return replace(state, padding=flags if flags.any() else None)


def set_visible(state: State, cells: Sequence[tuple[int, int]], *, is_visible: bool) -> State:
    """Allow or ban cells (query, key) by hand; the mask in force becomes a custom one with these cells changed."""
    visible = _visible(state)
    for query, key in cells:
        check_index(state.sequence, query)
        check_index(state.key_sequence, key)
        visible[query, key] = is_visible
    return replace(state, mask="custom", visible=visible)


def invert_mask(state: State) -> State:
    """Allow what the mask bans and ban what it allows; padding stays banned."""
    return replace(state, mask="custom", visible=~_visible(state))


def clear_mask(state: State) -> State:
    """Take the mask away, painted cells and padding with it."""
    return replace(state, mask="none", visible=None, padding=None)


def set_mask_array(state: State, visible: BoolArray) -> State:
    """Make a whole mask the custom one, shape (n_query, n_key), True = may attend."""
    shape = len(state.sequence), len(state.key_sequence)
    if visible.shape != shape:
        raise DocumentError(f"a mask must have shape {shape}, got {visible.shape}")
    return replace(state, mask="custom", visible=visible)


def set_sink(state: State, head: int, logit: float) -> State:
    """Give a head its sink logit, and let sinks act."""
    if not 0 <= head < state.n_heads:
        raise DocumentError(f"a head must be one of 1 to {state.n_heads}, got {head + 1}")
    sinks = np.zeros(max(state.n_heads, 0 if state.sinks is None else len(state.sinks)))
    if state.sinks is not None:
        sinks[: len(state.sinks)] = state.sinks
    sinks[head] = logit
    return replace(state, has_sink=True, sinks=sinks)


def set_position(state: State, side: Side, index: int, position: float) -> State:
    """Say where a token stands; the others stand where they stood."""
    sequence = state.side(side)
    check_index(sequence, index)
    name = "position_ids" if side == "sequence" else "context_position_ids"
    old: FloatArray | None = getattr(state, name)
    ids = np.arange(float(len(sequence))) if old is None else old.copy()
    ids[index] = position
    return replace(state, **{name: None if np.array_equal(ids, np.arange(len(ids))) else ids})  # type: ignore[arg-type]  # fields of one type


def reset_positions(state: State) -> State:
    """Let every token stand at its place again, counted from 0, without a shift."""
    return replace(state, position_ids=None, context_position_ids=None, shift=0)


def _visible(state: State) -> BoolArray:
    """Give the mask in force without padding, to be changed, shape (n_query, n_key)."""
    allowed = allowed_cells(replace(state, padding=None))
    if allowed is None:
        return np.ones((len(state.sequence), len(state.key_sequence)), dtype=np.bool_)
    return allowed.copy()
