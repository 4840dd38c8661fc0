"""What A, B and B - A look like: three pictures of one matrix on one shared scale."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray, IntArray, every
from attnviz.document.frame import Frame, drawn_limit, has_mixing
from attnviz.document.matrices import MATRICES_BY_NAME, Matrix, Role
from attnviz.views.matrix.of_frame import picture_of
from attnviz.views.matrix.picture import MatrixPicture

_MOST_LOOKED_THROUGH = 1 << 18  # cells; of larger matrices the scale is what the difference cannot exceed


def matrix_for(name: str, *frames: Frame) -> Matrix:
    """Give the matrix that a choice means in some frames: outputs are those of the layer where one mixes its heads."""
    is_of_layer = name == "output" and any(has_mixing(frame) for frame in frames)
    return MATRICES_BY_NAME["layer_output" if is_of_layer else name]


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """One matrix in two frames; made by :meth:`of`.

    Parameters
    ----------
    matrix : Matrix
        What is compared.
    before, now : Frame
        A and B.
    reason : str
        Why they have no difference; empty if they have one.
    apart : (n_rows, n_columns) array or None
        B - A as a whole; ``None`` where there is none, or it has too many entries to look through.
    """

    matrix: Matrix
    before: Frame
    now: Frame
    reason: str
    apart: FloatArray | None

    @classmethod
    def of(cls, matrix: Matrix, before: Frame, now: Frame) -> Comparison:
        """Compare a matrix; the difference is computed here, and only here."""
        first, second = matrix.shape(before), matrix.shape(now)
        if first != second:
            reason = f"B − A needs matrices of one shape, got {_by(first)} in A and {_by(second)} in B"
            return cls(matrix, before, now, reason, None)
        is_small = second[0] * second[1] <= _MOST_LOOKED_THROUGH
        apart = _difference(matrix, before, now, every(second[0]), every(second[1])) if is_small else None
        return cls(matrix, before, now, "", apart)

    @property
    def limit(self) -> float:
        """The end of the scale that A, B and B - A share: no entry of any of them lies beyond it."""
        first, second = self.matrix.limit(self.before), self.matrix.limit(self.now)
        if self.matrix.role == "share" or self.reason:
            return max(first, second)
        if self.apart is None:
            return first + second
        return max(first, second, drawn_limit(float(np.abs(self.apart).max())))

    @property
    def largest(self) -> tuple[float, int, int] | None:
        """The entry of B - A that is farthest from 0, with its row and column; ``None`` if nobody looked for it."""
        if self.apart is None:
            return None
        row, column = np.unravel_index(int(np.abs(self.apart).argmax()), self.apart.shape)
        return float(self.apart[row, column]), int(row), int(column)

    def pictures(self) -> tuple[MatrixPicture, MatrixPicture, MatrixPicture | None]:
        """Make the pictures of A, B and B - A; the last is None where there is no difference.

        Numbers with a sign have the map of the scores in all three, whatever they are: a sign is seen in it.
        """
        limit, role = self.limit, self.matrix.role
        own_role: Role = "share" if role == "share" else "score"
        low = 0.0 if role == "share" else -limit
        first, second = (
            replace(picture_of(self.matrix, frame), limits=(low, limit), role=own_role)
            for frame in (self.before, self.now)
        )
        if self.reason:
            return first, second, None
        third = replace(
            second,
            cells=self._read,
            limits=(-limit, limit),
            role="score",
            banned=None if second.banned is None or first.banned is None else partial(_banned, self.before, self.now),
            empty_rows=None,
            marks=None,
            sentence=None,
        )
        return first, second, third

    def _read(self, rows: IntArray, columns: IntArray) -> FloatArray:
        if self.apart is None:
            return _difference(self.matrix, self.before, self.now, rows, columns)
        part: FloatArray = self.apart[np.ix_(rows, columns)]
        return part


def _difference(matrix: Matrix, before: Frame, now: Frame, rows: IntArray, columns: IntArray) -> FloatArray:
    """Give B - A where some rows and columns cross, shape (n_rows, n_columns)."""
    return matrix.read(now, rows, columns) - matrix.read(before, rows, columns)


def _banned(before: Frame, now: Frame, rows: IntArray, columns: IntArray) -> BoolArray:
    return before.banned(rows, columns) & now.banned(rows, columns)


def _by(shape: tuple[int, int]) -> str:
    return f"{shape[0]:,} × {shape[1]:,}"
