"""The pixels of cells: squares with gaps, outlines and round corners, from one entry of the colour table each."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from attnviz.appearance import ENTRIES, ByteArray
from attnviz.document.arrays import FloatArray, IntArray
from attnviz.views.matrix.colours import CellColours
from attnviz.views.matrix.geometry import Axis
from attnviz.views.matrix.layout import MatrixLayout
from attnviz.views.matrix.pixels import PixelArray, blended, packed

_SAMPLES = 8


class CellPixels:
    """Fills an array of pixels with the cells of a layout.

    Parameters
    ----------
    pixels
        The array, shape (height of all cells, at least their width); it may go on to the right and below.
    layout, colours
        Where the cells are, and what is between and around them.
    table
        The colour of each entry, shape (255, 3).

    Attributes
    ----------
    drawn
        The entry of each cell that is drawn, shape (n_rows_drawn, n_columns_drawn); to be written before ``fill``.
    """

    def __init__(self, pixels: PixelArray, layout: MatrixLayout, colours: CellColours, table: ByteArray) -> None:
        self._pixels, self._grid = pixels, pixels[: layout.grid.height, : layout.grid.width]
        n_rows, n_columns, border = layout.rows.n_drawn, layout.columns.n_drawn, layout.border
        self._column_source = _outlined(layout.columns, border)
        self._row_source = _outlined(layout.rows, border)
        # Two more entries: the gap, and the outline of a cell.
        between = [colours.panel if border else colours.line, colours.border]
        self._table = packed(np.concatenate([table, between]))
        self._shades = np.empty((n_rows + 2, n_columns + 2), np.uint32)
        # One band of pixels a row of cells, and two more: the gap, and the outline above and below.
        self._places = np.full((n_rows + 2, n_columns + 2), ENTRIES, np.intp)
        self._places[:n_rows, n_columns + 1] = ENTRIES + 1
        self._places[n_rows + 1, :n_columns] = ENTRIES + 1
        self._places[n_rows + 1, n_columns + 1] = ENTRIES + 1
        self._bands = np.empty((n_rows + 2, self._column_source.size), np.uint32)
        self._is_plain = bool(self._row_source.size == n_rows and self._column_source.size == n_columns)
        self.drawn = np.empty((n_rows, n_columns), np.intp) if self._is_plain else self._places[:n_rows, :n_columns]
        self._tall = self._inside_rows(layout) if layout.rows.gap else None
        self._corners = _Corners(layout, colours, table, pixels) if layout.radius else None

    def fill(self) -> None:
        """Paint the cells in the colours of their entries."""
        if self._is_plain:
            self._table.take(self.drawn, out=self._grid, mode="clip")
            return
        self._table.take(self._places, out=self._shades, mode="clip")
        self._shades.take(self._column_source, axis=1, out=self._bands, mode="clip")
        if self._tall is None:
            self._bands.take(self._row_source, axis=0, out=self._grid, mode="clip")
        else:
            self._tall[:] = self._bands[:-2, None]
        if self._corners is not None:
            self._corners.round_off(self.drawn)

    def _inside_rows(self, layout: MatrixLayout) -> PixelArray:
        """Paint what is between the rows, which never changes; give the rest, shape (n_rows, height, width)."""
        rows, border = layout.rows, layout.border
        self._places[: rows.n_drawn, :-2] = 0
        self._table.take(self._places, mode="clip").take(self._column_source, axis=1, out=self._bands, mode="clip")
        self._bands.take(self._row_source, axis=0, out=self._grid, mode="clip")
        height = int(rows.pitch) - rows.gap - 2 * border
        step_y, step_x = self._pixels.strides
        return as_strided(
            self._grid[border:],
            (rows.n_drawn, height, self._grid.shape[1]),
            (int(rows.pitch) * step_y, step_y, step_x),
        )

    def inside(self) -> NDArray[np.bool_]:
        """Say which pixels are in a cell, within its outline; shape (height, width)."""
        n_rows, n_columns = self._places.shape
        return (self._row_source < n_rows - 2)[:, None] & (self._column_source < n_columns - 2)


class _Corners:
    """The few pixels of each cell that are neither wholly cell, outline nor gap."""

    def __init__(self, layout: MatrixLayout, colours: CellColours, table: ByteArray, pixels: PixelArray) -> None:
        self._pixels, stride = pixels.reshape(-1), pixels.shape[1]
        rows, columns = layout.rows, layout.columns
        height, width = int(rows.pitch) - rows.gap, int(columns.pitch) - columns.gap
        outer = _rounded(height, width, layout.radius, 0)
        inner = _rounded(height, width, layout.radius, layout.border)
        y, x = np.indices(outer.shape)
        edge = np.minimum(np.minimum(y, height - 1 - y), np.minimum(x, width - 1 - x))
        plain_inner = (edge >= layout.border).astype(np.float64)
        at = np.nonzero((outer < 1) | (inner != plain_inner))
        pairs, kinds = np.unique(np.stack([outer[at], inner[at]], axis=1), axis=0, return_inverse=True)
        around = blended(colours.panel, colours.border, pairs[:, 0])  # the cell's outline over the gap
        share = np.divide(pairs[:, 1], pairs[:, 0], out=np.zeros(len(pairs)), where=pairs[:, 0] > 0)
        filled = blended(np.broadcast_to(colours.border, (len(pairs), ENTRIES, 3)), table, share[:, None])
        mixed = blended(np.broadcast_to(colours.panel, filled.shape), filled, pairs[:, :1])
        self._table = np.where((share > 0)[:, None], packed(mixed), packed(around)[:, None]).ravel()
        self._kinds = kinds.ravel()[:, None] * ENTRIES  # (n_pixels, 1)
        tops = np.arange(rows.n_drawn) * int(rows.pitch)
        lefts = np.arange(columns.n_drawn) * int(columns.pitch)
        cells = (tops[:, None] * stride + lefts).ravel()
        self._positions = (at[0] * stride + at[1])[:, None] + cells  # (n_pixels, n_cells)
        self._index = np.empty(self._positions.shape, np.intp)

    def round_off(self, drawn: NDArray[np.intp]) -> None:
        np.add(self._kinds, drawn.reshape(-1), out=self._index)
        self._pixels[self._positions] = self._table.take(self._index, mode="clip")


def _rounded(height: int, width: int, radius: int, inset: int) -> FloatArray:
    """How much of each pixel is inside a rounded rectangle, by sampling."""
    y = (np.arange(height * _SAMPLES) + 0.5) / _SAMPLES - height / 2
    x = (np.arange(width * _SAMPLES) + 0.5) / _SAMPLES - width / 2
    inner = max(0, radius - inset)
    over_y = np.maximum(np.abs(y) - (height / 2 - inset - inner), 0)
    over_x = np.maximum(np.abs(x) - (width / 2 - inset - inner), 0)
    inside = over_y[:, None] ** 2 + over_x**2 <= inner**2
    share: FloatArray = inside.reshape(height, _SAMPLES, width, _SAMPLES).mean(axis=(1, 3))
    return share


def _outlined(axis: Axis, border: int) -> IntArray:
    """The axis' source, with the outline of each cell as place ``n_drawn + 1``."""
    source = axis.source()
    if border:
        within = np.arange(axis.extent) % int(axis.pitch)
        size = int(axis.pitch) - axis.gap
        is_outline = (within < border) | ((within >= size - border) & (within < size))
        source = np.where(is_outline, axis.n_drawn + 1, source)
    return source
