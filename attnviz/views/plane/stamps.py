"""Dots, squares and rings of tokens and outputs: ready pictures of one look, stamped where each lies."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from attnviz.appearance import Theme
from attnviz.document.arrays import FloatArray
from attnviz.views.plane import sprites
from attnviz.views.plane.geometry import Viewport
from attnviz.views.plane.scene import PlaneScene

CROWD = 60  # more tokens than this are a crowd: smaller dots, fewer lines
DOT_RADIUS, _SMALL_DOT_RADIUS = 9.0, 5.0
_RING_RADIUS, _SMALL_RING_RADIUS = 7.0, 3.5


@dataclass(frozen=True, slots=True, eq=False)
class Stamps:
    """The ready pictures of one look: theme, size of dots, resolution."""

    key: tuple[str, bool, float]
    radius: float
    ring_radius: float
    dots: tuple[QPixmap, ...]
    squares: tuple[QPixmap, ...]
    rings: tuple[QPixmap, ...]
    colours: tuple[QColor, ...]

    @classmethod
    def of(cls, theme: Theme, ratio: float, *, is_crowded: bool) -> Stamps:
        """Make them; smaller ones for a crowd."""
        radius, ring_radius = (_SMALL_DOT_RADIUS, _SMALL_RING_RADIUS) if is_crowded else (DOT_RADIUS, _RING_RADIUS)
        return cls(
            key=(theme.name, is_crowded, ratio),
            radius=radius,
            ring_radius=ring_radius,
            dots=tuple(sprites.dot(colour, theme.panel, radius, ratio) for colour in theme.tokens),
            squares=tuple(sprites.square(colour, theme.panel, radius, ratio) for colour in theme.tokens),
            rings=tuple(sprites.ring(colour, theme.panel, ring_radius, ratio) for colour in theme.tokens),
            colours=tuple(QColor(colour) for colour in theme.tokens),
        )

    @property
    def ratio(self) -> float:
        """Device pixels a logical pixel."""
        return self.key[2]


def empty_picture(view: Viewport, ratio: float) -> QPixmap:
    """Give a transparent picture as large as the view."""
    picture = QPixmap(math.ceil(view.width * ratio), math.ceil(view.height * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    return picture


def draw_dots(painter: QPainter, every: FloatArray, scene: PlaneScene, stamps: Stamps, *, without: int | None) -> None:
    """Draw squares for the context and dots for the sequence above them, but for one token."""
    n, count, corners = len(scene.names), len(stamps.dots), (every - (stamps.radius + 2)).tolist()
    for i in (*range(n, len(corners)), *range(n)):
        if i != without:
            x, y = corners[i]
            painter.drawPixmap(QPointF(x, y), (stamps.dots if i < n else stamps.squares)[i % count])


def draw_rings(painter: QPainter, outputs: FloatArray | None, stamps: Stamps) -> None:
    """Draw a ring for each output, if the scene has any."""
    if outputs is not None:
        _stamp(painter, stamps.rings, outputs - (stamps.ring_radius + 2))


def picture_of_dots(
    every: FloatArray, outputs: FloatArray | None, scene: PlaneScene, view: Viewport, stamps: Stamps
) -> QPixmap:
    """Draw the rings of all outputs and the dots of all tokens on a picture of their own."""
    picture = empty_picture(view, stamps.ratio)
    painter = QPainter(picture)
    draw_rings(painter, outputs, stamps)
    draw_dots(painter, every, scene, stamps, without=None)
    painter.end()
    return picture


def _stamp(painter: QPainter, pictures: tuple[QPixmap, ...], corners: FloatArray) -> None:
    """Lay the picture of each token at its corner; colours repeat."""
    count = len(pictures)
    for i, (x, y) in enumerate(corners.tolist()):
        painter.drawPixmap(QPointF(x, y), pictures[i % count])
