"""Where a token stands: sinusoidal vectors, rotations of queries and keys, and biases by distance."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnviz.engine.arrays import FloatArray, as_matrix, as_numbers, require_finite
from attnviz.engine.masks import checked_count
from attnviz.engine.registry import Registry

Channels = NDArray[np.intp]
Pairing = Callable[[int], tuple[Channels, Channels]]

PAIRINGS: Registry[Pairing] = Registry("pairing")


@PAIRINGS.register("half", "Halves", "Channel i turns together with channel i + d/2 (Llama checkpoints).")
def pair_halves(width: int) -> tuple[Channels, Channels]:
    """Pair each channel of the first half with its counterpart in the second.

    Parameters
    ----------
    width : int
        An even number of channels.

    Returns
    -------
    tuple of ndarray of int, each of shape (width / 2,)
        The first and the second channel of each pair.
    """
    first = np.arange(width // 2)
    return first, first + width // 2


@PAIRINGS.register("interleaved", "Interleaved", "Channel 2i turns together with channel 2i + 1 (the paper's layout).")
def pair_neighbours(width: int) -> tuple[Channels, Channels]:
    """Pair each even channel with the odd one after it.

    Parameters
    ----------
    width : int
        An even number of channels.

    Returns
    -------
    tuple of ndarray of int, each of shape (width / 2,)
        The first and the second channel of each pair.
    """
    first = np.arange(0, width, 2)
    return first, first + 1


def sinusoidal(n: int, d: int, base: float = 10000.0) -> FloatArray:
    """Give the vectors that are added to the embeddings at positions 0 to n - 1.

    Parameters
    ----------
    n, d : int
        Number of positions and of channels, at least 1. With d odd the last cosine is left out.
    base : float
        Above 0; the longest wavelength is nearly 2 pi base.

    Returns
    -------
    ndarray of float64, shape (n, d)
        Channel 2i is sin(position / base^(2i/d)), channel 2i + 1 the cosine of the same angle.

    Raises
    ------
    ValueError
        If a count is below 1 or the base not a finite number above 0.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> sinusoidal(2, 4)[1].round(4)
    array([0.8415, 0.5403, 0.01  , 1.    ])
    """
    return sinusoidal_at(np.arange(checked_count("n", n)), d, base)


def sinusoidal_at(positions: ArrayLike, d: int, base: float = 10000.0) -> FloatArray:
    """Give the sinusoidal vectors of any positions.

    Parameters
    ----------
    positions : array_like, shape (..., n)
        Finite numbers.
    d : int
        Number of channels, at least 1.
    base : float
        Above 0.

    Returns
    -------
    ndarray of float64, shape (..., n, d)
        Channels interleaved sin, cos as in `sinusoidal`.

    Raises
    ------
    ValueError
        If the positions are not finite, d is below 1, or the base not a finite number above 0.

    Examples
    --------
    >>> sinusoidal_at([0, 2.5], 2).round(4)
    array([[ 0.    ,  1.    ],
           [ 0.5985, -0.8011]])
    """
    places = as_numbers("positions", positions)
    require_finite("positions", places)
    channel = np.arange(checked_count("d", d))
    angles = places[..., np.newaxis] * _checked_base(base) ** (-2.0 * (channel // 2) / d)
    return np.where(channel % 2 == 0, np.sin(angles), np.cos(angles))


def rotary(
    x: ArrayLike, positions: ArrayLike, base: float = 10000.0, pairing: str = "half", width: int | None = None
) -> FloatArray:
    """Turn pairs of channels of queries or keys by angles that grow with the position.

    Parameters
    ----------
    x : array_like, shape (..., n, d)
        Queries or keys, finite.
    positions : array_like, shape (n,) or (..., n)
        One finite number per row of x.
    base : float
        Above 0.
    pairing : str
        "half" (channel i with i + d/2) or "interleaved" (2i with 2i + 1).
    width : int or None
        Even number of leading channels to turn; None turns all d, which must then be even.

    Returns
    -------
    ndarray of float64, shape (..., n, d)
        Pair i turned by position * base^(-2i/width). Lengths are kept, and the product of a turned query and
        a turned key depends on the difference of their positions alone.

    Raises
    ------
    ValueError
        If x or the positions are not finite or do not fit each other, the number of channels to turn is odd or
        more than d, the pairing is unknown, or the base not a finite number above 0.

    References
    ----------
    Su et al. (2021), "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.2, equation 34.

    Examples
    --------
    >>> q, k = rotary([[1, 2, 3, 4]], [5]), rotary([[0.5, -1, 2, 0]], [3])
    >>> round(float((q @ k.T)[0, 0]), 6)
    -4.169911
    """
    rows = as_matrix("x", x)
    require_finite("x", rows)
    turned = rows.shape[-1] if width is None else checked_count("width", width)
    if turned % 2 or turned > rows.shape[-1]:
        raise ValueError(f"rotary needs an even number of channels up to {rows.shape[-1]}, got {turned}")
    places = as_numbers("positions", positions)
    require_finite("positions", places)
    if places.ndim == 0 or places.shape[-1] != rows.shape[-2]:
        raise ValueError(f"positions must have shape ({rows.shape[-2]},), got {places.shape}")
    first, second = PAIRINGS[pairing].function(turned)
    angles = places[..., np.newaxis] * _checked_base(base) ** (-2.0 * np.arange(turned // 2) / turned)
    cosine, sine = np.cos(angles), np.sin(angles)
    result = np.broadcast_to(rows, np.broadcast_shapes(rows.shape[:-1], places.shape) + rows.shape[-1:]).copy()
    result[..., first] = rows[..., first] * cosine - rows[..., second] * sine
    result[..., second] = rows[..., second] * cosine + rows[..., first] * sine
    return result


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
    n_query, n_key, n_heads : int
        At least 1.
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
    distance = np.abs(query_places[:, np.newaxis] - key_places)
    return 0.0 - alibi_slopes(n_heads)[:, np.newaxis, np.newaxis] * distance


def relative_buckets(
    n_query: int, n_key: int, n_buckets: int = 32, max_distance: int = 128, *, is_bidirectional: bool = True
) -> NDArray[np.intp]:
    """Sort each pair of query and key into a bucket of relative distance; a learned bias belongs to each bucket.

    Parameters
    ----------
    n_query, n_key : int
        At least 1; the last query sits on the last key.
    n_buckets : int
        At least 4 (2 if not bidirectional) and even; near distances have one each, far ones share by their logarithm.
    max_distance : int
        From here on all distances share the last bucket; more than n_buckets / 2.
    is_bidirectional : bool
        True gives keys after the query a half of the buckets of their own; False puts them all into bucket 0.

    Returns
    -------
    ndarray of int, shape (n_query, n_key)
        Buckets from 0 to n_buckets - 1.

    Raises
    ------
    ValueError
        If a count is below 1, or the numbers of buckets and distance do not fit.

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
    ahead = np.arange(n_key) - np.arange(offset, offset + n_query)[:, np.newaxis]
    distance = np.abs(ahead) if is_bidirectional else np.maximum(-ahead, 0)
    share = np.log(np.maximum(distance, exact) / exact) / np.log(max_distance / exact)
    far = np.minimum(exact + (share * (one_side - exact)).astype(np.intp), one_side - 1)
    bucket = np.where(distance < exact, distance, far)
    result: NDArray[np.intp] = np.where((ahead > 0) & is_bidirectional, bucket + one_side, bucket)
    return result


def _places(name: str, positions: ArrayLike | None, count: int, start: int) -> FloatArray:
    """Take positions of the right number, or count up from a start."""
    if positions is None:
        return np.arange(start, start + count, dtype=np.float64)
    places = as_numbers(name, positions)
    if places.shape != (count,):
        raise ValueError(f"{name} must have shape ({count},), got {places.shape}")
    require_finite(name, places)
    return places


def _checked_base(base: float) -> float:
    """Refuse a base that is not a finite number above 0."""
    if not 0 < base < np.inf:
        raise ValueError(f"base must be a finite number above 0, got {base!r}")
    return float(base)
