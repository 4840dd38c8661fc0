"""How the heads of a layer come together: what each adds to the output, and what averaging them would give instead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attnviz.document.arrays import FloatArray, IntArray, every
from attnviz.document.frame import Frame, drawn_limit


@dataclass(frozen=True, slots=True, eq=False)
class Averaged:
    """What a query would get from the average of its heads' weights, beside what it gets.

    Parameters
    ----------
    weights : (n_key,) array
        The mean of the heads' weights.
    blended : (d_out,) array
        What they make of the values of all heads, through W_O if there is one.
    output : (d_out,) array
        The output of the layer.
    """

    weights: FloatArray
    blended: FloatArray
    output: FloatArray

    @property
    def difference(self) -> float:
        """The largest difference between the two in any coordinate."""
        return float(np.abs(self.blended - self.output).max())


def contribution_cells(frame: Frame, head: int, rows: IntArray, columns: IntArray) -> FloatArray:
    """Give what a head adds to the output of the layer where some rows and columns cross.

    Parameters
    ----------
    frame : Frame
        The frame.
    head : int
        The head, counted from 0.
    rows, columns : (n_rows,), (n_columns,) array of int
        Queries, and coordinates of the output.

    Returns
    -------
    (n_rows, n_columns) array
        The sum over the heads, plus b_O, is the output.
    """
    d_v, w_o = frame.state.d_v, frame.state.w_o
    made: FloatArray = frame.layer.heads[head].attention.output[rows]
    if w_o is not None:
        own = w_o[head * d_v : (head + 1) * d_v, columns]
        mixed: FloatArray = made @ own  # (n_rows, d_v) @ (d_v, n_columns) -> (n_rows, n_columns)
        return mixed
    is_own = columns // d_v == head
    whole = np.zeros((len(rows), len(columns)))
    whole[:, is_own] = made[:, columns[is_own] - head * d_v]
    return whole


def contribution_norms(frame: Frame, query: int) -> FloatArray:
    """Give the Euclidean length of what each head adds to the output of a query, shape (n_heads,)."""
    row, columns = np.array([query]), every(frame.layer_output.shape[1])
    return np.array([np.linalg.norm(contribution_cells(frame, head, row, columns)) for head in range(frame.n_heads)])


def contribution_limit(frame: Frame) -> float:
    """Give the largest magnitude that a head adds to the output anywhere, or that the output has; above 0."""
    rows, columns = every(frame.n_query), every(frame.layer_output.shape[1])
    largest = float(np.abs(frame.layer_output).max())
    if frame.state.w_o is not None:  # without it every entry of a head is one of the output
        for head in range(frame.n_heads):
            largest = max(largest, float(np.abs(contribution_cells(frame, head, rows, columns)).max()))
    return drawn_limit(largest)


def average_weights(frame: Frame, rows: IntArray, columns: IntArray) -> FloatArray:
    """Give the mean of the heads' weights where some rows and columns cross; no model computes with it."""
    total = np.zeros((len(rows), len(columns)))
    for head in range(frame.n_heads):
        total += frame.at_head(head).cells("weights", rows, columns)
    return total / frame.n_heads


def averaged(frame: Frame, query: int) -> Averaged:
    """Let one query read the values of all heads by the mean of its heads' weights."""
    heads = [frame.at_head(head) for head in range(frame.n_heads)]
    weights: FloatArray = np.mean([one.row(query).weights[0] for one in heads], axis=0)
    blended: FloatArray = np.concatenate([weights @ one.v for one in heads])  # (n_key,) @ (n_key, d_v) -> (d_v,)
    state = frame.state
    if state.w_o is not None:
        blended = blended @ state.w_o  # (h * d_v,) @ (h * d_v, d_out) -> (d_out,)
        if state.b_o is not None:
            blended = blended + state.b_o
    return Averaged(weights, blended, frame.layer_output[query])
