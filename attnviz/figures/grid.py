"""Which rows and columns of a matrix a figure draws, how large its cells are, and which of them are named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnviz.figures.lettering import shortened, text_width

IntArray = NDArray[np.intp]

MAX_DRAWN = 1_000  # rows or columns; of longer ones as many are drawn, evenly spaced
LARGEST_CELL = 64.0
LONGEST_SIDE = 640.0
LABEL_ROOM = 128.0

_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
_LINE = 1.25
_LEVEL_SIZES = (13.0, 12.0, 11.0)


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The drawn part of a matrix.

    Parameters
    ----------
    rows, columns : array of int
        The places in the matrix that are drawn, rising.
    n_query, n_key : int
        The size of the whole matrix.
    cell : float
        The side of a cell in pixels.
    """

    rows: IntArray
    columns: IntArray
    n_query: int
    n_key: int
    cell: float

    @property
    def width(self) -> float:
        """Pixels across."""
        return len(self.columns) * self.cell

    @property
    def height(self) -> float:
        """Pixels down."""
        return len(self.rows) * self.cell

    @property
    def is_sampled(self) -> bool:
        """Whether rows or columns are left out."""
        return len(self.rows) < self.n_query or len(self.columns) < self.n_key


@dataclass(frozen=True, slots=True)
class Labels:
    """The names along one axis.

    Parameters
    ----------
    places : tuple of int
        Which drawn rows or columns are named: their places among the drawn ones.
    names : tuple of str
        Their names in full.
    shown : tuple of str
        The same, shortened to the room there is.
    size : float
        The font size in pixels.
    step : int
        Every how many drawn ones are named.
    is_turned : bool
        Whether the names run upwards.
    extent : float
        How much room they take across the axis, in pixels.
    """

    places: tuple[int, ...]
    names: tuple[str, ...]
    shown: tuple[str, ...]
    size: float
    step: int
    is_turned: bool
    extent: float


def grid_for(n_query: int, n_key: int) -> Grid:
    """Choose what is drawn of a matrix of n_query rows and n_key columns."""
    rows, columns = _drawn(n_query), _drawn(n_key)
    longest = max(len(rows), len(columns))
    cell = min(LARGEST_CELL, LONGEST_SIDE / longest)
    return Grid(rows, columns, n_query, n_key, float(np.floor(cell)) if cell >= 1 else cell)


def row_labels(tokens: Sequence[str], grid: Grid) -> Labels:
    """Choose the names at the left of the rows: as many as fit without overlap."""
    return _labels([tokens[i] for i in grid.rows], grid.cell, is_turned=False)


def column_labels(tokens: Sequence[str], grid: Grid) -> Labels:
    """Choose the names above the columns: level if each fits over its column, else turned and thinned out."""
    names = [tokens[i] for i in grid.columns]
    for size in _LEVEL_SIZES:
        if all(text_width(name, size, is_bold=True) <= grid.cell - 4 for name in names):
            return Labels(tuple(range(len(names))), tuple(names), tuple(names), size, 1, False, size * _LINE)
    return _labels(names, grid.cell, is_turned=True)


def _labels(names: Sequence[str], cell: float, *, is_turned: bool) -> Labels:
    size = _size(cell)
    step = next((s for s in _STEPS if s * cell >= size * _LINE), _STEPS[-1])
    places = tuple(range(0, len(names), step))
    chosen = tuple(names[i] for i in places)
    shown = tuple(shortened(name, size, LABEL_ROOM, is_bold=True) for name in chosen)
    extent = max(text_width(name, size, is_bold=True) for name in shown)
    return Labels(places, chosen, shown, size, step, is_turned, extent)


def _size(cell: float) -> float:
    return 13.0 if cell >= 28 else 12.0 if cell >= 15 else 10.0


def _drawn(count: int) -> IntArray:
    if count <= MAX_DRAWN:
        return np.arange(count)
    return np.rint(np.linspace(0, count - 1, MAX_DRAWN)).astype(np.intp)
