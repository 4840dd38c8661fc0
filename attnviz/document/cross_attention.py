"""Turning self-attention into cross-attention and back, and exchanging one of the two lists for another.

What is kept, exactly:

- Both lists, with their positions. A second list that is turned away waits in the state (and in its file) as the
  spare context, and comes back to the last bit. Without one, cross-attention begins with a copy of the sequence, so
  that no number changes; a copy that is turned away unchanged is not kept, since it would be made again.
- Pinned queries. Pinned keys, values, scores and weights, and padding, belong to the keys: they stay where the keys
  stay the same ones, and go where other keys come.
- Painted cells belong to places: those of keys that are there before and after stay, others are allowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from attnviz.document.arrays import FloatArray
from attnviz.document.carried import carried
from attnviz.document.errors import DocumentError
from attnviz.document.interventions import Interventions
from attnviz.document.state import Side, State
from attnviz.document.tokens import TokenSequence


def set_cross(state: State, *, is_cross: bool) -> State:
    """Let the keys come from a list of their own, or from the sequence again; both lists are kept."""
    turned: dict[str, object]
    if is_cross == (state.context is not None):
        return state
    if not is_cross:
        spare, ids = (None, None) if _is_copy(state) else (state.context, state.context_position_ids)
        turned = {"context": None, "spare": spare, "context_position_ids": ids, **_of_the_keys(state, state.sequence)}
    elif state.spare is not None:
        turned = {"context": state.spare, "spare": None, **_of_the_keys(state, state.spare)}
    else:
        turned = {"context": state.sequence, "context_position_ids": state.position_ids}
    return replace(state, **turned)  # type: ignore[arg-type]  # each under the name of its field


def replace_list(state: State, side: Side, tokens: Sequence[str], embeddings: FloatArray) -> State:
    """Exchange the tokens that ask or those that answer for others of the same width; all else stays.

    With other tokens that answer, self-attention becomes cross-attention.

    Raises
    ------
    DocumentError
        If the embeddings have another width than those of the tokens that stay; both are named.
    """
    new = TokenSequence(tuple(tokens), embeddings)
    if sentence := width_mismatch(state, side, new.width):
        raise DocumentError(sentence)
    if side == "context":
        state = set_cross(state, is_cross=True)
    changed: dict[str, object] = {side: new, "plane": None, **carried(state, side, [None] * len(new))}
    return replace(state, **changed)  # type: ignore[arg-type]  # each under the name of its field


def width_mismatch(state: State, side: Side, width: int) -> str:
    """Say in one sentence why embeddings of a width cannot be those of a side; nothing where they can."""
    if width == state.width:
        return ""
    if side == "sequence" and state.context is None and state.spare is None:
        return f"tokens that take the place of others must have their width, {state.width}, got {width}"
    new, old = ("ask", "answer") if side == "sequence" else ("answer", "ask")
    return f"the tokens that {new} must have the width of those that {old}, {state.width}, got {width}"


def _is_copy(state: State) -> bool:
    ids, own = state.context_position_ids, state.position_ids
    if (ids is None) != (own is None) or not state.sequence.is_same(state.context):
        return False
    return ids is None or own is None or np.array_equal(ids, own)


def _of_the_keys(state: State, keys: TokenSequence) -> dict[str, object]:
    """Give what belongs to the keys of a state once others take their place."""
    if keys.is_same(state.key_sequence):
        return {}
    kept: dict[str, object] = {"padding": None, "interventions": Interventions(state.interventions.of("q"))}
    if state.visible is not None:
        n_both = min(len(keys), state.visible.shape[1])
        visible = np.ones((len(state.sequence), len(keys)), dtype=np.bool_)
        visible[:, :n_both] = state.visible[:, :n_both]
        kept["visible"] = visible
    return kept
