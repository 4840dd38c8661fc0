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
from attnviz.document.frame import Frame, Stage, drawn_limit
from attnviz.document.number_ref import NumberRef

AxisName: TypeAlias = Literal["query", "key", "coordinate", "d_k", "d_v", "channel", "d_out"]
Role: TypeAlias = Literal["embedding", "query", "key", "value", "score", "share", "output"]


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

    def shape(self, frame: Frame) -> tuple[int, int]:
        """Give the numbers of its rows and columns."""
        return axis_size(frame, self.rows), axis_size(frame, self.columns)

    def formula_in(self, frame: Frame) -> str:
        """Give the formula as it reads in a frame: keys and values come from the context where there is one."""
        if self.name == "layer_output":
            return _formula_of_output(frame)
        is_of_context = frame.state.context is not None and self.name in ("k", "v")
        return self.formula.replace("X", "C") if is_of_context else self.formula

    def ref(self, row: int, column: int) -> NumberRef:
        """Name the number in a cell."""
        return NumberRef(self.name, (row, column))


def matrices_of(frame: Frame) -> tuple[Matrix, ...]:
    """List the matrices of a frame from left to right, those of them that it has.

    The context's embeddings are there only in cross-attention; the heads side by side and the output of the layer only
    where there are several heads or a W_O.
    """
    left_out = set() if frame.state.context is not None else {"context"}
    if frame.state.w_o is None:
        left_out |= {"w_o"} if frame.n_heads > 1 else {"concatenated", "w_o", "layer_output"}
    return tuple(matrix for matrix in MATRICES if matrix.name not in left_out)


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
) -> Matrix:
    """Describe a matrix that a frame keeps whole."""

    def read(frame: Frame, rows: IntArray, columns: IntArray) -> FloatArray:
        part: FloatArray = array(frame)[np.ix_(rows, columns)]
        return part

    def limit(frame: Frame) -> float:
        return drawn_limit(float(np.abs(array(frame)).max()))

    return Matrix(name, symbol, label, formula, role, *axes, read, limit)


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


def _formula_of_output(frame: Frame) -> str:
    """Write the last product, or say that there is none."""
    if frame.state.w_o is None:
        return "O = H, without W_O"
    return "O = H W_O" if frame.state.b_o is None else "O = H W_O + b_O"


MATRICES = (
    _plain("X", "embeddings", "X: one row a token", "embedding", ("query", "coordinate"), _sequence, "x"),
    _plain("C", "context", "C: one row a token that answers", "embedding", ("key", "coordinate"), _context, "context"),
    _plain("W_Q", "query matrix", "W_Q: from embeddings to queries", "query", ("coordinate", "d_k"), _w_q, "w_q"),
    _plain("W_K", "key matrix", "W_K: from embeddings to keys", "key", ("coordinate", "d_k"), _w_k, "w_k"),
    _plain("W_V", "value matrix", "W_V: from embeddings to values", "value", ("coordinate", "d_v"), _w_v, "w_v"),
    _plain("Q", "queries", "Q = X W_Q", "query", ("query", "d_k"), _q, "q"),
    _plain("K", "keys", "K = X W_K", "key", ("key", "d_k"), _k, "k"),
    _plain("V", "values", "V = X W_V", "value", ("key", "d_v"), _v, "v"),
    _stage("score", "scores", "S", "scores", "S = Q Kᵀ", "score"),
    _stage("scaled", "scaled", "Z", "scaled scores", "Z = S · multiplier", "score"),
    _stage("masked", "masked", "Z′", "masked scores", "Z′ = Z, −∞ where the mask bans", "score"),
    _stage("exponential", "exponentials", "E", "exponentials", "E = exp(Z′ − row maximum)", "share"),
    _stage("weight", "weights", "A", "weights", "A = E ÷ row sum of E", "share"),
    _plain("Y", "outputs", "Y = A V", "output", ("query", "d_v"), _output, "output"),
    _plain("H", "concatenated", "H = Y of every head", "output", ("query", "channel"), _concatenated, "concatenated"),
    _plain("W_O", "output matrix", "W_O: mixes the heads", "output", ("channel", "d_out"), _w_o, "w_o"),
    _plain("O", "layer output", "O = H W_O", "output", ("query", "d_out"), _layer_output, "layer_output"),
)
MATRICES_BY_NAME = {matrix.name: matrix for matrix in MATRICES}
