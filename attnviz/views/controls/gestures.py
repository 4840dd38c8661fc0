"""Numbers for gestures: what belongs together as one entry of the history gets the same number."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

BURST_MS = 800


class Gestures(QObject):
    """Gives each gesture a number of its own, and a burst of key strokes on one control the same one.

    Parameters
    ----------
    parent : QObject
        The panel whose gestures are counted.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._last = 0
        self._owner = ""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(BURST_MS)
        self._pause.timeout.connect(self.end_burst)

    @property
    def burst_is_over(self) -> bool:
        """Whether the next stroke begins a new burst, whoever makes it."""
        return not self._owner

    def begin(self) -> int:
        """Begin a gesture that nothing before belongs to, and give its number."""
        self.end_burst()
        self._last += 1
        return self._last

    def burst(self, owner: str) -> int:
        """Give the number of the running burst of ``owner``, or begin one."""
        if owner != self._owner:
            self.begin()
            self._owner = owner
        self._pause.start()
        return self._last

    def end_burst(self) -> None:
        """Let the next stroke begin a new burst."""
        self._owner = ""
        self._pause.stop()
