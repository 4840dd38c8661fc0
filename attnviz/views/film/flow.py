"""Widgets in lines, as words in a paragraph: side by side as long as they fit, then on the next line."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

_ACROSS, _DOWN = 12, 4


class Flow(QWidget):
    """A row of widgets that wraps; its height follows from its width."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._widgets: list[QWidget] = []
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, widget: QWidget) -> None:
        """Put a widget at the end."""
        widget.setParent(self)
        self._widgets.append(widget)
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        """Say that a narrower row is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Give the height of all lines in a width."""
        boxes = self._places(width)
        return max((box.bottom() + 1 for box in boxes), default=0)

    def sizeHint(self) -> QSize:
        """Ask for one line."""
        widths = [widget.sizeHint().width() + _ACROSS for widget in self._widgets]
        return QSize(sum(widths) - _ACROSS, self.heightForWidth(max(1, self.width())))

    def minimumSizeHint(self) -> QSize:
        """Ask for the width of the widest widget alone."""
        widest = max((widget.sizeHint().width() for widget in self._widgets), default=0)
        return QSize(widest, self.heightForWidth(max(widest, self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the widgets."""
        super().resizeEvent(event)
        for widget, box in zip(self._widgets, self._places(self.width()), strict=True):
            widget.setGeometry(box)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def _places(self, width: int) -> list[QRect]:
        boxes: list[QRect] = []
        line: list[QRect] = []
        left = top = 0
        for widget in self._widgets:
            size = widget.sizeHint()
            if line and left + size.width() > width:
                top += max(box.height() for box in line) + _DOWN
                boxes, line, left = boxes + _centred(line), [], 0
            line.append(QRect(left, top, size.width(), size.height()))
            left += size.width() + _ACROSS
        return boxes + _centred(line)


def _centred(line: list[QRect]) -> list[QRect]:
    """Bring the boxes of a line to one middle."""
    height = max((box.height() for box in line), default=0)
    return [box.translated(0, (height - box.height()) // 2) for box in line]
