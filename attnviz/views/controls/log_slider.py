"""A slider over a range of numbers, spaced by ratio or evenly, that paints itself: a thin groove and a ring to hold."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QAbstractSlider, QSlider, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.views.wheel import WheelNotches

_POSITIONS = 2_000  # even, so that the middle of the range has a position of its own
_GROOVE = 4
_RING = 8
_DIGITS = 3
_PAGE = 10
_UP = (QAbstractSlider.SliderAction.SliderSingleStepAdd, QAbstractSlider.SliderAction.SliderPageStepAdd)
_DOWN = (QAbstractSlider.SliderAction.SliderSingleStepSub, QAbstractSlider.SliderAction.SliderPageStepSub)
_PAGES = (QAbstractSlider.SliderAction.SliderPageStepAdd, QAbstractSlider.SliderAction.SliderPageStepSub)


class LogSlider(QSlider):
    """A horizontal slider for a number.

    Arrow keys and the wheel go one step, Page Up and Page Down ten, Home and End to the ends; a press on the groove
    brings the ring there. Numbers it makes have three significant digits, or are whole.
    A number beyond the range stands at its end, and stays until the user moves the slider.

    Parameters
    ----------
    low, high : float
        The ends of the range; above 0 if the slider is logarithmic.
    step : float
        What one step adds; on a logarithmic slider the ratio of one step, less one.
    is_logarithmic : bool
        Whether equal ways are equal ratios.
    is_whole : bool
        Whether all numbers are whole.

    Signals
    -------
    number_moved : float
        The user moved the slider to this number.
    """

    number_moved = Signal(float)

    def __init__(
        self,
        low: float,
        high: float,
        *,
        step: float,
        is_logarithmic: bool,
        is_whole: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._low, self._high, self._step = low, high, step
        self._is_logarithmic, self._is_whole = is_logarithmic, is_whole
        self._number = low
        self._grip = 0.0
        self._wheel = WheelNotches()
        self._theme = LIGHT
        self.setRange(0, _POSITIONS)
        self.setSingleStep(1)
        self.setPageStep(1)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.actionTriggered.connect(self._take_action)

    @property
    def number(self) -> float:
        """The number that the slider stands for; it may lie beyond the range."""
        return self._number

    def show_number(self, number: float) -> None:
        """Show a number; emits no intent. The ring stays under a hand that holds it."""
        self._number = number
        if not self.isSliderDown():
            self.setValue(self.position_of(number))

    def number_at(self, position: int) -> float:
        """Give the number at a position of the slider, 0 to its maximum."""
        part = position / _POSITIONS
        if part in (0.0, 1.0):
            return self._high if part else self._low
        if self._is_logarithmic:
            number = self._low * math.exp(part * math.log(self._high / self._low))
        else:
            number = self._low + part * (self._high - self._low)
        return float(round(number)) if self._is_whole else float(f"{number:.{_DIGITS}g}")

    def position_of(self, number: float) -> int:
        """Give the position of a number; the nearer end for one beyond the range."""
        number = min(max(number, self._low), self._high)
        if self._is_logarithmic:
            return round(math.log(number / self._low) / math.log(self._high / self._low) * _POSITIONS)
        return round((number - self._low) / (self._high - self._low) * _POSITIONS)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Give a height that holds the ring and the line around it under focus."""
        return QSize(120, 2 * _RING + 8)

    def minimumSizeHint(self) -> QSize:
        """Give the least size that can be moved."""
        return QSize(8 * _RING, 2 * _RING + 8)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the ring, or bring it to the mouse."""
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        away = event.position().x() - self._ring_centre()
        self._grip = away if abs(away) <= _RING else 0.0
        self.setSliderDown(True)
        self._drag_to(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the ring."""
        if self.isSliderDown():
            self._drag_to(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the ring; it goes to where its number stands exactly."""
        if event.button() == Qt.MouseButton.LeftButton and self.isSliderDown():
            self.setSliderDown(False)
            self.setValue(self.position_of(self._number))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave keys with modifiers to the window's shortcuts."""
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Step while the slider has the focus; else leave the wheel to what scrolls."""
        if not self.hasFocus():
            event.ignore()
            return
        notches = self._wheel.take(event)
        for _ in range(abs(notches)):
            self.triggerAction(_UP[0] if notches > 0 else _DOWN[0])
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the groove, the part that is filled, and the ring."""
        del event
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            theme = self._theme
            accent = QColor(theme.accent if self.isEnabled() else theme.muted)
            middle, centre = self.height() / 2, self._ring_centre()
            groove = QRectF(0, middle - _GROOVE / 2, self.width(), _GROOVE)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.border))
            painter.drawRoundedRect(groove, _GROOVE / 2, _GROOVE / 2)
            filled = QRectF(groove)
            if self._is_mirrored():
                filled.setLeft(centre)
            else:
                filled.setRight(centre)
            painter.setBrush(accent)
            painter.drawRoundedRect(filled, _GROOVE / 2, _GROOVE / 2)
            painter.setPen(QPen(accent, 2.5))
            painter.setBrush(QColor(theme.accent_soft if self.isSliderDown() else theme.panel))
            painter.drawEllipse(QPointF(centre, middle), _RING - 1.5, _RING - 1.5)
            if self.hasFocus():
                painter.setPen(QPen(accent, 1.5))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(QPointF(centre, middle), _RING + 2, _RING + 2)

    def _take_action(self, action: int) -> None:
        """Turn what the user did into a number; steps start from the number, not from the rounded position."""
        kind = QAbstractSlider.SliderAction(action)
        if kind in _UP + _DOWN:
            number = self._stepped(_PAGE if kind in _PAGES else 1, kind in _UP)
            self.setSliderPosition(self.position_of(number))
        else:
            number = self.number_at(self.sliderPosition())
        if number != self._number:
            self._number = number
            self.number_moved.emit(number)

    def _stepped(self, count: int, is_up: bool) -> float:
        number = self._number
        if (number >= self._high) if is_up else (number <= self._low):
            return number
        if self._is_logarithmic:
            to = number * (1.0 + self._step) ** (count if is_up else -count)
        else:
            to = number + (count if is_up else -count) * self._step
        if self._is_whole:
            to = max(round(to), number + 1) if is_up else min(round(to), number - 1)
        else:
            to = float(f"{to:.{_DIGITS}g}")
        return float(min(max(to, self._low), self._high))

    def _drag_to(self, x: float) -> None:
        way = max(1.0, self.width() - 2.0 * (_RING + 2))
        part = min(max((x - self._grip - _RING - 2) / way, 0.0), 1.0)
        self.setSliderPosition(round((1.0 - part if self._is_mirrored() else part) * _POSITIONS))

    def _ring_centre(self) -> float:
        part = self.sliderPosition() / _POSITIONS
        way = self.width() - 2.0 * (_RING + 2)
        return _RING + 2 + (1.0 - part if self._is_mirrored() else part) * way

    def _is_mirrored(self) -> bool:
        return self.layoutDirection() == Qt.LayoutDirection.RightToLeft
