"""A dial for an angle: turned with the mouse, the wheel or the arrow keys, counter-clockwise as on the plane."""

from __future__ import annotations

import math
from typing import cast

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.document.matrices import Role
from attnviz.views.controls.gestures import Gestures
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
    """A round dial whose needle shows an angle; 0 is to the right.

    Parameters
    ----------
    role : Role
        What is turned, which chooses the needle's colour.
    gestures : Gestures
        Numbers the gestures of the whole panel.

    Signals
    -------
    angle_changed : float, int
        The angle in degrees, from -180 to 180, is to be this one; the last number names the gesture.
    gesture_cancelled : int
        The gesture is to be taken back.
    """

    angle_changed = Signal(float, int)
    gesture_cancelled = Signal(int)

    _gesture = -1  # of the class: Qt still hides the dial when Python has taken it apart

    def __init__(self, role: Role, gestures: Gestures, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._role, self._gestures = role, gestures
        self._theme = LIGHT
        self._wheel = WheelNotches()
        self.angle = 0.0
        self._is_true = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(
            "Turn the matrix: drag around the dial, with Shift in steps of 15°. Arrow keys and the wheel turn by 1°, "
            "Page Up and Page Down by 15°, Home turns back to 0. Esc takes a turn of the mouse back."
        )

    def show_angle(self, angle: float, *, is_true: bool) -> None:
        """Show an angle in degrees and emit nothing; one that the matrix does not turn by is only a place to begin."""
        if (angle, is_true) != (self.angle, self._is_true):
            self.angle, self._is_true = angle, is_true
            self.setAccessibleDescription(f"{angle:.6g} degrees" if is_true else "no rotation now")
            self.update()

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
            self._gesture = self._gestures.begin()
            self._turn_to(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Turn to where the mouse is."""
        if not event.buttons() & Qt.MouseButton.LeftButton:
            self._gesture = -1
        elif self._gesture >= 0:
            event.accept()
            self._turn_to(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the turn."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._gesture = -1

    def hideEvent(self, event: QHideEvent) -> None:
        """End the turn: nobody sees it any more."""
        super().hideEvent(event)
        self._gesture = -1

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
            gesture, self._gesture = self._gesture, -1
            self.gesture_cancelled.emit(gesture)
        elif key in _KEYS and not has_modifiers:
            self._turn_by(_KEYS[key])
        elif key == Qt.Key.Key_Home and not has_modifiers:
            self.angle_changed.emit(0.0, self._gestures.begin())
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
            painter.setPen(QPen(colour, 2.5) if self._is_true else QPen(QColor(theme.muted), 1.5, Qt.PenStyle.DashLine))
            painter.drawLine(QLineF(middle, _on_circle(middle, radius - 5, self.angle)))

    def _draw_marks(self, painter: QPainter, middle: QPointF, radius: float) -> None:
        painter.setPen(QPen(QColor(self._theme.muted), 1.0))
        for mark in range(_MARKS):
            angle, length = 360.0 * mark / _MARKS, 4.0 if mark % 6 == 0 else 2.0
            painter.drawLine(QLineF(_on_circle(middle, radius - length, angle), _on_circle(middle, radius, angle)))

    def _turn_to(self, event: QMouseEvent) -> None:
        right, up = event.position().x() - self.width() / 2, self.height() / 2 - event.position().y()
        if right == up == 0.0:
            return
        step = _BIG_STEP if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        angle = step * round(math.degrees(math.atan2(up, right)) / step)
        self.angle_changed.emit(float(angle), self._gesture)

    def _turn_by(self, degrees: int) -> None:
        angle = self.angle + degrees
        self.angle_changed.emit(float((angle + 180.0) % 360.0 - 180.0), self._gestures.burst(f"dial {id(self)}"))


def _on_circle(middle: QPointF, radius: float, degrees: float) -> QPointF:
    angle = math.radians(degrees)
    return QPointF(middle.x() + radius * math.cos(angle), middle.y() - radius * math.sin(angle))
