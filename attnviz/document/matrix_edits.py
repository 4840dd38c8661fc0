"""The edits of the matrices that a document is made of: one entry, a whole matrix, or a shape by one command.

Which matrices there are, says one table: whatever shows, pastes or shapes them iterates it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from attnviz.document.arrays import FloatArray, frozen_array
from attnviz.document.errors import DocumentError
from attnviz.document.frame import Frame
from attnviz.document.head_edits import use_w_o
from attnviz.document.matrices import Role
from attnviz.document.matrix_shapes import MATRIX_OPERATIONS, canonical
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import State


@dataclass(frozen=True, slots=True)
class EditableMatrix:
    """One matrix of a document that can be edited.

    Parameters
    ----------
    name : str
        The field of the state that holds it, and the kind of its numbers.
    symbol : str
        Its letter: ``W_Q``.
    label : str
        Its name in one or two words.
    role : Role
        What it is, which chooses its colours.
    row, column : str
        What its rows and columns count: "coordinate", "d_k".
    twin : str
        The matrix that must have the same shape; empty for none.
    is_vector : bool
        Whether the field has one axis only, and is shown as a matrix of one row.
    is_optional : bool
        Whether a document may be without it.
    """

    name: str
    symbol: str
    label: str
    role: Role
    row: str
    column: str
    twin: str = ""
    is_vector: bool = False
    is_optional: bool = False

    def of(self, state: State) -> FloatArray | None:
        """Give the matrix as it is written down, shape (rows, columns); ``None`` where a document has none."""
        written: FloatArray | None = getattr(state, self.name)
        return written[np.newaxis] if written is not None and self.is_vector else written

    def tie(self, state: State) -> str:
        """Name the matrix that acts in the place of this one; empty where it acts itself."""
        return EDITABLE_MATRICES[self.twin].symbol if self.name == "w_k" and state.is_tied else ""

    def shown(self, state: State) -> FloatArray | None:
        """Give the matrix to show, shape (rows, columns): of a tied one the entries it is tied to."""
        return EDITABLE_MATRICES[self.twin].of(state) if self.tie(state) else self.of(state)

    def acting_columns(self, state: State, n_columns: int) -> int:
        """Say how many of its columns act: those that all heads need."""
        if self.tie(state):
            return 0
        return min(n_columns, _head_width(state, self.column) * _heads(state, self.column) or n_columns)

    def ref(self, frame: Frame, row: int, column: int) -> NumberRef | None:
        """Name the number in a cell, as the head that is looked at knows it; ``None`` where it belongs to another."""
        width = _head_width(frame.state, self.column)
        head, own = divmod(column, width) if width else (0, column)
        if width and head != (frame.head if self.column == "query channel" else frame.kv_head):
            return None
        return NumberRef(self.name, (own,) if self.is_vector else (row, own))

    def place(self, frame: Frame, ref: NumberRef) -> tuple[int, int] | None:
        """Give the cell of a number of the head that is looked at; ``None`` if it is of another matrix."""
        if ref.kind != self.name:
            return None
        head = frame.head if self.column == "query channel" else frame.kv_head
        column = ref.indices[-1] + head * _head_width(frame.state, self.column)
        return 0 if self.is_vector else ref.indices[0], column


def _head_width(state: State, column: str) -> int:
    """Give how many columns a head takes; 0 where the columns belong to no head."""
    return {"query channel": state.d_k, "key channel": state.d_k, "value channel": state.d_v}.get(column, 0)


def _heads(state: State, column: str) -> int:
    return state.n_heads if column == "query channel" else state.n_kv_heads


_TABLE = (
    EditableMatrix("w_q", "W_Q", "query matrix", "query", "coordinate", "query channel", twin="w_k"),
    EditableMatrix("w_k", "W_K", "key matrix", "key", "coordinate", "key channel", twin="w_q"),
    EditableMatrix("w_v", "W_V", "value matrix", "value", "coordinate", "value channel"),
    EditableMatrix("w_o", "W_O", "output matrix", "output", "channel", "output coordinate", is_optional=True),
    EditableMatrix("b_q", "b_Q", "query bias", "query", "", "query channel", is_vector=True, is_optional=True),
    EditableMatrix("b_k", "b_K", "key bias", "key", "", "key channel", is_vector=True, is_optional=True),
    EditableMatrix("b_v", "b_V", "value bias", "value", "", "value channel", is_vector=True, is_optional=True),
    EditableMatrix("b_o", "b_O", "output bias", "output", "", "output coordinate", is_vector=True, is_optional=True),
)
EDITABLE_MATRICES: Mapping[str, EditableMatrix] = MappingProxyType({matrix.name: matrix for matrix in _TABLE})
OPTIONAL_MATRICES = {matrix.name: matrix for matrix in _TABLE if matrix.is_optional}


def editable_matrices_of(state: State) -> tuple[tuple[EditableMatrix, FloatArray], ...]:
    """List the matrices that a document has, each with the entries to show, shape (rows, columns)."""
    found = ((matrix, matrix.shown(state)) for matrix in EDITABLE_MATRICES.values())
    return tuple([(matrix, array) for matrix, array in found if array is not None])


def set_matrix_entry(state: State, name: str, row: int, column: int, value: float) -> State:
    """Set one entry of the matrix ``name``."""
    matrix, array = _named(state, name)
    for subject, index, count in (("row", row, array.shape[0]), ("column", column, array.shape[1])):
        if not 0 <= index < count:
            raise DocumentError(f"a {subject} of {matrix.symbol} must be 1 to {count}, got {index + 1}")
    if not math.isfinite(value):
        raise DocumentError(f"an entry of {matrix.symbol} must be a finite number, got {value}")
    changed = array.copy()
    changed[row, column] = value + 0.0
    return _with(state, matrix, changed)


def set_matrix(state: State, name: str, entries: ArrayLike) -> State:
    """Put other entries in the place of the matrix ``name``.

    A matrix whose shape its twin must have keeps that shape.
    """
    matrix, array = _named(state, name)
    given = frozen_array(entries, name=matrix.symbol, ndim=2)
    if matrix.is_vector and given.shape[1] == 1:
        given = given.T
    if given.shape[0] != array.shape[0]:
        raise DocumentError(
            f"{matrix.symbol} must have {array.shape[0]} row{'s' * (array.shape[0] > 1)}, one for each {matrix.row}, "
            f"got shape {given.shape}"
        )
    if matrix.twin and given.shape != array.shape:
        twin = EDITABLE_MATRICES[matrix.twin]
        raise DocumentError(f"{matrix.symbol} must keep the shape of {twin.symbol}, {array.shape}, got {given.shape}")
    return _with(state, matrix, given + 0.0)


def shape_matrix(state: State, name: str, operation: str, value: float | None = None) -> State:
    """Give the matrix ``name`` a shape by one of the ``MATRIX_OPERATIONS``, with the number it asks for."""
    matrix, array = _named(state, name)
    if operation not in MATRIX_OPERATIONS:
        raise DocumentError(f"an operation must be one of {', '.join(MATRIX_OPERATIONS)}, got {operation!r}")
    return _with(state, matrix, MATRIX_OPERATIONS[operation].apply(array, value))


def turn_matrix(state: State, name: str, start: FloatArray, degrees: float) -> State:
    """Make the matrix ``name`` what it was when a gesture began, turned by the angle that it has come to since.

    Parameters
    ----------
    state : State
        The present state.
    name : str
        Which matrix.
    start : (rows, columns) array
        Its entries when the gesture began.
    degrees : float
        The angle since then, counter-clockwise.
    """
    matrix, array = _named(state, name)
    if start.shape != array.shape:
        raise DocumentError(f"{matrix.symbol} must keep its shape {array.shape} while it is turned, got {start.shape}")
    return _with(state, matrix, MATRIX_OPERATIONS["rotation"].apply(start, degrees))


def add_matrix(state: State, name: str) -> State:
    """Give a layer an optional matrix: a bias of zeros, or a W_O that is the identity and changes nothing yet."""
    _check_optional(name)
    if getattr(state, name) is not None:
        return state
    if name == "w_o":
        return use_w_o(state, "identity", state.seed)
    if name == "b_o" and state.w_o is None:
        raise DocumentError("b_O must be added to W_O, got a layer without one")
    wide = {"b_q": state.w_q, "b_k": state.w_k, "b_v": state.w_v, "b_o": state.w_o}[name]
    return replace(state, **{name: np.zeros(0 if wide is None else wide.shape[1])})  # type: ignore[arg-type]  # a bias


def remove_matrix(state: State, name: str) -> State:
    """Take an optional matrix out of a layer; with W_O its bias goes too."""
    _check_optional(name)
    if name == "w_o":
        return use_w_o(state, "none", state.seed)
    return replace(state, **{name: None})  # type: ignore[arg-type]  # a bias may be missing


def _check_optional(name: str) -> None:
    if name not in OPTIONAL_MATRICES:
        raise DocumentError(f"a part of a layer must be one of {', '.join(OPTIONAL_MATRICES)}, got {name!r}")


def tied_sentence(matrix: EditableMatrix) -> str:
    """Say why a tied matrix takes no edit."""
    return f"{matrix.symbol} must be untied before it is changed, got one that is tied to {matrix.twin.upper()}"


def _named(state: State, name: str) -> tuple[EditableMatrix, FloatArray]:
    if name not in EDITABLE_MATRICES:
        raise DocumentError(f"a matrix must be one of {', '.join(EDITABLE_MATRICES)}, got {name!r}")
    matrix = EDITABLE_MATRICES[name]
    array = matrix.of(state)
    if array is None:
        raise DocumentError(f"a matrix to edit must be in the document, got {matrix.symbol}, which is not")
    if matrix.tie(state):
        raise DocumentError(tied_sentence(matrix))
    return matrix, array


def _with(state: State, matrix: EditableMatrix, array: FloatArray) -> State:
    checked = frozen_array(array, name=matrix.symbol, ndim=2)
    return replace(state, **{matrix.name: checked[0] if matrix.is_vector else canonical(checked)})  # type: ignore[arg-type]  # the field's own type
