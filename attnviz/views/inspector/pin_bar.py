"""The line in the inspector that pins a number to a value, or lets it go again."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from attnviz.appearance import Theme
from attnviz.explanations import Explanation
from attnviz.views.number_box import NumberBox
from attnviz.views.pinning import can_be_pinned
from attnviz.views.tokens.message_line import quiet_style
from attnviz.views.tokens.wrapping_row import WrappingRow

_TIP = "Put another number here: everything after it follows, and it is marked as pinned (F7)"


class PinBar(WrappingRow):
    """A box for a value and two buttons; hidden for numbers that cannot be pinned.

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
        label = QLabel("Pin to", self)
        self.box = NumberBox(name="a pinned number", parent=self)
        self.box.setAccessibleName("Value to pin the number to")
        self.box.setToolTip(_TIP)
        self.box.setFixedWidth(self.box.fontMetrics().horizontalAdvance("0") * 12)
        label.setBuddy(self.box)
        self.pin_button = QPushButton("Pin", self)
        self.pin_button.setToolTip(_TIP)
        self.release_button = QPushButton("Release", self)
        self.release_button.setToolTip("Let the number be computed again (Shift+F7)")
        for part in (label, self.box, self.pin_button, self.release_button):
            self.add(part)
        self.box.number_entered.connect(self._pin)
        self.box.refused.connect(self.refused)
        self.pin_button.clicked.connect(self._pin_shown)
        self.release_button.clicked.connect(self._release)
        self.hide()

    def show_explanation(self, explanation: Explanation) -> None:
        """Offer to pin or release the explained number."""
        is_other = self._explanation is None or self._explanation.ref != explanation.ref
        self._explanation = explanation
        self.setVisible(can_be_pinned(explanation.ref))
        if is_other:
            self.box.setModified(False)
        self.box.show_number(explanation.result)
        self.release_button.setEnabled(explanation.is_pinned)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for button in (self.pin_button, self.release_button):
            button.setStyleSheet(quiet_style(theme))

    def _pin(self, value: float) -> None:
        if self._explanation is not None:
            self.number_pinned.emit(self._explanation.ref, value)

    def _pin_shown(self) -> None:
        """Pin what stands in the box: a box that is still being edited has said so itself when it lost the focus."""
        if self._explanation is not None and not self.box.is_invalid and not self._explanation.is_pinned:
            self._pin(self.box.number)

    def _release(self) -> None:
        if self._explanation is not None:
            self.number_released.emit(self._explanation.ref)
