"""From embeddings to queries, keys and values: W_Q and W_K as written, cut at d_k or followed by drawn columns."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from attnviz.document.arrays import FloatArray, identity
from attnviz.document.state import MAX_KEY_WIDTH, State

_QUERY, _KEY = 0, 1


def query_matrix(state: State) -> FloatArray:
    """Give W_Q as it acts, shape (d, d_k)."""
    return _acting(state.w_q, state, _QUERY)


def key_matrix(state: State) -> FloatArray:
    """Give W_K as it acts, shape (d, d_k)."""
    return _acting(state.w_k, state, _KEY)


def queries(state: State) -> FloatArray:
    """Give the queries of the sequence, shape (n_query, d_k)."""
    return _projected(state.sequence.embeddings, state.w_q, state, _QUERY)


def keys(state: State) -> FloatArray:
    """Give the keys of the tokens that answer, shape (n_key, d_k)."""
    return _projected(state.key_sequence.embeddings, state.w_k, state, _KEY)


def values(state: State) -> FloatArray:
    """Give the values of the tokens that answer, shape (n_key, d_v)."""
    embeddings = state.key_sequence.embeddings
    if state.w_v is identity(state.width):
        return embeddings
    return _product(embeddings, state.w_v)


def _acting(written: FloatArray, state: State, role: int) -> FloatArray:
    n_written = written.shape[1]
    if state.d_k == n_written:
        return written
    if state.d_k < n_written:
        return written[:, : state.d_k]
    return np.hstack([written, _drawn(state.seed, role, state.width, state.d_k)[:, n_written : state.d_k]])


def _projected(embeddings: FloatArray, written: FloatArray, state: State, role: int) -> FloatArray:
    """Multiply by the acting matrix part by part, so that neither it nor an identity's product is ever made."""
    n_written = written.shape[1]
    if written is identity(state.width):
        first = embeddings[:, : state.d_k]
    else:
        first = _product(embeddings, written[:, : state.d_k])  # (n, d) @ (d, min(m, d_k)) -> (n, min(m, d_k))
    if state.d_k <= n_written:
        return first
    drawn = _drawn(state.seed, role, state.width, state.d_k)[:, n_written : state.d_k]
    whole = np.hstack([first, _product(embeddings, drawn)])  # (n, d) @ (d, d_k - m) -> (n, d_k - m)
    whole.flags.writeable = False
    return whole


def _product(embeddings: FloatArray, matrix: FloatArray) -> FloatArray:
    with np.errstate(over="ignore", invalid="ignore"):  # the engine refuses what is not finite
        product: FloatArray = embeddings @ matrix
    product.flags.writeable = False
    return product


def _drawn(seed: int, role: int, width: int, n_columns: int) -> FloatArray:
    """Give at least ``n_columns`` drawn columns; a wider draw begins with the same columns."""
    return _draw(seed, role, width, min(MAX_KEY_WIDTH, 1 << (n_columns - 1).bit_length()))


@lru_cache(maxsize=8)
def _draw(seed: int, role: int, width: int, n_columns: int) -> FloatArray:
    """Draw columns from a normal distribution with variance 1/d.

    Entries of unit variance in the projected vectors are what the 1/sqrt(d_k) rule assumes (Vaswani et al.
    2017, footnote 4): x with d unit-variance entries times a column of variance 1/d has variance 1.
    """
    generator = np.random.default_rng([seed, role])
    columns: FloatArray = generator.standard_normal((n_columns, width)).T / np.sqrt(width)
    columns.flags.writeable = False
    return columns
