"""What in a frame follows from pinned numbers, so that it can be marked and never passes for computed.

Pinned itself is a cell that somebody set; affected is one that would be another number without a pin.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache

import numpy as np

from attnviz.document.arrays import BoolArray, IntArray, every
from attnviz.document.attending import kept_weights
from attnviz.document.frame import Frame
from attnviz.document.interventions import Intervention, Interventions
from attnviz.document.matrices import MATRICES_BY_NAME
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import State

_SCORES = ("score", "scaled", "masked")
_SHARES = ("exponential", "weight")
_WEIGHTS_ON_THE_WAY = ("share", "undropped")
_OF_EXPONENTIALS = ("row_max", "normaliser")
_READING_BANNED = ("add_large_negative", "after", "after_renormalised")
_ACTING_AFTER = ("after", "after_renormalised")
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
            return changed if name != "masked" else changed & ~self._unread(rows, columns)
        if name in (*_SHARES, *_WEIGHTS_ON_THE_WAY):
            return marks | self._changed_shares(name, rows, columns)
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
        if name in (*_SHARES, *_WEIGHTS_ON_THE_WAY):
            if self._is_plain:
                return rows | self._softmax_rows
            return rows | self._changed_shares(name, every(n_rows), every(n_columns)).any(axis=1)
        if name == "output":
            coordinates = self._changed_coordinates(every(n_rows), every(n_columns))
            return rows | self._blended_rows(every(n_rows)) | coordinates.any(axis=1)
        return rows

    def is_affected(self, ref: NumberRef) -> bool:
        """Tell whether a number follows from a pinned number or is one."""
        if not self._pins and ref.kind not in OF_LAYER:
            return False
        if ref.kind in MATRICES_BY_NAME or ref.kind in _WEIGHTS_ON_THE_WAY:
            row, column = np.array([ref.indices[0]]), np.array([ref.indices[1]])
            return bool(self.affected(ref.kind, row, column)[0, 0])
        if ref.kind in _OF_EXPONENTIALS:
            return bool(self._budgets[ref.indices[0]])
        if ref.kind == "kept_sum":
            return bool(self._left_changed(np.array(ref.indices))[0])
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

    @property
    def _is_by_column(self) -> bool:
        """Whether the softmax runs down the columns, so that queries share out each key."""
        return self._frame.state.softmax == "columns"

    @property
    def _is_plain(self) -> bool:
        """Whether a changed score of a row that the softmax reads changes all that the mask leaves of the row."""
        state = self._frame.state
        return not (self._is_by_column or state.dropout or (state.has_mask and state.masking != "before"))

    def _unread(self, rows: IntArray, columns: IntArray) -> BoolArray:
        """Tell which scores the softmax does not read, because the mask takes them away or writes over them."""
        if self._frame.state.masking in _READING_BANNED:
            return np.zeros((len(rows), len(columns)), dtype=np.bool_)
        return self._frame.banned(rows, columns)

    @cached_property
    def _softmax_rows(self) -> BoolArray:
        """Tell in which rows the softmax sees another score, shape (n_query,)."""
        frame = self._frame
        reads_banned = frame.state.masking in _READING_BANNED
        changed = self._vectors("q", frame.n_query) & ~(frame.empty_rows & (not reads_banned))
        keys = np.flatnonzero(self._vectors("k", frame.n_key))
        if len(keys):
            changed |= (~self._unread(every(frame.n_query), keys)).any(axis=1)
        for one in self._pins.of("score"):
            changed[one.row] |= reads_banned or not frame.is_banned(one.row, one.column)
        return changed

    @cached_property
    def _budgets(self) -> BoolArray:
        """Tell in which rows, or under the columns' softmax columns, the softmax sees another score."""
        if not self._is_by_column:
            return self._softmax_rows
        queries, keys = every(self._frame.n_query), every(self._frame.n_key)
        seen: BoolArray = np.logical_or.reduce(self.affected("masked", queries, keys), axis=0)
        return seen

    def _changed_shares(self, name: str, rows: IntArray, columns: IntArray) -> BoolArray:
        """Tell which exponentials, shares or weights follow from another score, shape (n_rows, n_columns)."""
        frame, state = self._frame, self._frame.state
        if self._is_by_column:
            changed = np.tile(self._budgets[columns], (len(rows), 1))
        else:
            changed = np.tile(self._budgets[rows][:, np.newaxis], (1, len(columns)))
        if not state.has_mask:
            return changed & self._kept(name, rows, columns)
        banned = frame.banned(rows, columns)
        if name in ("weight", "undropped") and state.masking == "after_renormalised":
            changed |= self._left_changed(rows)[:, np.newaxis]
        is_nought = state.masking == "before" or (name in ("weight", "undropped") and state.masking in _ACTING_AFTER)
        return (changed & ~banned if is_nought else changed) & self._kept(name, rows, columns)

    def _left_changed(self, rows: IntArray) -> BoolArray:
        """Tell in which rows the part that a mask after the softmax leaves follows from another score."""
        changed = self._changed_shares("share", rows, every(self._frame.n_key))
        banned = self._frame.banned(rows, every(self._frame.n_key))
        if self._is_by_column:  # it is a part of all of the row; where nothing is banned it stays 1
            changed &= banned.any(axis=1, keepdims=True) & ~banned.all(axis=1, keepdims=True)
        else:
            changed &= ~banned
        seen: BoolArray = np.logical_or.reduce(changed, axis=1)
        return seen

    def _kept(self, name: str, rows: IntArray, columns: IntArray) -> BoolArray:
        """Tell which numbers dropout leaves."""
        frame = self._frame
        if name != "weight" or not frame.state.dropout:
            return np.ones((len(rows), len(columns)), dtype=np.bool_)
        kept: BoolArray = kept_weights(frame.state, frame.head, rows)[:, columns]
        return kept

    def _blended_rows(self, rows: IntArray) -> BoolArray:
        """Tell which of some rows blend the values by other weights, shape (n_rows,)."""
        pinned = np.isin(rows, [one.row for one in self._pins.of("weight")])
        if self._is_plain:
            return self._softmax_rows[rows] | pinned
        blended: BoolArray = pinned | self._changed_shares("weight", rows, every(self._frame.n_key)).any(axis=1)
        return blended

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
    reads_banned = frame.state.masking in _READING_BANNED
    return tuple(one for one in pins if reads_banned or not frame.is_banned(one.row, one.column))


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
    after_scores = (*_SHARES, *_WEIGHTS_ON_THE_WAY, "kept_sum", "output", *OF_LAYER, *_OF_EXPONENTIALS, *_OF_WEIGHTS)
    is_of_row = ref.kind in (_SCORES if frame.state.softmax == "columns" else (*_SCORES, *after_scores))
    for one in pins_in_force(frame):
        if not is_of_row or one.kind in ("k", "v") or one.row == ref.indices[0]:
            yield one
