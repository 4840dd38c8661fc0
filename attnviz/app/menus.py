"""The menu bar: the table of its menus, and the making of menus and actions from the tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from attnviz.app.action_spec import ActionSpec
from attnviz.app.actions import ACTIONS

# The path of each menu, its title, and the action of the menu around it that it stands before; none in the menu bar.
MENUS = (
    ("File", "&File", ""),
    ("File/Scenes", "Scene &List", "open"),
    ("File/Recent", "Open &Recent", "import_embeddings"),
    ("File/Export", "&Export", "close"),
    ("Edit", "&Edit", ""),
    ("Edit/CopyAs", "Copy Table A&s", "copy_derivation"),
    ("Edit/Pins", "Pinned Num&bers", "copy_tokens"),
    ("Edit/CopyNumber", "Copy Nu&mber As", "copy_derivation"),
    ("View", "&View", ""),
    ("View/Projections", "Pro&jections", "explain_number"),
    ("View/Heatmaps", "Heat&maps", "explain_number"),
    ("View/Inspector", "Inspe&ctor", "maximise"),
    ("View/Film", "Film Step b&y Step", "maximise"),
    ("View/Panels", "&Panels", "maximise"),
    ("View/Table", "Ta&ble", "maximise"),
    ("View/Measures", "Measures beside &Weights", "explain_number"),
    ("View/Theme", "T&heme", "maximise"),
    ("View/Font", "Font Si&ze", "maximise"),
    ("View/Presentation", "Presen&tation", "full_screen"),
    ("Model", "&Model", ""),
    ("Model/Scale", "&Scale Rule", "causal"),
    ("Lab", "&Lab", ""),
    ("Lab/Mask", "Mas&k", "heads_panel"),
    ("Lab/Parts", "Parts of the Laye&r", "mask_panel"),
    ("Help", "&Help", ""),
)


def build_menus(window: QMainWindow) -> dict[str, QMenu]:
    """Make the menus of the menu bar, by path."""
    menus: dict[str, QMenu] = {}
    for path, title, before in MENUS:
        menu = QMenu(title, window)
        menu.setObjectName("menu_" + path.replace("/", "_").lower())
        menu.setToolTipsVisible(True)
        menus[path] = menu
        if not before:
            window.menuBar().addMenu(menu)
    return menus


def build_actions(window: QMainWindow, handlers: Mapping[str, Callable[[], object]]) -> dict[str, QAction]:
    """Make every action of the table and connect it to its handler.

    Parameters
    ----------
    window : QMainWindow
        Owns the actions, so that shortcuts work in the whole window.
    handlers : mapping from name to bound method
        One for every action.
    """
    actions: dict[str, QAction] = {}
    groups = {name: QActionGroup(window) for name in {spec.group for spec in ACTIONS} if name}
    for spec in ACTIONS:
        action = QAction(spec.text, window)
        action.setObjectName(spec.name)
        action.setStatusTip(spec.tip)
        action.setMenuRole(spec.role)
        action.setCheckable(spec.checkable)
        action.setShortcuts(_sequences(spec))
        first = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{spec.tip} ({first})" if first else spec.tip)
        action.triggered.connect(handlers[spec.name])
        if spec.group:
            groups[spec.group].addAction(action)
        window.addAction(action)
        actions[spec.name] = action
    return actions


def fill_menus(menus: Mapping[str, QMenu], actions: Mapping[str, QAction]) -> None:
    """Put the actions and the submenus into the menus, in the order of the tables."""
    for spec in ACTIONS:
        menu = menus[spec.menu]
        if spec.begins_section and not menu.isEmpty():
            menu.addSeparator()
        menu.addAction(actions[spec.name])
    for path, _, before in MENUS:
        if before:
            menus[path.partition("/")[0]].insertMenu(actions[before], menus[path])


def _sequences(spec: ActionSpec) -> list[QKeySequence]:
    sequences: list[QKeySequence] = []
    for key in spec.keys:
        found = [QKeySequence(key)] if isinstance(key, str) else QKeySequence.keyBindings(key)
        sequences += [sequence for sequence in found if sequence not in sequences]
    return sequences
