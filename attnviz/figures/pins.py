"""Pinned numbers in a figure: corners on their cells, bars at the rows that follow from them, and what they are."""

from __future__ import annotations

import numpy as np

from attnviz.appearance import Theme
from attnviz.document.arrays import BoolArray
from attnviz.document.frame import Frame
from attnviz.document.interventions import Intervention
from attnviz.document.provenance import pins_in_force, provenance_of
from attnviz.figures.grid import Grid
from attnviz.figures.svg import element, number

_SMALLEST, _LARGEST, _SHARE = 3.0, 11.0, 0.3
_BAR = 3.0
_MOST_NAMED = 6


def pin_marks(frame: Frame, kind: str, grid: Grid, theme: Theme) -> list[str]:
    """Draw the marks of a matrix whose first drawn cell has its corner at 0.

    Parameters
    ----------
    frame : Frame
        The frame.
    kind : {"score", "weight"}
        Which matrix; scores are marked at all their stages.
    grid : Grid
        What of it is drawn.
    theme : Theme
        The colours.
    """
    if not frame.pins:
        return []
    provenance, cell = provenance_of(frame), grid.cell
    drawn = [_bar(first, end, cell, theme) for first, end in _runs(provenance.affected_rows(kind)[grid.rows])]
    size = min(_LARGEST, max(min(_SMALLEST, cell), _SHARE * cell))
    for row, column in np.argwhere(provenance.pinned(kind, grid.rows, grid.columns)).tolist():
        right, top = (column + 1) * cell, row * cell
        corners = " ".join(
            f"{number(x)},{number(y)}" for x, y in ((right - size, top), (right, top), (right, top + size))
        )
        drawn.append(element("polygon", points=corners, fill=theme.warning, stroke=theme.panel))
    return drawn


def pin_remarks(frame: Frame) -> list[str]:
    """Say in a sentence what is pinned, and in another what the bars mean; nothing where nothing is."""
    pins = pins_in_force(frame)
    if not pins:
        return []
    named = ", ".join(_named(frame, one) for one in pins[:_MOST_NAMED])
    more = f" and {len(pins) - _MOST_NAMED:,} more" if len(pins) > _MOST_NAMED else ""
    return [f"Pinned, not computed: {named}{more}", "Rows with a bar follow from pinned numbers."]


def _named(frame: Frame, one: Intervention) -> str:
    tokens = frame.query_tokens if one.kind in ("q", "score", "weight") else frame.key_tokens
    last = frame.key_tokens[one.column] if one.kind in ("score", "weight") else str(one.column + 1)
    return f"{one.name} ({tokens[one.row]}, {last}) = {one.value:g}"


def _bar(first: int, end: int, cell: float, theme: Theme) -> str:
    return element("rect", x=-_BAR - 1, y=first * cell, width=_BAR, height=(end - first) * cell, fill=theme.warning)


def _runs(rows: BoolArray) -> list[tuple[int, int]]:
    """Give first and end of each run of marked rows."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], rows, [False]))))
    return [(int(first), int(end)) for first, end in edges.reshape(-1, 2)]
