"""The encoding as a picture: vectors, angles or biases, with the numbers that are learned to be typed over."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from attnviz.appearance import Theme
from attnviz.document.encoding_tables import EncodingTable
from attnviz.document.frame import Frame
from attnviz.document.state import Side, State
from attnviz.engine import POSITIONAL_ENCODINGS
from attnviz.views.matrix.picture import Highlight
from attnviz.views.positions.editable_matrix import EditableMatrix
from attnviz.views.positions.pictures import View, buckets_of, encoding_of, picture_of_encoding
from attnviz.views.positions.section import Section, plain_label
from attnviz.views.positions.wording import range_text
from attnviz.views.segments import Segments
from attnviz.views.selection import Chosen

LAYOUTS = (
    ("interleaved", "interleaved", "Sine and cosine of a wave side by side, as they are added"),
    ("halves", "halves", "All sines before all cosines: another order of the columns, for the eye alone"),
)
VIEWS = (
    ("cos", "cos", "The cosine of the angle by which each pair turns"),
    ("sin", "sin", "The sine of the angle by which each pair turns"),
)
RELATIVE = (
    ("bias", "bias", "What each cell gets: the learned number of its bucket"),
    ("bucket", "bucket", "The number of the bucket that each distance falls into"),
)
_TITLES = {
    "sinusoidal": "What is added to each token, p",
    "learned": "The learned positions, p",
    "rotary": "The angle of each pair of channels",
    "alibi": "What is added to the logits",
    "relative": "What is added to the logits",
}
_LEAST, _MOST = 9, 20  # lines of text that a picture is high


class EncodingSection(Section):
    """The picture of an encoding.

    Signals
    -------
    pair_chosen : int
        The pair of channels in this column was chosen.
    cell_pointed, cell_chosen : int, int
        A cell of a matrix of queries and keys; or a token and -1.
    entry_entered, bias_entered : int, int, float, int
        A learned number is to change: position and channel, or head and bucket; the last number names the gesture.
    tables_forgotten : (nothing)
        Learned numbers are to be drawn again.
    refused : str
        One sentence why what was typed was not taken.
    """

    pair_chosen = Signal(int)
    cell_pointed = Signal(int, int)
    cell_chosen = Signal(int, int)
    entry_entered = Signal(int, int, float, int)
    bias_entered = Signal(int, int, float, int)
    tables_forgotten = Signal()
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        self.layout_choice, self.view_choice, self.relative_choice = map(Segments, (LAYOUTS, VIEWS, RELATIVE))
        self.reset_button = QPushButton("Draw Again")
        tail = QWidget()
        line = QHBoxLayout(tail)
        line.setContentsMargins(0, 0, 0, 0)
        for control in (self.layout_choice, self.view_choice, self.relative_choice, self.reset_button):
            line.addWidget(control)
        super().__init__("The encoding", tail, parent)
        for choice, name, first in (
            (self.layout_choice, "Order of channels in the picture", "interleaved"),
            (self.view_choice, "What is drawn of the angles", "cos"),
            (self.relative_choice, "What is drawn in each cell", "bias"),
        ):
            choice.setAccessibleName(name)
            choice.show_choice(first)
            choice.chosen.connect(self._show_again)
        self.reset_button.setToolTip("Draw the learned numbers again instead of those that were written")
        self.reset_button.setAccessibleName("Draw the learned numbers again")
        self.reset_button.clicked.connect(self.tables_forgotten)
        self._frame: Frame | None = None
        self._side: Side = "sequence"
        self._table: EncodingTable | None = None
        self.picture = EditableMatrix("a learned number", self)
        self.buckets_name = plain_label("Learned number of each bucket", self)
        self.buckets_name.setObjectName("muted")
        self.buckets = EditableMatrix("a learned bias", self)
        self.add(self.picture)
        for widget in (self.buckets_name, self.buckets):
            self.column.addWidget(widget)
        for matrix, name in ((self.picture.matrix, "Encoding"), (self.buckets.matrix, "Learned biases of buckets")):
            matrix.setAccessibleName(name)
        self.buckets.matrix.cell_tip = "Double click, Enter or type to change it"
        self.picture.number_entered.connect(self.entry_entered)
        self.buckets.number_entered.connect(self.bias_entered)
        self.picture.refused.connect(self.refused)
        self.buckets.refused.connect(self.refused)
        self.picture.matrix.cell_pointed.connect(self._point)
        self.picture.matrix.cell_chosen.connect(self._choose)

    @property
    def table(self) -> EncodingTable | None:
        """What the picture shows."""
        return self._table

    def show_frame(self, frame: Frame, side: Side) -> None:
        """Show the encoding of a frame; emits nothing."""
        self._frame, self._side = frame, side
        positions = frame.state.positions
        view = self._view()
        table = self._table = encoding_of(frame, side, view)
        self.setVisible(table is not None)
        if table is None:
            return
        self.title.setText(_TITLES.get(positions) or f"What {POSITIONAL_ENCODINGS[positions].label} adds")
        self._show_choices(frame.state)
        is_learned = positions == "learned"
        digits = 0 if positions == "relative" and view.relative == "bucket" else 3
        self.picture.matrix.cell_tip = _tip_of(table, is_learned=is_learned)
        picture = picture_of_encoding(frame, table, side, digits=digits)
        self.picture.show_picture(picture, is_editable=is_learned)
        self.picture.setFixedHeight(self._height_of(len(table.row_labels)))
        self.say(range_text(table))
        self._show_buckets(frame)

    def show_selection(self, chosen: Chosen, pair: int) -> None:
        """Light what is chosen and pointed at."""
        table = self._table
        if table is None or table.rows_are != "token":
            self.picture.matrix.show_highlight(Highlight())
        elif table.columns_are == "key":
            pinned = (chosen.query, chosen.key) if chosen.is_pinned else None
            self.picture.matrix.show_highlight(Highlight(pinned, chosen.pointed_query, chosen.pointed_key))
        else:
            row = token_of(chosen, self._side)
            column = pair if table.columns_are == "pair" else None
            self.picture.matrix.show_highlight(Highlight(row=row, column=column))

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.picture.apply_theme(theme)
        self.buckets.apply_theme(theme)

    def _view(self) -> View:
        return View(
            "halves" if self.layout_choice.choice == "halves" else "interleaved",
            "sin" if self.view_choice.choice == "sin" else "cos",
            "bucket" if self.relative_choice.choice == "bucket" else "bias",
        )

    def _show_choices(self, state: State) -> None:
        for choice, positions in (
            (self.layout_choice, "sinusoidal"),
            (self.view_choice, "rotary"),
            (self.relative_choice, "relative"),
        ):
            choice.setVisible(state.positions == positions)
        written = state.position_table if state.positions == "learned" else state.bucket_table
        self.reset_button.setVisible(state.positions in ("learned", "relative"))
        self.reset_button.setEnabled(written is not None)

    def _show_buckets(self, frame: Frame) -> None:
        table = buckets_of(frame)
        self.buckets.setVisible(table is not None)
        self.buckets_name.setVisible(table is not None)
        if table is not None:
            self.buckets.show_picture(picture_of_encoding(frame, table, self._side), is_editable=True)
            self.buckets.setFixedHeight(self._height_of(len(table.row_labels), least=8))
            self.buckets.matrix.show_highlight(Highlight(row=frame.head))

    def _height_of(self, n_rows: int, *, least: int = _LEAST) -> int:
        lines = min(max(least, 4 + round(1.6 * n_rows)), _MOST)
        return lines * self.fontMetrics().height()

    def _show_again(self) -> None:
        if self._frame is not None:
            self.show_frame(self._frame, self._side)

    def _point(self, row: int, column: int) -> None:
        if self._table is not None and self._table.rows_are == "token":
            self.cell_pointed.emit(row, column if self._table.columns_are == "key" else -1)

    def _choose(self, row: int, column: int) -> None:
        table = self._table
        if table is None or table.rows_are != "token":
            return
        if table.columns_are == "pair":
            self.pair_chosen.emit(column)
        self.cell_chosen.emit(row, column if table.columns_are == "key" else -1)


def token_of(chosen: Chosen, side: Side) -> int:
    """Give the token of a side that is shown: the pointed one, else the chosen one."""
    pointed = chosen.pointed_query if side == "sequence" else chosen.pointed_key
    return chosen.token if pointed is None else pointed


def _tip_of(table: EncodingTable, *, is_learned: bool) -> str:
    if is_learned:
        return "Double click, Enter or type to change it"
    if table.columns_are == "pair":
        return "Click to see the token and this pair of channels below (Enter)"
    return "Click to choose it (Enter)"
