"""The images of the two axes on the deformed grid: an arrow each, told apart by its line and its name."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap, QPolygonF

from attnviz.appearance import Theme
from attnviz.document.arrays import FloatArray
from attnviz.views.plane.geometry import Viewport, clipped_lines

_WIDTH, _HEAD_LENGTH, _HEAD_HALF = 3.0, 13.0, 6.0
_SHORTEST = 2.0  # pixels; what is shorter has no direction to be seen
_BESIDE = 9.0
_STYLES = (("e1", Qt.PenStyle.SolidLine), ("e2", Qt.PenStyle.DashLine))


def draw_axes(picture: QPixmap, matrix: FloatArray, view: Viewport, colour: QColor, theme: Theme, font: QFont) -> None:
    """Draw where a matrix takes the two axes, row by row, on the picture of its grid.

    Parameters
    ----------
    picture : QPixmap
        The deformed grid.
    matrix : (2, 2) array
        Row 1 is the image of the first axis, row 2 that of the second.
    view : Viewport
        The part of the plane that the picture shows.
    colour : QColor
        Of the arrows.
    theme : Theme
        Gives the colours of the names.
    font : QFont
        Of the names.
    """
    origin = view.to_pixels(np.zeros((1, 2)))[0]
    with np.errstate(over="ignore", invalid="ignore"):
        tips = view.to_pixels(matrix)
        lengths = np.hypot(*(tips - origin).T)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font)
        for tip, length, (name, style) in zip(tips, lengths.tolist(), _STYLES, strict=True):
            if math.isfinite(length) and length >= _SHORTEST:
                end = _draw_shaft(painter, origin, tip, length, view, (QColor(theme.panel), colour), style)
                if _is_in(tip, view):
                    _draw_head(painter, tip, (tip - origin) / length, min(length, _HEAD_LENGTH), colour)
                    end = tip
                if end is not None:
                    _draw_name(painter, name, end, view, theme)


def _is_in(place: FloatArray, view: Viewport) -> bool:
    return bool((place >= 0.0).all() and place[0] <= view.width and place[1] <= view.height)


def _draw_shaft(
    painter: QPainter,
    origin: FloatArray,
    tip: FloatArray,
    length: float,
    view: Viewport,
    colours: tuple[QColor, QColor],
    style: Qt.PenStyle,
) -> FloatArray | None:
    """Draw a line on a ground that shows between its dashes; give the end of what is in the view, if anything is."""
    end = origin + (tip - origin) * max(0.0, 1.0 - 0.8 * _HEAD_LENGTH / length)
    seen = clipped_lines(np.concatenate([origin, end])[np.newaxis], view)
    for colour, pen_style in zip(colours, (Qt.PenStyle.SolidLine, style), strict=True):
        painter.setPen(QPen(colour, _WIDTH, pen_style, Qt.PenCapStyle.FlatCap))
        painter.drawLines([QLineF(*line) for line in seen.tolist()])
    return seen[0, 2:] if len(seen) else None


def _draw_head(painter: QPainter, tip: FloatArray, way: FloatArray, length: float, colour: QColor) -> None:
    base, half = tip - length * way, _HEAD_HALF * length / _HEAD_LENGTH
    aside = half * np.array([-way[1], way[0]])
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([QPointF(*place.tolist()) for place in (tip, base + aside, base - aside)]))


def _draw_name(painter: QPainter, name: str, end: FloatArray, view: Viewport, theme: Theme) -> None:
    """Write the name above an end and to its right, where the numbers of the grid never stand, and inside the view."""
    metrics = QFontMetricsF(painter.font())
    box = QRectF(0.0, 0.0, metrics.horizontalAdvance(name) + 6.0, metrics.height())
    left = min(end[0] + _BESIDE, view.width - box.width())
    box.moveTopLeft(QPointF(left, max(end[1] - _BESIDE - box.height(), 0.0)))
    ground = QColor(theme.panel)
    ground.setAlphaF(0.85)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(box, 3.0, 3.0)
    painter.setPen(QColor(theme.text))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)
