"""The record of what the plane shows, in the plane's own units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from attnviz.document.arrays import FloatArray

# Whether it is of the context, and its place in its list.
Token: TypeAlias = tuple[bool, int]


@dataclass(frozen=True, slots=True, eq=False)
class PlaneScene:
    """What the plane shows, in its own units.

    Parameters
    ----------
    points : (n, 2) array
        The embeddings x_i of the sequence.
    context : (m, 2) array
        The embeddings of the context; m = 0 in self-attention.
    outputs : (n, 2) array or None
        The outputs y_i; None where they do not lie in the space of the embeddings.
    hull : (c, 2) array
        The corners of the hull of the values.
    names, context_names : tuple of str
        The tokens.
    query : int
        The query whose weights are drawn as lines.
    weights : (n_key,) array
        Its weights on the keys (the context if there is one, else the points).
    chosen : Token
        Whether the chosen token is of the context, and its place.
    lit : frozenset of (bool, int)
        The tokens that are pointed at.
    key : int or None
        The key whose line is lit.
    note : str
        A line at the bottom, or nothing.
    marked_outputs : tuple of int
        The outputs that follow from pinned numbers.
    compared : (m, 2) array or None
        The outputs of the state that this one is compared with.
    """

    points: FloatArray
    context: FloatArray
    outputs: FloatArray | None
    hull: FloatArray
    names: tuple[str, ...]
    context_names: tuple[str, ...]
    query: int
    weights: FloatArray
    chosen: Token
    lit: frozenset[Token]
    key: int | None
    note: str
    marked_outputs: tuple[int, ...] = ()
    compared: FloatArray | None = None

    @property
    def count(self) -> int:
        """How many tokens there are, of both lists."""
        return len(self.names) + len(self.context_names)

    def name(self, token: Token) -> str:
        """Give the name of a token."""
        return (self.context_names if token[0] else self.names)[token[1]]

    def place(self, token: Token) -> int:
        """Give the place of a token in the sequence followed by the context."""
        return token[1] + (len(self.names) if token[0] else 0)

    def has_new_tokens(self, before: PlaneScene) -> bool:
        """Tell whether there are more tokens than before, or other ones where none was; a new name alone is no news."""
        if (self.names, self.context_names) == (before.names, before.context_names):
            return False
        places, places_before = (
            {tuple(place) for points in (scene.points, scene.context) for place in points.tolist()}
            for scene in (self, before)
        )
        return self.count > before.count or not places <= places_before

    def is_same_but_for(self, token: Token, other: PlaneScene) -> bool:
        """Tell whether this scene has the tokens of ``other`` at the same places, with the exception of one place."""
        return (
            self.names == other.names
            and self.context_names == other.context_names
            and _are_same_but_for(None if token[0] else token[1], self.points, other.points)
            and _are_same_but_for(token[1] if token[0] else None, self.context, other.context)
        )


def _are_same_but_for(place: int | None, points: FloatArray, others: FloatArray) -> bool:
    if points is others:
        return True
    moved = np.flatnonzero(points != others).tolist()  # of the numbers in the order of the rows: two a row
    return all(number // 2 == place for number in moved)
