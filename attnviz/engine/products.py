"""The two matrix products of attention and the guards that keep every number finite."""

import numpy as np

from attnviz.engine.arrays import BoolArray, FloatArray, read_only, require_finite

LARGEST = float(np.finfo(np.float64).max)


def raw_scores(query: FloatArray, key: FloatArray, multiplier: float) -> tuple[FloatArray, float]:
    """Compute q k^T and its largest magnitude.

    Parameters
    ----------
    query : ndarray of float64, shape (..., n_query, d_k)
        Queries.
    key : ndarray of float64, shape (..., n_key, d_k)
        Keys.
    multiplier : float
        What the scores will be multiplied by; decides whether their last bits matter.

    Returns
    -------
    tuple of ndarray, shape (..., n_query, n_key), and float
        Scores without negative zeros, and max |score|.

    Raises
    ------
    ValueError
        If an input is not finite or a product overflows.
    """
    keys = key.swapaxes(-1, -2)
    scores = np.matmul(query, keys)  # (n_query, d_k) @ (d_k, n_key) -> (n_query, n_key)
    scores += 0.0  # -0.0 + 0.0 = 0.0
    peak = largest_magnitude(scores)
    if needs_reproducible(multiplier, peak, query.shape[-1]):
        scores = reproducible_product(query, keys)
        peak = largest_magnitude(scores)
    if not peak <= LARGEST:
        require_finite("q", query)
        require_finite("k", key)
        raise ValueError("q k^T must stay below 1.8e308 in magnitude, got a product that overflows")
    return scores, peak


def largest_magnitude(array: FloatArray) -> float:
    """Give max |x| without a copy.

    Parameters
    ----------
    array : ndarray of float64
        At least one number.

    Returns
    -------
    float
        NaN if there is one in the array.
    """
    return float(max(np.maximum.reduce(array, axis=None), -np.minimum.reduce(array, axis=None)))


def needs_reproducible(multiplier: float, peak: float, width: int) -> bool:
    """Tell whether the multiplier is so large that rounding of the scores would show in the weights.

    Parameters
    ----------
    multiplier : float
        What the scores are multiplied by.
    peak : float
        Largest |score|, or a bound of it.
    width : int
        d_k, the number of terms in each score.

    Returns
    -------
    bool
        True where the weights' rounding error could pass 1e-8.
    """
    return abs(multiplier) * peak * width * 2.0**-52 > 1e-8


def reproducible_product(query: FloatArray, keys: FloatArray, out: FloatArray | None = None) -> FloatArray:
    """Compute q k^T so that equal pairs of vectors give equal bits wherever they stand.

    The library's matrix product rounds a dot product differently at different places of the matrix. Near
    temperature 0 that would break ties, so there the terms are added one channel after the other.

    Parameters
    ----------
    query : ndarray of float64, shape (..., n_query, d_k)
        Queries.
    keys : ndarray of float64, shape (..., d_k, n_key)
        Transposed keys.
    out : ndarray of float64, shape (..., n_query, n_key), or None
        Where to write the result.

    Returns
    -------
    ndarray of float64, shape (..., n_query, n_key)
        Scores without negative zeros.
    """
    scores = np.multiply(query[..., :, :1], keys[..., :1, :], out=out)
    for channel in range(1, query.shape[-1]):
        scores += query[..., :, channel, np.newaxis] * keys[..., channel, np.newaxis, :]
    scores += 0.0
    return scores


def product_into(out: FloatArray, query: FloatArray, keys: FloatArray, *, is_reproducible: bool) -> None:
    """Write q k^T into an array, in one of the two ways.

    Parameters
    ----------
    out : ndarray of float64, shape (n_query, n_key)
        Overwritten.
    query : ndarray of float64, shape (n_query, d_k)
        Queries.
    keys : ndarray of float64, shape (d_k, n_key)
        Transposed keys.
    is_reproducible : bool
        True takes `reproducible_product`, False the library's product.
    """
    if is_reproducible:
        reproducible_product(query, keys, out)
    else:
        np.matmul(query, keys, out=out)


def bounded_multiplier(multiplier: float, peak: float) -> float:
    """Lower a multiplier so that multiplier * peak stays in the range of float64.

    Parameters
    ----------
    multiplier : float
        Not NaN.
    peak : float
        Largest magnitude it will meet, at least 0, finite.

    Returns
    -------
    float
        The same multiplier where nothing overflows, else a power of two with its sign.

    Examples
    --------
    >>> bounded_multiplier(0.5, 3.0), bounded_multiplier(1e300, 2.0**30) == 2.0**992
    (0.5, True)
    """
    if abs(multiplier) * peak <= LARGEST and abs(multiplier) <= LARGEST:
        return multiplier
    _, exponent = np.frexp(peak)  # peak < 2**exponent
    return float(np.copysign(np.ldexp(1.0, min(1023, 1023 - int(exponent))), multiplier))


def weighted_sum(weights: FloatArray, value: FloatArray) -> FloatArray:
    """Compute weights v without overflow.

    Parameters
    ----------
    weights : ndarray of float64, shape (..., n_query, n_key)
        Finite, not negative.
    value : ndarray of float64, shape (..., n_key, d_v)
        Values.

    Returns
    -------
    ndarray of float64, shape (..., n_query, d_v)
        Finite, without negative zeros; it saturates at the largest float64.

    Raises
    ------
    ValueError
        If the values are not finite.
    """
    output: FloatArray = np.matmul(weights, value)  # (n_query, n_key) @ (n_key, d_v) -> (n_query, d_v)
    output += 0.0
    if not np.logical_and.reduce(np.isfinite(output), axis=None):
        require_finite("v", value)
        _, exponent = np.frexp(np.add.reduce(weights, axis=-1).max())  # every row sum < 2**exponent
        shrink = 2.0 ** -(int(exponent) + 1)
        small = np.matmul(weights, shrink * value)
        output = small.clip(-shrink * LARGEST, shrink * LARGEST) / shrink + 0.0
    return output


def empty_rows(visible: BoolArray | None, shape: tuple[int, ...]) -> BoolArray:
    """Tell which queries have no visible key.

    Parameters
    ----------
    visible : ndarray of bool, shape (..., n_query, n_key), or None
        True = may attend.
    shape : tuple of int
        (..., n_query), the shape of the answer.

    Returns
    -------
    ndarray of bool, shape `shape`
        Read-only.
    """
    if visible is None:
        return read_only(np.zeros(shape, dtype=np.bool_))
    return np.broadcast_to(~visible.any(axis=-1), shape)


def check_widths(query: FloatArray, key: FloatArray, value: FloatArray) -> None:
    """Refuse widths and lengths that do not fit.

    Parameters
    ----------
    query : ndarray of float64, shape (..., n_query, d_k)
        Queries.
    key : ndarray of float64, shape (..., n_key, d_k)
        Keys.
    value : ndarray of float64, shape (..., n_key, d_v)
        Values.

    Raises
    ------
    ValueError
        If q and k differ in width, or k and v in their number of rows.
    """
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(f"q and k must have the same width d_k, got q {query.shape} and k {key.shape}")
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(f"k and v must have the same number of rows n_key, got k {key.shape} and v {value.shape}")


def check_leading(**arrays: FloatArray | BoolArray | None) -> None:
    """Refuse leading axes (batch, head) that do not broadcast.

    Parameters
    ----------
    **arrays : ndarray or None
        Arrays by the names the error shall use; the last two axes of each are not looked at.

    Raises
    ------
    ValueError
        If they do not broadcast; the message names every array with its leading axes.
    """
    if any(array is not None and array.ndim > 2 for array in arrays.values()):
        leading = {name: array.shape[:-2] for name, array in arrays.items() if array is not None}
        try:
            np.broadcast_shapes(*leading.values())
        except ValueError:
            listing = ", ".join(f"{name} {axes}" for name, axes in leading.items())
            raise ValueError(f"leading axes must broadcast, got {listing}") from None
