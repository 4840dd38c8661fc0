"""What goes with tokens that are moved, added or taken away, and what belongs to the places they stand at.

Pinned numbers and padding go with their token. Positions and painted cells of the mask belong to places: shuffled
tokens find them as they were.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray
from attnviz.document.state import Side, State


def carried(state: State, side: Side, stood_at: Sequence[int | None]) -> dict[str, object]:
    """Give what goes with the tokens of a side, and what belongs to the places they stand at."""
    axes: tuple[str, ...] = ("query",) if side == "sequence" else ("key",)
    if state.context is None:
        axes = ("query", "key")
    moved: dict[str, object] = {"interventions": state.interventions.moved(axes, stood_at)}
    if "key" in axes and state.padding is not None:
        flags = np.array([origin is not None and state.padding[origin] for origin in stood_at])
        moved["padding"] = flags if flags.any() else None
    if len(stood_at) == len(state.side(side)):
        return moved  # positions and painted cells belong to places, and there are as many as before
    if state.visible is not None:
        moved["visible"] = _resized(state.visible, axes, stood_at)
    ids = "position_ids" if side == "sequence" else "context_position_ids"
    old: FloatArray | None = getattr(state, ids)
    if old is not None:
        moved[ids] = _renumbered(old, stood_at)
    return moved


def _resized(visible: BoolArray, axes: tuple[str, ...], stood_at: Sequence[int | None]) -> BoolArray:
    """Give painted cells after places were added or taken away; what is new is allowed."""
    for axis, name in enumerate(("query", "key")):
        if name in axes:
            kept = np.array([0 if origin is None else origin for origin in stood_at])
            visible = np.take(visible, kept, axis=axis)
            is_new = np.array([origin is None for origin in stood_at])
            visible[is_new if axis == 0 else (slice(None), is_new)] = True
    return visible


def _renumbered(ids: FloatArray, stood_at: Sequence[int | None]) -> FloatArray:
    """Give positions after places were added or taken away; a new place follows the one before it."""
    found: list[float] = []
    for origin in stood_at:
        found.append(float(ids[origin]) if origin is not None else (found[-1] + 1.0 if found else 0.0))
    return np.array(found)
