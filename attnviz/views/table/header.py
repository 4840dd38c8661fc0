"""The headers of the table: names as plain text with the colours of their tokens, and what it is sorted by."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QHeaderView, QWidget

from attnviz.appearance import LIGHT, Theme

PADDING = 8
_SMOOTH = QPainter.RenderHint.Antialiasing


class AxisHeader(QHeaderView):
    """The names along an axis. A click on a column sorts by it; with Ctrl or Shift it selects the column.

    Signals
    -------
    sort_asked : int
        The rows are to be sorted by this column.
    """

    sort_asked = Signal(int)

    def __init__(self, orientation: Qt.Orientation, parent: QWidget) -> None:
        super().__init__(orientation, parent)
        self.theme: Theme = LIGHT
        self.colours: tuple[int, ...] | None = None  # of the tokens; None for coordinates
        self.places: list[int] | None = None  # the token of each section, where they are sorted
        self.lit: frozenset[int] = frozenset()
        self._sorted: tuple[int, bool] | None = None
        self._pressed = -1
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSectionsClickable(True)
        self.setMinimumSectionSize(8)
        self.setAccessibleName("Columns" if orientation == Qt.Orientation.Horizontal else "Rows")

    def show_sorted(self, section: int | None, is_descending: bool) -> None:
        """Mark the section that the rows are sorted by."""
        now = None if section is None else (section, is_descending)
        if now != self._sorted:
            self._sorted = now
            self.viewport().update()

    def sizeHint(self) -> QSize:
        """Give the size that was set; Qt would ask the model for some twenty names each time rows move."""
        return self.minimumSize()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the names, and the panel's ground where there are none."""
        super().paintEvent(event)
        rect = self.viewport().rect()
        end = self.length() - self.offset()
        rect.setLeft(end) if self._is_horizontal() else rect.setTop(end)
        if rect.isValid():
            with QPainter(self.viewport()) as painter:
                painter.fillRect(rect, QColor(self.theme.panel))

    def paintSection(self, painter: QPainter, rect: QRect, logical_index: int) -> None:
        """Paint one name."""
        painter.save()
        painter.setClipRect(rect)
        painter.fillRect(rect, QColor(self.theme.panel))
        if logical_index in self.lit:
            painter.fillRect(rect, QColor(self.theme.accent_soft))
        metrics, inner = self.fontMetrics(), rect.adjusted(PADDING, 0, -PADDING, 0)
        arrow = arrow_width(metrics) if self._sorted is not None and self._sorted[0] == logical_index else 0
        name = self.model().headerData(logical_index, self.orientation(), Qt.ItemDataRole.DisplayRole)
        text = metrics.elidedText(str(name), Qt.TextElideMode.ElideRight, inner.width() - arrow)
        if self._sorted is not None and arrow:
            before = inner.adjusted(inner.width() - metrics.horizontalAdvance(text) - arrow, 0, 0, 0)
            paint_arrow(painter, before, QColor(self.theme.accent_text), is_down=self._sorted[1])
        painter.setPen(QColor(self._colour(logical_index)))
        painter.setFont(self.font())
        side = Qt.AlignmentFlag.AlignRight if self._is_horizontal() else Qt.AlignmentFlag.AlignLeft
        painter.drawText(inner, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, text)
        painter.setPen(QColor(self.theme.grid))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.restore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember a plain click on a column; anything else selects."""
        is_plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
        if self._is_horizontal() and is_plain:
            self._pressed = self.logicalIndexAt(event.position().toPoint())
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Leave a plain press alone, so that it selects nothing on its way."""
        if self._pressed < 0:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ask to sort where the press was."""
        pressed, self._pressed = self._pressed, -1
        if pressed < 0:
            super().mouseReleaseEvent(event)
        elif self.logicalIndexAt(event.position().toPoint()) == pressed:
            self.sort_asked.emit(pressed)

    def _is_horizontal(self) -> bool:
        return self.orientation() == Qt.Orientation.Horizontal

    def _colour(self, section: int) -> str:
        if self.colours is None:
            return self.theme.muted
        return self.theme.token(self.colours[section if self.places is None else self.places[section]])


def arrow_width(metrics: QFontMetrics) -> int:
    """Give the room that the mark of a sorted column takes."""
    return metrics.height() * 2 // 3


def paint_arrow(painter: QPainter, rect: QRect, colour: QColor, *, is_down: bool) -> None:
    """Paint the mark of a sorted column at the left of ``rect``: up for ascending, down for descending."""
    half = rect.height() / 9
    centre = QPointF(rect.left() + half, rect.center().y() + 0.5)
    tip = half if is_down else -half
    painter.setRenderHint(_SMOOTH)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    corners = [QPointF(-half, -tip), QPointF(half, -tip), QPointF(0, tip)]
    painter.drawPolygon(QPolygonF([centre + corner for corner in corners]))
    painter.setRenderHint(_SMOOTH, on=False)
