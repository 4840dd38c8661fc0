"""Masks as bool arrays, True = may attend; rows are queries, columns are keys."""

from collections.abc import Callable
from operator import index

import numpy as np
from numpy.typing import ArrayLike

from attnviz.engine.arrays import BoolArray
from attnviz.engine.registry import Registry

Alignment = Callable[[int, int], int]

ALIGNMENTS: Registry[Alignment] = Registry("align")


@ALIGNMENTS.register("bottom_right", "Bottom right", "The last query sees every key, as when decoding with a cache.")
def bottom_right(n_query: int, n_key: int) -> int:
    """Give the diagonal's offset when the last query sits on the last key.

    Parameters
    ----------
    n_query : int
        Number of queries, at least 1.
    n_key : int
        Number of keys, at least 1.

    Returns
    -------
    int
        n_key - n_query.
    """
    return n_key - n_query


@ALIGNMENTS.register("top_left", "Top left", "The first query sees the first key alone.")
def top_left(n_query: int, n_key: int) -> int:  # noqa: ARG001  every alignment takes both
    """Give the diagonal's offset when the first query sits on the first key.

    Parameters
    ----------
    n_query : int
        Number of queries, at least 1.
    n_key : int
        Number of keys, at least 1.

    Returns
    -------
    int
        Always 0.
    """
    return 0


def causal_offset(n_query: int, n_key: int, align: str = "bottom_right") -> int:
    """Give the offset o of the causal diagonal: query i sees key j where j <= i + o.

    Parameters
    ----------
    n_query : int
        Number of queries, at least 1.
    n_key : int
        Number of keys, at least 1.
    align : str
        A name in `ALIGNMENTS`.

    Returns
    -------
    int
        The offset.

    Raises
    ------
    ValueError
        If a count is below 1 or the alignment is unknown.

    Examples
    --------
    >>> causal_offset(1, 4), causal_offset(1, 4, "top_left")
    (3, 0)
    """
    return ALIGNMENTS[align].function(checked_count("n_query", n_query), checked_count("n_key", n_key))


def causal_mask(n_query: int, n_key: int, align: str = "bottom_right") -> BoolArray:
    """Let each query see the keys up to its own position.

    Parameters
    ----------
    n_query : int
        Number of queries, at least 1.
    n_key : int
        Number of keys, at least 1.
    align : str
        "bottom_right" (the last query sees all keys) or "top_left".

    Returns
    -------
    ndarray of bool, shape (n_query, n_key)
        True where j <= i + offset. With bottom-right alignment and n_query > n_key the first
        n_query - n_key rows see nothing.

    Raises
    ------
    ValueError
        If a count is below 1 or the alignment is unknown.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.3.

    Examples
    --------
    >>> causal_mask(2, 3).astype(int)
    array([[1, 1, 0],
           [1, 1, 1]])
    """
    return np.tri(n_query, n_key, causal_offset(n_query, n_key, align), dtype=np.bool_)


def window_mask(n_query: int, n_key: int, width: int, align: str = "bottom_right") -> BoolArray:
    """Let each query see the keys fewer than `width` places away, on both sides.

    Parameters
    ----------
    n_query : int
        Number of queries, at least 1.
    n_key : int
        Number of keys, at least 1.
    width : int
        At least 1; 1 leaves each query its own place alone.
    align : str
        "bottom_right" (the last query sits on the last key) or "top_left".

    Returns
    -------
    ndarray of bool, shape (n_query, n_key)
        True where |i + offset - j| < width, with the offset of `causal_offset`. Combined with a `causal_mask` of the
        same alignment (``&``) each query sees `width` keys: its own and the ones before it.

    Raises
    ------
    ValueError
        If a count or the width is below 1, or the alignment is unknown.

    References
    ----------
    Beltagy et al. (2020), "Longformer: The Long-Document Transformer", section 3.1.

    Examples
    --------
    >>> window_mask(3, 3, 2).astype(int)
    array([[1, 1, 0],
           [1, 1, 1],
           [0, 1, 1]])
    """
    place = np.arange(checked_count("n_query", n_query))[:, np.newaxis] + causal_offset(n_query, n_key, align)
    near: BoolArray = np.abs(place - np.arange(n_key)) < checked_count("width", width)
    return near


def padding_mask(n_query: int, is_real: ArrayLike) -> BoolArray:
    """Ban the columns of keys that are padding, for all queries alike.

    Parameters
    ----------
    n_query : int
        Number of queries, at least 1.
    is_real : array_like of bool, shape (..., n_key)
        True = a real token, False = padding.

    Returns
    -------
    ndarray of bool, shape (..., n_query, n_key)
        Every row is `is_real`.

    Raises
    ------
    ValueError
        If the count is below 1, or `is_real` is empty or not of bool elements.

    Examples
    --------
    >>> padding_mask(2, [True, True, False]).astype(int)
    array([[1, 1, 0],
           [1, 1, 0]])
    """
    real = np.asarray(is_real)
    if real.dtype != np.bool_ or real.ndim == 0 or real.size == 0:
        raise ValueError(f"is_real must hold one bool per key, got {real.dtype.name} of shape {real.shape}")
    return np.repeat(real[..., np.newaxis, :], checked_count("n_query", n_query), axis=-2)


def prefix_mask(n_query: int, n_key: int, prefix: int, align: str = "bottom_right") -> BoolArray:
    """Let each query see a prefix as a whole, and beyond it the keys up to its own position.

    Parameters
    ----------
    n_query : int
        Number of queries, at least 1.
    n_key : int
        Number of keys, at least 1.
    prefix : int
        Number of leading keys that everybody sees, at least 1.
    align : str
        A name in `ALIGNMENTS`.

    Returns
    -------
    ndarray of bool, shape (n_query, n_key)
        The causal mask with the first `prefix` columns all True.

    Raises
    ------
    ValueError
        If a count is below 1 or the alignment is unknown.

    References
    ----------
    Raffel et al. (2020), "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer",
    section 3.2.1.

    Examples
    --------
    >>> prefix_mask(3, 3, 2).astype(int)
    array([[1, 1, 0],
           [1, 1, 0],
           [1, 1, 1]])
    """
    mask = causal_mask(n_query, n_key, align)
    mask[:, : checked_count("prefix", prefix)] = True
    return mask


def block_mask(n_query: int, n_key: int, size: int, align: str = "bottom_right") -> BoolArray:
    """Let each query see the keys of its own block alone.

    Parameters
    ----------
    n_query : int
        Number of queries, at least 1.
    n_key : int
        Number of keys, at least 1.
    size : int
        Tokens per block, at least 1; the first block starts at the first key.
    align : str
        "bottom_right" (the last query sits on the last key) or "top_left".

    Returns
    -------
    ndarray of bool, shape (n_query, n_key)
        True where query and key fall into the same block.

    Raises
    ------
    ValueError
        If a count or the size is below 1, or the alignment is unknown.

    References
    ----------
    Child et al. (2019), "Generating Long Sequences with Sparse Transformers", section 4.2.

    Examples
    --------
    >>> block_mask(3, 3, 2).astype(int)
    array([[1, 1, 0],
           [1, 1, 0],
           [0, 0, 1]])
    """
    place = np.arange(checked_count("n_query", n_query))[:, np.newaxis] + causal_offset(n_query, n_key, align)
    same: BoolArray = place // checked_count("size", size) == np.arange(n_key) // size
    return same


def checked_count(name: str, count: int) -> int:
    """Give a count back when it is a whole number of at least 1.

    Parameters
    ----------
    name : str
        What the error calls it.
    count : int
        The count.

    Returns
    -------
    int
        The same number as a plain int.

    Raises
    ------
    ValueError
        If it is not a whole number or below 1.
    """
    try:
        number = index(count)
    except TypeError:
        raise ValueError(f"{name} must be a whole number, got {count!r}") from None
    if number < 1:
        raise ValueError(f"{name} must be at least 1, got {number}")
    return number
