"""The clock of the film: one timer, which runs only while the film plays."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer, Signal

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)


class Player(QObject):
    """Asks for the next step as long as the film plays.

    Signals
    -------
    due : (nothing)
        The next step is to be shown.
    playing_changed : bool
        The film began to play, or stopped.
    """

    due = Signal()
    playing_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.speed = 1.0
        self._pace_ms = 0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.due)

    @property
    def is_playing(self) -> bool:
        """Whether the timer runs."""
        return self._timer.isActive()

    @property
    def interval_ms(self) -> int:
        """How long a step stays at the present speed."""
        return max(1, round(self._pace_ms / self.speed))

    def start(self) -> None:
        """Begin to play."""
        if not self.is_playing:
            self._timer.start(self.interval_ms)
            self.playing_changed.emit(True)

    def stop(self) -> None:
        """Stop where the film is."""
        if self.is_playing:
            self._timer.stop()
            self.playing_changed.emit(False)

    def set_pace(self, pace_ms: int, speed: float) -> None:
        """Set how long a step stays at speed 1, and the speed; a running film goes on at the new pace."""
        if (pace_ms, speed) != (self._pace_ms, self.speed):
            self._pace_ms, self.speed = pace_ms, speed
            if self.is_playing:
                self._timer.start(self.interval_ms)
