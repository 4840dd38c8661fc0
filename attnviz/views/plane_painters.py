"""What is painted on the plane: the grid, and above it hull, weights, outputs, tokens and names.

These are painters, not items of the graphics scene: handing every item through the scene on each move of the
mouse costs more than drawing them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap

from attnviz.appearance import LIGHT, Theme
from attnviz.document.arrays import FloatArray
from attnviz.views import sprites
from attnviz.views.plane_geometry import Viewport, multiples, round_step
from attnviz.views.plane_labels import Anchor, LabelPlacer

DOT_RADIUS = 9.0
_SMALL_DOT_RADIUS = 5.0
_RING_RADIUS = 7.0
_SMALL_RING_RADIUS = 3.5
_GRID_STEP_PX = 84
_MOST_LABELS = 60
_FEW = 24  # up to here lines are antialiased and dashed
_WIDEST_LINE = 9.0
_LONGEST_NAME_PX = 160
_LINE_ALPHA = 0.42
_ORIGIN = QPointF(0.0, 0.0)
_SHADES = 5  # of lines thinner than a pixel


@dataclass(frozen=True, slots=True, eq=False)
class PlaneScene:
    """What the plane shows, in its own units.

    Parameters
    ----------
    points : (n, 2) array
        The embeddings x_i of the sequence.
    context : (m, 2) array
        The embeddings of the context; m = 0 in self-attention.
    outputs : (n, 2) array or None
        The outputs y_i; None where they do not lie in the space of the embeddings.
    hull : (c, 2) array
        The corners of the hull of the values.
    names, context_names : tuple of str
        The tokens.
    query : int
        The query whose weights are drawn as lines.
    weights : (n_key,) array
        Its weights on the keys (the context if there is one, else the points).
    chosen : tuple of (bool, int)
        Whether the chosen token is of the context, and its place.
    lit : frozenset of (bool, int)
        The tokens that are pointed at.
    note : str
        A line at the bottom, or nothing.
    """

    points: FloatArray
    context: FloatArray
    outputs: FloatArray | None
    hull: FloatArray
    names: tuple[str, ...]
    context_names: tuple[str, ...]
    query: int
    weights: FloatArray
    chosen: tuple[bool, int]
    lit: frozenset[tuple[bool, int]]
    note: str


@dataclass(frozen=True, slots=True, eq=False)
class _Label:
    """A token's name, ready to be laid on the plane."""

    text: str
    picture: QPixmap
    size: tuple[float, float]


class GridPainter:
    """Grid lines at round steps, and numbers along the two axes.

    They are drawn into a picture once for each view, theme and font, and laid down whole after that.
    """

    def __init__(self) -> None:
        self.theme, self.font = LIGHT, QFont()
        self._picture: QPixmap | None = None
        self._picture_key: tuple[object, ...] = ()

    def paint(self, painter: QPainter, view: Viewport, ratio: float) -> None:
        """Fill the whole view with ground and grid."""
        key = (view, self.theme.name, self.font.toString(), ratio)
        if self._picture is None or self._picture_key != key:
            self._picture_key, self._picture = key, self._drawn(view, ratio)
        painter.drawPixmap(_ORIGIN, self._picture)

    def _drawn(self, view: Viewport, ratio: float) -> QPixmap:
        picture = QPixmap(math.ceil(view.width * ratio), math.ceil(view.height * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(QColor(self.theme.panel))
        painter = QPainter(picture)
        step = round_step(_GRID_STEP_PX / view.pixels_per_unit)
        self._draw_lines(painter, view, step)
        self._draw_numbers(painter, view, step)
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

    def _draw_numbers(self, painter: QPainter, view: Viewport, step: float) -> None:
        metrics = QFontMetricsF(self.font)
        ratio = painter.device().devicePixelRatioF()
        key = self.font.toString()
        height, (zero_x, zero_y) = metrics.height(), view.to_pixels(np.zeros((1, 2)))[0]
        row = min(max(zero_y + 4, 4.0), view.height - height - 4)
        for x in multiples(view.left, view.right, step):
            text = f"{x:.6g}"
            width = metrics.horizontalAdvance(text)
            left = view.to_pixels(np.array([[x, 0.0]]))[0, 0] - width / 2
            if x != 0.0 and left > 40 and left + width < view.width - 4:
                painter.drawPixmap(QPointF(left, row), sprites.word(text, key, self.theme.muted, ratio))
        for y in multiples(view.bottom, view.top, step):
            text = f"{y:.6g}"
            width = metrics.horizontalAdvance(text)
            left = min(max(zero_x - width - 8, 4.0), view.width - width - 8)
            top = view.to_pixels(np.array([[0.0, y]]))[0, 1] - height / 2
            if y != 0.0 and top > 4 and top + height < view.height - 4 and not row - height < top < row + height:
                painter.drawPixmap(QPointF(left, top), sprites.word(text, key, self.theme.muted, ratio))


@dataclass(frozen=True, slots=True, eq=False)
class _Stamps:
    """The ready pictures of one look: theme, size of dots, resolution."""

    key: tuple[str, float, float]
    dots: tuple[QPixmap, ...]
    squares: tuple[QPixmap, ...]
    rings: tuple[QPixmap, ...]
    colours: tuple[QColor, ...]

    @classmethod
    def of(cls, theme: Theme, radius: float, ring_radius: float, ratio: float) -> _Stamps:
        """Make them."""
        return cls(
            key=(theme.name, radius, ratio),
            dots=tuple(sprites.dot(colour, theme.panel, radius, ratio) for colour in theme.tokens),
            squares=tuple(sprites.square(colour, theme.panel, radius, ratio) for colour in theme.tokens),
            rings=tuple(sprites.ring(colour, theme.panel, ring_radius, ratio) for colour in theme.tokens),
            colours=tuple(QColor(colour) for colour in theme.tokens),
        )


class ScenePainter:
    """Hull, weights, shifts, outputs, tokens and their names, in that order."""

    def __init__(self) -> None:
        self.theme, self.font = LIGHT, QFont()
        self.scene: PlaneScene | None = None
        self.texts: list[tuple[str, QRectF]] = []
        self._placer = LabelPlacer()
        self._labels: dict[str, _Label] = {}
        self._labels_look: tuple[str, str, float] = ("", "", 0.0)
        self._stamps: _Stamps | None = None

    @property
    def is_crowded(self) -> bool:
        """Whether there are so many tokens that dots are small."""
        scene = self.scene
        return scene is not None and len(scene.names) + len(scene.context_names) > _MOST_LABELS

    @property
    def dot_radius(self) -> float:
        """The radius of a token's dot in logical pixels."""
        return _SMALL_DOT_RADIUS if self.is_crowded else DOT_RADIUS

    def paint(self, painter: QPainter, view: Viewport, ratio: float) -> None:
        """Draw the scene over what is there."""
        scene = self.scene
        if scene is None:
            return
        stamps = self._stamps_for(ratio)
        points, context = view.to_pixels(scene.points), view.to_pixels(scene.context)
        keys = context if len(context) else points
        is_few = len(points) + len(context) <= _FEW
        self._draw_hull(painter, view.to_pixels(scene.hull))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, is_few)
        self._draw_weights(painter, points[scene.query], keys, scene, stamps)
        if scene.outputs is not None:
            self._draw_outputs(painter, points, view.to_pixels(scene.outputs), stamps, is_few=is_few)
        self._draw_dots(painter, points, context, scene, stamps)
        self._draw_names(painter, points, context, scene, view, ratio)
        if scene.note:
            self._draw_note(painter, scene.note, view)

    def _stamps_for(self, ratio: float) -> _Stamps:
        radius = self.dot_radius
        if self._stamps is None or self._stamps.key != (self.theme.name, radius, ratio):
            self._stamps = _Stamps.of(self.theme, radius, self._ring_radius, ratio)
        return self._stamps

    @property
    def _ring_radius(self) -> float:
        return _SMALL_RING_RADIUS if self.is_crowded else _RING_RADIUS

    def _draw_hull(self, painter: QPainter, corners: FloatArray) -> None:
        if len(corners) < 3:
            return
        fill = QColor(self.theme.value)
        fill.setAlphaF(0.08)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawPolygon([QPointF(x, y) for x, y in corners.tolist()])

    def _draw_weights(
        self, painter: QPainter, start: FloatArray, ends: FloatArray, scene: PlaneScene, stamps: _Stamps
    ) -> None:
        """Draw a line to every key, as wide as its weight; below a pixel it fades instead, which is quicker."""
        widths = scene.weights * _WIDEST_LINE
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
        shades = np.where(is_thin, np.ceil(widths * _SHADES), 0.0)
        for shade in range(1, _SHADES + 1):
            members = ends[shades == shade].tolist()
            if members:
                colour.setAlphaF(_LINE_ALPHA * shade / _SHADES)
                painter.setPen(QPen(colour, 1.0))
                painter.drawLines([QLineF(x, y, right, down) for right, down in members])

    def _draw_outputs(
        self, painter: QPainter, points: FloatArray, outputs: FloatArray, stamps: _Stamps, *, is_few: bool
    ) -> None:
        if is_few:
            self._draw_arrows(painter, points, outputs, stamps)
        else:
            painter.setPen(QPen(QColor(self.theme.border), 1))
            painter.drawLines([QLineF(*ends) for ends in np.hstack([points, outputs]).tolist()])
        half, rings = self._ring_radius + 2, stamps.rings
        _stamp(painter, rings, outputs - half, 0)

    def _draw_arrows(self, painter: QPainter, starts: FloatArray, ends: FloatArray, stamps: _Stamps) -> None:
        radius = self._ring_radius
        shifts = ends - starts
        lengths = np.hypot(shifts[:, 0], shifts[:, 1])
        long = np.flatnonzero(lengths > self.dot_radius + radius)
        if len(long) == 0:
            return
        tips = ends - shifts * (radius / np.maximum(lengths, radius))[:, np.newaxis]
        turns = np.arctan2(shifts[:, 1], shifts[:, 0]) * (sprites.ARROW_DIRECTIONS / (2.0 * np.pi))
        directions, begins, stops = np.rint(turns).astype(int).tolist(), starts.tolist(), tips.tolist()
        half, ratio = sprites.ARROW_LENGTH + 1, stamps.key[2]
        pen = QPen(QColor(), 1.4)
        pen.setDashPattern([3.0, 3.0])
        for i in long.tolist():
            pen.setColor(stamps.colours[i % len(stamps.colours)])
            painter.setPen(pen)
            (left, top), (x, y) = begins[i], stops[i]
            painter.drawLine(QLineF(left, top, x, y))
            head = sprites.arrowhead(self.theme.token(i), directions[i], ratio)
            painter.drawPixmap(QPointF(x - half, y - half), head)

    def _draw_dots(
        self, painter: QPainter, points: FloatArray, context: FloatArray, scene: PlaneScene, stamps: _Stamps
    ) -> None:
        half = self.dot_radius + 2
        _stamp(painter, stamps.squares, context - half, len(points))
        _stamp(painter, stamps.dots, points - half, 0)
        for is_context, index in (*scene.lit, scene.chosen):
            x, y = (context if is_context else points)[index].tolist()
            colour = self.theme.accent if (is_context, index) == scene.chosen else self.theme.muted
            picture = sprites.halo(colour, self.dot_radius, stamps.key[2])
            painter.drawPixmap(QPointF(x - half - 4, y - half - 4), picture)

    def _draw_names(
        self,
        painter: QPainter,
        points: FloatArray,
        context: FloatArray,
        scene: PlaneScene,
        view: Viewport,
        ratio: float,
    ) -> None:
        look = (self.font.toString(), self.theme.name, ratio)
        if look != self._labels_look:
            self._labels, self._labels_look = {}, look
        shown = _in_order(points, context, scene, view)
        dots, squares = points.tolist(), context.tolist()
        labels, anchors = [], []
        for token in shown:
            is_context, index = token
            label = self._label((scene.context_names if is_context else scene.names)[index], ratio)
            x, y = (squares if is_context else dots)[index]
            labels.append(label)
            anchors.append(Anchor(token, x, y, label.size, token == scene.chosen or token in scene.lit))
        key = (view, scene.names, scene.context_names, look)
        places = self._placer.places(anchors, (view.width, view.height), self.dot_radius, key)
        self.texts = []
        for label, place in zip(labels, places, strict=True):
            if place is not None:
                painter.drawPixmap(QPointF(*place), label.picture)
                self.texts.append((label.text, QRectF(*place, *label.size)))

    def _label(self, name: str, ratio: float) -> _Label:
        label = self._labels.get(name)
        if label is None:
            bold = QFont(self.font)
            bold.setBold(True)
            text = QFontMetricsF(bold).elidedText(name, Qt.TextElideMode.ElideRight, _LONGEST_NAME_PX)
            picture = sprites.word(text, bold.toString(), self.theme.text, ratio)
            label = _Label(text, picture, (picture.width() / ratio, picture.height() / ratio))
            self._labels[name] = label
        return label

    def _draw_note(self, painter: QPainter, note: str, view: Viewport) -> None:
        metrics = QFontMetricsF(self.font)
        text = metrics.elidedText(note, Qt.TextElideMode.ElideRight, view.width - 16)
        painter.setFont(self.font)
        painter.setPen(QColor(self.theme.muted))
        painter.drawText(QPointF(8, view.height - metrics.descent() - 6), text)


def _stamp(painter: QPainter, pictures: tuple[QPixmap, ...], corners: FloatArray, first: int) -> None:
    """Lay the picture of each token at its corner; colours repeat."""
    count = len(pictures)
    for i, (x, y) in enumerate(corners.tolist(), start=first):
        painter.drawPixmap(QPointF(x, y), pictures[i % count])


def _in_order(points: FloatArray, context: FloatArray, scene: PlaneScene, view: Viewport) -> list[tuple[bool, int]]:
    """Give the tokens whose names are tried, the chosen and the lit ones first, only those in view."""
    first = [scene.chosen, *(token for token in scene.lit if token != scene.chosen)]
    every = np.concatenate([points, context])
    inside = np.flatnonzero(((every >= 0.0) & (every <= (view.width, view.height))).all(axis=1))[:_MOST_LABELS]
    rest = [(bool(i >= len(points)), int(i - len(points) if i >= len(points) else i)) for i in inside]
    return first + [token for token in rest if token not in first]
