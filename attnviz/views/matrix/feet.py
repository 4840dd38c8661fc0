"""Which room the gutters below the cells take, and how their numbers are written there: pure arithmetic."""

from __future__ import annotations

from math import ceil

from attnviz.views.matrix.fit import Request, gutter_face, number_margin
from attnviz.views.matrix.geometry import Axis, Box, Foot, FootSize


def feet_under(request: Request, columns: Axis, top: int) -> tuple[Foot | None, ...]:
    """Place the gutters below the cells, one below the other, as far as columns have room for numbers.

    Parameters
    ----------
    request
        The matrix.
    columns
        The cells along x.
    top
        The first pixel that is free below the cells.

    Returns
    -------
    tuple of Foot or None
        One a gutter of the request; None where not even upright numbers fit into a column.
    """
    placed: list[Foot | None] = []
    for size in request.sizes.feet:
        foot = _foot(request, columns, size, top)
        placed.append(foot)
        top = top if foot is None else foot.box.bottom
    return tuple(placed)


def _foot(request: Request, columns: Axis, size: FootSize, top: int) -> Foot | None:
    """Write level with as many digits as fit, else upwards, else not at all."""
    faces, pitch = request.sizes.faces, columns.pitch - columns.gap
    for way in size.ways:
        for index, face in enumerate(faces):
            if way.characters * face.advance + number_margin(request, face, columns.gap) <= pitch:
                height = max(face.height + request.px(4), request.sizes.small_line)
                return Foot(Box(columns.origin, top, columns.extent, height), index, way.digits, is_turned=False)
    found = gutter_face(request, columns.pitch)
    if found is None or columns.stride > 1:
        return None
    height = size.ways[0].characters * faces[found].advance + request.px(4)
    return Foot(Box(columns.origin, top, columns.extent, height), found, size.ways[0].digits, is_turned=True)


def overhang(request: Request, rows: Axis, step: int, line: int) -> int:
    """Give how far the last row's label stands out below the cells, or the usual gap where that is larger."""
    last = (request.shape[0] - 1) // step * step
    return max(request.px(6), ceil(rows.centre(last) + line / 2) - (rows.origin + rows.extent) + 1)
