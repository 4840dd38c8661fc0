"""The colours of the film's matrices as what Qt paints with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QBrush, QColor

from attnviz.appearance import ENTRIES, Theme, ink_on, rgb
from attnviz.document.arrays import FloatArray
from attnviz.film.records import Role
from attnviz.views.matrix.pixels import PixelArray, packed
from attnviz.views.role_colours import role_table


@dataclass(frozen=True, slots=True, eq=False)
class RoleColours:
    """The colours of one kind of matrix in one theme.

    Parameters
    ----------
    is_signed : bool
        Whether the middle of the table is 0; else its beginning is, and signs have one colour.
    fills, inks : tuple of QColor
        The ground of a cell and its text, by entry.
    brushes : tuple of QBrush
        The grounds again, to fill with.
    pixels : (255,) array
        The grounds as pixels.
    hatch : int
        The pixel of a cell that the mask takes away.
    """

    is_signed: bool
    fills: tuple[QColor, ...]
    brushes: tuple[QBrush, ...]
    inks: tuple[QColor, ...]
    pixels: PixelArray
    hatch: np.uint32

    def entries(self, numbers: FloatArray, limit: float | None) -> NDArray[np.intp]:
        """Find the entry of each number.

        Parameters
        ----------
        numbers : array
            Any numbers; infinite ones take the end's entry.
        limit : float or None
            The magnitude of the strongest colour; None for the largest finite one there is.
        """
        if limit is None:
            finite = numbers[np.isfinite(numbers)]
            limit = float(np.abs(finite).max()) if finite.size else 1.0
        with np.errstate(invalid="ignore", over="ignore"):
            parts = np.clip(numbers / (limit or 1.0), -1.0, 1.0)
        shares = (parts + 1.0) / 2.0 if self.is_signed else np.abs(parts)
        return np.asarray(np.rint(np.nan_to_num(shares) * (ENTRIES - 1)), np.intp)


@lru_cache(maxsize=16)
def role_colours(theme: Theme, role: Role) -> RoleColours:
    """Give the colours of a role in a theme."""
    table = role_table(theme, role)
    inks = ink_on(table)
    fills = tuple(QColor(*(int(c) for c in colour)) for colour in table)
    return RoleColours(
        is_signed=role == "score",
        fills=fills,
        brushes=tuple(QBrush(colour) for colour in fills),
        inks=tuple(QColor(*(int(c) for c in colour)) for colour in inks),
        pixels=packed(table),
        hatch=packed(rgb(theme.panel)[np.newaxis] * 0.55 + rgb(theme.hatch)[np.newaxis] * 0.45)[0],
    )
