"""Matrices of the panel of the positions as pictures: the encoding itself, and vectors before and after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from attnviz.document.arrays import FloatArray, IntArray
from attnviz.document.encoding_tables import (
    AngleView,
    BiasView,
    ChannelLayout,
    EncodingTable,
    added_table,
    bias_table,
    bucket_table_of,
    learned_biases,
    learned_table,
    turned_table,
)
from attnviz.document.frame import Frame, drawn_limit
from attnviz.document.matrices import AxisName, axis_colours
from attnviz.document.positions import key_positions, query_positions
from attnviz.document.state import Side
from attnviz.views.matrix.picture import Gutter, MatrixPicture
from attnviz.views.numbers import number_text
from attnviz.views.positions.wording import cell_sentence

_MOST_PLACES = 20  # tokens with their position beside them; in more rows there is no room for numbers


@dataclass(frozen=True, slots=True)
class View:
    """How encodings are drawn, each in its own way.

    Parameters
    ----------
    layout : {"interleaved", "halves"}
        The order of the channels of sinusoidal vectors.
    angles : {"cos", "sin"}
        What of the angles of rotary positions.
    relative : {"bias", "bucket"}
        The learned number of each cell, or the number of its bucket.
    """

    layout: ChannelLayout = "interleaved"
    angles: AngleView = "cos"
    relative: BiasView = "bias"


def encoding_of(frame: Frame, side: Side, view: View) -> EncodingTable | None:
    """Give the table that shows the encoding of a frame; ``None`` where there is nothing to be seen."""
    positions = frame.state.positions
    if positions == "sinusoidal":
        return added_table(frame, side, view.layout)
    if positions == "learned":
        return learned_table(frame.state)
    if positions == "rotary":
        return turned_table(frame, side, view.angles)
    if positions == "relative" and view.relative == "bucket":
        return bucket_table_of(frame)
    effect = frame.layer.effect  # of encodings that are registered from elsewhere too
    if effect.bias is not None:
        return bias_table(frame)
    added = effect.added if side == "sequence" else effect.context_added
    return None if added is None else added_table(frame, side)


def buckets_of(frame: Frame) -> EncodingTable | None:
    """Give the learned biases of relative buckets; ``None`` under another encoding."""
    return learned_biases(frame.state) if frame.state.positions == "relative" else None


def picture_of_encoding(frame: Frame, table: EncodingTable, side: Side, *, digits: int = 3) -> MatrixPicture:
    """Make the picture of a table, with the position of each token beside its row."""
    is_of_tokens = table.rows_are == "token"
    has_places = is_of_tokens and table.columns_are != "key" and len(table.row_labels) <= _MOST_PLACES
    gutters = (_positions(frame, side),) if has_places else ()
    is_of_keys = side == "context" and table.columns_are != "key"  # rows of biases are queries, whatever is chosen
    axis: AxisName = "key" if is_of_keys else "query"
    return MatrixPicture(
        shape=(len(table.row_labels), len(table.column_labels)),
        cells=partial(_read, table.values),
        limits=(-table.limit, table.limit),
        role="score",
        row_labels=table.row_labels,
        column_labels=table.column_labels,
        row_colours=axis_colours(frame, axis) if is_of_tokens else None,
        column_colours=axis_colours(frame, "key") if table.columns_are == "key" else None,
        row_title=table.row_title,
        column_title=table.column_title,
        gutters=gutters,
        digits=digits,
        sentence=partial(cell_sentence, frame, table, side),
    )


def picture_of_vectors(names: Sequence[str], vectors: FloatArray) -> MatrixPicture:
    """Make the picture of a few vectors below each other, one column a channel."""
    limit = drawn_limit(float(np.abs(vectors).max()))
    return MatrixPicture(
        shape=(len(names), vectors.shape[1]),
        cells=partial(_read, vectors),
        limits=(-limit, limit),
        role="score",
        row_labels=tuple(names),
        column_labels=tuple([str(channel + 1) for channel in range(vectors.shape[1])]),
        row_colours=None,
        column_colours=None,
        row_title="vector",
        column_title="channel",
        sentence=partial(_vector_sentence, tuple(names), vectors),
    )


def _positions(frame: Frame, side: Side) -> Gutter:
    places = query_positions(frame.state) if side == "sequence" else key_positions(frame.state)
    return Gutter("position", partial(_taken, places), digits=0, name="position", tip="Where the token stands")


def _taken(places: FloatArray, rows: IntArray) -> FloatArray:
    taken: FloatArray = places[rows]
    return taken


def _read(values: FloatArray, rows: IntArray, columns: IntArray) -> FloatArray:
    part: FloatArray = values[np.ix_(rows, columns)]
    return part


def _vector_sentence(names: tuple[str, ...], vectors: FloatArray, row: int, column: int) -> str:
    return f"{names[row]}, channel {column + 1}: {number_text(float(vectors[row, column]))}"
