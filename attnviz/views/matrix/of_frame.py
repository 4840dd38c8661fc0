"""A matrix of a frame as it is drawn, and one of its numbers as a sentence."""

from __future__ import annotations

from functools import partial

import numpy as np

from attnviz.document.arrays import BoolArray, IntArray
from attnviz.document.frame import Frame
from attnviz.document.matrices import AxisName, Matrix, axis_colours, axis_labels
from attnviz.views.matrix.lettering import shown_token
from attnviz.views.matrix.picture import MatrixPicture
from attnviz.views.numbers import number_text
from attnviz.views.pinning import in_brackets, pin_marks, pin_words

_MASKED = ("masked", "exponential", "weight")
_NAMES = {"scaled": "scaled score", "masked": "masked score", "undropped": "weight before dropout"}


def picture_of(matrix: Matrix, frame: Frame) -> MatrixPicture:
    """Make the picture of a matrix, small or large: colours from minus its limit to its limit, shares from 0."""
    limit = matrix.limit(frame)
    is_masked = matrix.name in _MASKED
    return MatrixPicture(
        shape=matrix.shape(frame),
        cells=partial(matrix.read, frame),
        limits=(0.0 if matrix.role == "share" else -limit, limit),
        role=matrix.role,
        row_labels=axis_labels(frame, matrix.rows),
        column_labels=axis_labels(frame, matrix.columns),
        row_colours=axis_colours(frame, matrix.rows),
        column_colours=axis_colours(frame, matrix.columns),
        row_title=_title(matrix, matrix.rows),
        column_title=_title(matrix, matrix.columns),
        banned=frame.banned if is_masked and frame.state.has_mask else None,
        empty_rows=partial(_are_empty, frame) if is_masked else None,
        sentence=partial(sentence_of, matrix, frame),
        marks=pin_marks(frame, matrix.name),
    )


def sentence_of(matrix: Matrix, frame: Frame, row: int, column: int) -> str:
    """Say a number in one sentence, as in ``q of cat, coordinate 2: 0.500``."""
    number = float(matrix.read(frame, np.array([row]), np.array([column]))[0, 0])
    text = "minus infinity, masked" if number == -np.inf else number_text(number)
    text += in_brackets(pin_words(frame, matrix.ref(row, column)))
    rows, columns = axis_labels(frame, matrix.rows), axis_labels(frame, matrix.columns)
    if matrix.columns == "key":
        query, key = shown_token(rows[row]), shown_token(columns[column])
        return f"{_NAMES.get(matrix.name, matrix.name)} of query {query}, key {key}: {text}"
    if matrix.rows in ("coordinate", "channel"):
        return f"{matrix.symbol}, row {row + 1}, column {column + 1}: {text}"
    return f"{matrix.symbol.lower()} of {shown_token(rows[row])}, coordinate {column + 1}: {text}"


def _title(matrix: Matrix, axis: AxisName) -> str:
    if axis not in ("query", "key"):
        return "coordinate"
    if matrix.role == "embedding":
        return "token"
    return "query (from)" if axis == "query" else "key (to)"


def _are_empty(frame: Frame, rows: IntArray) -> BoolArray:
    return frame.empty_rows[rows]
