"""Hatching of masked cells: slanted strokes, cut at the cells' edges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attnviz.figures.svg import element, number

_STROKES_A_PATH = 16  # Qt draws many short paths faster than one long one


def hatching(is_masked: NDArray[np.bool_], cell: float, distance: float, colour: str) -> list[str]:
    """Draw the strokes over the masked cells of a grid whose corner is at (0, 0).

    Parameters
    ----------
    is_masked : array of bool, shape (rows, columns)
        The cells to hatch.
    cell : float
        The side of a cell in pixels.
    distance : float
        From stroke to stroke along an edge, in pixels.
    colour : str
        The strokes' colour.

    Returns
    -------
    list of str
        Paths of rising strokes, on the lines x + y = distance / 2, 3 distance / 2, ...; a stroke runs on from cell to
        cell. None if nothing is masked.
    """
    strokes = _strokes(is_masked, cell, distance) if is_masked.any() else []
    groups = ["".join(strokes[i : i + _STROKES_A_PATH]) for i in range(0, len(strokes), _STROKES_A_PATH)]
    return [element("path", d=group, stroke=colour, stroke_width=1, fill="none") for group in groups]


def _strokes(is_masked: NDArray[np.bool_], cell: float, distance: float) -> list[str]:
    rows, columns = is_masked.shape
    across, down = columns * cell, rows * cell
    x_edges, y_edges = np.arange(columns + 1) * cell, np.arange(rows + 1) * cell
    strokes = []
    for level in np.arange(distance / 2, across + down, distance):
        cuts = np.unique(np.concatenate((x_edges, level - y_edges)))
        cuts = cuts[(cuts >= max(0.0, level - down)) & (cuts <= min(across, level))]
        middles = (cuts[:-1] + cuts[1:]) / 2
        row = np.clip(((level - middles) / cell).astype(np.intp), 0, rows - 1)
        column = np.clip((middles / cell).astype(np.intp), 0, columns - 1)
        for start, end in _runs(is_masked[row, column]):
            left, right = float(cuts[start]), float(cuts[end])
            strokes.append(f"M{number(left)} {number(level - left)}L{number(right)} {number(level - right)}")
    return strokes


def _runs(is_in: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Give the runs of True as (first, one past the last)."""
    changes = np.flatnonzero(np.diff(np.concatenate(([False], is_in, [False]))))
    return list(zip(changes[::2].tolist(), changes[1::2].tolist(), strict=True))
