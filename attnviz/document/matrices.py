"""The matrices of one pass from embeddings to outputs, in their order: names, axes, numbers and drawn ranges.

Whatever walks through all of them (the stage strip, the table) iterates :func:`matrices_of`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np

from attnviz.document.arrays import FloatArray, IntArray, identity
from attnviz.document.formulas import formula_in
from attnviz.document.frame import Frame, Stage, drawn_limit, has_mixing
from attnviz.document.number_ref import NumberRef

AxisName: TypeAlias = Literal["query", "key", "coordinate", "d_k", "d_v", "channel", "d_out"]
Role: TypeAlias = Literal["embedding", "query", "key", "value", "score", "share", "output"]


def _always(_frame: Frame) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Matrix:
    """One matrix of the pass.

    Parameters
    ----------
    name : str
        The kind of its numbers, as in :class:`NumberRef`.
    symbol : str
        Its letter: ``W_Q``.
    label : str
        Its name in one or two words.
    formula : str
        Where it comes from, on one line.
    role : Role
        What it is, which chooses its colours.
    rows, columns : AxisName
        What its rows and columns count.
    read : callable
        Gives the numbers of a frame where some rows and columns cross, exact, shape (n_rows, n_columns).
    limit : callable
        Gives the magnitude that has the strongest colour: above 0, finite, never below a finite entry.
    is_in : callable
        Tells whether a frame has it.
    """

    name: str
    symbol: str
    label: str
    formula: str
    role: Role
    rows: AxisName
    columns: AxisName
    read: Callable[[Frame, IntArray, IntArray], FloatArray]
    limit: Callable[[Frame], float]
    is_in: Callable[[Frame], bool] = _always

    def shape(self, frame: Frame) -> tuple[int, int]:
        """Give the numbers of its rows and columns."""
        return axis_size(frame, self.rows), axis_size(frame, self.columns)

    def formula_in(self, frame: Frame) -> str:
        """Give the formula as it reads in a frame: keys and values come from the context where there is one."""
        return formula_in(frame, self.name, self.formula)

    def ref(self, row: int, column: int) -> NumberRef:
        """Name the number in a cell."""
        return NumberRef(self.name, (row, column))


def matrices_of(frame: Frame) -> tuple[Matrix, ...]:
    """List the matrices of a frame from left to right, those of them that it has."""
    return tuple(matrix for matrix in MATRICES if matrix.is_in(frame))


def axis_size(frame: Frame, axis: AxisName) -> int:
    """Count the entries along an axis."""
    sizes: dict[AxisName, int] = {
        "query": frame.n_query,
        "key": frame.n_key,
        "coordinate": frame.state.width,
        "d_k": frame.state.d_k,
        "d_v": frame.v.shape[1],
        "channel": frame.n_heads * frame.state.d_v,
        "d_out": frame.layer_output.shape[1],
    }
    return sizes[axis]


def axis_labels(frame: Frame, axis: AxisName) -> tuple[str, ...]:
    """Name the entries along an axis: tokens, or coordinates counted from 1."""
    if axis == "query":
        return frame.query_tokens
    if axis == "key":
        return frame.key_tokens
    return _counted(axis_size(frame, axis))


def axis_colours(frame: Frame, axis: AxisName) -> tuple[int, ...] | None:
    """Give the places of an axis' tokens among the colours of tokens; ``None`` for coordinates."""
    if axis == "query":
        return _places(0, frame.n_query)
    if axis == "key":
        first = 0 if frame.state.context is None else frame.n_query
        return _places(first, first + frame.n_key)
    return None


@lru_cache(maxsize=64)
def _places(first: int, end: int) -> tuple[int, ...]:
    """Give the places from one to another; the same tuple every time, so that comparing it costs nothing."""
    return tuple(range(first, end))


@lru_cache(maxsize=16)
def _counted(count: int) -> tuple[str, ...]:
    return tuple(str(place) for place in range(1, count + 1))


def _plain(
    symbol: str,
    label: str,
    formula: str,
    role: Role,
    axes: tuple[AxisName, AxisName],
    array: Callable[[Frame], FloatArray],
    name: str,
    is_in: Callable[[Frame], bool] = _always,
) -> Matrix:
    """Describe a matrix that a frame keeps whole."""

    def read(frame: Frame, rows: IntArray, columns: IntArray) -> FloatArray:
        part: FloatArray = array(frame)[np.ix_(rows, columns)]
        return part

    def limit(frame: Frame) -> float:
        return drawn_limit(float(np.abs(array(frame)).max()))

    return Matrix(name, symbol, label, formula, role, *axes, read, limit, is_in)


def _stage(name: str, stage: Stage, symbol: str, label: str, formula: str, role: Role) -> Matrix:
    """Describe a matrix with a cell for each query and key."""

    def read(frame: Frame, rows: IntArray, columns: IntArray) -> FloatArray:
        return frame.cells(stage, rows, columns)

    def limit(frame: Frame) -> float:
        return frame.limit(stage)

    return Matrix(name, symbol, label, formula, role, "query", "key", read, limit)


def _sequence(frame: Frame) -> FloatArray:
    return frame.state.sequence.embeddings


def _context(frame: Frame) -> FloatArray:
    return frame.state.key_sequence.embeddings


def _has_context(frame: Frame) -> bool:
    return frame.state.context is not None


def _added(frame: Frame) -> FloatArray:
    added = frame.layer.effect.added
    return np.zeros((frame.n_query, frame.state.width)) if added is None else added


def _context_added(frame: Frame) -> FloatArray:
    added = frame.layer.effect.context_added
    return np.zeros((frame.n_key, frame.state.width)) if added is None else added


def _inputs(frame: Frame) -> FloatArray:
    return frame.layer.inputs


def _context_inputs(frame: Frame) -> FloatArray:
    return frame.layer.context_inputs


def _adds_positions(frame: Frame) -> bool:
    return frame.layer.effect.added is not None


def _adds_positions_to_context(frame: Frame) -> bool:
    return _has_context(frame) and _adds_positions(frame)


def _bias(frame: Frame) -> FloatArray:
    bias = frame.layer.effect.bias
    return np.zeros((frame.n_query, frame.n_key)) if bias is None else bias[frame.head]


def _has_bias(frame: Frame) -> bool:
    return frame.layer.effect.bias is not None


def _undropped(frame: Frame) -> FloatArray:
    return frame.trace.undropped


def _has_dropout(frame: Frame) -> bool:
    return frame.state.dropout > 0.0


def _w_q(frame: Frame) -> FloatArray:
    return frame.w_q


def _w_k(frame: Frame) -> FloatArray:
    return frame.w_k


def _w_v(frame: Frame) -> FloatArray:
    return frame.w_v


def _q(frame: Frame) -> FloatArray:
    return frame.q


def _k(frame: Frame) -> FloatArray:
    return frame.k


def _v(frame: Frame) -> FloatArray:
    return frame.v


def _output(frame: Frame) -> FloatArray:
    return frame.output


def _concatenated(frame: Frame) -> FloatArray:
    return frame.layer.concatenated


def _w_o(frame: Frame) -> FloatArray:
    written = frame.state.w_o
    return identity(frame.n_heads * frame.state.d_v) if written is None else written


def _layer_output(frame: Frame) -> FloatArray:
    return frame.layer_output


def _has_w_o(frame: Frame) -> bool:
    return frame.state.w_o is not None


_TOKENS: tuple[AxisName, AxisName] = ("query", "coordinate")
_CONTEXT: tuple[AxisName, AxisName] = ("key", "coordinate")
_CELLS: tuple[AxisName, AxisName] = ("query", "key")
_WAVES = "sin, cos of position · base^(−2i/d)"

MATRICES = (
    _plain("X", "embeddings", "X: one row a token", "embedding", _TOKENS, _sequence, "x"),
    _plain("P", "positions", f"P: {_WAVES}", "embedding", _TOKENS, _added, "position", _adds_positions),
    _plain("X′", "inputs", "X′ = X + P", "embedding", _TOKENS, _inputs, "input", _adds_positions),
    _plain("C", "context", "C: one row a token that answers", "embedding", _CONTEXT, _context, "context", _has_context),
    _plain(
        *("P_C", "positions of the context", f"P_C: {_WAVES}", "embedding", _CONTEXT, _context_added),
        *("context_position", _adds_positions_to_context),
    ),
    _plain(
        *("C′", "inputs of the context", "C′ = C + P_C", "embedding", _CONTEXT, _context_inputs),
        *("context_input", _adds_positions_to_context),
    ),
    _plain("W_Q", "query matrix", "W_Q: from embeddings to queries", "query", ("coordinate", "d_k"), _w_q, "w_q"),
    _plain("W_K", "key matrix", "W_K: from embeddings to keys", "key", ("coordinate", "d_k"), _w_k, "w_k"),
    _plain("W_V", "value matrix", "W_V: from embeddings to values", "value", ("coordinate", "d_v"), _w_v, "w_v"),
    _plain("Q", "queries", "Q = X W_Q", "query", ("query", "d_k"), _q, "q"),
    _plain("K", "keys", "K = X W_K", "key", ("key", "d_k"), _k, "k"),
    _plain("V", "values", "V = X W_V", "value", ("key", "d_v"), _v, "v"),
    _stage("score", "scores", "S", "scores", "S = Q Kᵀ", "score"),
    _stage("scaled", "scaled", "Z", "scaled scores", "Z = S · multiplier", "score"),
    _plain("B", "biases of distances", "B = −slope · distance", "score", _CELLS, _bias, "bias", _has_bias),
    _stage("masked", "masked", "Z′", "masked scores", "Z′ = Z, −∞ where the mask bans", "score"),
    _stage("exponential", "exponentials", "E", "exponentials", "E = exp(Z′ − row maximum)", "share"),
    _plain(
        "A°", "weights before dropout", "A° = E ÷ row sum of E", "share", _CELLS, _undropped, "undropped", _has_dropout
    ),
    _stage("weight", "weights", "A", "weights", "A = E ÷ row sum of E", "share"),
    _plain("Y", "outputs", "Y = A V", "output", ("query", "d_v"), _output, "output"),
    _plain(
        "H",
        "concatenated",
        "H = Y of every head",
        "output",
        ("query", "channel"),
        _concatenated,
        "concatenated",
        has_mixing,
    ),
    _plain("W_O", "output matrix", "W_O: mixes the heads", "output", ("channel", "d_out"), _w_o, "w_o", _has_w_o),
    _plain("O", "layer output", "O = H W_O", "output", ("query", "d_out"), _layer_output, "layer_output", has_mixing),
)
MATRICES_BY_NAME = {matrix.name: matrix for matrix in MATRICES}
