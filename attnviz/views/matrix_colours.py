"""The look-up tables of a matrix: from a number to an entry of the map, and from entries to pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnviz.appearance import ENTRIES, ByteArray, Theme, colour_table, ink_on, rgb
from attnviz.document.arrays import FloatArray
from attnviz.views.colour import PixelArray, ink_levels


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

    @classmethod
    def of(cls, theme: Theme, is_diverging: bool) -> CellColours:
        """Make the tables of a theme's score map (diverging) or weight map."""
        table = colour_table(theme.score_map if is_diverging else theme.weight_map, is_diverging)
        panel = rgb(theme.panel)
        inks = np.array([rgb(theme.muted), rgb(theme.warning)])
        return cls(
            table=table,
            ink=ink_levels(table, ink_on(table)),
            gutter_ink=ink_levels(np.array([panel, panel]), inks),
            panel=panel,
            border=rgb(theme.border),
            line=rgb(theme.grid),
            hatch=rgb(theme.hatch),
        )


def entries(values: FloatArray, limits: tuple[float, float]) -> NDArray[np.intp]:
    """Give the entry of the colour table for each number; numbers outside the limits take the end's.

    Parameters
    ----------
    values
        Any numbers; NaN takes the lowest entry.
    limits
        The drawn range, low before high.

    Returns
    -------
    array of int, the shape of ``values``
        0 to 254.
    """
    low, high = limits
    with np.errstate(over="ignore"):
        scaled = np.subtract(
            values, low, dtype=np.float32 if values.size > 1 << 14 else np.float64, casting="same_kind"
        )
        scaled *= (ENTRIES - 1) / (high - low)
    scaled += 0.5
    np.fmax(scaled, 0, out=scaled)
    np.fmin(scaled, ENTRIES - 0.5, out=scaled)
    return scaled.astype(np.intp)
