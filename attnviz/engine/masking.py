"""Where a mask acts: before the softmax, which is right, or in the ways that are commonly got wrong."""

from collections.abc import Callable

import numpy as np

from attnviz.engine.arrays import BoolArray, FloatArray
from attnviz.engine.normalise import Normalised, divided
from attnviz.engine.registry import Registry

Normalise = Callable[[FloatArray], Normalised]

MaskingMethod = Callable[[FloatArray, BoolArray, Normalise], tuple[FloatArray, Normalised]]
"""What each method is: from the logits (scaled scores plus bias, finite, shape (..., n_query, n_key)), the mask of the
same shape (True = may attend) and the softmax in use, to the logits that entered the softmax, and what it gave."""

MASKING_METHODS: Registry[MaskingMethod] = Registry("masking")

LARGE_NEGATIVE = -1e9


@MASKING_METHODS.register("before", "Before the softmax", "Banned keys leave the competition: weight exactly 0.")
def _before(logits: FloatArray, allowed: BoolArray, normalise: Normalise) -> tuple[FloatArray, Normalised]:
    """Put -inf at banned cells, then take the softmax."""
    masked = np.where(allowed, logits, -np.inf)
    return masked, normalise(masked)


@MASKING_METHODS.register("add_large_negative", "Add -1e9", "Demonstration: a row with every key banned is not masked.")
def _add_large_negative(logits: FloatArray, allowed: BoolArray, normalise: Normalise) -> tuple[FloatArray, Normalised]:
    """Add -1e9 at banned cells, then take the softmax."""
    masked = np.where(allowed, logits, logits + LARGE_NEGATIVE)
    return masked, normalise(masked)


@MASKING_METHODS.register("fill_large_negative", "Fill -1e9", "Demonstration: a row with every key banned is uniform.")
def _fill_large_negative(logits: FloatArray, allowed: BoolArray, normalise: Normalise) -> tuple[FloatArray, Normalised]:
    """Write -1e9 into banned cells, then take the softmax."""
    masked = np.where(allowed, logits, LARGE_NEGATIVE)
    return masked, normalise(masked)


@MASKING_METHODS.register("multiply_zero", "Multiply by 0", "Demonstration: exp(0) = 1, so banned keys still compete.")
def _multiply_zero(logits: FloatArray, allowed: BoolArray, normalise: Normalise) -> tuple[FloatArray, Normalised]:
    """Multiply banned cells by 0, then take the softmax."""
    masked = np.where(allowed, logits, 0.0)
    return masked, normalise(masked)


@MASKING_METHODS.register(
    "after", "After the softmax", "Demonstration: banned keys took their share, rows sum to less."
)
def _after(logits: FloatArray, allowed: BoolArray, normalise: Normalise) -> tuple[FloatArray, Normalised]:
    """Take the softmax of all cells, then set banned weights to 0."""
    parts = normalise(logits)
    return logits, parts._replace(weights=parts.weights * allowed)


@MASKING_METHODS.register(
    "after_renormalised",
    "After, renormalised",
    "Demonstration: equal to masking before, but for underflow and what takes a share besides the keys.",
)
def _after_renormalised(logits: FloatArray, allowed: BoolArray, normalise: Normalise) -> tuple[FloatArray, Normalised]:
    """Take the softmax of all cells, set banned weights to 0, and divide each row by the part of it that is left.

    A row sums to what it did before, and to 1 under the standard softmax. One whose visible weights all underflowed
    stays 0; one without a banned cell stays as it is.
    """
    parts = normalise(logits)
    kept = parts.weights * allowed
    left = kept.sum(axis=-1, keepdims=True)
    if not parts.sums_to_one:
        left = divided(left, parts.weights.sum(axis=-1, keepdims=True))
    return logits, parts._replace(weights=divided(kept, left))
