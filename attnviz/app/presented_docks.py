"""The docks in a presentation: a few side by side and the rest hidden, and afterwards all of them where they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QMainWindow

from attnviz.app.docks import PanelDock

LAYOUT_VERSION = 1
_SETTLED_AFTER_MS = 1500


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Where window and docks were, as Qt writes it down.

    Parameters
    ----------
    geometry : QByteArray
        The place of the window.
    size : QSize
        Its size.
    state : QByteArray
        The docks in it.
    """

    geometry: QByteArray
    size: QSize
    state: QByteArray


def arrangement_of(window: QMainWindow) -> Arrangement:
    """Write down where a window and its docks are now."""
    return Arrangement(window.saveGeometry(), window.size(), window.saveState(LAYOUT_VERSION))


class PresentedDocks(QObject):
    """Gives the window to chosen docks, and puts all of them back.

    Signals
    -------
    ended : (nothing)
        Every dock is back where it was, maybe for the second time: see :attr:`is_waiting`.
    """

    ended = Signal()

    def __init__(self, window: QMainWindow, docks: Mapping[str, PanelDock]) -> None:
        super().__init__(window)
        self._window, self._docks = window, docks
        self._before: Arrangement | None = None
        self._awaited: Arrangement | None = None
        self._settling = QTimer(self, singleShot=True, interval=_SETTLED_AFTER_MS)
        self._settling.timeout.connect(self._give_up)

    @property
    def before(self) -> Arrangement | None:
        """What will be put back; None while nothing is presented."""
        return self._before

    @property
    def is_waiting(self) -> bool:
        """Whether the docks will be put back once more, when the window has its size again."""
        return self._awaited is not None

    def present(self, names: Sequence[str]) -> None:
        """Show these docks alone, side by side."""
        window, docks = self._window, self._docks
        self._settle()
        self._before = self._before or arrangement_of(window)
        for dock in docks.values():
            dock.hold(is_held=True)
            dock.setFloating(False)
            window.removeDockWidget(dock)
        window.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, docks[names[0]])
        for left, right in pairwise(names):
            window.splitDockWidget(docks[left], docks[right], Qt.Orientation.Horizontal)
        for name in names:
            docks[name].show()
        window.resizeDocks([docks[name] for name in names], [1] * len(names), Qt.Orientation.Horizontal)

    def put_back(self) -> None:
        """Put every dock back; once more when the window has its size again, which a desktop may give it later."""
        before = self._before
        if before is None:
            return
        for dock in self._docks.values():
            dock.hold(is_held=False)
        if not (self._window.isMaximized() or self._window.isFullScreen()):
            self._window.resize(before.size)
        self._window.restoreState(before.state, LAYOUT_VERSION)
        self._before = None
        if self._window.size() != before.size:
            self._awaited = before
            self._window.installEventFilter(self)
            self._settling.start()
        self.ended.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Wait for the size that the window had."""
        awaited = self._awaited
        if awaited is not None and event.type() == QEvent.Type.Resize and self._window.size() == awaited.size:
            QTimer.singleShot(0, self._restore_again)  # not within the window's own event: Qt crashes on that
        return super().eventFilter(watched, event)

    def _restore_again(self) -> None:
        awaited = self._awaited
        self._settle()
        if awaited is not None:
            self._window.restoreState(awaited.state, LAYOUT_VERSION)
            self.ended.emit()

    def _give_up(self) -> None:
        self._settle()
        self.ended.emit()

    def _settle(self) -> None:
        self._settling.stop()
        self._window.removeEventFilter(self)
        self._awaited = None
