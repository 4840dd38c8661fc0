"""The ghost column of the weights: the share of each row that goes to no key, so that the row visibly sums to 1."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray, IntArray, every
from attnviz.document.attending import sink_of
from attnviz.document.budgets import share_of_nothing
from attnviz.document.frame import Frame
from attnviz.document.tokens import told_apart
from attnviz.views.matrix.picture import MUTED, Gutter, MatrixPicture
from attnviz.views.numbers import spoken_text

MOST_KEYS = 160  # above this a column would have no pixels of its own


def with_ghost(picture: MatrixPicture, frame: Frame) -> MatrixPicture:
    """Add the ghost column to a picture of the weights; the same picture where rows share out everything."""
    shares = share_of_nothing(frame, every(frame.n_query)) if frame.n_key <= MOST_KEYS else None
    return picture if shares is None else _Ghost(picture, frame, shares).picture()


def ghost_name(frame: Frame) -> str:
    """Name what takes the share: the sink where there is one, else nothing."""
    return "nothing" if sink_of(frame.state, frame.head) is None else "sink"


class _Ghost:
    """A picture of the weights with one column more."""

    def __init__(self, keys: MatrixPicture, frame: Frame, shares: FloatArray) -> None:
        self._keys, self._frame, self._shares = keys, frame, shares
        self._name, self._n_key = ghost_name(frame), keys.shape[1]

    def picture(self) -> MatrixPicture:
        """Make it."""
        keys = self._keys
        return replace(
            keys,
            shape=(keys.shape[0], self._n_key + 1),
            n_ghosts=1,
            cells=self._cells,
            column_labels=(*keys.column_labels, self._name),
            column_colours=None if keys.column_colours is None else (*keys.column_colours, MUTED),
            banned=None if keys.banned is None else self._banned,
            leaking=None if keys.leaking is None else self._leaking,
            feet=tuple(
                [_Foot(foot, self._n_key, float(self._shares.sum()), self._name).gutter() for foot in keys.feet]
            ),
            sentence=None if keys.sentence is None else self._sentence,
        )

    def _cells(self, rows: IntArray, columns: IntArray) -> FloatArray:
        cells = np.empty((len(rows), len(columns)))
        is_key = columns < self._n_key
        cells[:, is_key] = self._keys.cells(rows, columns[is_key])
        cells[:, ~is_key] = self._shares[rows, np.newaxis]
        return cells

    def _banned(self, rows: IntArray, columns: IntArray) -> BoolArray:
        assert self._keys.banned is not None
        return self._padded(self._keys.banned(rows, columns[columns < self._n_key]), columns)

    def _leaking(self, rows: IntArray, columns: IntArray) -> BoolArray:
        assert self._keys.leaking is not None
        return self._padded(self._keys.leaking(rows, columns[columns < self._n_key]), columns)

    def _padded(self, marks: BoolArray, columns: IntArray) -> BoolArray:
        """Add that the ghost column is neither banned nor leaks."""
        padded = np.zeros((len(marks), len(columns)), np.bool_)
        padded[:, columns < self._n_key] = marks
        return padded

    def _sentence(self, row: int, column: int) -> str:
        if column < self._n_key and self._keys.sentence is not None:
            return self._keys.sentence(row, column)
        name = told_apart(self._frame.query_tokens)[row]
        return f"query {name}, {self._name}, share {spoken_text(float(self._shares[row]))}"


class _Foot:
    """A gutter below the keys with one number more."""

    def __init__(self, keys: Gutter, n_key: int, total: float, name: str) -> None:
        self._keys, self._n_key, self._total, self._name = keys, n_key, total, name

    def gutter(self) -> Gutter:
        """Make it."""
        return replace(self._keys, values=self._values, sentence=self._sentence)

    def _values(self, columns: IntArray) -> FloatArray:
        values = np.full(len(columns), self._total)
        is_key = columns < self._n_key
        values[is_key] = self._keys.values(columns[is_key])
        return values

    def _sentence(self, column: int) -> str:
        if column < self._n_key and self._keys.sentence is not None:
            return self._keys.sentence(column)
        return f"{self._name}: {self._keys.title} {spoken_text(self._total)}"
