"""What the plane shows of the projections: queries, keys and values as points, and the grid that a matrix deforms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from attnviz.document.arrays import FloatArray
from attnviz.document.frame import Frame
from attnviz.document.matrices import MATRICES_BY_NAME
from attnviz.views.plane.geometry import within_reach

ProjectionRole: TypeAlias = Literal["query", "key", "value"]


@dataclass(frozen=True, slots=True)
class Projection:
    """One of the three projections.

    Parameters
    ----------
    name : str
        The field of the state that holds its matrix.
    role : {"query", "key", "value"}
        Which chooses colour and shape of its marks.
    letter, symbol : str
        Of its images, and of its matrix.
    is_of_keys : bool
        Whether it projects the tokens that answer.
    images : callable
        Gives the images of the tokens in a frame, shape (n, width).
    matrix : callable
        Gives the matrix as it acts, shape (d, width).
    """

    name: str
    role: ProjectionRole
    letter: str
    symbol: str
    is_of_keys: bool
    images: Callable[[Frame], FloatArray]
    matrix: Callable[[Frame], FloatArray]

    def formula(self, frame: Frame) -> str:
        """Say how its images come about, with everything that acts: biases, positions, a tie."""
        return MATRICES_BY_NAME[self.letter].formula_in(frame)


def _q(frame: Frame) -> FloatArray:
    return frame.q


def _k(frame: Frame) -> FloatArray:
    return frame.k


def _v(frame: Frame) -> FloatArray:
    return frame.v


def _w_q(frame: Frame) -> FloatArray:
    return frame.w_q


def _w_k(frame: Frame) -> FloatArray:
    return frame.w_k


def _w_v(frame: Frame) -> FloatArray:
    return frame.w_v


_TABLE = (
    Projection("w_q", "query", "q", "W_Q", False, _q, _w_q),
    Projection("w_k", "key", "k", "W_K", True, _k, _w_k),
    Projection("w_v", "value", "v", "W_V", True, _v, _w_v),
)
PROJECTIONS = {projection.name: projection for projection in _TABLE}


@dataclass(frozen=True, slots=True, eq=False)
class Images:
    """The images of tokens under one projection.

    Parameters
    ----------
    projection : Projection
        Which one.
    formula : str
        How they come about.
    points : (n, 2) array
        Where they lie, in the plane's own units.
    first : int
        The place of the first token's colour.
    """

    projection: Projection
    formula: str
    points: FloatArray
    first: int


@dataclass(frozen=True, slots=True, eq=False)
class ProjectionScene:
    """What the plane shows of the projections.

    Parameters
    ----------
    images : tuple of Images
        The points; empty where none are to be shown.
    deforming : Projection or None
        The projection whose matrix deforms the grid.
    matrix : (2, 2) array or None
        That matrix.
    notes : tuple of str
        What cannot be shown, and why.
    """

    images: tuple[Images, ...] = ()
    deforming: Projection | None = None
    matrix: FloatArray | None = None
    notes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw and nothing to say."""
        return not self.images and self.matrix is None and not self.notes


NOTHING_PROJECTED = ProjectionScene()


def projection_scene(frame: Frame, *, has_images: bool, deforming: str) -> ProjectionScene:
    """Describe what is to be shown of a frame.

    Parameters
    ----------
    frame : Frame
        Where the numbers come from.
    has_images : bool
        Whether queries, keys and values are wanted.
    deforming : str
        The matrix whose grid is wanted; empty for none.
    """
    if not has_images and not deforming:
        return NOTHING_PROJECTED
    notes: list[str] = []
    images = _images(frame, notes) if has_images else ()
    matrix, projection = None, PROJECTIONS.get(deforming)
    if projection is not None:
        matrix = projection.matrix(frame)
        if matrix.shape != (2, 2):
            rows, columns = matrix.shape
            notes.append(f"{projection.symbol} is {rows} × {columns}: only a 2 × 2 matrix deforms a plane's grid")
            matrix = None
    return ProjectionScene(images, projection, matrix, tuple(notes))


def _images(frame: Frame, notes: list[str]) -> tuple[Images, ...]:
    """Give the projections that have two coordinates; say of the others that they have not."""
    drawn: list[Images] = []
    left_out: dict[int, list[str]] = {}
    for projection in PROJECTIONS.values():
        points = projection.images(frame)
        width = points.shape[-1]
        if width == 2:
            first = frame.n_query if projection.is_of_keys and frame.state.context is not None else 0
            drawn.append(Images(projection, projection.formula(frame), within_reach(points), first))
        else:
            left_out.setdefault(width, []).append(projection.letter)
    for width, letters in left_out.items():
        have = "has" if len(letters) == 1 else "have"
        count = "1 coordinate" if width == 1 else f"{width} coordinates"
        notes.append(f"{', '.join(letters)} {have} {count}, not 2: not drawn")
    if drawn and frame.state.width != 2:
        letters = [one.projection.letter for one in drawn]
        notes.append(f"{', '.join(letters)} lie by their own two coordinates, in another space than the dots")
    return tuple(drawn)
