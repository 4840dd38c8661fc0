"""The geometry of the plane: the window onto it, round grid steps, convex hulls and free places for labels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from attnviz.document.arrays import FloatArray, IntArray

_BUCKET_PX = 64
_DIRECTIONS = np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)
_PROBES = np.stack([np.cos(_DIRECTIONS), np.sin(_DIRECTIONS)])


@dataclass(frozen=True, slots=True)
class Viewport:
    """The part of the plane that is on screen, and the pixels it covers.

    Parameters
    ----------
    left, right, bottom, top : float
        The range of the plane, in its own units.
    width, height : float
        The size on screen in logical pixels; y grows downward there.
    """

    left: float
    right: float
    bottom: float
    top: float
    width: float
    height: float

    @property
    def pixels_per_unit(self) -> float:
        """The scale, the same for both axes."""
        return self.width / (self.right - self.left)

    def to_pixels(self, points: FloatArray) -> FloatArray:
        """Map points of the plane to logical pixels, (n, 2) -> (n, 2)."""
        scale = (self.width / (self.right - self.left), -self.height / (self.top - self.bottom))
        return (points - (self.left, self.top)) * scale

    def to_plane(self, x: float, y: float) -> tuple[float, float]:
        """Map a logical pixel to the plane."""
        return (
            self.left + x * (self.right - self.left) / self.width,
            self.top - y * (self.top - self.bottom) / self.height,
        )


def round_step(units: float) -> float:
    """Give the smallest of 1, 2, 2.5 and 5 times a power of ten that is at least ``units``."""
    if not units > 0.0 or not math.isfinite(units):
        return 1.0
    power = 10.0 ** math.floor(math.log10(units))
    return next(power * factor for factor in (1.0, 2.0, 2.5, 5.0, 10.0) if power * factor >= units * (1.0 - 1e-9))


def multiples(low: float, high: float, step: float) -> list[float]:
    """Give the multiples of ``step`` in [low, high], at most 400 of them."""
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [i * step + 0.0 for i in range(first, min(last, first + 399) + 1)]


def convex_hull(points: FloatArray) -> FloatArray:
    """Give the corners of the convex hull counter-clockwise, (n, 2) -> (m, 2), m <= n.

    Notes
    -----
    The monotone chain (Andrew 1979), after points strictly inside the polygon of 16 extreme points were
    left out (Akl and Toussaint 1978).
    """
    candidates = points if len(points) <= 32 else points[_may_be_corner(points)]
    ordered = sorted(set(map(tuple, candidates.tolist())))
    if len(ordered) <= 2:
        return np.array(ordered).reshape(-1, 2)
    lower, upper = _chain(ordered), _chain(ordered[::-1])
    return np.array(lower[:-1] + upper[:-1])


def _chain(ordered: list[tuple[float, float]]) -> list[tuple[float, float]]:
    chain: list[tuple[float, float]] = []
    for x, y in ordered:
        while len(chain) >= 2:
            (ax, ay), (bx, by) = chain[-2], chain[-1]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0.0:
                break
            chain.pop()
        chain.append((x, y))
    return chain


def _may_be_corner(points: FloatArray) -> IntArray:
    extremes = points[np.argmax(points @ _PROBES, axis=0)]  # (n, 2) @ (2, 16) -> (n, 16), its best rows
    edges = np.roll(extremes, -1, axis=0) - extremes
    normals = np.stack([-edges[:, 1], edges[:, 0]])
    inside = (points @ normals - np.einsum("ij,ji->i", extremes, normals) > 0.0) | ~edges.any(axis=1)
    return np.flatnonzero(~inside.all(axis=1))


class FreeSpace:
    """Which parts of an area of pixels are taken by labels and dots.

    Rectangles are kept in coarse buckets, so that a new one is compared with its neighbours only.

    Parameters
    ----------
    width, height : float
        The area, in pixels.
    """

    def __init__(self, width: float, height: float) -> None:
        self._width, self._height = width, height
        self._buckets: dict[tuple[int, int], list[tuple[float, float, float, float]]] = {}

    def is_free(self, left: float, top: float, width: float, height: float) -> bool:
        """Tell whether a rectangle lies wholly inside and touches nothing that is taken."""
        right, bottom = left + width, top + height
        if left < 0 or top < 0 or right > self._width or bottom > self._height:
            return False
        for bucket in self._over(left, top, right, bottom):
            for other_left, other_top, other_right, other_bottom in self._buckets.get(bucket, ()):
                if other_left < right and left < other_right and other_top < bottom and top < other_bottom:
                    return False
        return True

    def take(self, left: float, top: float, width: float, height: float) -> None:
        """Take a rectangle."""
        rectangle = (left, top, left + width, top + height)
        for bucket in self._over(*rectangle):
            self._buckets.setdefault(bucket, []).append(rectangle)

    @staticmethod
    def _over(left: float, top: float, right: float, bottom: float) -> Iterator[tuple[int, int]]:
        columns = range(int(left // _BUCKET_PX), int(right // _BUCKET_PX) + 1)
        for row in range(int(top // _BUCKET_PX), int(bottom // _BUCKET_PX) + 1):
            for column in columns:
                yield column, row


def place_labels(
    anchors: Sequence[tuple[float, float]],
    sizes: Sequence[tuple[float, float]],
    is_forced: Sequence[bool],
    area: tuple[float, float],
    radius: float,
    obstacles: Sequence[tuple[float, float]] = (),
) -> list[tuple[float, float] | None]:
    """Find a free place beside each anchor for its label; in order, first come, first served.

    Parameters
    ----------
    anchors : sequence of (x, y)
        The dots, in pixels.
    sizes : sequence of (width, height)
        The labels' sizes.
    is_forced : sequence of bool
        Labels that must be shown even where nothing is free.
    area : (width, height)
        The pixels there are.
    radius : float
        The dots' radius.
    obstacles : sequence of (x, y)
        Other dots of the same radius that labels keep clear of.

    Returns
    -------
    list of (left, top) or None
        None where a label does not fit.
    """
    space = FreeSpace(*area)
    for x, y in (*anchors, *obstacles):
        space.take(x - radius + 2, y - radius + 2, 2 * radius - 4, 2 * radius - 4)
    places: list[tuple[float, float] | None] = []
    for (x, y), (width, height), must in zip(anchors, sizes, is_forced, strict=True):
        gap = radius + 2
        options = (
            (x + gap, y - gap - height * 0.6),
            (x + gap, y + gap - height * 0.4),
            (x - gap - width, y - gap - height * 0.6),
            (x - gap - width, y + gap - height * 0.4),
            (x - width / 2, y - gap - height),
            (x - width / 2, y + gap),
        )
        place = next((option for option in options if space.is_free(*option, width, height)), None)
        if place is None and must:
            place = _kept_inside(options[0], width, height, area)
        if place is not None:
            space.take(*place, width, height)
        places.append(place)
    return places


def _kept_inside(
    place: tuple[float, float], width: float, height: float, area: tuple[float, float]
) -> tuple[float, float]:
    return (
        min(max(place[0], 0.0), max(area[0] - width, 0.0)),
        min(max(place[1], 0.0), max(area[1] - height, 0.0)),
    )
