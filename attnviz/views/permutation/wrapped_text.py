"""A sentence in up to three lines, painted without a layout, so that a new text in every frame costs no relayout."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QWidget

_LINES = 3
_FLAGS = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)


class WrappedText(QWidget):
    """Plain text that wraps; what has no room in the widget's lines is cut, and said to screen readers."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def text(self) -> str:
        """What it says."""
        return self._text

    def show_text(self, text: str) -> None:
        """Say something else."""
        if text != self._text:
            self._text = text
            self.setAccessibleDescription(text)
            self.update()

    def sizeHint(self) -> QSize:
        """Give room for three lines."""
        metrics = self.fontMetrics()
        return QSize(20 * metrics.averageCharWidth(), _LINES * metrics.lineSpacing() + 2)

    def minimumSizeHint(self) -> QSize:
        """Give the same."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the text."""
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
            painter.drawText(self.rect(), _FLAGS, self._text)
