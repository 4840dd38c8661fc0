"""The slim bar below a presentation: what is shown, what else can be, and how to end."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from attnviz.app.palette_entries import plain

_SIGNS = {"previous_view": "◂", "next_view": "▸", "spotlight": "◎ Spotlight", "end_presentation": "✕ End"}


class PresentationBar(QToolBar):
    """A tool bar of a few words; hidden outside presentations.

    Parameters
    ----------
    window : QMainWindow
        Where it stands, at the bottom.
    actions : mapping from name to QAction
        Those of the window.
    menu : QMenu
        The list of what can be shown.
    """

    def __init__(self, window: QMainWindow, actions: Mapping[str, QAction], menu: QMenu) -> None:
        super().__init__("Presentation", window)
        self.setObjectName("presentation_bar")
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.toggleViewAction().setEnabled(False)
        self.choice = QToolButton()
        self.choice.setMenu(menu)
        self.choice.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.choice.setToolTip("Choose what fills the screen")
        spacer = QWidget()
        spacer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._add(actions["previous_view"])
        self.addWidget(self.choice)
        self._add(actions["next_view"])
        self.addWidget(spacer)
        self._add(actions["spotlight"])
        self._add(actions["end_presentation"])
        window.addToolBar(Qt.ToolBarArea.BottomToolBarArea, self)
        self.hide()

    def show_title(self, title: str) -> None:
        """Say what is shown."""
        self.choice.setText(f"{title.replace('&', '&&')} ▾")
        self.choice.setAccessibleName(f"Presented: {title}")

    def _add(self, action: QAction) -> None:
        action.setIconText(_SIGNS[action.objectName()])
        self.addAction(action)
        self.widgetForAction(action).setAccessibleName(plain(action.text()))
