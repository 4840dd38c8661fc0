"""The headers of the token table: titles above, and dot and name beside columns that are scrolled away."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QHeaderView, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.views.tokens.cells import PADDING, TokenMark, paint_dot
from attnviz.views.tokens.model import TokenModel


class TitleHeader(QHeaderView):
    """The titles of the columns: muted text on the panel's ground."""

    def __init__(self, rows: TokenModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._rows = rows
        self.theme: Theme = LIGHT
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(8)

    def paintSection(self, painter: QPainter, rect: QRect, logical_index: int) -> None:
        """Paint one title."""
        self.paint_title(painter, rect, logical_index)

    def paint_title(self, painter: QPainter, rect: QRect, column: int) -> None:
        """Paint the title of a column into ``rect``, also where that is not in the header."""
        painter.save()
        painter.fillRect(rect, QColor(self.theme.panel))
        painter.setFont(self.font())
        painter.setPen(QColor(self.theme.muted))
        side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
        inner = rect.adjusted(0 if column else PADDING + self.fontMetrics().height(), 0, -PADDING, 0)
        title = self._rows.column_title(column)
        text = self.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, side | Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()

    def eventFilter(self, corner: QObject, event: QEvent) -> bool:
        """Paint the corner of the table, which this header is told to watch, as the title of the names."""
        if event.type() == QEvent.Type.Paint and isinstance(corner, QWidget):
            painter = QPainter(corner)
            self.paint_title(painter, corner.rect(), 0)
            painter.end()
            return True
        return False


class NameHeader(QHeaderView):
    """Dot and name of each row, lit like the row."""

    def __init__(self, rows: TokenModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._rows = rows
        self.theme: Theme = LIGHT
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.mark = TokenMark()
        self.setSectionsClickable(True)
        self.setMinimumSectionSize(8)

    def light_of(self, row: int) -> QColor | None:
        """Give the colour behind a row; ``None`` for that of the panel. The table says which."""
        del row
        return None

    def paintSection(self, painter: QPainter, rect: QRect, logical_index: int) -> None:
        """Paint one row's dot and name."""
        painter.save()
        painter.fillRect(rect, QColor(self.theme.panel))
        if light := self.light_of(logical_index):
            painter.fillRect(rect, light)
        metrics = self.fontMetrics()
        colour = QColor(self.theme.token(self.mark.first_colour + logical_index))
        paint_dot(painter, rect, metrics.height(), colour, is_square=self.mark.is_square)
        inner = rect.adjusted(PADDING + metrics.height(), 0, -PADDING // 2, 0)
        text = metrics.elidedText(self._rows.token(logical_index), Qt.TextElideMode.ElideRight, inner.width())
        painter.setFont(self.font())
        painter.setPen(QColor(self.theme.text))
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()
