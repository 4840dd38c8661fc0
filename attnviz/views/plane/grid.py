"""The ground of the plane: grid lines at round steps, and numbers along the two axes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap

from attnviz.appearance import LIGHT
from attnviz.document.arrays import BoolArray, FloatArray
from attnviz.views.plane import sprites
from attnviz.views.plane.geometry import Viewport, multiples, round_step

_GRID_STEP_PX = 84
_ORIGIN = QPointF(0.0, 0.0)

Edges: TypeAlias = tuple[float, float, float, float]


class GridPainter:
    """Grid lines at round steps, and numbers along the two axes.

    The lines are drawn into a picture once for each view, theme and font, and laid down whole after that. The numbers
    come last, where nothing more important stands.

    Attributes
    ----------
    texts : list of (str, QRectF)
        The numbers drawn last and where, in logical pixels.
    """

    def __init__(self) -> None:
        self.theme, self.font = LIGHT, QFont()
        self.texts: list[tuple[str, QRectF]] = []
        self._picture: QPixmap | None = None
        self._picture_key: tuple[object, ...] = ()
        self._numbers: list[tuple[str, QRectF, QPixmap]] = []
        self._places = _array(())

    def paint(self, painter: QPainter, view: Viewport, ratio: float) -> None:
        """Fill the whole view with ground and grid."""
        key = (view, self.theme.name, self.font.toString(), ratio)
        if self._picture is None or self._picture_key != key:
            step = round_step(_GRID_STEP_PX / view.pixels_per_unit)
            self._picture_key, self._picture = key, self._drawn(view, step, ratio)
            self._numbers = list(self._placed_numbers(view, step, ratio))
            self._places = _array([(r.left(), r.top(), r.right(), r.bottom()) for _, r, _ in self._numbers])
        painter.drawPixmap(_ORIGIN, self._picture)

    def paint_numbers(self, painter: QPainter, taken: Sequence[Edges]) -> None:
        """Draw the numbers of the axes that lie over nothing that is ``taken``, by left, top, right and bottom."""
        self.texts = []
        are_covered = _overlaps(self._places, _array(taken)).tolist()
        for (text, place, picture), is_covered in zip(self._numbers, are_covered, strict=True):
            if not is_covered:
                painter.drawPixmap(place.topLeft(), picture)
                self.texts.append((text, place))

    def _drawn(self, view: Viewport, step: float, ratio: float) -> QPixmap:
        picture = QPixmap(math.ceil(view.width * ratio), math.ceil(view.height * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(QColor(self.theme.panel))
        painter = QPainter(picture)
        self._draw_lines(painter, view, step)
        painter.end()
        return picture

    def _draw_lines(self, painter: QPainter, view: Viewport, step: float) -> None:
        verticals = view.to_pixels(
            np.array([(x, 0.0) for x in multiples(view.left, view.right, step / 2)]).reshape(-1, 2)
        )
        levels = view.to_pixels(np.array([(0.0, y) for y in multiples(view.bottom, view.top, step / 2)]).reshape(-1, 2))
        lines = [QLineF(x, 0, x, view.height) for x in np.round(verticals[:, 0])]
        lines += [QLineF(0, y, view.width, y) for y in np.round(levels[:, 1])]
        painter.setPen(QPen(QColor(self.theme.grid), 1))
        painter.drawLines(lines)
        origin = np.round(view.to_pixels(np.zeros((1, 2)))[0])
        painter.setPen(QPen(QColor(self.theme.border), 1))
        painter.drawLines([QLineF(origin[0], 0, origin[0], view.height), QLineF(0, origin[1], view.width, origin[1])])

    def _placed_numbers(self, view: Viewport, step: float, ratio: float) -> Iterator[tuple[str, QRectF, QPixmap]]:
        metrics, font = QFontMetricsF(self.font), self.font.toString()
        height, (zero_x, zero_y) = metrics.height(), view.to_pixels(np.zeros((1, 2)))[0]
        row = min(max(zero_y + 4, 4.0), view.height - height - 4)
        for x in multiples(view.left, view.right, step):
            width = metrics.horizontalAdvance(f"{x:.6g}")
            left = view.to_pixels(np.array([[x, 0.0]]))[0, 0] - width / 2
            if x != 0.0 and left > 40 and left + width < view.width - 4:
                yield self._number(x, QPointF(left, row), font, ratio)
        for y in multiples(view.bottom, view.top, step):
            width = metrics.horizontalAdvance(f"{y:.6g}")
            left = min(max(zero_x - width - 8, 4.0), view.width - width - 8)
            top = view.to_pixels(np.array([[0.0, y]]))[0, 1] - height / 2
            if y != 0.0 and top > 4 and top + height < view.height - 4 and not row - height < top < row + height:
                yield self._number(y, QPointF(left, top), font, ratio)

    def _number(self, number: float, at: QPointF, font: str, ratio: float) -> tuple[str, QRectF, QPixmap]:
        text = f"{number:.6g}"
        picture = sprites.word(text, font, self.theme.muted, ratio)
        return text, QRectF(at, picture.deviceIndependentSize()), picture


def _array(places: Sequence[Edges]) -> FloatArray:
    return np.array(places, dtype=float).reshape(-1, 4)


def _overlaps(places: FloatArray, others: FloatArray) -> BoolArray:
    """Tell which of some places share a part with any of others; all at once, since every frame asks it."""
    own = places[:, np.newaxis]
    begins, ends = np.maximum(own[..., :2], others[:, :2]), np.minimum(own[..., 2:], others[:, 2:])
    are_shared: BoolArray = np.any(np.all(begins < ends, axis=2), axis=1)
    return are_shared
