"""The places of a matrix on screen that can be pointed at: cells, labels, and the numbers and names of gutters."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt

from attnviz.views.matrix.geometry import Box
from attnviz.views.matrix.layout import MatrixLayout

_PAGE = 10


class Place(NamedTuple):
    """A place of a matrix.

    A cell has a row and a column, a label one of them and -1. A number of a gutter has its row and the gutter's
    index, one of a foot (a gutter below the cells) its column and the foot's index; the name of either has neither
    row nor column.
    """

    row: int = -1
    column: int = -1
    gutter: int = -1
    foot: int = -1

    @property
    def is_cell(self) -> bool:
        """Whether it is a cell of the matrix."""
        return self.row >= 0 and self.column >= 0

    @property
    def is_beside(self) -> bool:
        """Whether it is in a gutter."""
        return self.gutter >= 0 or self.foot >= 0

    @property
    def is_title(self) -> bool:
        """Whether it is the name of a gutter, where nothing is pointed at."""
        return self.is_beside and self.line < 0

    @property
    def line(self) -> int:
        """The row or the column of a gutter's number; -1 for the gutter's name."""
        return self.row if self.gutter >= 0 else self.column


NOWHERE = Place()


def place_at(layout: MatrixLayout, x: float, y: float) -> Place:
    """Give what is drawn at a device pixel."""
    row, column = layout.rows.index_at(y), layout.columns.index_at(x)
    if row is not None and column is not None:
        return Place(row, column)
    band = layout.column_labels
    is_in_band = band.y <= y < layout.rows.origin
    for index, box in enumerate(layout.gutters):
        if box is not None and box.x <= x < box.right and (row is not None or is_in_band):
            return Place(row=-1 if row is None else row, gutter=index)
    for index, foot in enumerate(layout.feet):
        if foot is not None and foot.box.y <= y < foot.box.bottom:
            title = layout.foot_titles[index]
            if column is not None or title.x <= x < title.right:
                return Place(column=-1 if column is None else column, foot=index)
    if row is not None and layout.row_labels.x <= x < layout.columns.origin:
        return Place(row)
    return Place(column=column) if column is not None and is_in_band else NOWHERE


def box_of(layout: MatrixLayout, place: Place) -> Box | None:
    """Give the box of a cell or of a gutter's number; None for anything else, and for what is not drawn."""
    if place.is_cell:
        return layout.cell(place.row, place.column)
    if place.gutter >= 0 and place.row >= 0:
        return layout.gutter_cell(place.gutter, place.row)
    if place.foot >= 0 and place.column >= 0:
        return layout.foot_cell(place.foot, place.column)
    return None


class Cursor(NamedTuple):
    """Where the keyboard is: rows past the last are the feet that are drawn, columns past the last the gutters."""

    row: int
    column: int

    @classmethod
    def on(cls, layout: MatrixLayout, place: Place) -> Cursor:
        """Make the cursor that is on a cell or on a gutter's number."""
        if place.gutter >= 0:
            return cls(place.row, layout.columns.count + _drawn(layout.gutters).index(place.gutter))
        if place.foot >= 0:
            return cls(layout.rows.count + _drawn(layout.feet).index(place.foot), place.column)
        return cls(place.row, place.column)

    def place(self, layout: MatrixLayout) -> Place:
        """Give the cell or the gutter's number it is on; the nearest cell where the gutter is not drawn any more."""
        rows, columns = layout.rows.count, layout.columns.count
        gutters, feet = _drawn(layout.gutters), _drawn(layout.feet)
        if self.row < rows and columns <= self.column < columns + len(gutters):
            return Place(row=self.row, gutter=gutters[self.column - columns])
        if self.column < columns and rows <= self.row < rows + len(feet):
            return Place(column=self.column, foot=feet[self.row - rows])
        return Place(min(self.row, rows - 1), min(self.column, columns - 1))

    def moved(self, layout: MatrixLayout, key: int, modifiers: Qt.KeyboardModifier) -> Cursor | None:
        """Give where a key moves it, or None for another key.

        Single steps to the right and down go on into the gutters; jumps end at the last cell.
        """
        rows, columns = layout.rows.count, layout.columns.count
        is_far = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
        all_rows, all_columns = rows + len(layout.feet), columns + len(layout.gutters)
        down, right = (all_rows, all_columns) if is_far else (1, 1)
        steps: dict[int, tuple[int, int]] = {
            Qt.Key.Key_Up: (-down, 0),
            Qt.Key.Key_Down: (down, 0),
            Qt.Key.Key_Left: (0, -right),
            Qt.Key.Key_Right: (0, right),
            Qt.Key.Key_PageUp: (-_PAGE, 0),
            Qt.Key.Key_PageDown: (_PAGE, 0),
            Qt.Key.Key_Home: (-all_rows if is_far else 0, -all_columns),
            Qt.Key.Key_End: (all_rows if is_far else 0, all_columns),
        }
        step = steps.get(key)
        if step is None:
            return None
        n_feet = len(_drawn(layout.feet)) if self.column < columns and not is_far else 0
        n_gutters = len(_drawn(layout.gutters)) if self.row < rows and not is_far else 0
        return Cursor(_stepped(self.row, step[0], rows, n_feet), _stepped(self.column, step[1], columns, n_gutters))


def _drawn(boxes: tuple[object | None, ...]) -> list[int]:
    return [index for index, box in enumerate(boxes) if box is not None]


def _stepped(at: int, step: int, count: int, beyond: int) -> int:
    """Go some cells on; a single step may go on to what lies beyond the last cell."""
    if step == 0:
        return at
    return min(max(0, at + step), count - 1 + (beyond if abs(step) == 1 else 0))
