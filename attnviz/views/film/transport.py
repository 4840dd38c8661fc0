"""The transport bar of the film: play, single steps, ends, loop, speed, and whose row is followed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.views.film.flow import Flow
from attnviz.views.film.player import SPEEDS
from attnviz.views.segments import Segments

Sign: TypeAlias = Literal["first", "back", "play", "pause", "forward", "last", "loop", "follow"]
_LONGEST_NAME = 24
_FOLLOW = "Follow the selection: show the row that is pinned in the other panels"
_EXTENTS = (
    ("one", "One row", "Follow one query through all stages"),
    ("all", "All rows", "Fill the matrices of all queries"),
)


class SignButton(QToolButton):
    """A flat button with a drawn sign.

    Parameters
    ----------
    sign : Sign
        What is drawn.
    name : str
        What the button does, for screen readers and the tooltip.
    keys : str
        The key that does the same, for the tooltip.
    """

    def __init__(self, sign: Sign, name: str, keys: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._keys = keys
        self._sign: Sign = sign
        self.show_sign(sign, name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    @property
    def sign(self) -> Sign:
        """What is drawn."""
        return self._sign

    def show_sign(self, sign: Sign, name: str) -> None:
        """Draw another sign under another name."""
        self._sign = sign
        self.setText(name)
        self.setAccessibleName(name)
        self.setToolTip(f"{name} ({self._keys})")
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Give a square that grows with the font."""
        side = max(28, round(1.8 * self.fontMetrics().height()))
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        """Give the same square: a smaller one is hard to hit."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the sign, the ground under the mouse and the line of the focus."""
        del event
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        is_lit = self.isEnabled() and (self.underMouse() or self.isDown() or self.isChecked())
        painter.setPen(QPen(QColor(theme.accent), 1.5) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent_soft) if is_lit else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, 6, 6)
        colour = QColor(theme.accent_text if self.isChecked() else theme.text if self.isEnabled() else theme.hatch)
        painter.translate(box.center())
        painter.scale(box.height() / 4.4, box.height() / 4.4)
        painter.setPen(QPen(colour, 0.2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        painter.setBrush(colour)
        _DRAWINGS[self._sign](painter)
        painter.end()


class Transport(QWidget):
    """The bar under the stage.

    Signals
    -------
    play_clicked, first_clicked, back_clicked, forward_clicked, last_clicked : (nothing)
        The user wants to play or pause, or to go to a step.
    loop_clicked : bool
        The user wants the film to begin again at its end, or not.
    speed_chosen : float
        The user chose a speed.
    query_chosen : int
        The user chose whose row the film follows.
    follow_clicked : (nothing)
        The user wants the film to go along with the selection again.
    extent_chosen : str
        The user wants "one" row or "all" rows.
    """

    play_clicked = Signal()
    first_clicked = Signal()
    back_clicked = Signal()
    forward_clicked = Signal()
    last_clicked = Signal()
    loop_clicked = Signal(bool)
    speed_chosen = Signal(float)
    query_chosen = Signal(int)
    follow_clicked = Signal()
    extent_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tokens: tuple[str, ...] = ()
        self.first = SignButton("first", "To the beginning", "Home")
        self.back = SignButton("back", "One step back", "Left")
        self.play = SignButton("play", "Play", "Space")
        self.forward = SignButton("forward", "One step on", "Right")
        self.last = SignButton("last", "To the end", "End")
        self.loop = SignButton("loop", "Loop: begin again at the end", "L")
        self.loop.setCheckable(True)
        self.follow = SignButton("follow", _FOLLOW, "F")
        self.follow.setCheckable(True)
        self.speed = QComboBox()
        for speed in SPEEDS:
            self.speed.addItem(f"{speed:g} ×", speed)
        _describe(self.speed, "Speed", "How fast the film plays (- slower, + faster)")
        self.query = QComboBox()
        self.query.setMaxVisibleItems(20)
        self.query.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.query.setMinimumContentsLength(5)
        _describe(self.query, "Query", "Whose row the film follows; Up and Down go to the next one")
        self.extent = Segments(_EXTENTS)
        self.extent.setAccessibleName("Rows of the film")
        self._place()
        self._connect()

    def show_playing(self, is_playing: bool) -> None:
        """Show whether the film plays."""
        self.play.show_sign("pause" if is_playing else "play", "Pause" if is_playing else "Play")

    def show_speed(self, speed: float) -> None:
        """Show the speed; emits no intent."""
        self.speed.setCurrentIndex(SPEEDS.index(speed))

    def show_rows(self, tokens: tuple[str, ...], query: int, *, is_single: bool, is_following: bool) -> None:
        """Show whose row is followed, and whether it is the selection's, or that all are; emits no intent."""
        if tokens != self._tokens:
            self._tokens = tokens
            self.query.clear()
            self.query.addItems([token if len(token) <= _LONGEST_NAME else token[:23] + "…" for token in tokens])
        self.query.setCurrentIndex(query)
        self.query.setEnabled(is_single)
        self.follow.setEnabled(is_single)
        self.follow.setChecked(is_following)
        self.extent.show_choice("one" if is_single else "all")

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for button in self.findChildren(SignButton):
            button.apply_theme(theme)

    def _place(self) -> None:
        flow = Flow(self)
        flow.add(_group(self.first, self.back, self.play, self.forward, self.last, self.loop))
        flow.add(_group(self.speed, _label("query", self.query), self.query, self.follow, spacing=6))
        flow.add(self.extent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(flow)

    def _connect(self) -> None:
        for button, signal in (
            (self.first, self.first_clicked),
            (self.back, self.back_clicked),
            (self.play, self.play_clicked),
            (self.forward, self.forward_clicked),
            (self.last, self.last_clicked),
        ):
            button.clicked.connect(signal)
        self.loop.clicked.connect(self.loop_clicked)
        self.speed.activated.connect(self._choose_speed)
        self.query.activated.connect(self.query_chosen)
        self.follow.clicked.connect(self._ask_to_follow)
        self.extent.chosen.connect(self.extent_chosen)

    def _ask_to_follow(self) -> None:
        """Stay pressed until a query is chosen: whoever follows already goes on."""
        self.follow.setChecked(True)
        self.follow_clicked.emit()

    def _choose_speed(self, place: int) -> None:
        self.speed_chosen.emit(SPEEDS[place])


def _describe(box: QComboBox, name: str, explanation: str) -> None:
    box.setAccessibleName(name)
    box.setAccessibleDescription(explanation)
    box.setToolTip(explanation)


def _label(text: str, buddy: QWidget) -> QLabel:
    label = QLabel(text)
    label.setObjectName("muted")
    label.setBuddy(buddy)
    return label


def _group(*widgets: QWidget, spacing: int = 2) -> QWidget:
    group = QWidget()
    line = QHBoxLayout(group)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(spacing)
    for widget in widgets:
        line.addWidget(widget)
    return group


def _triangle(points: Sequence[tuple[float, float]]) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in points])


def _draw_first(painter: QPainter) -> None:
    painter.drawPolygon(_triangle([(0.9, -0.8), (-0.4, 0.0), (0.9, 0.8)]))
    painter.drawLine(QPointF(-0.8, -0.8), QPointF(-0.8, 0.8))


def _draw_last(painter: QPainter) -> None:
    painter.drawPolygon(_triangle([(-0.9, -0.8), (0.4, 0.0), (-0.9, 0.8)]))
    painter.drawLine(QPointF(0.8, -0.8), QPointF(0.8, 0.8))


def _draw_back(painter: QPainter) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(_triangle([(0.4, -0.8), (-0.4, 0.0), (0.4, 0.8)]))


def _draw_forward(painter: QPainter) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(_triangle([(-0.4, -0.8), (0.4, 0.0), (-0.4, 0.8)]))


def _draw_play(painter: QPainter) -> None:
    painter.drawPolygon(_triangle([(-0.6, -0.9), (0.95, 0.0), (-0.6, 0.9)]))


def _draw_pause(painter: QPainter) -> None:
    painter.drawRect(QRectF(-0.65, -0.8, 0.3, 1.6))
    painter.drawRect(QRectF(0.35, -0.8, 0.3, 1.6))


def _draw_loop(painter: QPainter) -> None:
    """Draw a track with an arrow on it."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    path = QPainterPath(QPointF(0.5, -0.6))
    path.lineTo(QPointF(-0.4, -0.6))
    path.arcTo(QRectF(-1.0, -0.6, 1.2, 1.2), 90, 180)
    path.lineTo(QPointF(0.4, 0.6))
    path.arcTo(QRectF(-0.2, -0.6, 1.2, 1.2), 270, 90)
    painter.drawPath(path)
    painter.drawPolyline(_triangle([(0.1, -1.0), (0.55, -0.6), (0.1, -0.2)]))


def _draw_follow(painter: QPainter) -> None:
    """Draw a dot in a ring, aimed at."""
    painter.drawEllipse(QPointF(0.0, 0.0), 0.25, 0.25)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(QPointF(0.0, 0.0), 0.7, 0.7)
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        painter.drawLine(QPointF(0.7 * x, 0.7 * y), QPointF(1.05 * x, 1.05 * y))


_DRAWINGS: dict[Sign, Callable[[QPainter], None]] = {
    "first": _draw_first,
    "back": _draw_back,
    "play": _draw_play,
    "pause": _draw_pause,
    "forward": _draw_forward,
    "last": _draw_last,
    "loop": _draw_loop,
    "follow": _draw_follow,
}
