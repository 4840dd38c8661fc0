"""Paints the projections on the plane: marks of queries, keys and values over the tokens, the deformed grid below."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from attnviz.appearance import LIGHT, Theme
from attnviz.document.arrays import FloatArray
from attnviz.views.fonts import scaled
from attnviz.views.plane import sprites
from attnviz.views.plane.axis_arrows import draw_axes
from attnviz.views.plane.geometry import Viewport, clipped_lines, round_step
from attnviz.views.plane.projections import NOTHING_PROJECTED, ProjectionScene
from attnviz.views.plane.scene import PlaneScene
from attnviz.views.role_colours import role_colour

_RADII = ((12, 8.5), (60, 6.0))  # for at most so many tokens
_SMALLEST_RADIUS = 4.5
_STEP_PX = 84
_MOST_LINES = 60  # on each side of the origin
_LINE_ALPHA = 0.45
_LEAST_SHRUNK = 0.1
_LABEL_SCALE = 0.9
_ORIGIN = QPointF(0.0, 0.0)


class ProjectionPainter:
    """Paints a :class:`ProjectionScene`; does nothing while it is empty.

    Attributes
    ----------
    scene : ProjectionScene
        What is painted.
    """

    def __init__(self) -> None:
        self.theme: Theme = LIGHT
        self.scene: ProjectionScene = NOTHING_PROJECTED
        self._grid: QPixmap | None = None
        self._grid_key: tuple[object, ...] = ()

    def paint_grid(self, painter: QPainter, view: Viewport, ratio: float) -> None:
        """Draw the grid that the matrix deforms; it is a ready picture while view and matrix stay."""
        scene = self.scene
        if scene.matrix is None or scene.deforming is None:
            return
        font = scaled(painter.font(), _LABEL_SCALE)
        key = (view, self.theme.name, ratio, scene.deforming.name, scene.matrix.tobytes(), font.toString())
        if self._grid is None or key != self._grid_key:
            colour = QColor(role_colour(self.theme, scene.deforming.role))
            self._grid, self._grid_key = _drawn_grid(scene.matrix, colour, view, ratio), key
            draw_axes(self._grid, scene.matrix, view, colour, self.theme, font)
        painter.drawPixmap(_ORIGIN, self._grid)

    def paint_images(self, painter: QPainter, view: Viewport, ratio: float, tokens: PlaneScene) -> None:
        """Draw a mark for each image, and lines from the chosen token to its own."""
        if not self.scene.images:
            return
        self._draw_ties(painter, view, tokens)
        radius = next((radius for count, radius in _RADII if tokens.count <= count), _SMALLEST_RADIUS)
        half = radius + sprites.MARK_RIM
        for images in self.scene.images:
            role, theme = images.projection.role, self.theme
            colour = role_colour(theme, role)
            places = (view.to_pixels(images.points) - half).tolist()
            for i, (x, y) in enumerate(places):
                token = theme.token(images.first + i)
                painter.drawPixmap(QPointF(x, y), sprites.mark(role, colour, token, theme.panel, radius, ratio))

    def _draw_ties(self, painter: QPainter, view: Viewport, tokens: PlaneScene) -> None:
        is_context, index = tokens.chosen
        start = view.to_pixels((tokens.context if is_context else tokens.points)[index : index + 1])[0]
        has_context = bool(tokens.context_names)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for images in self.scene.images:
            is_its_own = (images.projection.is_of_keys and has_context) == is_context
            if is_its_own and index < len(images.points):
                ends = np.concatenate([start, view.to_pixels(images.points[index : index + 1])[0]])[np.newaxis]
                pen = QPen(QColor(role_colour(self.theme, images.projection.role)), 1.2, Qt.PenStyle.DotLine)
                painter.setPen(pen)
                painter.drawLines([QLineF(*line) for line in clipped_lines(ends, view).tolist()])


def _drawn_grid(matrix: FloatArray, colour: QColor, view: Viewport, ratio: float) -> QPixmap:
    picture = QPixmap(math.ceil(view.width * ratio), math.ceil(view.height * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    step = round_step(_STEP_PX / view.pixels_per_unit)
    reach = max(abs(edge) for edge in (view.left, view.right, view.bottom, view.top))
    least = min(1.0, float(np.linalg.norm(matrix, -2)))  # the factor by which it shrinks most
    count = min(_MOST_LINES, math.ceil(math.sqrt(2.0) * reach / step / max(least, _LEAST_SHRUNK)) + 1)
    lines = _lattice(step, count)
    with np.errstate(over="ignore", invalid="ignore"):
        image = np.hstack([lines[:, :2] @ matrix, lines[:, 2:] @ matrix])  # (n, 2) @ (2, 2) -> (n, 2), both ends
        ends = np.hstack([view.to_pixels(image[:, :2]), view.to_pixels(image[:, 2:])])
    middle, after = count, len(lines) // 2 + count  # of the upright lines, and of the level ones
    is_axis = np.isin(np.arange(len(lines)), (middle, after))
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    faint = QColor(colour)
    faint.setAlphaF(_LINE_ALPHA)
    for chosen, pen in (
        (~is_axis, QPen(faint, 1.0)),
        (slice(after, after + 1), QPen(colour, 2.0)),
        (slice(middle, middle + 1), QPen(colour, 2.0, Qt.PenStyle.DashLine)),
    ):
        painter.setPen(pen)
        painter.drawLines([QLineF(*line) for line in clipped_lines(ends[chosen], view).tolist()])
    painter.end()
    return picture


def _lattice(step: float, count: int) -> FloatArray:
    """Give the lines of a square grid around the origin: x, y of both ends, first the upright ones, shape (n, 4)."""
    at = np.arange(-count, count + 1) * step
    far = np.full(len(at), count * step)
    upright, level = np.column_stack([at, -far, at, far]), np.column_stack([-far, at, far, at])
    return np.concatenate([upright, level])
