"""Which of many plans suits a matrix on screen best: what each gives up is weighed, and the least is taken.

Little room can be met by names that run upwards, smaller names, titles in the corner, no legend, fewer gutters,
fewer digits or lower cells. None of these is always right, so all are tried, the likely ones first.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import log2

from attnviz.views.matrix.fit import Request, number_face
from attnviz.views.matrix.geometry import Axis, TextSizes
from attnviz.views.matrix.headings import Plan
from attnviz.views.matrix.layout import MatrixLayout
from attnviz.views.matrix.placing import placed

SCALES = (2.5, 2.25, 2.0, 1.75, 1.5, 1.25)

_MOST_WITH_NUMBERS = 32
_COMFORTABLE_CELL = 40
_ROOMY_CELL = 24
_FEWEST_LINES_OF_A_NAME = 2.6
_LABEL_LOSSES = (0.0, 0.5, 1.5, 3.5, 6.0)
_TURNED, _COMPACT, _NO_LEGEND = 6.0, 1.0, 7.0
_GUTTER, _INNER_GUTTER, _FEET = 9.0, 4.0, 9.0
_DIGIT, _SHORT, _FACE, _NO_NUMBERS, _NO_RANGE = 6.0, 3.0, 1.0, 60.0, 25.0
_HALF_THE_CELL, _HALF_THE_LABELS, _HALF_THE_CELLS = 8.0, 12.0, 40.0
_CUT_NAMES, _NARROW, _UNREADABLE = 12.0, 40.0, 80.0


def lay_out(
    width: int,
    height: int,
    shape: tuple[int, int],
    sizes: TextSizes,
    ratio: float = 1.0,
    gutter_titles: tuple[str, ...] = (),
    said: tuple[str, ...] = (),
    scale: float = 1.0,
) -> MatrixLayout:
    """Decide where everything of a matrix goes.

    Parameters
    ----------
    width, height
        The widget, in device pixels.
    shape
        Rows and columns of the matrix.
    sizes
        The measured texts.
    ratio
        Device pixels a logical pixel; any positive number.
    gutter_titles
        The names of the gutters, as many as ``sizes.gutters`` and then ``sizes.feet``.
    said
        Notes to be shown before those of the layout.
    scale
        How much larger than the widget's own font ``sizes`` were measured; margins grow along.

    Returns
    -------
    MatrixLayout
        All boxes inside the widget, none over another, as long as the widget is not smaller than a few lines.
    """
    request = Request(width, height, shape, sizes, ratio, gutter_titles, said, scale)
    best, (inevitable, can_be_roomy) = None, _bounds(request)
    for known, plan in _plans(len(sizes.gutters), len(sizes.labels), shape[1] <= _MOST_WITH_NUMBERS, bool(sizes.feet)):
        if best is not None and known + inevitable >= best.loss:
            break
        if plan.is_roomy and not can_be_roomy:
            continue
        layout = placed(request, plan)
        loss = known + _loss(request, plan, layout)
        if best is None or loss < best.loss:
            best = replace(layout, loss=loss)
    assert best is not None
    return best


def scales_for(width: int, height: int, shape: tuple[int, int], sizes: TextSizes, ratio: float) -> list[float]:
    """Give the scales above 1 that a widget may have room for, the largest first.

    Parameters
    ----------
    width, height, shape, sizes, ratio
        As for :func:`lay_out`, the texts measured in the widget's own font.

    Returns
    -------
    list of float
    """
    base = Request(width, height, shape, sizes, ratio, (), ()).base
    cell = min(0.25 * min(width, height), 200 * ratio)
    pitch = min(width / shape[1], height / shape[0]) / (_COMFORTABLE_CELL * ratio)
    largest = min(cell / base, pitch)
    return [scale for scale in SCALES if scale <= largest]


@lru_cache(maxsize=32)
def _plans(n_gutters: int, n_labels: int, has_numbers: bool, has_feet: bool) -> tuple[tuple[float, Plan], ...]:
    """List the plans, each with what it gives up anyway, the least first."""
    few = (True, False) if has_numbers else (True,)
    found = []
    level = (True, False) if has_numbers else (False,)
    for kept, label, is_roomy, is_level, has_legend, keeps_feet in product(
        range(n_gutters, -1, -1), range(n_labels), (True, False), level, few, (True, False) if has_feet else (False,)
    ):
        loss = _lost(n_gutters - kept) + _LABEL_LOSSES[label]
        loss += (not is_level) * _TURNED + (not is_roomy) * _COMPACT + (not has_legend) * _NO_LEGEND
        loss += (has_feet and not keeps_feet) * _FEET
        found.append((loss, Plan(kept, label, is_roomy, not is_level, has_legend, has_feet=keeps_feet)))
    return tuple(sorted(found, key=lambda each: each[0]))


def _bounds(request: Request) -> tuple[float, bool]:
    """Give what every plan loses, as if hardly anything were beside the cells, and whether titles can have lines."""
    (rows, columns), sizes = request.shape, request.sizes
    above = sizes.labels[-1].line + sizes.small_line
    room_x, room_y = request.width - 2 * sizes.small_line, request.height - sizes.labels[-1].line
    size = max(1, room_x // columns), max(1, room_y // rows)
    along, down = Axis(columns, 0, size[0]), Axis(rows, 0, size[1])
    loss = _HALF_THE_CELL * max(0.0, log2(request.px(_COMFORTABLE_CELL) / min(size)))
    numbers = number_face(request, along, down)
    if numbers is not None:
        loss += _FACE * numbers[0] + _DIGIT * (sizes.numbers[0].digits - numbers[1].digits)
    elif sizes.numbers:
        loss += _NO_NUMBERS
    return loss, min(room_x / columns, (request.height - above) / rows) >= request.px(_ROOMY_CELL)


def _lost(n_gutters: int) -> float:
    return n_gutters * _GUTTER + max(0, n_gutters - 1) * _INNER_GUTTER


def _loss(request: Request, plan: Plan, layout: MatrixLayout) -> float:
    """Weigh what a layout gives up beyond what its plan says."""
    pitch = min(layout.rows.pitch, layout.columns.pitch)
    loss = _HALF_THE_CELL * max(0.0, log2(request.px(_COMFORTABLE_CELL) / pitch))
    loss += _HALF_THE_CELLS * log2(layout.rows.stride * layout.columns.stride)
    steps = layout.row_step * layout.column_step
    loss += _HALF_THE_LABELS * log2(steps) + 4 * _LABEL_LOSSES[plan.label] * (steps > 1)
    loss += _UNREADABLE * (plan.is_roomy and pitch < request.px(_ROOMY_CELL))
    loss += _UNREADABLE * (layout.grid.bottom > request.height)
    loss += _lost(len(layout.gutters) - sum(map(bool, layout.gutters))) - _lost(len(layout.gutters) - plan.kept)
    loss += _FEET * (plan.has_feet and None in layout.feet)
    if any(layout.gutters):
        least = min(0.25 * request.width, request.px(22) * request.shape[1])
        loss += _NARROW * (layout.columns.extent < least)
    return loss + _loss_of_numbers(request, layout) + _loss_of_names(request, plan, layout)


def _loss_of_numbers(request: Request, layout: MatrixLayout) -> float:
    if not request.sizes.numbers:
        return 0.0
    if layout.face is None:
        return _NO_NUMBERS + _NO_RANGE * (layout.legend is None)
    missing = request.sizes.numbers[0].digits - layout.digits
    return _DIGIT * missing + _SHORT * layout.is_short + _FACE * layout.face


def _loss_of_names(request: Request, plan: Plan, layout: MatrixLayout) -> float:
    """Weigh how much of the names is cut off."""
    face = request.sizes.labels[plan.label]
    room = layout.columns.pitch - layout.columns.gap - request.px(2)
    longest = layout.column_labels.height
    if not plan.is_turned:
        longest = int(room)
        if max(face.columns) > room and room < _FEWEST_LINES_OF_A_NAME * face.line:
            return _UNREADABLE
    if max(request.shape) > _MOST_WITH_NUMBERS:
        return 0.0
    return _CUT_NAMES * (_cut(face.rows, layout.row_labels.width) + _cut(face.columns, longest))


def _cut(widths: tuple[int, ...], room: int) -> float:
    """Say how much of the names is cut off: 0 for nothing, 1 for half of each, up to 2."""
    return sum(2 - 2 * room / width for width in widths if width > room) / len(widths)
