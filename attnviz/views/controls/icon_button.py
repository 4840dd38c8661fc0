"""A small flat button with a sign that is drawn, not set in a font: reset, play, pause, draw anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QToolButton, QWidget

from attnviz.appearance import LIGHT, Theme

Sign: TypeAlias = Literal["reset", "play", "pause", "draw"]


class IconButton(QToolButton):
    """A button with a drawn sign in the colours of the theme.

    Parameters
    ----------
    sign : {"reset", "play", "pause", "draw"}
        What is drawn.
    name : str
        What the button does, for screen readers and the tooltip's first words.
    explanation : str
        One sentence: what it does to the document.
    """

    def __init__(self, sign: Sign, name: str, explanation: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sign: Sign = sign
        self._theme = LIGHT
        self.setText(name)
        self.setAccessibleName(name)
        self.setAccessibleDescription(explanation)
        self.setToolTip(f"{name}: {explanation}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    @property
    def sign(self) -> Sign:
        """What is drawn."""
        return self._sign

    def show_sign(self, sign: Sign) -> None:
        """Draw another sign."""
        if sign != self._sign:
            self._sign = sign
            self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Give a square that grows with the font."""
        side = max(24, round(1.3 * self.fontMetrics().height()))
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        """Give the same square: a smaller one is hard to hit."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the sign, the ground under the mouse and the ring of the focus."""
        del event
        theme = self._theme
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.setPen(QPen(QColor(theme.accent), 1.5) if self.hasFocus() else Qt.PenStyle.NoPen)
            is_lit = self.isEnabled() and (self.underMouse() or self.isDown() or self.isChecked())
            painter.setBrush(QColor(theme.accent_soft) if is_lit else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, 6, 6)
            colour = QColor(theme.accent_text if self.isChecked() else theme.text if self.isEnabled() else theme.hatch)
            side = 0.5 * min(box.width(), box.height())
            painter.translate(box.center())
            painter.scale(side / 2, side / 2)
            _DRAWINGS[self._sign](painter, colour)


def _draw_reset(painter: QPainter, colour: QColor) -> None:
    """Draw most of a circle, with an arrow's head where it begins."""
    painter.setPen(QPen(colour, 0.24, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    path = QPainterPath()
    path.arcMoveTo(QRectF(-0.85, -0.85, 1.7, 1.7), 135)
    path.arcTo(QRectF(-0.85, -0.85, 1.7, 1.7), 135, -290)
    painter.drawPath(path)
    painter.drawPolyline(QPolygonF([QPointF(-0.72, -1.1), QPointF(-0.62, -0.58), QPointF(-0.1, -0.68)]))


def _draw_play(painter: QPainter, colour: QColor) -> None:
    painter.setPen(QPen(colour, 0.2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolygon(QPolygonF([QPointF(-0.6, -0.85), QPointF(0.85, 0.0), QPointF(-0.6, 0.85)]))


def _draw_pause(painter: QPainter, colour: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(QRectF(-0.7, -0.8, 0.45, 1.6), 0.12, 0.12)
    painter.drawRoundedRect(QRectF(0.25, -0.8, 0.45, 1.6), 0.12, 0.12)


def _draw_die(painter: QPainter, colour: QColor) -> None:
    """Draw a die that shows five."""
    painter.setPen(QPen(colour, 0.2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(-0.9, -0.9, 1.8, 1.8), 0.35, 0.35)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    for x, y in ((0, 0), (-0.45, -0.45), (0.45, 0.45), (-0.45, 0.45), (0.45, -0.45)):
        painter.drawEllipse(QPointF(x, y), 0.17, 0.17)


_DRAWINGS: dict[Sign, Callable[[QPainter, QColor], None]] = {
    "reset": _draw_reset,
    "play": _draw_play,
    "pause": _draw_pause,
    "draw": _draw_die,
}
