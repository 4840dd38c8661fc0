"""The numbers of a matrix read in blocks, each when a cell in it is first looked at."""

from __future__ import annotations

from attnviz.document.arrays import IntArray, every
from attnviz.document.frame import Frame, Stage
from attnviz.document.hidden_cells import hidden_cells
from attnviz.document.matrices import Matrix

_ROWS, _COLUMNS = 64, 32
_MOST_BLOCKS = 64
_STAGES: dict[str, Stage] = {  # that a mask changes
    "masked": "masked",
    "exponential": "exponentials",
    "undropped": "weights",
    "weight": "weights",
}


class Blocks:
    """Reads one matrix of one frame, its rows in some order.

    Parameters
    ----------
    frame, matrix
        What is read.
    places : array of int
        The row of the document for each row asked for.
    """

    def __init__(self, frame: Frame, matrix: Matrix, places: IntArray) -> None:
        self._frame, self._matrix, self._places = frame, matrix, places
        stage = _STAGES.get(matrix.name)
        self._stage = stage if stage is not None and frame.shows_mask(stage) else None
        self._read: dict[tuple[int, int], tuple[list[list[float]], list[list[bool]]]] = {}
        self._columns = every(matrix.shape(frame)[1])

    @property
    def count(self) -> int:
        """How many blocks are in memory."""
        return len(self._read)

    def value(self, row: int, column: int) -> float:
        """Give one number."""
        return self._block(row, column)[0][row % _ROWS][column % _COLUMNS]

    def is_masked(self, row: int, column: int) -> bool:
        """Tell whether the mask took a cell away, in the matrices that the mask changes."""
        return self._stage is not None and self._block(row, column)[1][row % _ROWS][column % _COLUMNS]

    def _block(self, row: int, column: int) -> tuple[list[list[float]], list[list[bool]]]:
        key = row // _ROWS, column // _COLUMNS
        found = self._read.get(key)
        if found is None:
            if len(self._read) >= _MOST_BLOCKS:
                del self._read[next(iter(self._read))]
            rows = self._places[key[0] * _ROWS : (key[0] + 1) * _ROWS]
            columns = self._columns[key[1] * _COLUMNS : (key[1] + 1) * _COLUMNS]
            stage = self._stage
            banned = [] if stage is None else hidden_cells(self._frame, stage, rows, columns).tolist()
            found = self._read[key] = self._matrix.read(self._frame, rows, columns).tolist(), banned
        return found
