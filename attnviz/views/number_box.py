"""A box for one typed number: decimal commas and points, any magnitude, errors shown in place."""

from __future__ import annotations

import math
import re
from decimal import Decimal

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QLineEdit, QWidget

from attnviz.document.errors import DocumentError
from attnviz.views.box_picture import BoxPicture
from attnviz.views.fonts import monospaced
from attnviz.views.hints import mark_invalid, plain_tooltip
from attnviz.views.number_marks import NO_MARKS, NumberMarks
from attnviz.views.wheel import WheelNotches

_UNDO, _REDO = QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")
_LONGEST_EXACT = 8  # characters; a longer number is shown with six digits until the box has the focus


class NumberBox(QLineEdit):
    """A box that shows a number and takes another one.

    Showing is silent. What the user types is taken when it is committed with Enter or by leaving the box;
    Up, Down and the wheel step, ten times as far with Shift; Esc brings back what was there.

    Parameters
    ----------
    step : float
        What Up, Down and the wheel add and take away.
    name : str
        What the number is, for the sentence of a refusal: "a temperature".

    Signals
    -------
    number_entered : float
        A finite number that the user typed or stepped to.
    refused : str
        One sentence why the typed text is no number.
    pointed : bool
        The mouse came over the box, or left it.
    clicked : (nothing)
        The box got the focus by a click.
    """

    number_entered = Signal(float)
    refused = Signal(str)
    pointed = Signal(bool)
    clicked = Signal()

    def __init__(self, step: float = 0.1, parent: QWidget | None = None, *, name: str = "a number") -> None:
        super().__init__(parent)
        self._name = name
        self._step = step
        self._number = 0.0
        self._usual_tip = ""
        self._wheel = WheelNotches()
        self._is_invalid = False
        self._marks = NO_MARKS
        self._picture = BoxPicture(self)
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setFont(monospaced())
        self.setText(compact_text(self._number))
        self.editingFinished.connect(self._commit_typed)
        self.textEdited.connect(self._accept_typing)

    @property
    def number(self) -> float:
        """The number shown last."""
        return self._number

    @property
    def is_invalid(self) -> bool:
        """Whether the text in the box was refused."""
        return self._is_invalid

    @property
    def is_lit(self) -> bool:
        """Whether the number is lit."""
        return self._marks.is_lit

    def show_marks(self, marks: NumberMarks) -> None:
        """Light or frame the number."""
        if marks != self._marks:
            self._marks = marks
            self.update()

    def show_number(self, number: float) -> None:
        """Show a number and emit nothing; what the user is typing stays."""
        is_same = number == self._number
        self._number = float(number)
        if self.isModified() and (self.hasFocus() or is_same):
            return
        if not (is_same and self.is_invalid):
            self._write()

    def show_refusal(self, sentence: str) -> None:
        """Mark the text in the box as refused, and say why in the tooltip."""
        if not self.is_invalid:
            self._usual_tip = self.toolTip()
        self._mark(True)
        self.setToolTip(plain_tooltip(sentence))
        self.setAccessibleDescription(sentence)

    def use_step(self, step: float) -> None:
        """Let Up, Down and the wheel add another number."""
        self._step = step

    def step_by(self, count: int) -> None:
        """Go ``count`` steps from the number in the box, as the user's doing."""
        try:
            start = parse_number(self.text(), self._name) if self.isModified() else self._number
        except DocumentError as error:
            self._refuse(str(error))
            return
        # In decimals, so that 0.1 and 0.2 make 0.3.
        number = float(Decimal(repr(start)) + count * Decimal(repr(self._step)))
        if math.isfinite(number):
            self._commit(number)

    def event(self, event: QEvent) -> bool:
        """Claim the keys of the box before a shortcut of the window gets them."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            if not self.isModified() and (event.matches(_UNDO) or event.matches(_REDO)):
                event.ignore()  # nothing was typed that could be taken back: it is the document's
                return False
            is_escape = event.key() == Qt.Key.Key_Escape and (self.isModified() or self.is_invalid)
            if is_escape or _steps_of(event):
                event.accept()
                return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint a number that is only shown over a ready picture of the box; leave one that is edited to Qt."""
        is_edited = self.hasFocus() or self.isModified() or self.hasSelectedText()
        if is_edited or not self._picture.paint(self.text()):
            super().paintEvent(event)
        if self._marks is not NO_MARKS:
            with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
                self._marks.paint(painter, QRectF(self.rect()))

    def enterEvent(self, event: QEnterEvent) -> None:
        """Tell that the mouse came."""
        super().enterEvent(event)
        self.pointed.emit(True)

    def leaveEvent(self, event: QEvent) -> None:
        """Tell that the mouse left."""
        super().leaveEvent(event)
        self.pointed.emit(False)

    def changeEvent(self, event: QEvent) -> None:
        """Draw the box anew when its style, font, colours or state change."""
        super().changeEvent(event)
        self._picture.forget()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw the box anew in its new size."""
        super().resizeEvent(event)
        self._picture.forget()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step on Up and Down, restore on Esc."""
        if steps := _steps_of(event):
            self.step_by(steps)
        elif event.key() == Qt.Key.Key_Escape and (self.isModified() or self.is_invalid):
            self._write()
            self.selectAll()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Step while the box has the focus; else leave the wheel to what scrolls."""
        if not self.hasFocus():
            event.ignore()
            return
        if notches := self._wheel.take(event):
            is_far = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.step_by(notches * 10 if is_far else notches)
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show every digit while the box can be edited."""
        if not self.isModified() and not self.is_invalid:
            self.setText(full_text(self._number))
        super().focusInEvent(event)
        if event.reason() == Qt.FocusReason.MouseFocusReason:
            self.clicked.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show the number shortened again, unless the text was refused."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason and not self.isModified() and not self.is_invalid:
            self.setText(compact_text(self._number))

    def _commit_typed(self) -> None:
        if not self.isModified():
            return
        try:
            number = parse_number(self.text(), self._name)
        except DocumentError as error:
            self._refuse(str(error))
        else:
            self._commit(number)

    def _commit(self, number: float) -> None:
        self._accept_typing()
        self.setText(full_text(number))
        self.number_entered.emit(number)

    def _refuse(self, sentence: str) -> None:
        self.show_refusal(sentence)
        self.refused.emit(sentence)

    def _mark(self, is_invalid: bool) -> None:
        self._is_invalid = is_invalid
        mark_invalid(self, is_invalid)
        self._picture.forget()

    def _write(self) -> None:
        self._accept_typing()
        text = full_text(self._number) if self.hasFocus() else compact_text(self._number)
        if text != self.text():
            self.setText(text)  # it is unmodified then
        else:
            self.setModified(False)

    def _accept_typing(self) -> None:
        if self._is_invalid:
            self._mark(False)
            self.setToolTip(self._usual_tip)
            self.setAccessibleDescription("")


def parse_number(text: str, name: str = "a number") -> float:
    """Read a finite number with a decimal point or comma.

    Raises
    ------
    DocumentError
        If the text is no number, or one beyond the range of float64.
    """
    written = text.strip().replace("\u2212", "-")
    got = repr(text if len(text) <= 40 else text[:39] + "…")
    if not _NUMBER.fullmatch(written):
        raise DocumentError(f"{name} must be a finite number such as 0.8, got {got if written else 'nothing'}")
    number = float(written.replace(",", "."))
    if not math.isfinite(number):
        raise DocumentError(f"{name} must lie within ±1.8e308, got {got}")
    return number + 0.0


def full_text(number: float) -> str:
    """Write a number with the fewest digits that give it back to the last bit."""
    return repr(float(number) + 0.0).removesuffix(".0")


def compact_text(number: float) -> str:
    """Write a number exactly if that is short, else with six significant digits."""
    text = full_text(number)
    return text if len(text) <= _LONGEST_EXACT else f"{number:.6g}"


def _steps_of(event: QKeyEvent) -> int:
    """Say how many steps a key asks for; 0 if it is no such key."""
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if modifiers not in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier):
        return 0
    direction = (event.key() == Qt.Key.Key_Up) - (event.key() == Qt.Key.Key_Down)
    return direction * (10 if modifiers == Qt.KeyboardModifier.ShiftModifier else 1)
