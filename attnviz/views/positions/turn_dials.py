"""A query and a key before and after rotary positions turn them, as arrows in the plane of one pair of channels."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, degrees, hypot, sin

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.views.matrix.lettering import shown_token
from attnviz.views.number_box import compact_text
from attnviz.views.numbers import number_text, vector_text

_HEAD, _WING = 9.0, 0.42
_HEIGHT = 168.0
_LINES = 4
_MIDDLE = Qt.TextElideMode.ElideMiddle
_LONGEST_LINE = "turned by 10000.0 rad (572958.0°)"


@dataclass(frozen=True, slots=True)
class Turn:
    """One vector in the plane of a pair of channels.

    Parameters
    ----------
    symbol, token : str
        Its letter, and whose it is.
    before, after : tuple of float
        Its two entries before and after the turn.
    position, angle : float
        Where the token stands, and by how many radians the pair is turned.
    """

    symbol: str
    token: str
    before: tuple[float, float]
    after: tuple[float, float]
    position: float
    angle: float

    @property
    def name(self) -> str:
        """What it is."""
        return f"{self.symbol} of {shown_token(self.token)}"

    @property
    def turn_text(self) -> str:
        """By how much it is turned, in words."""
        return f"turned by {number_text(self.angle)} rad ({degrees(self.angle):.1f}°)"


class TurnDials(QWidget):
    """Two dials side by side; Left and Right choose the pair before and the next one.

    Signals
    -------
    pair_stepped : int
        The pair this many places further is wanted.
    """

    pair_stepped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._turns: tuple[Turn, Turn] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName("Query and key before and after the turn")
        self.setToolTip("Thin: before the turn. Thick: after it. Left and Right choose another pair of channels.")

    def show_turns(self, query: Turn, key: Turn) -> None:
        """Show a query and a key."""
        if (query, key) != self._turns:
            self._turns = (query, key)
            self.setAccessibleDescription("; ".join([", ".join(text_of(turn)) for turn in self._turns]))
            self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Give room for the dials beside each other, and the lines below them."""
        return QSize(2 * self._widest(), self._height())

    def minimumSizeHint(self) -> QSize:
        """Keep most of the words of one."""
        return QSize(round(0.7 * self._widest()), self._height())

    def hasHeightForWidth(self) -> bool:
        """Say that a narrow one is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Give the height of both beside each other, or below each other."""
        return self._height() * (1 if width >= 2 * self._widest() else 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose another pair."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if event.key() in steps:
            self.pair_stepped.emit(steps[Qt.Key(event.key())])
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the focus."""
        super().focusOutEvent(event)
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """Ask for another size in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint both dials to one scale."""
        if self._turns is None:
            return
        longest = max([hypot(*turn.before) for turn in self._turns])
        is_wide = self.width() >= 2 * self._widest()
        width = self.width() / 2 if is_wide else float(self.width())
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for place, turn in enumerate(self._turns):
                colour = self._theme.query if place == 0 else self._theme.key
                left, top = (place * width, 0.0) if is_wide else (0.0, float(place * self._height()))
                self._paint_dial(painter, turn, QRectF(left, top, width, _HEIGHT), longest, colour)
            if self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(self._theme.accent), 1.0))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6.0, 6.0)

    def _paint_dial(self, painter: QPainter, turn: Turn, box: QRectF, longest: float, colour: str) -> None:
        theme = self._theme
        radius = min(box.width(), box.height()) / 2 - 12.0
        centre = box.center()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(theme.grid), 1.0))
        painter.drawLine(QPointF(centre.x() - radius, centre.y()), QPointF(centre.x() + radius, centre.y()))
        painter.drawLine(QPointF(centre.x(), centre.y() - radius), QPointF(centre.x(), centre.y() + radius))
        painter.setPen(QPen(QColor(theme.border), 1.0))
        length = hypot(*turn.before)
        reach = radius * length / longest if longest else 0.0
        painter.drawEllipse(centre, reach, reach)
        if reach > 0.0:
            start = atan2(turn.before[1], turn.before[0])
            self._paint_arc(painter, centre, 0.35 * reach, start, turn.angle)
            self._paint_arrow(painter, centre, reach, start, QPen(QColor(theme.muted), 1.4))
            self._paint_arrow(painter, centre, reach, start + turn.angle, QPen(QColor(colour), 2.6))
        self._paint_words(painter, turn, box, colour)

    def _paint_arc(self, painter: QPainter, centre: QPointF, radius: float, start: float, angle: float) -> None:
        """Paint the way of the turn: at most one whole round of it, since more would hide itself."""
        shown = max(-360.0, min(360.0, degrees(angle)))
        box = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
        painter.setPen(QPen(QColor(self._theme.accent), 2.0))
        painter.drawArc(box, round(16 * degrees(start)), round(16 * shown))

    def _paint_arrow(self, painter: QPainter, centre: QPointF, reach: float, angle: float, pen: QPen) -> None:
        end = QPointF(centre.x() + reach * cos(angle), centre.y() - reach * sin(angle))
        painter.setPen(pen)
        painter.drawLine(centre, end)
        head = min(_HEAD, 0.5 * reach)
        wings = [
            QPointF(end.x() - head * cos(angle + side), end.y() + head * sin(angle + side)) for side in (-_WING, _WING)
        ]
        painter.setBrush(pen.color())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawPolygon(QPolygonF([end, *wings]))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_words(self, painter: QPainter, turn: Turn, box: QRectF, colour: str) -> None:
        pitch = self._pitch()
        painter.setFont(self.font())
        metrics = QFontMetrics(self.font())
        for place, text in enumerate(text_of(turn)):
            painter.setPen(QColor(colour if place == 0 else self._theme.text if place < 3 else self._theme.muted))
            line = QRectF(box.left(), box.bottom() + place * pitch, box.width(), pitch)
            painter.drawText(line, Qt.AlignmentFlag.AlignCenter, metrics.elidedText(text, _MIDDLE, round(box.width())))

    def _widest(self) -> int:
        """Give the width of the longest line of usual names and numbers."""
        return round(QFontMetricsF(self.font()).horizontalAdvance(_LONGEST_LINE)) + 12

    def _height(self) -> int:
        return round(_HEIGHT + _LINES * self._pitch()) + 8

    def _pitch(self) -> float:
        return QFontMetricsF(self.font()).height() + 2.0


def text_of(turn: Turn) -> tuple[str, str, str, str]:
    """Say a turn in four lines: whose it is, before, after, and by how much."""
    return (
        f"{turn.name}, position {compact_text(turn.position)}",
        f"before {vector_text(turn.before)}",
        f"after {vector_text(turn.after)}",
        turn.turn_text,
    )
