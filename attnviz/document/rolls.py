"""What a row of weights adds up to under dropout, roll after roll: only the mean keeps the sum."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray
from attnviz.document.dropout import kept_in_rows
from attnviz.document.frame import Frame

MANY = 200


def sums_of_rolls(frame: Frame, query: int, count: int = MANY) -> FloatArray:
    """Give what a row of weights adds up to under this seed and the ones after it, shape (count,).

    Parameters
    ----------
    frame : Frame
        What is looked at; its pins are left aside.
    query : int
        The row.
    count : int
        How many seeds.

    Returns
    -------
    (count,) array
        Each between 0 and the sum without dropout over 1 - rate; their mean tends to the sum without dropout.
    """
    state = frame.state
    undropped = frame.row(query).undropped[0]
    seeds = (state.dropout_seed, count)
    kept = _kept(seeds, frame.head, frame.n_key, state.dropout, query)
    sums: FloatArray = kept @ undropped / (1.0 - state.dropout)  # (count, n_key) @ (n_key,) -> (count,)
    return sums


@lru_cache(maxsize=4)
def _kept(seeds: tuple[int, int], head: int, n_key: int, rate: float, query: int) -> BoolArray:
    """Tell which weights of a row each of some seeds keeps, shape (count, n_key)."""
    first, count = seeds
    rows = np.array([query])
    kept = [kept_in_rows(first + place, head, rate, n_key, rows) for place in range(count)]
    return np.concatenate(kept)
