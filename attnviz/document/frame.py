"""A frame: one state with everything the engine makes of it, and the ways to read it at any size."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray, IntArray, every
from attnviz.document.attending import (
    attention,
    attention_of_rows,
    banned_cells,
    pinned_rows,
    projected,
    row_of,
)
from attnviz.document.errors import DocumentError
from attnviz.document.state import State
from attnviz.engine import AttentionTrace, StreamedAttention

Stage: TypeAlias = Literal["scores", "scaled", "masked", "exponentials", "weights"]
STAGES: tuple[Stage, ...] = ("scores", "scaled", "masked", "exponentials", "weights")

_BLOCK_ROWS = 64  # of weights at a time, for sums over columns: as many as stay in the processor's cache

LEAST_LIMIT = 1e-300  # of a range of colours: one over it, times the number of colours, is still a float


def drawn_limit(largest: float) -> float:
    """Give the end of a range of colours: the largest magnitude, at least :data:`LEAST_LIMIT`; 1 where all is 0."""
    return max(largest, LEAST_LIMIT) if largest else 1.0


@dataclass(frozen=True, eq=False)
class Frame:
    """What is on screen: a state, its projections and the attention computed from them.

    Up to 160 tokens the whole trace is computed at once. Above that only what each row needs is
    (its maximum, normaliser and output), and cells are computed exactly, in float64, when asked for.

    Parameters
    ----------
    state : State
        The document.
    q : (n_query, d_k) array
    k : (n_key, d_k) array
    v : (n_key, d_v) array
        The projected embeddings with what is pinned in them, read-only.
    attention : AttentionTrace or StreamedAttention
        The engine's record.
    """

    state: State
    q: FloatArray
    k: FloatArray
    v: FloatArray
    attention: AttentionTrace | StreamedAttention
    _rows: dict[int, AttentionTrace] = field(default_factory=dict, repr=False)

    @cached_property
    def n_query(self) -> int:
        """The number of rows of the matrices."""
        return len(self.state.sequence)

    @cached_property
    def n_key(self) -> int:
        """The number of columns of the matrices."""
        return len(self.state.key_sequence)

    @property
    def query_tokens(self) -> tuple[str, ...]:
        """The names along the rows."""
        return self.state.sequence.tokens

    @property
    def key_tokens(self) -> tuple[str, ...]:
        """The names along the columns."""
        return self.state.key_sequence.tokens

    @property
    def multiplier(self) -> float:
        """What the scores are multiplied by: the scale rule over the temperature."""
        return float(self.attention.multiplier)

    @property
    def output(self) -> FloatArray:
        """The outputs y, shape (n_query, d_v)."""
        return self.attention.output

    @property
    def empty_rows(self) -> BoolArray:
        """Which rows see no key, shape (n_query,)."""
        return self.attention.empty_rows

    @cached_property
    def trace(self) -> AttentionTrace:
        """The whole trace; at large sizes it is computed when first asked for."""
        if isinstance(self.attention, AttentionTrace):
            return self.attention
        return attention_of_rows(self.state, self.q, self.k, self.v, every(self.n_query))

    def row(self, query: int) -> AttentionTrace:
        """Give the trace of one query alone, shapes (1, n_key): a part of the whole trace where that is kept."""
        if query not in self._rows:
            self._rows[query] = self._row(query)
        return self._rows[query]

    def _row(self, query: int) -> AttentionTrace:
        if isinstance(self.attention, AttentionTrace):
            return row_of(self.attention, query)
        return attention_of_rows(self.state, self.q, self.k, self.v, np.array([query]))

    def cells(self, stage: Stage, rows: IntArray, columns: IntArray) -> FloatArray:
        """Give the sub-matrix of a stage at ``rows`` x ``columns``, exact float64, in the order asked for."""
        if isinstance(self.attention, StreamedAttention):
            return self._streamed_cells(self.attention, stage, rows, columns)
        matrix: FloatArray = getattr(self.attention, stage)
        if _is_all(rows, self.n_query) and _is_all(columns, self.n_key):
            return matrix
        part: FloatArray = matrix[np.ix_(rows, columns)]
        return part

    def cell(self, stage: Stage, query: int, key: int) -> float:
        """Give one cell of a stage."""
        return float(self.cells(stage, np.array([query]), np.array([key]))[0, 0])

    def banned(self, rows: IntArray, columns: IntArray) -> BoolArray:
        """Tell which cells at ``rows`` x ``columns`` the mask bans."""
        return banned_cells(self.state, rows, columns)

    def is_banned(self, query: int, key: int) -> bool:
        """Tell whether the mask bans one cell."""
        return bool(self.banned(np.array([query]), np.array([key]))[0, 0])

    def row_sums(self, rows: IntArray) -> FloatArray:
        """Give the sums of the weights of ``rows``: 1, 0 without a visible key, or what pinned weights make of it."""
        sums: FloatArray = self.cells("weights", rows, every(self.n_key)).sum(axis=1)
        return sums

    def column_sums(self, columns: IntArray) -> FloatArray:
        """Give the sums of the weights of ``columns``: the attention that each key receives."""
        sums: FloatArray = self._column_sums[columns]
        return sums

    @cached_property
    def _column_sums(self) -> FloatArray:
        """The sums of all columns, shape (n_key,); where the matrix is not kept, block by block of rows."""
        if isinstance(self.attention, AttentionTrace):
            whole: FloatArray = self.attention.weights.sum(axis=0)
            return whole
        sums, all_keys = np.zeros(self.n_key), every(self.n_key)
        for first in range(0, self.n_query, _BLOCK_ROWS):
            rows = np.arange(first, min(self.n_query, first + _BLOCK_ROWS))
            sums += self.cells("weights", rows, all_keys).sum(axis=0)
        return sums

    def limit(self, stage: Stage) -> float:
        """Give the largest magnitude of a stage's finite values, at least 1e-300; 1 where all of them are 0."""
        return drawn_limit(self._limits[stage])

    @cached_property
    def largest_weight(self) -> float:
        """The largest weight of all, pinned ones included; 1 where all are 0.

        A streamed row's largest exponential is 1, so its largest weight is one over its normaliser, unless a weight of
        it is pinned.
        """
        if isinstance(self.attention, AttentionTrace):
            largest = float(self.attention.weights.max())
        else:
            pinned = sorted({one.row for one in self.state.interventions.of("weight")})
            is_computed = ~self.empty_rows
            is_computed[pinned] = False
            found = [float(self.row(row).weights.max()) for row in pinned]
            if is_computed.any():
                found.append(float(1.0 / self.attention.normaliser[is_computed].min()))
            largest = max(found)
        return drawn_limit(largest)

    @cached_property
    def _pinned_rows(self) -> frozenset[int]:
        """The rows that streaming does not know of."""
        return frozenset(pinned_rows(self.state.interventions))

    def _streamed_cells(
        self, streamed: StreamedAttention, stage: Stage, rows: IntArray, columns: IntArray
    ) -> FloatArray:
        cells = streamed.cells(stage, rows, columns)
        if self._pinned_rows:
            for place, row in enumerate(rows.tolist()):
                if row in self._pinned_rows:
                    cells[place] = getattr(self.row(row), stage)[0, columns]
        return cells

    @cached_property
    def _limits(self) -> dict[Stage, float]:
        if isinstance(self.attention, StreamedAttention):
            raw = max(abs(x) for x in self.attention.score_range)
        else:
            scores = self.attention.scores
            raw = max(abs(float(scores.max())), abs(float(scores.min())))
        scaled = raw * abs(self.multiplier)
        weights = max([1.0, *(one.value for one in self.state.interventions.of("weight"))])
        return {"scores": raw, "scaled": scaled, "masked": scaled, "exponentials": 1.0, "weights": weights}


def compute(state: State) -> Frame:
    """Make the frame of a state: the one call of the engine.

    Raises
    ------
    DocumentError
        If the numbers of the state overflow a float64 on the way.
    """
    q, k, v = projected(state)
    try:
        return Frame(state=state, q=q, k=k, v=v, attention=attention(state, q, k, v))
    except ValueError as error:
        raise DocumentError(str(error)) from error


def _is_all(indices: IntArray, count: int) -> bool:
    return len(indices) == count and bool((indices == every(count)).all())
