"""What the selection lights in a matrix of a frame, and what pointing into a matrix selects."""

from __future__ import annotations

from attnviz.document.frame import Frame
from attnviz.document.matrices import Matrix
from attnviz.document.number_ref import NumberRef
from attnviz.views.matrix.picture import Highlight
from attnviz.views.selection import Chosen


def place_of(matrix: Matrix, row: int, column: int) -> tuple[int | None, int | None]:
    """Give the query and the key that a row or column label belongs to; a row or column below 0 is none."""
    query = row if matrix.rows == "query" and row >= 0 else None
    if matrix.columns == "key":
        return query, column if column >= 0 else None
    return query, row if matrix.rows == "key" and row >= 0 else None


def highlight_of(matrix: Matrix, frame: Frame, chosen: Chosen) -> Highlight:
    """Give what the selection lights in a matrix.

    Pointing lights the row and the column of what is pointed at, in every matrix that has them; a number lights
    its cell in its own matrix. While nothing is pointed at, vectors have the row of the chosen query or key lit.
    """
    pinned = _pinned_cell(matrix, frame, chosen)
    pointed = _cell_in(matrix, frame, chosen.pointed_number)
    if pointed is not None:
        return Highlight(pinned, *pointed)
    row, column = _pointed_place(matrix, frame, chosen)
    is_pointing = chosen.pointed_query is not None or chosen.pointed_key is not None
    if chosen.is_pinned and not is_pointing and chosen.pointed_number is None and matrix.columns != "key":
        pinned_row = {"query": chosen.query, "key": chosen.key}.get(matrix.rows)
        row = pinned_row if pinned_row is not None and pinned_row < matrix.shape(frame)[0] else None
    return Highlight(pinned, row, column)


def _pointed_place(matrix: Matrix, frame: Frame, chosen: Chosen) -> tuple[int | None, int | None]:
    """Give the lit row and column; an embedding that asks and answers is lit as both."""
    column = chosen.pointed_key if matrix.columns == "key" else None
    if matrix.rows == "key":
        return chosen.pointed_key, column
    if matrix.rows != "query":
        return None, column
    row = chosen.pointed_query
    if row is None and matrix.role == "embedding" and frame.state.context is None:
        row = chosen.pointed_key
    return row, column


def _pinned_cell(matrix: Matrix, frame: Frame, chosen: Chosen) -> tuple[int, int] | None:
    number = _cell_in(matrix, frame, chosen.number)
    if number is not None or not chosen.is_pinned or matrix.columns != "key":
        return number
    return min(chosen.query, frame.n_query - 1), min(chosen.key, frame.n_key - 1)


def _cell_in(matrix: Matrix, frame: Frame, ref: NumberRef | None) -> tuple[int, int] | None:
    """Give the cell of a number if it is one of this matrix."""
    if ref is None or ref.kind != matrix.name or len(ref.indices) != 2:
        return None
    row, column = ref.indices
    rows, columns = matrix.shape(frame)
    return (row, column) if row < rows and column < columns else None
