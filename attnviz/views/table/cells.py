"""How the cells of the table are painted: numbers aligned at the right, what is selected and lit behind them."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from attnviz.appearance import LIGHT, Theme
from attnviz.views.fonts import number_font
from attnviz.views.matrix.pin_painter import corner_of
from attnviz.views.table.header import PADDING

SHORT_CHARACTERS = 8  # "-1.2e+05", and room for "masked"
EXACT_CHARACTERS = 24  # "-1.2345678901234567e-300"
_INFINITE = "−∞"
_BAR = 3
_TOLERANCE = 0.01  # of a pixel
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
        self._warning = QColor(theme.warning)
        self.lit = QColor(theme.accent_soft)
        self.lit.setAlphaF(0.5)
        self._text, self._muted = QPen(QColor(theme.text)), QPen(QColor(theme.muted))
        self._line, self._accent = QPen(QColor(theme.grid)), QPen(QColor(theme.accent), 2)
        self._dashes = QPen(QColor(theme.text), 1, Qt.PenStyle.DashLine)

    def apply_font(self, font: QFont) -> None:
        """Take the size of the table's font; every character of a number gets the same whole number of pixels."""
        self._font = number_font(font)
        exact = QFontMetricsF(self._font).horizontalAdvance("0")
        self.advance = max(1, round(exact))
        self._font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, self.advance - exact)
        infinite = QFontMetricsF(self._font).horizontalAdvance(_INFINITE)
        self._has_infinite = abs(infinite - len(_INFINITE) * self.advance) < _TOLERANCE

    def width(self, characters: int) -> int:
        """Give the least width of a column with numbers of so many characters: a whole number of characters."""
        return self.advance * (characters + ceil(2 * PADDING / self.advance))

    def paint_row(self, painter: QPainter, texts: list[tuple[str, bool]], rect: QRect) -> None:
        """Write the cells of a row, which share ``rect`` evenly, each with whether it is muted.

        A line of text costs as much as a cell's, so that the cells of a row are written as one.
        """
        width = rect.width() // len(texts)
        characters = width // self.advance
        plain, muted = [], []
        blank = " " * characters
        for place, (text, is_muted) in enumerate(texts):
            written = text.rjust(characters)
            if not (self._has_infinite or text.isascii()):
                cell = QRect(rect.left() + place * width, rect.top(), width - PADDING, rect.height())
                self._write(painter, text, cell, is_muted=is_muted)
                written = blank
            plain.append(blank if is_muted else written)
            muted.append(written if is_muted else blank)
        line = QRect(rect.left() - PADDING, rect.top(), rect.width(), rect.height())
        self._write(painter, "".join(plain), line, is_muted=False)
        self._write(painter, "".join(muted), line, is_muted=True)

    def _write(self, painter: QPainter, text: str, rect: QRect, *, is_muted: bool) -> None:
        if text and not text.isspace():
            painter.setFont(self._font)
            painter.setPen(self._muted if is_muted else self._text)
            painter.drawText(rect, _RIGHT, text.lstrip())  # blanks before it are beyond the first cell

    def paint_line(self, painter: QPainter, rect: QRect) -> None:
        """Draw the line below a row."""
        painter.setPen(self._line)
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())

    def paint_pin(self, painter: QPainter, rect: QRect) -> None:
        """Draw a corner on a pinned cell."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._warning)
        painter.drawPolygon(corner_of(QRectF(rect)))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def paint_pin_bar(self, painter: QPainter, rect: QRect) -> None:
        """Draw a bar at the left of a row that follows from a pinned number."""
        painter.fillRect(QRect(rect.left(), rect.top(), _BAR, rect.height()), self._warning)

    def paint_lit(self, painter: QPainter, rect: QRect) -> None:
        """Frame the cell that somebody points at."""
        self._paint_frame(painter, rect, self._text)

    def paint_pinned(self, painter: QPainter, rect: QRect) -> None:
        """Frame the chosen cell."""
        self._paint_frame(painter, rect.adjusted(1, 1, -1, -1), self._accent)

    def paint_cursor(self, painter: QPainter, rect: QRect) -> None:
        """Frame the cell of the cursor with dashes, as in the heatmaps; they are seen inside a pinned frame too."""
        self._paint_frame(painter, rect.adjusted(3, 3, -3, -3), self._dashes)

    def _paint_frame(self, painter: QPainter, rect: QRect, pen: QPen) -> None:
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(rect.adjusted(0, 0, -1, -1))
