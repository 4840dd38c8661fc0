"""The head of a control: its label at the start, what belongs to it at the end, or below where the line is short."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

_GAP = 8


class HeadLine(QWidget):
    """A label and the widgets at the end of its line.

    Parameters
    ----------
    label : QLabel
        Stands at the start.
    tail : QWidget
        Stands at the end; in a second line where both do not fit in one.
    """

    def __init__(self, label: QLabel, tail: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label, self._tail = label, tail
        label.setParent(self)
        tail.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        """Give the size of one line."""
        label, tail = self._label.sizeHint(), self._tail.sizeHint()
        return QSize(label.width() + _GAP + tail.width(), max(label.height(), tail.height()))

    def minimumSizeHint(self) -> QSize:
        """Give the width of the wider of the two, and the height of one line."""
        widest = max(self._label.sizeHint().width(), self._tail.sizeHint().width())
        return QSize(widest, self.sizeHint().height())

    def hasHeightForWidth(self) -> bool:
        """Say that a narrow head is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Give the height of one line or two."""
        label, tail = self._label.sizeHint(), self._tail.sizeHint()
        if width >= self.sizeHint().width():
            return max(label.height(), tail.height())
        return label.height() + _GAP // 2 + tail.height()

    def event(self, event: QEvent) -> bool:
        """Place both anew when one of them changed its size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._place()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place both."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        label, tail = self._label.sizeHint(), self._tail.sizeHint()
        width, is_mirrored = self.width(), self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        tail_left = 0 if is_mirrored else width - tail.width()
        if width >= self.sizeHint().width():
            middle = self.height() // 2
            left = tail.width() + _GAP if is_mirrored else 0
            self._label.setGeometry(left, middle - label.height() // 2, width - tail.width() - _GAP, label.height())
            self._tail.setGeometry(QRect(tail_left, middle - tail.height() // 2, tail.width(), tail.height()))
        else:
            self._label.setGeometry(0, 0, width, label.height())
            self._tail.setGeometry(QRect(tail_left, label.height() + _GAP // 2, tail.width(), tail.height()))
