"""Scaled dot-product attention as one pure function that keeps every intermediate."""

import numpy as np
from numpy.typing import ArrayLike

from attnviz.engine.arrays import (
    BoolArray,
    FloatArray,
    as_mask,
    as_matrix,
    as_numbers,
    broadcast_leading,
    read_only,
    require_finite,
)
from attnviz.engine.normalise import along_rows
from attnviz.engine.scales import full_multiplier
from attnviz.engine.trace import AttentionTrace

LARGEST = float(np.finfo(np.float64).max)


def attend(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    scale: str | float = "sqrt_d_k",
    temperature: float = 1.0,
    allowed: ArrayLike | None = None,
    bias: ArrayLike | None = None,
) -> AttentionTrace:
    """Let each query read the values, weighted by how well its key matches.

    Leading axes (batch, head) of all arguments broadcast.

    Parameters
    ----------
    q : array_like, shape (..., n_query, d_k)
        Queries, finite.
    k : array_like, shape (..., n_key, d_k)
        Keys, finite.
    v : array_like, shape (..., n_key, d_v)
        Values, finite.
    scale : str or float
        A name in `SCALE_RULES` ("none", "sqrt_d_k", "d_k"), or a finite number that multiplies the scores.
    temperature : float
        Divides the scaled scores; above 0. Tiny gives the arg max (ties share), huge the mean of the visible keys.
    allowed : array_like of bool, shape (..., n_query, n_key), or None
        True = may attend. None allows all.
    bias : array_like, shape (..., n_query, n_key), or None
        Finite numbers added to the scaled scores.

    Returns
    -------
    AttentionTrace
        Every intermediate. A row without a visible key has weights 0 and output 0 and is True in `empty_rows`.

    Raises
    ------
    ValueError
        If an input is empty, not finite, not of real numbers, or of a shape that does not fit; if a name is
        unknown; if the temperature is not above 0; if a product q k^T leaves the range of float64.

    Notes
    -----
    weights = softmax(multiplier q k^T + bias), output = weights v, with multiplier = scale factor / temperature.
    Where multiplier * score would leave the range of float64, the multiplier is lowered to the power of two that
    just keeps it inside: order and ties of the scores stay exact, and the softmax is a hard choice by then.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.1, equation 1.

    Examples
    --------
    >>> x = [[1.0, 0.5], [0.8, 0.6], [-0.5, 1.0]]
    >>> attend(x, x, x).weights.round(3)
    array([[0.432, 0.389, 0.179],
           [0.406, 0.379, 0.215],
           [0.219, 0.252, 0.529]])
    """
    query, key, value = as_matrix("q", q), as_matrix("k", k), as_matrix("v", v)
    check_widths(query, key, value)
    cells = (query.shape[-2], key.shape[-2])
    visible = None if allowed is None else as_mask("mask", allowed, cells)
    shift = None if bias is None else _checked_bias(bias, cells)
    _check_leading(q=query, k=key, v=value, mask=visible, bias=shift)
    multiplier = full_multiplier(scale, temperature, query.shape[-1])
    with np.errstate(all="ignore"):
        scores, peak = raw_scores(query, key)
        multiplier = bounded_multiplier(multiplier, peak)
        scaled = scores * multiplier
        scaled += 0.0
        masked = _mask(scaled if shift is None else np.clip(scaled + shift, -LARGEST, LARGEST), visible)
        row_max, exponentials, normaliser, weights = along_rows(masked, None)
        output = weighted_sum(weights, value)
    for array in (scores, scaled, masked, row_max, exponentials, normaliser, weights, output):
        array.flags.writeable = False
    empty = empty_rows(visible, weights.shape[:-1])
    return AttentionTrace(
        query, key, value, scores, multiplier, scaled, masked, row_max, exponentials, normaliser, weights, output, empty
    )


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
    """Compute weights v without overflow for weights that sum to at most 1.

    Parameters
    ----------
    weights : ndarray of float64, shape (..., n_query, n_key)
        Weights, finite.
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
        half = np.matmul(weights, 0.5 * value)
        output = 2.0 * half.clip(-0.5 * LARGEST, 0.5 * LARGEST) + 0.0
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
    """Refuse widths and lengths that do not fit."""
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(f"q and k must have the same width d_k, got q {query.shape} and k {key.shape}")
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(f"k and v must have the same number of rows n_key, got k {key.shape} and v {value.shape}")


def _check_leading(**arrays: FloatArray | BoolArray | None) -> None:
    """Refuse leading axes that do not broadcast."""
    if any(array is not None and array.ndim > 2 for array in arrays.values()):
        broadcast_leading(**{name: array.shape[:-2] for name, array in arrays.items() if array is not None})


def _checked_bias(bias: ArrayLike, cells: tuple[int, int]) -> FloatArray:
    """Refuse a bias that is not finite or of the wrong shape."""
    shift = as_numbers("bias", bias)
    if shift.shape[-2:] != cells:
        raise ValueError(f"bias must have shape {cells}, got {shift.shape}")
    require_finite("bias", shift)
    return shift


def _mask(logits: FloatArray, visible: BoolArray | None) -> FloatArray:
    """Put -inf where a key may not be seen."""
    return logits if visible is None else np.where(visible, logits, -np.inf)
