"""The box in the inspector that pins a number to a value, and the button that lets it go again."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from attnviz.appearance import Theme
from attnviz.explanations import Explanation
from attnviz.views.number_box import NumberBox
from attnviz.views.pinning import can_be_pinned
from attnviz.views.tokens.message_line import quiet_style

_TIP = "Type another number to put it here: everything after it follows, and it is marked as pinned (F7)"
_RELEASE_TIP = "Let the number be computed again (Shift+F7)"
_DIGITS, _AROUND = 9, 28


class PinBar(QWidget):
    """A box for a value and one button; hidden for numbers that cannot be pinned.

    Signals
    -------
    number_pinned : object, float
        The user wants the number, a :class:`NumberRef`, to have this value.
    number_released : object
        The user wants it to be computed again.
    refused : str
        One sentence why the typed text is no number.
    """

    number_pinned = Signal(object, float)
    number_released = Signal(object)
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._explanation: Explanation | None = None
        self.box = NumberBox(name="a pinned number", parent=self)
        self.box.setAccessibleName("Value to pin the number to")
        self.box.setToolTip(_TIP)
        self.button = QPushButton("Pin", self)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        line.addWidget(self.box)
        line.addWidget(self.button)
        self.box.number_entered.connect(self._pin)
        self.box.refused.connect(self.refused)
        self.button.clicked.connect(self._pin_or_release)
        self._fit_box()
        self.hide()

    def show_explanation(self, explanation: Explanation) -> None:
        """Offer to pin or release the explained number."""
        is_other = self._explanation is None or self._explanation.ref != explanation.ref
        self._explanation = explanation
        self.setVisible(can_be_pinned(explanation.ref))
        if is_other:
            self.box.setModified(False)
        self.box.show_number(explanation.result)
        text = "Release" if explanation.is_pinned else "Pin"
        if text != self.button.text():
            self.button.setText(text)
        self.button.setToolTip(_RELEASE_TIP if explanation.is_pinned else _TIP)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.button.setStyleSheet(quiet_style(theme))

    def changeEvent(self, event: QEvent) -> None:
        """Keep the box as wide as its digits."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_box()

    def _fit_box(self) -> None:
        self.box.setFixedWidth(self.box.fontMetrics().horizontalAdvance("0" * _DIGITS) + _AROUND)

    def _pin(self, value: float) -> None:
        if self._explanation is not None:
            self.number_pinned.emit(self._explanation.ref, value)

    def _pin_or_release(self) -> None:
        """Let go of a pinned number, or pin what stands in the box; typed text it told when it lost the focus."""
        if self._explanation is None or self.box.is_invalid:
            return
        if self._explanation.is_pinned:
            self.number_released.emit(self._explanation.ref)
        else:
            self._pin(self.box.number)
