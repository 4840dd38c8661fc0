"""How the weighted sum is painted: each value times its weight as a vector, head to tail, until the output appears."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from attnviz.document.arrays import FloatArray
from attnviz.film import Arrows
from attnviz.film.wording import name, number
from attnviz.views.film.block_painter import BlockPainter
from attnviz.views.film.levels_painter import faint

_MOST_VALUES = 12
_MOST_ARROWS = 64
_ROOM_FOR_AXES = 90.0
_MARGIN = 0.12
_HEAD = 9.0
_LARGEST = 1e150
_DOT, _RING = 4.0, 7.0
_ASIDE = (9.0, 22.0)  # how far from its point a name may begin


class ArrowsPainter:
    """Paints the path from the origin to the output on a plane of equal scales."""

    def __init__(self, blocks: BlockPainter) -> None:
        self._blocks = blocks
        self._written: list[QRectF] = []

    def draw(self, painter: QPainter, arrows: Arrows, area: QRectF) -> None:
        """Paint the plane with all vectors laid so far."""
        has_values = len(arrows.values) <= _MOST_VALUES
        points = np.vstack([arrows.tips, arrows.values]) if has_values else arrows.tips
        view = _View(points, area)
        self._written = self._signs(arrows, view) if has_values else []
        painter.save()
        painter.setClipRect(area)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._blocks.font)
        self._draw_ground(painter, arrows, view, area)
        self._draw_path(painter, arrows, view)
        if arrows.has_arrived:
            self._draw_output(painter, arrows, view)
        if has_values:
            self._draw_values(painter, arrows, view)
        painter.restore()

    def _draw_ground(self, painter: QPainter, arrows: Arrows, view: _View, area: QRectF) -> None:
        theme = self._blocks.theme
        painter.setPen(QPen(QColor(theme.border), 1.0))
        painter.setBrush(QColor(theme.panel))
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        step = view.grid_step
        metrics = self._blocks.metrics
        for is_across in (True, False):
            for i in view.lines(is_across=is_across):
                at = view.place(i * step, 0.0) if is_across else view.place(0.0, i * step)
                painter.setPen(QPen(QColor(theme.border if i == 0 else theme.grid), 1.0))
                if is_across:
                    painter.drawLine(QPointF(at.x(), area.top() + 1), QPointF(at.x(), area.bottom() - 1))
                else:
                    painter.drawLine(QPointF(area.left() + 1, at.y()), QPointF(area.right() - 1, at.y()))
                text = f"{i * step:g}"
                width = metrics.horizontalAdvance(text)
                painter.setPen(QColor(theme.muted))
                if is_across and i:
                    painter.drawText(QPointF(at.x() - width / 2, area.bottom() - 6), text)
                elif not is_across and i and at.y() < area.bottom() - 2 * metrics.height():
                    painter.drawText(QPointF(area.left() + 6, at.y() + metrics.ascent() / 2 - 1), text)
        painter.setPen(QColor(theme.muted))
        across, up = arrows.axes
        width = metrics.horizontalAdvance(across)
        if area.height() < _ROOM_FOR_AXES or width > 0.5 * area.width():
            return
        painter.drawText(QPointF(area.right() - width - 8, area.bottom() - 6 - metrics.height()), across)
        painter.drawText(QPointF(area.left() + 8, area.top() + metrics.ascent() + 4), up)

    @staticmethod
    def _signs(arrows: Arrows, view: _View) -> list[QRectF]:
        """Give the places of the dots, and of the output's ring, over which no name is to be written."""
        signs = [(view.place(float(x), float(y)), _DOT) for x, y in arrows.values]
        if arrows.has_arrived:
            signs.append((view.place(float(arrows.tips[-1][0]), float(arrows.tips[-1][1])), _RING + 1.0))
        return [QRectF(at.x() - r, at.y() - r, 2 * r, 2 * r) for at, r in signs]

    def _draw_values(self, painter: QPainter, arrows: Arrows, view: _View) -> None:
        """Paint the values as dots, with a faint line from the origin along which the weight shortens them."""
        origin = view.place(0.0, 0.0)
        for i, (x, y) in enumerate(arrows.values):
            colour, at = self._colour(arrows, i), view.place(float(x), float(y))
            painter.setPen(QPen(faint(colour, 0.35), 1.0, Qt.PenStyle.DotLine))
            painter.drawLine(origin, at)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(faint(colour, 1.0 if i in arrows.lit else 0.55))
            painter.drawEllipse(at, _DOT, _DOT)
            painter.setPen(colour)
            self._write(painter, at, f"v_{name(arrows.keys.names[i])}", view)

    def _draw_path(self, painter: QPainter, arrows: Arrows, view: _View) -> None:
        places = [view.place(float(x), float(y)) for x, y in arrows.tips[: arrows.known + 1]]
        if len(arrows.weights) > _MOST_ARROWS:
            self._draw_lines(painter, arrows, places)
        else:
            for i, (start, end) in enumerate(pairwise(places)):
                width = 3.5 if i in arrows.lit and len(arrows.lit) < len(arrows.weights) else 2.5
                _draw_arrow(painter, start, end, self._colour(arrows, i), width, has_head=True)
        lit = [i for i in arrows.lit if i < arrows.known]
        if lit and len(arrows.lit) < len(arrows.weights):
            end = places[lit[-1] + 1]
            painter.setPen(QPen(QColor(self._blocks.theme.accent), 2.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(end, 6.0, 6.0)
            self._written.append(QRectF(end.x() - 7.0, end.y() - 7.0, 14.0, 14.0))

    def _draw_lines(self, painter: QPainter, arrows: Arrows, places: list[QPointF]) -> None:
        """Paint the path of many keys as lines, all of one colour at once."""
        tokens = len(self._blocks.theme.tokens)
        lines = [QLineF(start, end) for start, end in pairwise(places)]
        for colour in range(min(tokens, len(lines))):
            painter.setPen(QPen(self._colour(arrows, colour), 1.5))
            painter.drawLines(lines[colour::tokens])

    def _draw_output(self, painter: QPainter, arrows: Arrows, view: _View) -> None:
        colour = QColor(self._blocks.theme.token(arrows.query_colour))
        x, y = (float(c) for c in arrows.tips[-1])
        end = view.place(x, y)
        _draw_arrow(painter, view.place(0.0, 0.0), end, colour, 2.0, has_head=True, is_dashed=True)
        painter.setPen(QPen(colour, 2.5))
        painter.setBrush(QColor(self._blocks.theme.panel))
        painter.drawEllipse(end, _RING, _RING)
        painter.setPen(colour)
        painter.setFont(self._blocks.bold_font)
        text = f"y_{arrows.query}"
        full = f"{text} ({number(x)}, {number(y)})"
        if (
            arrows.axes == ("v[1]", "v[2]")
            and self._blocks.bold_metrics.horizontalAdvance(full) < 0.6 * view.area.width()
        ):
            text = full
        self._write(painter, end, text, view, must=True)
        painter.setFont(self._blocks.font)

    def _write(self, painter: QPainter, at: QPointF, text: str, view: _View, *, must: bool = False) -> None:
        """Write a name beside a point, where nothing is written yet; a name that must be is written in any case."""
        metrics = self._blocks.bold_metrics if must else self._blocks.metrics
        width, height = metrics.horizontalAdvance(text) + 2.0, metrics.height()
        places = [
            QRectF(at.x() + across, at.y() + up, width, height)
            for aside in _ASIDE
            for across in (aside, -width - aside)
            for up in (-height - 1.0, 1.0, -height / 2, 12.0, -height - 12.0)
        ]
        inside = view.area.adjusted(4.0, 4.0, -4.0, -4.0)
        free = [p for p in places if inside.contains(p) and not any(p.intersects(other) for other in self._written)]
        if free or must:
            box = free[0] if free else places[0]
            if must and not inside.contains(box):
                box.moveLeft(max(inside.left(), min(inside.right() - width, box.left())))
                box.moveTop(max(inside.top(), min(inside.bottom() - height, box.top())))
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
            self._written.append(box)

    def _colour(self, arrows: Arrows, i: int) -> QColor:
        return QColor(self._blocks.theme.token(arrows.keys.first_colour + i))


class _View:
    """A plane of equal scales that holds some points."""

    def __init__(self, points: FloatArray, area: QRectF) -> None:
        self.area = area
        points = np.clip(np.nan_to_num(points), -_LARGEST, _LARGEST)
        low, high = np.minimum(points.min(axis=0), 0.0), np.maximum(points.max(axis=0), 0.0)
        size = np.maximum(high - low, 1e-12)
        room = np.array([max(20.0, area.width() - 60), max(20.0, area.height() - 50)]) * (1 - _MARGIN)
        self._scale = float((room / size).min())
        if float(size.max()) <= 1e-9:
            self._scale = float(room.min())
        middle = (low + high) / 2
        self._left = area.center().x() - float(middle[0]) * self._scale
        self._top = area.center().y() + float(middle[1]) * self._scale
        self.grid_step = _nice(80.0 / self._scale)

    def place(self, x: float, y: float) -> QPointF:
        """Give the place of a point on screen."""
        return QPointF(
            self._left + max(-_LARGEST, min(_LARGEST, x)) * self._scale,
            self._top - max(-_LARGEST, min(_LARGEST, y)) * self._scale,
        )

    def lines(self, *, is_across: bool) -> range:
        """Give the multiples of the grid's step that are in sight."""
        step = self.grid_step * self._scale
        if is_across:
            low, high = self.area.left() - self._left, self.area.right() - self._left
        else:
            low, high = self._top - self.area.bottom(), self._top - self.area.top()
        return range(math.ceil((low + 4) / step), math.floor((high - 4) / step) + 1)


def _nice(step: float) -> float:
    """Give 1, 2 or 5 times a power of ten, at least the step asked for."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= step * 0.999)


def _draw_arrow(
    painter: QPainter,
    start: QPointF,
    end: QPointF,
    colour: QColor,
    width: float,
    *,
    has_head: bool,
    is_dashed: bool = False,
) -> None:
    length = math.hypot(end.x() - start.x(), end.y() - start.y())
    style = Qt.PenStyle.DashLine if is_dashed else Qt.PenStyle.SolidLine
    painter.setPen(QPen(colour, width, style, Qt.PenCapStyle.FlatCap))
    if length < 0.5:
        return
    head = min(_HEAD, 0.6 * length) if has_head else 0.0
    along = QPointF((end.x() - start.x()) / length, (end.y() - start.y()) / length)
    base = end - along * head
    painter.drawLine(start, base if has_head else end)
    if has_head:
        across = QPointF(-along.y(), along.x()) * (0.45 * head)
        path = QPainterPath()
        path.addPolygon(QPolygonF([end, base + across, base - across, end]))
        painter.fillPath(path, colour)
