"""The inspector: why a number is what it is, with every operand a link to its own derivation."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QWidget

from attnviz.document.frame import Frame
from attnviz.document.number_ref import NumberRef
from attnviz.late import late
from attnviz.views.digits_switch import digits_switch
from attnviz.views.late_panel import LatePanel
from attnviz.views.selection import Chosen, Selection

if TYPE_CHECKING:
    from attnviz.explanations import Explanation
    from attnviz.views.inspector import body as late_body
else:
    late_body = late("attnviz.views.inspector.body")  # the panel is hidden when the window opens


class InspectorView(LatePanel):
    """The panel that explains one number.

    It follows the cell that the selection shows until a link is followed; back at that cell it follows again, and
    a newly chosen cell begins anew. Tab goes from operand to operand, Enter follows, Backspace goes back, Ctrl+C
    copies the value. What it holds is made when it is first shown or asked for a number.

    Signals
    -------
    copied : str
        One sentence for the status bar: what is now on the clipboard.
    number_pinned : object, float
        The number, a :class:`NumberRef`, is to have this value.
    number_released : object
        The number is to be computed again.
    """

    is_of_one_head = True
    copied = Signal(str)
    number_pinned = Signal(object, float)
    number_released = Signal(object)

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(selection, parent, margin=16)
        self.digits = digits_switch("below it says what the rounding does", self)
        self.digits.chosen.connect(self.choose_digits)
        self.tools = self.digits

    @cached_property
    def body(self) -> late_body.InspectorBody:
        """What is inside."""
        made = late_body.InspectorBody(self.selection, self)
        made.copied.connect(self.copied)
        made.number_pinned.connect(self.number_pinned)
        made.number_released.connect(self.number_released)
        self.take_in(made)
        return made

    @property
    def explanation(self) -> Explanation | None:
        """What is shown; ``None`` before the first frame."""
        return self.body.explanation

    def show_number(self, ref: NumberRef) -> None:
        """Explain a number, and leave the selection alone until another cell is pinned.

        Raises
        ------
        ValueError
            If there is no such number in the document.
        """
        if self.frame is not None:
            self.body.show_frame(self.frame)
        self.body.show_number(ref)

    def show_chosen(self) -> None:
        """Explain the weight of the cell that the selection shows, and follow the selection again."""
        self.body.show_chosen()

    def focused_number(self) -> NumberRef | None:
        """Give the number that is explained."""
        return None if not self.is_made or self.explanation is None else self.explanation.ref

    def refuse_pin(self, sentence: str) -> None:
        """Mark what was typed into the box of the pin as refused, and say why."""
        self.body.pin_bar.box.show_refusal(sentence)

    def edit_pin(self) -> None:
        """Go to the box in which the shown number can be pinned."""
        self.body.edit_pin()

    def choose_digits(self, name: str) -> None:
        """Write about three digits of each number ("short"), or all of them ("full")."""
        self.digits.show_choice(name)
        self.body.choose_digits(name)

    def show_frame(self, frame: Frame) -> None:
        """Explain the same number of another frame, or the chosen cell where that number is gone."""
        self.frame = frame
        self.body.show_frame(frame)

    def show_selection(self, chosen: Chosen) -> None:
        """Follow the selection, unless a link was followed and the chosen cell is the same."""
        self.body.show_selection(chosen)

    def sizeHint(self) -> QSize:
        """Give the room in which most explanations are seen whole."""
        line = self.fontMetrics().height()
        return QSize(26 * line, 16 * line)
