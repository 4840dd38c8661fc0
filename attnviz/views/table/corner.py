"""The corner of the table, between the headers: what rows and columns count, and a click that sorts by row names."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter
from PySide6.QtWidgets import QAbstractButton, QTableView, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.views.table.header import PADDING, arrow_width, paint_arrow


class Corner(QObject):
    """Paints the corner button of a table and takes its clicks.

    Parameters
    ----------
    table : QTableView
        Its parent, with both headers.

    Signals
    -------
    sort_asked
        The corner was clicked.
    """

    sort_asked = Signal()

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self.theme: Theme = LIGHT
        self.text = ""
        self._is_descending: bool | None = None
        self.button: QWidget | None = next(iter(table.findChildren(QAbstractButton)), None)
        if self.button is not None:
            self.button.setToolTip("Sort by row name: up, down, as in the document")
            self.button.setAccessibleName("Sort by row name")
            self.button.installEventFilter(self)

    def show_text(self, text: str) -> None:
        """Show what rows and columns count."""
        if text != self.text:
            self.text = text
            self._repaint()

    def show_sorted(self, is_descending: bool | None) -> None:
        """Mark that rows are sorted by name; ``None`` where they are not."""
        if is_descending != self._is_descending:
            self._is_descending = is_descending
            self._repaint()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Paint in the button's place, and sort where it would select everything."""
        if not isinstance(watched, QWidget):
            return False
        if event.type() == QEvent.Type.Paint:
            with QPainter(watched) as painter:
                self._paint(painter, watched)
            return True
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            if isinstance(event, QMouseEvent) and event.button() == Qt.MouseButton.LeftButton:
                self.sort_asked.emit()
            return True
        return False

    def _repaint(self) -> None:
        if self.button is not None:
            self.button.update()

    def _paint(self, painter: QPainter, button: QWidget) -> None:
        rect = button.rect()
        painter.fillRect(rect, QColor(self.theme.panel))
        inner = rect.adjusted(PADDING, 0, -PADDING, 0)
        if self._is_descending is not None:
            paint_arrow(painter, inner, QColor(self.theme.accent_text), is_down=self._is_descending)
            inner.adjust(arrow_width(button.fontMetrics()), 0, 0, 0)
        painter.setPen(QColor(self.theme.muted))
        text = button.fontMetrics().elidedText(self.text, Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        painter.setPen(QColor(self.theme.grid))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
