"""The foot of the inspector: copy the value, the derivation as LaTeX, a program in Python."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QPushButton, QWidget

from attnviz.appearance import Theme
from attnviz.views.tokens.message_line import quiet_style
from attnviz.views.tokens.wrapping_row import WrappingRow

_FORMS = (
    ("value", "Copy value", "Copy", "Copy the number with every digit (Ctrl+C)"),
    ("latex", "Copy as LaTeX", "LaTeX", "Copy the derivation as a displayed formula for LaTeX"),
    ("python", "Copy as Python", "Python", "Copy a program that computes the number with NumPy alone"),
)


class CopyBar(WrappingRow):
    """Three buttons.

    Signals
    -------
    copy_requested : str
        The form in which the number is to be copied: "value", "latex" or "python".
    """

    copy_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[str, QPushButton] = {}
        group = QButtonGroup(self)
        for name, text, short, tip in _FORMS:
            button = QPushButton(text, self)
            button.setObjectName(name)
            button.setAccessibleName(text)
            button.setToolTip(tip)
            group.addButton(button)
            self.add(button, short)
            self.buttons[name] = button
        group.buttonClicked.connect(self._clicked)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for button in self.buttons.values():
            button.setStyleSheet(quiet_style(theme))

    def _clicked(self, button: QAbstractButton) -> None:
        self.copy_requested.emit(button.objectName())
