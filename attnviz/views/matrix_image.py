"""The cells of a matrix and their numbers as one 32-bit image, filled by NumPy.

Everything that does not change from frame to frame (which cell is under which pixel, gaps, corners, the
hatched picture) is worked out once a layout; a frame is a few look-ups and one image to paint.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from attnviz.appearance import ENTRIES, ByteArray, Theme, colour_table, ink_on, rgb
from attnviz.views.colour import PixelArray, blended, ink_levels, packed
from attnviz.views.glyphs import CodeArray, GlyphAtlas
from attnviz.views.matrix_layout import Axis, Box, MatrixLayout
from attnviz.views.matrix_picture import BoolArray, FloatArray, Gutter, IntArray, MatrixPicture
from attnviz.views.matrix_text import number_codes

_SAMPLES = 8
_BLANK = ord(" ")


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

    Attributes
    ----------
    image : QImage
        The pixels from the first cell to the last gutter; changed in place by :meth:`draw`.
    drawn_entries, is_banned : array, shape (n_rows_drawn, n_columns_drawn)
        What the last frame showed.
    """

    def __init__(self, layout: MatrixLayout, colours: CellColours, atlases: tuple[GlyphAtlas, ...]) -> None:
        self._layout, self._colours = layout, colours
        self._rows, self._columns = layout.rows.drawn(), layout.columns.drawn()
        grid = layout.grid
        right = max([grid.right, *(box.right for box in layout.gutters if box)])
        self._pixels = np.empty((grid.height, right - grid.x), np.uint32)
        self._grid = self._pixels[:, : grid.width]
        self.image = QImage(
            self._pixels.data, right - grid.x, grid.height, self._pixels.strides[0], QImage.Format.Format_RGB32
        )
        self._pixels[:] = packed(colours.panel)
        self._number_writer, self._number_room = None, 0
        if layout.face is not None:
            atlas, columns = atlases[layout.face], layout.columns
            self._number_room = int((columns.pitch - columns.gap - 2) // atlas.advance)
            self._number_writer = _Writer(self._pixels, atlas, colours.ink, layout.rows, columns, grid.x)
        self._gutters = tuple(
            None
            if box is None or layout.gutter_face is None
            else _GutterColumn(self._pixels, atlases[layout.gutter_face], colours, layout.rows, box, grid.x)
            for box in layout.gutters
        )
        self._row_source = layout.rows.source()
        self._prepare_bands()
        self._corners = _Corners(layout, colours, self._pixels.shape[1]) if layout.radius else None
        self._hatched = self._hatched_picture()
        self.drawn_entries = np.zeros((len(self._rows), len(self._columns)), np.intp)
        self.is_banned: BoolArray | None = None
        self._banned_pixels: BoolArray | None = None

    def draw(self, picture: MatrixPicture) -> None:
        """Fill the image with a picture of the layout's shape."""
        values = picture.cells(self._rows, self._columns)
        banned = self._marked(picture)
        self.drawn_entries = entries(values, picture.limits)
        self._colour(self.drawn_entries)
        self._write_numbers(values, banned)
        self._hatch(banned)
        self._write_gutters(picture)

    def _marked(self, picture: MatrixPicture) -> BoolArray | None:
        banned = None if picture.banned is None else picture.banned(self._rows, self._columns)
        if picture.empty_rows is not None:
            empty = picture.empty_rows(self._rows)
            if empty.any():
                whole = np.broadcast_to(empty[:, None], (len(self._rows), len(self._columns)))
                return whole if banned is None else banned | whole
        return banned if banned is not None and banned.any() else None

    def _prepare_bands(self) -> None:
        """One band of pixels a row of cells, and two more: the gap, and the outline above and below."""
        layout, colours = self._layout, self._colours
        n_rows, n_columns, border = len(self._rows), len(self._columns), layout.border
        gap = colours.panel if border else colours.line
        self._column_source = _outlined(layout.columns, border)
        self._row_source = _outlined(layout.rows, border)
        # The last three entries of the extended table: gap, outline of a cell.
        self._table = np.append(packed(colours.table), [packed(gap), packed(colours.border)]).astype(np.uint32)
        self._places = np.full((n_rows + 2, n_columns + 2), ENTRIES, np.intp)
        self._places[:, n_columns + 1] = ENTRIES + 1
        self._places[n_rows + 1, :n_columns] = ENTRIES + 1
        self._places[n_rows, :] = ENTRIES
        self._bands = np.empty((n_rows + 2, self._column_source.size), np.uint32)
        self._is_plain = bool(self._row_source.size == n_rows and self._column_source.size == n_columns)

    def _colour(self, drawn: NDArray[np.intp]) -> None:
        if self._is_plain:
            self._table.take(drawn, out=self._grid, mode="clip")
            return
        n_rows, n_columns = drawn.shape
        self._places[:n_rows, :n_columns] = drawn
        self._table.take(self._places, mode="clip").take(self._column_source, axis=1, out=self._bands, mode="clip")
        self._bands.take(self._row_source, axis=0, out=self._grid, mode="clip")
        if self._corners is not None:
            self._corners.round_off(self._pixels, drawn)

    def _hatch(self, banned: BoolArray | None) -> None:
        if banned is None:
            self.is_banned = self._banned_pixels = None
            return
        if self._banned_pixels is None or self.is_banned is None or not np.array_equal(banned, self.is_banned):
            self.is_banned = banned.copy()
            rows, columns = self._layout.rows.source(), self._layout.columns.source()
            padded = np.pad(banned, ((0, 1), (0, 1)))
            self._banned_pixels = padded.take(rows, axis=0).take(columns, axis=1)
        np.copyto(self._grid, self._hatched, where=self._banned_pixels)

    def _hatched_picture(self) -> PixelArray:
        colours = self._colours
        plain = replace(colours, table=np.broadcast_to(colours.panel, colours.table.shape))
        self._table, kept = (
            packed(np.concatenate([plain.table, colours.border[None], colours.border[None]])),
            self._table,
        )
        self._table[ENTRIES] = kept[ENTRIES]
        corners = _Corners(self._layout, plain, self._pixels.shape[1]) if self._layout.radius else None
        self._corners, own = corners, self._corners
        self._colour(np.zeros((len(self._rows), len(self._columns)), np.intp))
        self._table, self._corners = kept, own
        picture = self._grid.copy()
        y, x = np.indices(picture.shape)
        period = max(4, 2 * round(2.5 * max(1.0, self._layout.ratio)))
        is_stripe = (x + y) % period < max(1, round(1.2 * self._layout.ratio))
        inside = (self._row_source < len(self._rows))[:, None] & (self._column_source < len(self._columns))
        picture[is_stripe & inside] = packed(self._colours.hatch)
        return picture

    def _write_numbers(self, values: FloatArray, banned: BoolArray | None) -> None:
        layout, writer = self._layout, self._number_writer
        if writer is None:
            return
        shown = values if banned is None else np.where(banned, 0.0, values)
        codes = number_codes(shown.ravel(), layout.digits, self._number_room).reshape(*values.shape, -1)
        is_blank = codes == _BLANK
        leading = is_blank.cumprod(axis=-1).sum(axis=-1) if is_blank.any() else None  # (n_rows, n_columns)
        writer.write(codes, self.drawn_entries, leading)

    def _write_gutters(self, picture: MatrixPicture) -> None:
        for gutter, column in zip(picture.gutters, self._gutters, strict=True):
            if column is not None:
                column.write(gutter, self._rows)


class _GutterColumn:
    """The image of one gutter; it is written anew only when a text or an alarm changed."""

    def __init__(
        self, pixels: PixelArray, atlas: GlyphAtlas, colours: CellColours, rows: Axis, box: Box, first: int
    ) -> None:
        self._atlas, self._ink, self._rows, self._first, self._box = atlas, colours.gutter_ink, rows, first, box
        self._pixels = pixels
        self._panel = packed(colours.panel)
        self._writers: dict[int, _Writer] = {}
        self._written: tuple[str, bytes, bytes] | None = None

    def write(self, gutter: Gutter, rows: IntArray) -> None:
        values = gutter.values(rows)
        before, _, after = gutter.template.partition("{}")
        room = self._box.width // self._atlas.advance - len(before) - len(after)
        numbers = number_codes(values, gutter.digits, room)
        alarm = np.zeros(len(values), np.intp) if gutter.is_alarm is None else gutter.is_alarm(values).astype(np.intp)
        written = (gutter.template, numbers.tobytes(), alarm.tobytes())
        if written == self._written:
            return
        self._written = written
        left = self._box.x - self._first
        self._pixels[:, left : left + self._box.width] = self._panel
        length = len(before) + numbers.shape[1] + len(after)
        codes = np.empty((len(values), 1, length), np.uint8)
        codes[:, 0, : len(before)] = self._atlas.encode(before)
        codes[:, 0, len(before) : length - len(after)] = numbers
        codes[:, 0, length - len(after) :] = self._atlas.encode(after)
        self._writer(length).write(codes, alarm[:, None])

    def _writer(self, length: int) -> _Writer:
        if length not in self._writers:
            column = Axis(1, self._box.x, float(length * self._atlas.advance))
            self._writers[length] = _Writer(self._pixels, self._atlas, self._ink, self._rows, column, self._first)
        return self._writers[length]


class _Corners:
    """The few pixels of each cell that are neither wholly cell, outline nor gap."""

    def __init__(self, layout: MatrixLayout, colours: CellColours, stride: int) -> None:
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
        filled = blended(np.broadcast_to(colours.border, (len(pairs), ENTRIES, 3)), colours.table, share[:, None])
        mixed = blended(np.broadcast_to(colours.panel, filled.shape), filled, pairs[:, :1])
        self._table = np.where((share > 0)[:, None], packed(mixed), packed(around)[:, None]).ravel()
        self._kinds = kinds.ravel()[:, None] * ENTRIES  # (n_pixels, 1)
        tops = np.arange(rows.n_drawn) * int(rows.pitch)
        lefts = np.arange(columns.n_drawn) * int(columns.pitch)
        cells = (tops[:, None] * stride + lefts).ravel()
        self._positions = (at[0] * stride + at[1])[:, None] + cells  # (n_pixels, n_cells)

    def round_off(self, pixels: PixelArray, drawn: NDArray[np.intp]) -> None:
        pixels.reshape(-1)[self._positions] = self._table.take(self._kinds + drawn.ravel())


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


class _Writer:
    """Writes texts of one face into the middle of equal cells of the image."""

    def __init__(
        self, pixels: PixelArray, atlas: GlyphAtlas, ink: PixelArray, rows: Axis, columns: Axis, first: int
    ) -> None:
        self._pixels, self._atlas, self._rows, self._columns, self._first = pixels, atlas, rows, columns, first
        self._ink = ink.ravel()
        self._places: dict[int, PixelArray] = {}

    def write(self, codes: CodeArray, under: NDArray[np.intp], leading: NDArray[np.intp] | None = None) -> None:
        """Write texts (n_rows, n_columns, length) on the entries ``under``, without so many ``leading`` blanks."""
        if leading is None:
            self._place(codes.shape[-1])[:] = self._drawn(codes, under)
            return
        for blank in sorted(set(leading.ravel().tolist())):
            is_such = leading == blank
            place, drawn = self._place(codes.shape[-1] - blank), self._drawn(codes[..., blank:], under)
            np.copyto(place, drawn, where=is_such[:, None, :, None, None])

    def _drawn(self, codes: CodeArray, under: NDArray[np.intp]) -> PixelArray:
        index = self._atlas.levels(codes)  # (n_rows, n_columns, length, height, advance)
        index += under[:, :, None, None, None]
        return self._ink.take(index, mode="clip").transpose(0, 3, 1, 2, 4)

    def _place(self, length: int) -> PixelArray:
        """Give the image's pixels of texts of a length, shape (n_rows, height, n_columns, length, advance)."""
        place = self._places.get(length)
        if place is None:
            atlas, rows, columns = self._atlas, self._rows, self._columns
            height, width = int(rows.pitch) - rows.gap, int(columns.pitch) - columns.gap
            middle = (atlas.digit_top + atlas.digit_bottom) / 2
            top = min(max(0, round(height / 2 - middle)), height - atlas.height)
            left = columns.origin - self._first + (width - length * atlas.advance + 1) // 2
            step_y, step_x = self._pixels.strides
            place = as_strided(
                self._pixels[top:, left:],
                (rows.n_drawn, atlas.height, columns.n_drawn, length, atlas.advance),
                (int(rows.pitch) * step_y, step_y, int(columns.pitch) * step_x, atlas.advance * step_x, step_x),
            )
            self._places[length] = place
        return place
