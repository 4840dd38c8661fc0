"""The sweep of a number up and down a slider's range, by ratio and by the clock."""

from __future__ import annotations

import math

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal

WAY_S = 8.0
_TICK_MS = 16
_DIGITS = 4


def swept(low: float, high: float, start: float, seconds: float) -> float:
    """Give the number after ``seconds`` of a sweep that begins at ``start`` and goes up first.

    Parameters
    ----------
    low, high : float
        The ends of the range, above 0.
    start : float
        Where the sweep begins; an end of the range for a number beyond it.
    seconds : float
        The time since, at least 0; from one end to the other takes 8 s.

    Returns
    -------
    float
        A number in the range, with four significant digits.

    Examples
    --------
    >>> swept(0.01, 100.0, 1.0, 0.0), swept(0.01, 100.0, 1.0, 4.0), swept(0.01, 100.0, 1.0, 12.0)
    (1.0, 100.0, 0.01)
    """
    whole = math.log(high / low)
    begin = math.log(min(max(start, low), high) / low) / whole
    part = math.fmod(begin + seconds / WAY_S, 2.0)
    number = low * math.exp(whole * (part if part <= 1.0 else 2.0 - part))
    return min(max(float(f"{number:.{_DIGITS}g}"), low), high)


class Sweep(QObject):
    """A running or resting sweep.

    Signals
    -------
    number_reached : float
        The number of this moment.
    running_changed : bool
        The sweep began or ended.
    """

    number_reached = Signal(float)
    running_changed = Signal(bool)

    def __init__(self, low: float, high: float, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._low, self._high, self._from = low, high, low
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._tick)

    @property
    def is_running(self) -> bool:
        """Whether the sweep is on its way."""
        return self._timer.isActive()

    def start(self, number: float) -> None:
        """Begin at ``number``."""
        self._from = number
        self._clock.start()
        self._timer.start()
        self.running_changed.emit(True)

    def stop(self) -> None:
        """Rest where the number is."""
        if self.is_running:
            self._timer.stop()
            self.running_changed.emit(False)

    def _tick(self) -> None:
        self.number_reached.emit(swept(self._low, self._high, self._from, self._clock.elapsed() / 1000.0))
