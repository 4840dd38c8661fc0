"""The numbers of one cell of the attention matrix, as the derivation needs them."""

from __future__ import annotations

import math

import numpy as np

from attnviz.document.arrays import IntArray
from attnviz.document.frame import Frame
from attnviz.document.number_ref import NumberRef
from attnviz.document.provenance import provenance_of
from attnviz.document.tokens import isolated, shortened
from attnviz.engine import AttentionTrace

_LONGEST_NAME = 24


class Cell:
    """The numbers of one cell, read once: from the whole trace where that is kept, else from the frame's exact row."""

    def __init__(self, frame: Frame, query: int, key: int) -> None:
        whole = frame.attention
        trace, at = (whole, query) if isinstance(whole, AttentionTrace) else (frame.row(query), 0)
        self.key = key
        self.q, self.k, self.value = trace.q[at], trace.k[key], trace.v[key]
        self.exponentials, self.output = trace.exponentials[at], trace.output[at]
        self.multiplier = float(trace.multiplier)
        self.score = float(trace.scores[at, key])
        self.scaled = float(trace.scaled[at, key])
        self.row_max = float(trace.row_max[at])
        self.e = float(self.exponentials[key])
        self.normaliser = float(trace.normaliser[at])
        self.weight = float(trace.weights[at, key])
        self.contribution = self.weight * self.value
        masked = trace.masked[at]
        self.visible: IntArray = np.flatnonzero(masked != -np.inf)  # the columns that the mask leaves
        self.is_banned = float(masked[key]) == -math.inf
        self.is_empty = bool(trace.empty_rows[at])
        self.n_key = frame.n_key
        self.is_score_pinned, self.is_weight_pinned, self._pin_words = _pins(frame, query, key)
        self._names = _shown(frame.query_tokens[query]), _shown(frame.key_tokens[key])

    @property
    def computed_score(self) -> float:
        """The dot product of query and key, whatever is pinned in its place."""
        return float(self.q @ self.k)

    @property
    def computed_weight(self) -> float:
        """The share of the exponential in the row's sum, whatever is pinned in its place."""
        return self.e / self.normaliser if self.normaliser else 0.0

    @property
    def reason(self) -> str:
        """Why the key is banned."""
        return f"the causal mask hides {self._names[1]} from {self._names[0]}"

    @property
    def subtitle(self) -> str:
        """The line beside the title."""
        return f"{self._subtitle}{self._pin_words}"

    @property
    def _subtitle(self) -> str:
        query, key = self._names
        if self.is_empty:
            return f"{query} → {key}: {query} sees no key, so all its weights are exactly 0, and so is its output"
        if self.is_banned:
            return f"{query} → {key} is masked: the key leaves before the softmax, so its weight is exactly 0"
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
