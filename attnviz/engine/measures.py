"""How spread out a row of weights is: entropy and the number of keys it amounts to."""

import numpy as np
from numpy.typing import ArrayLike

from attnviz.engine.arrays import FloatArray, as_numbers

_LARGEST_EXPONENT = 709.0  # of a finite exponential


def entropy(weights: ArrayLike) -> FloatArray:
    """Measure the spread of each row of weights, in nats.

    Parameters
    ----------
    weights : array_like, shape (..., n_key)
        Non-negative finite numbers; rows of a distribution sum to 1.

    Returns
    -------
    ndarray of float64, shape (...)
        -sum w ln w, with 0 ln 0 = 0: from 0 (one key takes all, or an empty row) to ln n_key (uniform).
        A row that does not sum to 1 is taken as it is, not renormalised.

    Raises
    ------
    ValueError
        If there is no axis, or a weight is negative or not finite.

    References
    ----------
    Shannon (1948), "A Mathematical Theory of Communication", section 6.

    Examples
    --------
    >>> entropy([[0.5, 0.5], [1.0, 0.0], [0.0, 0.0]]).round(6)
    array([0.693147, 0.      , 0.      ])
    """
    rows = as_numbers("weights", weights)
    if rows.ndim == 0:
        raise ValueError("weights must have an axis of keys, got a single number")
    if not ((rows >= 0) & (rows < np.inf)).all():
        raise ValueError("weights must be finite and not negative")
    with np.errstate(all="ignore"):
        terms = rows * np.log(np.where(rows > 0, rows, 1.0))
        return np.asarray(0.0 - terms.sum(axis=-1))


def effective_keys(weights: ArrayLike) -> FloatArray:
    """Count the keys a row of weights amounts to: exp(entropy).

    Parameters
    ----------
    weights : array_like, shape (..., n_key)
        Non-negative finite numbers; rows of a distribution sum to 1.

    Returns
    -------
    ndarray of float64, shape (...)
        From 1 (one key takes all) to n_key (uniform); 0 for an empty row. Finite for rows of any sum.

    Raises
    ------
    ValueError
        If there is no axis, or a weight is negative or not finite.

    References
    ----------
    Hill (1973), "Diversity and Evenness", equation 4: the diversity number of order 1.

    Examples
    --------
    >>> effective_keys([[0.25, 0.25, 0.25, 0.25], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]).round(6)
    array([4., 1., 0.])
    """
    spread = np.minimum(entropy(weights), _LARGEST_EXPONENT)
    return np.where(as_numbers("weights", weights).any(axis=-1), np.exp(spread), 0.0)
