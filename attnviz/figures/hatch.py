"""Hatching of masked cells: slanted strokes, cut at the cells' edges, as one path."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attnviz.figures.svg import number


def hatch_path(is_masked: NDArray[np.bool_], cell_width: float, cell_height: float, distance: float) -> str:
    """Write the strokes over the masked cells of a grid whose corner is at (0, 0).

    Parameters
    ----------
    is_masked : array of bool, shape (rows, columns)
        The cells to hatch.
    cell_width, cell_height : float
        The size of a cell in pixels.
    distance : float
        From stroke to stroke along an edge, in pixels.

    Returns
    -------
    str
        The ``d`` of a path: rising strokes on the lines x + y = distance, 2 distance, ...; strokes run on from cell
        to cell. Empty if nothing is masked.
    """
    if not is_masked.any():
        return ""
    rows, columns = is_masked.shape
    across, down = columns * cell_width, rows * cell_height
    x_edges, y_edges = np.arange(columns + 1) * cell_width, np.arange(rows + 1) * cell_height
    strokes = []
    for level in np.arange(distance / 2, across + down, distance):
        cuts = np.unique(np.concatenate((x_edges, level - y_edges)))
        cuts = cuts[(cuts >= max(0.0, level - down)) & (cuts <= min(across, level))]
        middles = (cuts[:-1] + cuts[1:]) / 2
        row = np.clip(((level - middles) / cell_height).astype(np.intp), 0, rows - 1)
        column = np.clip((middles / cell_width).astype(np.intp), 0, columns - 1)
        for start, end in _runs(is_masked[row, column]):
            left, right = float(cuts[start]), float(cuts[end])
            strokes.append(f"M{number(left)} {number(level - left)}L{number(right)} {number(level - right)}")
    return "".join(strokes)


def _runs(is_in: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Give the runs of True as (first, one past the last)."""
    changes = np.flatnonzero(np.diff(np.concatenate(([False], is_in, [False]))))
    return list(zip(changes[::2].tolist(), changes[1::2].tolist(), strict=True))
