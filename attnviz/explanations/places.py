"""Where a number belongs: to a query, to a key, to both or to neither, so that all panels light the same thing."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from attnviz.document.frame import Frame
from attnviz.document.number_ref import NumberRef
from attnviz.explanations.kinds import KINDS

Place: TypeAlias = tuple[int | None, int | None]

_SIDES = {"query": 0, "key": 1, "context": 1}
_OF_TOKENS = ("x", "position", "input", "place", "angle")  # in self-attention of both sides
_EMBEDDINGS = (*_OF_TOKENS, "context", "context_position", "context_input", "context_place", "context_angle")


def place_of(frame: Frame, ref: NumberRef) -> Place:
    """Give the query and the key that a number belongs to.

    Parameters
    ----------
    frame : Frame
        Where the number is.
    ref : NumberRef
        Which one it is.

    Returns
    -------
    (int or None, int or None)
        Its row and its column in the matrices of queries by keys; ``None`` for a side that it does not belong to. In
        self-attention an embedding belongs to both: its token asks and answers.

    Raises
    ------
    ValueError
        If there is no such kind of number.
    """
    if ref.kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {ref.kind!r}")
    place: list[int | None] = [None, None]
    for axis, index in zip(KINDS[ref.kind].axes, ref.indices, strict=True):
        if axis in _SIDES:
            place[_SIDES[axis]] = index
        elif axis == "budget":
            place[frame.state.softmax == "columns"] = index
    if ref.kind in _OF_TOKENS and frame.state.context is None:
        place[1] = place[0]
    return place[0], place[1]


def lit_among(
    frame: Frame, refs: Collection[NumberRef], query: int | None, key: int | None, number: NumberRef | None
) -> frozenset[NumberRef]:
    """Choose which of the numbers on a panel are lit while something is pointed at.

    Parameters
    ----------
    frame : Frame
        Where the numbers are.
    refs : collection of NumberRef
        The numbers that are written there.
    query, key : int or None
        The row and the column that are pointed at.
    number : NumberRef or None
        The number that is pointed at; ``None`` for a whole row or column, or a token.

    Returns
    -------
    frozenset of NumberRef
        The number itself if it is among them; else those that belong to the same row and column. Of a whole row or
        column, and of a token, those that belong to it alone, as the coordinates of its query do.
    """
    if number is not None and number in refs:
        return frozenset((number,))
    if query is None and key is None:
        return frozenset()
    if number is not None and number.kind not in _EMBEDDINGS:
        return frozenset(ref for ref in refs if place_of(frame, ref) == (query, key))
    return frozenset(ref for ref in refs if _belongs_to_side(frame, ref, query, key))


def _belongs_to_side(frame: Frame, ref: NumberRef, query: int | None, key: int | None) -> bool:
    own_query, own_key = place_of(frame, ref)
    is_two_sided = own_query is not None and own_key is not None and ref.kind not in _OF_TOKENS
    if is_two_sided:
        return False
    return (own_query is not None and own_query == query) or (own_key is not None and own_key == key)
