"""What is painted on the plane's ground: hull, weights, shifts, outputs, tokens and names, in that order.

This is a painter, not items of the graphics scene: handing every item through the scene on each move of the
mouse costs more than drawing them. While a token is held by the mouse, all others are one ready picture.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap, QPolygonF

from attnviz.appearance import LIGHT, Theme
from attnviz.document.arrays import FloatArray
from attnviz.views.plane import sprites
from attnviz.views.plane.geometry import Viewport
from attnviz.views.plane.grid import Edges
from attnviz.views.plane.names import Name, NamePlacer, PlacedName, overlap
from attnviz.views.plane.scene import PlaneScene, Token

DOT_RADIUS = 9.0
_SMALL_DOT_RADIUS = 5.0
_RING_RADIUS = 7.0
_SMALL_RING_RADIUS = 3.5
_CROWD = 60
_FEW = 24  # up to here lines are antialiased and dashed
_WIDEST_LINE = 9.0
_PIN_MARK, _PIN_DOT = 7.0, 3.0
_MOST_WEIGHT = 3.0  # a pinned weight may be any, a line no wider than this
_LINE_ALPHA = 0.42
_SHADES = 5  # of lines thinner than a pixel
_ORIGIN = QPointF(0.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class _Stamps:
    """The ready pictures of one look: theme, size of dots, resolution."""

    key: tuple[str, bool, float]
    radius: float
    ring_radius: float
    dots: tuple[QPixmap, ...]
    squares: tuple[QPixmap, ...]
    rings: tuple[QPixmap, ...]
    colours: tuple[QColor, ...]

    @classmethod
    def of(cls, theme: Theme, ratio: float, *, is_crowded: bool) -> _Stamps:
        """Make them."""
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


@dataclass(frozen=True, slots=True, eq=False)
class _Front:
    """The picture of all tokens but the held one, and what it was drawn from."""

    key: tuple[object, ...]
    others: FloatArray
    picture: QPixmap
    names: tuple[PlacedName, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Still:
    """What stays while only the selection changes: the names without those that are lit, and a picture of all dots."""

    key: tuple[object, ...]
    arrays: tuple[FloatArray, FloatArray, FloatArray | None]
    names: tuple[PlacedName, ...]
    dots: QPixmap | None = None

    def is_of(self, key: tuple[object, ...], scene: PlaneScene) -> bool:
        """Tell whether it was made for the very arrays of a scene, and in the same look."""
        arrays = (scene.points, scene.context, scene.outputs)
        return key == self.key and all(own is other for own, other in zip(self.arrays, arrays, strict=True))


class ScenePainter:
    """Paints a :class:`PlaneScene`.

    Attributes
    ----------
    scene : PlaneScene or None
        What is painted.
    is_held : bool
        Whether the chosen token is held by the mouse.
    """

    def __init__(self) -> None:
        self.theme, self.font = LIGHT, QFont()
        self.scene: PlaneScene | None = None
        self.is_held = False
        self._drawn: tuple[PlacedName, ...] = ()
        self._note: list[tuple[str, QRectF]] = []
        self._names = NamePlacer()
        self._stamps: _Stamps | None = None
        self._front: _Front | None = None
        self._still: _Still | None = None

    @property
    def dot_radius(self) -> float:
        """The radius of a token's dot in logical pixels: smaller where there are many."""
        return _SMALL_DOT_RADIUS if self.scene is not None and self.scene.count > _CROWD else DOT_RADIUS

    @property
    def texts(self) -> list[tuple[str, QRectF]]:
        """The names and the note drawn last and where, in logical pixels."""
        return [(name.text, QRectF(*place, *name.size)) for name, place in self._drawn] + self._note

    @property
    def taken(self) -> list[Edges]:
        """Left, top, right and bottom of every text drawn last."""
        names = [(x, y, x + name.size[0], y + name.size[1]) for name, (x, y) in self._drawn]
        return names + [(place.left(), place.top(), place.right(), place.bottom()) for _, place in self._note]

    def paint(self, painter: QPainter, view: Viewport, ratio: float) -> None:
        """Draw the scene over what is there."""
        scene = self.scene
        if scene is None:
            return
        stamps = self._stamps_for(scene, ratio)
        points = view.to_pixels(scene.points)
        context = view.to_pixels(scene.context) if len(scene.context) else scene.context
        is_few = scene.count <= _FEW
        self._draw_hull(painter, view.to_pixels(scene.hull))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, is_few)
        keys = context if len(context) else points
        self._draw_weights(painter, points[scene.query], keys, scene, stamps)
        if scene.key is not None:
            self._draw_lit_line(painter, points[scene.query], keys[scene.key], float(scene.weights[scene.key]))
        outputs = None if scene.outputs is None else view.to_pixels(scene.outputs)
        if outputs is not None:
            self._draw_shifts(painter, points, outputs, stamps, is_few=is_few)
        every = np.concatenate([points, context]) if len(context) else points
        if self.is_held:
            _draw_rings(painter, outputs, stamps)
            self._drawn = self._held(painter, every, scene, view, stamps)
        else:
            self._drawn = self._all(painter, every, outputs, scene, view, stamps)
        if outputs is not None and scene.marked_outputs:
            self._draw_pin_marks(painter, outputs[list(scene.marked_outputs)], stamps.ring_radius)
        self._note = self._drawn_note(painter, scene.note, view) if scene.note else []

    # -- tokens and names

    def _all(
        self,
        painter: QPainter,
        every: FloatArray,
        outputs: FloatArray | None,
        scene: PlaneScene,
        view: Viewport,
        stamps: _Stamps,
    ) -> tuple[PlacedName, ...]:
        """Draw all dots and names; from the second time on, what the selection does not change is a ready picture."""
        self._front = None
        key = (view, stamps.key, self.font.key(), scene.chosen, scene.names, scene.context_names)
        still = self._still
        if still is None or not still.is_of(key, scene):
            names = self._names.place_all(self._named(every, scene, view, stamps), view, stamps.radius)
            still = _Still(key, (scene.points, scene.context, scene.outputs), names)
            _draw_rings(painter, outputs, stamps)
            _draw_dots(painter, every, scene, stamps, without=None)
        else:
            dots = still.dots or _picture_of_dots(every, outputs, scene, view, stamps)
            still = replace(still, dots=dots)
            painter.drawPixmap(_ORIGIN, dots)
        self._still = still
        self._draw_halos(painter, every, scene, stamps)
        names = self._with_lit(still.names, every, scene, view, stamps)
        _draw_names(painter, names)
        return names

    def _with_lit(
        self, names: tuple[PlacedName, ...], every: FloatArray, scene: PlaneScene, view: Viewport, stamps: _Stamps
    ) -> tuple[PlacedName, ...]:
        """Add the names of the lit tokens that have no place yet; what lies under them goes, all others stay."""
        shown = {name.token for name, _ in names}
        for token in sorted(scene.lit - shown):
            x, y = every[scene.place(token)].tolist()
            if 0.0 <= x <= view.width and 0.0 <= y <= view.height:
                own = self._names.place_one(self._name(scene, token, [x, y], stamps), names, view, stamps.radius)
                kept = {scene.chosen, *scene.lit}
                names = (*(other for other in names if other[0].token in kept or not overlap(own, other)), own)
        return names

    def _held(
        self, painter: QPainter, every: FloatArray, scene: PlaneScene, view: Viewport, stamps: _Stamps
    ) -> tuple[PlacedName, ...]:
        held = scene.place(scene.chosen)
        key = (view, stamps.key, self.font.key(), held, scene.names, scene.context_names)
        others = every.copy()
        others[held] = 0.0
        front = self._front
        if front is None or front.key != key or not np.array_equal(front.others, others):
            front = self._front = self._drawn_front(key, others, every, scene, view, stamps)
        painter.drawPixmap(_ORIGIN, front.picture)
        x, y = every[held].tolist()
        half = stamps.radius + 2
        pictures = stamps.squares if scene.chosen[0] else stamps.dots
        painter.drawPixmap(QPointF(x - half, y - half), pictures[held % len(pictures)])
        self._draw_halos(painter, every, scene, stamps)
        own = self._names.place_one(self._name(scene, scene.chosen, [x, y], stamps), front.names, view, stamps.radius)
        _draw_names(painter, (own,))
        return (*front.names, own)

    def _drawn_front(
        self,
        key: tuple[object, ...],
        others: FloatArray,
        every: FloatArray,
        scene: PlaneScene,
        view: Viewport,
        stamps: _Stamps,
    ) -> _Front:
        size = (math.ceil(view.width * stamps.ratio), math.ceil(view.height * stamps.ratio))
        picture = QPixmap(*size)
        picture.setDevicePixelRatio(stamps.ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        _draw_dots(painter, every, scene, stamps, without=scene.place(scene.chosen))
        wanted = self._named(every, scene, view, stamps)
        names = self._names.place_all([name for name in wanted if name.token != scene.chosen], view, stamps.radius)
        _draw_names(painter, names)
        painter.end()
        return _Front(key, others, picture, names)

    def _named(self, every: FloatArray, scene: PlaneScene, view: Viewport, stamps: _Stamps) -> list[Name]:
        """Give the names to be placed, the chosen one first, then those in view."""
        width, height = view.width, view.height
        inside = [0.0 <= x <= width and 0.0 <= y <= height for x, y in every.tolist()]
        first = [scene.chosen] if inside[scene.place(scene.chosen)] else []
        n = len(scene.names)
        rest: list[Token] = [(i >= n, i - n if i >= n else i) for i in np.flatnonzero(inside)[:_CROWD].tolist()]
        tokens = first + [token for token in rest if token not in first]
        places = every.tolist()
        return [self._name(scene, token, places[scene.place(token)], stamps) for token in tokens]

    def _name(self, scene: PlaneScene, token: Token, at: list[float], stamps: _Stamps) -> Name:
        picture, text, size = self._names.picture(scene.name(token), self.font, self.theme, stamps.ratio)
        return Name(token, text, picture, size, at[0], at[1], is_forced=token == scene.chosen or token in scene.lit)

    def _draw_halos(self, painter: QPainter, every: FloatArray, scene: PlaneScene, stamps: _Stamps) -> None:
        half = stamps.radius + 6
        x, y = every[scene.place(scene.chosen)].tolist()
        if scene.chosen[0]:  # it may lie under a dot at the same place
            size = stamps.radius + 2
            painter.drawPixmap(
                QPointF(x - size, y - size), stamps.squares[scene.place(scene.chosen) % len(stamps.squares)]
            )
        halo = sprites.halo(self.theme.accent, stamps.radius, stamps.ratio)
        painter.drawPixmap(QPointF(x - half, y - half), halo)
        if not scene.lit:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self.theme.text), 1.5, Qt.PenStyle.DashLine))
        for token in scene.lit:
            around = half + 1.0 if token == scene.chosen else half - 2.0
            x, y = every[scene.place(token)].tolist()
            painter.drawEllipse(QPointF(x, y), around, around)

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

    def _draw_lit_line(self, painter: QPainter, start: FloatArray, end: FloatArray, weight: float) -> None:
        """Draw dashes along both sides of the line to the lit key, or along the place of one that is too thin."""
        along = end - start
        length = float(np.hypot(*along))
        if length < 1.0:
            return
        across = np.array([-along[1], along[0]]) * ((weight * _WIDEST_LINE / 2 + 1.5) / length)
        painter.setPen(QPen(QColor(self.theme.text), 1.0, Qt.PenStyle.DashLine))
        was_smooth = painter.testRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawLines([QLineF(*(start + side).tolist(), *(end + side).tolist()) for side in (across, -across)])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, was_smooth)

    def _draw_pin_marks(self, painter: QPainter, outputs: FloatArray, radius: float) -> None:
        """Draw a corner at each output that follows from a pinned number, as on pinned cells; in a crowd a dot."""
        if len(outputs) > _CROWD:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
            painter.setPen(QPen(QColor(self.theme.warning), _PIN_DOT))
            painter.drawPoints([QPointF(x + radius, y - radius) for x, y in outputs.tolist()])
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self.theme.panel), 1.0))
        painter.setBrush(QColor(self.theme.warning))
        for x, y in outputs.tolist():
            left, right, top = x + radius - 1, x + radius - 1 + _PIN_MARK, y - radius + 1 - _PIN_MARK
            corners = (QPointF(left, top), QPointF(right, top), QPointF(right, top + _PIN_MARK))
            painter.drawPolygon(QPolygonF(corners))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _draw_shifts(
        self, painter: QPainter, points: FloatArray, outputs: FloatArray, stamps: _Stamps, *, is_few: bool
    ) -> None:
        if is_few:
            self._draw_arrows(painter, points, outputs, stamps)
        elif len(points) <= _CROWD:
            painter.setPen(QPen(QColor(self.theme.border), 1))
            painter.drawLines([QLineF(*ends) for ends in np.hstack([points, outputs]).tolist()])
        else:
            self._draw_marked_shifts(painter, points, outputs, stamps)

    def _draw_marked_shifts(self, painter: QPainter, points: FloatArray, outputs: FloatArray, stamps: _Stamps) -> None:
        """Draw the shift of the chosen and the lit tokens alone: in a crowd, all of them are a thicket."""
        scene = self.scene
        for is_context, i in () if scene is None else (scene.chosen, *scene.lit):
            if not is_context:
                painter.setPen(QPen(stamps.colours[i % len(stamps.colours)], 1.0))
                painter.drawLine(QLineF(*points[i].tolist(), *outputs[i].tolist()))

    def _draw_arrows(self, painter: QPainter, starts: FloatArray, ends: FloatArray, stamps: _Stamps) -> None:
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
            head = sprites.arrowhead(self.theme.token(i), directions[i], ratio)
            painter.drawPixmap(QPointF(x - half, y - half), head)

    def _stamps_for(self, scene: PlaneScene, ratio: float) -> _Stamps:
        is_crowded = scene.count > _CROWD
        if self._stamps is None or self._stamps.key != (self.theme.name, is_crowded, ratio):
            self._stamps = _Stamps.of(self.theme, ratio, is_crowded=is_crowded)
        return self._stamps

    def _drawn_note(self, painter: QPainter, note: str, view: Viewport) -> list[tuple[str, QRectF]]:
        metrics = QFontMetricsF(self.font)
        text = metrics.elidedText(note, Qt.TextElideMode.ElideRight, view.width - 16)
        painter.setFont(self.font)
        painter.setPen(QColor(self.theme.muted))
        at = QPointF(8, view.height - metrics.descent() - 6)
        painter.drawText(at, text)
        return [(text, metrics.boundingRect(text).translated(at))]


def _draw_dots(
    painter: QPainter, every: FloatArray, scene: PlaneScene, stamps: _Stamps, *, without: int | None
) -> None:
    """Draw squares for the context and dots for the sequence above them, but for one token."""
    n, count, corners = len(scene.names), len(stamps.dots), (every - (stamps.radius + 2)).tolist()
    for i in (*range(n, len(corners)), *range(n)):
        if i != without:
            x, y = corners[i]
            painter.drawPixmap(QPointF(x, y), (stamps.dots if i < n else stamps.squares)[i % count])


def _draw_rings(painter: QPainter, outputs: FloatArray | None, stamps: _Stamps) -> None:
    if outputs is not None:
        _stamp(painter, stamps.rings, outputs - (stamps.ring_radius + 2))


def _picture_of_dots(
    every: FloatArray, outputs: FloatArray | None, scene: PlaneScene, view: Viewport, stamps: _Stamps
) -> QPixmap:
    """Draw the rings of all outputs and the dots of all tokens on a picture of their own."""
    picture = QPixmap(math.ceil(view.width * stamps.ratio), math.ceil(view.height * stamps.ratio))
    picture.setDevicePixelRatio(stamps.ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    _draw_rings(painter, outputs, stamps)
    _draw_dots(painter, every, scene, stamps, without=None)
    painter.end()
    return picture


def _stamp(painter: QPainter, pictures: tuple[QPixmap, ...], corners: FloatArray) -> None:
    """Lay the picture of each token at its corner; colours repeat."""
    count = len(pictures)
    for i, (x, y) in enumerate(corners.tolist()):
        painter.drawPixmap(QPointF(x, y), pictures[i % count])


def _draw_names(painter: QPainter, names: tuple[PlacedName, ...]) -> None:
    for name, (x, y) in names:
        painter.drawPixmap(QPointF(x, y), name.picture)
