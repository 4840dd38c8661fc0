"""The positional encodings to choose from, each as what it does to vectors, queries and keys, or logits."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attnviz.engine.arrays import FloatArray, as_numbers, read_only, require_finite
from attnviz.engine.distances import alibi, relative_buckets
from attnviz.engine.heads import Rotary
from attnviz.engine.positions import sinusoidal_at
from attnviz.engine.registry import Registry


@dataclass(frozen=True, slots=True, eq=False)
class PositionRequest:
    """The positions and settings from which every entry of `POSITIONAL_ENCODINGS` takes what it needs.

    Parameters
    ----------
    positions, context_positions : array_like, shapes (n_query,) and (n_key,)
        Where the queries and the keys stand.
    d_model, d_context : int
        Widths of the vectors that an additive encoding is added to.
    n_heads : int
        At least 1.
    base : float
        Of sinusoidal and rotary angles, above 0.
    pairing : str
        A name in `PAIRINGS`, for rotary.
    width : int or None
        Channels that rotary turns in each head; None is all.
    table : array_like or None
        What is learned: "learned" has one row per position, (n_positions, d_model); "relative" one row per head,
        (n_heads, n_buckets).
    max_distance : int
        Of relative buckets.
    is_bidirectional : bool
        Of relative buckets.
    """

    positions: ArrayLike
    context_positions: ArrayLike
    d_model: int
    d_context: int
    n_heads: int = 1
    base: float = 10000.0
    pairing: str = "half"
    width: int | None = None
    table: ArrayLike | None = None
    max_distance: int = 128
    is_bidirectional: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class PositionEffect:
    """What a positional encoding does; None where it does nothing.

    Parameters
    ----------
    added : ndarray, shape (n_query, d_model), or None
        Added to the vectors of the query tokens before any projection.
    context_added : ndarray, shape (n_key, d_context), or None
        Added to the vectors of the key tokens.
    rotary : Rotary or None
        How `attend_heads` shall turn queries and keys.
    bias : ndarray, shape (n_heads, n_query, n_key), or None
        Added to the scaled scores.
    """

    added: FloatArray | None = None
    context_added: FloatArray | None = None
    rotary: Rotary | None = None
    bias: FloatArray | None = None


PositionalEncoding = Callable[[PositionRequest], PositionEffect]

POSITIONAL_ENCODINGS: Registry[PositionalEncoding] = Registry("positions")


@POSITIONAL_ENCODINGS.register("none", "None", "Order is invisible: shuffled tokens give shuffled outputs.")
def _none(request: PositionRequest) -> PositionEffect:  # noqa: ARG001  every encoding takes a request
    """Do nothing."""
    return PositionEffect()


@POSITIONAL_ENCODINGS.register("sinusoidal", "Sinusoidal", "Fixed sines and cosines are added to the embeddings.")
def _sinusoidal(request: PositionRequest) -> PositionEffect:
    """See `sinusoidal`."""
    return PositionEffect(
        added=read_only(sinusoidal_at(request.positions, request.d_model, request.base)),
        context_added=read_only(sinusoidal_at(request.context_positions, request.d_context, request.base)),
    )


@POSITIONAL_ENCODINGS.register("learned", "Learned", "One learned vector per position is added to the embeddings.")
def _learned(request: PositionRequest) -> PositionEffect:
    """Look positions up in the table."""
    if request.d_model != request.d_context:
        raise ValueError(
            f"learned positions need tokens of one width, got d_model {request.d_model} and {request.d_context}"
        )
    table = _checked_table(request, request.d_model, axis=1, what="columns")
    return PositionEffect(
        added=_looked_up(table, request.positions), context_added=_looked_up(table, request.context_positions)
    )


@POSITIONAL_ENCODINGS.register("rotary", "Rotary", "Queries and keys are turned: scores depend on distances alone.")
def _rotary(request: PositionRequest) -> PositionEffect:
    """See `rotary`."""
    return PositionEffect(
        rotary=Rotary(request.positions, request.context_positions, request.base, request.pairing, request.width)
    )


@POSITIONAL_ENCODINGS.register("alibi", "ALiBi", "A penalty that grows linearly with the distance, steeper per head.")
def _alibi(request: PositionRequest) -> PositionEffect:
    """See `alibi`."""
    bias = alibi(
        np.size(request.positions),
        np.size(request.context_positions),
        request.n_heads,
        query_positions=request.positions,
        key_positions=request.context_positions,
    )
    return PositionEffect(bias=read_only(bias))


@POSITIONAL_ENCODINGS.register("relative", "Relative buckets", "A learned bias per head and bucket of distance (T5).")
def _relative(request: PositionRequest) -> PositionEffect:
    """See `relative_buckets`."""
    table = _checked_table(request, request.n_heads, axis=0, what="rows")
    buckets = relative_buckets(
        np.size(request.positions),
        np.size(request.context_positions),
        table.shape[1],
        request.max_distance,
        is_bidirectional=request.is_bidirectional,
        query_positions=request.positions,
        key_positions=request.context_positions,
    )
    return PositionEffect(bias=read_only(table[:, buckets]))


def score_parts(
    query_content: ArrayLike, query_position: ArrayLike, key_content: ArrayLike, key_position: ArrayLike
) -> FloatArray:
    """Split the scores under an additive encoding into the four products they are the sum of.

    Parameters
    ----------
    query_content : array_like, shape (n_query, d_k)
        The projections of the embeddings, x w_q.
    query_position : array_like, shape (n_query, d_k)
        The projections of the positions added to them, p w_q; the sum of both is q.
    key_content : array_like, shape (n_key, d_k)
        The projections of the embeddings, x w_k.
    key_position : array_like, shape (n_key, d_k)
        The projections of the positions, p w_k; the sum of both is k.

    Returns
    -------
    ndarray of float64, shape (4, n_query, n_key)
        Content-content, content-position, position-content, position-position (query first); the sum over the
        first axis is q k^T.

    Raises
    ------
    ValueError
        If a value is not a finite matrix, shapes do not fit, or a product overflows.

    References
    ----------
    Dai et al. (2019), "Transformer-XL: Attentive Language Models Beyond a Fixed-Length Context", section 3.3.

    Examples
    --------
    >>> score_parts([[1.0]], [[10.0]], [[2.0]], [[3.0]]).ravel()
    array([ 2.,  3., 20., 30.])
    """
    queries = _stacked("query", query_content, query_position)
    keys = _stacked("key", key_content, key_position)
    if queries.shape[-1] != keys.shape[-1]:
        raise ValueError(f"queries and keys must have the same width d_k, got {queries.shape[-1]} and {keys.shape[-1]}")
    with np.errstate(all="ignore"):
        parts = queries[:, np.newaxis] @ keys.swapaxes(-1, -2)  # (2, 1, n_q, d_k) @ (2, d_k, n_k) -> (2, 2, n_q, n_k)
    if not np.isfinite(parts).all():
        raise ValueError("the parts of a score must stay below 1.8e308 in magnitude, got one that overflows")
    return read_only(parts.reshape(4, queries.shape[1], keys.shape[1]) + 0.0)


def _stacked(name: str, content: ArrayLike, position: ArrayLike) -> FloatArray:
    """Stack content and position of one side."""
    first, second = as_numbers(f"{name}_content", content), as_numbers(f"{name}_position", position)
    if first.ndim != 2 or first.shape != second.shape:
        raise ValueError(
            f"{name}_content and {name}_position must be matrices of one shape, got {first.shape} and {second.shape}"
        )
    require_finite(f"{name}_content", first)
    require_finite(f"{name}_position", second)
    return np.stack([first, second])


def _checked_table(request: PositionRequest, size: int, *, axis: int, what: str) -> FloatArray:
    """Take the learned table with the right number of rows or columns."""
    if request.table is None:
        raise ValueError(f"positions need a table with {size} {what}, got none")
    table = as_numbers("table", request.table)
    if table.ndim != 2 or table.shape[axis] != size:
        raise ValueError(f"table must have {size} {what}, got shape {table.shape}")
    require_finite("table", table)
    return table


def _looked_up(table: FloatArray, positions: ArrayLike) -> FloatArray:
    """Take one row of the table per position."""
    places = as_numbers("positions", positions)
    if places.ndim != 1 or not ((places >= 0) & (places < len(table)) & (places == np.floor(places))).all():
        raise ValueError(f"learned positions must be whole numbers from 0 to {len(table) - 1}, got {places.tolist()}")
    return read_only(table[places.astype(np.intp)])
