"""The cells of a matrix and their numbers as one 32-bit image, filled by NumPy.

Everything that does not change from frame to frame (which cell is under which pixel, gaps, corners, the
hatched picture) is worked out once a layout; a frame is a few look-ups and one image to paint.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from attnviz.appearance import ENTRIES
from attnviz.document.arrays import BoolArray, FloatArray
from attnviz.views.matrix.cells import CellPixels
from attnviz.views.matrix.colours import CellColours, EntryFinder
from attnviz.views.matrix.foot_line import FootLine
from attnviz.views.matrix.geometry import Axis
from attnviz.views.matrix.glyphs import CodeArray, GlyphAtlas
from attnviz.views.matrix.layout import MatrixLayout
from attnviz.views.matrix.picture import MatrixPicture
from attnviz.views.matrix.pixels import PixelArray, packed
from attnviz.views.matrix.text import number_codes
from attnviz.views.matrix.writer import GutterColumn, NumberWriter, number_room

_LARGEST_COMPARED = 4096
_EDGE, _THICKEST_EDGE, _SMALLEST_EDGED = 0.14, 5, 5  # of a cell that is banned and has its number: a share, pixels


class CellImage:
    """The image of all cells and gutters of one layout in one theme.

    Parameters
    ----------
    layout
        Where the cells are.
    colours
        The look-up tables.
    atlases
        The glyphs of each face of the layout's sizes.
    templates
        The text of a row of each gutter.
    foot_templates
        The text of a column of each gutter below the cells.
    has_empty_rows
        False: the pictures are known to have none.

    Attributes
    ----------
    image : QImage
        The pixels from the first cell to the last gutter, right and below; changed in place by :meth:`draw`.
    """

    def __init__(
        self,
        layout: MatrixLayout,
        colours: CellColours,
        atlases: tuple[GlyphAtlas, ...],
        templates: tuple[str, ...],
        foot_templates: tuple[str, ...],
        has_empty_rows: bool,
    ) -> None:
        self._has_empty_rows = has_empty_rows
        self._layout, self._colours = layout, colours
        self._rows, self._columns = layout.rows.drawn(), layout.columns.drawn()
        grid = layout.grid
        right = max([grid.right, *(box.right for box in layout.gutters if box)])
        bottom = max([grid.bottom, *(foot.box.bottom for foot in layout.feet if foot)])
        height, width = bottom - grid.y, right - grid.x
        self._pixels = np.empty((height, width), np.uint32)
        self._grid = self._pixels[: grid.height, : grid.width]
        self.image = QImage(self._pixels.data, width, height, self._pixels.strides[0], QImage.Format.Format_RGB32)
        self._pixels[:] = packed(colours.panel)
        self._number_writer, self._number_room = None, 0
        if layout.face is not None:
            atlas, columns = atlases[layout.face], layout.columns
            self._number_room = number_room(layout, atlas)
            self._number_writer = NumberWriter(self._pixels, atlas, colours.ink, ENTRIES, layout.rows, columns, grid.x)
        self._gutters = tuple(
            None
            if box is None or layout.gutter_face is None
            else GutterColumn(self._pixels, atlases[layout.gutter_face], colours, layout.rows, box, grid.x, template)
            for box, template in zip(layout.gutters, templates, strict=True)
        )
        self._feet = tuple(
            None
            if foot is None
            else FootLine(self._pixels, atlases[foot.face], colours, layout.columns, foot, (grid.x, grid.y), template)
            for foot, template in zip(layout.feet, foot_templates, strict=True)
        )
        if not layout.border:
            line = max(1, int(layout.ratio))
            self._pixels[: grid.height, grid.width : grid.width + line] = packed(colours.border)
            self._pixels[grid.height : grid.height + line, : grid.width + line] = packed(colours.border)
        self._cells = CellPixels(self._pixels, layout, colours, colours.table)
        self._finder = EntryFinder(self._cells.drawn.shape)
        self._shown: tuple[bytes, ...] = ()
        self._banned: BoolArray | None = None
        self._banned_pixels: BoolArray | None = None

    def draw(self, picture: MatrixPicture) -> bool:
        """Fill the image with a picture of the layout's shape; say whether its cells may look other than before."""
        values = picture.cells(self._rows, self._columns)
        banned, leaking = self._marked(picture), self._leaking(picture)
        drawn, codes = self._cells.drawn, self._codes(values, banned)
        self._finder.find(values, picture.limits, drawn)
        is_other = not self._is_shown(drawn, codes, banned, leaking)
        if is_other:
            self._cells.fill()
            if leaking is not None:
                np.copyto(self._grid, self._hatched_picture, where=self._pixels_of(leaking) & self._edges)
            if codes is not None and self._number_writer is not None:
                self._number_writer.write(codes, drawn)
            self._hatch(banned)
        for gutter, column in zip(picture.gutters, self._gutters, strict=True):
            if column is not None:
                column.write(gutter, self._rows)
        for foot, line in zip(picture.feet, self._feet, strict=True):
            if line is not None:
                line.write(foot, self._columns)
        return is_other

    def _codes(self, values: FloatArray, banned: BoolArray | None) -> CodeArray | None:
        if self._number_writer is None:
            return None
        shown = values if banned is None else np.where(banned, 0.0, values)
        codes = number_codes(shown.reshape(-1), self._layout.digits, self._number_room, self._layout.is_short)
        return codes.reshape(*values.shape, -1)

    def _is_shown(self, drawn: NDArray[np.intp], codes: CodeArray | None, *marks: BoolArray | None) -> bool:
        """Say whether the image shows these cells already; asked only where that is quicker than to fill it."""
        if drawn.size > _LARGEST_COMPARED:
            return False
        written = b"" if codes is None else codes.tobytes()
        shown = (drawn.tobytes(), written, *[b"" if marked is None else marked.tobytes() for marked in marks])
        is_same = shown == self._shown
        self._shown = shown
        return is_same

    def _marked(self, picture: MatrixPicture) -> BoolArray | None:
        banned = None if picture.banned is None else picture.banned(self._rows, self._columns)
        if self._has_empty_rows and picture.empty_rows is not None:
            empty = picture.empty_rows(self._rows)
            if empty.any():
                whole = empty[:, None] & (self._columns < picture.shape[1] - picture.n_ghosts)
                return whole if banned is None else banned | whole
        return banned if banned is not None and banned.any() else None

    def _leaking(self, picture: MatrixPicture) -> BoolArray | None:
        leaking = None if picture.leaking is None else picture.leaking(self._rows, self._columns)
        return leaking if leaking is not None and leaking.any() else None

    def _hatch(self, banned: BoolArray | None) -> None:
        if banned is None:
            self._banned = self._banned_pixels = None
            return
        if self._banned_pixels is None or self._banned is None or not np.array_equal(banned, self._banned):
            self._banned = banned.copy()
            self._banned_pixels = self._pixels_of(banned)
        np.copyto(self._grid, self._hatched_picture, where=self._banned_pixels)

    def _pixels_of(self, marked: BoolArray) -> BoolArray:
        """Tell which pixels are in marked cells, shape (height, width)."""
        padded = np.pad(marked, ((0, 1), (0, 1)))
        pixels: BoolArray = padded.take(self._layout.rows.source(), axis=0).take(self._layout.columns.source(), axis=1)
        return pixels

    @cached_property
    def _edges(self) -> BoolArray:
        """Which pixels are at the edge of their cell, shape (height, width)."""
        return _near_edge(self._layout.rows)[:, None] | _near_edge(self._layout.columns)

    @cached_property
    def _hatched_picture(self) -> PixelArray:
        """All cells hatched."""
        layout, colours = self._layout, self._colours
        picture = np.empty((layout.grid.height, layout.grid.width), np.uint32)
        cells = CellPixels(picture, layout, colours, np.broadcast_to(colours.panel, colours.table.shape))
        cells.drawn[:] = 0
        cells.fill()
        y, x = np.indices(picture.shape)
        period = max(4, 2 * round(2.5 * max(1.0, layout.ratio)))
        is_stripe = (x + y) % period < max(1, round(1.2 * layout.ratio))
        picture[is_stripe & cells.inside()] = packed(colours.hatch)
        return picture


def _near_edge(axis: Axis) -> BoolArray:
    """Tell which pixels along an axis are near the edge of their cell; none where cells have no room for an edge."""
    size = int(axis.pitch) - axis.gap
    edge = 0 if size < _SMALLEST_EDGED else min(_THICKEST_EDGE, max(1, round(_EDGE * size)))
    starts = np.rint(np.arange(axis.n_drawn) * axis.pitch)
    within = np.arange(axis.extent) - starts[np.minimum(axis.source(), axis.n_drawn - 1)]
    near: BoolArray = (within < edge) | (within >= size - edge)
    return near
