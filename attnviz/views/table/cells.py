"""How the cells of the table are painted: numbers aligned at the right, what is selected and lit behind them."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen

from attnviz.appearance import LIGHT, Theme
from attnviz.views.fonts import number_font
from attnviz.views.table.header import PADDING
from attnviz.views.table.model import MatrixModel

SHORT_CHARACTERS = 8  # "-1.2e+05", and room for "masked"
EXACT_CHARACTERS = 24  # "-1.2345678901234567e-300"
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)


@dataclass(frozen=True, slots=True)
class Lights:
    """What is lit in the table, in rows and columns of the document; ``None`` for nothing.

    Parameters
    ----------
    row, column
        What somebody points at, here or in another panel.
    pinned
        The cell with the accent frame, as (row, column).
    """

    row: int | None = None
    column: int | None = None
    pinned: tuple[int, int] | None = None


class CellPainter:
    """Paints cells, with the colours of a theme and the monospaced font in the size of the table's."""

    def __init__(self) -> None:
        self.apply_theme(LIGHT)
        self.apply_font(QFont())

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.ground, self.selected = QColor(theme.panel), QColor(theme.accent_soft)
        self.lit = QColor(theme.accent_soft)
        self.lit.setAlphaF(0.5)
        self._text, self._muted = QPen(QColor(theme.text)), QPen(QColor(theme.muted))
        self._line, self._accent = QPen(QColor(theme.grid)), QPen(QColor(theme.accent), 2)
        self._dashes = QPen(QColor(theme.text), 1, Qt.PenStyle.DashLine)

    def apply_font(self, font: QFont) -> None:
        """Take the size of the table's font."""
        self._font = number_font(font)
        self._metrics = QFontMetrics(self._font)

    def width(self, characters: int) -> int:
        """Give the width of a column with numbers of so many characters."""
        return self._metrics.horizontalAdvance("0") * characters + 2 * PADDING

    def paint_numbers(self, painter: QPainter, model: MatrixModel, cells: list[tuple[int, int, QRect]]) -> None:
        """Write the numbers of cells, each given with its row, column and rectangle."""
        painter.setFont(self._font)
        painter.setPen(self._text)
        is_muted = False
        for row, column, rect in cells:
            if model.is_masked(row, column) != is_muted:
                is_muted = not is_muted
                painter.setPen(self._muted if is_muted else self._text)
            painter.drawText(rect, _RIGHT, model.cell_text(row, column))

    def paint_lines(self, painter: QPainter, bottoms: list[int], left: int, right: int) -> None:
        """Draw the lines below rows."""
        painter.setPen(self._line)
        for bottom in bottoms:
            painter.drawLine(left, bottom, right, bottom)

    def paint_lit(self, painter: QPainter, rect: QRect) -> None:
        """Frame the cell that somebody points at."""
        self._paint_frame(painter, rect, self._text)

    def paint_pinned(self, painter: QPainter, rect: QRect) -> None:
        """Frame the pinned cell."""
        self._paint_frame(painter, rect.adjusted(1, 1, -1, -1), self._accent)

    def paint_cursor(self, painter: QPainter, rect: QRect) -> None:
        """Frame the cell of the cursor with dashes, as in the heatmaps; they are seen inside a pinned frame too."""
        self._paint_frame(painter, rect.adjusted(3, 3, -3, -3), self._dashes)

    def _paint_frame(self, painter: QPainter, rect: QRect, pen: QPen) -> None:
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(rect.adjusted(0, 0, -1, -1))
