"""How a state is put to the engine: head by head, whole, in rows, or streamed where matrices would be too large."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from attnviz.document.arrays import BoolArray, FloatArray, IntArray, every
from attnviz.document.dropout import kept_in_rows
from attnviz.document.interventions import Interventions
from attnviz.document.masking import allowed_cells, banned_cells, diagonal_of
from attnviz.document.positions import effect_of
from attnviz.document.projection import keys, queries, values
from attnviz.document.state import State
from attnviz.engine import AttentionTrace, PositionEffect, Rotary, StreamedAttention, attend, rotary, stream

T = TypeVar("T", bound=np.generic)

# Above this many cells the matrices are not kept whole: streaming rows through the cache, and computing
# the cells on screen when they are asked for, takes about half the time there.
EAGER_CELLS = 160 * 160
# What cannot be streamed is kept whole whatever its size, up to this many cells of all heads together.
MOST_WHOLE_CELLS = 1 << 25

_ROW_BLOCK = 32


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """One head: what it reads, and what the engine made of it.

    Parameters
    ----------
    q : (n_query, d_k) array
        Its queries as they meet the keys: turned by their positions under rotary, pinned entries put in.
    k : (n_key, d_k) array
        Its keys, likewise.
    v : (n_key, d_v) array
        Its values, pinned entries put in.
    attention : AttentionTrace or StreamedAttention
        The engine's record.
    """

    q: FloatArray
    k: FloatArray
    v: FloatArray
    attention: AttentionTrace | StreamedAttention


class Layer:
    """The whole attention layer of a state, with all of its heads.

    Parameters
    ----------
    state : State
        The document.

    Raises
    ------
    ValueError
        If a product overflows, or positions do not fit the encoding.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.effect: PositionEffect = effect_of(state)
        self.inputs = _sum(state.sequence.embeddings, self.effect.added)
        added = self.effect.context_added
        is_self = state.context is None
        self.context_inputs = self.inputs if is_self else _sum(state.key_sequence.embeddings, added)
        self.queries = queries(state, self.inputs)
        self.keys = keys(state, self.context_inputs)
        self.values = values(state, self.context_inputs)
        self._check_size()
        self.heads = tuple([self._head(index) for index in range(state.n_heads)])
        self.output = self._output()

    @cached_property
    def concatenated(self) -> FloatArray:
        """The outputs of the heads side by side, shape (n_query, h * d_v)."""
        if len(self.heads) == 1:
            return self.heads[0].attention.output
        return _frozen(np.hstack([head.attention.output for head in self.heads]))

    def contribution(self, head: int) -> FloatArray:
        """Give what a head adds to the output of the layer, shape (n_query, d_out).

        With W_O its output times its own rows of W_O; without W_O it fills its own channels and leaves the others 0.
        The sum over the heads, plus b_o, is the output.
        """
        d_v = self.state.d_v
        own = slice(head * d_v, (head + 1) * d_v)
        made = self.heads[head].attention.output
        if self.state.w_o is not None:
            return _product(made, self.state.w_o[own])  # (n, d_v) @ (d_v, d_out) -> (n, d_out)
        whole = np.zeros((len(made), d_v * len(self.heads)))
        whole[:, own] = made
        return _frozen(whole)

    def plain_qk(self, head: int) -> tuple[FloatArray, FloatArray]:
        """Give the queries and keys of a head before positions turn them, shapes (n_query, d_k) and (n_key, d_k)."""
        d_k, kv_head = self.state.d_k, kv_head_of(self.state, head)
        return _columns(self.queries, head, d_k), _columns(self.keys, kv_head, d_k)

    def _head(self, index: int) -> Head:
        state, kv_head = self.state, kv_head_of(self.state, index)
        q, k = self.plain_qk(index)
        v = _columns(self.values, kv_head, state.d_v)
        turn = self.effect.rotary
        if turn is not None:
            q, k = _turned(q, turn, of_keys=False), _turned(k, turn, of_keys=True)
        pins = state.interventions.of_head(index, kv_head)
        if pins:
            q, k, v = pins.put_into("q", q), pins.put_into("k", k), pins.put_into("v", v)
        return Head(q, k, v, _attention(state, index, self.effect, (q, k, v), pins))

    def _output(self) -> FloatArray:
        state = self.state
        if state.w_o is None:
            return self.concatenated
        output = _product(self.concatenated, state.w_o)  # (n, h * d_v) @ (h * d_v, d_out) -> (n, d_out)
        output = _sum(output, state.b_o)
        if not np.isfinite(output).all():
            raise ValueError("the product with W_O must stay below 1.8e308 in magnitude, got one that overflows")
        return output

    def _check_size(self) -> None:
        """Refuse what can neither be streamed nor be kept whole."""
        state = self.state
        n_query, n_key, heads = len(self.queries), len(self.keys), state.n_heads
        if n_query * n_key > EAGER_CELLS and not _can_stream(state, self.effect):
            cells = heads * n_query * n_key
            if cells > MOST_WHOLE_CELLS:
                raise ValueError(
                    f"softmax, mask and positions of this kind must have at most {MOST_WHOLE_CELLS:,} scores, "
                    f"got {heads} · {n_query:,} · {n_key:,} = {cells:,}"
                )


def kv_head_of(state: State, head: int) -> int:
    """Give the key/value head that a query head reads."""
    return head // (state.n_heads // state.n_kv_heads)


def sink_of(state: State, head: int) -> float | None:
    """Give the sink logit of a head; ``None`` where there is none."""
    if not state.has_sink:
        return None
    return 0.0 if state.sinks is None or head >= len(state.sinks) else float(state.sinks[head])


def kept_weights(state: State, head: int, rows: IntArray) -> BoolArray:
    """Tell which weights of some rows dropout keeps, True = kept, shape (n_rows, n_key)."""
    return kept_in_rows(state.dropout_seed, head, state.dropout, len(state.key_sequence), rows)


def attention_of_rows(
    state: State, head: int, effect: PositionEffect, qkv: tuple[FloatArray, FloatArray, FloatArray], rows: IntArray
) -> AttentionTrace:
    """Give the trace of some rows of a head, in the order asked for."""
    q, k, v = qkv
    n_query, n_key = len(q), len(k)
    is_whole = len(rows) == n_query
    allowed = _allowed(state, rows, is_whole=is_whole) if state.has_mask else None
    pins = state.interventions.of_head(head, kv_head_of(state, head))
    bias = None if effect.bias is None else effect.bias[head]
    return attend(
        q if is_whole else q[rows],
        k,
        v,
        scale=scale_of(state),
        temperature=state.temperature,
        allowed=allowed,
        bias=bias if bias is None or is_whole else bias[rows],
        masking=state.masking,
        softmax=state.softmax,
        sink=sink_of(state, head),
        dropout=(kept_weights(state, head, rows), state.dropout) if state.dropout else None,
        soft_cap=state.soft_cap or None,
        pinned_scores=pins.as_array("score", rows.tolist(), n_key) if pins else None,
        pinned_weights=pins.as_array("weight", rows.tolist(), n_key) if pins else None,
    )


def pinned_rows(interventions: Interventions) -> list[int]:
    """List the rows with a pinned score or weight, which streaming does not know of."""
    return sorted({one.row for one in interventions.of("score", "weight")})


def row_of(trace: AttentionTrace, query: int) -> AttentionTrace:
    """Give one row of a whole trace as a trace of its own."""
    row, options = slice(query, query + 1), trace.options
    is_by_row = options.softmax != "columns"  # else there is one maximum and one sum a column
    return replace(
        trace,
        q=trace.q[row],
        scores=trace.scores[row],
        scaled=trace.scaled[row],
        masked=trace.masked[row],
        row_max=trace.row_max[row] if is_by_row else trace.row_max,
        exponentials=trace.exponentials[row],
        normaliser=trace.normaliser[row] if is_by_row else trace.normaliser,
        undropped=trace.undropped[row],
        weights=trace.weights[row],
        output=trace.output[row],
        empty_rows=trace.empty_rows[row],
        options=replace(
            options,
            allowed=_row(options.allowed, row),
            bias=_row(options.bias, row),
            keep=_row(options.keep, row),
            pinned_scores=_row(options.pinned_scores, row),
            pinned_weights=_row(options.pinned_weights, row),
        ),
    )


def scale_of(state: State) -> str | float:
    """Give the scale rule's name, or the factor that was typed."""
    return state.custom_multiplier if state.scale == "custom" else state.scale


def _attention(
    state: State,
    head: int,
    effect: PositionEffect,
    qkv: tuple[FloatArray, FloatArray, FloatArray],
    pins: Interventions,
) -> AttentionTrace | StreamedAttention:
    """Let the queries of a head read the values: the whole trace, or at large sizes what each row needs."""
    q, k, v = qkv
    n_query, n_key = len(q), len(k)
    if n_query * n_key <= EAGER_CELLS or not _can_stream(state, effect):
        return attention_of_rows(state, head, effect, qkv, every(n_query))
    offset = diagonal_of(state)
    is_array = state.has_mask and (offset is None or state.padding is not None)
    streamed = stream(
        q,
        k,
        v,
        scale=scale_of(state),
        temperature=state.temperature,
        allowed=allowed_cells(state) if is_array else None,
        causal_offset=offset,
    )
    pinned = pinned_rows(pins)
    return _with_pinned_rows(streamed, state, head, effect, pinned) if len(pinned) else streamed


def _allowed(state: State, rows: IntArray, *, is_whole: bool) -> BoolArray | None:
    """Tell which keys some queries may see; a small whole mask is made once for all heads and frames."""
    n_key = len(state.key_sequence)
    if is_whole and len(rows) * n_key <= EAGER_CELLS:
        return allowed_cells(state)
    return ~banned_cells(state, rows, every(n_key))


def _can_stream(state: State, effect: PositionEffect) -> bool:
    is_plain = state.softmax == "standard" and not (state.has_sink or state.soft_cap or state.dropout)
    return is_plain and effect.bias is None and (not state.has_mask or state.masking == "before")


def _with_pinned_rows(
    streamed: StreamedAttention, state: State, head: int, effect: PositionEffect, pinned: list[int]
) -> StreamedAttention:
    """Exchange what was streamed of rows with a pinned score or weight for what comes of the pinned numbers."""
    row_max, normaliser, output = streamed.row_max.copy(), streamed.normaliser.copy(), streamed.output.copy()
    low, high = streamed.score_range
    for start in range(0, len(pinned), _ROW_BLOCK):
        rows = np.array(pinned[start : start + _ROW_BLOCK])
        trace = attention_of_rows(state, head, effect, (streamed.q, streamed.k, streamed.v), rows)
        row_max[rows], normaliser[rows], output[rows] = trace.row_max, trace.normaliser, trace.output
        low, high = min(low, float(trace.scores.min())), max(high, float(trace.scores.max()))
    for array in (row_max, normaliser, output):
        array.flags.writeable = False
    least, most = sorted((low * streamed.multiplier, high * streamed.multiplier))
    return replace(
        streamed,
        row_max=row_max,
        normaliser=normaliser,
        output=output,
        score_range=(low, high),
        scaled_range=(least, most),
    )


def _turned(rows: FloatArray, turn: Rotary, *, of_keys: bool) -> FloatArray:
    """Turn the rows of one side by their positions."""
    positions = turn.context_positions if of_keys else turn.positions
    assert positions is not None, "a document says where every token stands"
    return _frozen(rotary(rows, positions, turn.base, turn.pairing, turn.width))


def _columns(whole: FloatArray, index: int, width: int) -> FloatArray:
    """Give the channels of a head; the whole array where that is all of it."""
    if whole.shape[1] == width:
        return whole
    return _frozen(np.ascontiguousarray(whole[:, index * width : (index + 1) * width]))


def _sum(rows: FloatArray, added: FloatArray | None) -> FloatArray:
    if added is None:
        return rows
    with np.errstate(over="ignore"):  # what is not finite is refused by who asks
        return _frozen(rows + added)


def _product(rows: FloatArray, matrix: FloatArray) -> FloatArray:
    with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is refused by who asks
        return _frozen(rows @ matrix)


def _frozen(array: FloatArray) -> FloatArray:
    array.flags.writeable = False
    return array


def _row(array: NDArray[T] | None, row: slice) -> NDArray[T] | None:
    return None if array is None else array[row]
