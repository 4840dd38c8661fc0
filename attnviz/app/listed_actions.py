"""Menu entries that are made from lists: the panels to show and hide, and the ready scenes."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from attnviz.app.docks import PanelDock
from attnviz.app.mnemonics import with_mnemonics
from attnviz.document.state import State
from attnviz.views.plane.projections import PROJECTIONS

_DIGITS = 9


class PanelActions(QObject):
    """Shows and hides panels by their place in the list: Ctrl+Alt+1 the first, and so on.

    Parameters
    ----------
    docks : mapping from name to PanelDock
        The panels, in the order of the list.
    menu : QMenu
        Where the actions go.
    """

    def __init__(self, docks: Mapping[str, PanelDock], menu: QMenu) -> None:
        super().__init__(menu)
        texts = with_mnemonics([dock.spec.title for dock in docks.values()])
        for number, (dock, text) in enumerate(zip(docks.values(), texts, strict=True), start=1):
            action = dock.toggleViewAction()
            action.setText(text)
            action.setObjectName(f"panel_{dock.objectName()}")
            action.setStatusTip(dock.spec.help)
            action.setMenuRole(QAction.MenuRole.NoRole)
            if number <= _DIGITS:
                action.setShortcut(QKeySequence(f"Ctrl+Alt+{number}"))
            action.setToolTip(dock.spec.help)
            menu.addAction(action)


class SceneActions(QObject):
    """Opens a ready scene.

    Parameters
    ----------
    parent : QObject
        Owns them.
    scenes : mapping from name to State
        The ready scenes.
    menu : QMenu
        Where the actions go.

    Signals
    -------
    scene_chosen : str
        The name of the scene to open.
    """

    scene_chosen = Signal(str)

    def __init__(self, parent: QObject, scenes: Mapping[str, State], menu: QMenu) -> None:
        super().__init__(parent)
        texts = with_mnemonics([scene.title for scene in scenes.values()])
        for (name, scene), text in zip(scenes.items(), texts, strict=True):
            action = QAction(text, self)
            action.setObjectName(f"scene_{name}")
            action.setStatusTip(scene.description)
            action.setToolTip(scene.description)
            action.setMenuRole(QAction.MenuRole.NoRole)
            action.setData(name)
            action.triggered.connect(self._choose)
            menu.addAction(action)

    def _choose(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.scene_chosen.emit(str(action.data()))


class GridActions(QActionGroup):
    """Chooses the matrix that deforms the grid of the plane, or none.

    Parameters
    ----------
    parent : QObject
        Owns them.
    menu : QMenu
        Where the actions go.

    Signals
    -------
    grid_chosen : str
        The name of the matrix; empty for the grid as it is.
    """

    grid_chosen = Signal(str)

    def __init__(self, parent: QObject, menu: QMenu) -> None:
        super().__init__(parent)
        entries = [("", "Grid &as It Is", "Show the grid of the plane as it is.")]
        for name, projection in PROJECTIONS.items():
            symbol = projection.symbol
            entries.append(
                (name, f"Grid under W_&{symbol[-1]}", f"Show where {symbol} takes the grid of the plane, for d = 2.")
            )
        for name, text, explanation in entries:
            action = QAction(text, self, checkable=True)
            action.setObjectName(f"grid_{name or 'plain'}")
            action.setStatusTip(explanation)
            action.setToolTip(explanation)
            action.setMenuRole(QAction.MenuRole.NoRole)
            action.setData(name)
            menu.addAction(action)
        self.triggered.connect(self._choose)

    def show_chosen(self, name: str) -> None:
        """Check the entry of a matrix."""
        for action in self.actions():
            action.setChecked(action.data() == name)

    def _choose(self, action: QAction) -> None:
        self.grid_chosen.emit(str(action.data()))
