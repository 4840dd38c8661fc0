"""What is said where the heads come together: their outputs side by side, and what W_O makes of each."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from attnviz.document.arrays import FloatArray
from attnviz.document.frame import Frame
from attnviz.film.projecting import column_span
from attnviz.film.steps import Part
from attnviz.film.told import Told
from attnviz.film.wording import entry, name, vector


def head_output(frame: Frame, head: int) -> FloatArray:
    """Give the outputs of a head, shape (n_query, d_v)."""
    return frame.layer.heads[head].attention.output


def sum_of_heads(frame: Frame, count: int, rows: range) -> FloatArray:
    """Give the sum of what the first heads add to some rows of the output of the layer, shape (n_rows, d_out)."""
    w_o, n_channels = frame.state.w_o, count * frame.state.d_v
    assert w_o is not None, "without W_O heads are not added"
    joined = frame.layer.concatenated[rows.start : rows.stop, :n_channels]
    with np.errstate(over="ignore", invalid="ignore"):  # of all heads together it is finite
        made: FloatArray = joined @ w_o[:n_channels]  # (n_rows, c) @ (c, d_out) -> (n_rows, d_out)
    return made


def rows_of_w_o(frame: Frame, head: int) -> str:
    """Name the rows of W_O that read a head: ``W_O[3–4]``, or all of it where there is one head."""
    width = frame.state.d_v
    return "W_O" if frame.n_heads == 1 else f"W_O[{column_span(head * width, width)}]"


def join_caption(told: Told) -> str:
    """Say which channels the output of a head fills."""
    frame, step = told.frame, told.step
    head, width = step.heads[0], frame.state.d_v
    channels = f"channel{'' if width == 1 else 's'} {column_span(head * width, width)} of {width * frame.n_heads:,}"
    is_layer = head == frame.n_heads - 1 and frame.state.w_o is None
    end = "; all heads side by side are the output of the layer" if is_layer else ""
    if len(step.rows) > 1:
        return f"{_who(frame, head)}its outputs of {told.queries} fill {channels}{end}."
    made = vector(head_output(frame, head)[step.row])
    return f"{_who(frame, head)}y_{name(frame.query_tokens[step.row])} = {made} fills {channels}{end}."


def contribute_caption(told: Told) -> str:
    """Say what a head adds to the output of the layer."""
    frame, step = told.frame, told.step
    head, row = step.heads[0], step.row
    rows = rows_of_w_o(frame, head)
    if len(step.rows) > 1:
        return f"{_who(frame, head)}its outputs of {told.queries} times {rows} are what it adds to the layer's outputs."
    y = head_output(frame, head)[row]
    made = frame.layer.contribution(head)[row]
    token = name(frame.query_tokens[row])
    start = f"{_who(frame, head)}y_{token} · {rows} = {vector(y)} · {rows} = {vector(made)}"
    if head == 0:
        return f"{start}."
    return f"{start}, which brings the sum to {vector(sum_of_heads(frame, head + 1, step.rows)[0])}."


def complete_caption(told: Told) -> str:
    """Say what the output of the layer is."""
    frame, step = told.frame, told.step
    b_o = frame.state.b_o
    made = "what W_O made" if frame.n_heads == 1 else f"the sum of the {frame.n_heads} heads"
    if len(step.rows) > 1:
        plus = "" if b_o is None else " plus b_O"
        return f"{made[0].upper()}{made[1:]}{plus} is the output of the layer for {told.queries}."
    plus = "" if b_o is None else f" plus b_O = {vector(b_o, entry)}"
    return f"The output of the layer for {told.query} is {made}{plus}: {vector(frame.layer_output[step.row])}."


def _who(frame: Frame, head: int) -> str:
    return "" if frame.n_heads == 1 else f"Head {head + 1} of {frame.n_heads}: "


GATHERING: dict[Part, Callable[[Told], str]] = {
    "join": join_caption,
    "contribute": contribute_caption,
    "complete": complete_caption,
}
