"""The numbers of one cell of the attention matrix, as the derivation needs them."""

from __future__ import annotations

import math

import numpy as np

from attnviz.document.arrays import IntArray
from attnviz.document.frame import Frame
from attnviz.document.mask_reasons import reason_of
from attnviz.document.number_ref import NumberRef
from attnviz.document.provenance import provenance_of
from attnviz.document.tokens import isolated, shortened
from attnviz.engine import AttentionTrace
from attnviz.views.derivation.steps_between import steps_between

_LONGEST_NAME = 24


class Cell:
    """The numbers of one cell, read once: from the whole trace where that is kept, else from the frame's exact row.

    What shares out one unit of attention is its row, or under the columns' softmax its column: ``members`` are the
    places that take part in that, ``exponentials`` and ``normaliser`` are those of it.
    """

    def __init__(self, frame: Frame, query: int, key: int) -> None:
        whole = frame.attention
        trace, at = (whole, query) if isinstance(whole, AttentionTrace) else (frame.row(query), 0)
        self.query, self.key = query, key
        self.q, self.k, self.value = trace.q[at], trace.k[key], trace.v[key]
        self.output = trace.output[at]
        self.multiplier = float(trace.multiplier)
        self.score = float(trace.scores[at, key])
        self.scaled = float(trace.scaled[at, key])
        self.masked = float(trace.masked[at, key])
        self.is_by_column = trace.options.softmax == "columns"
        place = (slice(None), key) if self.is_by_column else (at, slice(None))
        self.budget = key if self.is_by_column else query
        self.exponentials, masked = trace.exponentials[place], trace.masked[place]
        self.row_max = float(trace.row_max[key if self.is_by_column else at])
        self.normaliser = float(trace.normaliser[key if self.is_by_column else at])
        self.e = float(trace.exponentials[at, key])
        self.weight = float(trace.weights[at, key])
        self.contribution = self.weight * self.value
        self.members: IntArray = np.flatnonzero(masked != -np.inf)  # the places that the mask leaves
        self.is_banned = self.masked == -math.inf
        self.is_empty = bool(trace.empty_rows[at])
        self.steps = steps_between(frame, trace, at, key)
        self.is_score_pinned, self.is_weight_pinned, self._pin_words = _pins(frame, query, key)
        self._frame = frame
        self._undropped = float(trace.undropped[at, key])
        self._names = _shown(frame.query_tokens[query]), _shown(frame.key_tokens[key])

    @property
    def chosen(self) -> int:
        """The place among the members that is the cell's own; 0 if it does not take part."""
        own = self.query if self.is_by_column else self.key
        return 0 if self.is_banned else int(self.members.searchsorted(own))

    @property
    def n_members(self) -> int:
        """How many could take part."""
        return self._frame.n_query if self.is_by_column else self._frame.n_key

    @property
    def noun(self) -> str:
        """What takes part."""
        return "queries" if self.is_by_column else "keys"

    @property
    def is_silent(self) -> bool:
        """Whether nothing takes part."""
        return not len(self.members) and self.steps.other is None

    @property
    def computed_score(self) -> float:
        """The dot product of query and key, whatever is pinned in its place."""
        return float(self.q @ self.k)

    @property
    def computed_weight(self) -> float:
        """The weight that softmax, mask and dropout give, whatever is pinned in its place."""
        if not self.steps.rate:
            return self._undropped
        return self._undropped / (1.0 - self.steps.rate) if self.steps.is_kept else 0.0

    @property
    def reason(self) -> str:
        """Why the key is banned."""
        query, key = self._names
        return reason_of(self._frame.state, self.query, self.key, query, key)

    @property
    def subtitle(self) -> str:
        """The line beside the title."""
        columns = " · the softmax runs down the columns" if self.is_by_column else ""
        return f"{self._subtitle}{columns}{self._pin_words}"

    @property
    def _subtitle(self) -> str:
        query, key = self._names
        if self.is_empty and self._frame.shows_mask("weights"):
            return f"{query} → {key}: {query} sees no key, so all its weights are exactly 0, and so is its output"
        if self.is_banned:
            return f"{query} → {key} is masked: the key leaves before the softmax, so its weight is exactly 0"
        if self.steps.is_zeroed:
            return f"{query} → {key} is masked after the softmax: the key took its share, and then lost it"
        if self.steps.is_hidden:
            return f"{query} → {key} is masked, but not by leaving the key out of the softmax"
        return f"{query} → {key}, step by step"


def _shown(token: str) -> str:
    return isolated(shortened(token, _LONGEST_NAME))


def _pins(frame: Frame, query: int, key: int) -> tuple[bool, bool, str]:
    """Tell whether score and weight of a cell are pinned, and in words whether what is shown follows from a pin."""
    pins = frame.pins
    if not pins:
        return False, False, ""
    score, weight = (pins.at(NumberRef(kind, (query, key))) is not None for kind in ("score", "weight"))
    is_affected = provenance_of(frame).is_affected(NumberRef("output", (query, 0)))
    return score, weight, " · follows from pinned numbers" if is_affected else ""
