"""How a number in a widget of its own is marked: a thick line below it when lit, a frame around it when chosen."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from attnviz.appearance import LIGHT, Theme


@dataclass(frozen=True, slots=True)
class NumberMarks:
    """The marks of one number.

    Parameters
    ----------
    is_lit : bool
        Whether it is pointed at, here or elsewhere.
    is_pinned : bool
        Whether it is the chosen one.
    theme : Theme
        In which colours.
    """

    is_lit: bool = False
    is_pinned: bool = False
    theme: Theme = LIGHT

    def paint(self, painter: QPainter, rect: QRectF, *, has_ring: bool = False) -> None:
        """Draw them into the rectangle of the number, and with ``has_ring`` dashes around it for the keyboard."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.is_pinned:
            painter.setPen(QPen(QColor(self.theme.accent), 1.5))
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 3, 3)
        if has_ring:
            painter.setPen(QPen(QColor(self.theme.text), 1.0, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        if self.is_lit:
            painter.fillRect(
                QRectF(rect.left() + 2, rect.bottom() - 3, rect.width() - 4, 2), QColor(self.theme.accent_text)
            )


NO_MARKS = NumberMarks()
