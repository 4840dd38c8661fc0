"""A matrix whose numbers can be typed over where they belong to the document."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviz.appearance import Theme
from attnviz.views.controls.gestures import Gestures
from attnviz.views.matrix.picture import MatrixPicture
from attnviz.views.matrix.view import MatrixView
from attnviz.views.positions.cell_box import CellBox, begins_number

_OPENING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2)


class EditableMatrix(QWidget):
    """A :class:`MatrixView`, and a box that opens over a cell by a double click, Enter, F2 or typing.

    Parameters
    ----------
    name : str
        What a number in it is, for the sentence of a refusal: "a learned number".

    Signals
    -------
    number_entered : int, int, float, int
        The cell in this row and column is to have this number; the last one names the gesture.
    refused : str
        One sentence why what was typed was not taken.
    """

    number_entered = Signal(int, int, float, int)
    refused = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.is_editable = False
        self._picture: MatrixPicture | None = None
        self._cell = (0, 0)
        self._gestures = Gestures(self)
        self.matrix = MatrixView(self)
        self.matrix.cell_opened.connect(self._open_at)
        self.matrix.installEventFilter(self)
        self.box = CellBox(0.1, self, name=name)
        self.box.number_entered.connect(self._enter)
        self.box.textEdited.connect(self._type)
        self.box.refused.connect(self.refused)
        self._is_typed = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.matrix)
        self.setFocusProxy(self.matrix)

    def show_picture(self, picture: MatrixPicture, *, is_editable: bool = False) -> None:
        """Show a matrix; emits nothing."""
        before, self._picture, self.is_editable = self._picture, picture, is_editable
        self.matrix.show_picture(picture)
        if self.box.isVisible():
            if not is_editable or before is None or before.shape != picture.shape:
                self.box.leave()
            else:
                self.box.show_number(self._number())

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.matrix.apply_theme(theme)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Open the box for keys that begin an edit."""
        if watched is self.matrix and self.is_editable and isinstance(event, QKeyEvent):
            cell = self.matrix.cursor_cell
            is_edit = event.key() in _OPENING or begins_number(event)
            if cell is not None and is_edit and not event.matches(QKeySequence.StandardKey.Paste):
                if event.type() == QEvent.Type.ShortcutOverride:
                    event.accept()
                    return True
                if event.type() == QEvent.Type.KeyPress:
                    self._open(cell, event.text() if begins_number(event) else "")
                    return True
        return super().eventFilter(watched, event)

    def _open_at(self, row: int, column: int) -> None:
        if self.is_editable:
            self._open((row, column), "")

    def _open(self, cell: tuple[int, int], typed: str) -> None:
        self._cell, self._is_typed = cell, bool(typed)
        rect = self.matrix.cell_rect(*cell).toAlignedRect()
        self.box.open_over(rect.translated(self.matrix.pos()), self._number(), typed)

    def _number(self) -> float:
        assert self._picture is not None, "a box opens over a picture"
        row, column = self._cell
        return float(self._picture.cells(np.array([row]), np.array([column]))[0, 0])

    def _type(self) -> None:
        self._is_typed = True

    def _enter(self, number: float) -> None:
        """Take a number: a typed one is a gesture of its own, steps come in bursts."""
        row, column = self._cell
        gesture = self._gestures.begin() if self._is_typed else self._gestures.burst(f"cell {row} {column}")
        self._is_typed = False
        self.number_entered.emit(row, column, number, gesture)
