"""What the commands of one menu have in common: the window they act on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from attnviz.app.window import MainWindow


class CommandGroup(QObject):
    """The handlers of the actions of one menu of one window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
