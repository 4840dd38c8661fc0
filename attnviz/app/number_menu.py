"""The menu of a number: explain it, pin it, let it go; opened with the right button or the menu key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from attnviz.views.panel import Panel

_ENTRIES = ("explain_number", "pin_number", "release_number", "release_all")


class NumberMenu(QObject):
    """Shows one menu for the numbers of all panels.

    Parameters
    ----------
    panels : iterable of Panel
        The panel has pinned the number to the selection when it asks for the menu.
    actions : mapping from name to QAction
        Those of the window.
    """

    def __init__(self, panels: Iterable[Panel], actions: Mapping[str, QAction], parent: QWidget) -> None:
        super().__init__(parent)
        self.menu = QMenu(parent)
        self.menu.setObjectName("menu_number")
        self.menu.setAccessibleName("Number")
        self.menu.addActions([actions[name] for name in _ENTRIES])
        for panel in panels:
            panel.number_menu_requested.connect(self._show)

    def _show(self, place: QPoint) -> None:
        self.menu.popup(place)
