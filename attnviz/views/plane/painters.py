"""What is painted on the plane's ground: hull, weights, shifts, outputs, tokens and names, in that order.

This is a painter, not items of the graphics scene: handing every item through the scene on each move of the
mouse costs more than drawing them. While a token is held by the mouse, all others are one ready picture.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap

from attnviz.appearance import LIGHT
from attnviz.document.arrays import FloatArray
from attnviz.views.plane import sprites
from attnviz.views.plane.geometry import Viewport
from attnviz.views.plane.grid import Edges
from attnviz.views.plane.lines import (
    FEW,
    draw_compared,
    draw_hull,
    draw_lit_line,
    draw_pin_marks,
    draw_shifts,
    draw_weights,
)
from attnviz.views.plane.names import Name, NamePlacer, PlacedName, overlap
from attnviz.views.plane.scene import PlaneScene, Token
from attnviz.views.plane.stamps import (
    CROWD,
    Stamps,
    draw_dots,
    draw_rings,
    empty_picture,
    picture_of_dots,
)

_ORIGIN = QPointF(0.0, 0.0)


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
        self._stamps: Stamps | None = None
        self._front: _Front | None = None
        self._still: _Still | None = None

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
        draw_hull(painter, view.to_pixels(scene.hull), self.theme)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, scene.count <= FEW)
        keys = context if len(context) else points
        draw_weights(painter, points[scene.query], keys, scene, stamps)
        if scene.key is not None:
            draw_lit_line(painter, points[scene.query], keys[scene.key], float(scene.weights[scene.key]), self.theme)
        if scene.compared is not None:
            draw_compared(painter, view.to_pixels(scene.compared), stamps)
        outputs = None if scene.outputs is None else view.to_pixels(scene.outputs)
        if outputs is not None:
            draw_shifts(painter, points, outputs, scene, stamps, self.theme)
        every = np.concatenate([points, context]) if len(context) else points
        if self.is_held:
            draw_rings(painter, outputs, stamps)
            self._drawn = self._held(painter, every, scene, view, stamps)
        else:
            self._drawn = self._all(painter, every, outputs, scene, view, stamps)
        if outputs is not None and scene.marked_outputs:
            draw_pin_marks(painter, outputs[list(scene.marked_outputs)], stamps.ring_radius, self.theme)
        self._note = self._drawn_note(painter, scene.note, view) if scene.note else []

    # -- tokens and names

    def _all(
        self,
        painter: QPainter,
        every: FloatArray,
        outputs: FloatArray | None,
        scene: PlaneScene,
        view: Viewport,
        stamps: Stamps,
    ) -> tuple[PlacedName, ...]:
        """Draw all dots and names; from the second time on, what the selection does not change is a ready picture."""
        self._front = None
        key = (view, stamps.key, self.font.key(), scene.chosen, scene.names, scene.context_names)
        still = self._still
        if still is None or not still.is_of(key, scene):
            names = self._names.place_all(self._named(every, scene, view, stamps), view, stamps.radius)
            still = _Still(key, (scene.points, scene.context, scene.outputs), names)
            draw_rings(painter, outputs, stamps)
            draw_dots(painter, every, scene, stamps, without=None)
        else:
            dots = still.dots or picture_of_dots(every, outputs, scene, view, stamps)
            still = replace(still, dots=dots)
            painter.drawPixmap(_ORIGIN, dots)
        self._still = still
        self._draw_halos(painter, every, scene, stamps)
        names = self._with_lit(still.names, every, scene, view, stamps)
        _draw_names(painter, names)
        return names

    def _with_lit(
        self, names: tuple[PlacedName, ...], every: FloatArray, scene: PlaneScene, view: Viewport, stamps: Stamps
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
        self, painter: QPainter, every: FloatArray, scene: PlaneScene, view: Viewport, stamps: Stamps
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
        stamps: Stamps,
    ) -> _Front:
        picture = empty_picture(view, stamps.ratio)
        painter = QPainter(picture)
        draw_dots(painter, every, scene, stamps, without=scene.place(scene.chosen))
        wanted = self._named(every, scene, view, stamps)
        names = self._names.place_all([name for name in wanted if name.token != scene.chosen], view, stamps.radius)
        _draw_names(painter, names)
        painter.end()
        return _Front(key, others, picture, names)

    def _named(self, every: FloatArray, scene: PlaneScene, view: Viewport, stamps: Stamps) -> list[Name]:
        """Give the names to be placed, the chosen one first, then those in view."""
        width, height = view.width, view.height
        inside = [0.0 <= x <= width and 0.0 <= y <= height for x, y in every.tolist()]
        first = [scene.chosen] if inside[scene.place(scene.chosen)] else []
        n = len(scene.names)
        rest: list[Token] = [(i >= n, i - n if i >= n else i) for i in np.flatnonzero(inside)[:CROWD].tolist()]
        tokens = first + [token for token in rest if token not in first]
        places = every.tolist()
        return [self._name(scene, token, places[scene.place(token)], stamps) for token in tokens]

    def _name(self, scene: PlaneScene, token: Token, at: list[float], stamps: Stamps) -> Name:
        picture, text, size = self._names.picture(scene.name(token), self.font, self.theme, stamps.ratio)
        return Name(token, text, picture, size, at[0], at[1], is_forced=token == scene.chosen or token in scene.lit)

    def _draw_halos(self, painter: QPainter, every: FloatArray, scene: PlaneScene, stamps: Stamps) -> None:
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

    def _stamps_for(self, scene: PlaneScene, ratio: float) -> Stamps:
        is_crowded = scene.count > CROWD
        if self._stamps is None or self._stamps.key != (self.theme.name, is_crowded, ratio):
            self._stamps = Stamps.of(self.theme, ratio, is_crowded=is_crowded)
        return self._stamps

    def _drawn_note(self, painter: QPainter, note: str, view: Viewport) -> list[tuple[str, QRectF]]:
        metrics = QFontMetricsF(self.font)
        text = metrics.elidedText(note, Qt.TextElideMode.ElideRight, view.width - 16)
        painter.setFont(self.font)
        painter.setPen(QColor(self.theme.muted))
        at = QPointF(8, view.height - metrics.descent() - 6)
        painter.drawText(at, text)
        return [(text, metrics.boundingRect(text).translated(at))]


def _draw_names(painter: QPainter, names: tuple[PlacedName, ...]) -> None:
    for name, (x, y) in names:
        painter.drawPixmap(QPointF(x, y), name.picture)
