"""The plane that embeddings are shown and dragged in: two coordinates, or two principal components."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attnviz.document.arrays import FloatArray, frozen_array, same_bits
from attnviz.document.errors import DocumentError

_ORTHONORMAL_TOLERANCE = 1e-12
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """A plane in embedding space.

    Parameters
    ----------
    centre : (d,) array
        The point of embedding space that is drawn at the origin.
    axes : (2, d) array
        Two orthonormal rows: the directions drawn to the right and upward.
    explained : (2,) array
        The share of the variance of the points it was fitted to that each axis carries, 0 to 1.
    """

    centre: FloatArray
    axes: FloatArray
    explained: FloatArray

    def __post_init__(self) -> None:
        centre = frozen_array(self.centre, name="the plane's centre", ndim=1)
        axes = frozen_array(self.axes, name="the plane's axes", ndim=2)
        explained = frozen_array(self.explained, name="the plane's explained variance", ndim=1)
        if axes.shape != (2, centre.size):
            raise DocumentError(f"the plane's axes must have shape (2, {centre.size}), got {axes.shape}")
        if explained.shape != (2,):
            raise DocumentError(f"the plane's explained variance must have 2 entries, got {explained.size}")
        if explained.min() < 0.0 or explained.sum() > 1.0 + _ROUNDING:
            raise DocumentError(
                f"the plane's explained variance must be two shares of at most 1 together, got {explained.tolist()}"
            )
        with np.errstate(over="ignore", invalid="ignore"):
            gram = axes @ axes.T  # (2, d) @ (d, 2) -> (2, 2)
        if not np.allclose(gram, np.eye(2), rtol=0, atol=_ORTHONORMAL_TOLERANCE):
            raise DocumentError("the plane's axes must be orthonormal, got others")
        for name, array in (("centre", centre), ("axes", axes), ("explained", explained)):
            object.__setattr__(self, name, array)

    @property
    def width(self) -> int:
        """The number of coordinates of embedding space, d."""
        return int(self.centre.size)

    def project(self, points: FloatArray) -> FloatArray:
        """Give the coordinates in the plane of points of embedding space, (n, d) -> (n, 2)."""
        with np.errstate(over="ignore", invalid="ignore"):  # far beyond any screen; the views leave such points out
            projected: FloatArray = (points - self.centre) @ self.axes.T  # (n, d) @ (d, 2) -> (n, 2)
        return projected

    def move(self, embedding: FloatArray, x: float, y: float) -> FloatArray:
        """Move one embedding within the plane to (``x``, ``y``); what lies across the plane stays.

        Parameters
        ----------
        embedding : (d,) array
            The point to move.
        x, y : float
            Where its projection is to be.

        Returns
        -------
        (d,) array
        """
        with np.errstate(over="ignore", invalid="ignore"):  # the sequence refuses what is not finite
            shift = np.array([x, y]) - self.project(embedding[np.newaxis])[0]
            moved: FloatArray = embedding + shift @ self.axes  # (2,) @ (2, d) -> (d,)
        return moved

    def is_same(self, other: Plane | None) -> bool:
        """Tell whether ``other`` is this plane to the last bit."""
        return (
            other is not None
            and same_bits(self.centre, other.centre)
            and same_bits(self.axes, other.axes)
            and same_bits(self.explained, other.explained)
        )


def fit_plane(points: FloatArray) -> Plane:
    """Fit the principal-component plane to points.

    Parameters
    ----------
    points : (n, d) array, d >= 3
        Finite numbers.

    Returns
    -------
    Plane
        Its signs are fixed: the largest entry of each axis is positive. Points that all coincide get the
        first two coordinates and an explained variance of 0.

    Notes
    -----
    The right singular vectors of the centred points (Pearson 1901, principal components).
    """
    centre = (points / len(points)).sum(axis=0)  # each term first: a sum of large numbers would overflow
    centred = 0.5 * points - 0.5 * centre  # halves, because a difference would overflow too
    spread = float(np.abs(centred).max())
    axes, explained = np.eye(2, points.shape[1]), np.zeros(2)
    if len(points) > 1 and spread > 0.0:
        _, singular, axes = np.linalg.svd(centred / spread, full_matrices=False)
        axes = axes[:2]
        explained = singular[:2] ** 2 / np.sum(singular**2)
    signs = np.sign(np.take_along_axis(axes, np.argmax(np.abs(axes), axis=1)[:, np.newaxis], axis=1))
    return Plane(centre=centre, axes=axes * signs, explained=explained)
