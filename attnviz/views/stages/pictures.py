"""A matrix of a frame as it is drawn, what of it is lit, and one of its numbers as a sentence."""

from __future__ import annotations

from functools import partial

import numpy as np

from attnviz.document.arrays import BoolArray, IntArray
from attnviz.document.frame import Frame
from attnviz.document.matrices import AxisName, Matrix, Role, axis_colours, axis_labels
from attnviz.document.number_ref import NumberRef
from attnviz.views.matrix.lettering import shown_token
from attnviz.views.matrix.picture import Highlight, MatrixPicture, Scale
from attnviz.views.numbers import number_text
from attnviz.views.pinning import in_brackets, pin_marks, pin_words
from attnviz.views.selection import Chosen

_MASKED = ("masked", "exponential", "weight")
_NAMES = {"scaled": "scaled score", "masked": "masked score"}


def picture_of(matrix: Matrix, frame: Frame) -> MatrixPicture:
    """Make the picture of a matrix, small or large: colours from minus its limit to its limit, shares from 0."""
    limit = matrix.limit(frame)
    is_masked = matrix.name in _MASKED
    return MatrixPicture(
        shape=matrix.shape(frame),
        cells=partial(matrix.read, frame),
        limits=(0.0 if matrix.role == "share" else -limit, limit),
        scale=_scale(matrix.role),
        row_labels=axis_labels(frame, matrix.rows),
        column_labels=axis_labels(frame, matrix.columns),
        row_colours=axis_colours(frame, matrix.rows),
        column_colours=axis_colours(frame, matrix.columns),
        row_title=_title(matrix, matrix.rows),
        column_title=_title(matrix, matrix.columns),
        banned=frame.banned if is_masked and frame.state.is_causal else None,
        empty_rows=partial(_are_empty, frame) if is_masked else None,
        sentence=partial(sentence_of, matrix, frame),
        marks=pin_marks(frame, matrix.name),
    )


def place_of(matrix: Matrix, row: int, column: int) -> tuple[int | None, int | None]:
    """Give the query and the key that a row or column label belongs to; a row or column below 0 is none."""
    query = row if matrix.rows == "query" and row >= 0 else None
    if matrix.columns == "key":
        return query, column if column >= 0 else None
    return query, row if matrix.rows == "key" and row >= 0 else None


def highlight_of(matrix: Matrix, frame: Frame, chosen: Chosen) -> Highlight:
    """Give what the selection lights in a matrix.

    Pointing lights the row and the column of what is pointed at, in every matrix that has them; a number lights
    its cell in its own matrix. While nothing is pointed at, vectors have the row of the pinned query or key lit.
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


def sentence_of(matrix: Matrix, frame: Frame, row: int, column: int) -> str:
    """Say a number in one sentence, as in ``q of cat, coordinate 2: 0.500``."""
    number = float(matrix.read(frame, np.array([row]), np.array([column]))[0, 0])
    text = "minus infinity, masked" if number == -np.inf else number_text(number)
    text += in_brackets(pin_words(frame, matrix.ref(row, column)))
    rows, columns = axis_labels(frame, matrix.rows), axis_labels(frame, matrix.columns)
    if matrix.columns == "key":
        query, key = shown_token(rows[row]), shown_token(columns[column])
        return f"{_NAMES.get(matrix.name, matrix.name)} of query {query}, key {key}: {text}"
    if matrix.rows == "coordinate":
        return f"{matrix.symbol}, row {row + 1}, column {column + 1}: {text}"
    return f"{matrix.symbol.lower()} of {shown_token(rows[row])}, coordinate {column + 1}: {text}"


def _scale(role: Role) -> Scale:
    if role == "score":
        return "diverging"
    return "sequential" if role == "share" else role


def _title(matrix: Matrix, axis: AxisName) -> str:
    if axis not in ("query", "key"):
        return "coordinate"
    if matrix.role == "embedding":
        return "token"
    return "query (from)" if axis == "query" else "key (to)"


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


def _are_empty(frame: Frame, rows: IntArray) -> BoolArray:
    return frame.empty_rows[rows]
