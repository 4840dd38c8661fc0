"""The record of one attention computation with every intermediate."""

from dataclasses import dataclass

from attnviz.engine.arrays import BoolArray, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class AttentionTrace:
    """Everything `attend` computed, in order; all arrays are read-only, all numbers float64.

    Leading axes (batch, head) stand before the shapes below and broadcast among each other.

    Parameters
    ----------
    q, k, v : ndarray, shapes (n_query, d_k), (n_key, d_k), (n_key, d_v)
        The inputs.
    scores : ndarray, shape (n_query, n_key)
        q k^T, finite.
    multiplier : float
        scale factor / temperature, the number that multiplies the scores.
    scaled : ndarray, shape (n_query, n_key)
        scores * multiplier, finite.
    masked : ndarray, shape (n_query, n_key)
        The logits that enter the softmax: scaled plus bias, with -inf at banned cells.
    row_max : ndarray, shape (n_query,)
        What is subtracted in each row before the exponential; 0 in an empty row.
    exponentials : ndarray, shape (n_query, n_key)
        exp(masked - row_max), in [0, 1].
    normaliser : ndarray, shape (n_query,)
        The sum each row is divided by; 0 in an empty row.
    weights : ndarray, shape (n_query, n_key)
        exponentials / normaliser; rows sum to 1, empty rows are 0.
    output : ndarray, shape (n_query, d_v)
        weights v.
    empty_rows : ndarray of bool, shape (n_query,)
        True where a query has no visible key.
    """

    q: FloatArray
    k: FloatArray
    v: FloatArray
    scores: FloatArray
    multiplier: float
    scaled: FloatArray
    masked: FloatArray
    row_max: FloatArray
    exponentials: FloatArray
    normaliser: FloatArray
    weights: FloatArray
    output: FloatArray
    empty_rows: BoolArray
