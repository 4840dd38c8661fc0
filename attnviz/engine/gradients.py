"""The backward pass of attention, derived by hand: how the output would follow every input and intermediate."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attnviz.engine.arrays import BoolArray, FloatArray, as_numbers, read_only, require_finite
from attnviz.engine.normalise import divided
from attnviz.engine.trace import AttentionTrace


@dataclass(frozen=True, slots=True, eq=False)
class AttentionGradients:
    """Gradients of a loss by the arrays of an `AttentionTrace`; read-only float64.

    Parameters
    ----------
    query, key, value : ndarray, shapes of `trace.q`, `trace.k`, `trace.v`
        By the inputs; summed over leading axes along which an input was broadcast.
    scores, scaled : ndarray, shape of `trace.scores`
        By the raw and by the scaled scores.
    logits : ndarray, shape of `trace.weights`
        By the logits before the mask, and so by a bias.
    weights : ndarray, shape of `trace.weights`
        By the weights that multiply the values.
    """

    query: FloatArray
    key: FloatArray
    value: FloatArray
    scores: FloatArray
    scaled: FloatArray
    logits: FloatArray
    weights: FloatArray


def backward(trace: AttentionTrace, grad_output: ArrayLike) -> AttentionGradients:
    """Carry the gradient of a loss by the output back to queries, keys and values.

    Parameters
    ----------
    trace : AttentionTrace
        What `attend` computed, with any options.
    grad_output : array_like, shape of `trace.output`
        dL/d output, finite.

    Returns
    -------
    AttentionGradients
        Rows without a visible key and banned cells have gradient 0 (under masking "before").

    Raises
    ------
    ValueError
        If the gradient is not finite, of another shape than the output, or so large that a product overflows.

    Notes
    -----
    With W the weights, G = dL/d output and m the multiplier: dL/dV = W^T G; dL/dW = G V^T;
    dL/dlogits_ij = W_ij (dL/dW_ij - sum_l W_il dL/dW_il); dL/dscores = m dL/dlogits;
    dL/dQ = dL/dscores K; dL/dK = dL/dscores^T Q.

    References
    ----------
    Dao et al. (2022), "FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness",
    appendix B.2.

    Examples
    --------
    >>> from attnviz.engine import attend
    >>> trace = attend([[0.0]], [[1.0], [-1.0]], [[1.0], [0.0]])
    >>> backward(trace, [[1.0]]).query
    array([[0.5]])
    """
    grad = as_numbers("grad_output", grad_output)
    if grad.shape != trace.output.shape:
        raise ValueError(f"grad_output must have shape {trace.output.shape}, got {grad.shape}")
    require_finite("grad_output", grad)
    with np.errstate(all="ignore"):
        value = trace.weights.swapaxes(-1, -2) @ grad  # (n_key, n_query) @ (n_query, d_v) -> (n_key, d_v)
        weights = grad @ trace.v.swapaxes(-1, -2)  # (n_query, d_v) @ (d_v, n_key) -> (n_query, n_key)
        weights = _as_shape(weights, trace.weights.shape)
        computed_weights = _where_computed(weights, trace.options.pinned_weights)
        logits = _through_softmax(trace, _through_dropout(trace, computed_weights))
        scaled = _as_shape(_through_soft_cap(trace, logits), trace.scaled.shape)
        scores = scaled * trace.multiplier
        computed_scores = _where_computed(scores, trace.options.pinned_scores)
        query = computed_scores @ trace.k  # (n_query, n_key) @ (n_key, d_k) -> (n_query, d_k)
        key = computed_scores.swapaxes(-1, -2) @ trace.q  # (n_key, n_query) @ (n_query, d_k) -> (n_key, d_k)
        gradients = AttentionGradients(
            query=_as_shape(query, trace.q.shape),
            key=_as_shape(key, trace.k.shape),
            value=_as_shape(value, trace.v.shape),
            scores=read_only(scores + 0.0),
            scaled=scaled,
            logits=read_only(logits + 0.0),
            weights=weights,
        )
    for name in ("weights", "value", "scores", "query", "key"):
        if not np.isfinite(getattr(gradients, name)).all():
            raise ValueError(f"gradients must stay below 1.8e308 in magnitude, got an overflow in that by the {name}")
    return gradients


def _where_computed(grad: FloatArray, pins: FloatArray | None) -> FloatArray:
    """Let nothing pass behind a pinned number: it depends on nothing."""
    return grad if pins is None else np.where(np.isnan(pins), grad, 0.0)


def _through_dropout(trace: AttentionTrace, grad: FloatArray) -> FloatArray:
    """Pass the kept weights' gradient, enlarged as they were."""
    if trace.options.keep is None:
        return grad
    kept: FloatArray = grad * trace.options.keep / (1.0 - trace.options.drop_rate)
    return kept


def _through_softmax(trace: AttentionTrace, grad: FloatArray) -> FloatArray:
    """Go from weights to logits through mask and softmax, whichever came first."""
    axis = _SOFTMAX_AXIS.get(trace.options.softmax, -1)
    shares = _shares(trace, axis)
    allowed = trace.options.allowed
    before_trim, passes_banned = _MASK_GRADIENTS[trace.options.masking]
    if allowed is not None and before_trim is not None:
        whole = None if trace.options.is_row_of_one else shares.sum(axis=-1, keepdims=True)
        grad = before_trim(grad, shares, allowed, whole)
    logits: FloatArray = shares * (grad - (shares * grad).sum(axis=axis, keepdims=True))
    return logits if allowed is None or passes_banned else logits * allowed


def _shares(trace: AttentionTrace, axis: int) -> FloatArray:
    """What the softmax itself gave, before masks and dropout that act on weights."""
    return divided(trace.exponentials, np.expand_dims(trace.normaliser, axis))


def _through_soft_cap(trace: AttentionTrace, grad: FloatArray) -> FloatArray:
    """Multiply by the slope of the soft cap, 1 - tanh^2."""
    cap = trace.options.soft_cap
    if cap is None:
        return grad
    slope: FloatArray = 1.0 - np.tanh(trace.scaled / cap) ** 2
    return grad * slope


def _trimmed(
    grad: FloatArray,
    shares: FloatArray,  # noqa: ARG001  as _renormalised
    allowed: BoolArray,
    whole: FloatArray | None,  # noqa: ARG001  as _renormalised
) -> FloatArray:
    """Weights were set to 0 where banned."""
    return grad * allowed


def _renormalised(grad: FloatArray, shares: FloatArray, allowed: BoolArray, whole: FloatArray | None) -> FloatArray:
    """Weights were set to 0 where banned, and each row brought back to its sum before: 1, or what it was."""
    kept = shares * allowed
    total = kept.sum(axis=-1, keepdims=True)
    weights = divided(kept, total)
    mean = (weights * grad).sum(axis=-1, keepdims=True)
    passed: FloatArray = divided((grad - mean) * allowed, total)
    return passed if whole is None else passed * whole + mean  # as every share adds to the sum before


Trim = Callable[[FloatArray, FloatArray, BoolArray, FloatArray | None], FloatArray]

_SOFTMAX_AXIS = {"columns": -2}

_MASK_GRADIENTS: dict[str, tuple[Trim | None, bool]] = {
    "before": (None, False),
    "add_large_negative": (None, True),
    "fill_large_negative": (None, False),
    "multiply_zero": (None, False),
    "after": (_trimmed, True),
    "after_renormalised": (_renormalised, True),
}


def _as_shape(grad: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    """Sum over the leading axes along which an input was broadcast."""
    extra = grad.ndim - len(shape)
    grad = grad.sum(axis=tuple(range(extra)))
    stretched = tuple(axis for axis, size in enumerate(shape) if size == 1 and grad.shape[axis] > 1)
    return read_only(grad.sum(axis=stretched, keepdims=True) + 0.0)
