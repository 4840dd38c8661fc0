"""W_Q and W_K as they act: the written columns, cut at d_k or followed by drawn ones."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from attnviz.document.arrays import FloatArray
from attnviz.document.state import State

_QUERY, _KEY = 0, 1


def query_matrix(state: State) -> FloatArray:
    """Give W_Q as it acts, shape (d, d_k)."""
    return _acting(state.w_q, state, _QUERY)


def key_matrix(state: State) -> FloatArray:
    """Give W_K as it acts, shape (d, d_k)."""
    return _acting(state.w_k, state, _KEY)


def _acting(written: FloatArray, state: State, role: int) -> FloatArray:
    n_written = written.shape[1]
    if state.d_k == n_written:
        return written
    if state.d_k < n_written:
        return written[:, : state.d_k]
    return np.hstack([written, _drawn(state.seed, role, state.width, state.d_k)[:, n_written:]])


@lru_cache(maxsize=16)
def _drawn(seed: int, role: int, width: int, n_columns: int) -> FloatArray:
    """Draw columns from a normal distribution with variance 1/d; a wider draw begins with the same columns.

    Entries of unit variance in the projected vectors are what the 1/sqrt(d_k) rule assumes (Vaswani et al.
    2017, footnote 4): x with d unit-variance entries times a column of variance 1/d has variance 1.
    """
    generator = np.random.default_rng([seed, role])
    columns = generator.standard_normal((n_columns, width)).T / np.sqrt(width)
    columns.flags.writeable = False
    return columns
