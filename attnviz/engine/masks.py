"""Masks as bool arrays, True = may attend; rows are queries, columns are keys."""

from collections.abc import Callable
from operator import index

import numpy as np

from attnviz.engine.arrays import BoolArray
from attnviz.engine.registry import Registry

Alignment = Callable[[int, int], int]

ALIGNMENTS: Registry[Alignment] = Registry("align")


@ALIGNMENTS.register("bottom_right", "Bottom right", "The last query sees every key, as when decoding with a cache.")
def bottom_right(n_query: int, n_key: int) -> int:
    """Give the diagonal's offset when the last query sits on the last key.

    Parameters
    ----------
    n_query, n_key : int
        Numbers of queries and keys, at least 1.

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
    n_query, n_key : int
        Numbers of queries and keys, at least 1.

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
    n_query, n_key : int
        Numbers of queries and keys, at least 1.
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
    n_query, n_key : int
        Numbers of queries and keys, at least 1.
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
