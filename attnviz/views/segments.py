"""A row of buttons of which one is down: a choice with all its options in sight."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QToolButton, QWidget


class Segments(QWidget):
    """Buttons side by side; left and right arrows go from one to the next.

    Parameters
    ----------
    options : sequence of (name, label, help)
        The choices, in order.

    Signals
    -------
    chosen : str
        The user chose the option of this name.
    """

    chosen = Signal(str)

    def __init__(self, options: Sequence[tuple[str, str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names = [name for name, _, _ in options]
        self._group = QButtonGroup(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for place, (_, label, explanation) in enumerate(options):
            button = QToolButton(self)
            button.setObjectName("segment")
            button.setText(label.replace("&", "&&"))
            button.setToolTip(explanation)
            button.setAccessibleName(label)
            button.setAccessibleDescription(explanation)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.setProperty("place", _place(place, len(options)))
            self._group.addButton(button, place)
            layout.addWidget(button, 1)
        self._group.buttonClicked.connect(self._clicked)

    def show_choice(self, name: str) -> None:
        """Press the button of ``name``; emits nothing."""
        button = self._group.button(self._names.index(name))
        if not button.isChecked():
            button.setChecked(True)

    def _clicked(self, button: QAbstractButton) -> None:
        self.chosen.emit(self._names[self._group.id(button)])


def _place(index: int, count: int) -> str:
    if index == 0:
        return "first"
    return "last" if index == count - 1 else "middle"
