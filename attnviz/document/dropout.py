"""Which weights dropout keeps: drawn row after row from a seed, so that any row can be drawn alone."""

from __future__ import annotations

import numpy as np

from attnviz.document.arrays import BoolArray, IntArray


def kept_in_rows(seed: int, head: int, rate: float, n_key: int, rows: IntArray) -> BoolArray:
    """Tell which weights of some rows of a head dropout keeps, True = kept, shape (n_rows, n_key).

    Parameters
    ----------
    seed, head : int
        The seed of dropout, and the head, counted from 0.
    rate : float
        The part that is dropped, in [0, 1).
    n_key : int
        The number of weights of a row.
    rows : (n_rows,) array of int
        Which rows, in any order.

    Notes
    -----
    The whole matrix takes one draw a cell, in the order of the rows; the generator skips those of rows in between.
    """
    bits = np.random.PCG64([seed, head])
    generator, drawn = np.random.Generator(bits), np.empty((len(rows), n_key))
    ends = [*(np.flatnonzero(rows[1:] != rows[:-1] + 1) + 1).tolist(), len(rows)]
    start = at = 0  # the place in ``rows`` where a run of neighbours starts, and the row that would be drawn next
    for end in ends if len(rows) else ():
        first = int(rows[start])
        if first != at:
            bits.advance((first - at) * n_key)
        generator.random(out=drawn[start:end])
        start, at = end, first + end - start
    kept: BoolArray = drawn >= rate
    return kept
