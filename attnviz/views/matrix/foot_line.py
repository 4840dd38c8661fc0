"""A gutter below the cells: its numbers, level or upwards, written aside and laid into the image when they changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from attnviz.document.arrays import IntArray
from attnviz.views.matrix.colours import CellColours
from attnviz.views.matrix.geometry import Axis, Box, Foot
from attnviz.views.matrix.glyphs import GlyphAtlas
from attnviz.views.matrix.layout import MatrixLayout
from attnviz.views.matrix.lettering import PaintedText, logical
from attnviz.views.matrix.picture import Gutter
from attnviz.views.matrix.pixels import PixelArray, packed
from attnviz.views.matrix.text import codes_as_texts, number_codes
from attnviz.views.matrix.writer import IN_CELLS, NumberWriter


class FootLine:
    """One gutter below the cells, in the image.

    Parameters
    ----------
    pixels, corner
        The image, and the device pixel of the widget where it begins.
    atlas, colours
        The glyphs of the foot's face, and the look-up tables.
    columns, foot
        The cells along x, and where the gutter is.
    template
        The text of a column.
    """

    def __init__(
        self,
        pixels: PixelArray,
        atlas: GlyphAtlas,
        colours: CellColours,
        columns: Axis,
        foot: Foot,
        corner: tuple[int, int],
        template: str,
    ) -> None:
        (left, top), box = corner, foot.box
        self._place = pixels[box.y - top : box.bottom - top, box.x - left : box.right - left]
        # Numbers that run upwards are written level, one below the other, and the page is turned by a quarter.
        self._page: PixelArray = np.empty(self._place.T.shape if foot.is_turned else self._place.shape, np.uint32)
        self._foot, self._atlas, self._ink = foot, atlas, colours.gutter_ink
        self._panel = packed(colours.panel)
        self._lines = replace(columns, origin=0)
        self._room = number_room(columns, foot, atlas, template)
        before, _, after = template.partition("{}")
        self._before, self._after = atlas.encode(before), atlas.encode(after)
        self._characters = IN_CELLS + before + after
        self._writers: dict[int, NumberWriter] = {}
        self._written: tuple[bytes, bytes] | None = None

    def write(self, gutter: Gutter, columns: IntArray) -> None:
        """Write the numbers of these columns, if a text or an alarm changed."""
        values = gutter.values(columns)
        numbers = number_codes(values, self._foot.digits, self._room)
        alarm = np.zeros(len(values), np.intp) if gutter.is_alarm is None else gutter.is_alarm(values).astype(np.intp)
        written = (numbers.tobytes(), alarm.tobytes())
        if written == self._written:
            return
        self._written = written
        words = [np.broadcast_to(each, (len(values), len(each))) for each in (self._before, self._after)]
        codes = np.concatenate([words[0], numbers, words[1]], axis=1)
        self._page[:] = self._panel
        across = 1 if self._foot.is_turned else 0
        writer = self._writer(codes.shape[1])
        writer.write(np.expand_dims(codes, across), np.expand_dims(alarm, across))
        self._place[:] = np.rot90(self._page) if self._foot.is_turned else self._page

    def _writer(self, length: int) -> NumberWriter:
        if length not in self._writers:
            height, width = self._page.shape
            rows, columns = Axis(1, 0, float(height)), self._lines
            if self._foot.is_turned:
                long = length * self._atlas.advance
                rows, columns = self._lines, Axis(1, width - long, float(long))
            self._writers[length] = NumberWriter(
                self._page,
                self._atlas,
                self._ink,
                2,
                rows,
                columns,
                0,
                self._characters,
                is_aligned=self._foot.is_turned,
            )
        return self._writers[length]


def number_room(columns: Axis, foot: Foot, atlas: GlyphAtlas, template: str) -> int:
    """Say how many characters a number of a gutter below the cells may have."""
    room = foot.box.height if foot.is_turned else int(columns.pitch) - columns.gap - 1
    return room // atlas.advance - len(template) + 2


def foot_texts(
    gutter: Gutter, foot: Foot, layout: MatrixLayout, atlas: GlyphAtlas, columns: IntArray
) -> list[PaintedText]:
    """List the numbers of a gutter below the cells, with the boxes of their glyphs.

    Parameters
    ----------
    gutter, foot, layout, atlas
        What is drawn, and where, in which glyphs.
    columns
        The columns that are drawn.

    Returns
    -------
    list of (text, QRectF)
    """
    room = number_room(layout.columns, foot, atlas, gutter.template)
    numbers = codes_as_texts(number_codes(gutter.values(columns), foot.digits, room))
    thick = atlas.digit_bottom - atlas.digit_top
    found: list[PaintedText] = []
    for column, number in zip(columns.tolist(), numbers, strict=True):
        text = gutter.template.replace("{}", number.strip())
        x, width = layout.columns.span(column)
        long, y, height = len(text) * atlas.advance, foot.box.y, foot.box.height
        if foot.is_turned:
            box = Box(x + (width - thick) // 2, y, thick, long)
        else:
            box = Box(x + (width - long) // 2, y + (height - thick) // 2, long, thick)
        found.append((text, logical(box, layout.ratio)))
    return found
