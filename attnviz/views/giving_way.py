"""Controls side by side of which the first ones become narrow before the others do."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QWidget

_GAP = 6


class GivingWayRow(QWidget):
    """Shows each control as wide as it likes; where there is no room, one after the other gets its least width.

    A layout of Qt takes a little from each of them, which would make all of them change at once.

    Parameters
    ----------
    controls : QWidget
        From left to right, and in the order in which they give way.
    """

    def __init__(self, *controls: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._controls = controls
        for control in controls:
            control.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def sizeHint(self) -> QSize:
        """Give the room in which none gives way."""
        return self._around([control.sizeHint() for control in self._controls])

    def minimumSizeHint(self) -> QSize:
        """Give the room in which all give way."""
        return self._around([control.minimumSizeHint() for control in self._controls])

    def event(self, event: QEvent) -> bool:
        """Share the room out anew when a control asks for another size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._arrange()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room out."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Place them at the right end."""
        lacking = self.sizeHint().width() - self.width()
        widths = []
        for control in self._controls:
            usual, least = control.sizeHint().width(), control.minimumSizeHint().width()
            widths.append(least if lacking > 0 else usual)
            lacking -= usual - widths[-1]
        left = self.width() - sum(widths) - _GAP * (len(widths) - 1)
        for control, width in zip(self._controls, widths, strict=True):
            height = control.sizeHint().height()
            place = QRect(left, (self.height() - height) // 2, width, height)
            control.setGeometry(QStyle.visualRect(self.layoutDirection(), self.rect(), place))
            left += width + _GAP

    @staticmethod
    def _around(sizes: list[QSize]) -> QSize:
        width = sum(size.width() for size in sizes) + _GAP * (len(sizes) - 1)
        return QSize(width, max(size.height() for size in sizes))
