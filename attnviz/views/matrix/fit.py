"""How large the cells of a matrix can be, and what fits into them: pure arithmetic in whole device pixels."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log2

from attnviz.views.matrix.geometry import Axis, LabelFace, NumberFace, NumberWay, TextSizes

SMALL_MATRIX = 8

_STEPS = (1, 2, 3, 4, 5, 8, 10, 16, 20, 25, 32, 40, 50, 64, 80, 100, 128, 160, 200, 250, 256, 400, 500, 512, 800)
_BROADEST_SMALL = 2.4
_BROADEST = 3.0
_PANEL_SHARE = 0.25
_OVER_BASE = 1.3
_LARGEST_CELL = 200
_BETWEEN_NUMBERS = 0.85
_LONGEST_NAME = 8
_HIGHEST = 1.5
_NEARLY_SQUARE = 1.12
_WHOLE_PITCH_FROM = 8


@dataclass(frozen=True, slots=True)
class Request:
    """What a layout is asked for.

    Parameters
    ----------
    width, height
        The widget, in device pixels.
    shape
        Rows and columns.
    sizes
        The measured texts.
    ratio
        Device pixels a logical pixel.
    gutter_titles
        The names of the gutters.
    said
        Notes that are to be shown whatever the layout.
    scale
        How much larger than the widget's own font the texts are; margins grow along.
    """

    width: int
    height: int
    shape: tuple[int, int]
    sizes: TextSizes
    ratio: float
    gutter_titles: tuple[str, ...]
    said: tuple[str, ...]
    scale: float = 1.0

    def px(self, length: float) -> int:
        """Give a length of logical pixels in device pixels, in the scale of the texts."""
        return round(length * self.ratio * self.scale)

    @property
    def base(self) -> float:
        """How large a cell is at least where there is room."""
        return max(self.px(62), 3.9 * self.sizes.labels[0].line)


def cell_size(request: Request, flat: LabelFace | None, room_x: int, room_y: int) -> tuple[float, float]:
    """Give the width and the height of a cell: square for small matrices, broader where that fills the room.

    Parameters
    ----------
    request
        The matrix.
    flat
        The size of column labels that are to lie above their columns, if they are.
    room_x, room_y
        What all cells may take.

    Returns
    -------
    tuple of float
        Below 1 where cells have to be left out.
    """
    (rows, columns), base = request.shape, request.base
    share = min(_PANEL_SHARE * min(request.width, request.height), _LARGEST_CELL * request.ratio)
    largest = min(max(base, share), _OVER_BASE * base)
    x, y = min(largest, room_x / columns), min(largest, room_y / rows)
    square = min(x, y)
    stretch = min(max(rows / columns, columns / rows) ** 0.5, 6.0)
    if max(rows, columns) <= SMALL_MATRIX:
        widest = room_x / columns
        needed = max(_width_for_numbers(request, square, widest), _width_for_names(request, flat, square))
        return min(widest, max(square * stretch, needed)), min(y, square * stretch)
    y = min(y, max(square * stretch, _height_for_labels(request, square)))
    return min(x, max(square * stretch, _BROADEST * y)), y


def _height_for_labels(request: Request, square: float) -> float:
    """Give how high narrow cells may be: higher than broad only where each row's label profits from it."""
    if square < 1:
        return square
    line, smallest = request.sizes.labels[0].line, request.sizes.labels[-1].line
    return min(line, _HIGHEST * square) if smallest <= _HIGHEST * square else _NEARLY_SQUARE * square


def _width_for_numbers(request: Request, square: float, widest: float) -> float:
    """Give the width of a cell of this height that has room for numbers, if it need not be too broad."""
    gap = _gap(request, square)
    room = min(_BROADEST_SMALL * square, widest) - gap
    faces = [face for face in request.sizes.faces if _is_high_enough(request, face, square - gap)]
    margins = [number_margin(request, face, gap) for face in faces]
    for way in request.sizes.numbers:
        for face, margin in zip(faces, margins, strict=True):
            needed = way.characters * face.advance + margin
            if needed <= room:
                return max(square, needed + gap + 0.5)
    return square


def _width_for_names(request: Request, flat: LabelFace | None, square: float) -> float:
    """Give the width of a cell of this height whose column's name lies above it, if it need not be too broad."""
    if flat is None:
        return square
    needed = min(max(flat.columns), _LONGEST_NAME * flat.line) + request.px(8)
    return min(needed, _BROADEST_SMALL * square)


def number_margin(request: Request, face: NumberFace, gap: int) -> int:
    """Give the blank beside a number in its cell: with the gap, most of a character between two numbers."""
    return max(request.px(2), ceil(_BETWEEN_NUMBERS * face.advance) - gap)


def _is_high_enough(request: Request, face: NumberFace, height: float) -> bool:
    return face.digit_height + request.px(2) <= height and face.height <= height


def _gap(request: Request, size: float) -> int:
    if size >= request.px(24):
        return max(1, request.px(2))
    return max(1, int(request.ratio)) if size >= request.px(_WHOLE_PITCH_FROM) else 0


def axis_of(request: Request, count: int, origin: int, size: float, room: int, smaller: float) -> Axis:
    """Make the cells of one direction.

    Parameters
    ----------
    request
        The matrix.
    count, origin
        Cells, and the first pixel.
    size, smaller
        The wished size along this direction, and the smaller one of both.
    room
        Pixels there are.

    Returns
    -------
    Axis
        Of whole pixels and with gaps where cells are large enough.
    """
    stride = max(1, ceil(1 / size - 1e-9))
    drawn = ceil(count / stride)
    pitch = min(size * stride, room / drawn)
    if smaller < request.px(_WHOLE_PITCH_FROM):
        return Axis(count, origin, max(1.0, pitch), 0, stride)
    return Axis(count, origin, float(max(1, int(pitch))), _gap(request, smaller), stride)


def gutter_face(request: Request, row_height: float) -> int | None:
    """Give the largest face a row of this height has room for; low rows take the smallest."""
    blank = request.px(4)
    faces, last = request.sizes.faces, len(request.sizes.faces) - 1
    for index, face in enumerate(faces):
        if face.height + (1 if index == last else blank) <= int(row_height):
            return index
    return None


def number_face(request: Request, columns: Axis, rows: Axis) -> tuple[int, NumberWay] | None:
    """Give the face and the way numbers are best written in these cells, or None."""
    width, height = columns.pitch - columns.gap, rows.pitch - rows.gap
    faces = [each for each in enumerate(request.sizes.faces) if _is_high_enough(request, each[1], height)]
    margins = [number_margin(request, face, columns.gap) for _, face in faces]
    for way in request.sizes.numbers:
        for (index, face), margin in zip(faces, margins, strict=True):
            if way.characters * face.advance + margin <= width:
                return index, way
    return None


def label_step(axis: Axis, line: int) -> int:
    """Say that one of how many labels has a line of its own."""
    spacing = axis.pitch / axis.stride
    for step in _STEPS:
        if step * spacing >= line:
            return step
    return 1 << ceil(log2(line / spacing))
