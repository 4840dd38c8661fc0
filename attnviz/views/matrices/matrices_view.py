"""The matrices panel: W_Q, W_K, W_V as grids of numbers to type, to scrub and to shape by commands."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Signal
from PySide6.QtWidgets import QWidget

from attnviz.document.frame import Frame
from attnviz.document.number_ref import NumberRef
from attnviz.late import late
from attnviz.views.late_panel import LatePanel
from attnviz.views.matrices.parts_switch import PartsSwitch
from attnviz.views.selection import Chosen, Selection

if TYPE_CHECKING:
    from attnviz.views.matrices import matrices_body
else:
    matrices_body = late("attnviz.views.matrices.matrices_body")  # the panel is hidden when the window opens


class MatricesView(LatePanel):
    """The panel of the matrices; what it holds is made when it is first shown.

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
    matrix_pasted : str, str
        The matrix of a name is to be what a text says.
    copy_requested : str
        The matrix of a name is to be copied.
    """

    entry_changed = Signal(str, int, int, float, int)
    operation_requested = Signal(str, str, object, int)
    gesture_cancelled = Signal(str, int)
    matrix_turned = Signal(str, object, float, int)
    matrix_pasted = Signal(str, str)
    copy_requested = Signal(str)

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(selection, parent, margin=16)
        self.parts = PartsSwitch(self)
        self.tools = self.parts

    @cached_property
    def body(self) -> matrices_body.MatricesBody:
        """What is inside."""
        made = matrices_body.MatricesBody(self)
        made.entry_changed.connect(self.entry_changed)
        made.operation_requested.connect(self.operation_requested)
        made.gesture_cancelled.connect(self.gesture_cancelled)
        made.matrix_turned.connect(self.matrix_turned)
        made.matrix_pasted.connect(self.matrix_pasted)
        made.copy_requested.connect(self.copy_requested)
        made.number_pointed.connect(self.point_at_number)
        self.take_in(made)
        return made

    def show_frame(self, frame: Frame) -> None:
        """Show every matrix of a frame's document."""
        self.parts.show_state(frame.state)
        self.body.show_frame(frame)
        self.body.show_selection(self.selection.chosen)

    def show_selection(self, chosen: Chosen) -> None:
        """Light what is chosen."""
        self.body.show_selection(chosen)

    def show_message(self, sentence: str) -> None:
        """Say in the panel why something was refused; nothing takes that away."""
        if self.is_made:
            self.body.show_message(sentence)

    def go_to(self, name: str) -> None:
        """Scroll to the matrix of a name, as one that was added, and give its numbers the keys."""
        if self.is_made and self.isVisible():
            self.body.go_to(name)

    def focused_number(self) -> NumberRef | None:
        """Give the number that the keyboard is at."""
        return self.body.focused_number() if self.is_made else None

    def number_at(self, place: QPoint) -> NumberRef | None:
        """Give the number at a place of the panel."""
        return self.body.number_at(self.body.mapFrom(self, place)) if self.is_made else None

    def sizeHint(self) -> QSize:
        """Give the room of three small matrices side by side; more would cut the controls of a small window."""
        line = self.fontMetrics().height()
        return QSize(66 * line, 10 * line)

    def minimumSizeHint(self) -> QSize:
        """Keep one of them usable; asked for before there is anything inside."""
        line = self.fontMetrics().height()
        return QSize(15 * line, 6 * line)
