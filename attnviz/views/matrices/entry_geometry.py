"""Where the cells of a grid of numbers lie: pure arithmetic in logical pixels."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect


@dataclass(frozen=True, slots=True)
class EntryGeometry:
    """The cells of a grid, scrolled by some pixels under headings that stay.

    Parameters
    ----------
    n_rows, n_columns : int
        The shape of the matrix.
    cell_width, cell_height : int
        The size of a cell, the gap after it included.
    left, top : int
        The room of the headings of rows and columns.
    scrolled_x, scrolled_y : int
        How far the cells are scrolled.
    """

    n_rows: int
    n_columns: int
    cell_width: int
    cell_height: int
    left: int
    top: int
    scrolled_x: int = 0
    scrolled_y: int = 0

    @property
    def width(self) -> int:
        """The width of headings and all cells."""
        return self.left + self.n_columns * self.cell_width

    @property
    def height(self) -> int:
        """The height of headings and all cells."""
        return self.top + self.n_rows * self.cell_height

    def cell(self, row: int, column: int) -> QRect:
        """Give the rectangle of a cell, without the gap after it."""
        x = self.left + column * self.cell_width - self.scrolled_x
        y = self.top + row * self.cell_height - self.scrolled_y
        return QRect(x, y, self.cell_width - 1, self.cell_height - 1)

    def at(self, x: float, y: float) -> tuple[int, int] | None:
        """Give row and column of the cell at a place; ``None`` where there is none, as on the headings."""
        if x < self.left or y < self.top:
            return None
        row = int(y - self.top + self.scrolled_y) // self.cell_height
        column = int(x - self.left + self.scrolled_x) // self.cell_width
        return (row, column) if row < self.n_rows and column < self.n_columns else None

    def rows_in(self, height: int) -> range:
        """Give the rows of which something is seen in a window of a height."""
        first = self.scrolled_y // self.cell_height
        last = (self.scrolled_y + max(0, height - self.top) - 1) // self.cell_height
        return range(first, min(self.n_rows, last + 1))

    def columns_in(self, width: int) -> range:
        """Give the columns of which something is seen in a window of a width."""
        first = self.scrolled_x // self.cell_width
        last = (self.scrolled_x + max(0, width - self.left) - 1) // self.cell_width
        return range(first, min(self.n_columns, last + 1))
