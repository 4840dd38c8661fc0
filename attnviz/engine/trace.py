"""The record of one attention computation with every intermediate."""

from dataclasses import dataclass

from attnviz.engine.arrays import BoolArray, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class AttentionOptions:
    """The choices an attention computation was made with, as `attend` checked them.

    Parameters
    ----------
    scale : str or float
        Name of a scale rule, or the factor itself.
    temperature : float
        Above 0.
    allowed : ndarray of bool, shape (..., n_query, n_key), or None
        True = may attend.
    bias : ndarray, shape (..., n_query, n_key), or None
        What was added to the scaled scores.
    soft_cap : float or None
        The bound the scaled scores were bent to stay below.
    masking, softmax : str
        Names of the masking method and the softmax variant.
    sink : ndarray, shape broadcasting to (..., n_query), or None
        One more logit per row.
    keep : ndarray of bool, shape (..., n_query, n_key), or None
        The weights that dropout kept.
    drop_rate : float
        The rate of dropout, 0 without.
    pinned_scores, pinned_weights : ndarray, shape (..., n_query, n_key), or None
        Numbers that took the place of computed ones; NaN where none did.
    """

    scale: str | float
    temperature: float
    allowed: BoolArray | None
    bias: FloatArray | None
    soft_cap: float | None
    masking: str
    softmax: str
    sink: FloatArray | None
    keep: BoolArray | None
    drop_rate: float
    pinned_scores: FloatArray | None = None
    pinned_weights: FloatArray | None = None

    @property
    def is_row_of_one(self) -> bool:
        """Whether the softmax gives the keys of a row all of 1: along rows, and with nothing else to take a share."""
        return self.softmax == "standard" and self.sink is None


@dataclass(frozen=True, slots=True, eq=False)
class AttentionTrace:
    """Everything `attend` computed, in order; all arrays are read-only, all numbers float64.

    Leading axes (batch, head) stand before the shapes below and broadcast among each other.

    Parameters
    ----------
    q, k, v : ndarray, shapes (n_query, d_k), (n_key, d_k), (n_key, d_v)
        The inputs.
    scores : ndarray, shape (n_query, n_key)
        q k^T, or a pinned number; finite.
    multiplier : float
        scale factor / temperature, the number that multiplies the scores.
    scaled : ndarray, shape (n_query, n_key)
        scores * multiplier, finite.
    masked : ndarray, shape (n_query, n_key)
        The logits that enter the softmax: scaled (soft-capped if asked) plus bias, with -inf at banned cells;
        the demonstrations of other masking methods put other numbers there.
    row_max : ndarray, shape (n_query,)
        What is subtracted in each row before the exponential; 0 in an empty row. With softmax "columns" there is
        one per column.
    exponentials : ndarray, shape (n_query, n_key)
        exp(masked - row_max), in [0, 1].
    normaliser : ndarray, shape (n_query,)
        The sum each row is divided by; 0 in an empty row. With softmax "columns" there is one per column.
    undropped : ndarray, shape (n_query, n_key)
        The weights before dropout; the same array as `weights` without dropout.
    weights : ndarray, shape (n_query, n_key)
        exponentials / normaliser; rows sum to 1, empty rows are 0. Other masking methods, other softmax variants,
        sinks, dropout and pinned weights change the sums.
    output : ndarray, shape (n_query, d_v)
        weights v.
    empty_rows : ndarray of bool, shape (n_query,)
        True where a query has no visible key.
    options : AttentionOptions
        The choices this was computed with.
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
    undropped: FloatArray
    weights: FloatArray
    output: FloatArray
    empty_rows: BoolArray
    options: AttentionOptions
