"""What in a frame follows from pinned numbers, so that it can be marked and never passes for computed.

Pinned itself is a cell that somebody set; affected is one that would be another number without a pin.
"""

from __future__ import annotations

import numpy as np

from attnviz.document.arrays import BoolArray, IntArray, every
from attnviz.document.frame import Frame
from attnviz.document.matrices import MATRICES_BY_NAME
from attnviz.document.number_ref import NumberRef

_SCORES = ("score", "scaled", "masked")
_ROW_NUMBERS = ("row_max", "normaliser", "row_sum", "entropy", "effective_keys", "largest_weight")


def is_anything_pinned(frame: Frame) -> bool:
    """Tell whether any pinned number is in force; one in a column beyond d_k is not."""
    d_k = frame.state.d_k
    return any(one.kind not in ("q", "k") or one.column < d_k for one in frame.state.interventions)


def pinned_cells(frame: Frame, name: str, rows: IntArray, columns: IntArray) -> BoolArray:
    """Tell which cells of a matrix are pinned where some rows and columns cross, shape (n_rows, n_columns)."""
    return frame.state.interventions.mask(name, rows.tolist(), columns.tolist())


def affected_cells(frame: Frame, name: str, rows: IntArray, columns: IntArray) -> BoolArray:
    """Tell which cells of a matrix follow from a pinned number or are one.

    Parameters
    ----------
    frame : Frame
        The frame.
    name : str
        The name of a matrix in :mod:`attnviz.document.matrices`.
    rows, columns : (n_rows,), (n_columns,) array of int
        Which cells are asked about.

    Returns
    -------
    (n_rows, n_columns) array of bool
    """
    marks = pinned_cells(frame, name, rows, columns)
    if not frame.state.interventions:
        return marks
    if name in _SCORES:
        return marks | _affected_scores(frame, rows, columns)
    if name in ("exponential", "weight"):
        changed = _changed_rows(frame)[rows]
        return marks | (changed[:, np.newaxis] & ~frame.banned(rows, columns))
    if name == "output":
        return marks | _changed_outputs(frame, rows)[:, np.newaxis]
    return marks


def affected_rows(frame: Frame, name: str) -> BoolArray:
    """Tell which rows of a matrix hold an affected number, shape (n_rows,)."""
    n_rows, n_columns = MATRICES_BY_NAME[name].shape(frame)
    if not frame.state.interventions:
        return np.zeros(n_rows, dtype=np.bool_)
    pinned = np.zeros(n_rows, dtype=np.bool_)
    pinned[[one.row for one in frame.state.interventions.of(name) if one.column < n_columns]] = True
    if name in _SCORES:
        return pinned | _rows_with_changed_scores(frame)
    if name in ("exponential", "weight"):
        return pinned | _changed_rows(frame)
    return pinned | _changed_outputs(frame, every(n_rows)) if name == "output" else pinned


def is_affected(frame: Frame, ref: NumberRef) -> bool:
    """Tell whether a number follows from a pinned number or is one."""
    if not frame.state.interventions:
        return False
    if ref.kind in MATRICES_BY_NAME and len(ref.indices) == 2:
        row, column = np.array([ref.indices[0]]), np.array([ref.indices[1]])
        return bool(affected_cells(frame, ref.kind, row, column)[0, 0])
    if ref.kind in _ROW_NUMBERS:
        name = "weight" if ref.kind not in ("row_max", "normaliser") else "exponential"
        return bool(affected_rows(frame, name)[ref.indices[0]])
    if ref.kind == "column_sum":
        return bool(affected_cells(frame, "weight", every(frame.n_query), np.array([ref.indices[0]])).any())
    return False


def _pinned_vectors(frame: Frame, kind: str, count: int) -> BoolArray:
    """Tell which queries or keys have a pinned entry in force, shape (count,)."""
    found = np.zeros(count, dtype=np.bool_)
    found[[one.row for one in frame.state.interventions.of(kind) if one.column < frame.state.d_k]] = True
    return found


def _affected_scores(frame: Frame, rows: IntArray, columns: IntArray) -> BoolArray:
    q = _pinned_vectors(frame, "q", frame.n_query)[rows]
    k = _pinned_vectors(frame, "k", frame.n_key)[columns]
    return pinned_cells(frame, "score", rows, columns) | q[:, np.newaxis] | k[np.newaxis, :]


def _rows_with_changed_scores(frame: Frame) -> BoolArray:
    changed = _pinned_vectors(frame, "q", frame.n_query)
    if _pinned_vectors(frame, "k", frame.n_key).any():
        return np.ones(frame.n_query, dtype=np.bool_)
    changed[[one.row for one in frame.state.interventions.of("score")]] = True
    return changed


def _changed_rows(frame: Frame) -> BoolArray:
    """Tell in which rows the softmax sees another score, shape (n_query,)."""
    changed = _pinned_vectors(frame, "q", frame.n_query) & ~frame.empty_rows
    keys = np.flatnonzero(_pinned_vectors(frame, "k", frame.n_key))
    if len(keys):
        changed |= (~frame.banned(every(frame.n_query), keys)).any(axis=1)
    for one in frame.state.interventions.of("score"):
        changed[one.row] |= not frame.banned(np.array([one.row]), np.array([one.column]))[0, 0]
    return changed


def _changed_outputs(frame: Frame, rows: IntArray) -> BoolArray:
    changed = _changed_rows(frame)[rows]
    pins = frame.state.interventions
    changed |= np.isin(rows, [one.row for one in pins.of("weight")])
    values = np.array(sorted({one.row for one in pins.of("v")}), dtype=np.intp)
    if len(values):
        changed |= (frame.cells("weights", rows, values) != 0.0).any(axis=1)
    return changed
