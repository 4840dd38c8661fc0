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
from attnviz.document.matrices import MATRICES_BY_NAME, Matrix, axis_labels
from attnviz.document.number_ref import NumberRef
from attnviz.document.snapshots import Snapshot
from attnviz.views.compare.comparing import largest_difference, pictures, why_not
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
    ("output", "outputs", "The outputs"),
)
_MOST_SAID = 1 << 18  # cells; in larger matrices the largest difference is not looked for
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
        self._empty = QLabel(
            "Hold the present state as A, then go on editing: A, the present state B, and B − A stand here together.",
            self,
        )
        self._empty.setObjectName("muted")
        self._empty.setWordWrap(True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out()
        self.setFocusProxy(self.hold_button)

    @property
    def matrix(self) -> Matrix:
        """The matrix that is compared."""
        return MATRICES_BY_NAME[str(self.chooser.currentData())]

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
        if not is_by_key and number is not None and number.kind == self.matrix.name:
            column = number.indices[1]
        highlight = Highlight(row=chosen.pointed_query, column=column)
        for view in self.matrices:
            view.show_highlight(highlight)

    def focused_number(self) -> NumberRef | None:
        """Give the number of B that the keyboard is at."""
        cell = next((view.cursor_cell for view in self.matrices[1:] if view.hasFocus()), None)
        return None if cell is None else self.matrix.ref(*cell)

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
        row = self.list.currentRow()
        held = self._snapshots[row] if 0 <= row < len(self._snapshots) else None
        if held is not self._held or (held is not None and self._before is None):
            self._held, self._before = held, None
            if held is not None:
                try:
                    self._before = compute(held.state)
                except DocumentError as error:
                    self.refused.emit(str(error))
        if self._before is not None:
            self._before = self._before.at_head(frame.head)

    def _show(self) -> None:
        """Draw what is compared, or what to do where nothing is held."""
        frame, before = self.frame, self._before
        is_empty = frame is None or before is None
        self._empty.setVisible(is_empty)
        self._compared.setVisible(not is_empty)
        for button in (self.restore_button, self.delete_button):
            button.setEnabled(bool(self._snapshots))
        if frame is None or before is None or self._held is None:
            self.set_subtitle("")
            return
        matrix = self.matrix
        reason = why_not(matrix, before, frame)
        name = self._held.name
        for heading, text in zip(self.headings, (_heading(name), "B: now", "B − A"), strict=True):
            heading.show_text(text)
        for view, picture in zip(self.matrices, pictures(matrix, before, frame), strict=True):
            view.setVisible(picture is not None)
            if picture is not None:
                view.show_picture(picture)
        self.headings[2].setVisible(not reason)
        self.set_subtitle(reason or _largest(matrix, before, frame) or f"{matrix.label}, on one scale")
        self.show_selection(self.selection.chosen)

    def _choose(self, _row: int) -> None:
        if self.frame is not None:
            self._hold(self.frame)
            self._show()
            self.compared_chosen.emit()

    def _restore(self) -> None:
        self.snapshot_restored.emit(self.list.currentRow())

    def _delete(self) -> None:
        if self._snapshots:
            self.snapshot_deleted.emit(self.list.currentRow())

    def _point_at(self, row: int, column: int) -> None:
        ref = self.matrix.ref(row, column) if row >= 0 and column >= 0 else None
        if ref is None:
            self.selection.point_at(None if row < 0 else row, None)
        else:
            self.point_at_number(ref)

    def _pin(self, row: int, column: int) -> None:
        self.pin_number(self.matrix.ref(row, column))

    def _open(self, row: int, column: int) -> None:
        self.pin_number(self.matrix.ref(row, column), opening="must")

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
        whole.addWidget(self._empty, 1)


def _heading(name: str) -> str:
    return "A" if name == "A" else f"A: {name}"


def _largest(matrix: Matrix, before: Frame, now: Frame) -> str:
    """Say in one sentence how far the two are apart."""
    rows, columns = matrix.shape(now)
    if rows * columns > _MOST_SAID:
        return ""
    apart, row, column = largest_difference(matrix, before, now)
    if apart == 0.0:
        return f"the {matrix.label} of A and B are the same to the last bit"
    names = axis_labels(now, matrix.rows)[row], axis_labels(now, matrix.columns)[column]
    first, second = (shown_token(name) for name in names)
    place = f"{first} → {second}" if matrix.columns == "key" else f"{first}, coordinate {second}"
    return f"largest difference {number_text(apart)} at {place}"
