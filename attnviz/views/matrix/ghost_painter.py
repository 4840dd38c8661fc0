"""The dashes around columns of a matrix on screen that are none of the matrix."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen

from attnviz.appearance import Theme
from attnviz.views.matrix.geometry import Box
from attnviz.views.matrix.layout import MatrixLayout
from attnviz.views.matrix.lettering import logical


def paint_ghosts(painter: QPainter, count: int, layout: MatrixLayout, theme: Theme) -> None:
    """Paint a dashed line around the last columns.

    Parameters
    ----------
    painter
        On the widget, in its logical pixels.
    count
        How many columns.
    layout, theme
        Where the cells are, and the colours.
    """
    grid = layout.grid
    left = layout.columns.span(layout.columns.count - count)[0]
    box = logical(Box(left, grid.y, grid.right - left, grid.height), layout.ratio)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(QColor(theme.muted), 1.0, Qt.PenStyle.DashLine))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box.adjusted(-1.0, -1.0, 0.0, 0.0))
    painter.restore()
