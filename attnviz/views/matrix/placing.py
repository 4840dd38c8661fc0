"""Where everything of a matrix goes by one plan, in whole device pixels: pure geometry, no Qt.

Labels that are left out make the others' room, and so the cells, larger; a layout is therefore worked out from a
plan until it agrees with it.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from attnviz.views.matrix.feet import feet_under, overhang
from attnviz.views.matrix.fit import Request, axis_of, cell_size, gutter_face, label_step, number_face
from attnviz.views.matrix.geometry import Axis, Box, Foot, LabelFace
from attnviz.views.matrix.headings import Headings, Plan, headings
from attnviz.views.matrix.layout import MatrixLayout

_ROUNDS = 6
_ROOMY_CELL = 24
_BROAD_WIDGET = 1000
_MUCH_ROOM = 0.03
_LINES_WITH_NOTE = 7


def placed(request: Request, plan: Plan) -> MatrixLayout:
    """Lay out by a plan, and again by what came of it, until both agree; labels once left out stay so.

    Parameters
    ----------
    request
        The matrix.
    plan
        What to assume.

    Returns
    -------
    MatrixLayout
        In the middle of the widget where much of it would be empty; its ``loss`` is not known yet.
    """
    layout = _placed(request, plan)
    for _ in range(_ROUNDS):
        steps = (layout.row_step, layout.column_step)
        if steps == plan.steps and layout.notes == plan.notes:
            break
        plan = replace(plan, steps=steps, notes=layout.notes)
        layout = _placed(request, plan)
    spare = request.width - _right(request, layout)
    missing = max(request.sizes.labels[plan.label].rows[:: plan.steps[0]]) - layout.row_labels.width
    if min(spare, missing) > 0:
        layout = _placed(request, replace(plan, more=min(spare, missing)))
    return _centred(request, layout)


def _placed(request: Request, plan: Plan) -> MatrixLayout:
    sizes, px = request.sizes, request.px
    head = headings(request, plan)
    face = sizes.labels[plan.label]
    line, flat = face.line, None if plan.is_turned else face
    beside = max(px(12), line // 2 + px(2)) if plan.is_turned else px(16 if plan.is_roomy else 12)
    after = beside + px(12) + px(6) + sizes.legend + px(4) if plan.has_legend else max(px(4), line // 2)
    room_x = request.width - head.left - after
    room_y = max(px(8), request.height - head.top - head.below)

    columns, rows, widths = _cells(request, plan, head, flat, (room_x, room_y), beside)
    under = 0
    for _ in range(_ROUNDS if plan.has_feet else 0):  # lower rows make narrower columns, which may need higher feet
        needed = _height_of_feet(request, plan, columns, rows)
        if needed <= under:
            break
        under = needed
        columns, rows, widths = _cells(request, plan, head, flat, (room_x, room_y - under), beside)
    beside_rows = max(4 * sizes.small_line, sizes.row_title if head.is_row_title_turned else 0)
    head = head.grown(room_y - under - max(rows.extent, beside_rows))
    rows = replace(rows, origin=head.top)
    lowest = request.height - head.below
    feet = _feet(request, plan, columns, rows, lowest)
    is_round = min(columns.pitch, rows.pitch) >= px(_ROOMY_CELL)

    x = head.left + columns.extent
    gutters: list[Box | None] = [None] * len(sizes.gutters)
    for index, width in enumerate(widths):
        gutters[index] = Box(x + beside, head.top, width, rows.extent)
        x += beside + width
    legend = None
    bar = min(max(rows.extent, 4 * sizes.small_line), max(px(8), request.height - head.top - head.below))
    if plan.has_legend:
        legend = Box(x + beside, head.top, px(12), bar)
    below = max(bar, rows.extent) if plan.has_legend else rows.extent
    numbers = number_face(request, columns, rows)
    last = (request.shape[0] - 1) // plan.steps[0] * plan.steps[0]
    last_label = ceil(rows.centre(last) + line / 2)
    row_title = _row_title(request, head, rows.extent)
    row_labels = Box(head.left - head.aside - head.row_label, head.top, head.row_label, rows.extent)
    feet_end = max((foot.box.bottom for foot in feet if foot is not None), default=0)
    layout = MatrixLayout(
        rows=rows,
        columns=columns,
        radius=px(4) if is_round else 0,
        border=max(1, int(request.ratio)) if is_round else 0,
        face=None if numbers is None else numbers[0],
        digits=0 if numbers is None else numbers[1].digits,
        is_short=numbers is not None and numbers[1].is_short,
        gutter_face=gutter_face(request, rows.pitch) if widths else None,
        label_face=plan.label,
        label_line=line,
        row_labels=row_labels,
        column_labels=Box(head.left, head.top - head.apart - head.band, columns.extent, head.band),
        is_turned=plan.is_turned,
        row_step=max(plan.steps[0], label_step(rows, line)),
        column_step=max(plan.steps[1], label_step(columns, line)) if plan.is_turned else 1,
        row_title=row_title,
        column_title=_column_title(request, head, columns.extent, bool(widths)),
        is_row_title_turned=head.is_row_title_turned,
        is_column_title_above=head.is_column_title_above,
        legend=legend,
        legend_text=sizes.legend,
        note=_note(request, head, max(head.top + below + px(8), last_label, row_title.bottom + px(2), feet_end)),
        gutters=tuple(gutters),
        feet=feet,
        foot_titles=tuple(_foot_title(request, row_labels, row_title, foot) for foot in feet),
        notes=(),
        note_lines=head.note_lines,
        ratio=request.ratio,
        scale=request.scale,
    )
    return _noted(request, layout)


def _cells(
    request: Request, plan: Plan, head: Headings, flat: LabelFace | None, room: tuple[int, int], beside: int
) -> tuple[Axis, Axis, tuple[int, ...]]:
    """Give the cells along x and along y, and the widths of the gutters, in a room beside and below the headings."""
    smallest = request.px(8)
    room_x, room_y = room[0], max(smallest, room[1])
    first = _gutter_widths(request, plan, head, cell_size(request, flat, max(smallest, room_x), room_y)[1])
    size = cell_size(request, flat, max(smallest, room_x - sum(width + beside for width in first)), room_y)
    widths = _gutter_widths(request, plan, head, size[1]) if first else ()
    if not widths:
        size = cell_size(request, flat, max(smallest, room_x), room_y)
    columns = axis_of(request, request.shape[1], head.left, size[0], max(smallest, room_x), min(size))
    rows = axis_of(request, request.shape[0], head.top, size[1], room_y, min(size))
    return columns, rows, widths


def _height_of_feet(request: Request, plan: Plan, columns: Axis, rows: Axis) -> int:
    """Give what the gutters below the cells take of the height, with the gap above them."""
    heights = [foot.box.height for foot in feet_under(request, columns, 0) if foot is not None]
    if not heights:
        return 0
    return overhang(request, rows, plan.steps[0], request.sizes.labels[plan.label].line) + sum(heights)


def _feet(request: Request, plan: Plan, columns: Axis, rows: Axis, lowest: int) -> tuple[Foot | None, ...]:
    """Place the gutters below the cells; none where they would leave what is kept for them."""
    none = (None,) * len(request.sizes.feet)
    if not plan.has_feet:
        return none
    line = request.sizes.labels[plan.label].line
    feet = feet_under(request, columns, rows.origin + rows.extent + overhang(request, rows, plan.steps[0], line))
    return none if any(foot is not None and foot.box.bottom > lowest for foot in feet) else feet


def _foot_title(request: Request, row_labels: Box, row_title: Box, foot: Foot | None) -> Box:
    """Give the line for the name of a gutter below the cells, left of it."""
    if foot is None:
        return Box(0, 0, 0, 0)
    small, is_beside = request.sizes.small_line, row_title.bottom > foot.box.y
    left = row_title.right + request.px(4) if is_beside else request.px(4)
    y = foot.box.y + (foot.box.height - small) // 2
    return Box(left, y, max(0, row_labels.right - left), small)


def _gutter_widths(request: Request, plan: Plan, head: Headings, row_height: float) -> tuple[int, ...]:
    """Give the widths of the gutters that are kept; none where rows are too low for them."""
    face = gutter_face(request, row_height)
    if face is None:
        return ()
    advance = request.sizes.faces[face].advance
    kept = request.sizes.gutters[: plan.kept]
    is_stacked = (plan.is_turned or plan.is_roomy) and head.top - head.apart >= 2 * request.sizes.small_line
    return tuple(max(size.word if is_stacked else size.title, size.characters * advance) for size in kept)


def _right(request: Request, layout: MatrixLayout) -> int:
    """Give the first pixel right of everything that is beside the cells."""
    beside = max([layout.grid.right + request.px(4), *(box.right + request.px(4) for box in layout.gutters if box)])
    if layout.legend is None:
        return beside
    return layout.legend.right + request.px(6) + layout.legend_text + request.px(4)


def _centred(request: Request, layout: MatrixLayout) -> MatrixLayout:
    """Move all parts to the middle of a broad widget, and a little down; in others, two matrices stay in line."""
    right = max(_right(request, layout), layout.column_title.right + request.px(4))
    if request.width < _BROAD_WIDGET * request.ratio or request.width - right < _MUCH_ROOM * request.width:
        return layout
    boxes = [layout.grid, layout.row_title, layout.legend, layout.note]
    boxes += [foot.box for foot in layout.feet if foot is not None]
    lowest = max(box.bottom for box in boxes if box is not None) + request.px(4)
    return _moved(request, layout, (request.width - right) // 2, max(0, request.height - lowest) // 3)


def _moved(request: Request, layout: MatrixLayout, right: int, down: int) -> MatrixLayout:
    def moved(box: Box) -> Box:
        return box._replace(x=box.x + right, y=box.y + down)

    note = layout.note
    widest = request.width - request.px(4) - right - (note.x if note is not None else 0)
    return replace(
        layout,
        rows=replace(layout.rows, origin=layout.rows.origin + down),
        columns=replace(layout.columns, origin=layout.columns.origin + right),
        row_labels=moved(layout.row_labels),
        column_labels=moved(layout.column_labels),
        row_title=moved(layout.row_title),
        column_title=moved(layout.column_title),
        legend=None if layout.legend is None else moved(layout.legend),
        gutters=tuple(None if box is None else moved(box) for box in layout.gutters),
        feet=tuple(None if foot is None else foot._replace(box=moved(foot.box)) for foot in layout.feet),
        foot_titles=tuple(moved(box) for box in layout.foot_titles),
        note=None if note is None else moved(note)._replace(width=min(note.width, widest)),
    )


def _row_title(request: Request, head: Headings, extent: int) -> Box:
    sizes = request.sizes
    if not head.is_row_title_turned:
        corner = head.corner
        return Box(corner.x, corner.bottom - sizes.small_line, corner.width, sizes.small_line)
    lowest = request.height - head.below
    highest = head.highest_title
    title = min(sizes.row_title, lowest - highest)
    y = min(max(highest, head.top + extent // 2 - title // 2), lowest - title)
    return Box(request.px(4), y, sizes.small_line, title)


def _column_title(request: Request, head: Headings, extent: int, has_gutters: bool) -> Box:
    pad, sizes = request.px(4), request.sizes
    if head.is_column_title_above:
        last = head.left + extent if has_gutters else request.width - pad
        x = max(pad, min(head.left + extent // 2 - sizes.column_title // 2, last - sizes.column_title))
        return Box(x, pad, min(sizes.column_title, request.width - x - pad), sizes.small_line)
    n_lines = 1 if head.is_row_title_turned else 2
    corner = head.corner
    return Box(corner.x, corner.bottom - n_lines * sizes.small_line, corner.width, sizes.small_line)


def _note(request: Request, head: Headings, y: int) -> Box | None:
    if not head.note_lines:
        return None
    pad, small = request.px(4), request.sizes.small_line
    if head.is_note_in_corner:
        return Box(head.corner.x, head.corner.y, head.corner.width, small * len(head.note_lines))
    return Box(pad, min(y, request.height - pad - small), request.width - 2 * pad, small)


def _noted(request: Request, layout: MatrixLayout) -> MatrixLayout:
    notes = list(request.said)
    rows, columns = layout.rows.stride, layout.columns.stride
    if rows > 1 and columns > 1:
        notes.append(f"1 of {rows} rows and {'' if rows == columns else f'1 of {columns} '}columns drawn")
    else:
        notes += [f"1 of {rows} rows drawn"] if rows > 1 else []
        notes += [f"1 of {columns} columns drawn"] if columns > 1 else []
    if layout.row_step > 1 and layout.column_step > 1:
        step = max(layout.row_step, layout.column_step)
        layout = replace(layout, row_step=step, column_step=step)
        notes.append(f"every {_ordinal(step)} label")
    else:
        notes += [f"every {_ordinal(layout.row_step)} row label"] if layout.row_step > 1 else []
        notes += [f"every {_ordinal(layout.column_step)} column label"] if layout.column_step > 1 else []
    named = zip(request.gutter_titles, (*layout.gutters, *layout.feet), strict=True)
    hidden = [title for title, place in named if place is None and title]
    if hidden and request.height >= _LINES_WITH_NOTE * request.sizes.small_line:  # lower, it would cost the numbers
        notes.append(f"no room for {_listed(hidden)}")
    return replace(layout, notes=tuple(notes))


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _ordinal(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"
