"""What A, B and B - A look like: three pictures of one matrix on one shared scale."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray, IntArray, every
from attnviz.document.frame import Frame, drawn_limit
from attnviz.document.matrices import Matrix
from attnviz.views.matrix.of_frame import picture_of
from attnviz.views.matrix.picture import MatrixPicture

_MOST_LOOKED_THROUGH = 1 << 18  # cells; of larger matrices the scale is what the difference cannot exceed


def why_not(matrix: Matrix, before: Frame, now: Frame) -> str:
    """Say why two frames have no difference in a matrix; empty if they have one."""
    first, second = matrix.shape(before), matrix.shape(now)
    if first == second:
        return ""
    return f"B − A needs matrices of one shape, got {_by(first)} in A and {_by(second)} in B"


def shared_limit(matrix: Matrix, before: Frame, now: Frame) -> float:
    """Give the end of the scale that A, B and B - A share: no entry of any of them lies beyond it."""
    limit = max(matrix.limit(before), matrix.limit(now))
    if matrix.role == "share" or why_not(matrix, before, now):
        return limit
    rows, columns = matrix.shape(now)
    if rows * columns > _MOST_LOOKED_THROUGH:
        return matrix.limit(before) + matrix.limit(now)
    apart = difference(matrix, before, now, every(rows), every(columns))
    return max(limit, drawn_limit(float(np.abs(apart).max())))


def difference(matrix: Matrix, before: Frame, now: Frame, rows: IntArray, columns: IntArray) -> FloatArray:
    """Give B - A where some rows and columns cross, shape (n_rows, n_columns)."""
    return matrix.read(now, rows, columns) - matrix.read(before, rows, columns)


def pictures(matrix: Matrix, before: Frame, now: Frame) -> tuple[MatrixPicture, MatrixPicture, MatrixPicture | None]:
    """Make the pictures of A, B and B - A; the last is None where there is no difference."""
    limit = shared_limit(matrix, before, now)
    low = 0.0 if matrix.role == "share" else -limit
    first, second = (replace(picture_of(matrix, frame), limits=(low, limit)) for frame in (before, now))
    if why_not(matrix, before, now):
        return first, second, None
    third = replace(
        second,
        cells=partial(difference, matrix, before, now),
        limits=(-limit, limit),
        role="score",
        banned=None if second.banned is None or first.banned is None else partial(_banned, before, now),
        empty_rows=None,
        marks=None,
        sentence=None,
    )
    return first, second, third


def largest_difference(matrix: Matrix, before: Frame, now: Frame) -> tuple[float, int, int]:
    """Give the entry of B - A that is farthest from 0, with its row and column."""
    rows, columns = matrix.shape(now)
    apart = difference(matrix, before, now, every(rows), every(columns))
    row, column = np.unravel_index(int(np.abs(apart).argmax()), apart.shape)
    return float(apart[row, column]), int(row), int(column)


def _banned(before: Frame, now: Frame, rows: IntArray, columns: IntArray) -> BoolArray:
    return before.banned(rows, columns) & now.banned(rows, columns)


def _by(shape: tuple[int, int]) -> str:
    return f"{shape[0]:,} × {shape[1]:,}"
