"""The turns of a mouse wheel in whole notches: fine wheels and touch pads tell fractions of one."""

from __future__ import annotations

from PySide6.QtGui import QWheelEvent

_NOTCH = 120  # eighths of a degree


class WheelNotches:
    """Adds up what the wheel turned since the last whole notch."""

    def __init__(self) -> None:
        self._turned = 0

    def take(self, event: QWheelEvent) -> int:
        """Give the notches that are full with this event, up or to the right above 0; a remainder is kept."""
        self._turned += event.angleDelta().y() or event.angleDelta().x()
        notches = int(self._turned / _NOTCH)
        self._turned -= notches * _NOTCH
        return notches
