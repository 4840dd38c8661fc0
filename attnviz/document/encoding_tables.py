"""What a positional encoding is made of, as matrices to be drawn: vectors, angles, or biases of logits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from attnviz.document.arrays import FloatArray, IntArray
from attnviz.document.frame import Frame, drawn_limit
from attnviz.document.positions import key_positions, query_positions, rows_in_use, turned_channels
from attnviz.document.projection import bucket_table, position_table
from attnviz.document.state import Side, State
from attnviz.engine import PAIRINGS, alibi_slopes, relative_buckets

ChannelLayout: TypeAlias = Literal["interleaved", "halves"]
AngleView: TypeAlias = Literal["cos", "sin"]
BiasView: TypeAlias = Literal["bias", "bucket"]
ADDITIVE = ("sinusoidal", "learned")
BIASING = ("alibi", "relative")


@dataclass(frozen=True, slots=True, eq=False)
class EncodingTable:
    """A matrix of numbers with the names along its axes.

    Parameters
    ----------
    values : (n, m) array
        The numbers.
    limit : float
        The magnitude that has the strongest colour.
    row_labels, column_labels : tuple of str
        Names along the axes.
    row_title, column_title : str
        What the axes count.
    rows_are : {"token", "position", "head"}
        What a row belongs to.
    columns_are : {"channel", "pair", "key", "bucket"}
        What a column belongs to.
    columns : (m,) array of int
        Which channel, pair, key or bucket each column is, counted from 0.
    """

    values: FloatArray
    limit: float
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    row_title: str
    column_title: str
    rows_are: Literal["token", "position", "head"]
    columns_are: Literal["channel", "pair", "key", "bucket"]
    columns: IntArray


def channel_order(width: int, layout: ChannelLayout) -> IntArray:
    """Give the order in which channels are drawn: as they are, or all sines before all cosines.

    Examples
    --------
    >>> channel_order(5, "halves").tolist()
    [0, 2, 4, 1, 3]
    """
    channels = np.arange(width)
    return channels if layout == "interleaved" else np.concatenate([channels[::2], channels[1::2]])


def added_table(frame: Frame, side: Side = "sequence", layout: ChannelLayout = "interleaved") -> EncodingTable:
    """Give the vectors that are added to the tokens of a side, one row a token."""
    effect = frame.layer.effect
    added = effect.added if side == "sequence" else effect.context_added
    assert added is not None, "an additive encoding adds something"
    order = channel_order(added.shape[1], layout)
    return _of_channels(added[:, order], frame.state.side(side).tokens, order, "token")


def learned_table(state: State) -> EncodingTable:
    """Give the learned positions up to the last one that a token stands at, one row a position."""
    table = position_table(state, rows_in_use(state))[: rows_in_use(state)]
    names = tuple([str(place) for place in range(len(table))])
    return _of_channels(table, names, np.arange(state.width), "position")


def pairs(state: State) -> tuple[tuple[int, int], ...]:
    """Give the pairs of channels of a head that rotary positions turn, counted from 0."""
    first, second = PAIRINGS[state.pairing].function(turned_channels(state))
    return tuple(zip(first.tolist(), second.tolist(), strict=True))


def angles(state: State, side: Side = "sequence") -> FloatArray:
    """Give the angle by which each pair of each token is turned, in radians, shape (n, n_pairs).

    Notes
    -----
    Pair i of a token at a position turns by position * base^(-2i/w), w the number of turned channels
    (Su et al. 2021, section 3.2.2).
    """
    return _angles_at(state, query_positions(state) if side == "sequence" else key_positions(state))


def turned_table(frame: Frame, side: Side = "sequence", view: AngleView = "cos") -> EncodingTable:
    """Give the cosine or the sine of the angle of each pair, one row a token."""
    state = frame.state
    found = angles(state, side)
    return EncodingTable(
        np.cos(found) if view == "cos" else np.sin(found),
        1.0,
        state.side(side).tokens,
        tuple([f"{first + 1}·{second + 1}" for first, second in pairs(state)]),
        "token",
        "pair of channels",
        "token",
        "pair",
        np.arange(found.shape[1]),
    )


def bias_table(frame: Frame) -> EncodingTable:
    """Give what is added to the logits of the shown head, one row a query, one column a key."""
    bias = frame.layer.effect.bias
    assert bias is not None, "the encoding adds to the logits"
    own = bias[frame.head]
    limit = drawn_limit(float(np.abs(bias).max()))
    names = frame.query_tokens, frame.key_tokens
    return EncodingTable(own, limit, *names, "query (from)", "key (to)", "token", "key", np.arange(own.shape[1]))


def bucket_table_of(frame: Frame) -> EncodingTable:
    """Give the bucket that the distance of each query and key falls into, counted from 0."""
    found = buckets(frame.state).astype(np.float64)
    names, limit = (frame.query_tokens, frame.key_tokens), float(frame.state.n_buckets - 1)
    return EncodingTable(found, limit, *names, "query (from)", "key (to)", "token", "key", np.arange(found.shape[1]))


def buckets(state: State) -> IntArray:
    """Give the bucket of each query and key under relative positions, shape (n_query, n_key)."""
    return relative_buckets(
        len(state.sequence),
        len(state.key_sequence),
        state.n_buckets,
        state.max_distance,
        is_bidirectional=state.is_bidirectional,
        query_positions=query_positions(state),
        key_positions=key_positions(state),
    )


def learned_biases(state: State) -> EncodingTable:
    """Give the learned bias of each head and bucket, one row a head."""
    table = bucket_table(state)
    heads = tuple([str(head + 1) for head in range(len(table))])
    names = tuple([str(bucket) for bucket in range(table.shape[1])])
    limit = drawn_limit(float(np.abs(table).max()))
    return EncodingTable(table, limit, heads, names, "head", "bucket", "head", "bucket", np.arange(table.shape[1]))


def bucket_of(state: State, query: int, key: int) -> int:
    """Give the bucket that the distance from a query to a key falls into, under relative positions."""
    return int(
        relative_buckets(
            1,
            1,
            state.n_buckets,
            state.max_distance,
            is_bidirectional=state.is_bidirectional,
            query_positions=query_positions(state)[[query]],
            key_positions=key_positions(state)[[key]],
        )[0, 0]
    )


def slope_of(state: State, head: int) -> float:
    """Give the slope of a head under ALiBi."""
    return float(alibi_slopes(state.n_heads)[head])


def before_and_after(frame: Frame, query: int, key: int) -> tuple[FloatArray, FloatArray]:
    """Give the query and the key of two tokens before and after rotary turns them, shapes (2, d_k) each.

    Pinned entries of q and k are left out: they say what comes after the turn.
    """
    state, head = frame.state, frame.head
    plain_q, plain_k = frame.layer.plain_qk(head)
    return (
        np.stack([plain_q[query], _turned(state, plain_q[query], query_positions(state)[[query]])]),
        np.stack([plain_k[key], _turned(state, plain_k[key], key_positions(state)[[key]])]),
    )


def _angles_at(state: State, places: FloatArray) -> FloatArray:
    width = turned_channels(state)
    rates = state.base ** (-2.0 * np.arange(width // 2) / width)
    found: FloatArray = np.outer(places, rates)  # (n, 1) * (1, n_pairs) -> (n, n_pairs)
    return found


def _turned(state: State, row: FloatArray, place: FloatArray) -> FloatArray:
    """Turn one vector by the angles of its position, shape (1,)."""
    turned = row.copy()
    for (first, second), angle in zip(pairs(state), _angles_at(state, place)[0].tolist(), strict=True):
        cosine, sine = np.cos(angle), np.sin(angle)
        turned[first] = row[first] * cosine - row[second] * sine
        turned[second] = row[second] * cosine + row[first] * sine
    return turned


def _of_channels(
    values: FloatArray, names: tuple[str, ...], order: IntArray, rows_are: Literal["token", "position"]
) -> EncodingTable:
    labels = tuple([str(channel + 1) for channel in order.tolist()])
    limit = drawn_limit(float(np.abs(values).max()))
    return EncodingTable(values, limit, names, labels, rows_are, "channel", rows_are, "channel", order)
