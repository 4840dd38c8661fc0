"""The shapes a matrix can be given by one command: identity, rotation, random, low rank, and what each of them asks.

Rows are embeddings here as everywhere: a row x becomes x W, so row i of a matrix is where the i-th axis goes. A turn
by R therefore stands on the right, as W R: it turns the images x W, and with them everything that is seen on the plane.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from attnviz.document.arrays import FloatArray, identity, same_bits
from attnviz.document.errors import DocumentError

MAX_SEED = 2**31 - 1
_MOST_DECOMPOSED = 1_024  # rows or columns, the fewer of the two: a decomposition of more would stop the window
_MOST_COMPARED = 1 << 20  # entries
_EVEN = {-45.0: -math.sqrt(0.5), 0.0: 0.0, 45.0: math.sqrt(0.5), -30.0: -0.5, 30.0: 0.5}  # sines that are known


@dataclass(frozen=True, slots=True)
class Parameter:
    """The one number that an operation asks for.

    Parameters
    ----------
    label : str
        What it is: "Angle".
    unit : str
        What stands behind it.
    first : float
        What it is before anybody changes it.
    step : float
        What one key stroke adds.
    minimum, maximum : float
        The closed range of values that are accepted.
    is_whole : bool
        Whether it counts.
    help : str
        One sentence with its meaning.
    """

    label: str
    unit: str
    first: float
    step: float
    minimum: float
    maximum: float
    is_whole: bool
    help: str

    def check(self, value: float) -> float:
        """Give the value back, or say why it cannot be.

        Raises
        ------
        DocumentError
            If it is not finite, not whole where it counts, or out of range.
        """
        name = self.label.lower()
        article = "an" if name[0] in "aeiou" else "a"
        if self.is_whole and not (math.isfinite(value) and value == math.floor(value)):
            raise DocumentError(f"{article} {name} must be a whole number, got {value:g}")
        if not self.minimum <= value <= self.maximum:  # what is no number is in no range
            raise DocumentError(f"{article} {name} must be {_range(self.minimum, self.maximum)}, got {value:g}")
        return value


Shaping: TypeAlias = Callable[[FloatArray, float], FloatArray]
Shape: TypeAlias = tuple[int, ...]


def _never(_shape: Shape) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class MatrixOperation:
    """One command that gives a matrix its shape.

    Parameters
    ----------
    name : str
        Its identifier.
    label : str
        What a menu shows.
    help : str
        One sentence that says what it does.
    parameter : Parameter or None
        The number it asks for, if it does.
    function : callable
        From the matrix and the number to the new matrix.
    reason_against : callable
        Says in one sentence why a matrix of some shape cannot have it; empty where it can.
    """

    name: str
    label: str
    help: str
    parameter: Parameter | None
    function: Shaping
    reason_against: Callable[[Shape], str] = _never

    def apply(self, matrix: FloatArray, value: float | None = None) -> FloatArray:
        """Give the new matrix, of the same shape, shape (rows, columns).

        Parameters
        ----------
        matrix : (rows, columns) array
            The present one.
        value : float or None
            The number asked for; ``None`` for the usual one.

        Raises
        ------
        DocumentError
            If the number is out of range, or the matrix is too small or too large for this.
        """
        number = 0.0
        if self.parameter is not None:
            number = self.parameter.check(self.parameter.first if value is None else value)
        if reason := self.reason_against(matrix.shape):
            raise DocumentError(reason)
        return self.function(matrix, number) + 0.0  # never -0.0


_SEED = Parameter("Seed", "", 0.0, 1.0, 0.0, float(MAX_SEED), True, "Chooses the draw: the same seed, the same matrix.")
_ANGLE = Parameter("Angle", "°", 45.0, 1.0, -360.0, 360.0, False, "Counter-clockwise on the plane.")
_FACTOR = Parameter("Factor", "", 2.0, 0.1, -1e12, 1e12, False, "What every entry is multiplied by.")
_RANK = Parameter("Rank", "", 1.0, 1.0, 1.0, float(_MOST_DECOMPOSED), True, "How many independent directions stay.")

_OPERATIONS: dict[str, MatrixOperation] = {}


def _operation(
    name: str,
    label: str,
    explanation: str,
    parameter: Parameter | None = None,
    *,
    against: Callable[[Shape], str] = _never,
) -> Callable[[Shaping], Shaping]:
    def enter(function: Shaping) -> Shaping:
        _OPERATIONS[name] = MatrixOperation(name, label, explanation, parameter, function, against)
        return function

    return enter


@_operation("identity", "Identity", "Ones on the diagonal: every embedding stays what it is.")
def _identity(matrix: FloatArray, _number: float) -> FloatArray:
    return np.eye(*matrix.shape)


@_operation("zeros", "Zeros", "Zero everywhere: nothing of the embeddings is left.")
def _zeros(matrix: FloatArray, _number: float) -> FloatArray:
    return np.zeros(matrix.shape)


def _against_turning(shape: Shape) -> str:
    return "" if shape[1] >= 2 else f"a rotation must have two axes to turn, got a matrix of shape {shape}"


@_operation(
    "rotation",
    "Rotation",
    "Turns the matrix: the first two axes of its images by an angle. For a rotation alone, apply Identity first.",
    _ANGLE,
    against=_against_turning,
)
def _turned(matrix: FloatArray, degrees: float) -> FloatArray:
    """Turn every image x W by R, as x W R; a rotation stays one to the last bit, however often it is turned."""
    present = rotation_angle(matrix)
    if present is not None:
        return _rotation(matrix.shape, present + degrees)
    cosine, sine = cosine_and_sine(degrees)
    turned = matrix.copy()
    with np.errstate(over="ignore", invalid="ignore"):  # the state refuses what is not finite
        turned[:, 0] = cosine * matrix[:, 0] - sine * matrix[:, 1]
        turned[:, 1] = sine * matrix[:, 0] + cosine * matrix[:, 1]
    return turned


@_operation("random", "Random", "Normal numbers of variance 1/d, as at the start of training.", _SEED)
def _random(matrix: FloatArray, seed: float) -> FloatArray:
    drawn: FloatArray = _normal(matrix.shape, seed) / np.sqrt(matrix.shape[0])
    return drawn


def _against_drawing_orthogonal(shape: Shape) -> str:
    return _against_decomposing(shape, "an orthogonal matrix")


@_operation(
    "orthogonal",
    "Orthogonal",
    "A random turn, perhaps mirrored: lengths and angles stay.",
    _SEED,
    against=_against_drawing_orthogonal,
)
def _orthogonal(matrix: FloatArray, seed: float) -> FloatArray:
    """Draw a matrix with orthonormal columns, or rows where it is wide, every one of them equally likely.

    The signs of the diagonal of R make the QR decomposition unique, without which its Q is not uniformly
    distributed (Mezzadri, "How to generate random matrices from the classical compact groups", 2007).
    """
    drawn = _normal(matrix.shape, seed)
    is_wide = matrix.shape[0] < matrix.shape[1]
    q, r = np.linalg.qr(drawn.T if is_wide else drawn)
    q = q * np.where(np.diagonal(r) < 0.0, -1.0, 1.0)
    return np.ascontiguousarray(q.T) if is_wide else q


@_operation("scaling", "Times a Factor", "Multiplies every entry by a number.", _FACTOR)
def _scaling(matrix: FloatArray, factor: float) -> FloatArray:
    with np.errstate(over="ignore"):  # the state refuses what is not finite
        product: FloatArray = matrix * factor
    return product


def _against_swapping(shape: Shape) -> str:
    return "" if shape[1] >= 2 else f"a matrix to swap must have at least two columns, got shape {shape}"


@_operation(
    "swap",
    "Swap Axes",
    "The first two columns change places, and so the axes of the image.",
    against=_against_swapping,
)
def _swap(matrix: FloatArray, _number: float) -> FloatArray:
    swapped = matrix.copy()
    swapped[:, :2] = matrix[:, 1::-1]
    return swapped


def _against_reducing(shape: Shape) -> str:
    return _against_decomposing(shape, "a matrix to reduce")


@_operation(
    "low_rank",
    "Low Rank",
    "The nearest matrix with fewer independent directions.",
    _RANK,
    against=_against_reducing,
)
def _low_rank(matrix: FloatArray, rank: float) -> FloatArray:
    """Cut the singular values after the first ``rank``: the nearest such matrix (Eckart and Young 1936)."""
    most, kept = min(matrix.shape), int(rank)
    if kept > most:
        raise DocumentError(f"a rank must be 1 to {most} for a matrix of shape {matrix.shape}, got {kept}")
    largest = float(np.abs(matrix).max())
    if kept == most or largest == 0.0:
        return matrix
    exponent = math.frexp(largest)[1]
    left, values, right = np.linalg.svd(np.ldexp(matrix, -exponent), full_matrices=False)
    # (rows, r) @ (r, columns) -> (rows, columns)
    with np.errstate(over="ignore"):  # the state refuses what is not finite
        reduced: FloatArray = np.ldexp((left[:, :kept] * values[:kept]) @ right[:kept], exponent)
    return reduced


MATRIX_OPERATIONS = MappingProxyType(_OPERATIONS)


def cosine_and_sine(degrees: float) -> tuple[float, float]:
    """Give cosine and sine of an angle in degrees, exact for multiples of 30 and 45 as far as floats are.

    Examples
    --------
    >>> cosine_and_sine(90.0), cosine_and_sine(-180.0), cosine_and_sine(30.0)[1]
    ((0.0, 1.0), (-1.0, 0.0), 0.5)
    """
    quarter = round(degrees / 90.0)
    rest = degrees - 90.0 * quarter  # exact, from -45 to 45
    cosine = _EVEN[45.0] if abs(rest) == 45.0 else math.cos(math.radians(rest))
    sine = _EVEN.get(rest, math.sin(math.radians(rest)))
    turned = ((cosine, sine), (-sine, cosine), (-cosine, -sine), (sine, -cosine))[quarter % 4]
    return turned[0] + 0.0, turned[1] + 0.0


def rotation_angle(matrix: FloatArray) -> float | None:
    """Give the angle by which a matrix turns the first two axes, -180 to 180 degrees; ``None`` where it does not.

    What is off by less than 1e-9 counts as a rotation. Of a very large matrix only the shared identity is known.
    """
    if matrix.size > _MOST_COMPARED:
        return 0.0 if matrix is identity(matrix.shape[0]) else None
    if min(matrix.shape) < 2:
        return None
    sine, cosine = float(matrix[0, 1]), float(matrix[0, 0])
    if not 0.99 < math.hypot(cosine, sine) < 1.01:
        return None
    degrees = math.degrees(math.atan2(sine, cosine))
    nearest = round(degrees)
    angle = float(nearest) if abs(degrees - nearest) < 1e-9 else degrees
    is_rotation = bool((np.abs(matrix - _rotation(matrix.shape, angle)) < 1e-9).all())
    return angle if is_rotation else None


def needle_angle(matrix: FloatArray) -> float | None:
    """Give the direction of the first axis' image in degrees: what turns with the matrix; ``None`` where it is 0."""
    angle = rotation_angle(matrix)
    if angle is not None or matrix.shape[1] < 2 or not matrix[0, :2].any():
        return angle
    return math.degrees(math.atan2(float(matrix[0, 1]), float(matrix[0, 0])))


def canonical(matrix: FloatArray) -> FloatArray:
    """Give the shared identity for a matrix with its bits, so that it is known again; any other one as it is."""
    is_square = matrix.shape[0] == matrix.shape[1]
    if is_square and matrix[0, 0] == 1.0 and same_bits(matrix, identity(matrix.shape[0])):
        return identity(matrix.shape[0])
    return matrix


def _rotation(shape: Shape, degrees: float) -> FloatArray:
    """Give the rotation of the first two axes; all others stay."""
    cosine, sine = cosine_and_sine(degrees)
    rotation: FloatArray = np.eye(shape[0], shape[1])
    rotation[:2, :2] = [[cosine, sine], [-sine, cosine]]
    return rotation


def _normal(shape: Shape, seed: float) -> FloatArray:
    return np.random.default_rng(int(seed)).standard_normal(shape)


def _against_decomposing(shape: Shape, name: str) -> str:
    if min(shape) <= _MOST_DECOMPOSED:
        return ""
    return f"{name} must have at most {_MOST_DECOMPOSED:,} rows or columns, got shape {shape}"


def _range(minimum: float, maximum: float) -> str:
    return f"{minimum:,.0f} to {maximum:,.0f}" if maximum < 1e9 or minimum == 0.0 else f"within ±{maximum:.0e}"
