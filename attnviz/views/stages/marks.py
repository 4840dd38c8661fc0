"""What is drawn over the cells of a small matrix: what is lit, and a mark where many rows or columns are left out."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from attnviz.appearance import Theme
from attnviz.views.matrix.geometry import Axis
from attnviz.views.matrix.picture import Highlight
from attnviz.views.matrix.pin_marks import PinMarks
from attnviz.views.matrix.pin_painter import paint_marks
from attnviz.views.stages.placed import PlacedMatrix

_SMALLEST_BAND, _SMALLEST_CELL = 2.0, 5.0
_TOOTH, _BREAK = 3.0, 3.0


class Marks:
    """The pens of a theme, and what is drawn with them.

    Parameters
    ----------
    theme
        In which colours.
    ratio
        Device pixels a logical pixel.
    """

    def __init__(self, theme: Theme, ratio: float) -> None:
        self._theme, self._ratio = theme, ratio
        self._band, self._cell = QPen(QColor(theme.muted), 1.0), QPen(QColor(theme.text), 1.5)
        self._pinned = QPen(QColor(theme.accent), 2.0)
        self._tears: dict[tuple[float, bool], tuple[QPolygonF, QPolygonF, QPolygonF]] = {}
        self._tear, self._tear_edge = QBrush(QColor(theme.panel)), QPen(QColor(theme.muted), 1.0)

    def draw(self, painter: QPainter, placed: PlacedMatrix, highlight: Highlight, pins: PinMarks | None = None) -> None:
        """Draw the marks of what is left out and of pinned numbers, and what is lit."""
        cells, grid = placed.cells, placed.grid
        if pins is not None:
            painter.save()
            painter.translate(cells.topLeft())
            paint_marks(painter, pins, grid.layout(self._ratio), self._theme, has_bars_outside=True)
            painter.restore()
        if grid.is_cut_across_columns:
            self._draw_tear(painter, cells, is_upright=True)
        elif grid.is_cut_across_rows:
            self._draw_tear(painter, cells, is_upright=False)
        row, column = _inside(highlight.row, grid.rows), _inside(highlight.column, grid.columns)
        if row is None and column is None and highlight.pinned is None:
            return
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(self._band)
        if row is not None:
            painter.drawRect(self._around(placed, row, None, _SMALLEST_BAND))
        if column is not None:
            painter.drawRect(self._around(placed, None, column, _SMALLEST_BAND))
        if highlight.pinned is not None:
            painter.setPen(self._pinned)
            painter.drawRect(self._around(placed, *highlight.pinned, _SMALLEST_CELL))
        if row is not None and column is not None:
            painter.setPen(self._cell)
            painter.drawRect(self._around(placed, row, column, _SMALLEST_CELL))

    def _around(self, placed: PlacedMatrix, row: int | None, column: int | None, smallest: float) -> QRectF:
        """Give the line around a cell, a whole row or a whole column."""
        grid, cells, ratio = placed.grid, placed.cells, self._ratio
        top, height = (0, grid.rows.extent) if row is None else grid.rows.span(row)
        left, width = (0, grid.columns.extent) if column is None else grid.columns.span(column)
        box = QRectF(cells.left() + left / ratio, cells.top() + top / ratio, width / ratio, height / ratio)
        wider, higher = max(0.0, smallest - box.width()) / 2, max(0.0, smallest - box.height()) / 2
        return box.adjusted(-wider - 0.5, -higher - 0.5, wider + 0.5, higher + 0.5)

    def _draw_tear(self, painter: QPainter, cells: QRectF, *, is_upright: bool) -> None:
        """Draw two ragged lines across the middle, with nothing between them."""
        between, near, far = self._tear_of(cells.height() if is_upright else cells.width(), is_upright=is_upright)
        corner = QPointF(cells.center().x(), cells.top()) if is_upright else QPointF(cells.left(), cells.center().y())
        painter.translate(corner)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._tear)
        painter.drawPolygon(between)
        painter.setPen(self._tear_edge)
        painter.drawPolyline(near)
        painter.drawPolyline(far)
        painter.translate(-corner)

    def _tear_of(self, length: float, *, is_upright: bool) -> tuple[QPolygonF, QPolygonF, QPolygonF]:
        """Give a tear of a length: all of it, its near edge and its far edge; what was asked before is known."""
        key = (length, is_upright)
        if key not in self._tears:
            count = max(2, round(length / _TOOTH))
            way = [(-2.0 + (length + 4.0) * i / count, _TOOTH / 2 if i % 2 else -_TOOTH / 2) for i in range(count + 1)]
            near = [_point(along, across - _BREAK / 2, is_upright) for along, across in way]
            far = [_point(along, across + _BREAK / 2, is_upright) for along, across in way]
            self._tears[key] = QPolygonF([*near, *reversed(far)]), QPolygonF(near), QPolygonF(far)
        return self._tears[key]


def _point(along: float, across: float, is_upright: bool) -> QPointF:
    return QPointF(across, along) if is_upright else QPointF(along, across)


def _inside(place: int | None, axis: Axis) -> int | None:
    return place if place is not None and 0 <= place < axis.count else None
