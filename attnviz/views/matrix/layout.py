"""The record of where everything of a matrix on screen is, in whole device pixels: no Qt."""

from __future__ import annotations

from dataclasses import dataclass

from attnviz.views.matrix.geometry import Axis, Box, Foot


@dataclass(frozen=True, slots=True)
class MatrixLayout:
    """Where everything is. Boxes are in device pixels; None: not drawn.

    Parameters
    ----------
    rows, columns
        The cells along y and along x.
    radius, border
        The corner radius and the outline of a cell; 0: none.
    face, digits, is_short
        The index of the face for numbers in cells, their digits, and whether they have no leading zero; face None:
        no numbers.
    gutter_face
        The index of the face for gutters.
    label_face, label_line
        The index of the face for token labels, and the height of its line.
    row_labels, column_labels
        The bands of the token labels.
    is_turned
        Column labels run upwards.
    row_step, column_step
        One of so many labels is drawn.
    row_title, column_title, legend, note
        Boxes of the rest; the legend's is its coloured bar.
    is_row_title_turned, is_column_title_above
        The title runs upwards beside the rows, stands above the columns; else it is in the corner, with an arrow.
    legend_text
        The width kept for the texts right of the legend.
    gutters
        A box a gutter, beside the rows.
    feet, foot_titles
        The same below the columns, and the boxes of their titles, left of them.
    notes, note_lines
        What the layout had to leave out, and the same in lines of the note's box.
    ratio, scale
        Device pixels a logical pixel, and how much larger than the widget's own font texts and margins are.
    loss
        What was given up for want of room: 0 for nothing, more for worse.
    """

    rows: Axis
    columns: Axis
    radius: int
    border: int
    face: int | None
    digits: int
    is_short: bool
    gutter_face: int | None
    label_face: int
    label_line: int
    row_labels: Box
    column_labels: Box
    is_turned: bool
    row_step: int
    column_step: int
    row_title: Box
    column_title: Box
    is_row_title_turned: bool
    is_column_title_above: bool
    legend: Box | None
    legend_text: int
    note: Box | None
    gutters: tuple[Box | None, ...]
    feet: tuple[Foot | None, ...]
    foot_titles: tuple[Box, ...]
    notes: tuple[str, ...]
    note_lines: tuple[str, ...]
    ratio: float
    scale: float
    loss: float = 0.0

    @property
    def grid(self) -> Box:
        """The box of all cells."""
        return Box(self.columns.origin, self.rows.origin, self.columns.extent, self.rows.extent)

    def cell(self, row: int, column: int) -> Box:
        """Give the box of one cell."""
        y, height = self.rows.span(row)
        x, width = self.columns.span(column)
        return Box(x, y, width, height)

    def gutter_cell(self, gutter: int, row: int) -> Box | None:
        """Give the box of a row's number in a gutter; None where the gutter is not drawn."""
        box = self.gutters[gutter]
        if box is None:
            return None
        y, height = self.rows.span(row)
        return Box(box.x, y, box.width, height)

    def foot_cell(self, foot: int, column: int) -> Box | None:
        """Give the box of a column's number in a gutter below the cells; None where that is not drawn."""
        found = self.feet[foot]
        if found is None:
            return None
        x, width = self.columns.span(column)
        return Box(x, found.box.y, width, found.box.height)
