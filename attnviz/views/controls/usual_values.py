"""The value of each scalar that a reset brings back."""

from __future__ import annotations

from attnviz.document.parameters import MAX_KEY_WIDTH
from attnviz.document.scalars import ScalarValue
from attnviz.document.state import DEFAULTS, SCALARS, State


def usual_value(name: str, state: State) -> ScalarValue:
    """Give what reset brings back in the field ``name``.

    The key width goes back to the columns that are written down, and every head gets a key/value head of its own.
    """
    if name == "d_k":
        return max(1, min(int(state.w_q.shape[1]), MAX_KEY_WIDTH) // state.n_heads)
    if name == "n_kv_heads":
        return state.n_heads
    scalar = SCALARS[name]
    return scalar.check(DEFAULTS[scalar.key])
