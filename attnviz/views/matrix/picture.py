"""What a matrix on screen shows: one record of numbers, names and marks, and one of what is lit up.

The record asks for its numbers by rows and columns, so that a matrix with millions of cells costs only the
cells that are under pixels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from attnviz.document.arrays import BoolArray, FloatArray, IntArray
from attnviz.document.matrices import Role
from attnviz.views.matrix.pin_marks import PinMarks

MUTED = -1  # in the place of a token's colour


@dataclass(frozen=True, slots=True, eq=False)
class Gutter:
    """One number a row, right of the matrix; or one a column, below it.

    Parameters
    ----------
    title
        Words above the numbers, or left of them; may be empty.
    values
        Gives the numbers of the asked rows or columns, shape (n_asked,).
    template
        The text of one number, with ``{}`` where the number stands, as in ``"Σ {}"``.
    digits
        Digits after the point.
    is_alarm
        Says of the numbers given by ``values`` which are drawn in the warning colour.
    name
        Its identifier, by which the view's signals speak of it.
    tip
        What it means, for the tooltip.
    sentence
        Says the number of a row or column for a screen reader. None: its name and the number.
    """

    title: str
    values: Callable[[IntArray], FloatArray]
    template: str = "{}"
    digits: int = 3
    is_alarm: Callable[[FloatArray], BoolArray] | None = None
    name: str = ""
    tip: str = ""
    sentence: Callable[[int], str] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MatrixPicture:
    """A matrix with everything that is drawn around it.

    Parameters
    ----------
    shape
        Rows (queries) and columns (keys), both at least 1.
    cells
        Gives the exact numbers at the asked rows and columns, shape (n_rows_asked, n_columns_asked).
    limits
        The drawn range, low before high; the legend says the same.
    role
        What the matrix is: scores and shares have their colour maps of the theme, all others tints of one colour, as
        strong as a number is far from 0.
    row_labels, column_labels
        One token a row and a column, or the number of a coordinate.
    row_colours, column_colours
        The index of each token's colour, as for ``Theme.token``, or :data:`MUTED`; None for coordinates, which are
        muted.
    row_title, column_title
        The names of the two axes.
    banned
        True where a cell is masked: hatched, without number. None: nothing is masked.
    empty_rows
        True for a row without a visible key. None: there is none.
    leaking
        True where the mask bans a cell that has its number all the same: its border is hatched. None: there is none.
    gutters
        Numbers right of the matrix, one a row; where there is no room, the last are left out first.
    feet
        Numbers below the matrix, one a column.
    digits
        Digits after the point of the numbers in cells, where there is room.
    marks
        The pinned cells and the rows that follow from pinned numbers. None: nothing is marked.
    n_ghosts
        How many of the last columns are none of the matrix: dashes run around them, and they are never hatched.
    sentence
        Says a cell for a screen reader, given its row and column. None: its names and its number.

    Raises
    ------
    ValueError
        If the shape has no cell, labels or colours do not fit it, or the limits are not finite and rising.
    """

    shape: tuple[int, int]
    cells: Callable[[IntArray, IntArray], FloatArray]
    limits: tuple[float, float]
    role: Role
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    row_colours: tuple[int, ...] | None
    column_colours: tuple[int, ...] | None
    row_title: str = "query (from)"
    column_title: str = "key (to)"
    banned: Callable[[IntArray, IntArray], BoolArray] | None = None
    empty_rows: Callable[[IntArray], BoolArray] | None = None
    leaking: Callable[[IntArray, IntArray], BoolArray] | None = None
    gutters: tuple[Gutter, ...] = ()
    feet: tuple[Gutter, ...] = ()
    digits: int = 3
    marks: PinMarks | None = None
    n_ghosts: int = 0
    sentence: Callable[[int, int], str] | None = None

    def __post_init__(self) -> None:
        rows, columns = self.shape
        if rows < 1 or columns < 1:
            raise ValueError(f"a matrix needs at least one row and one column, got shape ({rows}, {columns})")
        _check("row_labels", self.row_labels, rows)
        _check("row_colours", self.row_colours, rows)
        _check("column_labels", self.column_labels, columns)
        _check("column_colours", self.column_colours, columns)
        low, high = self.limits
        if not -inf < low < high < inf:
            raise ValueError(f"limits must be finite and rising, got ({low}, {high})")


@dataclass(frozen=True, slots=True)
class Highlight:
    """What is lit up in a matrix.

    Parameters
    ----------
    pinned
        The cell with the accent frame, as (row, column).
    row, column
        The row and the column of the crosshair; None: no line that way.
    """

    pinned: tuple[int, int] | None = None
    row: int | None = None
    column: int | None = None


def _check(name: str, entries: tuple[str, ...] | tuple[int, ...] | None, expected: int) -> None:
    if entries is not None and len(entries) != expected:
        raise ValueError(f"{name} must have {expected} entries, got {len(entries)}")
