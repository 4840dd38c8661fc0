"""What a step of the film is: where in the computation it stands, and what is known after it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from attnviz.document.arrays import BoolArray

Stage: TypeAlias = Literal["project", "score", "scale", "mask", "softmax", "output", "concatenate", "combine"]
Part: TypeAlias = Literal[
    "query",
    "key",
    "value",
    "dot",
    "scale",
    "mask",
    "subtract",
    "exponentiate",
    "sum",
    "divide",
    "mix",
    "arrive",
    "join",
    "contribute",
    "complete",
]
Unit: TypeAlias = Literal["term", "cell", "row", "block"]

PARTS: tuple[Part, ...] = (
    "query",
    "key",
    "value",
    "dot",
    "scale",
    "mask",
    "subtract",
    "exponentiate",
    "sum",
    "divide",
    "mix",
    "arrive",
)
# What is done to the outputs of all heads, where there are several or a W_O.
LAYER_PARTS: tuple[Part, ...] = ("join", "contribute", "complete")
_PLACES = {part: place for place, part in enumerate((*PARTS, *LAYER_PARTS))}


@dataclass(frozen=True, slots=True)
class Reach:
    """How much of a matrix is known: whole rows first, then the beginning of the rows that are being filled.

    Rows are counted in the film: in a film of one query its row is row 0.

    Parameters
    ----------
    above : int
        Rows before this one are known whole.
    below : int
        Rows from ``above`` to before this one are known in part.
    columns : int
        How many columns of the rows in between are known.
    """

    above: int = 0
    below: int = 0
    columns: int = 0

    def covers(self, row: int, column: int) -> bool:
        """Tell whether a cell is known."""
        return row < self.above or (row < self.below and column < self.columns)

    def whole_rows(self, n_columns: int) -> int:
        """Give how many rows are known whole, where each has ``n_columns``."""
        return self.below if self.columns >= n_columns else self.above

    def mask(self, n_rows: int, n_columns: int) -> BoolArray:
        """Give for every cell of a matrix whether it is known, shape (n_rows, n_columns)."""
        known = np.zeros((n_rows, n_columns), dtype=np.bool_)
        known[: self.above] = True
        known[self.above : self.below, : self.columns] = True
        return known


NOTHING = Reach()


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the film.

    Parameters
    ----------
    index : int
        Its place in the film, from 0.
    stage : Stage
        Which of the stages it belongs to.
    part : Part
        What is done.
    rows : range
        The queries it is about, as the document counts them.
    columns : range
        The keys it is about; empty while queries are made, and after the outputs of the heads.
    term : int or None
        Which product of a dot product is added, from 0; None where whole cells are made.
    n_terms : int
        How many products that dot product has.
    unit : Unit
        How much one step covers: a term of a sum, a cell, a row, or a block of either.
    all_rows : range
        All queries of the film.
    n_key : int
        The number of keys.
    reaches : tuple of Reach
        What is known after the step, for each of the parts in their order; columns are heads after the outputs.
    number : int
        Which stage of its film it belongs to, counted from 1.
    heads : range
        The heads it is about, once each has its outputs; empty before.
    """

    index: int
    stage: Stage
    part: Part
    rows: range
    columns: range
    term: int | None
    n_terms: int
    unit: Unit
    all_rows: range
    n_key: int
    reaches: tuple[Reach, ...]
    number: int = 1
    heads: range = range(0)

    @property
    def row(self) -> int:
        """The last query it is about: the one whose numbers are shown."""
        return self.rows[-1]

    @property
    def is_single(self) -> bool:
        """Whether the film is about one query alone."""
        return len(self.all_rows) == 1

    @property
    def is_of_layer(self) -> bool:
        """Whether it is about the outputs of all heads."""
        return self.part in LAYER_PARTS

    def reach(self, part: Part) -> Reach:
        """Give what is known of the result of a part: nothing of one that is not in the film."""
        place = _PLACES[part]
        return self.reaches[place] if place < len(self.reaches) else NOTHING
