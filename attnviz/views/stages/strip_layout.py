"""Where everything of the strip goes: the small matrices in a line, their texts, the signs and ways between them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF

from attnviz.views.stages.flow import WAYS
from attnviz.views.stages.placed import Asked, PlacedMatrix, PlacedSign, PlacedWay, StripLayout
from attnviz.views.stages.small_grid import Lettered, SmallGrid, small_grid
from attnviz.views.stages.strip_fonts import StripFonts

# Face and characters of numbers, and in how many columns, the best first; the first that needs no scrolling is taken.
_NUMBERS = ((0, 6, 6), (0, 5, 6), (2, 5, 6), (2, 4, 6), (2, 5, 3), (2, 4, 3), (2, 5, 2))
_WHEN_SCROLLING = (2, 5, 3)
_MARGIN = 6.0
_GAP, _AROUND_SIGN, _AROUND_ARROW = 0.7, 0.25, 0.35  # of a line
_ARROW_ROOM = 9.0
_LANE = 5.0
_LEAST_CELLS, _MOST_CELLS = 2.2, 24.0
_BAR, _AFTER_BAR, _AFTER_SYMBOL = 16.0, 4.0, 4.0
_MOST_SPARE = 26.0


def lay_out_strip(asked: Sequence[Asked], width: float, height: float, fonts: StripFonts) -> StripLayout:
    """Decide where everything goes.

    Parameters
    ----------
    asked
        The matrices from left to right.
    width, height
        The room; the strip may become wider, never higher.
    fonts
        The letters.

    Returns
    -------
    StripLayout
        Nothing over another; numbers in the largest letters in which all matrices are in sight at once.
    """
    above, below, is_low = _around(height, fonts)
    room = min(max(_LEAST_CELLS * fonts.line / 2, height - above - below), _MOST_CELLS * fonts.line)
    widths: list[float] = []
    grids: list[SmallGrid] = []
    for numbers in (*_NUMBERS, _WHEN_SCROLLING):
        lettered = fonts.lettered(*numbers)
        grids = [_grid(each, room, fonts, lettered, is_low) for each in asked]
        widths = [_width(each, grid, fonts, is_low) for each, grid in zip(asked, grids, strict=True)]
        gaps = [_gap(each, fonts, is_first=not place) for place, each in enumerate(asked)]
        if sum(widths) + sum(gaps) + 2 * _MARGIN <= width:
            break
    spare = max(0.0, width - sum(widths) - sum(gaps) - 2 * _MARGIN)
    each_gap = min(_MOST_SPARE, spare / max(1, len(asked) - 1))
    left = _MARGIN + (spare - each_gap * (len(asked) - 1)) / 2
    middle = above + room / 2 + max(0.0, (height - above - below - room) / 2)
    matrices: list[PlacedMatrix] = []
    signs: list[PlacedSign] = []
    tallest = max(grid.rows.extent for grid in grids) / fonts.ratio
    for place, (each, grid, own) in enumerate(zip(asked, grids, widths, strict=True)):
        gap = gaps[place] + (each_gap if place else 0.0)
        if each.sign_template:
            signs.append(_placed_sign(each, QRectF(left, middle, gap, 0.0), fonts))
        left = float(round(left + gap))
        matrices.append(_placed(each, grid, QRectF(left, middle - tallest / 2, own, tallest), fonts, is_low))
        left += own
    return StripLayout(tuple(matrices), tuple(signs), _ways(matrices, is_low), left + _MARGIN, is_low)


def low_height(fonts: StripFonts) -> float:
    """Give the height of a strip that leaves out names and ranges."""
    return float(round(fonts.line + 2.2 * fonts.line + 16.0))


def usual_height(fonts: StripFonts) -> float:
    """Give the height at which the cells of three tokens hold their numbers in comfort."""
    above, below, _ = _around(1e6, fonts)
    return float(round(above + below + 5.0 * fonts.line))


def _around(height: float, fonts: StripFonts) -> tuple[float, float, bool]:
    """Give what texts above and below the cells take, and whether the strip is too low for most of them."""
    above = 4.0 + fonts.line + fonts.small_line + 4.0
    below = 4.0 + fonts.small_line + 2 * _LANE + 6.0
    if height - above - below >= _LEAST_CELLS * fonts.line:
        return above, below, False
    return 4.0 + fonts.line + 4.0, 8.0, True


def _texts_width(asked: Asked, fonts: StripFonts, is_low: bool) -> float:
    symbol = fonts.width(asked.symbol, is_bold=True)
    if is_low:
        return symbol
    first = symbol + _AFTER_SYMBOL + fonts.width(asked.shape_text)
    limits = _BAR + _AFTER_BAR + fonts.width(asked.range_template)
    return max(first, fonts.width(asked.label), limits)


def _grid(asked: Asked, room: float, fonts: StripFonts, lettered: Lettered, is_low: bool) -> SmallGrid:
    ratio = fonts.ratio
    text_width = int(_texts_width(asked, fonts, is_low) * ratio)
    return small_grid(asked.shape, int(room * ratio), round(fonts.line * ratio), text_width, lettered)


def _width(asked: Asked, grid: SmallGrid, fonts: StripFonts, is_low: bool) -> float:
    return float(-(-max(_texts_width(asked, fonts, is_low), grid.columns.extent / fonts.ratio) // 1))


def _gap(asked: Asked, fonts: StripFonts, *, is_first: bool) -> float:
    if is_first:
        return 0.0
    if not asked.sign_template:
        return _GAP * fonts.line
    return fonts.width(asked.sign_template) + 2 * _AROUND_SIGN * fonts.line


def _placed(asked: Asked, grid: SmallGrid, room: QRectF, fonts: StripFonts, is_low: bool) -> PlacedMatrix:
    """Place one matrix in its room: texts above and below from its left edge on, cells in its middle along y."""
    ratio, left = fonts.ratio, room.left()
    width, height = grid.columns.extent / ratio, grid.rows.extent / ratio
    cells = QRectF(left, round((room.center().y() - height / 2) * ratio) / ratio, width, height)
    first = room.top() - 4.0 - fonts.line - (0.0 if is_low else fonts.small_line)
    symbol = QRectF(left, first, fonts.width(asked.symbol, is_bold=True), fonts.line)
    whole = QRectF(left - 5.0, first - 2.0, room.width() + 10.0, room.bottom() - first + 8.0)
    if is_low:
        return PlacedMatrix(asked, grid, whole, cells, symbol, QRectF(), QRectF(), QRectF(), QRectF())
    shape = QRectF(symbol.right() + _AFTER_SYMBOL, first + fonts.line - fonts.small_line, 0.0, fonts.small_line)
    shape.setWidth(fonts.width(asked.shape_text))
    label = QRectF(left, first + fonts.line, fonts.width(asked.label), fonts.small_line)
    top = room.bottom() + 4.0
    bar = QRectF(left, round(top + fonts.small_line / 2 - 3.0), _BAR, 6.0)
    limits = QRectF(bar.right() + _AFTER_BAR, top, fonts.width(asked.range_template), fonts.small_line)
    whole.setBottom(limits.bottom() + 2.0)
    return PlacedMatrix(asked, grid, whole, cells, symbol, shape, label, bar, limits)


def _placed_sign(asked: Asked, room: QRectF, fonts: StripFonts) -> PlacedSign:
    """Place a sign in the gap before its matrix, above an arrow if it is a step."""
    width, line, middle = fonts.width(asked.sign_template), fonts.small_line, room.top()
    top = middle - line if asked.is_step else middle - line / 2
    text = QRectF(room.left() + (room.width() - width) / 2, round(top), width, line)
    if not asked.is_step:
        return PlacedSign(asked.name, text, None)
    length = min(room.width() - 2 * _AROUND_ARROW * fonts.line, max(width, 18.0))
    start = room.center().x() - length / 2
    y = round(middle) + 0.5 * _ARROW_ROOM
    return PlacedSign(asked.name, text, (QPointF(start, y), QPointF(start + length, y)))


def _ways(matrices: Sequence[PlacedMatrix], is_low: bool) -> tuple[PlacedWay, ...]:
    """Place the lines that run below the matrices, each in a lane of its own."""
    if is_low:
        return ()
    by_name = {placed.asked.name: placed.whole for placed in matrices}
    found = []
    for lane, way in enumerate(WAYS):
        if way.target in by_name and all(source in by_name for source in way.sources):
            starts = tuple(
                QPointF(round(_foot(by_name[source])) + 0.5, by_name[source].bottom()) for source in way.sources
            )
            target = by_name[way.target]
            end = QPointF(round(_foot(target)) + 0.5, target.bottom())
            found.append(PlacedWay(way, starts, end, round(target.bottom()) + 0.5 + (lane + 1) * _LANE))
    return tuple(found)


def _foot(whole: QRectF) -> float:
    return whole.left() + min(whole.width() / 2, 30.0)
