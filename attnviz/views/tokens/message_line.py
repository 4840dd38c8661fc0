"""A line of warning inside a panel, which can be dismissed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from attnviz.appearance import LIGHT, Theme


class MessageLine(QWidget):
    """One sentence in the colour of warnings with a button that takes it away; hidden while it says nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = QLabel(self)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setWordWrap(True)
        self._label.setAccessibleName("Message")
        self.dismiss_button = QToolButton(self)
        self.dismiss_button.setText("×")
        self.dismiss_button.setAutoRaise(True)
        self.dismiss_button.setToolTip("Dismiss this message")
        self.dismiss_button.setAccessibleName("Dismiss the message")
        self.dismiss_button.clicked.connect(self.clear)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self._label, 1)
        line.addWidget(self.dismiss_button, 0, Qt.AlignmentFlag.AlignTop)
        self.apply_theme(LIGHT)
        self.hide()

    @property
    def text(self) -> str:
        """What the line says; empty while it is hidden."""
        return self._label.text()

    def show_text(self, text: str) -> None:
        """Say something; an empty text hides the line."""
        self._label.setText(text)
        self.setVisible(bool(text))

    def clear(self) -> None:
        """Say nothing."""
        self.show_text("")

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._label.setStyleSheet(f"color: {theme.warning};")
        self.dismiss_button.setStyleSheet(quiet_style(theme))


def quiet_style(theme: Theme) -> str:
    """Give the style of a button that is plain text until it is pointed at or has the focus."""
    return (
        f"QAbstractButton {{ color: {theme.muted}; background: transparent; padding: 4px; min-width: 0; "
        "border: 1px solid transparent; border-radius: 6px; }"
        f"QAbstractButton:hover {{ color: {theme.text}; background: {theme.accent_soft}; }}"
        f"QAbstractButton:focus {{ border-color: {theme.accent}; }}"
    )
