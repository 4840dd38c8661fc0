"""What a mask does to the cells of a stage: it hides them, or bans them and they have their numbers all the same.

Under the right method banned cells are gone from the softmax on. The demonstrations act later, or not quite: what
they leave must be seen as the number that it is, and as banned.
"""

from __future__ import annotations

import numpy as np

from attnviz.document.arrays import BoolArray, IntArray
from attnviz.document.frame import Frame, Stage

STAGES_OF_THE_MASK: tuple[Stage, ...] = ("masked", "exponentials", "weights")


def hidden_cells(frame: Frame, stage: Stage, rows: IntArray, columns: IntArray) -> BoolArray:
    """Tell which cells of a stage the mask took away, so that they have no number.

    Parameters
    ----------
    frame : Frame
        What is looked at.
    stage : Stage
        One of its stages.
    rows, columns : (n_rows,), (n_columns,) array of int
        Which cells are asked about.

    Returns
    -------
    (n_rows, n_columns) array of bool
        False for a banned cell whose weight is pinned, at the weights.
    """
    if not frame.shows_mask(stage):
        return np.zeros((len(rows), len(columns)), np.bool_)
    banned = frame.banned(rows, columns)
    return banned & ~_pinned(frame, rows, columns) if stage == "weights" and frame.pins else banned


def leaking_cells(frame: Frame, stage: Stage, rows: IntArray, columns: IntArray) -> BoolArray:
    """Tell which cells of a stage the mask bans although they have their number, shape (n_rows, n_columns).

    The other arguments are those of :func:`hidden_cells`; before the mask acts no cell is banned.
    """
    if not frame.state.has_mask or stage not in STAGES_OF_THE_MASK:
        return np.zeros((len(rows), len(columns)), np.bool_)
    banned = frame.banned(rows, columns)
    if not frame.shows_mask(stage):
        return banned
    return banned & _pinned(frame, rows, columns) if stage == "weights" and frame.pins else np.zeros_like(banned)


def may_leak(frame: Frame, stage: Stage) -> bool:
    """Tell whether :func:`leaking_cells` can be True anywhere; asked for every frame, so that most need not look."""
    if not frame.state.has_mask or stage not in STAGES_OF_THE_MASK:
        return False
    return not frame.shows_mask(stage) or (stage == "weights" and bool(frame.pins.of("weight")))


def hidden_rows(frame: Frame, stage: Stage, rows: IntArray) -> BoolArray:
    """Tell which rows of a stage see no key and hold nothing, shape (n_rows,)."""
    if not frame.shows_mask(stage):
        return np.zeros(len(rows), np.bool_)
    empty: BoolArray = frame.empty_rows[rows]
    if stage == "weights" and frame.pins:
        empty = empty & ~np.isin(rows, [one.row for one in frame.pins.of("weight")])
    return empty


def _pinned(frame: Frame, rows: IntArray, columns: IntArray) -> BoolArray:
    return frame.pins.mask("weight", rows.tolist(), columns.tolist())
