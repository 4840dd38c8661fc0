"""From logits to weights: the softmax with its row maximum, exponentials and normaliser, and its variants."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from attnviz.engine.arrays import FloatArray, as_numbers
from attnviz.engine.registry import Registry


class Normalised(NamedTuple):
    """Every intermediate of one softmax.

    Parameters
    ----------
    row_max : ndarray of float64, shape (..., n_query)
        The number subtracted before the exponential; finite.
    exponentials : ndarray of float64, shape (..., n_query, n_key)
        exp(logit - row_max), in [0, 1].
    normaliser : ndarray of float64, shape (..., n_query)
        What the exponentials are divided by; 0 where nothing can be seen.
    weights : ndarray of float64, shape (..., n_query, n_key)
        exponentials / normaliser; 0 where the normaliser is 0.
    sums_to_one : bool
        Whether the weights of a row share out all of 1, so that their sum is 1 but for rounding.
    """

    row_max: FloatArray
    exponentials: FloatArray
    normaliser: FloatArray
    weights: FloatArray
    sums_to_one: bool = False


LOWEST_EXPONENT = -707.0
"""Below it exp(x) < 1e-307 is taken as 0: NumPy's fast exp ends here, and what follows costs ten times more."""

SoftmaxVariant = Callable[[FloatArray, FloatArray | None], Normalised]

SOFTMAX_VARIANTS: Registry[SoftmaxVariant] = Registry("softmax")


def softmax(x: ArrayLike, axis: int = -1) -> FloatArray:
    """Turn logits into weights that are positive and sum to 1 along an axis.

    Parameters
    ----------
    x : array_like, at least one axis
        Logits; finite, or -inf for "cannot be chosen". Any magnitude up to 1e308.
    axis : int
        The axis along which the weights sum to 1.

    Returns
    -------
    ndarray of float64, same shape
        Weights in [0, 1]. A slice of nothing but -inf becomes all 0.

    Raises
    ------
    ValueError
        If `x` is empty, has no such axis, or holds NaN or +inf.

    Notes
    -----
    softmax(x)_i = exp(x_i - m) / sum_j exp(x_j - m) with m = max_j x_j; the shift changes nothing but keeps
    every exponential in [0, 1].

    References
    ----------
    Bridle (1990), "Probabilistic interpretation of feedforward classification network outputs", section 4.

    Examples
    --------
    >>> softmax([5.0, 2.0, 1.0]).round(3)
    array([0.936, 0.047, 0.017])
    """
    logits = as_numbers("x", x)
    if logits.size == 0 or not -logits.ndim <= axis < logits.ndim:
        raise ValueError(f"x must have a filled axis {axis}, got shape {logits.shape}")
    if not (logits < np.inf).all():
        raise ValueError("x must be below +inf and not NaN (-inf is allowed)")
    rows = np.moveaxis(logits, axis, -1)
    with np.errstate(all="ignore"):
        return np.moveaxis(along_rows(rows, None).weights, -1, axis)


def softmax_jacobian(p: ArrayLike) -> FloatArray:
    """Give the derivative of each weight by each logit.

    Parameters
    ----------
    p : array_like, shape (..., n)
        Weights that a softmax gave.

    Returns
    -------
    ndarray of float64, shape (..., n, n)
        Entry i, j is p_i (delta_ij - p_j); symmetric, rows sum to 0 when p sums to 1. It shrinks to 0 as the
        softmax saturates.

    Raises
    ------
    ValueError
        If `p` has no axis or leaves [0, 1].

    References
    ----------
    Bridle (1990), "Training stochastic model recognition algorithms as networks can lead to maximum mutual
    information estimation of parameters", section 3.

    Examples
    --------
    >>> softmax_jacobian([0.5, 0.5])
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    weights = as_numbers("p", p)
    if weights.ndim == 0:
        raise ValueError("p must have an axis of keys, got a single number")
    if not ((weights >= 0) & (weights <= 1)).all():
        raise ValueError("p must lie between 0 and 1")
    diagonal: FloatArray = weights[..., np.newaxis] * np.eye(weights.shape[-1])
    return diagonal - weights[..., :, np.newaxis] * weights[..., np.newaxis, :]


@SOFTMAX_VARIANTS.register("standard", "Standard", "Each row is one budget: its weights sum to 1.")
def along_rows(logits: FloatArray, sink: FloatArray | None) -> Normalised:
    """Normalise each row, optionally with one more logit that takes weight and gives nothing.

    Parameters
    ----------
    logits : ndarray of float64, shape (..., n_query, n_key)
        Finite, or -inf for a banned cell.
    sink : ndarray of float64, shape broadcasting to (..., n_query), or None
        The additional logit of each row.

    Returns
    -------
    Normalised
        With a sink the weights of a row sum to 1 minus the sink's share.
    """
    peak = np.maximum.reduce(logits, axis=-1, keepdims=True)
    if sink is not None:
        peak = np.maximum(peak, sink[..., np.newaxis])
    peak[peak == -np.inf] = 0.0
    exponentials = exponential(np.subtract(logits, peak))
    total = np.add.reduce(exponentials, axis=-1, keepdims=True)
    if sink is not None:
        total += np.exp(sink[..., np.newaxis] - peak)
    return Normalised(peak[..., 0], exponentials, total[..., 0], divided(exponentials, total), sums_to_one=sink is None)


@SOFTMAX_VARIANTS.register("plus_one", "Plus one", "One more unit in the denominator: a row may attend to nothing.")
def with_plus_one(logits: FloatArray, sink: FloatArray | None) -> Normalised:
    """Normalise each row with 1 added to its denominator, that is with one more logit of 0.

    Parameters
    ----------
    logits : ndarray of float64, shape (..., n_query, n_key)
        Finite, or -inf for a banned cell.
    sink : ndarray of float64, shape broadcasting to (..., n_query), or None
        A further logit of each row.

    Returns
    -------
    Normalised
        Rows sum to less than 1.

    References
    ----------
    Miller (2023), "Attention Is Off By One", the formula called softmax_1.
    """
    return along_rows(logits, np.zeros(1) if sink is None else np.logaddexp(0.0, sink))


@SOFTMAX_VARIANTS.register("columns", "Columns", "Demonstration: each column is a budget, and rows need not sum to 1.")
def along_columns(logits: FloatArray, sink: FloatArray | None) -> Normalised:
    """Normalise each column instead of each row.

    Parameters
    ----------
    logits : ndarray of float64, shape (..., n_query, n_key)
        Finite, or -inf for a banned cell.
    sink : None
        A sink belongs to a row; there is none here.

    Returns
    -------
    Normalised
        `row_max` and `normaliser` have the shape (..., n_key): one per column.

    Raises
    ------
    ValueError
        If a sink is given.
    """
    if sink is not None:
        raise ValueError("sink must be None with softmax 'columns', because it is one more logit per row")
    columns = along_rows(np.ascontiguousarray(logits.swapaxes(-1, -2)), None)
    return Normalised(columns.row_max, _turned(columns.exponentials), columns.normaliser, _turned(columns.weights))


def _turned(columns: FloatArray) -> FloatArray:
    """Exchange rows and columns, in the order of memory of every other stage: sums then round as theirs do."""
    return np.ascontiguousarray(columns.swapaxes(-1, -2))


def exponential(exponents: FloatArray) -> FloatArray:
    """Take exp in place, of numbers up to 0.

    Parameters
    ----------
    exponents : ndarray of float64
        At most 0, -inf allowed; overwritten.

    Returns
    -------
    ndarray of float64, the same object
        exp of each number; exactly 0 below `LOWEST_EXPONENT`.
    """
    if exponents.size == 0 or np.minimum.reduce(exponents, axis=None) >= LOWEST_EXPONENT:
        return np.exp(exponents, out=exponents)
    alive = exponents >= LOWEST_EXPONENT
    np.maximum(exponents, LOWEST_EXPONENT, out=exponents)
    np.exp(exponents, out=exponents)
    exponents *= alive
    return exponents


def divided(parts: FloatArray, total: FloatArray) -> FloatArray:
    """Divide each row by its total, with 0 / 0 = 0.

    Parameters
    ----------
    parts : ndarray of float64, shape (..., n_query, n_key)
        Not negative.
    total : ndarray of float64, shape (..., n_query, 1)
        Not negative.

    Returns
    -------
    ndarray of float64, shape (..., n_query, n_key)
        The shares; 0 in a row whose total is 0.
    """
    if np.minimum.reduce(total, axis=None) > 0.0:
        return parts / total
    return parts / np.where(total > 0.0, total, 1.0)
