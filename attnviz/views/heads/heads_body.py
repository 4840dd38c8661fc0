"""What is inside the panel of the heads: settings, the wiring of grouped queries, and every head as a small matrix."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.document.arrays import FloatArray
from attnviz.document.frame import Frame
from attnviz.document.head_edits import OUTPUT_MATRICES, kind_of_w_o
from attnviz.document.number_ref import NumberRef
from attnviz.document.parameter_count import ParameterCount, parameter_count
from attnviz.document.state import State
from attnviz.views.controls.head_line import HeadLine
from attnviz.views.heads.head_grid import HeadGrid
from attnviz.views.heads.head_steps import HeadSteps
from attnviz.views.heads.kv_lines import KvLines
from attnviz.views.heads.tiles import LAYER_VIEWS, LayerView, head_sentence, notes_of, tiles_of
from attnviz.views.hints import plain_tooltip
from attnviz.views.matrix.picture import Highlight
from attnviz.views.segments import Segments
from attnviz.views.selection import Chosen, Selection
from attnviz.views.settings_panel import SettingsBody
from attnviz.views.text_line import TextLine

FIELDS = ("n_heads", "n_kv_heads", "is_tied")
NOT_COMPUTED = "Not what a model computes: each head blends its own values by its own weights."
_SETTINGS_WIDTH = 16  # lines of text, beside the small matrices
_WIDE = 40  # lines of text, from which on they stand beside each other
_W_O_HELP = "The output matrix W_O, by which the outputs of all heads, side by side, become the output of the layer."


class HeadsBody(SettingsBody):
    """The settings of the heads, and the heads.

    Parameters
    ----------
    selection : Selection
        The shared selection.

    Signals
    -------
    head_chosen : int
        Every panel is to show this head.
    head_opened : int
        It is to be shown large.
    w_o_chosen : str
        The output matrix is to be of this kind.
    """

    head_chosen = Signal(int)
    head_opened = Signal(int)
    w_o_chosen = Signal(str)

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(FIELDS, parent)
        self.selection = selection
        self.view: LayerView = "weights"
        self._frame: Frame | None = None
        self._shown_query = self._coordinate = 0
        self._made_of: tuple[ParameterCount, int, int, int] | None = None
        self._shown_w_o: FloatArray | None = None
        self._steps = HeadSteps(self.rows, self)
        self._steps.changed.connect(self.scalar_changed)
        self.w_o = Segments(OUTPUT_MATRICES, self)
        self.w_o.setAccessibleName("Output matrix W_O")
        self.w_o.setAccessibleDescription(_W_O_HELP)
        self.w_o.chosen.connect(self.w_o_chosen)
        self.count = QLabel(self)
        self.count.setTextFormat(Qt.TextFormat.PlainText)
        self.count.setWordWrap(True)
        self.count.setAccessibleName("Parameters")
        self.count.setToolTip(plain_tooltip("The learned numbers that act. The number of heads does not change them."))
        self.views = Segments(LAYER_VIEWS, self)
        self.views.setAccessibleName("What of the heads is shown")
        self.views.show_choice(self.view)
        self.views.chosen.connect(self.choose_view)
        self.warning = QLabel(NOT_COMPUTED, self)
        self.warning.setWordWrap(True)
        self.warning.hide()
        self.lines = KvLines(self)
        self.grid = HeadGrid(self._sentence, self)
        self.grid.tile_chosen.connect(self._choose)
        self.grid.tile_opened.connect(self._open)
        self.grid.cell_pointed.connect(self._point_at)
        self.notes = (TextLine(margin=2), TextLine(margin=2))
        self._split = self._arranged()
        self._theme: Theme = LIGHT

    def ask_for(self, key: str, value: object, gesture: int) -> None:
        """Ask for a scalar; a step to a number of heads that cannot be goes on to the next that can."""
        self._steps.ask_for(key, value, gesture)

    def show_frame(self, frame: Frame) -> None:
        """Show the settings and the heads of a frame."""
        super().show_frame(frame)
        self._frame = frame
        self._steps.show_state(frame.state)
        self._show_settings(frame.state)
        self.lines.show_state(frame.state, frame.head)
        self._show_heads(frame)

    def show_selection(self, chosen: Chosen) -> None:
        """Light what is pointed at in every head; the bars and the note are those of the shown query."""
        frame = self._frame
        if frame is None:
            return
        ref = chosen.pointed_number
        coordinate = self._coordinate
        if ref is not None and ref.kind == "layer_output":
            coordinate = ref.indices[1]
        if self.view != "weights" and (self._query(frame), coordinate) != self._told:
            self._coordinate = coordinate
            self._show_heads(frame)
        self.grid.show_lit(self._highlight(chosen))

    def choose_view(self, name: str) -> None:
        """Show the weights of each head, their contributions, or their average."""
        self.view = next(view for view, _, _ in LAYER_VIEWS if view == name)
        self.views.show_choice(name)
        self.warning.setVisible(name == "average")
        if self._frame is not None:
            self._show_heads(self._frame)
            self.show_selection(self.selection.chosen)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        self._theme = theme
        self.grid.apply_theme(theme)
        self.lines.apply_theme(theme)
        self.warning.setStyleSheet(f"color: {theme.warning};")
        self.count.setStyleSheet(f"color: {theme.muted};")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the small matrices beside the settings where there is room, else below them."""
        super().resizeEvent(event)
        line = self.fontMetrics().height()
        is_wide = self.width() >= _WIDE * line
        direction = QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        if self._split.direction() != direction:
            self._split.setDirection(direction)
        self._left.setMaximumWidth(_SETTINGS_WIDTH * line if is_wide else 16_777_215)

    # -- inside

    def _arranged(self) -> QBoxLayout:
        """Put everything in its place: settings, and beside or below them what is seen of the heads."""
        self.column.removeWidget(self.rows)
        self.column.removeWidget(self.message)
        self.column.takeAt(0)  # the stretch below them
        self._left = QWidget()
        left = QVBoxLayout(self._left)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(8)
        left.addWidget(self.rows)
        left.addWidget(self.message)
        label = QLabel("Output matrix W_O", self)
        label.setToolTip(plain_tooltip(_W_O_HELP))
        label.setBuddy(self.w_o)
        left.addWidget(HeadLine(label, self.w_o, self))
        left.addWidget(self.count)
        left.addStretch(1)
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(self.views)
        right.addWidget(self.warning)
        inside = QHBoxLayout()
        inside.setSpacing(8)
        inside.addWidget(self.lines)
        inside.addWidget(self.grid, 1)
        right.addLayout(inside, 1)
        for note in self.notes:
            right.addWidget(note)
            note.hide()
        split = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        split.setSpacing(16)
        split.addWidget(self._left)
        split.addLayout(right, 1)
        self.column.addLayout(split, 1)
        return split

    @property
    def _noted(self) -> str:
        return " ".join(line.text for line in self.notes if line.text)

    @property
    def _told(self) -> tuple[int, int]:
        return self._shown_query, self._coordinate

    def _query(self, frame: Frame) -> int:
        return min(self.selection.chosen.shown_query, frame.n_query - 1)

    def _show_settings(self, state: State) -> None:
        """Show what a drag of a token does not change: parameters, kind of W_O, whether queries are grouped."""
        made_of = (parameter_count(state), state.seed, state.n_heads, state.n_kv_heads)
        if made_of == self._made_of and state.w_o is self._shown_w_o:
            return
        self._made_of, self._shown_w_o = made_of, state.w_o
        self.w_o.show_choice(kind_of_w_o(state) or "")
        self.count.setText(f"Parameters: {made_of[0].text}")
        self.lines.setVisible(state.n_kv_heads != state.n_heads)

    def _show_heads(self, frame: Frame) -> None:
        self._shown_query = query = self._query(frame)
        shown = frame.head if self.view != "average" else None
        self.grid.show_tiles(tiles_of(frame, self.view, query), shown)
        for line, text in zip(self.notes, notes_of(frame, self.view, query, self._coordinate), strict=True):
            line.show_text(text)
            if line.isHidden() == bool(text):
                line.setVisible(bool(text))

    def _highlight(self, chosen: Chosen) -> Highlight:
        if self.view != "contribution":
            return Highlight(row=chosen.pointed_query, column=chosen.pointed_key)
        ref = chosen.pointed_number
        column = ref.indices[1] if ref is not None and ref.kind == "layer_output" else None
        return Highlight(row=chosen.shown_query, column=column)

    def _sentence(self, place: int) -> str:
        """Say the tile at a place."""
        frame = self._frame
        if frame is None:
            return ""
        if self.view == "weights" or (self.view == "contribution" and place < frame.n_heads):
            told = head_sentence(frame, place, self._query(frame))
            if self.view == "weights":
                return told
            tile = tiles_of(frame, self.view, self._query(frame))[place]
            return f"{told}; adds {tile.measure} in length to its output"
        if self.view == "average":
            return f"{NOT_COMPUTED} {self._noted}"
        return self._noted

    def _choose(self, place: int) -> None:
        frame = self._frame
        if frame is None or self.view == "average":
            return
        if place < frame.n_heads:
            self.head_chosen.emit(place)

    def _open(self, place: int) -> None:
        if self._frame is not None and self.view != "average" and place < self._frame.n_heads:
            self.head_opened.emit(place)

    def _point_at(self, place: int, row: int, column: int) -> None:
        """Light the row and column of a cell everywhere; a number that other panels have too is that number."""
        frame = self._frame
        if frame is None:
            return
        if place < 0:
            self.selection.point_at(None, None)
        elif self.view == "contribution":
            self.selection.point_at(row, None, NumberRef("layer_output", (row, column)))
        else:
            is_own = self.view == "weights" and place == frame.head
            self.selection.point_at(row, column, NumberRef("weight", (row, column)) if is_own else None)
