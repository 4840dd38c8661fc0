"""A matrix that is being turned: what it was when the gesture began, and how far it has come since."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attnviz.document.arrays import FloatArray
from attnviz.document.matrix_shapes import MATRIX_OPERATIONS


@dataclass(slots=True)
class Turn:
    """A matrix held by its dial.

    Parameters
    ----------
    gesture : int
        The number of the gesture.
    start : (rows, columns) array
        The entries when it began.
    degrees : float
        The angle since then that was asked for last.
    """

    gesture: int
    start: FloatArray
    degrees: float = 0.0

    def explains(self, array: FloatArray) -> bool:
        """Tell whether a matrix is what was asked for."""
        if array.shape != self.start.shape:
            return False
        return np.array_equal(array, MATRIX_OPERATIONS["rotation"].apply(self.start, self.degrees))
