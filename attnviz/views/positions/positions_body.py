"""What is inside the panel of the positions: settings, ids, the encoding, and what that makes of vectors and scores."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from attnviz.appearance import Theme
from attnviz.document.frame import Frame
from attnviz.document.position_parts import shift_effect
from attnviz.document.state import Side, State
from attnviz.engine import POSITIONAL_ENCODINGS
from attnviz.views.positions.encoding_section import EncodingSection
from attnviz.views.positions.ids_section import IdsSection
from attnviz.views.positions.parts_section import PartsSection
from attnviz.views.positions.section import Section, show_text, wrapped_label
from attnviz.views.positions.vectors_section import VectorsSection
from attnviz.views.positions.wording import encoding_text, shift_text
from attnviz.views.selection import Chosen, Selection
from attnviz.views.settings_panel import SettingsBody

FIELDS = ("positions", "base", "pairing", "rotary_width", "n_buckets", "max_distance", "is_bidirectional", "shift")
MEASURE_DELAY_MS = 150  # after the last frame: a drag is not held up by two more passes a frame
NOT_YET_MEASURED = "How far it moved the scores is measured as soon as nothing changes any more."
_WIDE = 760  # pixels from which on the settings stand beside what they do


class PositionsBody(SettingsBody):
    """The settings of the positions and what comes of them.

    Parameters
    ----------
    selection : Selection
        The shared selection.

    Signals
    -------
    id_entered : str, int, float, int
        The token of this side at this place is to stand at this position; the last number names the gesture.
    ids_entered : str, object
        All tokens of this side are to stand at these positions.
    reset_wanted, count_wanted : (nothing)
        Ids are to be counted from 0 again; or over the real tokens alone.
    tables_forgotten : (nothing)
        Learned numbers are to be drawn again.
    entry_entered, bias_entered : int, int, float, int
        A learned number is to change: position and channel, or head and bucket; the last number names the gesture.
    """

    id_entered = Signal(str, int, float, int)
    ids_entered = Signal(str, object)
    reset_wanted = Signal()
    tables_forgotten = Signal()
    count_wanted = Signal()
    entry_entered = Signal(int, int, float, int)
    bias_entered = Signal(int, int, float, int)

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(FIELDS, parent)
        self._selection = selection
        self._frame: Frame | None = None
        self._pair = 0
        self._measured: State | None = None  # what the text about the shift is true of
        self._resting = QTimer(self, singleShot=True, interval=MEASURE_DELAY_MS)
        self._resting.timeout.connect(self._measure_shift)
        self.does, self.moved = wrapped_label(self), wrapped_label(self)
        self.moved.setAccessibleName("What the shift moved")
        self.does.setAccessibleName("What the encoding does")
        self.ids, self.encoding = IdsSection(self), EncodingSection(self)
        self.vectors, self.parts = VectorsSection(self), PartsSection(self)
        self.sections: tuple[Section, ...] = (self.ids, self.encoding, self.vectors, self.parts)
        self._halves = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._place()
        self._connect()

    def show_frame(self, frame: Frame) -> None:
        """Set what differs from what is shown."""
        super().show_frame(frame)
        self._frame = frame
        state = frame.state
        label = POSITIONAL_ENCODINGS[state.positions].label
        self.subtitle_changed.emit(f"{label}, shifted by {state.shift}" if state.shift else label)
        show_text(self.does, encoding_text(frame))
        self._tell_shift(state)
        self.ids.show_frame(frame)
        self.encoding.show_frame(frame, self._side)
        self.show_selection(self._selection.chosen)

    def show_selection(self, chosen: Chosen) -> None:
        """Show what is chosen."""
        frame = self._frame
        if frame is None:
            return
        if frame.state.context is not None and frame.layer.effect.added is not None:
            self.encoding.show_frame(frame, self._side)
        self.encoding.show_selection(chosen, self._pair)
        self.vectors.show_chosen(frame, self._side, chosen, self._pair)
        self.parts.show_chosen(frame, chosen)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        super().apply_theme(theme)
        for section in self.sections:
            section.apply_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the settings beside what they do where there is room."""
        super().resizeEvent(event)
        ways = QBoxLayout.Direction
        self._halves.setDirection(ways.LeftToRight if self.width() >= _WIDE else ways.TopToBottom)

    def _tell_shift(self, state: State) -> None:
        """Say what the shift moved once no more frames come; until then, that it is not known."""
        if state is self._measured:
            return
        self._measured = None
        if state.shift:
            show_text(self.moved, NOT_YET_MEASURED)
            self._resting.start()
        else:
            show_text(self.moved, "")
            self._resting.stop()

    def _measure_shift(self) -> None:
        if self._frame is not None:
            self._measured = state = self._frame.state
            show_text(self.moved, shift_text(state, shift_effect(state)))

    @property
    def _side(self) -> Side:
        """The list whose tokens are shown: that of the chosen token."""
        has_context = self._frame is not None and self._frame.state.context is not None
        return self._selection.chosen.side if has_context else "sequence"

    def _place(self) -> None:
        self.column.removeWidget(self.rows)
        self.column.removeWidget(self.message)
        left, right = QVBoxLayout(), QVBoxLayout()
        for widget in (self.rows, self.message, self.moved, self.does, self.ids):
            left.addWidget(widget)
        left.addStretch(1)
        for section in (self.encoding, self.vectors, self.parts):
            right.addWidget(section)
        right.addStretch(1)
        for half in (left, right):
            half.setSpacing(8)
            self._halves.addLayout(half, 1)
        self._halves.setSpacing(16)
        self.column.insertLayout(0, self._halves)

    def _connect(self) -> None:
        self.ids.id_entered.connect(self.id_entered)
        self.ids.ids_entered.connect(self.ids_entered)
        self.ids.reset_wanted.connect(self.reset_wanted)
        self.ids.count_wanted.connect(self.count_wanted)
        self.encoding.entry_entered.connect(self.entry_entered)
        self.encoding.bias_entered.connect(self.bias_entered)
        self.encoding.tables_forgotten.connect(self.tables_forgotten)
        self.encoding.pair_chosen.connect(self._choose_pair)
        self.encoding.cell_pointed.connect(self._point)
        self.encoding.cell_chosen.connect(self._choose)
        self.vectors.pair_chosen.connect(self._choose_pair)
        for section in (self.ids, self.encoding):
            section.refused.connect(self.refuse)
            section.refused.connect(self.refused)

    def _choose_pair(self, pair: int) -> None:
        self._pair = pair
        self.show_selection(self._selection.chosen)

    def _point(self, row: int, column: int) -> None:
        if row < 0 and column < 0:
            self._selection.point_at(None, None)
        elif column >= 0 or self._side == "sequence":
            self._selection.point_at(row if row >= 0 else None, column if column >= 0 else None)
        else:
            self._selection.point_at(None, row)

    def _choose(self, row: int, column: int) -> None:
        if column >= 0:
            self._selection.pin_cell(row, column)
        else:
            self._selection.choose_token(self._side, row, is_query=self._side == "sequence")
