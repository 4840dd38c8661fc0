"""The geometry of the plane: the window onto it, round grid steps and convex hulls."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from attnviz.document.arrays import FloatArray, IntArray

FARTHEST = 1e150  # how far from the origin a point is drawn: squares of it are still floats
_FEW = 8  # points among which looking for the extreme ones first does not pay
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
            self.left + x / self.width * (self.right - self.left),
            self.top - y / self.height * (self.top - self.bottom),
        )


def within_reach(points: FloatArray) -> FloatArray:
    """Give points that can be drawn: those farther than ``FARTHEST`` come nearer, and what is no number is 0."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.vdot(points, points) < FARTHEST**2:  # one look is enough for almost every plane
            return points
    return np.clip(np.nan_to_num(points), -FARTHEST, FARTHEST)


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


def range_around(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the corners of a view of some points with a margin: its least and its greatest x and y."""
    low, high = points.min(axis=0), points.max(axis=0)
    spread = max(float((high - low).max()), float(np.abs(points).max()) * 1e-6, 1e-9)
    margin = np.maximum(0.18 * (high - low), 0.12 * spread)
    return low - margin, high + margin


def clipped_lines(lines: FloatArray, view: Viewport) -> FloatArray:
    """Give what of some lines is inside of a view, in pixels: x, y of both ends, (n, 4) -> (m, 4), m <= n.

    What is no number is left out. A painter takes far ends badly.

    Notes
    -----
    Parametric clipping (Liang and Barsky 1984), all lines at once.
    """
    lines = lines[np.isfinite(lines).all(axis=1)]
    starts, ways = lines[:, :2], lines[:, 2:] - lines[:, :2]
    first, last = np.zeros(len(lines)), np.ones(len(lines))
    for axis, end in ((0, view.width), (1, view.height)):
        start, way = starts[:, axis], ways[:, axis]
        is_across = way != 0.0
        with np.errstate(divide="ignore", invalid="ignore"):
            enter, leave = -start / way, (end - start) / way
        first = np.where(is_across, np.maximum(first, np.minimum(enter, leave)), first)
        last = np.where(is_across, np.minimum(last, np.maximum(enter, leave)), last)
        last = np.where(is_across | ((start >= 0.0) & (start <= end)), last, -1.0)
    is_seen = (first < last) & ways.any(axis=1)
    begins = starts + first[:, np.newaxis] * ways
    ends = starts + last[:, np.newaxis] * ways
    return np.hstack([begins, ends])[is_seen]


def on_hundredths(value: float) -> float:
    """Keep nudged coordinates on hundredths where they were, free of the dust of repeated addition."""
    rounded = round(value, 2)
    return rounded if math.isclose(value, rounded, rel_tol=0, abs_tol=1e-9) else value


def convex_hull(points: FloatArray) -> FloatArray:
    """Give the corners of the convex hull counter-clockwise, (n, 2) -> (m, 2), m <= n.

    Notes
    -----
    The monotone chain (Andrew 1979), after points strictly inside the polygon of 16 extreme points were
    left out (Akl and Toussaint 1978).
    """
    candidates = points if len(points) <= _FEW else points[_may_be_corner(points)]
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
    chosen = np.argmax(points @ _PROBES, axis=0)  # (n, 2) @ (2, 16) -> (n, 16), its best rows
    extremes = points[chosen]
    edges = np.roll(extremes, -1, axis=0) - extremes
    normals = np.stack([-edges[:, 1], edges[:, 0]])
    inside = (points @ normals - np.einsum("ij,ji->i", extremes, normals) > 0.0) | ~edges.any(axis=1)
    is_candidate = ~inside.all(axis=1)
    is_candidate[chosen] = True  # on their own edges, which rounding may take for inside
    return np.flatnonzero(is_candidate)
