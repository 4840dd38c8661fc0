"""A row of widgets that stand one over the other where there is no room for them side by side."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

_SPACING = 4


class WrappingRow(QWidget):
    """Widgets side by side, or one over the other where the row is too narrow for that.

    So a panel stays narrow even with large fonts or long translations.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._widgets: list[QWidget] = []
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(_SPACING)
        self._line.addStretch()

    def add(self, widget: QWidget) -> None:
        """Put a widget at the end."""
        self._widgets.append(widget)
        self._line.insertWidget(len(self._widgets) - 1, widget, 0, Qt.AlignmentFlag.AlignLeft)

    def minimumSizeHint(self) -> QSize:
        """Ask for the width of the widest widget alone."""
        widest = max((widget.minimumSizeHint().width() for widget in self._widgets), default=0)
        return QSize(widest, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Choose the direction in which they fit."""
        super().resizeEvent(event)
        needed = sum(widget.sizeHint().width() + _SPACING for widget in self._widgets) - _SPACING
        ways = QBoxLayout.Direction
        self._line.setDirection(ways.LeftToRight if needed <= self.width() else ways.TopToBottom)
