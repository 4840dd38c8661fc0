"""A dial that turns a matrix: with the mouse, the wheel or the arrow keys, counter-clockwise as on the plane."""

from __future__ import annotations

import math
from typing import cast

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.document.matrices import Role
from attnviz.views.controls.gestures import Gestures
from attnviz.views.matrices.coalescer import Coalescer
from attnviz.views.role_colours import role_colour
from attnviz.views.wheel import WheelNotches

_LINES = 4.0  # of text, from edge to edge
_MARKS = 24
_BIG_STEP = 15
_KEYS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Down: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: 1,
    Qt.Key.Key_PageDown: -_BIG_STEP,
    Qt.Key.Key_PageUp: _BIG_STEP,
}


class AngleDial(QWidget):
    """A round dial whose needle points where the first axis goes; 0 is to the right.

    It is turned like a knob: where it is grabbed does not matter, only how far it is turned from there.

    Parameters
    ----------
    role : Role
        What is turned, which chooses the needle's colour.
    gestures : Gestures
        Numbers the gestures of the whole panel.

    Signals
    -------
    turned : float, int
        The matrix is to be turned by these degrees, above -180 and up to 180, from where it was when the gesture
        began; the last number names the gesture.
    gesture_cancelled : int
        The gesture is to be taken back.
    """

    turned = Signal(float, int)
    gesture_cancelled = Signal(int)

    _gesture = -1  # of the class: Qt still hides the dial when Python has taken it apart

    def __init__(self, role: Role, gestures: Gestures, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._role, self._gestures = role, gestures
        self._theme = LIGHT
        self._wheel = WheelNotches()
        self._moves = Coalescer(self)
        self._moves.due.connect(self._send)
        self._grip: float | None = None  # the direction in which it was grabbed
        self._burst, self._n_bursts = -1, 0
        self._turned = 0.0  # by keys and wheel in this burst
        self.angle = 0.0
        self._is_true, self._has_direction = False, True
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(
            "Turn the matrix, and with it every image x W: drag around the dial, with Shift in steps of 15°. "
            "Arrow keys and the wheel turn by 1°, Page Up and Page Down by 15°, Home until the first axis goes to "
            "the right. Esc takes a turn of the mouse back. For a rotation alone, apply Identity first."
        )

    def show_angle(self, angle: float | None, *, is_true: bool) -> None:
        """Show where the first axis goes, and emit nothing.

        Parameters
        ----------
        angle : float or None
            Its direction in degrees; ``None`` where it goes nowhere.
        is_true : bool
            Whether the matrix is the rotation by just this angle.
        """
        said = "no rotation now" if angle is None else f"no rotation now, the first axis goes to {angle:.6g} degrees"
        self.setAccessibleDescription(f"{angle:.6g} degrees" if is_true else said)
        self.angle, self._is_true, self._has_direction = angle or 0.0, is_true, angle is not None
        self.update()

    def let_go(self) -> None:
        """End the turn where the matrix is; the next one begins anew."""
        self._gesture, self._grip, self._burst = -1, None, -1
        self._n_bursts += 1
        self._moves.drop()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Give a square that grows with the font."""
        side = round(_LINES * self.fontMetrics().height())
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        """Give the same square: a smaller one is hard to turn."""
        return self.sizeHint()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to turn."""
        if event.button() == Qt.MouseButton.LeftButton:
            event.accept()
            self.let_go()
            self._gesture, self._grip = self._gestures.begin(), self._direction(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Turn to where the mouse is."""
        if not event.buttons() & Qt.MouseButton.LeftButton and self._gesture >= 0:
            self.let_go()
        elif self._gesture >= 0:
            event.accept()
            self._turn_to(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the turn."""
        if event.button() == Qt.MouseButton.LeftButton and self._gesture >= 0:
            self._moves.flush()
            self.let_go()

    def hideEvent(self, event: QHideEvent) -> None:
        """End the turn: nobody sees it any more."""
        super().hideEvent(event)
        if self._gesture >= 0:
            self.let_go()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Turn while the dial has the focus; else leave the wheel to what scrolls."""
        if not self.hasFocus():
            event.ignore()
            return
        if notches := self._wheel.take(event):
            self._turn_by(notches)
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Claim Esc during a turn, before a shortcut of the window gets it."""
        is_key = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride
        if is_key and self._gesture >= 0 and cast(QKeyEvent, event).key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Turn by a step, back to 0, or take a turn back."""
        key = Qt.Key(event.key())
        has_modifiers = bool(event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier)
        if key == Qt.Key.Key_Escape and self._gesture >= 0:
            gesture = self._gesture
            self.let_go()
            self.gesture_cancelled.emit(gesture)
        elif key in _KEYS and not has_modifiers:
            self._turn_by(_KEYS[key])
        elif key == Qt.Key.Key_Home and not has_modifiers:
            self._turn_by(-self.angle)
        else:
            event.ignore()
            return
        event.accept()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the circle with its marks, the sector turned through, and the needle."""
        theme, colour = self._theme, QColor(role_colour(self._theme, self._role))
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            side = min(self.width(), self.height()) - 6.0
            middle, radius = QPointF(self.width() / 2, self.height() / 2), side / 2
            circle = QRectF(middle.x() - radius, middle.y() - radius, side, side)
            has_focus = self.hasFocus()
            painter.setPen(QPen(QColor(theme.accent if has_focus else theme.muted), 2.0 if has_focus else 1.0))
            painter.setBrush(QColor(theme.inset))
            painter.drawEllipse(circle)
            self._draw_marks(painter, middle, radius)
            soft = QColor(colour)
            soft.setAlphaF(0.25)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(soft)
            if self._is_true:
                painter.drawPie(circle.adjusted(6, 6, -6, -6), 0, round(16 * self.angle))
            has_needle = self._has_direction and self.isEnabled()
            painter.setPen(QPen(colour, 2.5) if has_needle else QPen(QColor(theme.muted), 1.5, Qt.PenStyle.DashLine))
            painter.drawLine(QLineF(middle, _on_circle(middle, radius - 5, self.angle)))

    def _draw_marks(self, painter: QPainter, middle: QPointF, radius: float) -> None:
        painter.setPen(QPen(QColor(self._theme.muted), 1.0))
        for mark in range(_MARKS):
            angle, length = 360.0 * mark / _MARKS, 4.0 if mark % 6 == 0 else 2.0
            painter.drawLine(QLineF(_on_circle(middle, radius - length, angle), _on_circle(middle, radius, angle)))

    def _direction(self, event: QMouseEvent) -> float | None:
        """Give the direction from the middle to the mouse in degrees; ``None`` right in the middle."""
        right, up = event.position().x() - self.width() / 2, self.height() / 2 - event.position().y()
        return None if right == up == 0.0 else math.degrees(math.atan2(up, right))

    def _turn_to(self, event: QMouseEvent) -> None:
        direction = self._direction(event)
        if self._grip is None:
            self._grip = direction
        if self._grip is not None and direction is not None:
            step = _BIG_STEP if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            self._moves.ask(_in_one_turn(step * round((direction - self._grip) / step)))

    def _send(self, degrees: float) -> None:
        if self._gesture >= 0:
            self.turned.emit(degrees, self._gesture)

    def _turn_by(self, degrees: float) -> None:
        if self._gesture >= 0:
            return  # the mouse has it
        burst = self._gestures.burst(f"dial {id(self)} {self._n_bursts}")
        if burst != self._burst:
            self._burst, self._turned = burst, 0.0
        self._turned = _in_one_turn(self._turned + degrees)
        self.turned.emit(self._turned, burst)


def _in_one_turn(degrees: float) -> float:
    """Give the same turn as one above -180 and up to 180 degrees."""
    return 180.0 - (180.0 - degrees) % 360.0


def _on_circle(middle: QPointF, radius: float, degrees: float) -> QPointF:
    angle = math.radians(degrees)
    return QPointF(middle.x() + radius * math.cos(angle), middle.y() - radius * math.sin(angle))
