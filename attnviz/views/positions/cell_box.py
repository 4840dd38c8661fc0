"""A box that opens over a painted number, takes another one, and goes away."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QWidget

from attnviz.views.number_box import NumberBox

_LEAST_WIDTH = 84
_STARTS = "0123456789+-.,\u2212"


class CellBox(NumberBox):
    """A :class:`NumberBox` over a cell of its parent: Enter takes the number, Esc leaves it, Tab and a click too.

    Signals
    -------
    closed : (nothing)
        The box is gone, and its parent has the focus if the box had it.
    """

    closed = Signal()

    def __init__(self, step: float, parent: QWidget, *, name: str) -> None:
        super().__init__(step, parent, name=name)
        self._over = parent
        self.setAccessibleName(name.capitalize())
        self.setToolTip("Enter takes the number, Esc leaves it as it was; Up and Down step, with Shift ten times.")
        self.hide()

    def open_over(self, cell: QRect, number: float, typed: str = "") -> None:
        """Open over a cell, with its number to be replaced, or with what was typed instead of it."""
        parent = self._over
        width, height = max(_LEAST_WIDTH, cell.width()), max(cell.height(), self.sizeHint().height())
        left = min(max(0, cell.center().x() - width // 2), max(0, parent.width() - width))
        top = min(max(0, cell.center().y() - height // 2), max(0, parent.height() - height))
        self.setGeometry(left, top, width, height)
        self.setModified(False)
        self.show_number(number)
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.PopupFocusReason)
        if typed:
            self.setText(typed)
            self.setModified(True)
        else:
            self.selectAll()

    def event(self, event: QEvent) -> bool:
        """Claim Esc before a shortcut of the window gets it."""
        is_claimed = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride
        if is_claimed and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Enter, unless what was typed is no number, and on Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.setModified(False)
            self.leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
            if not self.is_invalid:
                self.leave()
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Close when the focus goes elsewhere; what was typed was taken before, or is lost with its refusal."""
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.leave()

    def leave(self) -> None:
        """Go away without taking anything."""
        if self.isHidden():
            return
        had_focus = self.hasFocus()
        self.hide()
        if had_focus:
            self._over.setFocus(Qt.FocusReason.OtherFocusReason)
        self.closed.emit()


def begins_number(event: QKeyEvent) -> bool:
    """Tell whether a key begins to type a number."""
    text = event.text()
    return len(text) == 1 and text in _STARTS
