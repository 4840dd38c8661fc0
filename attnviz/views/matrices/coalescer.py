"""A burst of moves made one: the last number asked for is handed over once in a turn of the event loop."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal


class Coalescer(QObject):
    """Keeps the number that the mouse asked for last until the event loop has no more moves.

    Parameters
    ----------
    parent : QObject
        What the mouse moves on.

    Signals
    -------
    due : float
        The last number asked for; once for all moves that came together.
    """

    due = Signal(float)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.wanted: float | None = None
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self.flush)

    def ask(self, number: float) -> None:
        """Ask for a number, in the place of one that is still to be handed over."""
        self.wanted = number
        self._timer.start()

    def flush(self) -> None:
        """Hand over at once what is wanted, as at the end of a gesture."""
        self._timer.stop()
        number, self.wanted = self.wanted, None
        if number is not None:
            self.due.emit(number)

    def drop(self) -> None:
        """Forget what is wanted."""
        self._timer.stop()
        self.wanted = None
