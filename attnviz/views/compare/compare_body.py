"""What is inside the panel Compare: the list of snapshots, and a matrix of A, of B, and their difference."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from attnviz.appearance import Theme
from attnviz.document.errors import DocumentError
from attnviz.document.frame import Frame, compute
from attnviz.document.matrices import Matrix, axis_labels
from attnviz.document.number_ref import NumberRef
from attnviz.document.snapshots import Snapshot
from attnviz.views.compare.comparing import Comparison, matrix_for
from attnviz.views.compare.snapshot_list import SnapshotList
from attnviz.views.matrix.lettering import shown_token
from attnviz.views.matrix.picture import Highlight
from attnviz.views.matrix.view import MatrixView
from attnviz.views.numbers import number_text
from attnviz.views.panel import Panel
from attnviz.views.selection import Chosen, Selection
from attnviz.views.text_line import TextLine

COMPARED = (
    ("score", "scores", "The raw scores q·k"),
    ("scaled", "scaled", "The scores times the multiplier"),
    ("weight", "weights", "The weights"),
    ("output", "outputs", "The outputs: those of the layer where it has several heads or W_O"),
)
_WHAT_TO_DO = "Hold the present state as A, then go on editing: A, the present state B, and B − A stand here together."
_WIDE = 1.2  # of the panel's width to its height, from which the matrices stand side by side


class CompareBody(Panel):
    """Holds a state as A, and shows it beside the present one.

    Signals
    -------
    snapshot_requested : (nothing)
        The present state is to be kept.
    snapshot_restored, snapshot_deleted : int
        The document goes back to the snapshot at this place, or forgets it.
    snapshot_renamed : int, str
        The snapshot at this place is to have this name.
    compared_chosen : (nothing)
        Another snapshot was chosen to be A.
    """

    snapshot_requested = Signal()
    snapshot_restored = Signal(int)
    snapshot_deleted = Signal(int)
    snapshot_renamed = Signal(int, str)
    compared_chosen = Signal()

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(selection, parent)
        self._snapshots: tuple[Snapshot, ...] = ()
        self._held: Snapshot | None = None  # the snapshot that is A
        self._before: Frame | None = None  # its frame
        self._refusal = ""  # why it has none
        self.list = SnapshotList(self)
        self.list.snapshot_chosen.connect(self._choose)
        self.list.snapshot_renamed.connect(self.snapshot_renamed)
        self.list.snapshot_deleted.connect(self.snapshot_deleted)
        self.hold_button = self._button("&Hold as A", "Keep the present state, and compare what follows with it.")
        self.restore_button = self._button("&Go Back", "Make the state that was held the present one.")
        self.delete_button = self._button("&Forget", "Take the snapshot out of the list (Del).")
        self.hold_button.clicked.connect(self.snapshot_requested)
        self.restore_button.clicked.connect(self._restore)
        self.delete_button.clicked.connect(self._delete)
        self.chooser = QComboBox(self)
        self.chooser.setAccessibleName("Compared matrix")
        self.chooser.setToolTip("Which numbers of A and B are compared")
        for name, label, tip in COMPARED:
            self.chooser.addItem(label, name)
            self.chooser.setItemData(self.chooser.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self.chooser.setCurrentIndex(self.chooser.findData("weight"))
        self.chooser.activated.connect(self._show)
        self.headings = tuple(TextLine(is_bold=True, margin=4) for _ in range(3))
        self.matrices = tuple(self._matrix(name) for name in ("A", "B", "B − A"))
        self.instead = QLabel(_WHAT_TO_DO, self)  # of the matrices, where there is nothing to compare
        self.instead.setTextFormat(Qt.TextFormat.PlainText)
        self.instead.setObjectName("muted")
        self.instead.setWordWrap(True)
        self.instead.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out()
        self.setFocusProxy(self.hold_button)

    @property
    def matrix(self) -> Matrix:
        """The matrix that is compared."""
        return matrix_for(str(self.chooser.currentData()), *[one for one in (self._before, self.frame) if one])

    @property
    def before(self) -> Frame | None:
        """The frame of A; None where nothing is held."""
        return self._before

    def show_frame(self, frame: Frame) -> None:
        """Show the list of snapshots, and compare the chosen one with the frame."""
        if frame.state.snapshots is not self._snapshots:
            self._show_list(frame.state.snapshots)
        self._hold(frame)
        self._show()

    def show_selection(self, chosen: Chosen) -> None:
        """Light the pointed row and column in all three."""
        is_by_key = self.matrix.columns == "key"
        number = chosen.pointed_number
        column = chosen.pointed_key if is_by_key else None
        if not is_by_key and number is not None and number.kind == self._number_in(0, 0).kind:
            column = number.indices[1]
        highlight = Highlight(row=chosen.pointed_query, column=column)
        for view in self.matrices:
            view.show_highlight(highlight)

    def focused_number(self) -> NumberRef | None:
        """Give the number of B that the keyboard is at."""
        cell = next((view.cursor_cell for view in self.matrices[1:] if view.hasFocus()), None)
        return None if cell is None else self._number_in(*cell)

    def number_at(self, place: QPoint) -> NumberRef | None:
        """Give the number of B at a place."""
        for view in self.matrices[1:]:
            if view.isVisible() and view.has_number_at(view.mapFrom(self, place)):
                return self.focused_number()
        return None

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        for view in self.matrices:
            view.apply_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the matrices side by side where the panel is wide, else one below the other."""
        super().resizeEvent(event)
        is_wide = self.width() > _WIDE * self.height()
        direction = QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        if self._trio.direction() != direction:
            self._trio.setDirection(direction)

    def _show_list(self, snapshots: tuple[Snapshot, ...]) -> None:
        """List the snapshots; a new one becomes A, one that is gone makes room for the last."""
        known = {id(snapshot) for snapshot in self._snapshots}
        added = [place for place, one in enumerate(snapshots) if id(one) not in known]
        self._snapshots = snapshots
        held = next((place for place, one in enumerate(snapshots) if one is self._held), len(snapshots) - 1)
        row = added[-1] if added else held
        self.list.show_names(tuple(snapshot.name for snapshot in snapshots), row)

    def _hold(self, frame: Frame) -> None:
        """Compute the frame of A where another snapshot is chosen, and take the head that is looked at."""
        row = self.list.marked
        held = self._snapshots[row] if 0 <= row < len(self._snapshots) else None
        if held is not self._held:
            self._held, self._before, self._refusal = held, None, ""
            if held is not None:
                try:
                    self._before = compute(held.state)
                except DocumentError as error:
                    self._refusal = str(error)
        if self._before is not None:
            self._before = self._before.at_head(frame.head)

    def _show(self) -> None:
        """Draw what is compared, or what to do where nothing is held."""
        frame, before = self.frame, self._before
        is_empty = frame is None or before is None
        text = f"{_heading(self._held.name)} cannot be shown: {self._refusal}" if self._held else _WHAT_TO_DO
        if is_empty and text != self.instead.text():
            self.instead.setText(text)
        self.instead.setVisible(is_empty)
        self._compared.setVisible(not is_empty)
        for button in (self.restore_button, self.delete_button):
            button.setEnabled(bool(self._snapshots))
        if frame is None or before is None or self._held is None:
            self.set_subtitle("")
            return
        matrix = self.matrix
        found = Comparison.of(matrix, before, frame)
        first, second = _heading(self._held.name), "B: now"
        is_of_layer = matrix.name == "layer_output"
        if before.n_heads != frame.n_heads and not is_of_layer:
            first, second = f"{first}, {_head_of(before)}", f"{second}, {_head_of(frame)}"
        for heading, text in zip(self.headings, (first, second, "B − A"), strict=True):
            heading.show_text(text)
        for view, picture in zip(self.matrices, found.pictures(), strict=True):
            view.setVisible(picture is not None)
            if picture is not None:
                view.show_picture(picture)
        self.headings[2].setVisible(not found.reason)
        said = found.reason or _largest(found) or f"{_plural(matrix)}, on one scale"
        self.set_subtitle(said if frame.n_heads == 1 or is_of_layer else f"{_head_of(frame)}, {said}")
        self.show_selection(self.selection.chosen)

    def _choose(self, _row: int) -> None:
        if self.frame is not None:
            self._hold(self.frame)
            self._show()
            self.compared_chosen.emit()
            if self._refusal:
                self.refused.emit(self._refusal)

    def _restore(self) -> None:
        self.snapshot_restored.emit(self.list.marked)

    def _delete(self) -> None:
        if self._snapshots:
            self.snapshot_deleted.emit(self.list.marked)

    def _point_at(self, row: int, column: int) -> None:
        ref = self._number_in(row, column) if row >= 0 and column >= 0 else None
        if ref is None:
            self.selection.point_at(None if row < 0 else row, None)
        else:
            self.point_at_number(ref)

    def _pin(self, row: int, column: int) -> None:
        self.pin_number(self._number_in(row, column))

    def _open(self, row: int, column: int) -> None:
        self.pin_number(self._number_in(row, column), opening="must")

    def _number_in(self, row: int, column: int) -> NumberRef:
        """Name the number of B in a cell, as B has it: without a W_O the outputs of one head are those of the layer."""
        name = str(self.chooser.currentData())
        return (self.matrix if self.frame is None else matrix_for(name, self.frame)).ref(row, column)

    def _matrix(self, name: str) -> MatrixView:
        view = MatrixView(self)
        view.setAccessibleName(name)
        view.cell_pointed.connect(self._point_at)
        view.cell_chosen.connect(self._pin)
        view.cell_opened.connect(self._open)
        return view

    def _button(self, text: str, tip: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setToolTip(tip)
        return button

    def _lay_out(self) -> None:
        self._compared = QWidget(self)
        self._trio = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._trio.setSpacing(8)
        for heading, view in zip(self.headings, self.matrices, strict=True):
            column = QVBoxLayout()
            column.setSpacing(0)
            column.addWidget(heading)
            column.addWidget(view, 1)
            self._trio.addLayout(column, 1)
        self._compared.setLayout(self._trio)
        self._trio.setContentsMargins(0, 0, 0, 0)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.hold_button)
        buttons.addWidget(self.list, 1)
        for widget in (self.restore_button, self.delete_button, self.chooser):
            buttons.addWidget(widget)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 0, 16, 8)
        whole.setSpacing(4)
        whole.addLayout(buttons)
        whole.addWidget(self._compared, 1)
        whole.addWidget(self.instead, 1)


def _heading(name: str) -> str:
    return "A" if name == "A" else f"A: {name}"


def _head_of(frame: Frame) -> str:
    return f"head {frame.head + 1} of {frame.n_heads}"


def _plural(matrix: Matrix) -> str:
    return "outputs of the layer" if matrix.name == "layer_output" else matrix.label


def _largest(found: Comparison) -> str:
    """Say in one sentence how far the two are apart."""
    matrix, largest = found.matrix, found.largest
    if largest is None:
        return ""
    apart, row, column = largest
    if apart == 0.0:
        return f"the {_plural(matrix)} of A and B are the same to the last bit"
    names = axis_labels(found.now, matrix.rows)[row], axis_labels(found.now, matrix.columns)[column]
    first, second = (shown_token(name) for name in names)
    place = f"{first} → {second}" if matrix.columns == "key" else f"{first}, coordinate {second}"
    return f"largest difference {number_text(apart)} at {place}"
