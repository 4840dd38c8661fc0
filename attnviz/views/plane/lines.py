"""What leads from token to token on the plane: weights, shifts to the outputs, the hull, and the marks of pins."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from attnviz.appearance import Theme
from attnviz.document.arrays import FloatArray
from attnviz.views.plane import sprites
from attnviz.views.plane.scene import PlaneScene
from attnviz.views.plane.stamps import CROWD, Stamps

FEW = 24  # up to so many tokens lines are antialiased and dashed
_WIDEST_LINE = 9.0
_PIN_MARK, _PIN_DOT = 7.0, 3.0
_MOST_WEIGHT = 3.0  # a pinned weight may be any, a line no wider than this
_LINE_ALPHA = 0.42
_SHADES = 5  # of lines thinner than a pixel


def draw_hull(painter: QPainter, corners: FloatArray, theme: Theme) -> None:
    """Fill the hull between its corners, if there are three at least."""
    if len(corners) < 3:
        return
    fill = QColor(theme.value)
    fill.setAlphaF(0.08)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    painter.drawPolygon([QPointF(x, y) for x, y in corners.tolist()])


def draw_weights(painter: QPainter, start: FloatArray, ends: FloatArray, scene: PlaneScene, stamps: Stamps) -> None:
    """Draw a line to every key, as wide as its weight; below a pixel it fades, and below a tenth it is gone."""
    widths = np.minimum(scene.weights, _MOST_WEIGHT) * _WIDEST_LINE
    colour = QColor(stamps.colours[scene.query % len(stamps.colours)])
    colour.setAlphaF(_LINE_ALPHA)
    pen = QPen(colour, 1.0)
    x, y = start.tolist()
    is_thin = widths < 1.0
    for width, (right, down) in zip(widths[~is_thin].tolist(), ends[~is_thin].tolist(), strict=True):
        pen.setWidthF(width)
        painter.setPen(pen)
        painter.drawLine(QLineF(x, y, right, down))
    if not is_thin.any():
        return
    shades = np.where(is_thin, np.rint(widths * _SHADES), 0.0)
    for shade in range(1, _SHADES + 1):
        members = ends[shades == shade].tolist()
        if members:
            colour.setAlphaF(_LINE_ALPHA * shade / _SHADES)
            painter.setPen(QPen(colour, 1.0))
            painter.drawLines([QLineF(x, y, right, down) for right, down in members])


def draw_lit_line(painter: QPainter, start: FloatArray, end: FloatArray, weight: float, theme: Theme) -> None:
    """Draw dashes along both sides of the line to the lit key, or along the place of one that is too thin."""
    along = end - start
    length = float(np.hypot(*along))
    if length < 1.0:
        return
    across = np.array([-along[1], along[0]]) * ((weight * _WIDEST_LINE / 2 + 1.5) / length)
    painter.setPen(QPen(QColor(theme.text), 1.0, Qt.PenStyle.DashLine))
    was_smooth = painter.testRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.drawLines([QLineF(*(start + side).tolist(), *(end + side).tolist()) for side in (across, -across)])
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, was_smooth)


def draw_pin_marks(painter: QPainter, outputs: FloatArray, radius: float, theme: Theme) -> None:
    """Draw a corner at each output that follows from a pinned number, as on pinned cells; in a crowd a dot."""
    if len(outputs) > CROWD:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setPen(QPen(QColor(theme.warning), _PIN_DOT))
        painter.drawPoints([QPointF(x + radius, y - radius) for x, y in outputs.tolist()])
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(theme.panel), 1.0))
    painter.setBrush(QColor(theme.warning))
    for x, y in outputs.tolist():
        left, right, top = x + radius - 1, x + radius - 1 + _PIN_MARK, y - radius + 1 - _PIN_MARK
        corners = (QPointF(left, top), QPointF(right, top), QPointF(right, top + _PIN_MARK))
        painter.drawPolygon(QPolygonF(corners))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def draw_shifts(
    painter: QPainter, points: FloatArray, outputs: FloatArray, scene: PlaneScene, stamps: Stamps, theme: Theme
) -> None:
    """Draw the way from each token to its output: arrows, thin lines where there are more, few in a crowd."""
    if scene.count <= FEW:
        _draw_arrows(painter, points, outputs, stamps, theme)
    elif len(points) <= CROWD:
        painter.setPen(QPen(QColor(theme.border), 1))
        painter.drawLines([QLineF(*ends) for ends in np.hstack([points, outputs]).tolist()])
    else:
        _draw_marked_shifts(painter, points, outputs, scene, stamps)


def _draw_marked_shifts(
    painter: QPainter, points: FloatArray, outputs: FloatArray, scene: PlaneScene, stamps: Stamps
) -> None:
    """Draw the shift of the chosen and the lit tokens alone: in a crowd, all of them are a thicket."""
    for is_context, i in (scene.chosen, *scene.lit):
        if not is_context:
            painter.setPen(QPen(stamps.colours[i % len(stamps.colours)], 1.0))
            painter.drawLine(QLineF(*points[i].tolist(), *outputs[i].tolist()))


def _draw_arrows(painter: QPainter, starts: FloatArray, ends: FloatArray, stamps: Stamps, theme: Theme) -> None:
    radius = stamps.ring_radius
    shifts = ends - starts
    lengths = np.hypot(shifts[:, 0], shifts[:, 1])
    long = np.flatnonzero(lengths > stamps.radius + radius)
    if len(long) == 0:
        return
    tips = ends - shifts * (radius / np.maximum(lengths, radius))[:, np.newaxis]
    turns = np.arctan2(shifts[:, 1], shifts[:, 0]) * (sprites.ARROW_DIRECTIONS / (2.0 * np.pi))
    directions, begins, stops = np.rint(turns).astype(int).tolist(), starts.tolist(), tips.tolist()
    half, ratio = sprites.ARROW_LENGTH + 1, stamps.ratio
    pen = QPen(QColor(), 1.4)
    pen.setDashPattern([3.0, 3.0])
    for i in long.tolist():
        pen.setColor(stamps.colours[i % len(stamps.colours)])
        painter.setPen(pen)
        (left, top), (x, y) = begins[i], stops[i]
        painter.drawLine(QLineF(left, top, x, y))
        head = sprites.arrowhead(theme.token(i), directions[i], ratio)
        painter.drawPixmap(QPointF(x - half, y - half), head)


def draw_compared(painter: QPainter, outputs: FloatArray, stamps: Stamps) -> None:
    """Draw a dotted ring where each output was in the state that this one is compared with."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    radius = stamps.ring_radius + 1.0
    for place, (x, y) in enumerate(outputs.tolist()):
        painter.setPen(QPen(stamps.colours[place % len(stamps.colours)], 1.5, Qt.PenStyle.DotLine))
        painter.drawEllipse(QPointF(x, y), radius, radius)
