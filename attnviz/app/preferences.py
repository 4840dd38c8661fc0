"""The preferences: theme and size of text, in force as soon as they are chosen."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QFormLayout, QVBoxLayout, QWidget

from attnviz.app.styling import FONT_PERCENTS, Appearance

_THEMES = (("system", "As the system"), ("light", "Light"), ("dark", "Dark"))


class Preferences(QDialog):
    """A dialog of what is remembered between starts."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("preferences")
        self.setWindowTitle("Preferences")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._appearance = appearance
        self.theme_box = _box("The colours of the window", [label for _, label in _THEMES])
        self.theme_box.setCurrentIndex([name for name, _ in _THEMES].index(appearance.choice))
        self.font_box = _box("The size of all text", [f"{percent} %" for percent in FONT_PERCENTS])
        self.font_box.setCurrentIndex(FONT_PERCENTS.index(appearance.percent))
        self.theme_box.activated.connect(self._use_theme)
        self.font_box.activated.connect(self._use_font)
        form = QFormLayout()
        form.addRow("&Theme", self.theme_box)
        form.addRow("&Size of text", self.font_box)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(16)
        layout.addLayout(form)
        layout.addWidget(buttons)

    def _use_theme(self, place: int) -> None:
        self._appearance.use_theme(_THEMES[place][0])

    def _use_font(self, place: int) -> None:
        self._appearance.use_font(FONT_PERCENTS[place])


def _box(explanation: str, options: list[str]) -> QComboBox:
    box = QComboBox()
    box.setToolTip(explanation)
    box.setAccessibleDescription(explanation)
    box.addItems(options)
    return box
