"""The marks of pinned numbers in a matrix: a corner on each pinned cell, a bar at each row that follows from one."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from attnviz.appearance import Theme
from attnviz.document.arrays import BoolArray
from attnviz.views.matrix.layout import MatrixLayout
from attnviz.views.matrix.lettering import logical
from attnviz.views.matrix.pin_marks import PinMarks

_SMALLEST, _LARGEST = 5.0, 11.0
_SHARE = 0.3  # of a cell's shorter side to the mark's
_BAR = 3.0


def paint_marks(
    painter: QPainter, marks: PinMarks, layout: MatrixLayout, theme: Theme, *, has_bars_outside: bool = False
) -> None:
    """Paint the marks over the cells.

    Parameters
    ----------
    painter
        On the widget, in its logical pixels.
    marks
        What is marked.
    layout, theme
        Where the cells are, and the colours.
    has_bars_outside
        Whether the bars stand left of the cells, where these are too small to give room.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(theme.panel), 1))
    painter.setBrush(QColor(theme.warning))
    for box in _bars(marks.rows, layout):
        painter.drawRect(box.translated(-_BAR - 1, 0) if has_bars_outside else box)
    for cell in marks.cells:
        painter.drawPolygon(corner_of(logical(layout.cell(*cell), layout.ratio)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.restore()


def corner_of(cell: QRectF) -> QPolygonF:
    """Give the triangle in the upper right corner of a cell."""
    size = min(_LARGEST, max(_SMALLEST, _SHARE * min(cell.width(), cell.height())))
    right, top = max(cell.right(), cell.left() + size), cell.top()
    return QPolygonF([QPointF(right - size, top), QPointF(right, top), QPointF(right, top + size)])


def _bars(rows: BoolArray, layout: MatrixLayout) -> list[QRectF]:
    """Give a bar for each run of marked rows, along the left edge of the cells."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], rows, [False]))))
    bars = []
    for first, end in edges.reshape(-1, 2).tolist():
        top = logical(layout.cell(first, 0), layout.ratio)
        bottom = logical(layout.cell(end - 1, 0), layout.ratio).bottom()
        bars.append(QRectF(top.left(), top.top(), _BAR, max(2.0, bottom - top.top())))
    return bars
