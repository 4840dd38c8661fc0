"""The menu of pinned numbers: what is pinned to what, each entry the way to its explanation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from attnviz.document.frame import Frame
from attnviz.document.interventions import Intervention
from attnviz.late import late
from attnviz.views.numbers import number_text

if TYPE_CHECKING:
    from attnviz import explanations
else:
    explanations = late("attnviz.explanations")

_MOST = 30


class PinsMenu(QObject):
    """Lists the pinned numbers of a frame at the end of a menu, when it opens.

    Parameters
    ----------
    menu : QMenu
        It has the commands of pinning already; the list stands below them.

    Signals
    -------
    number_chosen : object
        The user wants this pinned number, a :class:`NumberRef`, explained.
    pin_released : object
        The user lets go of this pin, which waits for a wider d_k.
    """

    number_chosen = Signal(object)
    pin_released = Signal(object)

    def __init__(self, menu: QMenu, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._menu = menu
        self._frame: Frame | None = None
        self._actions: list[QAction] = []
        menu.aboutToShow.connect(self.fill)

    def show_frame(self, frame: Frame) -> None:
        """List the pins of this frame from now on."""
        self._frame = frame

    def fill(self) -> None:
        """Show the list as it is now."""
        for action in self._actions:
            self._menu.removeAction(action)
            action.deleteLater()  # not at once: it may be the one that was just triggered
        pins = () if self._frame is None else tuple(self._frame.pins)
        separator = QAction(self._menu)
        separator.setSeparator(True)
        self._actions = [separator, *(self._entry(one) for one in pins[:_MOST])]
        if len(pins) > _MOST:
            self._actions.append(self._words(f"and {len(pins) - _MOST:,} more"))
        if not pins:
            self._actions.append(self._words("No number is pinned"))
        self._menu.addActions(self._actions)

    def _entry(self, one: Intervention) -> QAction:
        action = QAction(f"{_title(self._frame, one)} = {number_text(one.value)}".replace("&", "&&"), self._menu)
        action.setData(one.ref)
        action.setStatusTip("Let go of this pin, which waits." if self._waits(one) else "Explain this pinned number.")
        action.setMenuRole(QAction.MenuRole.NoRole)
        action.triggered.connect(self._release if self._waits(one) else self._choose)
        return action

    def _waits(self, one: Intervention) -> bool:
        return self._frame is None or not explanations.exists(self._frame, one.ref)

    def _words(self, text: str) -> QAction:
        action = QAction(text, self._menu)
        action.setEnabled(False)
        action.setMenuRole(QAction.MenuRole.NoRole)
        return action

    def _choose(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.number_chosen.emit(action.data())

    def _release(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.pin_released.emit(action.data())


def _title(frame: Frame | None, one: Intervention) -> str:
    if frame is None or not explanations.exists(frame, one.ref):
        return f"Release {one.name} {one.row + 1}, {one.column + 1}, which waits for d_k {one.column + 1}"
    return explanations.explain(frame, one.ref).title
