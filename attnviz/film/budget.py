"""What the exponentials of a row are divided by: its own sum, that of each column, or one with something more in it."""

from __future__ import annotations

import math

import numpy as np

from attnviz.document.arrays import FloatArray
from attnviz.engine import AttentionTrace


def is_by_column(trace: AttentionTrace) -> bool:
    """Tell whether each key has a budget, instead of each query."""
    return trace.options.softmax == "columns"


def maxima(trace: AttentionTrace) -> FloatArray:
    """Give what is subtracted from the score of each key in the trace of one row, shape (n_key,)."""
    return np.broadcast_to(trace.row_max, trace.masked.shape[-1:])


def totals(trace: AttentionTrace) -> FloatArray:
    """Give what the exponential of each key is divided by in the trace of one row, shape (n_key,)."""
    return np.broadcast_to(trace.normaliser, trace.masked.shape[-1:])


def shares(trace: AttentionTrace) -> FloatArray:
    """Give the exponentials of one row over their sums, before a mask after the softmax and before dropout."""
    divisors = totals(trace)
    made: FloatArray = trace.exponentials[0] / np.where(divisors > 0.0, divisors, 1.0)
    return made


def further_logits(trace: AttentionTrace) -> dict[str, float]:
    """Give the logits beside those of the keys that take a share of a row, by their names in a sentence."""
    further: dict[str, float] = {}
    if trace.options.softmax == "plus_one":
        further["plus one"] = 0.0
    if trace.options.sink is not None:
        further["the sink"] = float(trace.options.sink)
    return further


def further_exponentials(trace: AttentionTrace) -> dict[str, float]:
    """Give the exponentials beside those of the keys, less the maximum of the row as all others."""
    largest = float(trace.row_max[0])
    return {name: math.exp(logit - largest) for name, logit in further_logits(trace).items()}


def sharers(further: dict[str, float]) -> str:
    """Name all that share a row: the keys, and what takes a share beside them.

    Examples
    --------
    >>> sharers({}), sharers({"plus one": 0.0, "the sink": 2.0})
    ('all keys', 'all keys, plus one and the sink')
    """
    *first, last = ["all keys", *further]
    return f"{', '.join(first)} and {last}" if first else last


def kept_sum(trace: AttentionTrace) -> float:
    """Give the part of the shares of one row that a mask after the softmax leaves: all of them add up to 1 or less."""
    allowed = trace.options.allowed
    made = shares(trace)
    kept = float((made if allowed is None else made * allowed[0]).sum())
    return kept if trace.options.is_row_of_one or not kept else kept / float(made.sum())


def is_dropped(trace: AttentionTrace, key: int) -> bool:
    """Tell whether dropout takes the weight of a key in the trace of one row."""
    keep = trace.options.keep
    return keep is not None and not keep[0, key]


def unpinned_weight(trace: AttentionTrace, key: int) -> float:
    """Give what the weight of a key in the trace of one row would be if it were not pinned."""
    weight = float(trace.undropped[0, key])
    if trace.options.keep is None:
        return weight
    return 0.0 if is_dropped(trace, key) else weight / (1.0 - trace.options.drop_rate)
