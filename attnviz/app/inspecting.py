"""When the inspector opens: at the first click on a number, unless it was closed; then only when asked for strongly.

One that is open behind another tab comes to the front at every click.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

from attnviz.app.docks import PanelDock
from attnviz.app.layout import Layout
from attnviz.app.presentation import Presentation
from attnviz.views.selection import Selection


class InspectorOpening(QObject):
    """Opens the dock of the inspector for numbers that are clicked.

    A click opens it only after the time in which a second click would make it a double click: what is clicked may
    move when the inspector takes its room, and the second click must not fall on something else. Somebody who closed
    the inspector does not want it at every click: until it is shown again, a double click, Enter on the chosen number
    or the command is needed. One that is open already, but behind another panel in the same place, comes to the front
    in the same time: a click that shows nothing would look like a fault. A panel that fills the window, or is
    presented, is not pushed away by a click.

    Parameters
    ----------
    selection : Selection
        Tells which numbers are chosen.
    layout : Layout
        Knows whether a panel fills the window.
    presentation : Presentation
        Knows whether something is presented, and brings panels forward.
    dock : PanelDock
        The dock of the inspector.
    """

    def __init__(
        self, selection: Selection, layout: Layout, presentation: Presentation, dock: PanelDock, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._layout, self._presentation, self._dock = layout, presentation, dock
        self._is_unwanted = False
        self._waiting = QTimer(self, singleShot=True, interval=QApplication.doubleClickInterval())
        self._waiting.timeout.connect(self._open_at_rest)
        selection.inspector_wanted.connect(self._want)
        dock.closed.connect(self._remember_closing)
        dock.visibilityChanged.connect(self._remember_showing)

    @property
    def is_waiting(self) -> bool:
        """Whether a click is about to open the inspector."""
        return self._waiting.isActive()

    def open(self) -> None:
        """Show the inspector now, in front; a panel that fills the window goes back to its place."""
        self._waiting.stop()
        self._presentation.bring_forward(self._dock.objectName())

    def begin_again(self) -> None:
        """Forget that the inspector was closed, and a click that waits."""
        self._waiting.stop()
        self._is_unwanted = False

    @property
    def _may_open(self) -> bool:
        """Whether a click brings it: it is out of sight, nobody closed it, and no panel fills the window."""
        if self._layout.maximised is not None or self._presentation.is_on:
            return False
        return not self._is_unwanted if self._dock.isHidden() else not self._dock.is_in_front

    def _want(self, is_urgent: bool) -> None:
        if is_urgent:
            self.open()
        elif self._may_open:
            self._waiting.start()

    def _open_at_rest(self) -> None:
        if QApplication.mouseButtons() != Qt.MouseButton.NoButton:
            self._waiting.start()  # something is held: nothing may move under it
        elif self._may_open:
            self.open()

    def _remember_closing(self) -> None:
        self._waiting.stop()
        self._is_unwanted = True

    def _remember_showing(self, is_visible: bool) -> None:
        if is_visible:
            self._is_unwanted = False
