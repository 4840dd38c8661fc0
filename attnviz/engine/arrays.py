"""Checked arrays: what callers pass becomes float64 or bool of a known shape, and what we give out is read-only."""

from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

AnyArray = TypeVar("AnyArray", FloatArray, BoolArray)

_FLOAT64 = np.dtype(np.float64)


def as_matrix(name: str, value: ArrayLike) -> FloatArray:
    """Turn a value into a read-only float64 array with at least two axes and no empty one.

    Whether the numbers are finite is not looked at here, because the caller can see that in its results.

    Parameters
    ----------
    name : str
        What errors call the value.
    value : array_like, shape (..., rows, columns)
        Real numbers.

    Returns
    -------
    ndarray of float64, same shape
        A copy where `value` is writable; a read-only float64 array is taken as it is.

    Raises
    ------
    ValueError
        If the value is not a rectangular array of real numbers, has fewer than two axes, or is empty.
    """
    array = as_numbers(name, value)
    if array.ndim < 2:
        raise ValueError(f"{name} must have at least 2 axes (tokens, channels), got shape {array.shape}")
    if array.size == 0:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    return array


def as_numbers(name: str, value: ArrayLike) -> FloatArray:
    """Turn a value of any shape into a read-only float64 array.

    Parameters
    ----------
    name : str
        What errors call the value.
    value : array_like
        Real numbers.

    Returns
    -------
    ndarray of float64, same shape
        A copy where `value` is writable; a read-only float64 array is taken as it is.

    Raises
    ------
    ValueError
        If the value is not a rectangular array of real numbers.
    """
    if type(value) is np.ndarray and value.dtype is _FLOAT64:
        return read_only(value.copy()) if value.flags.writeable else value
    try:
        array = np.asarray(value)
    except (ValueError, TypeError):
        raise ValueError(f"{name} must be a rectangular array of numbers, got rows of different lengths") from None
    if array.dtype.kind not in "fiub":
        raise ValueError(f"{name} must hold real numbers, got {array.dtype.name} elements")
    with np.errstate(all="ignore"):
        return read_only(np.array(array, dtype=np.float64))


def require_finite(name: str, array: FloatArray) -> None:
    """Refuse an array that holds NaN or an infinity, naming the first such place.

    Parameters
    ----------
    name : str
        What the error calls the array.
    array : ndarray of float64
        The array to look at.

    Raises
    ------
    ValueError
        If an entry is not finite.
    """
    finite = np.isfinite(array)
    if not finite.all():
        place = tuple(int(index) for index in np.argwhere(~finite)[0])
        raise ValueError(f"{name} must be finite, got {array[place]} at {place}")


def as_mask(name: str, value: ArrayLike, shape: tuple[int, int]) -> BoolArray:
    """Turn a value into a read-only bool array whose last two axes have a given shape.

    Parameters
    ----------
    name : str
        What errors call the value.
    value : array_like of bool, shape (..., n_query, n_key)
        True = may attend.
    shape : tuple of int
        (n_query, n_key).

    Returns
    -------
    ndarray of bool, same shape
        A copy where `value` is writable; a read-only array is taken as it is.

    Raises
    ------
    ValueError
        If the elements are not bool or the shape does not fit.
    """
    array = np.asarray(value)
    if array.dtype != np.bool_:
        raise ValueError(f"{name} must hold bool elements (True = may attend), got {array.dtype.name}")
    if array.shape[-2:] != shape:
        raise ValueError(f"{name} must have shape {shape}, got {array.shape}")
    return read_only(array.copy()) if array.flags.writeable else array


def read_only(array: AnyArray) -> AnyArray:
    """Forbid writing to an array and give it back.

    Parameters
    ----------
    array : ndarray
        An array that nobody else writes to.

    Returns
    -------
    ndarray
        The same object.
    """
    array.flags.writeable = False
    return array
