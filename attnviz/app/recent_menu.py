"""The menu of recent documents: the newest first, those that are gone greyed, and a way to forget them all."""

from __future__ import annotations

from html import escape
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from attnviz.app.documents import Documents


class RecentMenu(QObject):
    """Fills a menu with the recent documents, and opens the one that is chosen.

    Parameters
    ----------
    menu : QMenu
        Filled anew whenever the list changes and each time the menu opens: a file may have gone or come back.
    documents : Documents
        Knows the list.
    """

    def __init__(self, menu: QMenu, documents: Documents, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._menu, self._documents = menu, documents
        self._actions: list[QAction] = []
        documents.recent_changed.connect(self.fill)
        menu.aboutToShow.connect(self.fill)
        self.fill()

    def fill(self) -> None:
        """Show the list as it is now."""
        for action in self._actions:
            self._menu.removeAction(action)
            action.deleteLater()  # not at once: it may be the one that was just triggered
        paths = self._documents.recent()
        self._actions = [self._entry(number, path) for number, path in enumerate(paths, start=1)]
        separator = QAction(self._menu)
        separator.setSeparator(True)
        clear = QAction("&Clear", self._menu)
        clear.setStatusTip("Forget the recent documents.")
        clear.setMenuRole(QAction.MenuRole.NoRole)
        clear.setEnabled(bool(paths))
        clear.triggered.connect(self._documents.clear_recent)
        self._actions += [separator, clear]
        self._menu.addActions(self._actions)

    def _entry(self, number: int, path: Path) -> QAction:
        action = QAction(f"&{number % 10} {path.name.replace('&', '&&')}", self._menu)
        action.setData(str(path))
        action.setStatusTip(str(path))
        action.setToolTip(f"<span style='white-space:pre'>{escape(str(path))}</span>")
        action.setMenuRole(QAction.MenuRole.NoRole)
        action.setEnabled(path.exists())
        action.triggered.connect(self._open)
        return action

    def _open(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._documents.open_path(Path(str(action.data())))
