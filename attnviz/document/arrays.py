"""Checked, read-only float64 arrays: the only kind a document holds."""

from __future__ import annotations

from functools import lru_cache
from typing import Generic, TypeAlias, TypeGuard, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnviz.document.errors import DocumentError

FloatArray: TypeAlias = NDArray[np.float64]
BoolArray: TypeAlias = NDArray[np.bool_]
IntArray: TypeAlias = NDArray[np.intp]
A = TypeVar("A", FloatArray, BoolArray)


def frozen_array(values: ArrayLike, *, name: str, ndim: int) -> FloatArray:
    """Make a read-only, C-contiguous float64 array of ``values``; one that is so already is shared.

    Parameters
    ----------
    values : array_like
        Finite numbers.
    name : str
        What the array is, for the error's sentence.
    ndim : int
        The number of dimensions it must have.

    Returns
    -------
    ndarray of float64, ``ndim`` dimensions, read-only
        Never a view of an array that somebody else could still write to.

    Raises
    ------
    DocumentError
        If the values are ragged or no numbers, the dimensions differ, or a value is not finite.
    """
    array = values if _is_frozen(values) else _frozen_copy(values, name)
    if array.ndim != ndim:
        raise DocumentError(f"{name} must have {ndim} dimension{'s' * (ndim > 1)}, got shape {array.shape}")
    if not np.logical_and.reduce(np.isfinite(array), axis=None):
        place = np.argwhere(~np.isfinite(array))[0]
        bad = array[tuple(place)]
        where = ", ".join(str(int(i) + 1) for i in place)
        raise DocumentError(f"{name} must be finite numbers, got {bad} at ({where})")
    return array


def frozen_flags(values: ArrayLike, *, name: str, shape: tuple[int, ...]) -> BoolArray:
    """Make a read-only bool array of ``values``; one that is so already is shared.

    Parameters
    ----------
    values : array_like
        Of bool elements alone.
    name : str
        What the array is, for the error's sentence.
    shape : tuple of int
        The shape it must have.

    Raises
    ------
    DocumentError
        If the values are no bools or the shape differs.
    """
    raw = np.asarray(values)
    if raw.dtype != np.bool_ or raw.shape != shape:
        got = f"shape {raw.shape}" if raw.dtype == np.bool_ else "something else"
        raise DocumentError(f"{name} must be true or false in shape {shape}, got {got}")
    if raw.base is None and not raw.flags.writeable and raw.flags.c_contiguous:
        return raw
    flags = np.array(raw, order="C")
    flags.flags.writeable = False
    return flags


def same_bits(first: FloatArray, second: FloatArray) -> bool:
    """Tell whether two float64 arrays have the same shape and the same bits (so 0.0 differs from -0.0)."""
    if first is second:
        return True
    return first.shape == second.shape and bool(np.array_equal(first.view(np.int64), second.view(np.int64)))


class Itself(Generic[A]):
    """A read-only array as the key of a cache: equal to the same object alone, so that no number is compared."""

    __slots__ = ("array",)

    def __init__(self, array: A) -> None:
        self.array: A = array

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and other.array is self.array

    def __hash__(self) -> int:
        return id(self.array)


@lru_cache(maxsize=8)
def identity(width: int) -> FloatArray:
    """Give the read-only identity matrix, shape (width, width): one shared object, known again by ``is``."""
    matrix = np.eye(width)
    matrix.flags.writeable = False
    return matrix


@lru_cache(maxsize=64)
def every(count: int) -> IntArray:
    """Give the read-only indices 0 to ``count`` - 1, one shared object."""
    indices = np.arange(count)
    indices.flags.writeable = False
    return indices


def _frozen_copy(values: ArrayLike, name: str) -> FloatArray:
    try:
        raw = np.asarray(values)
        if raw.size and raw.dtype.kind not in "fiu":
            raise TypeError(raw.dtype.name)
        array = np.array(raw, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError) as error:
        raise DocumentError(f"{name} must be numbers in rows of equal length, got something else") from error
    array.flags.writeable = False
    return array


def _is_frozen(values: object) -> TypeGuard[FloatArray]:
    return (
        isinstance(values, np.ndarray)
        and values.dtype == np.float64
        and values.base is None
        and values.flags.c_contiguous
        and not values.flags.writeable
    )
