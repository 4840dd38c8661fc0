"""The two matrix products of attention and the guards that keep every number finite."""

import numpy as np

from attnviz.engine.arrays import BoolArray, FloatArray, read_only, require_finite

LARGEST = float(np.finfo(np.float64).max)


def raw_scores(query: FloatArray, key: FloatArray) -> tuple[FloatArray, float]:
    """Compute q k^T and its largest magnitude.

    Parameters
    ----------
    query : ndarray of float64, shape (..., n_query, d_k)
        Queries.
    key : ndarray of float64, shape (..., n_key, d_k)
        Keys.

    Returns
    -------
    tuple of ndarray, shape (..., n_query, n_key), and float
        Scores without negative zeros, and max |score|.

    Raises
    ------
    ValueError
        If an input is not finite or a product overflows.
    """
    scores = np.matmul(query, key.swapaxes(-1, -2))  # (n_query, d_k) @ (d_k, n_key) -> (n_query, n_key)
    scores += 0.0  # -0.0 + 0.0 = 0.0
    peak = float(max(np.maximum.reduce(scores, axis=None), -np.minimum.reduce(scores, axis=None)))
    if not peak <= LARGEST:
        require_finite("q", query)
        require_finite("k", key)
        raise ValueError("q k^T must stay below 1.8e308 in magnitude, got a product that overflows")
    return scores, peak


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
    query, key, value : ndarray of float64, shapes (..., n_query, d_k), (..., n_key, d_k), (..., n_key, d_v)
        The inputs.

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
