"""What in a frame follows from pinned numbers, so that it can be marked and never passes for computed.

Pinned itself is a cell that somebody set; affected is one that would be another number without a pin.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache

import numpy as np

from attnviz.document.arrays import BoolArray, IntArray, every
from attnviz.document.frame import Frame
from attnviz.document.interventions import Intervention, Interventions
from attnviz.document.matrices import MATRICES_BY_NAME
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import State

_SCORES = ("score", "scaled", "masked")
_SHARES = ("exponential", "weight")
_OF_EXPONENTIALS = ("row_max", "normaliser")
MOST_PINS_BEHIND = 100
OF_LAYER = ("concatenated", "layer_output")
_OF_WEIGHTS = ("row_sum", "entropy", "effective_keys", "largest_weight")


class Provenance:
    """Answers for one frame what follows from pinned numbers.

    Parameters
    ----------
    frame : Frame
        The frame.
    pins : Interventions or None
        Which of its interventions are asked about; ``None`` for all.
    """

    def __init__(self, frame: Frame, pins: Interventions | None = None) -> None:
        self._frame = frame
        self._pins = frame.pins if pins is None else pins
        self._is_of_all = pins is None

    def pinned(self, name: str, rows: IntArray, columns: IntArray) -> BoolArray:
        """Tell which cells of a matrix are pinned where some rows and columns cross, shape (n_rows, n_columns)."""
        return self._pins.mask(name, rows.tolist(), columns.tolist())

    def affected(self, name: str, rows: IntArray, columns: IntArray) -> BoolArray:
        """Tell which cells of a matrix follow from a pinned number or are one.

        Parameters
        ----------
        name : str
            The name of a matrix in :mod:`attnviz.document.matrices`.
        rows, columns : (n_rows,), (n_columns,) array of int
            Which cells are asked about.

        Returns
        -------
        (n_rows, n_columns) array of bool
        """
        if name in OF_LAYER:
            return self._affected_of_layer(name, rows, columns)
        marks = self.pinned(name, rows, columns)
        if not self._pins:
            return marks
        if name in _SCORES:
            q, k = self._vectors("q", self._frame.n_query)[rows], self._vectors("k", self._frame.n_key)[columns]
            changed = marks | self.pinned("score", rows, columns) | q[:, np.newaxis] | k[np.newaxis, :]
            return changed if name != "masked" else changed & ~self._frame.banned(rows, columns)
        if name in _SHARES:
            return marks | (self._softmax_rows[rows][:, np.newaxis] & ~self._frame.banned(rows, columns))
        if name == "output":
            return marks | self._blended_rows(rows)[:, np.newaxis] | self._changed_coordinates(rows, columns)
        return marks

    def affected_rows(self, name: str) -> BoolArray:
        """Tell which rows of a matrix hold an affected number, shape (n_rows,)."""
        n_rows, n_columns = MATRICES_BY_NAME[name].shape(self._frame)
        if name in OF_LAYER:
            return np.asarray(self._affected_of_layer(name, every(n_rows), every(n_columns)).any(axis=1))
        rows = np.zeros(n_rows, dtype=np.bool_)
        if not self._pins:
            return rows
        rows[[one.row for one in self._pins.of(name) if one.column < n_columns]] = True
        if name == "masked":
            return self._softmax_rows.copy()
        if name in _SCORES:
            return rows | self._score_rows
        if name in _SHARES:
            return rows | self._softmax_rows
        if name == "output":
            coordinates = self._changed_coordinates(every(n_rows), every(n_columns))
            return rows | self._blended_rows(every(n_rows)) | coordinates.any(axis=1)
        return rows

    def is_affected(self, ref: NumberRef) -> bool:
        """Tell whether a number follows from a pinned number or is one."""
        if not self._pins and ref.kind not in OF_LAYER:
            return False
        if ref.kind in MATRICES_BY_NAME:
            row, column = np.array([ref.indices[0]]), np.array([ref.indices[1]])
            return bool(self.affected(ref.kind, row, column)[0, 0])
        if ref.kind in _OF_EXPONENTIALS:
            return bool(self._softmax_rows[ref.indices[0]])
        if ref.kind in _OF_WEIGHTS:
            return bool(self.affected_rows("weight")[ref.indices[0]])
        if ref.kind == "column_sum":
            return bool(self.affected("weight", every(self._frame.n_query), np.array(ref.indices)).any())
        return False

    def _affected_of_layer(self, name: str, rows: IntArray, columns: IntArray) -> BoolArray:
        """Tell which cells of the heads side by side, or of the output of the layer, follow from pins of any head."""
        frame, d_v = self._frame, self._frame.state.d_v
        marks = np.zeros((len(rows), len(columns)), dtype=np.bool_)
        if not (self._frame.state.interventions if self._is_of_all else self._pins):
            return marks
        if name == "layer_output" and frame.state.w_o is not None:  # which mixes all channels
            channels = every(frame.n_heads * d_v)
            marks |= self._affected_of_layer("concatenated", rows, channels).any(axis=1, keepdims=True)
            return marks
        for head in range(frame.n_heads):
            own = columns // d_v == head
            if own.any():
                marks[:, own] = self._of_head(head).affected("output", rows, columns[own] % d_v)
        return marks

    def _of_head(self, head: int) -> Provenance:
        """Give the answers for another head of the same layer; of given pins those of its keys and values count."""
        frame = self._frame
        other = frame.at_head(head)
        if head == frame.head:
            return self
        if self._is_of_all:
            return Provenance(other)
        is_shared = other.kv_head == frame.kv_head
        return Provenance(other, Interventions([one for one in self._pins.of("k", "v") if is_shared]))

    def _vectors(self, kind: str, count: int) -> BoolArray:
        """Tell which queries or keys have a pinned entry in force, shape (count,)."""
        found = np.zeros(count, dtype=np.bool_)
        found[[one.row for one in self._pins.of(kind) if one.column < self._frame.state.d_k]] = True
        return found

    @cached_property
    def _score_rows(self) -> BoolArray:
        """Tell in which rows a score is another one, shape (n_query,)."""
        if self._vectors("k", self._frame.n_key).any():
            return np.ones(self._frame.n_query, dtype=np.bool_)
        changed = self._vectors("q", self._frame.n_query)
        changed[[one.row for one in self._pins.of("score")]] = True
        return changed

    @cached_property
    def _softmax_rows(self) -> BoolArray:
        """Tell in which rows the softmax sees another score, shape (n_query,)."""
        frame = self._frame
        changed = self._vectors("q", frame.n_query) & ~frame.empty_rows
        keys = np.flatnonzero(self._vectors("k", frame.n_key))
        if len(keys):
            changed |= (~frame.banned(every(frame.n_query), keys)).any(axis=1)
        for one in self._pins.of("score"):
            changed[one.row] |= not frame.is_banned(one.row, one.column)
        return changed

    def _blended_rows(self, rows: IntArray) -> BoolArray:
        """Tell which of some rows blend the values by other weights, shape (n_rows,)."""
        return self._softmax_rows[rows] | np.isin(rows, [one.row for one in self._pins.of("weight")])

    def _changed_coordinates(self, rows: IntArray, columns: IntArray) -> BoolArray:
        """Tell which coordinates of some outputs read a pinned entry of a value, shape (n_rows, n_columns)."""
        changed = np.zeros((len(rows), len(columns)), dtype=np.bool_)
        pins = self._pins.of("v")
        values = np.array(sorted({one.row for one in pins}), dtype=np.intp)
        if len(values):
            is_read = self._frame.cells("weights", rows, values) != 0.0
            for one in pins:
                changed |= is_read[:, np.searchsorted(values, one.row), np.newaxis] & (columns == one.column)
        return changed


@lru_cache(maxsize=2)
def provenance_of(frame: Frame) -> Provenance:
    """Give the answers for all pins of a frame, worked out once for whoever asks."""
    return Provenance(frame)


def pins_in_force(frame: Frame) -> tuple[Intervention, ...]:
    """Give the pinned numbers that count; one in a column beyond d_k waits."""
    widths = {"q": frame.state.d_k, "k": frame.state.d_k, "v": frame.state.d_v}
    return tuple(one for one in frame.pins if one.column < widths.get(one.kind, one.column + 1))


def count_in_force(state: State) -> int:
    """Count the pinned numbers of all heads that count: those of a head and a column that there are."""
    heads = {"k": state.n_kv_heads, "v": state.n_kv_heads}
    widths = {"q": state.d_k, "k": state.d_k, "v": state.d_v}
    return sum(
        one.head < heads.get(one.kind, state.n_heads) and one.column < widths.get(one.kind, one.column + 1)
        for one in state.interventions
    )


def shown_pins(frame: Frame, name: str) -> tuple[Intervention, ...]:
    """Give the pins that a matrix shows: its own, and those of the raw scores at every stage that the mask leaves."""
    if name not in _SCORES:
        return tuple(one for one in pins_in_force(frame) if one.kind == name)
    pins = frame.pins.of("score")
    if name != "masked":
        return pins
    return tuple(one for one in pins if not frame.is_banned(one.row, one.column))


def pins_behind(frame: Frame, ref: NumberRef, most: int = MOST_PINS_BEHIND) -> tuple[Intervention, ...]:
    """Give pinned numbers that a number follows from, ``most`` of them if there are more; its own is not among them."""
    found: list[Intervention] = []
    for one in _candidates(frame, ref):
        if one.ref != ref and Provenance(frame, Interventions([one])).is_affected(ref):
            found.append(one)
            if len(found) == most:
                break
    return tuple(found)


def _candidates(frame: Frame, ref: NumberRef) -> Iterator[Intervention]:
    """Give the pins that may be behind a number: of a query's number those of its row, and those of keys and values."""
    is_of_row = ref.kind in (*_SCORES, *_SHARES, "output", *OF_LAYER, *_OF_EXPONENTIALS, *_OF_WEIGHTS)
    for one in pins_in_force(frame):
        if not is_of_row or one.kind in ("k", "v") or one.row == ref.indices[0]:
            yield one
