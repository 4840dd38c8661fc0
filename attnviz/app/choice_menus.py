"""The choices of the document in the menu: a submenu for every scalar with choices, an entry for every switch.

They are made from the descriptions of the scalars, so that a new scale rule, mask, encoding or variant is there too.
"""

from __future__ import annotations

from operator import attrgetter

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from attnviz.app.mnemonics import mnemonics_of, with_mnemonics
from attnviz.document.scalars import Scalar, ScalarValue
from attnviz.document.state import SCALARS, State

_IN_THE_TABLE_OF_MENUS = "scale"
SHOWN_IN_MENUS = tuple(name for name, scalar in SCALARS.items() if scalar.kind in ("choice", "switch"))
_VALUES_OF = attrgetter(*SHOWN_IN_MENUS)


def values_in_menus(state: State) -> tuple[ScalarValue, ...]:
    """Give what the menus show of a state."""
    values: tuple[ScalarValue, ...] = _VALUES_OF(state)
    return values


class ChoiceMenus(QObject):
    """Sets the choices and switches of the document.

    Parameters
    ----------
    parent : QObject
        Owns them.
    model : QMenu
        The menu they stand in.
    before : QAction
        The entry of it that they stand before.
    scale : QMenu
        The submenu of the scale rules, which is there already.

    Signals
    -------
    scalar_chosen : str, object
        The scalar of this key is to have this value.
    """

    scalar_chosen = Signal(str, object)

    def __init__(self, parent: QObject, model: QMenu, before: QAction, scale: QMenu) -> None:
        super().__init__(parent)
        self._actions: dict[str, list[QAction]] = {_IN_THE_TABLE_OF_MENUS: self._choices("scale", scale)}
        names = [name for name in SHOWN_IN_MENUS if name != _IN_THE_TABLE_OF_MENUS]
        texts = with_mnemonics([SCALARS[name].label for name in names], mnemonics_of(model))
        for name, text in zip(names, texts, strict=True):
            scalar = SCALARS[name]
            if scalar.kind == "choice":
                menu = QMenu(text, model)
                menu.setObjectName(f"menu_model_{scalar.key}")
                menu.setToolTipsVisible(True)
                model.insertMenu(before, menu)
                self._actions[name] = self._choices(name, menu)
            else:
                action = self._action(scalar, text, scalar.help, None)
                action.setObjectName(f"switch_{scalar.key}")
                model.insertAction(before, action)
                self._actions[name] = [action]

    def show_state(self, state: State) -> None:
        """Check what is chosen; emits nothing."""
        for name, value in zip(SHOWN_IN_MENUS, values_in_menus(state), strict=True):
            for action in self._actions[name]:
                action.setChecked(bool(value) if action.data() is None else action.data() == value)

    def _choices(self, name: str, menu: QMenu) -> list[QAction]:
        """Fill a submenu with the choices of a scalar."""
        scalar, group = SCALARS[name], QActionGroup(self)
        texts = with_mnemonics([label for _, label, _ in scalar.choices])
        made = []
        for (choice, _, explanation), text in zip(scalar.choices, texts, strict=True):
            action = self._action(scalar, text, explanation, choice)
            action.setObjectName(f"{scalar.key}_{choice}")
            group.addAction(action)
            menu.addAction(action)
            made.append(action)
        return made

    def _action(self, scalar: Scalar, text: str, explanation: str, choice: str | None) -> QAction:
        action = QAction(text, self, checkable=True)
        action.setStatusTip(explanation)
        action.setToolTip(explanation)
        action.setMenuRole(QAction.MenuRole.NoRole)
        action.setData(choice)
        action.setProperty("key", scalar.key)
        action.triggered.connect(self._choose)
        return action

    def _choose(self, is_checked: bool) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            choice = action.data()
            self.scalar_chosen.emit(str(action.property("key")), is_checked if choice is None else str(choice))
