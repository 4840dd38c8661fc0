"""A sentence that wraps, painted without a layout: a new text in every frame costs a relayout only for another line."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

_LEAST_LINES = 2
_FLAGS = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)


class WrappedText(QWidget):
    """Plain text that wraps, and takes as many lines as it needs, two at least."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._lines = _LEAST_LINES
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
            self._count_lines()
            self.update()

    def sizeHint(self) -> QSize:
        """Give room for the lines of the text."""
        metrics = self.fontMetrics()
        return QSize(20 * metrics.averageCharWidth(), self._lines * metrics.lineSpacing() + 2)

    def minimumSizeHint(self) -> QSize:
        """Give the same."""
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for another height where the text wraps otherwise."""
        super().resizeEvent(event)
        self._count_lines()

    def _count_lines(self) -> None:
        metrics = self.fontMetrics()
        wrapped = metrics.boundingRect(QRect(0, 0, max(1, self.width()), 10_000), _FLAGS, self._text)
        lines = max(_LEAST_LINES, -(-wrapped.height() // metrics.lineSpacing()))
        if lines != self._lines:
            self._lines = lines
            self.updateGeometry()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the text."""
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
            painter.drawText(self.rect(), _FLAGS, self._text)
