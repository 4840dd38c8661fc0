"""What a presentation can show: each panel alone, and the pairs that the list of panels names."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from attnviz.app.mnemonics import mnemonics_of, with_mnemonics
from attnviz.views.panels import PANELS

USUAL_VIEW = "plane+weights"


@dataclass(frozen=True, slots=True)
class View:
    """What a presentation can show.

    Parameters
    ----------
    name : str
        Its identifier: the names of its panels with a plus between them.
    title : str
        What the menu says.
    panels : tuple of str
        One panel, or two from left to right.
    """

    name: str
    title: str
    panels: tuple[str, ...]


def presented_views() -> tuple[View, ...]:
    """Give everything that can be presented: each panel alone, then each pair."""
    titles = {spec.name: spec.title for spec in PANELS}
    single = [View(spec.name, spec.title, (spec.name,)) for spec in PANELS]
    pairs = [
        View(f"{spec.name}+{other}", f"{spec.title} and {titles[other]}", (spec.name, other))
        for spec in PANELS
        for other in spec.beside
    ]
    return (*single, *pairs)


class ViewActions(QActionGroup):
    """An action for each view, of which one is checked while it is presented.

    Its signal ``triggered`` carries the action, whose ``data`` is the name of the view.

    Parameters
    ----------
    parent : QObject
        Owns them.
    menu : QMenu
        Where they go, single panels and pairs into a menu each.
    """

    def __init__(self, parent: QObject, menu: QMenu) -> None:
        super().__init__(parent)
        self.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
        menu.addSeparator()
        views = presented_views()
        for title, count in (("&One Panel", 1), ("&Two Panels", 2)):
            inside = QMenu(title, menu)
            inside.setToolTipsVisible(True)
            menu.addMenu(inside)
            self._fill(inside, [view for view in views if len(view.panels) == count])

    def show_presented(self, name: str) -> None:
        """Check the view of a name; none if it is empty."""
        for action in self.actions():
            action.setChecked(action.data() == name)

    def _fill(self, menu: QMenu, views: list[View]) -> None:
        texts = with_mnemonics([view.title for view in views], mnemonics_of(menu))
        for view, text in zip(views, texts, strict=True):
            action = QAction(text, self, checkable=True)
            action.setObjectName(f"view_{view.name}")
            action.setStatusTip(f"Present {view.title.rstrip('?')} in large type.")
            action.setMenuRole(QAction.MenuRole.NoRole)
            action.setData(view.name)
            self.addAction(action)
            menu.addAction(action)
