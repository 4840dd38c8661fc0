"""Where the blocks of a picture stand: equations in a line, rows of one query in a table, large matrices in a box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF

from attnviz.film import Block, FilmPicture
from attnviz.views.film.block_painter import BlockPainter

SPACE = 12.0
_STRIP = 22.0
_TALLEST_ROW = 1.3
_SMALLEST_ROW = 5.0
_LEAST_NUMBERED = 14.0


@dataclass(frozen=True, slots=True)
class Placed:
    """A block and its place.

    Parameters
    ----------
    block : Block
        What is drawn.
    box : QRectF
        Where its cells are.
    title : QRectF
        Where its name stands.
    """

    block: Block
    box: QRectF
    title: QRectF


@dataclass(frozen=True, slots=True)
class Line:
    """An equation and its place: blocks, and signs with the boxes they stand in.

    Parameters
    ----------
    blocks : tuple of Placed
        The operands and the result.
    signs : tuple of (str, QRectF)
        What stands between them.
    """

    blocks: tuple[Placed, ...]
    signs: tuple[tuple[str, QRectF], ...]


def line_of(items: Sequence[Block | str], area: QRectF, blocks: BlockPainter) -> Line:
    """Place an equation in the middle of an area; operands that do not fit with their numbers become narrower.

    Parameters
    ----------
    items : sequence of Block or str
        Operands and signs, from left to right.
    area : QRectF
        The room, with a line for the titles.
    blocks : BlockPainter
        Knows the sizes that the font asks for.
    """
    operands = [item for item in items if isinstance(item, Block)]
    signs = [blocks.metrics.horizontalAdvance(item) + 2 * SPACE for item in items if isinstance(item, str)]
    room = max(10.0 * len(operands), area.width() - sum(signs))
    titles = [blocks.metrics.horizontalAdvance(block.title) for block in operands]
    wanted = [max(blocks.text_width * block.shape[1], title) for block, title in zip(operands, titles, strict=True)]
    widths = shared_out(wanted, room)
    depth = area.height() - blocks.line_height - 4.0
    heights = [_height(block, depth, blocks) for block in operands]
    tallest = max(heights, default=0.0)
    left = area.left() + max(0.0, (area.width() - sum(widths) - sum(signs)) / 2)
    top = area.top() + blocks.line_height + 4.0 + max(0.0, (depth - tallest) / 2)
    placed: list[Placed] = []
    written: list[tuple[str, QRectF]] = []
    for item in items:
        if isinstance(item, str):
            width = signs[len(written)]
            written.append((item, QRectF(left, top, width, tallest)))
        else:
            place = len(placed)
            width, height = widths[place], heights[place]
            cells = min(width, blocks.text_width * item.shape[1])
            box = QRectF(round(left + (width - cells) / 2), round(top + (tallest - height) / 2), cells, height)
            box = whole_cells(box, item.shape)
            title = QRectF(left, box.top() - blocks.line_height - 4.0, width, blocks.line_height)
            placed.append(Placed(item, box, title))
        left += width
    return Line(tuple(placed), tuple(written))


def equations_in(
    picture: FilmPicture, area: QRectF, blocks: BlockPainter
) -> list[tuple[tuple[Block | str, ...], QRectF]]:
    """Give each equation of a picture its place: one alone the area, two one under the other in its middle."""
    if not picture.then:
        return [(picture.equation, area)]
    both = (picture.equation, picture.then)
    wanted = [_wanted_height(equation, blocks) for equation in both]
    upper, lower = shared_out(wanted, area.height() - SPACE)
    top = area.top() + max(0.0, (area.height() - SPACE - upper - lower) / 2)
    first = QRectF(area.left(), top, area.width(), upper)
    return [(both[0], first), (both[1], QRectF(area.left(), first.bottom() + SPACE, area.width(), lower))]


def rows_of(rows: Sequence[Block], area: QRectF, gutter: float, height: float) -> tuple[Placed, ...]:
    """Place rows of equal columns one under the other, right of a gutter for their titles."""
    box = QRectF(area.left() + gutter, area.top(), area.width() - gutter, height)
    placed: list[Placed] = []
    for i, block in enumerate(rows):
        cells = whole_cells(box.translated(0.0, i * (height + 2.0)), block.shape)
        placed.append(Placed(block, cells, QRectF(area.left(), cells.top(), gutter - 8.0, cells.height())))
    return tuple(placed)


def grid_box(block: Block, area: QRectF, blocks: BlockPainter) -> QRectF:
    """Give the box of a large matrix within an area: cells with their numbers if they fit, else nearly square."""
    n_rows, n_columns = block.shape
    width, height = min(area.width() / n_columns, 1.5 * blocks.text_width), min(area.height() / n_rows, 44.0)
    if not blocks.has_numbers(width, height):
        side = min(width, height)
        width, height = min(width, 1.4 * side), min(height, 1.4 * side)
    box = QRectF(area.left(), area.top(), max(1.0, width * n_columns), max(1.0, height * n_rows))
    return whole_cells(box, block.shape)


def whole_cells(box: QRectF, shape: tuple[int, int]) -> QRectF:
    """Make a box a little smaller, so that its cells are whole pixels, if they are large enough for that."""
    width, height = box.width() / max(1, shape[1]), box.height() / max(1, shape[0])
    width = float(int(width)) if width >= _SMALLEST_ROW else width
    height = float(int(height)) if height >= _SMALLEST_ROW else height
    return QRectF(round(box.left()), round(box.top()), width * shape[1], height * shape[0])


def row_height(n: int, room: float, blocks: BlockPainter) -> float:
    """Give the height of one of ``n`` rows: enough for numbers, less if the room is small."""
    return max(_SMALLEST_ROW, min(_TALLEST_ROW * blocks.text_height, room / max(1, n) - 2.0))


def shared_out(wanted: Sequence[float], room: float) -> list[float]:
    """Give each what it wants, or where that is too much the same to all who want more.

    Examples
    --------
    >>> shared_out([10.0, 20.0], 100.0), shared_out([10.0, 300.0, 300.0], 110.0)
    ([10.0, 20.0], [10.0, 50.0, 50.0])
    """
    given = [0.0] * len(wanted)
    left, waiting = room, sorted(range(len(wanted)), key=wanted.__getitem__)
    while waiting:
        place = waiting.pop(0)
        given[place] = min(wanted[place], left / (len(waiting) + 1))
        left -= given[place]
    return given


def _wanted_height(equation: Sequence[Block | str], blocks: BlockPainter) -> float:
    """Give the height in which an equation has all its numbers, and a line for the titles."""
    n_rows = max(item.shape[0] for item in equation if isinstance(item, Block))
    return blocks.line_height + 2 * SPACE + n_rows * blocks.text_height


def _height(block: Block, depth: float, blocks: BlockPainter) -> float:
    """Give the height of an operand: rows with numbers if they fit; one row is never a mere line."""
    n_rows = block.shape[0]
    if n_rows == 1:
        return max(_STRIP / 2, min(blocks.text_height, depth))
    return max(4.0, min(blocks.text_height * n_rows, depth, _LEAST_NUMBERED * max(n_rows, 8)))
