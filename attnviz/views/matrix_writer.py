"""The numbers of a matrix, written into its image: all cells at once, and a gutter only when it changed."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from attnviz.document.arrays import IntArray
from attnviz.views.colour import PixelArray, packed
from attnviz.views.glyphs import NUMERALS, CodeArray, GlyphAtlas
from attnviz.views.matrix_colours import CellColours
from attnviz.views.matrix_geometry import Axis, Box
from attnviz.views.matrix_layout import MatrixLayout
from attnviz.views.matrix_lettering import PaintedText, logical
from attnviz.views.matrix_picture import Gutter, MatrixPicture
from attnviz.views.matrix_text import codes_as_texts, number_codes


def number_room(layout: MatrixLayout, atlas: GlyphAtlas) -> int:
    """Say how many characters of a face fit into a cell."""
    return int((layout.columns.pitch - layout.columns.gap - 1) // atlas.advance)


class NumberWriter:
    """Writes texts of one face into the middle of equal cells of an image.

    Parameters
    ----------
    pixels
        The image.
    atlas, ink
        The glyphs, and their pixels as by ``ink_levels``.
    rows, columns
        The cells, without fractions of pixels.
    first
        The column of device pixels where the image begins.
    characters
        All that can be in the texts.
    """

    def __init__(
        self,
        pixels: PixelArray,
        atlas: GlyphAtlas,
        ink: PixelArray,
        rows: Axis,
        columns: Axis,
        first: int,
        characters: str = NUMERALS,
    ) -> None:
        self._pixels, self._atlas, self._rows, self._columns, self._first = pixels, atlas, rows, columns, first
        self._inked = _rows_that_fit(atlas, characters, int(rows.pitch) - rows.gap)
        self._levels = atlas.levels(*self._inked)
        self._ink = ink.ravel()
        self._places: dict[int, PixelArray] = {}

    def write(self, codes: CodeArray, under: NDArray[np.intp], leading: NDArray[np.intp] | None = None) -> None:
        """Write texts (n_rows, n_columns, length) on the entries ``under``, without so many ``leading`` blanks."""
        if leading is None:
            self._place(codes.shape[-1])[:] = self._drawn(codes, under)
            return
        for blank in sorted(set(leading.ravel().tolist())):
            rows, columns = np.nonzero(leading == blank)
            index = self._levels.take(codes[rows, columns, blank:], axis=0)  # (n_such, length, height, advance)
            index += under[rows, columns][:, None, None, None]
            drawn = self._ink.take(index, mode="clip").transpose(0, 2, 1, 3)
            self._place(codes.shape[-1] - blank)[rows, :, columns] = drawn

    def _drawn(self, codes: CodeArray, under: NDArray[np.intp]) -> PixelArray:
        index = self._levels.take(codes, axis=0)  # (n_rows, n_columns, length, height, advance)
        index += under[:, :, None, None, None]
        return self._ink.take(index, mode="clip").transpose(0, 3, 1, 2, 4)

    def _place(self, length: int) -> PixelArray:
        """Give the image's pixels of texts of a length, shape (n_rows, height, n_columns, length, advance)."""
        place = self._places.get(length)
        if place is None:
            atlas, rows, columns, (first, end) = self._atlas, self._rows, self._columns, self._inked
            height, width = int(rows.pitch) - rows.gap, int(columns.pitch) - columns.gap
            middle = (atlas.digit_top + atlas.digit_bottom) / 2 - first
            top = min(max(0, round(height / 2 - middle)), height - (end - first))
            left = columns.origin - self._first + (width - length * atlas.advance + 1) // 2
            step_y, step_x = self._pixels.strides
            place = as_strided(
                self._pixels[top:, left:],
                (rows.n_drawn, end - first, columns.n_drawn, length, atlas.advance),
                (int(rows.pitch) * step_y, step_y, int(columns.pitch) * step_x, atlas.advance * step_x, step_x),
            )
            self._places[length] = place
        return place


class GutterColumn:
    """One gutter in the image; it is written anew only when a text or an alarm changed.

    Parameters
    ----------
    pixels, atlas, colours, rows, first
        As for :class:`NumberWriter`.
    box
        Where the gutter is, in device pixels.
    template
        The text of a row.
    """

    def __init__(
        self,
        pixels: PixelArray,
        atlas: GlyphAtlas,
        colours: CellColours,
        rows: Axis,
        box: Box,
        first: int,
        template: str,
    ) -> None:
        self._characters = NUMERALS + template.replace("{}", "")
        self._atlas, self._ink, self._rows, self._first, self._box = atlas, colours.gutter_ink, rows, first, box
        self._pixels = pixels
        self._panel = packed(colours.panel)
        self._writers: dict[int, NumberWriter] = {}
        self._written: tuple[str, bytes, bytes] | None = None

    def write(self, gutter: Gutter, rows: IntArray) -> None:
        """Write the numbers of these rows."""
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

    def _writer(self, length: int) -> NumberWriter:
        if length not in self._writers:
            column = Axis(1, self._box.x, float(length * self._atlas.advance))
            self._writers[length] = NumberWriter(
                self._pixels, self._atlas, self._ink, self._rows, column, self._first, self._characters
            )
        return self._writers[length]


def _rows_that_fit(atlas: GlyphAtlas, characters: str, height: int) -> tuple[int, int]:
    """Give the rows of an atlas that have ink, or as many of them from the top as there is height for."""
    first, end = atlas.inked(characters)
    return first, min(end, first + height)


def texts_of_numbers(
    picture: MatrixPicture, layout: MatrixLayout, atlases: tuple[GlyphAtlas, ...]
) -> list[PaintedText]:
    """List the numbers that stand in cells and gutters, with the boxes of their glyphs.

    Parameters
    ----------
    picture, layout
        What is drawn, and where.
    atlases
        The glyphs of each face.

    Returns
    -------
    list of (text, QRectF)
    """
    found: list[PaintedText] = []
    rows, columns = layout.rows.drawn(), layout.columns.drawn()
    if layout.face is not None:
        atlas = atlases[layout.face]
        room = number_room(layout, atlas)
        marked = np.zeros((len(rows), len(columns)), np.bool_)
        if picture.banned is not None:
            marked |= picture.banned(rows, columns)
        if picture.empty_rows is not None:
            marked |= picture.empty_rows(rows)[:, None]
        values = np.where(marked, 0.0, picture.cells(rows, columns))
        texts = codes_as_texts(number_codes(values.ravel(), layout.digits, room, layout.is_short))
        cells = [layout.cell(row, column) for row in rows.tolist() for column in columns.tolist()]
        for text, cell, is_marked in zip(texts, cells, marked.ravel().tolist(), strict=True):
            if not is_marked:
                found.append((text.strip(), _glyph_box(cell, text.strip(), atlas, layout.ratio)))
    if layout.gutter_face is not None:
        atlas = atlases[layout.gutter_face]
        for gutter, box in zip(picture.gutters, layout.gutters, strict=True):
            if box is None:
                continue
            room = box.width // atlas.advance - len(gutter.template) + 2
            numbers = codes_as_texts(number_codes(gutter.values(rows), gutter.digits, room))
            for row, number in zip(rows.tolist(), numbers, strict=True):
                text = gutter.template.replace("{}", number)
                y, height = layout.rows.span(row)
                place = Box(box.x, y, len(text) * atlas.advance, height)
                found.append((text, _glyph_box(place, text, atlas, layout.ratio)))
    return found


def _glyph_box(cell: Box, text: str, atlas: GlyphAtlas, ratio: float) -> QRectF:
    width, height = len(text) * atlas.advance, atlas.digit_bottom - atlas.digit_top
    return logical(Box(cell.x + (cell.width - width) // 2, cell.y + (cell.height - height) // 2, width, height), ratio)
