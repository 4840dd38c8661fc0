"""Which tokens lie under a place of the plane, and which of them a press or a click takes."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF

from attnviz.document.arrays import FloatArray
from attnviz.views.plane.geometry import Viewport
from attnviz.views.plane.scene import PlaneScene, Token
from attnviz.views.plane.stamps import DOT_RADIUS

_AROUND_DOT = 2.0  # pixels beside a dot that still hit it


def tokens_at(scene: PlaneScene, view: Viewport, position: QPointF) -> list[Token]:
    """Give the tokens under a position in pixels, the nearest first."""
    every = view.to_pixels(np.concatenate([scene.points, scene.context]))
    distances = np.hypot(every[:, 0] - position.x(), every[:, 1] - position.y())
    near = np.flatnonzero(distances <= DOT_RADIUS + _AROUND_DOT)  # small dots are as easily hit
    ordered = near[np.argsort(distances[near], kind="stable")].tolist()
    n = len(scene.points)
    return [(i >= n, i - n if i >= n else i) for i in ordered]


def token_at(scene: PlaneScene, view: Viewport, position: QPointF) -> Token | None:
    """Give the token that a press takes: the nearest, or of several in one place the chosen one if it is there."""
    hits = tokens_at(scene, view, position)
    if scene.chosen in hits and np.array_equal(place_of(scene, hits[0]), place_of(scene, scene.chosen)):
        return scene.chosen
    return hits[0] if hits else None


def next_below(scene: PlaneScene, view: Viewport, position: QPointF) -> Token | None:
    """Give the token after the chosen one of several under a position, so that each can be reached by clicking."""
    ordered = sorted(tokens_at(scene, view, position))
    if len(ordered) < 2 or scene.chosen not in ordered:
        return None
    return ordered[(ordered.index(scene.chosen) + 1) % len(ordered)]


def place_of(scene: PlaneScene, token: Token) -> FloatArray:
    """Give where a token lies on the plane, shape (2,)."""
    part: FloatArray = scene.context if token[0] else scene.points
    place: FloatArray = part[min(token[1], len(part) - 1)]
    return place
