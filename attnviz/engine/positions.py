"""Where a token stands: sinusoidal vectors that are added, and rotations of queries and keys."""

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
    n : int
        Number of positions, at least 1.
    d : int
        Number of channels, at least 1. With d odd the last cosine is left out.
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
    angles = _angles(places, base, 2.0 * (channel // 2) / d)
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
    angles = _angles(places, base, 2.0 * np.arange(turned // 2) / turned)
    cosine, sine = np.cos(angles), np.sin(angles)
    result = np.broadcast_to(rows, np.broadcast_shapes(rows.shape[:-1], places.shape) + rows.shape[-1:]).copy()
    with np.errstate(over="ignore"):
        result[..., first] = rows[..., first] * cosine - rows[..., second] * sine
        result[..., second] = rows[..., second] * cosine + rows[..., first] * sine
    if not np.isfinite(result).all():
        raise ValueError("x must stay below 1.2e308 in magnitude to be turned, got a pair that overflows")
    return result


def _angles(places: FloatArray, base: float, exponents: FloatArray) -> FloatArray:
    """Give position * base^-exponent for every position and exponent."""
    with np.errstate(all="ignore"):
        angles: FloatArray = places[..., np.newaxis] * _checked_base(base) ** -exponents
    if not np.isfinite(angles).all():
        raise ValueError(f"positions and base must give finite angles, got an overflow with base {base!r}")
    return angles


def _checked_base(base: float) -> float:
    """Refuse a base that is not a finite number above 0."""
    if not 0 < base < np.inf:
        raise ValueError(f"base must be a finite number above 0, got {base!r}")
    return float(base)
