"""The look-up tables of a matrix: from a number to an entry of the map, and from entries to pixels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from attnviz.appearance import ENTRIES, ByteArray, Theme, ink_on, rgb
from attnviz.document.arrays import FloatArray
from attnviz.document.matrices import Role
from attnviz.views.matrix.pixels import PixelArray, ink_levels
from attnviz.views.role_colours import role_table, signed_table

_LARGEST_EXACT = 1 << 14


@dataclass(frozen=True, slots=True, eq=False)
class CellColours:
    """The look-up tables of one map in one theme.

    Parameters
    ----------
    table
        The map, shape (255, 3).
    ink
        The pixels of text of each coverage on each entry, shape (32, 256).
    gutter_ink
        The same on the panel, for plain and for alarming numbers.
    panel, border, line, hatch
        What is beside, around, between and on masked cells.
    """

    table: ByteArray
    ink: PixelArray
    gutter_ink: PixelArray
    panel: ByteArray
    border: ByteArray
    line: ByteArray
    hatch: ByteArray


@lru_cache(maxsize=32)
def colours_of(theme: Theme, role: Role) -> CellColours:
    """Give the look-up tables of a role in a theme; what was asked before is known."""
    table = role_table(theme, role) if role == "share" else signed_table(theme, role)
    panel = rgb(theme.panel)
    inks = np.array([rgb(theme.muted), rgb(theme.warning)])
    return CellColours(
        table=table,
        ink=ink_levels(table, ink_on(table)),
        gutter_ink=ink_levels(np.array([panel, panel]), inks),
        panel=panel,
        border=rgb(theme.border),
        line=rgb(theme.grid),
        hatch=rgb(theme.hatch),
    )


class EntryFinder:
    """Finds the entry of the colour table for each number, into arrays that are made once.

    Parameters
    ----------
    shape
        The shape of the numbers.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        self._within = np.empty(shape)
        is_large = self._within.size > _LARGEST_EXACT
        self._scaled = np.empty(shape, np.float32) if is_large else self._within

    def find(self, values: FloatArray, limits: tuple[float, float], out: NDArray[np.intp]) -> None:
        """Write 0 to 254 for each number into ``out``; numbers outside the limits take the end's, NaN the lowest.

        Parameters
        ----------
        values
            Any numbers, of the shape given at first.
        limits
            The drawn range, low before high.
        out
            Takes the entries.
        """
        low, high = float(limits[0]), float(limits[1])
        entries_a_unit = (ENTRIES - 1) / 2 / (high / 2 - low / 2)  # halved, so that no range overflows
        np.fmax(values, low, out=self._within)
        np.minimum(self._within, high, out=self._within)
        np.multiply(self._within, entries_a_unit, out=self._scaled, casting="same_kind")
        np.add(self._scaled, 0.5 - low * entries_a_unit, out=self._scaled)
        np.copyto(out, self._scaled, casting="unsafe")
