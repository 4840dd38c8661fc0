"""The parts a matrix on screen is laid out from: boxes, measured texts, and the cells along one direction."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

import numpy as np

from attnviz.document.arrays import IntArray, every


class Box(NamedTuple):
    """A rectangle in device pixels."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first pixel right of it."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first pixel below it."""
        return self.y + self.height


class NumberFace(NamedTuple):
    """One size in which numbers can be written: the box of a character, and the height of a digit in it."""

    advance: int
    height: int
    digit_height: int


class NumberWay(NamedTuple):
    """One way to write numbers: digits after the point, characters that takes, and whether ``0.4`` becomes ``.4``."""

    digits: int
    characters: int
    is_short: bool = False


class LabelFace(NamedTuple):
    """One size in which tokens can be written: the height of a line, and the width of each row's and column's token."""

    line: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]


class GutterSize(NamedTuple):
    """What a gutter needs: the width of its title, of the title's longest word, and characters of its rows."""

    title: int
    word: int
    characters: int


class FootSize(NamedTuple):
    """What a gutter below the cells needs: the width of its title, and the ways its numbers can be written."""

    title: int
    ways: tuple[NumberWay, ...]


class Foot(NamedTuple):
    """Where a gutter below the cells is, in which face, with how many digits, and whether its numbers run upwards."""

    box: Box
    face: int
    digits: int
    is_turned: bool


@dataclass(frozen=True, slots=True)
class TextSizes:
    """How large the texts of a matrix are, in device pixels.

    Parameters
    ----------
    small_line, character
        Height of a line of titles, legend and notes, and the width of a character there.
    labels
        Sizes for token labels, the most comfortable first.
    row_title, column_title, arrow
        Widths of the axis titles, and of the arrow added to them in the corner.
    gutters
        What each gutter needs.
    legend
        Width of the wider legend text.
    faces
        Sizes for numbers, largest first.
    numbers
        Ways to write numbers, best first.
    feet
        What each gutter below the cells needs.
    """

    small_line: int
    character: int
    labels: tuple[LabelFace, ...]
    row_title: int
    column_title: int
    arrow: int
    gutters: tuple[GutterSize, ...]
    legend: int
    faces: tuple[NumberFace, ...]
    numbers: tuple[NumberWay, ...]
    feet: tuple[FootSize, ...] = ()


@dataclass(frozen=True, slots=True)
class Axis:
    """The cells along one direction.

    Parameters
    ----------
    count
        Cells of the matrix.
    origin
        The first pixel.
    pitch
        Pixels from one drawn cell to the next; a whole number if there is a gap.
    gap
        Pixels between two cells.
    stride
        One of so many cells is drawn.
    """

    count: int
    origin: int
    pitch: float
    gap: int = 0
    stride: int = 1

    @property
    def n_drawn(self) -> int:
        """How many cells are drawn."""
        return ceil(self.count / self.stride)

    @property
    def extent(self) -> int:
        """Pixels from the first cell's start to the last cell's end."""
        return max(1, round(self.n_drawn * self.pitch) - self.gap)

    def drawn(self) -> IntArray:
        """Give the indices of the cells that are drawn, shape (n_drawn,)."""
        if self.stride == 1:
            return every(self.count)
        middle = np.arange(0, self.count, self.stride) + self.stride // 2
        return np.minimum(middle, self.count - 1)

    def span(self, index: int) -> tuple[int, int]:
        """Give the first pixel of the cell at ``index`` and its length."""
        place = index // self.stride
        start, end = round(place * self.pitch), round((place + 1) * self.pitch) - self.gap
        return self.origin + start, max(1, end - start)

    def centre(self, index: int) -> float:
        """Give the middle of the cell at ``index``."""
        start, length = self.span(index)
        return start + length / 2

    def index_at(self, pixel: float) -> int | None:
        """Give the index of the cell drawn at ``pixel``, or None outside."""
        if not self.origin <= pixel < self.origin + self.extent:
            return None
        whole = int(pixel) - self.origin
        place = min(int((whole + 0.5) / self.pitch), self.n_drawn - 1)
        place -= round(place * self.pitch) > whole
        return min(place * self.stride + self.stride // 2, self.count - 1)

    def source(self) -> IntArray:
        """Give, for each pixel, the place of its drawn cell, or ``n_drawn`` in a gap; shape (extent,)."""
        starts = np.rint(np.arange(self.n_drawn) * self.pitch)
        pixels = np.arange(self.extent)
        place = np.searchsorted(starts, pixels, side="right") - 1
        if not self.gap:
            return place
        return np.where(pixels - starts[place] >= self.pitch - self.gap, self.n_drawn, place)
