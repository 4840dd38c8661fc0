"""The wiring of the matrices: what the user wants of a matrix becomes an edit, and a copy goes to the clipboard."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from attnviz.document import edits, matrix_edits
from attnviz.document.arrays import FloatArray
from attnviz.document.errors import DocumentError
from attnviz.document.matrix_edits import EDITABLE_MATRICES
from attnviz.document.matrix_shapes import MATRIX_OPERATIONS
from attnviz.document.state import SCALARS, State
from attnviz.late import late
from attnviz.views.matrices.matrices_view import MatricesView

if TYPE_CHECKING:
    from attnviz import sources
else:
    sources = late("attnviz.sources")


class Document(Protocol):
    """What is asked of an open document."""

    @property
    def state(self) -> State:
        """The present state."""

    def apply(self, edit: Callable[..., State], *args: object, label: str, merge: Hashable | None = None) -> None:
        """Apply an edit to the present state."""

    def take_back(self, merge: Hashable) -> None:
        """Undo an unfinished gesture as if it had not begun."""


class MatrixWiring(QObject):
    """Connects the panel of the matrices with a document.

    Parameters
    ----------
    document : Document
        The open document.
    view : MatricesView
        The panel; a refusal is told in it too.
    report : callable
        Shows one sentence to the user.

    Signals
    -------
    copied : str
        A matrix is in the clipboard, in one sentence.
    """

    copied = Signal(str)

    def __init__(
        self, document: Document, view: MatricesView, report: Callable[[str], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._view, self._report = document, view, report
        view.entry_changed.connect(self._set_entry)
        view.operation_requested.connect(self._shape)
        view.matrix_turned.connect(self._turn)
        view.gesture_cancelled.connect(self._cancel)
        view.matrix_pasted.connect(self._paste)
        view.copy_requested.connect(self._copy)
        view.parts.part_switched.connect(self._switch_part)
        view.parts.tie_switched.connect(self._tie)

    def _set_entry(self, name: str, row: int, column: int, value: float, gesture: int) -> None:
        label = f"Change {EDITABLE_MATRICES[name].symbol}"
        self._apply(
            matrix_edits.set_matrix_entry, name, row, column, value, label=label, merge=("matrix", name, gesture)
        )

    def _shape(self, name: str, operation: str, value: float | None, gesture: int) -> None:
        label = f"{MATRIX_OPERATIONS[operation].label} for {EDITABLE_MATRICES[name].symbol}"
        self._apply(matrix_edits.shape_matrix, name, operation, value, label=label, merge=("matrix", name, gesture))

    def _turn(self, name: str, start: FloatArray, degrees: float, gesture: int) -> None:
        label = f"{MATRIX_OPERATIONS['rotation'].label} for {EDITABLE_MATRICES[name].symbol}"
        self._apply(matrix_edits.turn_matrix, name, start, degrees, label=label, merge=("matrix", name, gesture))

    def _switch_part(self, name: str, is_on: bool) -> None:
        edit = matrix_edits.add_matrix if is_on else matrix_edits.remove_matrix
        label = f"{'Add' if is_on else 'Remove'} {EDITABLE_MATRICES[name].symbol}"
        self._apply(edit, name, label=label)
        self._view.parts.show_state(self._document.state)  # what was refused is not switched
        if is_on:
            self._view.go_to(name)

    def _tie(self, is_tied: bool) -> None:
        scalar = SCALARS["is_tied"]
        self._apply(edits.set_scalar, scalar.key, is_tied, label=scalar.undo_name)

    def _cancel(self, name: str, gesture: int) -> None:
        self._document.take_back(("matrix", name, gesture))

    def _paste(self, name: str, text: str) -> None:
        try:
            entries = sources.parse_matrix(text)
        except DocumentError as error:
            self._refuse(str(error))
            return
        self._apply(matrix_edits.set_matrix, name, entries, label=f"Paste {EDITABLE_MATRICES[name].symbol}")

    def _copy(self, name: str) -> None:
        matrix = EDITABLE_MATRICES[name]
        entries = matrix.shown(self._document.state)
        if entries is None:
            return
        try:
            QGuiApplication.clipboard().setText(sources.numpy_text(entries))
        except DocumentError as error:
            self._refuse(str(error))
            return
        rows, columns = entries.shape
        self.copied.emit(f"{matrix.symbol} ({rows} × {columns}) copied to the clipboard as NumPy text.")

    def _apply(self, edit: Callable[..., State], *args: object, label: str, merge: Hashable | None = None) -> None:
        try:
            self._document.apply(edit, *args, label=label, merge=merge)
        except DocumentError as error:
            self._refuse(str(error))
        else:
            self._view.show_message("")

    def _refuse(self, sentence: str) -> None:
        self._report(sentence)
        self._view.show_message(sentence)
