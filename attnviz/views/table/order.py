"""In which order the rows of the table stand: as in the document, by a column, or by their names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attnviz.document.arrays import FloatArray, IntArray, every
from attnviz.document.frame import Frame
from attnviz.document.matrices import Matrix, axis_labels

NAMES = -1  # in the place of a column: the names of the rows
_TOKEN_AXES = frozenset(("query", "key"))


@dataclass(frozen=True, slots=True)
class Order:
    """What the rows are sorted by.

    Parameters
    ----------
    column : int or None
        A column, or :data:`NAMES`; ``None`` for the order of the document.
    is_descending : bool
        Whether the largest comes first.
    """

    column: int | None = None
    is_descending: bool = False

    def after(self, column: int) -> Order:
        """Give the next order when a column is asked for once more: ascending, descending, as in the document."""
        if column != self.column:
            return Order(column)
        return Order() if self.is_descending else Order(column, is_descending=True)

    def places(self, frame: Frame, matrix: Matrix) -> IntArray:
        """Give the row of the document for each row of the table; rows that are equal stay as in the document."""
        n_rows, _ = matrix.shape(frame)
        if self.column is None:
            return every(n_rows)
        if self.column == NAMES:
            return self._by_name(axis_labels(frame, matrix.rows), is_counted=matrix.rows not in _TOKEN_AXES)
        values: FloatArray = matrix.read(frame, every(n_rows), np.array([self.column]))[:, 0]
        return np.argsort(-values if self.is_descending else values, kind="stable")

    def _by_name(self, names: tuple[str, ...], *, is_counted: bool) -> IntArray:
        if is_counted:
            return every(len(names))[:: -1 if self.is_descending else 1]
        found = sorted(range(len(names)), key=lambda row: names[row].casefold(), reverse=self.is_descending)
        return np.array(found, np.intp)
