"""What is marked in a matrix because somebody pinned a number."""

from __future__ import annotations

from dataclasses import dataclass

from attnviz.document.arrays import BoolArray


@dataclass(frozen=True, slots=True, eq=False)
class PinMarks:
    """What is marked in a matrix.

    Parameters
    ----------
    cells
        The pinned cells, as (row, column).
    rows
        True for each row that holds a number which follows from a pinned one, shape (n_rows,).
    """

    cells: tuple[tuple[int, int], ...]
    rows: BoolArray
