"""Rows for some scalars of the state, made from their descriptions: the settings that a panel holds."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviz.appearance import Theme
from attnviz.document.state import SCALARS, State
from attnviz.views.controls.gestures import Gestures
from attnviz.views.controls.rows import ROWS, ScalarRow
from attnviz.views.controls.usual_values import usual_value


class ScalarRows(QWidget):
    """A column of rows; one that does not matter in the present state is hidden.

    Parameters
    ----------
    names : sequence of str
        The fields of the state, in order.

    Signals
    -------
    changed : str, object, int
        The scalar of this key is to have this value; the last number names the gesture.
    refused : str
        One sentence why a typed value was not taken.
    """

    changed = Signal(str, object, int)
    refused = Signal(str)

    def __init__(self, names: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        gestures = Gestures(self)
        self.rows: dict[str, ScalarRow] = {}
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(8)
        for name in names:
            scalar = SCALARS[name]
            row = self.rows[name] = ROWS[scalar.kind](scalar, gestures, self)
            row.changed.connect(self.changed)
            row.refused.connect(self.refused)
            row.setVisible(scalar.shown_when is None)
            self.column.addWidget(row)

    def show_state(self, state: State) -> None:
        """Set what differs from what is shown; emits nothing."""
        for name, row in self.rows.items():
            row.show_state(getattr(state, name), usual_value(name, state))
            needed = row.scalar.shown_when
            if needed is not None:
                is_wanted = getattr(state, needed[0]) in needed[1]
                if row.isHidden() == is_wanted:
                    row.setVisible(is_wanted)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for row in self.rows.values():
            row.apply_theme(theme)
