"""Where everything of a matrix on screen goes, in whole device pixels: pure geometry, no Qt.

Given the size of the widget and the measured texts, one function decides cell size, label places, which labels
are left out, how numbers are written, and what has to be said about that. Labels that are left out make the
others' room, and so the cells, larger; a layout is therefore worked out from a plan until it agrees with it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from attnviz.views.matrix.fit import Request, axis_of, cell_size, gutter_face, label_step, number_face
from attnviz.views.matrix.geometry import Axis, Box, TextSizes
from attnviz.views.matrix.headings import Headings, Plan, headings

_ROUNDS = 6
_ROOMY_CELL = 24


@dataclass(frozen=True, slots=True)
class MatrixLayout:
    """Where everything is. Boxes are in device pixels; None: not drawn.

    Parameters
    ----------
    rows, columns
        The cells along y and along x.
    radius, border
        The corner radius and the outline of a cell; 0: none.
    face, digits, is_short
        The index of the face for numbers in cells, their digits, and whether they have no leading zero; face None:
        no numbers.
    gutter_face
        The index of the face for gutters.
    label_face, label_line
        The index of the face for token labels, and the height of its line.
    row_labels, column_labels
        The bands of the token labels.
    is_turned
        Column labels run upwards.
    row_step, column_step
        One of so many labels is drawn.
    row_title, column_title, legend, note
        Boxes of the rest; the legend's is its coloured bar.
    is_row_title_turned, is_column_title_above
        The title runs upwards beside the rows, stands above the columns; else it is in the corner, with an arrow.
    legend_text
        The width kept for the texts right of the legend.
    gutters
        A box a gutter, beside the rows.
    notes, note_lines
        What the layout had to leave out, and the same in lines of the note's box.
    ratio
        Device pixels a logical pixel.
    """

    rows: Axis
    columns: Axis
    radius: int
    border: int
    face: int | None
    digits: int
    is_short: bool
    gutter_face: int | None
    label_face: int
    label_line: int
    row_labels: Box
    column_labels: Box
    is_turned: bool
    row_step: int
    column_step: int
    row_title: Box
    column_title: Box
    is_row_title_turned: bool
    is_column_title_above: bool
    legend: Box
    legend_text: int
    note: Box | None
    gutters: tuple[Box | None, ...]
    notes: tuple[str, ...]
    note_lines: tuple[str, ...]
    ratio: float

    @property
    def grid(self) -> Box:
        """The box of all cells."""
        return Box(self.columns.origin, self.rows.origin, self.columns.extent, self.rows.extent)

    def cell(self, row: int, column: int) -> Box:
        """Give the box of one cell."""
        y, height = self.rows.span(row)
        x, width = self.columns.span(column)
        return Box(x, y, width, height)


def lay_out(
    width: int,
    height: int,
    shape: tuple[int, int],
    sizes: TextSizes,
    ratio: float = 1.0,
    gutter_titles: tuple[str, ...] = (),
    said: tuple[str, ...] = (),
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
        The names of the gutters, as many as ``sizes.gutters``.
    said
        Notes to be shown before those of the layout.

    Returns
    -------
    MatrixLayout
        All boxes inside the widget, none over another, as long as the widget is not smaller than a few lines.
    """
    request = Request(width, height, shape, sizes, ratio, gutter_titles, said)
    found = [_labelled(request, kept) for kept in range(len(sizes.gutters), -1, -1)]
    # Numbers in the cells come before the outermost gutters, and cells of some size before any.
    with_gutters = [layout for layout in found[:-1] if layout.gutter_face is not None]
    usable = [layout for layout in with_gutters if not _is_narrow(request, layout)] + found[-1:]
    return next((layout for layout in usable if layout.face is not None), usable[0])


def _is_narrow(request: Request, layout: MatrixLayout) -> bool:
    return layout.columns.extent < min(0.25 * request.width, request.px(22) * request.shape[1])


def _labelled(request: Request, kept: int) -> MatrixLayout:
    """Lay out with the most comfortable labels of which none has to be left out, else with the first."""
    first = _titled(request, kept, 0)
    if first.row_step == first.column_step == 1:
        return first
    others = (_titled(request, kept, label) for label in range(1, len(request.sizes.labels)))
    return next((layout for layout in others if layout.row_step == layout.column_step == 1), first)


def _titled(request: Request, kept: int, label: int) -> MatrixLayout:
    """Give the titles their own lines where cells are large all the same, else put them into the corner."""
    layout = _turned(request, Plan(kept, label, is_roomy=True))
    if min(layout.rows.pitch, layout.columns.pitch) >= request.px(_ROOMY_CELL):
        return layout
    return _turned(request, Plan(kept, label, is_roomy=False))


def _turned(request: Request, plan: Plan) -> MatrixLayout:
    face = request.sizes.labels[plan.label]
    flat = _settled(request, plan)
    room = flat.columns.pitch - flat.columns.gap
    if max(face.columns) <= room - request.px(2) or room >= 3.2 * face.line:
        return flat
    return _settled(request, replace(plan, is_turned=True))


def _settled(request: Request, plan: Plan) -> MatrixLayout:
    """Lay out by a plan, and again by what came of it, until both agree; labels once left out stay so."""
    layout = _placed(request, plan)
    for _ in range(_ROUNDS):
        steps = (layout.row_step, layout.column_step)
        if steps == plan.steps and layout.notes == plan.notes:
            break
        plan = replace(plan, steps=steps, notes=layout.notes)
        layout = _placed(request, plan)
    return layout


def _placed(request: Request, plan: Plan) -> MatrixLayout:
    sizes, px = request.sizes, request.px
    head = headings(request, plan)
    line = sizes.labels[plan.label].line
    beside = max(px(8), line // 2 + px(2)) if plan.is_turned else px(16 if plan.is_roomy else 8)
    room_x = request.width - head.left - beside - px(12) - px(6) - sizes.legend - px(4)
    room_y = max(px(8), request.height - head.top - head.below)

    first = _gutter_widths(request, plan, cell_size(request, max(px(8), room_x), room_y)[1])
    size = cell_size(request, max(px(8), room_x - sum(width + beside for width in first)), room_y)
    widths = _gutter_widths(request, plan, size[1]) if first else ()
    if not widths:
        size = cell_size(request, max(px(8), room_x), room_y)
    columns = axis_of(request, request.shape[1], head.left, size[0], max(px(8), room_x), min(size))
    rows = axis_of(request, request.shape[0], head.top, size[1], room_y, min(size))
    beside_rows = max(4 * sizes.small_line, sizes.row_title if head.is_row_title_turned else 0)
    head = head.grown(room_y - max(rows.extent, beside_rows))
    rows = replace(rows, origin=head.top)
    is_round = min(columns.pitch, rows.pitch) >= px(_ROOMY_CELL)

    x = head.left + columns.extent
    gutters: list[Box | None] = [None] * len(sizes.gutters)
    for index, width in enumerate(widths):
        gutters[index] = Box(x + beside, head.top, width, rows.extent)
        x += beside + width
    bar = min(max(rows.extent, 4 * sizes.small_line), max(px(8), request.height - head.top - head.below))
    numbers = number_face(request, columns, rows)
    row_title = _row_title(request, head, rows.extent)
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
        row_labels=Box(head.left - head.aside - head.row_label, head.top, head.row_label, rows.extent),
        column_labels=Box(head.left, head.top - head.apart - head.band, columns.extent, head.band),
        is_turned=plan.is_turned,
        row_step=max(plan.steps[0], label_step(rows, line)),
        column_step=max(plan.steps[1], label_step(columns, line)) if plan.is_turned else 1,
        row_title=row_title,
        column_title=_column_title(request, head, columns.extent),
        is_row_title_turned=head.is_row_title_turned,
        is_column_title_above=head.is_column_title_above,
        legend=Box(x + beside, head.top, px(12), bar),
        legend_text=sizes.legend,
        note=_note(request, head, max(head.top + max(bar, rows.extent) + px(8), row_title.bottom + px(2))),
        gutters=tuple(gutters),
        notes=(),
        note_lines=head.note_lines,
        ratio=request.ratio,
    )
    return _noted(request, layout)


def _gutter_widths(request: Request, plan: Plan, row_height: float) -> tuple[int, ...]:
    """Give the widths of the gutters that are kept; none where rows are too low for them."""
    face = gutter_face(request, row_height)
    if face is None:
        return ()
    advance = request.sizes.faces[face].advance
    kept = request.sizes.gutters[: plan.kept]
    return tuple(max(size.word if plan.is_turned else size.title, size.characters * advance) for size in kept)


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


def _column_title(request: Request, head: Headings, extent: int) -> Box:
    pad, sizes = request.px(4), request.sizes
    if head.is_column_title_above:
        x = min(max(pad, head.left + extent // 2 - sizes.column_title // 2), request.width)
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
    if gutter_face(request, layout.rows.pitch) is not None:
        named = zip(request.gutter_titles, layout.gutters, strict=True)
        hidden = [title for title, box in named if box is None and title]
        notes += [f"no room for {' and '.join(hidden)}"] if hidden else []
    return replace(layout, notes=tuple(notes))


def _ordinal(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"
