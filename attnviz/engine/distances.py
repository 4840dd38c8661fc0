"""Biases by the distance between query and key: linear, or learned per bucket of distances."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnviz.engine.arrays import FloatArray, as_numbers, require_finite
from attnviz.engine.masks import checked_count


def alibi_slopes(n_heads: int) -> FloatArray:
    """Give the slope of each head's linear bias.

    Parameters
    ----------
    n_heads : int
        At least 1.

    Returns
    -------
    ndarray of float64, shape (n_heads,)
        For a power of two 2^(-8/n), 2^(-16/n), ..., 2^-8. For another number: those of the power of two below
        it, then every other one of the power of two above it.

    Raises
    ------
    ValueError
        If the number of heads is below 1.

    References
    ----------
    Press et al. (2022), "Train Short, Test Long: Attention with Linear Biases Enables Input Length
    Extrapolation", section 3 and the code published with it.

    Examples
    --------
    >>> alibi_slopes(2), alibi_slopes(3)
    (array([0.0625    , 0.00390625]), array([0.0625    , 0.00390625, 0.25      ]))
    """
    lower = 1 << (checked_count("n_heads", n_heads).bit_length() - 1)
    slopes = 2.0 ** (-8.0 / lower * np.arange(1, lower + 1))
    more = 2.0 ** (-4.0 / lower * np.arange(1, 2 * (n_heads - lower) + 1, 2))
    return np.concatenate([slopes, more])


def alibi(
    n_query: int,
    n_key: int,
    n_heads: int,
    *,
    query_positions: ArrayLike | None = None,
    key_positions: ArrayLike | None = None,
) -> FloatArray:
    """Give the bias that falls off linearly with the distance between query and key.

    Parameters
    ----------
    n_query : int
        Number of queries, at least 1.
    n_key : int
        Number of keys, at least 1.
    n_heads : int
        Number of heads, at least 1.
    query_positions : array_like, shape (n_query,), or None
        None puts the last query on the last key.
    key_positions : array_like, shape (n_key,), or None
        None is 0, 1, 2, ...

    Returns
    -------
    ndarray of float64, shape (n_heads, n_query, n_key)
        -slope_h * |position of query - position of key|, to be added to the scaled scores.

    Raises
    ------
    ValueError
        If a count is below 1, or positions are not finite or of the wrong length.

    References
    ----------
    Press et al. (2022), "Train Short, Test Long", section 3.

    Examples
    --------
    >>> alibi(2, 2, 1)[0]
    array([[ 0.        , -0.00390625],
           [-0.00390625,  0.        ]])
    """
    offset = checked_count("n_key", n_key) - checked_count("n_query", n_query)
    query_places = _places("query_positions", query_positions, n_query, offset)
    key_places = _places("key_positions", key_positions, n_key, 0)
    distance = _distances(query_places, key_places)
    return 0.0 - alibi_slopes(n_heads)[:, np.newaxis, np.newaxis] * np.abs(distance)


def relative_buckets(
    n_query: int,
    n_key: int,
    n_buckets: int = 32,
    max_distance: int = 128,
    *,
    is_bidirectional: bool = True,
    query_positions: ArrayLike | None = None,
    key_positions: ArrayLike | None = None,
) -> NDArray[np.intp]:
    """Sort each pair of query and key into a bucket of relative distance; a learned bias belongs to each bucket.

    Parameters
    ----------
    n_query : int
        Number of queries, at least 1.
    n_key : int
        Number of keys, at least 1; the last query sits on the last key.
    n_buckets : int
        At least 4 (2 if not bidirectional) and even; near distances have one each, far ones share by their logarithm.
    max_distance : int
        From here on all distances share the last bucket; more than n_buckets / 2.
    is_bidirectional : bool
        True gives keys after the query a half of the buckets of their own; False puts them all into bucket 0.
    query_positions : array_like, shape (n_query,), or None
        None puts the last query on the last key.
    key_positions : array_like, shape (n_key,), or None
        None is 0, 1, 2, ...

    Returns
    -------
    ndarray of int, shape (n_query, n_key)
        Buckets from 0 to n_buckets - 1.

    Raises
    ------
    ValueError
        If a count is below 1, the numbers of buckets and distance do not fit, or positions are not finite or of
        the wrong length.

    References
    ----------
    Raffel et al. (2020), "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer",
    section 2.1 and the code published with it.

    Examples
    --------
    >>> relative_buckets(2, 3, 8)
    array([[1, 0, 5],
           [2, 1, 0]])
    """
    offset = checked_count("n_key", n_key) - checked_count("n_query", n_query)
    one_side = n_buckets // 2 if is_bidirectional else n_buckets
    exact = one_side // 2
    if n_buckets % 2 or exact < 1 or max_distance <= n_buckets // 2:
        raise ValueError(
            f"n_buckets must be even, at least {4 if is_bidirectional else 2}, and its half below max_distance, "
            f"got {n_buckets} and {max_distance}"
        )
    query_places = _places("query_positions", query_positions, n_query, offset)
    ahead = -_distances(query_places, _places("key_positions", key_positions, n_key, 0))
    distance = np.abs(ahead) if is_bidirectional else np.maximum(-ahead, 0)
    share = np.log(np.maximum(distance, exact) / exact) / np.log(max_distance / exact)
    far = np.minimum(exact + np.floor(share * (one_side - exact)), one_side - 1)
    bucket = np.where(distance < exact, np.floor(distance), far)
    return np.where((ahead > 0) & is_bidirectional, bucket + one_side, bucket).astype(np.intp)


def _places(name: str, positions: ArrayLike | None, count: int, start: int) -> FloatArray:
    """Take positions of the right number, or count up from a start."""
    if positions is None:
        return np.arange(start, start + count, dtype=np.float64)
    places = as_numbers(name, positions)
    if places.shape != (count,):
        raise ValueError(f"{name} must have shape ({count},), got {places.shape}")
    require_finite(name, places)
    return places


def _distances(query_places: FloatArray, key_places: FloatArray) -> FloatArray:
    """Give position of query - position of key for every pair."""
    with np.errstate(over="ignore"):
        distances: FloatArray = query_places[:, np.newaxis] - key_places
    if not np.isfinite(distances).all():
        raise ValueError("positions must stay below 8e307 in magnitude, got a distance that overflows")
    return distances
