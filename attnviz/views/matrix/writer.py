"""The numbers of a matrix, written into its image: all cells at once, and a gutter only when it changed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from attnviz.document.arrays import IntArray
from attnviz.views.matrix.colours import CellColours
from attnviz.views.matrix.geometry import Axis, Box
from attnviz.views.matrix.glyphs import NUMERALS, CodeArray, GlyphAtlas
from attnviz.views.matrix.layout import MatrixLayout
from attnviz.views.matrix.lettering import PaintedText, logical
from attnviz.views.matrix.picture import Gutter, MatrixPicture
from attnviz.views.matrix.pixels import PixelArray, packed
from attnviz.views.matrix.text import codes_as_texts, number_codes

_BLANK = ord(" ")
IN_CELLS = NUMERALS + "infa…"


def number_room(layout: MatrixLayout, atlas: GlyphAtlas) -> int:
    """Say how many characters of a face fit into a cell."""
    return int((layout.columns.pitch - layout.columns.gap - 1) // atlas.advance)


class NumberWriter:
    """Writes texts of one face into the middle of equal cells of an image, a line of a character's pixels at a time.

    Parameters
    ----------
    pixels
        The image; blanks leave it as it is.
    atlas, ink, n_entries
        The glyphs, their pixels as by ``ink_levels``, and how many columns of those are in use.
    rows, columns
        The cells.
    first
        The column of device pixels where the image begins.
    characters
        All that can be in the texts.
    is_aligned
        Shorter texts end where longer ones do; else each is in the middle of its cell.
    """

    def __init__(
        self,
        pixels: PixelArray,
        atlas: GlyphAtlas,
        ink: PixelArray,
        n_entries: int,
        rows: Axis,
        columns: Axis,
        first: int,
        characters: str = IN_CELLS,
        is_aligned: bool = False,
    ) -> None:
        self._is_aligned = is_aligned
        self._atlas, self._rows, self._columns, self._first = atlas, rows, columns, first
        self._stride = pixels.shape[1]
        top, end = _rows_that_fit(atlas, characters, int(rows.pitch) - rows.gap)
        self._top, self._height = top, end - top
        codes = atlas.encode("".join(dict.fromkeys(characters)))
        self._starts = np.zeros(256, np.intp)
        self._starts[codes] = np.arange(len(codes)) * n_entries
        levels = atlas.levels(top, end)[codes]  # (n_characters, height, advance)
        places = levels[:, None] + np.arange(n_entries)[:, None, None]  # (n_characters, n_entries, height, advance)
        colours = ink.reshape(-1)[places]
        line = np.dtype((np.void, atlas.advance * 4))
        self._glyphs = colours.view(line).reshape(len(codes) * n_entries, self._height)
        # One element a pixel, each as long as a character's line: assigning to one paints that line.
        self._lines = np.ndarray((pixels.size - atlas.advance + 1,), line, pixels.data, strides=(4,))
        self._down = np.arange(self._height) * self._stride
        self._places: dict[int, tuple[IntArray, IntArray, IntArray]] = {}
        self._pattern = b""
        self._written = self._written_lines = np.empty(0, np.intp)

    def write(self, codes: CodeArray, under: NDArray[np.intp]) -> None:
        """Write texts (n_rows, n_columns, length), blanks first, on the entries ``under`` (n_rows, n_columns)."""
        length = codes.shape[-1]
        if length not in self._places:
            self._places[length] = self._places_of(length)
        starts, shifts, middle = self._places[length]
        index = self._starts.take(codes)  # (n_rows, n_columns, length)
        index += under[:, :, None]
        has_ink = codes != _BLANK
        if np.logical_and.reduce(has_ink, axis=None):
            self._lines[middle] = self._glyphs.take(index.reshape(-1), axis=0)
            return
        pattern = has_ink.tobytes()
        if pattern != self._pattern:  # it seldom changes from frame to frame
            self._pattern = pattern
            self._written = has_ink.reshape(-1).nonzero()[0]
            n_written = length - has_ink.argmax(axis=2) * (not self._is_aligned)  # blanks inside of a text count
            places = starts + shifts.take(n_written)[:, :, None]  # the first line of each character
            self._written_lines = places.reshape(-1).take(self._written)[:, None] + self._down
        self._lines[self._written_lines] = self._glyphs.take(index.reshape(-1).take(self._written), axis=0)

    def _places_of(self, length: int) -> tuple[IntArray, IntArray, IntArray]:
        """Give where characters begin, how far texts of 0 to ``length`` characters are moved, and all full lines."""
        atlas, rows, columns = self._atlas, self._rows, self._columns
        height, width = int(rows.pitch) - rows.gap, int(columns.pitch) - columns.gap
        above_digits = (height - (atlas.digit_bottom - atlas.digit_top)) // 2
        top = min(max(0, above_digits - (atlas.digit_top - self._top)), height - self._height)
        tops = (_starts(rows) + top) * self._stride
        lefts = columns.origin - self._first + _starts(columns)
        along = np.arange(length) * atlas.advance
        starts = tops[:, None, None] + lefts[:, None] + along  # (n_rows, n_columns, length)
        n_written = np.arange(length + 1)
        shifts = (width - n_written * atlas.advance + 1) // 2 - (length - n_written) * atlas.advance
        return starts, shifts, (starts + shifts[length]).reshape(-1, 1) + self._down


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
        before, _, after = template.partition("{}")
        self._characters = IN_CELLS + before + after
        self._before, self._after = atlas.encode(before), atlas.encode(after)
        self._room = box.width // atlas.advance - len(before) - len(after)
        self._atlas, self._ink, self._rows, self._first, self._box = atlas, colours.gutter_ink, rows, first, box
        self._pixels = pixels
        self._place = pixels[:, box.x - first : box.x - first + box.width]
        self._panel = packed(colours.panel)
        self._writers: dict[int, NumberWriter] = {}
        self._seen: tuple[object, bytes] = (None, b"")
        self._written: tuple[bytes, bytes] | None = None

    def write(self, gutter: Gutter, rows: IntArray) -> None:
        """Write the numbers of these rows."""
        values = gutter.values(rows)
        seen = (gutter.is_alarm, values.tobytes())
        if seen == self._seen:
            return
        self._seen = seen
        numbers = number_codes(values, gutter.digits, self._room)
        alarm = np.zeros(len(values), np.intp) if gutter.is_alarm is None else gutter.is_alarm(values).astype(np.intp)
        written = (numbers.tobytes(), alarm.tobytes())
        if written == self._written:
            return
        self._written = written
        self._place[:] = self._panel
        start, end = len(self._before), len(self._before) + numbers.shape[1]
        codes = np.empty((len(values), 1, end + len(self._after)), np.uint8)
        codes[:, 0, :start] = self._before
        codes[:, 0, start:end] = numbers
        codes[:, 0, end:] = self._after
        self._writer(codes.shape[2]).write(codes, alarm[:, None])

    def _writer(self, length: int) -> NumberWriter:
        if length not in self._writers:
            column = Axis(1, self._box.x, float(length * self._atlas.advance))
            self._writers[length] = NumberWriter(
                self._pixels,
                self._atlas,
                self._ink,
                2,
                self._rows,
                column,
                self._first,
                self._characters,
                is_aligned=True,
            )
        return self._writers[length]


def _starts(axis: Axis) -> IntArray:
    """Give how far from the first cell each drawn cell begins."""
    starts: IntArray = np.rint(np.arange(axis.n_drawn) * axis.pitch).astype(np.intp)
    return starts


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
            marked |= picture.empty_rows(rows)[:, None] & (columns < picture.shape[1] - picture.n_ghosts)
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
