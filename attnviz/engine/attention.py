"""Scaled dot-product attention as one pure function that keeps every intermediate."""

import math
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from attnviz.engine.arrays import FloatArray, as_mask, as_matrix, as_numbers, require_finite
from attnviz.engine.masking import MASKING_METHODS
from attnviz.engine.normalise import SOFTMAX_VARIANTS, Normalised
from attnviz.engine.products import (
    LARGEST,
    bounded_multiplier,
    check_leading,
    check_widths,
    empty_rows,
    largest_magnitude,
    raw_scores,
    weighted_sum,
)
from attnviz.engine.scales import full_multiplier
from attnviz.engine.trace import AttentionOptions, AttentionTrace

Dropout = tuple[ArrayLike, float]


def attend(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    scale: str | float = "sqrt_d_k",
    temperature: float = 1.0,
    allowed: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    masking: str = "before",
    softmax: str = "standard",
    sink: ArrayLike | None = None,
    dropout: Dropout | None = None,
    soft_cap: float | None = None,
    pinned_scores: ArrayLike | None = None,
    pinned_weights: ArrayLike | None = None,
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
    masking : str
        A name in `MASKING_METHODS`; all but "before" are demonstrations of what goes wrong.
    softmax : str
        A name in `SOFTMAX_VARIANTS`: "standard", "plus_one" or "columns".
    sink : array_like, shape broadcasting to (..., n_query), or None
        One more finite logit per row; it takes weight and gives nothing.
    dropout : tuple of (array_like of bool, float) or None
        The weights to keep, shape (..., n_query, n_key), and the rate p in [0, 1); kept weights are divided by 1 - p.
    soft_cap : float or None
        Above 0: the scaled scores s become soft_cap * tanh(s / soft_cap) before bias and mask.
    pinned_scores : array_like, shape (..., n_query, n_key), or None
        Finite numbers that take the place of q k^T, NaN where the computed score stays; all that follows uses them.
    pinned_weights : array_like, shape (..., n_query, n_key), or None
        Finite numbers that take the place of the weights, NaN where the computed weight stays; only the output
        follows, so that rows may no longer sum to 1.

    Returns
    -------
    AttentionTrace
        Every intermediate. A row without a visible key has weights 0 and output 0 (under "before" and "after") and
        is True in `empty_rows`.

    Raises
    ------
    ValueError
        If an input is empty, not finite, not of real numbers, or of a shape that does not fit; if a name is
        unknown; if temperature or soft_cap is not above 0, or the rate not in [0, 1); if a sink is combined with
        "columns"; if a product q k^T leaves the range of float64.

    Notes
    -----
    weights = softmax(multiplier q k^T + bias), output = weights v, with multiplier = scale factor / temperature.
    Where multiplier * score would leave the range of float64, the multiplier is lowered to the power of two that
    just keeps it inside: order and ties of the scores stay exact, and the softmax is a hard choice by then.
    Pinned numbers are interventions on one intermediate, as in causal mediation analysis.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.1, equation 1.
    Vig et al. (2020), "Investigating Gender Bias in Language Models Using Causal Mediation Analysis", section 3.

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
    keep, drop_rate = (None, 0.0) if dropout is None else dropout
    options = AttentionOptions(
        scale=scale,
        temperature=temperature,
        allowed=None if allowed is None else as_mask("mask", allowed, cells),
        bias=None if bias is None else _checked_bias(bias, cells),
        soft_cap=None if soft_cap is None else _checked_cap(soft_cap),
        masking=MASKING_METHODS[masking].name,
        softmax=SOFTMAX_VARIANTS[softmax].name,
        sink=None if sink is None else _checked_sink(sink, cells[0]),
        keep=None if keep is None else as_mask("dropout", keep, cells),
        drop_rate=_checked_rate(drop_rate),
        pinned_scores=None if pinned_scores is None else _checked_pins("pinned_scores", pinned_scores, cells),
        pinned_weights=None if pinned_weights is None else _checked_pins("pinned_weights", pinned_weights, cells),
    )
    check_leading(
        q=query,
        k=key,
        v=value,
        mask=options.allowed,
        bias=options.bias,
        dropout=options.keep,
        sink=None if options.sink is None else options.sink[..., np.newaxis],
        pinned_scores=options.pinned_scores,
        pinned_weights=options.pinned_weights,
    )
    multiplier = full_multiplier(scale, temperature, query.shape[-1])
    with np.errstate(all="ignore"):
        return _trace(query, key, value, multiplier, options)


def _trace(
    query: FloatArray, key: FloatArray, value: FloatArray, multiplier: float, options: AttentionOptions
) -> AttentionTrace:
    """Run the stages on checked input."""
    scores, peak = raw_scores(query, key, multiplier)
    if options.pinned_scores is not None:
        scores = _with_pins(scores, options.pinned_scores)
        peak = largest_magnitude(scores)
    multiplier = bounded_multiplier(multiplier, peak)
    scaled = scores * multiplier
    scaled += 0.0
    masked, parts = _normalised(_logits(scaled, options), options)
    row_max, exponentials, normaliser, undropped = parts[:4]
    weights = undropped if options.keep is None else undropped * options.keep / (1.0 - options.drop_rate)
    if options.pinned_weights is not None:
        weights = _with_pins(weights, options.pinned_weights)
    output = weighted_sum(weights, value)
    for array in (scores, scaled, masked, row_max, exponentials, normaliser, undropped, weights, output):
        array.flags.writeable = False
    return AttentionTrace(
        query,
        key,
        value,
        scores,
        multiplier,
        scaled,
        masked,
        row_max,
        exponentials,
        normaliser,
        undropped,
        weights,
        output,
        empty_rows(options.allowed, undropped.shape[:-1]),
        options,
    )


def _logits(scaled: FloatArray, options: AttentionOptions) -> FloatArray:
    """Bend the scaled scores under the soft cap and add the bias."""
    logits = scaled
    if options.soft_cap is not None:
        logits = options.soft_cap * np.tanh(logits / options.soft_cap)
    if options.bias is not None:
        logits = np.clip(logits + options.bias, -LARGEST, LARGEST)
    return logits


def _normalised(logits: FloatArray, options: AttentionOptions) -> tuple[FloatArray, Normalised]:
    """Mask and take the softmax in the chosen ways."""
    variant = SOFTMAX_VARIANTS[options.softmax].function
    sink = options.sink
    if options.allowed is None:
        return logits, variant(logits, sink)
    method = MASKING_METHODS[options.masking].function
    return method(logits, options.allowed, lambda masked: variant(masked, sink))


def _checked_bias(bias: ArrayLike, cells: tuple[int, int]) -> FloatArray:
    """Refuse a bias that is not finite or of the wrong shape."""
    shift = as_numbers("bias", bias)
    if shift.shape[-2:] != cells:
        raise ValueError(f"bias must have shape {cells}, got {shift.shape}")
    require_finite("bias", shift)
    return shift


def _checked_pins(name: str, pins: ArrayLike, cells: tuple[int, int]) -> FloatArray:
    """Refuse pinned numbers of the wrong shape or infinite ones."""
    numbers = as_numbers(name, pins)
    if numbers.shape[-2:] != cells:
        raise ValueError(f"{name} must have shape {cells}, got {numbers.shape}")
    if np.isinf(numbers).any():
        raise ValueError(f"{name} must hold finite numbers, NaN where nothing is pinned, got an infinite one")
    return numbers


def _with_pins(computed: FloatArray, pins: FloatArray) -> FloatArray:
    """Put pinned numbers in the place of computed ones."""
    pinned: FloatArray = np.where(np.isnan(pins), computed, pins + 0.0)
    return pinned


def _checked_sink(sink: ArrayLike, n_query: int) -> FloatArray:
    """Refuse sink logits that are not finite or do not fit the rows."""
    logits = as_numbers("sink", sink)
    if logits.ndim > 0 and logits.shape[-1] not in {1, n_query}:
        raise ValueError(f"sink must be one number or have shape ({n_query},), got {logits.shape}")
    require_finite("sink", logits)
    return logits


def _checked_cap(soft_cap: float) -> float:
    """Refuse a soft cap that is not a finite number above 0."""
    if not isinstance(soft_cap, Real) or isinstance(soft_cap, bool) or not 0 < soft_cap < math.inf:
        raise ValueError(f"soft_cap must be a finite number above 0, got {soft_cap!r}")
    return float(soft_cap)


def _checked_rate(rate: float) -> float:
    """Refuse a rate of dropout outside [0, 1)."""
    if not isinstance(rate, Real) or isinstance(rate, bool) or not 0 <= rate < 1:
        raise ValueError(f"dropout rate must be at least 0 and below 1, got {rate!r}")
    return float(rate)
