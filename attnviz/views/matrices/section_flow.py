"""Sections side by side where there is room, else in rows; all of them share the height there is."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

_GAP = 24


class SectionFlow(QWidget):
    """Widgets of one size, in as many columns as fit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sections: list[QWidget] = []
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_sections(self, sections: list[QWidget]) -> None:
        """Show these, in this order, and hide those shown before."""
        for section in self._sections:
            section.setVisible(section in sections)
        self._sections = list(sections)
        for section in sections:
            section.show()
        self.updateGeometry()
        self._place()

    def minimumSizeHint(self) -> QSize:
        """Give the room of one section."""
        least = QSize(0, 0)
        for section in self._sections:
            least = least.expandedTo(section.minimumSizeHint())
        return least

    def sizeHint(self) -> QSize:
        """Give the same."""
        return self.minimumSizeHint()

    def hasHeightForWidth(self) -> bool:
        """Say that a narrow flow is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Give the least height of all rows."""
        n_rows = self._shape(width)[0]
        return n_rows * self.minimumSizeHint().height() + (n_rows - 1) * _GAP

    def event(self, event: QEvent) -> bool:
        """Place the sections anew when one of them asks for another size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._place()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the sections."""
        super().resizeEvent(event)
        self._place()

    def _shape(self, width: int) -> tuple[int, int]:
        """Give the numbers of rows and columns in a width."""
        count, least = len(self._sections), max(1, self.minimumSizeHint().width())
        n_columns = min(max(1, (width + _GAP) // (least + _GAP)), max(1, count))
        n_rows = max(1, -(-count // n_columns))
        return n_rows, -(-count // n_rows) if count else 1

    def _place(self) -> None:
        n_rows, n_columns = self._shape(self.width())
        width = (self.width() - (n_columns - 1) * _GAP) // n_columns
        height = (self.height() - (n_rows - 1) * _GAP) // n_rows
        for place, section in enumerate(self._sections):
            row, column = divmod(place, n_columns)
            section.setGeometry(column * (width + _GAP), row * (height + _GAP), width, height)
