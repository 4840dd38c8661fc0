"""The rows of position ids with what is done to all of them at once."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from attnviz.appearance import Theme
from attnviz.document.arrays import FloatArray
from attnviz.document.frame import Frame
from attnviz.document.state import Side, State
from attnviz.views.hints import plain_tooltip
from attnviz.views.positions.id_row import IdRow, ShownIds
from attnviz.views.positions.section import Section, SideScroll, plain_label, show_text
from attnviz.views.tokens.wrapping_row import WrappingRow

_COUNT_TIP = "Count positions over the real tokens alone, so that padding on the left does not shift them."
_NO_PADDING = "There must be padding to count past it: mark padding tokens in the panel Mask."


class IdsSection(Section):
    """An editable row of ids, in cross-attention one for each list.

    Signals
    -------
    id_entered : str, int, float, int
        The token of this side at this place is to stand at this position; the last number names the gesture.
    ids_entered : str, object
        All tokens of this side are to stand at these positions.
    reset_wanted, count_wanted : (nothing)
        Ids are to be counted from 0 again; or over the real tokens alone.
    refused : str
        One sentence why what was typed or pasted was not taken.
    """

    id_entered = Signal(str, int, float, int)
    ids_entered = Signal(str, object)
    reset_wanted = Signal()
    count_wanted = Signal()
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        self.reset_button = QPushButton("Reset")
        self.count_button = QPushButton("Count Real Tokens Only")
        buttons = WrappingRow()
        buttons.add(self.count_button, "Count Real")
        buttons.add(self.reset_button)
        super().__init__("Position ids", buttons, parent)
        self.reset_button.setToolTip(plain_tooltip("Count from 0 again, without a shift."))
        self.reset_button.setAccessibleName("Reset position ids")
        self.count_button.setAccessibleName("Count real tokens only")
        self.reset_button.clicked.connect(self.reset_wanted)
        self.count_button.clicked.connect(self.count_wanted)
        self.sequence_name, self.context_name = plain_label("", self), plain_label("keys", self)
        self.sequence_row, self.context_row = IdRow(self), IdRow(self)
        self._scrolls: dict[str, SideScroll] = {}
        for side, name, row in (
            ("sequence", self.sequence_name, self.sequence_row),
            ("context", self.context_name, self.context_row),
        ):
            name.setObjectName("muted")
            self._scrolls[side] = SideScroll(row, self)
            self.add(name)
            self.add(self._scrolls[side])
            row.refused.connect(self.refused)
        self.context_row.setAccessibleName("Position ids of the context")
        self.sequence_row.id_entered.connect(self._enter_sequence)
        self.context_row.id_entered.connect(self._enter_context)
        self.sequence_row.ids_pasted.connect(self._paste_sequence)
        self.context_row.ids_pasted.connect(self._paste_context)
        self.sequence_row.moved.connect(self._follow_sequence)
        self.context_row.moved.connect(self._follow_context)

    def show_frame(self, frame: Frame) -> None:
        """Show the ids of a frame; emits nothing."""
        state, context = frame.state, frame.state.context
        show_text(self.sequence_name, "" if context is None else "queries")
        show_text(self.context_name, "" if context is None else "keys")
        self._scrolls["context"].setVisible(context is not None)
        padding = frozenset() if state.padding is None else frozenset(np.flatnonzero(state.padding).tolist())
        own = padding if context is None else frozenset()
        self.sequence_row.show_ids(
            ShownIds(state.sequence.tokens, _written(state.position_ids, len(state.sequence)), 0, own)
        )
        if context is not None:
            ids = _written(state.context_position_ids, len(context))
            self.context_row.show_ids(ShownIds(context.tokens, ids, len(state.sequence), padding))
        self.reset_button.setEnabled(_is_moved(state))
        self.count_button.setEnabled(bool(padding))
        self.count_button.setToolTip(plain_tooltip(_COUNT_TIP if padding else f"{_COUNT_TIP}\n{_NO_PADDING}"))
        self.say(f"Every id is shifted by {state.shift}." if state.shift else "")

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.sequence_row.apply_theme(theme)
        self.context_row.apply_theme(theme)

    def _enter_sequence(self, index: int, position: float, gesture: int) -> None:
        self.id_entered.emit("sequence", index, position, gesture)

    def _enter_context(self, index: int, position: float, gesture: int) -> None:
        self.id_entered.emit("context", index, position, gesture)

    def _paste_sequence(self, ids: tuple[float, ...]) -> None:
        self.ids_entered.emit("sequence", ids)

    def _paste_context(self, ids: tuple[float, ...]) -> None:
        self.ids_entered.emit("context", ids)

    def _follow_sequence(self, place: int) -> None:
        self._follow("sequence", self.sequence_row, place)

    def _follow_context(self, place: int) -> None:
        self._follow("context", self.context_row, place)

    def _follow(self, side: Side, row: IdRow, place: int) -> None:
        middle: QPoint = row.field_rect(place).center()
        self._scrolls[side].ensureVisible(middle.x(), middle.y(), 2 * row.field_rect(place).width(), 0)


def _written(ids: FloatArray | None, count: int) -> tuple[float, ...]:
    return tuple([float(place) for place in range(count)]) if ids is None else tuple(ids.tolist())


def _is_moved(state: State) -> bool:
    return state.position_ids is not None or state.context_position_ids is not None or state.shift != 0
