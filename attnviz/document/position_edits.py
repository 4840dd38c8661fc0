"""The edits of positions: whole rows of position ids, and the entries of learned tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from attnviz.document.arrays import FloatArray
from attnviz.document.errors import DocumentError
from attnviz.document.positions import rows_in_use
from attnviz.document.projection import bucket_table, position_table
from attnviz.document.state import Side, State


def set_position_ids(state: State, side: Side, ids: Sequence[float] | FloatArray) -> State:
    """Say where all tokens of a side stand, one number for each of them.

    Raises
    ------
    DocumentError
        If there are not as many numbers as tokens, or one is not finite.
    """
    count = len(state.side(side))
    row = np.array(ids, dtype=np.float64)
    if row.shape != (count,):
        noun = "number" if count == 1 else "numbers"
        raise DocumentError(f"position ids must be {count} {noun}, got {row.size}")
    return _with_ids(state, side, row)


def count_real_tokens(state: State) -> State:
    """Count the positions of the tokens that answer over the real ones alone; padding stands at 0.

    With padding on the left the first real token so stands at 0, as it does where the sentence is alone.

    Raises
    ------
    DocumentError
        If no token is padding.
    """
    if state.padding is None:
        raise DocumentError("to count real tokens only at least one must be padding, got none")
    is_real = ~state.padding
    ids = np.where(is_real, np.cumsum(is_real) - 1.0, 0.0)
    return _with_ids(state, "sequence" if state.context is None else "context", ids)


def set_table_entry(state: State, position: int, channel: int, value: float) -> State:
    """Change one number of the learned positions; drawn rows up to the last one in use are written down with it.

    Raises
    ------
    DocumentError
        If no token can stand at the position, there is no such channel, or the number is not finite.
    """
    table = position_table(state, rows_in_use(state)).copy()
    if not 0 <= position < len(table):
        raise DocumentError(f"a position of the table must be one of 0 to {len(table) - 1}, got {position}")
    if not 0 <= channel < state.width:
        raise DocumentError(f"a channel must be one of 1 to {state.width}, got {channel + 1}")
    table[position, channel] = value
    return replace(state, position_table=table)


def set_bucket_bias(state: State, head: int, bucket: int, value: float) -> State:
    """Change the learned bias of one head and bucket; drawn ones are written down with it.

    Raises
    ------
    DocumentError
        If there is no such head or bucket, or the number is not finite.
    """
    table = bucket_table(state).copy()
    for what, index, count in (("head", head, state.n_heads), ("bucket", bucket, state.n_buckets)):
        if not 0 <= index < count:
            first = 1 if what == "head" else 0
            raise DocumentError(f"a {what} must be one of {first} to {count - 1 + first}, got {index + first}")
    written = np.zeros((0, 0)) if state.bucket_table is None else state.bucket_table
    shape = max(len(written), len(table)), max(written.shape[1], table.shape[1])
    whole = np.zeros(shape)
    whole[: len(written), : written.shape[1]] = written  # what waits for more heads or buckets stays
    whole[: len(table), : table.shape[1]] = table
    whole[head, bucket] = value
    return replace(state, bucket_table=whole)


def forget_tables(state: State) -> State:
    """Draw the learned positions and biases again instead of those that were written."""
    return replace(state, position_table=None, bucket_table=None)


def _with_ids(state: State, side: Side, ids: FloatArray) -> State:
    """Put a row of ids into a state; counted ones are said by leaving them out."""
    is_counted = np.array_equal(ids, np.arange(len(ids)))
    name = "position_ids" if side == "sequence" else "context_position_ids"
    return replace(state, **{name: None if is_counted else ids})  # type: ignore[arg-type]  # fields of one type
