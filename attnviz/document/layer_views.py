"""How the heads of a layer come together: what each adds to the output, and what averaging them would give instead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from attnviz.document.arrays import FloatArray, IntArray
from attnviz.document.frame import Frame


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


def has_mixing(frame: Frame) -> bool:
    """Tell whether the output of the layer is more than that of one head: there are several, or a W_O."""
    return frame.n_heads > 1 or frame.state.w_o is not None


def contribution_norms(frame: Frame, query: int) -> FloatArray:
    """Give the Euclidean length of what each head adds to the output of a query, shape (n_heads,)."""
    rows = [frame.layer.contribution(head)[query] for head in range(frame.n_heads)]
    return np.array([np.linalg.norm(row) for row in rows])


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
