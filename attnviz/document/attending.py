"""How a state is put to the engine: whole, in rows, or streamed where the matrices would be too large to keep."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray, IntArray, every
from attnviz.document.interventions import Interventions
from attnviz.document.projection import keys, queries, values
from attnviz.document.state import State
from attnviz.engine import AttentionTrace, StreamedAttention, attend, causal_offset, stream

# Above this many cells the matrices are not kept whole: streaming rows through the cache, and computing
# the cells on screen when they are asked for, takes about half the time there.
EAGER_CELLS = 160 * 160

_ROW_BLOCK = 32


def projected(state: State) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give q, k and v of a state, shapes (n_query, d_k), (n_key, d_k) and (n_key, d_v), pinned entries put in."""
    q, k, v = queries(state), keys(state), values(state)
    pins = state.interventions
    if not pins:
        return q, k, v
    return pins.put_into("q", q), pins.put_into("k", k), pins.put_into("v", v)


def attention(state: State, q: FloatArray, k: FloatArray, v: FloatArray) -> AttentionTrace | StreamedAttention:
    """Let the queries of a state read the values: the whole trace, or at large sizes what each row needs."""
    n_query, n_key = len(q), len(k)
    if n_query * n_key <= EAGER_CELLS:
        return attention_of_rows(state, q, k, v, every(n_query))
    offset = causal_offset(n_query, n_key) if state.is_causal else None
    streamed = stream(q, k, v, scale=_scale(state), temperature=state.temperature, causal_offset=offset)
    pinned = pinned_rows(state.interventions)
    return _with_pinned_rows(streamed, state, pinned) if len(pinned) else streamed


def attention_of_rows(state: State, q: FloatArray, k: FloatArray, v: FloatArray, rows: IntArray) -> AttentionTrace:
    """Give the trace of some rows of a state, in the order asked for."""
    n_query, n_key = len(q), len(k)
    is_whole = len(rows) == n_query
    allowed = ~banned_cells(state, rows, every(n_key)) if state.is_causal else None
    pins = state.interventions
    return attend(
        q if is_whole else q[rows],
        k,
        v,
        scale=_scale(state),
        temperature=state.temperature,
        allowed=allowed,
        pinned_scores=pins.as_array("score", rows.tolist(), n_key) if pins else None,
        pinned_weights=pins.as_array("weight", rows.tolist(), n_key) if pins else None,
    )


def banned_cells(state: State, rows: IntArray, columns: IntArray) -> BoolArray:
    """Tell which cells at ``rows`` x ``columns`` the mask of a state bans."""
    if not state.is_causal:
        return np.zeros((len(rows), len(columns)), dtype=np.bool_)
    last_seen = rows[:, np.newaxis] + causal_offset(len(state.sequence), len(state.key_sequence))
    banned: BoolArray = columns[np.newaxis, :] > last_seen
    return banned


def pinned_rows(interventions: Interventions) -> list[int]:
    """List the rows with a pinned score or weight, which streaming does not know of."""
    return sorted({one.row for one in interventions.of("score", "weight")})


def row_of(trace: AttentionTrace, query: int) -> AttentionTrace:
    """Give one row of a whole trace as a trace of its own."""
    row, options = slice(query, query + 1), trace.options
    return replace(
        trace,
        q=trace.q[row],
        scores=trace.scores[row],
        scaled=trace.scaled[row],
        masked=trace.masked[row],
        row_max=trace.row_max[row],
        exponentials=trace.exponentials[row],
        normaliser=trace.normaliser[row],
        undropped=trace.undropped[row],
        weights=trace.weights[row],
        output=trace.output[row],
        empty_rows=trace.empty_rows[row],
        options=replace(
            options,
            allowed=None if options.allowed is None else options.allowed[row],
            pinned_scores=None if options.pinned_scores is None else options.pinned_scores[row],
            pinned_weights=None if options.pinned_weights is None else options.pinned_weights[row],
        ),
    )


def _with_pinned_rows(streamed: StreamedAttention, state: State, pinned: list[int]) -> StreamedAttention:
    """Exchange what was streamed of rows with a pinned score or weight for what comes of the pinned numbers."""
    row_max, normaliser, output = streamed.row_max.copy(), streamed.normaliser.copy(), streamed.output.copy()
    low, high = streamed.score_range
    for start in range(0, len(pinned), _ROW_BLOCK):
        rows = np.array(pinned[start : start + _ROW_BLOCK])
        trace = attention_of_rows(state, streamed.q, streamed.k, streamed.v, rows)
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


def _scale(state: State) -> str | float:
    return state.custom_multiplier if state.scale == "custom" else state.scale
