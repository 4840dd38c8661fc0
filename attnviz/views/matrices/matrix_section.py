"""One matrix in the panel: its name and shape, its numbers, and the commands beside them."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from attnviz.appearance import Theme
from attnviz.document.arrays import FloatArray
from attnviz.document.matrix_edits import EditableMatrix, tied_sentence
from attnviz.document.state import State
from attnviz.views.controls.gestures import Gestures
from attnviz.views.hints import plain_tooltip
from attnviz.views.matrices.entry_grid import EntryGrid
from attnviz.views.matrices.operation_bar import OperationBar
from attnviz.views.role_colours import role_colour
from attnviz.views.tokens.message_line import quiet_style

_GAP = 8
_PASTE_TIP = "Put the matrix in the clipboard here: NumPy, nested lists, CSV or cells of a spreadsheet (Ctrl+V)"


class MatrixSection(QWidget):
    """A matrix with its commands.

    Parameters
    ----------
    matrix : EditableMatrix
        Which one.
    gestures : Gestures
        Numbers the gestures of the whole panel.

    Signals
    -------
    entry_changed : str, int, int, float, int
        The entry of the matrix of a name, in a row and a column, is to be a number; the last one names the gesture.
    operation_requested : str, str, object, int
        The matrix of a name is to be shaped by an operation with a number or None, as part of a gesture.
    gesture_cancelled : str, int
        The gesture on the matrix of a name is to be taken back.
    matrix_turned : str, object, float, int
        The matrix of a name is to be what it was when a gesture began, an array, turned by some degrees since then.
    copy_asked, paste_asked : str
        The matrix of a name is to be copied, or to be replaced by what is in the clipboard.
    """

    entry_changed = Signal(str, int, int, float, int)
    operation_requested = Signal(str, str, object, int)
    gesture_cancelled = Signal(str, int)
    matrix_turned = Signal(str, object, float, int)
    copy_asked = Signal(str)
    paste_asked = Signal(str)

    def __init__(self, matrix: EditableMatrix, gestures: Gestures, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.matrix = matrix
        self.grid = EntryGrid(matrix.name, gestures, self)
        self.bar = OperationBar(matrix, gestures, self)
        self._symbol = QLabel(matrix.symbol, self)
        self._symbol.setTextFormat(Qt.TextFormat.PlainText)
        self._shape = QLabel(self)
        self._shape.setObjectName("muted")
        self.copy_button, self.paste_button = QPushButton("Copy", self), QPushButton("Paste", self)
        self.copy_button.setToolTip("Copy the matrix as NumPy text, every digit (Ctrl+C in its numbers)")
        self.paste_button.setToolTip(_PASTE_TIP)
        for button in (self.copy_button, self.paste_button):
            button.setAccessibleName(f"{button.text()} {matrix.symbol}")
        self._lay_out()
        self.grid.entry_changed.connect(self._change_entry)
        self.grid.gesture_cancelled.connect(self._cancel)
        self.grid.copy_asked.connect(self._copy)
        self.grid.paste_asked.connect(self._paste)
        self.bar.operation_requested.connect(self._request)
        self.bar.gesture_cancelled.connect(self._cancel)
        self.bar.matrix_turned.connect(self._turn)
        self.copy_button.clicked.connect(self._copy)
        self.paste_button.clicked.connect(self._paste)

    def show_state(self, state: State, array: FloatArray) -> None:
        """Show the matrix as a state has it."""
        rows, columns = array.shape
        tie = self.matrix.tie(state)
        note, refusal = (f", tied to {tie}", tied_sentence(self.matrix)) if tie else ("", "")
        self._shape.setText(f"{self.matrix.label}, {rows} × {columns}{note}")
        self.grid.show_tie(tie, refusal)
        for control, tip in ((self.bar, ""), (self.paste_button, _PASTE_TIP)):
            control.setEnabled(not tie)
            control.setToolTip(plain_tooltip(refusal) if tie else tip)
        self.grid.show_array(array, self.matrix.acting_columns(state, columns))
        self.bar.show_array(array)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._symbol.setStyleSheet(f"font-weight: bold; color: {role_colour(theme, self.matrix.role)};")
        for button in (self.copy_button, self.paste_button):
            button.setStyleSheet(quiet_style(theme))
        self.grid.apply_theme(theme)
        self.bar.apply_theme(theme)

    def minimumSizeHint(self) -> QSize:
        """Give the room of its head, of two rows of numbers, and of the commands whatever is chosen."""
        bar, grid, head = self.bar.minimumSizeHint(), self.grid.minimumSizeHint(), self.copy_button.sizeHint()
        commands = self.bar.choice.sizeHint().height() + _GAP + self.bar.dial.sizeHint().height()
        return QSize(grid.width() + 2 * _GAP + bar.width(), head.height() + _GAP + max(grid.height(), commands))

    def sizeHint(self) -> QSize:
        """Give the same as the least size: all sections share what there is."""
        return self.minimumSizeHint()

    # -- helpers

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(_GAP)
        head.addWidget(self._symbol)
        head.addWidget(self._shape)
        head.addWidget(self.copy_button)
        head.addWidget(self.paste_button)
        head.addStretch()
        numbers, content, layout = QVBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        numbers.addWidget(self.grid, 1)
        numbers.addStretch()
        content.setSpacing(2 * _GAP)
        content.addLayout(numbers, 1)
        content.addWidget(self.bar)
        content.addStretch()
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(_GAP)
        layout.addLayout(head)
        layout.addLayout(content, 1)

    def _change_entry(self, row: int, column: int, value: float, gesture: int) -> None:
        self.entry_changed.emit(self.matrix.name, row, column, value, gesture)

    def _request(self, operation: str, value: object, gesture: int) -> None:
        self.operation_requested.emit(self.matrix.name, operation, value, gesture)

    def _turn(self, start: object, degrees: float, gesture: int) -> None:
        self.matrix_turned.emit(self.matrix.name, start, degrees, gesture)

    def _cancel(self, gesture: int) -> None:
        self.gesture_cancelled.emit(self.matrix.name, gesture)

    def _copy(self) -> None:
        self.copy_asked.emit(self.matrix.name)

    def _paste(self) -> None:
        self.paste_asked.emit(self.matrix.name)
