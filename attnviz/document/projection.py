"""From embeddings to queries, keys and values of all heads: matrices as written, cut or followed by drawn columns.

Head h takes the channels h * d_k to (h + 1) * d_k - 1 of the queries. With fewer key/value heads, keys and values
take the first columns of their matrices, as many as they need, so that nothing is lost when heads are added again.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from attnviz.document.arrays import FloatArray, IntArray, Itself, identity
from attnviz.document.state import State

_QUERY, _KEY, _POSITIONS, _BUCKETS = 0, 1, 2, 3


def query_matrix(state: State) -> FloatArray:
    """Give W_Q as it acts, shape (d, h * d_k)."""
    return _acting(state.w_q, state, _QUERY, state.n_heads * state.d_k)


def key_matrix(state: State) -> FloatArray:
    """Give W_K as it acts, shape (d, g * d_k): that of W_Q where both are tied."""
    n_columns = state.n_kv_heads * state.d_k
    if state.is_tied:
        return _acting(state.w_q, state, _QUERY, n_columns)
    return _acting(state.w_k, state, _KEY, n_columns)


def value_matrix(state: State) -> FloatArray:
    """Give W_V as it acts, shape (d, g * d_v)."""
    return _first(state.w_v, state.n_kv_heads * state.d_v)


def bias_of(state: State, name: str, n_columns: int) -> FloatArray | None:
    """Give the bias ``name`` of that many columns, 0 beyond the written ones; ``None`` where there is none."""
    written: FloatArray | None = getattr(state, name)
    if written is None:
        return None
    acting = np.zeros(n_columns)
    n_written = min(n_columns, len(written))
    acting[:n_written] = written[:n_written]
    acting.flags.writeable = False
    return acting


def queries(state: State, embeddings: FloatArray) -> FloatArray:
    """Give the queries of rows of embeddings, shape (n_query, h * d_k)."""
    return _projected(embeddings, state.w_q, state, _QUERY, "b_q", state.n_heads * state.d_k)


def keys(state: State, embeddings: FloatArray) -> FloatArray:
    """Give the keys of rows of embeddings, shape (n_key, g * d_k)."""
    written, role = (state.w_q, _QUERY) if state.is_tied else (state.w_k, _KEY)
    return _projected(embeddings, written, state, role, "b_k", state.n_kv_heads * state.d_k)


def values(state: State, embeddings: FloatArray) -> FloatArray:
    """Give the values of rows of embeddings, shape (n_key, g * d_v)."""
    n_columns = state.n_kv_heads * state.d_v
    if state.w_v is identity(state.width):
        product = _first(embeddings, n_columns)
    else:
        product = _product(embeddings, _first(state.w_v, n_columns))
    return _plus(product, bias_of(state, "b_v", n_columns))


def position_table(state: State, n_rows: int) -> FloatArray:
    """Give at least ``n_rows`` learned positions, shape (n, d), read-only: the written ones, then drawn ones."""
    written = state.position_table
    if written is None:
        return _drawn_positions(state, n_rows)[:n_rows]
    if len(written) >= n_rows:
        return written
    return _stacked(Itself(written), Itself(_drawn_positions(state, n_rows)), n_rows)


def learned_positions(state: State, places: IntArray) -> FloatArray:
    """Give the learned positions at some places, shape (n_places, d), without making a table of all before them."""
    written = state.position_table
    n_written = 0 if written is None else len(written)
    found = np.empty((len(places), state.width))
    is_drawn = places >= n_written
    if written is not None:
        found[~is_drawn] = written[places[~is_drawn]]
    if is_drawn.any():
        found[is_drawn] = _drawn_positions(state, int(places.max()) + 1)[places[is_drawn]]
    return found


def bucket_table(state: State) -> FloatArray:
    """Give the learned bias of each head and bucket, shape (h, n_buckets): the written ones, else drawn ones."""
    table = _drawn(state.seed, _BUCKETS, state.n_buckets, state.n_heads).T[: state.n_heads].copy()
    if state.bucket_table is not None:
        written = state.bucket_table[: state.n_heads, : state.n_buckets]
        table[: written.shape[0], : written.shape[1]] = written
    table.flags.writeable = False
    return table


def _acting(written: FloatArray, state: State, role: int, n_columns: int) -> FloatArray:
    n_written = written.shape[1]
    if n_columns <= n_written:
        return _first(written, n_columns)
    return np.hstack([written, _drawn(state.seed, role, state.width, n_columns)[:, n_written:n_columns]])


def _first(matrix: FloatArray, n_columns: int) -> FloatArray:
    return matrix if matrix.shape[1] == n_columns else matrix[:, :n_columns]


def _projected(
    embeddings: FloatArray, written: FloatArray, state: State, role: int, bias: str, n_columns: int
) -> FloatArray:
    """Multiply by the acting matrix part by part, so that neither it nor an identity's product is ever made."""
    n_written = written.shape[1]
    if written is identity(state.width):
        first = embeddings[:, :n_columns]
    else:
        first = _product(embeddings, written[:, :n_columns])  # (n, d) @ (d, min(m, n_columns))
    shift = bias_of(state, bias, n_columns)
    if n_columns <= n_written:
        return _plus(first, shift)
    drawn = _drawn(state.seed, role, state.width, n_columns)[:, n_written:n_columns]
    whole = np.hstack([first, _product(embeddings, drawn)])  # (n, d) @ (d, n_columns - m) -> (n, n_columns - m)
    whole.flags.writeable = False
    return _plus(whole, shift)


def _product(embeddings: FloatArray, matrix: FloatArray) -> FloatArray:
    with np.errstate(over="ignore", invalid="ignore"):  # the engine refuses what is not finite
        product: FloatArray = embeddings @ matrix
    product.flags.writeable = False
    return product


def _plus(product: FloatArray, shift: FloatArray | None) -> FloatArray:
    if shift is None:
        return product
    with np.errstate(over="ignore", invalid="ignore"):  # as above
        shifted: FloatArray = product + shift
    shifted.flags.writeable = False
    return shifted


def _drawn(seed: int, role: int, width: int, n_columns: int) -> FloatArray:
    """Give at least ``n_columns`` drawn columns; a wider draw begins with the same columns."""
    return _draw(seed, role, width, 1 << (n_columns - 1).bit_length())


def _drawn_positions(state: State, n_rows: int) -> FloatArray:
    """Give at least ``n_rows`` drawn positions, one object as long as they are the same."""
    return _draw_rows(state.seed, _POSITIONS, state.width, 1 << (n_rows - 1).bit_length())


@lru_cache(maxsize=2)  # tables that may be large: the one in use, and one to compare it with
def _stacked(written: Itself[FloatArray], drawn: Itself[FloatArray], n_rows: int) -> FloatArray:
    """Put drawn rows below the written ones."""
    table = np.vstack([written.array, drawn.array[len(written.array) : n_rows]])
    table.flags.writeable = False
    return table


@lru_cache(maxsize=2)  # as above
def _draw_rows(seed: int, role: int, width: int, n_rows: int) -> FloatArray:
    return _normal(seed, role, width, n_rows).T


@lru_cache(maxsize=6)  # of queries, keys and buckets, and as many to compare them with
def _draw(seed: int, role: int, width: int, n_columns: int) -> FloatArray:
    return _normal(seed, role, width, n_columns)


def _normal(seed: int, role: int, width: int, n_columns: int) -> FloatArray:
    """Draw columns from a normal distribution with variance 1/d.

    Entries of unit variance in the projected vectors are what the 1/sqrt(d_k) rule assumes (Vaswani et al.
    2017, footnote 4): x with d unit-variance entries times a column of variance 1/d has variance 1.
    """
    generator = np.random.default_rng([seed, role])
    columns: FloatArray = generator.standard_normal((n_columns, width)).T / np.sqrt(width)
    columns.flags.writeable = False
    return columns
