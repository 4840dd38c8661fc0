"""Which parts a layer has: a button with a menu that switches W_O and the biases, and ties W_K to W_Q."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from attnviz.document.matrix_edits import OPTIONAL_MATRICES, EditableMatrix
from attnviz.document.state import SCALARS, State

_TIE = "tie"
_EXPLANATION = "Choose the parts of the layer: the output matrix, biases, tied matrices"


class PartsSwitch(QToolButton):
    """A button whose menu has an entry for every part that a layer may have.

    Parameters
    ----------
    parent : QWidget
        Where it stands.

    Attributes
    ----------
    part_actions : tuple of QAction
        The entries, for another menu too.

    Signals
    -------
    part_switched : str, bool
        The layer is to have the matrix of this name, or no longer.
    tie_switched : bool
        W_K is to be W_Q, or no longer.
    """

    part_switched = Signal(str, bool)
    tie_switched = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("menu_button")
        self.setText("Parts")
        self.setToolTip(_EXPLANATION)
        self.setAccessibleName("Parts")
        self.setAccessibleDescription(_EXPLANATION)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.setObjectName("menu_parts_of_layer")
        menu.setToolTipsVisible(True)
        parts = [self._part(matrix) for matrix in OPTIONAL_MATRICES.values()]
        self.part_actions = (*parts, self._action(_TIE, "&Tie W_K to W_Q", SCALARS["is_tied"].help))
        menu.addActions(list(self.part_actions))
        self.setMenu(menu)

    def show_state(self, state: State) -> None:
        """Check the parts that a state has; emits nothing."""
        for action in self.part_actions:
            name = str(action.data())
            action.setChecked(state.is_tied if name == _TIE else getattr(state, name) is not None)
            action.setEnabled(name != "b_o" or state.w_o is not None)

    def _part(self, matrix: EditableMatrix) -> QAction:
        letter = matrix.symbol[-1]
        text = f"{matrix.symbol[:-1]}&{letter}" if matrix.is_vector else f"&{matrix.symbol}"
        return self._action(matrix.name, f"{text}: {matrix.label}", f"Give the layer {matrix.symbol}, or take it away.")

    def _action(self, name: str, text: str, tip: str) -> QAction:
        action = QAction(text, self, checkable=True)
        action.setObjectName(f"part_{name}")
        action.setStatusTip(tip)
        action.setToolTip(tip)
        action.setMenuRole(QAction.MenuRole.NoRole)
        action.setData(name)
        action.triggered.connect(self._switch)
        return action

    def _switch(self, is_on: bool) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            name = str(action.data())
            if name == _TIE:
                self.tie_switched.emit(is_on)
            else:
                self.part_switched.emit(name, is_on)
