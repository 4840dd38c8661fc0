"""Where everything of a matrix on screen goes, in whole device pixels: pure geometry, no Qt.

Given the size of the widget and the measured texts, one function decides cell size, label places, which labels
are left out, how numbers are written, and what has to be said about that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, log2

from attnviz.views.matrix_geometry import Axis, Box, NumberFace, TextSizes

_STEPS = (1, 2, 4, 5, 8, 10, 16, 20, 25, 32, 40, 50, 64, 80, 100, 128, 160, 200, 250, 256, 400, 500, 512, 800)
_WIDEST_FOR_NUMBERS = 1.7
_WHOLE_PITCH_FROM = 6


@dataclass(frozen=True, slots=True)
class MatrixLayout:
    """Where everything is. Boxes are in device pixels; None: not drawn.

    Parameters
    ----------
    rows, columns
        The cells along y and along x.
    radius, border
        The corner radius and the outline of a cell; 0: none.
    face, digits
        The index of the face for numbers in cells and their digits; face None: no numbers.
    gutter_face
        The index of the face for gutters.
    row_labels, column_labels
        The bands of the token labels.
    is_turned
        Column labels run upwards.
    row_step, column_step
        One of so many labels is drawn.
    row_title, column_title, legend, note
        Boxes of the rest; the legend's is its coloured bar.
    legend_text
        The width kept for the texts right of the legend.
    gutters
        A box a gutter, beside the rows.
    notes
        What the layout had to leave out.
    ratio
        Device pixels a logical pixel.
    """

    rows: Axis
    columns: Axis
    radius: int
    border: int
    face: int | None
    digits: int
    gutter_face: int | None
    row_labels: Box
    column_labels: Box
    is_turned: bool
    row_step: int
    column_step: int
    row_title: Box
    column_title: Box
    legend: Box
    legend_text: int
    note: Box | None
    gutters: tuple[Box | None, ...]
    notes: tuple[str, ...]
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


@dataclass(frozen=True, slots=True)
class _Request:
    width: int
    height: int
    shape: tuple[int, int]
    sizes: TextSizes
    ratio: float
    gutter_titles: tuple[str, ...]

    def px(self, length: float) -> int:
        return round(length * self.ratio)


def lay_out(
    width: int,
    height: int,
    shape: tuple[int, int],
    sizes: TextSizes,
    ratio: float = 1.0,
    gutter_titles: tuple[str, ...] = (),
    has_note: bool = False,
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
    has_note
        Keep a line below the matrix even if this layout has nothing to say there.

    Returns
    -------
    MatrixLayout
        All boxes inside the widget, none over another, as long as the widget is not smaller than a few lines.
    """
    request = _Request(width, height, shape, sizes, ratio, gutter_titles)
    found = [_noted(request, kept, has_note) for kept in range(len(sizes.gutters), -1, -1)]
    # Numbers in the cells come before the outermost gutters, and cells of some size before any.
    with_gutters = [layout for layout in found[:-1] if layout.gutter_face is not None]
    usable = [layout for layout in with_gutters if not _is_narrow(request, layout)] + found[-1:]
    return next((layout for layout in usable if layout.face is not None), usable[0])


def _noted(request: _Request, kept: int, has_note: bool) -> MatrixLayout:
    found = _with_gutters(request, kept, has_note)
    return _with_gutters(request, kept, True) if found.notes and found.note is None else found


def _is_narrow(request: _Request, layout: MatrixLayout) -> bool:
    return layout.columns.extent < min(0.25 * request.width, request.px(22) * request.shape[1])


def _with_gutters(request: _Request, kept: int, has_note: bool) -> MatrixLayout:
    flat = _placed(request, kept, has_note, is_turned=False)
    room = flat.columns.pitch - flat.columns.gap
    if request.sizes.column_label <= room - request.px(2) or room >= 3.2 * request.sizes.line:
        return flat
    return _placed(request, kept, has_note, is_turned=True)


def _placed(request: _Request, kept: int, has_note: bool, is_turned: bool) -> MatrixLayout:
    sizes, px = request.sizes, request.px
    pad, line, small = px(4), sizes.line, sizes.small_line
    label_width = min(sizes.row_label, max(round(0.25 * request.width), 3 * line))
    label_height = min(sizes.column_label, max(round(0.25 * request.height), 3 * line)) if is_turned else line
    # A turned label is centred on its column, and may stand out to the left of a narrow one.
    aside = max(px(8), line // 2 + 1) if is_turned else px(8)
    left = pad + small + px(8) + label_width + aside
    top = pad + small + px(2) + label_height + px(6)
    legend_width = px(12) + px(6) + sizes.legend
    below = pad + (small + px(6) if has_note else 0)
    room_x = request.width - left - px(16) - legend_width - pad
    room_y = max(px(8), request.height - top - below)

    with_gutters = sum(each + px(16) for each in sizes.gutters[:kept])
    sizes_of_cell = _cell_size(request, max(px(8), room_x - with_gutters), room_y)
    gutter_face = _gutter_face(sizes, sizes_of_cell[1])
    if gutter_face is None or not kept:
        kept = 0
        sizes_of_cell = _cell_size(request, max(px(8), room_x), room_y)
    columns = _axis(request, request.shape[1], left, sizes_of_cell[0], max(px(8), room_x), min(sizes_of_cell))
    rows = _axis(request, request.shape[0], top, sizes_of_cell[1], room_y, min(sizes_of_cell))
    is_round = min(columns.pitch, rows.pitch) >= px(24)

    x = left + columns.extent
    gutters: list[Box | None] = [None] * len(sizes.gutters)
    for index in range(kept):
        x += px(16)
        gutters[index] = Box(x, top, sizes.gutters[index], rows.extent)
        x += sizes.gutters[index]
    bar = min(max(rows.extent, 4 * small), max(px(8), request.height - top - below))
    note_y = min(top + max(bar, rows.extent) + px(8), request.height - pad - small)
    face, digits = _number(request, columns, rows)
    lowest = note_y - px(2) if has_note else request.height - pad
    title = min(sizes.row_title, lowest - pad)
    title_y = min(max(pad, top + rows.extent // 2 - title // 2), lowest - title)
    title_x = min(max(pad, left + columns.extent // 2 - sizes.column_title // 2), request.width)
    layout = MatrixLayout(
        rows=rows,
        columns=columns,
        radius=px(4) if is_round else 0,
        border=max(1, int(request.ratio)) if is_round else 0,
        face=face,
        digits=digits,
        gutter_face=gutter_face if kept else None,
        row_labels=Box(left - aside - label_width, top, label_width, rows.extent),
        column_labels=Box(left, top - px(6) - label_height, columns.extent, label_height),
        is_turned=is_turned,
        row_step=_step(rows, line),
        column_step=_step(columns, line) if is_turned else 1,
        row_title=Box(pad, title_y, small, title),
        column_title=Box(title_x, pad, min(sizes.column_title, request.width - title_x - pad), small),
        legend=Box(x + px(16), top, px(12), bar),
        legend_text=sizes.legend,
        note=Box(pad, note_y, request.width - 2 * pad, small) if has_note else None,
        gutters=tuple(gutters),
        notes=(),
        ratio=request.ratio,
    )
    return replace(layout, notes=_notes(request, layout))


def _cell_size(request: _Request, room_x: int, room_y: int) -> tuple[float, float]:
    rows, columns = request.shape
    base = max(request.px(62), 3.9 * request.sizes.line)
    largest = min(max(base, 0.11 * min(request.width, request.height)), 1.5 * base)
    x, y = min(largest, room_x / columns), min(largest, room_y / rows)
    square = min(x, y)
    stretch = min(max(rows / columns, columns / rows) ** 0.5, 6.0)
    y = min(y, square * stretch)
    x = min(x, max(square * stretch, _width_for_numbers(request, square, x)))
    return x, y


def _width_for_numbers(request: _Request, square: float, widest: float) -> float:
    """Give the width of a cell of this height that has room for numbers, if it need not be too broad."""
    gap = _gap(request, square)
    for _, characters in request.sizes.numbers:
        for index, face in enumerate(request.sizes.faces):
            needed = characters * face.advance + _margin(request, index) + gap
            if _is_high_enough(request, face, square - gap) and needed <= min(_WIDEST_FOR_NUMBERS * square, widest):
                return max(square, needed + 0.5)
    return square


def _margin(request: _Request, index: int) -> int:
    """Give the blank beside a number: little where numbers are at their smallest anyway."""
    return request.px(2) if index == len(request.sizes.faces) - 1 else request.px(6)


def _is_high_enough(request: _Request, face: NumberFace, height: float) -> bool:
    return face.digit_height + request.px(3) <= height and face.height <= height


def _gap(request: _Request, size: float) -> int:
    if size >= request.px(24):
        return max(1, request.px(2))
    return max(1, int(request.ratio)) if size >= request.px(12) else 0


def _axis(request: _Request, count: int, origin: int, size: float, room: int, smaller: float) -> Axis:
    stride = max(1, ceil(1 / size - 1e-9))
    drawn = ceil(count / stride)
    pitch = min(size * stride, room / drawn)
    if smaller < request.px(_WHOLE_PITCH_FROM):
        return Axis(count, origin, max(1.0, pitch), 0, stride)
    return Axis(count, origin, float(max(1, int(pitch))), _gap(request, smaller), stride)


def _gutter_face(sizes: TextSizes, row_height: float) -> int | None:
    for index, face in enumerate(sizes.faces):
        if face.height + 1 <= int(row_height):
            return index
    return None


def _number(request: _Request, columns: Axis, rows: Axis) -> tuple[int | None, int]:
    width, height = columns.pitch - columns.gap, rows.pitch - rows.gap
    for digits, characters in request.sizes.numbers:
        for index, face in enumerate(request.sizes.faces):
            is_wide_enough = characters * face.advance + _margin(request, index) <= width
            if is_wide_enough and _is_high_enough(request, face, height):
                return index, digits
    return None, 0


def _step(axis: Axis, line: int) -> int:
    spacing = axis.pitch / axis.stride
    for step in _STEPS:
        if step * spacing >= line:
            return step
    return 1 << ceil(log2(line / spacing))


def _notes(request: _Request, layout: MatrixLayout) -> tuple[str, ...]:
    notes: list[str] = []
    rows, columns = layout.rows.stride, layout.columns.stride
    if rows > 1 and rows == columns:
        notes.append(f"1 of {rows} rows and columns drawn")
    else:
        notes += [f"1 of {rows} rows drawn"] if rows > 1 else []
        notes += [f"1 of {columns} columns drawn"] if columns > 1 else []
    if layout.row_step > 1 and layout.row_step == layout.column_step:
        notes.append(f"every {_ordinal(layout.row_step)} label")
    else:
        notes += [f"every {_ordinal(layout.row_step)} row label"] if layout.row_step > 1 else []
        notes += [f"every {_ordinal(layout.column_step)} column label"] if layout.column_step > 1 else []
    if _gutter_face(request.sizes, layout.rows.pitch) is not None:
        named = zip(request.gutter_titles, layout.gutters, strict=True)
        hidden = [title for title, box in named if box is None and title]
        notes += [f"no room for {' and '.join(hidden)}"] if hidden else []
    return tuple(notes)


def _ordinal(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"
