"""The box in which an entry of a matrix is typed: it lies over its cell, and keeps its keys from the grid below."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from attnviz.views.number_box import NumberBox

_STEP = 0.1


class EntryEditor(NumberBox):
    """A box for one entry.

    Parameters
    ----------
    name : str
        What the number is, for the sentence of a refusal: "an entry of W_Q".

    Signals
    -------
    left : (nothing)
        Esc was pressed: the box is to be closed, and the number stays as it was.
    next_wanted : bool
        Tab was pressed: the number is taken, and the next entry is to be typed; False for the one before.
    """

    left = Signal()
    next_wanted = Signal(bool)

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(_STEP, parent, name=name)
        self.setObjectName("cell_editor")
        self.setToolTip(
            "Enter takes the number, Esc leaves it as it was, Up and Down step by 0.1, Tab goes to the next"
        )

    def event(self, event: QEvent) -> bool:
        """Claim Esc before a shortcut of the window gets it."""
        is_key = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride
        if is_key and cast(QKeyEvent, event).key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def focusNextPrevChild(self, is_next: bool) -> bool:
        """Ask for the next entry at Tab, where Qt would go to the next widget."""
        self.next_wanted.emit(is_next)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave at Esc; Enter goes no further than here."""
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.setModified(False)  # what was typed is not taken when the box goes
            self.left.emit()
        else:
            super().keyPressEvent(event)
        if key in (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
