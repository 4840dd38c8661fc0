"""Which keys each query may see: the rule of the mask, the cells painted by hand, and padding."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from attnviz.document.arrays import BoolArray, IntArray, Itself
from attnviz.document.state import State
from attnviz.engine import MASKS, MaskRequest, causal_offset

_STAGES_AFTER: dict[str, tuple[str, ...]] = {
    "before": ("masked", "exponentials", "weights"),
    "after": ("weights",),
    "after_renormalised": ("weights",),
}


def diagonal_of(state: State) -> int | None:
    """Give the offset o of the causal mask, under which query i sees key j <= i + o; ``None`` under another mask."""
    if state.mask != "causal":
        return None
    return causal_offset(len(state.sequence), len(state.key_sequence), state.align)


def allowed_cells(state: State) -> BoolArray | None:
    """Tell which cells may be attended to, shape (n_query, n_key), read-only; ``None`` where nothing is banned."""
    if not state.has_mask:
        return None
    if state.mask == "custom":
        allowed = state.visible
    else:
        allowed = _by_rule(
            *(state.mask, len(state.sequence), len(state.key_sequence)),
            *(state.align, state.window, state.prefix, state.block),
        )
    if state.padding is None:
        return allowed
    return _without(Itself(state.padding), None if allowed is None else Itself(allowed), len(state.sequence))


def banned_cells(state: State, rows: IntArray, columns: IntArray) -> BoolArray:
    """Tell which cells at ``rows`` x ``columns`` the mask of a state bans."""
    offset = diagonal_of(state)
    if offset is not None and state.padding is None:
        banned: BoolArray = columns[np.newaxis, :] > rows[:, np.newaxis] + offset
        return banned
    allowed = allowed_cells(state)
    if allowed is None:
        return np.zeros((len(rows), len(columns)), dtype=np.bool_)
    hidden: BoolArray = ~allowed[np.ix_(rows, columns)]
    return hidden


def shows_mask(state: State, stage: str) -> bool:
    """Tell whether a stage has cells that the mask took away: from where the masking method acts."""
    return state.has_mask and stage in _STAGES_AFTER.get(state.masking, ())


@lru_cache(maxsize=2)  # of matrices that may be large: the one in use, and one to compare it with
def _without(padding: Itself[BoolArray], allowed: Itself[BoolArray] | None, n_query: int) -> BoolArray:
    """Ban padding besides what else is banned, shape (n_query, n_key)."""
    left = np.tile(~padding.array, (n_query, 1))
    if allowed is not None:
        left &= allowed.array
    left.flags.writeable = False
    return left


@lru_cache(maxsize=2)  # as above
def _by_rule(name: str, n_query: int, n_key: int, align: str, window: int, prefix: int, block: int) -> BoolArray:
    request = MaskRequest(n_query, n_key, align=align, width=window, prefix=prefix, size=block)
    allowed = MASKS[name].function(request)
    allowed.flags.writeable = False
    return allowed
