"""The numbers of one query, and of what shares out one unit of attention: a row, or sometimes a column."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray
from attnviz.engine import AttentionTrace


class Row:
    """The numbers of one query, each of shape (n_key,) or a single float."""

    def __init__(self, trace: AttentionTrace, at: int) -> None:
        self.scores: FloatArray = trace.scores[at]
        self.scaled: FloatArray = trace.scaled[at]
        self.masked: FloatArray = trace.masked[at]
        self.exponentials: FloatArray = trace.exponentials[at]
        # One each under the columns' softmax, else the same for all keys.
        is_by_row = trace.options.softmax != "columns"
        self.maxima: FloatArray = trace.row_max[at : at + 1] if is_by_row else trace.row_max
        self.totals: FloatArray = trace.normaliser[at : at + 1] if is_by_row else trace.normaliser
        self.undropped: FloatArray = trace.undropped[at]
        self.weights: FloatArray = trace.weights[at]
        self.output: FloatArray = trace.output[at]
        self.is_empty = bool(trace.empty_rows[at])
        allowed = trace.options.allowed
        self.allowed: BoolArray = np.ones(self.masked.shape, np.bool_) if allowed is None else allowed[at]
        self.is_row_of_one = trace.options.is_row_of_one
        keep = trace.options.keep
        self.kept: BoolArray = np.ones(self.masked.shape, np.bool_) if keep is None else keep[at]

    @cached_property
    def visible(self) -> list[int]:
        """The keys that the mask leaves."""
        return [int(key) for key in np.flatnonzero(self.allowed)]

    @cached_property
    def weighing(self) -> list[int]:
        """The keys that may have a weight: those that the mask leaves, and those that have one in spite of it."""
        return [int(key) for key in np.flatnonzero(self.allowed | (self.weights != 0.0))]

    @cached_property
    def shares(self) -> FloatArray:
        """The shares of the exponentials in their sums, before a mask that acts later."""
        shares: FloatArray = self.exponentials / np.where(self.totals > 0.0, self.totals, 1.0)
        return shares

    @cached_property
    def kept_shares(self) -> float:
        """The part of the shares that a mask after the softmax leaves: their sum, over what all add up to."""
        kept: FloatArray = self.shares * self.allowed
        total = float(kept[np.newaxis].sum(axis=-1)[0])
        return total if self.is_row_of_one or not total else total / float(self.shares[np.newaxis].sum(axis=-1)[0])

    @property
    def is_silent(self) -> bool:
        """Whether the row sees no key and no weight of it is pinned."""
        return self.is_empty and not self.weighing


class Budget:
    """What shares out one unit of attention: a row, or under the columns' softmax a column.

    Parameters
    ----------
    masked, exponentials : (n,) array
        The logits that enter the softmax, and their exponentials.
    largest, total : float
        What is taken off every logit, and the sum that the exponentials are divided by.
    others : tuple of float
        Further logits, which take attention and give nothing: 0 for the softmax "plus one", that of the sink.
    """

    def __init__(
        self, masked: FloatArray, exponentials: FloatArray, largest: float, total: float, others: tuple[float, ...]
    ) -> None:
        self.masked, self.exponentials, self.largest, self.total = masked, exponentials, largest, total
        self.others = others

    @cached_property
    def members(self) -> list[int]:
        """The places that take part."""
        return [int(place) for place in np.flatnonzero(self.masked != -np.inf)]

    @property
    def is_silent(self) -> bool:
        """Whether nothing takes part."""
        return not self.members and not self.others
