"""The three matrices of the laboratory: the outputs of reordered tokens, the reordered outputs, their difference."""

from __future__ import annotations

from functools import partial

import numpy as np

from attnviz.document.arrays import FloatArray, IntArray
from attnviz.document.frame import Frame, drawn_limit
from attnviz.document.permutation import Equivariance
from attnviz.views.matrix.lettering import shown_token
from attnviz.views.matrix.picture import MatrixPicture
from attnviz.views.numbers import number_text

TITLES = {
    "sequence": ("f(PX): tokens shuffled", "P f(X): outputs shuffled", "f(PX) − P f(X)"),
    "context": ("f(X; PC): keys shuffled", "f(X; C): keys as they are", "f(X; PC) − f(X; C)"),
}


def pictures_of(found: Equivariance, frame: Frame) -> tuple[MatrixPicture, MatrixPicture, MatrixPicture]:
    """Make the pictures; each row has name and colour of its token, and all have one range unless rounding is over."""
    largest = max(float(np.abs(found.of_reordered).max()), float(np.abs(found.reordered).max()))
    limit = drawn_limit(largest)
    of_gap = limit if found.is_equivariant else drawn_limit(found.largest)
    shown = zip((found.of_reordered, found.reordered, found.difference), (limit, limit, of_gap), strict=True)
    first, second, third = (_picture(rows, end, found, frame) for rows, end in shown)
    return first, second, third


def _picture(rows: FloatArray, limit: float, found: Equivariance, frame: Frame) -> MatrixPicture:
    names = tuple(frame.query_tokens[token] for token in found.rows)
    return MatrixPicture(
        shape=(rows.shape[0], rows.shape[1]),
        cells=partial(_cells, rows),
        limits=(-limit, limit),
        role="score",
        row_labels=names,
        column_labels=tuple(str(place) for place in range(1, rows.shape[1] + 1)),
        row_colours=found.rows,
        column_colours=None,
        row_title="token",
        column_title="coordinate",
        sentence=partial(_sentence, rows, names),
    )


def _cells(rows: FloatArray, asked_rows: IntArray, asked_columns: IntArray) -> FloatArray:
    part: FloatArray = rows[np.ix_(asked_rows, asked_columns)]
    return part


def _sentence(rows: FloatArray, names: tuple[str, ...], row: int, column: int) -> str:
    return f"{shown_token(names[row])}, coordinate {column + 1}: {number_text(float(rows[row, column]))}"
