"""A frame: one state with everything the engine makes of it, and the ways to read it at any size."""

from __future__ import annotations

from functools import cached_property
from typing import Literal, TypeAlias
from weakref import WeakValueDictionary

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray, IntArray, every
from attnviz.document.attending import Layer, attention_of_rows, kv_head_of, pinned_rows, row_of
from attnviz.document.errors import DocumentError
from attnviz.document.interventions import Interventions
from attnviz.document.masking import banned_cells, shows_mask
from attnviz.document.projection import key_matrix, query_matrix, value_matrix
from attnviz.document.state import State
from attnviz.engine import AttentionTrace, StreamedAttention

Stage: TypeAlias = Literal["scores", "scaled", "masked", "exponentials", "weights"]
STAGES: tuple[Stage, ...] = ("scores", "scaled", "masked", "exponentials", "weights")

_BLOCK_ROWS = 64  # of weights at a time, for sums over columns: as many as stay in the processor's cache

LEAST_LIMIT = 1e-300  # of a range of colours: one over it, times the number of colours, is still a float


def drawn_limit(largest: float) -> float:
    """Give the end of a range of colours: the largest magnitude, at least :data:`LEAST_LIMIT`; 1 where all is 0."""
    return max(largest, LEAST_LIMIT) if largest else 1.0


class Frame:
    """What is on screen: a state, one of its heads, and the attention computed from them.

    Up to 160 tokens the whole trace of a head is computed at once. Above that only what each row needs is
    (its maximum, normaliser and output), and cells are computed exactly, in float64, when asked for.

    Parameters
    ----------
    layer : Layer
        All heads of a document.
    head : int
        The head that is looked at, counted from 0.

    Attributes
    ----------
    state : State
        The document.
    q : (n_query, d_k) array
    k : (n_key, d_k) array
    v : (n_key, d_v) array
        What the head reads: projected embeddings, turned by their positions under rotary, with what is pinned
        in them; read-only.
    attention : AttentionTrace or StreamedAttention
        The engine's record of the head.
    """

    def __init__(self, layer: Layer, head: int = 0) -> None:
        self.layer, self.head, self.state = layer, head, layer.state
        chosen = layer.heads[head]
        self.q, self.k, self.v, self.attention = chosen.q, chosen.k, chosen.v, chosen.attention
        self._rows: dict[int, AttentionTrace] = {}
        # Weakly: a frame that held itself would wait, with all its arrays, for the garbage collector.
        self._siblings: WeakValueDictionary[int, Frame] = WeakValueDictionary({head: self})

    def at_head(self, head: int) -> Frame:
        """Give the frame of another head of the same layer; of the last one if there are not so many.

        It is one and the same object as long as somebody holds it.
        """
        head = min(head, len(self.layer.heads) - 1)
        other = self._siblings.get(head)
        if other is None:
            other = self._siblings[head] = Frame(self.layer, head)
            other._siblings = self._siblings
        return other

    @property
    def n_heads(self) -> int:
        """The number of query heads."""
        return len(self.layer.heads)

    @property
    def kv_head(self) -> int:
        """The key/value head that this head reads."""
        return kv_head_of(self.state, self.head)

    @cached_property
    def pins(self) -> Interventions:
        """The pinned numbers of this head."""
        return self.state.interventions.of_head(self.head, self.kv_head)

    @cached_property
    def w_q(self) -> FloatArray:
        """The columns of W_Q that make this head's queries, shape (d, d_k)."""
        return self._own_columns(query_matrix(self.state), self.head, self.state.d_k)

    @cached_property
    def w_k(self) -> FloatArray:
        """The columns of W_K that make this head's keys, shape (d, d_k)."""
        return self._own_columns(key_matrix(self.state), self.kv_head, self.state.d_k)

    @cached_property
    def w_v(self) -> FloatArray:
        """The columns of W_V that make this head's values, shape (d, d_v)."""
        return self._own_columns(value_matrix(self.state), self.kv_head, self.state.d_v)

    def _own_columns(self, matrix: FloatArray, index: int, width: int) -> FloatArray:
        if matrix.shape[1] == width:
            return matrix
        return matrix[:, index * width : (index + 1) * width]

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
        """The outputs y of this head, shape (n_query, d_v)."""
        return self.attention.output

    @property
    def layer_output(self) -> FloatArray:
        """The outputs of the layer, shape (n_query, d_out): the heads side by side, through W_O if there is one."""
        return self.layer.output

    @property
    def empty_rows(self) -> BoolArray:
        """Which rows see no key, shape (n_query,)."""
        return self.attention.empty_rows

    @cached_property
    def trace(self) -> AttentionTrace:
        """The whole trace; at large sizes it is computed when first asked for."""
        if isinstance(self.attention, AttentionTrace):
            return self.attention
        return self._trace_of(every(self.n_query))

    def row(self, query: int) -> AttentionTrace:
        """Give the trace of one query alone, shapes (1, n_key): a part of the whole trace where that is kept."""
        if query not in self._rows:
            self._rows[query] = self._row(query)
        return self._rows[query]

    def _row(self, query: int) -> AttentionTrace:
        if isinstance(self.attention, AttentionTrace):
            return row_of(self.attention, query)
        return self._trace_of(np.array([query]))

    def _trace_of(self, rows: IntArray) -> AttentionTrace:
        return attention_of_rows(self.state, self.head, self.layer.effect, (self.q, self.k, self.v), rows)

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

    def shows_mask(self, stage: Stage) -> bool:
        """Tell whether a stage has cells that the mask took away: from where the masking method acts."""
        return shows_mask(self.state, stage)

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
        if stage == "weights":  # which needs no look at the scores; dropout makes the kept ones larger
            kept = self.largest_weight if self.state.dropout else 1.0
            return max([1.0, kept, *(one.value for one in self.pins.of("weight"))])
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
            pinned = sorted({one.row for one in self.pins.of("weight")})
            is_computed = ~self.empty_rows
            is_computed[pinned] = False
            found = [float(self.row(row).weights.max()) for row in pinned]
            if is_computed.any():
                found.append(float(1.0 / self.attention.normaliser[is_computed].min()))
            largest = max(found, default=0.0)
        return drawn_limit(largest)

    @cached_property
    def _pinned_rows(self) -> frozenset[int]:
        """The rows that streaming does not know of."""
        return frozenset(pinned_rows(self.pins))

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
        return {"scores": raw, "scaled": scaled, "masked": self._masked_limit(scaled), "exponentials": 1.0}

    def _masked_limit(self, scaled: float) -> float:
        """Give the largest magnitude of what the softmax sees of allowed cells: another one under cap or bias."""
        trace = self.attention
        if isinstance(trace, StreamedAttention) or (trace.options.soft_cap is None and trace.options.bias is None):
            return scaled
        allowed = trace.options.allowed
        seen = np.abs(trace.masked if allowed is None else trace.masked[allowed])
        return float(seen.max()) if seen.size else scaled


def has_mixing(frame: Frame) -> bool:
    """Tell whether the output of the layer is more than that of one head: there are several, or a W_O."""
    return frame.n_heads > 1 or frame.state.w_o is not None


def compute(state: State) -> Frame:
    """Make the frame of a state: the one call of the engine.

    Raises
    ------
    DocumentError
        If the numbers of the state overflow a float64 on the way.
    """
    try:
        return Frame(Layer(state))
    except ValueError as error:
        raise DocumentError(str(error)) from error


def _is_all(indices: IntArray, count: int) -> bool:
    return len(indices) == count and bool((indices == every(count)).all())
