"""A matrix of a frame as it is drawn, and one of its numbers as a sentence."""

from __future__ import annotations

from functools import partial

import numpy as np

from attnviz.document.frame import Frame, Stage
from attnviz.document.hidden_cells import hidden_cells, hidden_rows, leaking_cells, may_leak
from attnviz.document.matrices import AxisName, Matrix, axis_colours, axis_labels
from attnviz.views.matrix.lettering import shown_token
from attnviz.views.matrix.picture import MatrixPicture
from attnviz.views.numbers import number_text
from attnviz.views.pinning import in_brackets, pin_marks, pin_words

_STAGES: dict[str, Stage] = {  # that a mask changes
    "masked": "masked",
    "exponential": "exponentials",
    "undropped": "weights",
    "weight": "weights",
}
_NAMES = {"scaled": "scaled score", "masked": "masked score", "undropped": "weight before dropout"}


def picture_of(matrix: Matrix, frame: Frame) -> MatrixPicture:
    """Make the picture of a matrix, small or large: colours from minus its limit to its limit, shares from 0."""
    limit = matrix.limit(frame)
    stage = _STAGES.get(matrix.name)
    is_hidden = stage is not None and frame.shows_mask(stage)
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
        banned=partial(hidden_cells, frame, stage) if stage and is_hidden else None,
        empty_rows=partial(hidden_rows, frame, stage) if stage and is_hidden else None,
        leaking=partial(leaking_cells, frame, stage) if stage and may_leak(frame, stage) else None,
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
