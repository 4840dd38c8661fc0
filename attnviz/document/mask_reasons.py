"""Why a mask bans a cell, in words: which rule it is, and what about the two tokens it objects to."""

from __future__ import annotations

from attnviz.document.masking import diagonal_of
from attnviz.document.state import State
from attnviz.engine import MASKS, causal_offset


def reason_of(state: State, query: int, key: int, query_name: str, key_name: str) -> str:
    """Say why a banned cell is banned.

    Parameters
    ----------
    state : State
        The document.
    query, key : int
        The place of the cell.
    query_name, key_name : str
        What its tokens are called.

    Returns
    -------
    str
        A sentence without its full stop, such as "the causal mask hides dog from cat".
    """
    if state.padding is not None and state.padding[key]:
        return f"{key_name} is padding"
    if state.mask == "custom":
        return f"the mask was painted by hand, and hides {key_name} from {query_name}"
    hides = f"hides {key_name} from {query_name}"
    if diagonal_of(state) is not None:
        return f"the causal mask {hides}"
    if state.mask == "window":
        return f"the window of {state.window:,} {hides}, too far away"
    if state.mask == "causal_window":
        place = query + causal_offset(len(state.sequence), len(state.key_sequence), state.align)
        why = "which comes later" if key > place else "too far back"
        return f"the causal window of {state.window:,} {hides}, {why}"
    if state.mask == "prefix":
        return f"the mask {hides}, which comes later and is not in the prefix of {state.prefix:,}"
    if state.mask == "block":
        return f"the mask {hides}, which is in another block of {state.block:,}"
    return f"the mask {MASKS[state.mask].label!r} {hides}"
