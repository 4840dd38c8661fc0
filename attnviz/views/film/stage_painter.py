"""How a picture of the film is laid out and painted: what is computed now, and the matrices that it fills."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFont, QPainter

from attnviz.film import Block, FilmPicture
from attnviz.film.wording import number
from attnviz.views.film.arrows_painter import ArrowsPainter
from attnviz.views.film.bars_painter import BarsPainter
from attnviz.views.film.block_layout import SPACE, Line, Placed, equations_in, grid_box, line_of, row_height, rows_of
from attnviz.views.film.block_painter import BlockPainter
from attnviz.views.film.labels import CENTRE, LEFT, Labels
from attnviz.views.film.levels_painter import LevelsPainter

_MARGIN = 16.0
_WIDE = 1.5
_LEAST_WIDE = 620.0
_MOST_GUTTER = 170.0
_ROOM_FOR_BOTH = 170.0
_ROOM_FOR_ALL_ROWS = 520.0
_ROOM_FOR_TABLE = 280.0
_ROOM_FOR_TWO = 200.0
_WIDEST_CELL = 1.7
_LONGEST_RESULT = "= -0.000e-00"


class StagePainter:
    """Paints pictures in one font and theme."""

    def __init__(self, font: QFont) -> None:
        self.blocks = BlockPainter(font)
        self._labels = Labels(self.blocks)
        self._levels = LevelsPainter(self.blocks, self._labels)
        self._bars, self._arrows = BarsPainter(self.blocks, self._labels), ArrowsPainter(self.blocks)

    def paint(self, painter: QPainter, picture: FilmPicture, area: QRectF) -> None:
        """Paint a picture into an area: the operation beside or above the matrices that have been made."""
        self.blocks.placed.clear()
        area = area.adjusted(_MARGIN, 4.0, -_MARGIN, -4.0)
        has_line = picture.step.stage == "project" or picture.step.is_of_layer  # blocks in a line instead of a table
        is_wide = area.width() >= _LEAST_WIDE and area.width() > _WIDE * area.height()
        if picture.step.is_single and not has_line:
            self._paint_single(painter, picture, area, is_wide=is_wide)
            return
        now, then = _split(area, 0.5 if has_line else 0.54, is_across=True)
        if not is_wide and area.height() < _ROOM_FOR_TWO and not has_line:
            if picture.bars is None and picture.arrows is None:
                self._paint_grids(painter, picture.gathered, area)
            else:
                self._paint_operation(painter, picture, area, area)
            return
        if not is_wide:
            share = 0.52 if picture.arrows or picture.bars else 0.4
            now, then = _split(area, share, is_across=False)
        self._paint_operation(painter, picture, now, now)
        if has_line:
            spread: list[Block | str] = []
            for block in picture.gathered:
                spread += ["", block] if spread else [block]
            self._paint_line(painter, line_of(spread, then, self.blocks))
        else:
            self._paint_grids(painter, picture.gathered, then)

    # -- one query: its rows one under the other, with the keys as columns

    def _paint_single(self, painter: QPainter, picture: FilmPicture, area: QRectF, *, is_wide: bool) -> None:
        blocks = self.blocks
        rows, output = list(picture.gathered[:-1]), [picture.gathered[-1]]
        gutter = self._gutter(rows, 0.5 * area.width() if is_wide else area.width())
        if not is_wide and picture.arrows is not None and area.height() < _ROOM_FOR_ALL_ROWS:
            rows = rows[-1:]
        elif area.height() < _ROOM_FOR_TABLE:  # what the step makes, and what it makes it of
            rows, output = [block for block in rows if block.lit is not None or block.is_begun][-2:], []
        heading, below = blocks.line_height + 4.0, blocks.line_height
        if is_wide:
            now, table = _split(area, 0.5, is_across=True)
            height = row_height(len(rows) + len(output), table.height() - heading - below, blocks)
        else:
            height = row_height(len(rows) + len(output), 0.55 * area.height() - heading - below, blocks)
            needed = (len(rows) + len(output)) * (height + 2.0) + heading + SPACE * len(output)
            now, table = QRectF(area), QRectF(area)
            table.setTop(area.bottom() - needed)
            now.setBottom(table.top() - SPACE)
        inner = table.adjusted(0.0, heading, 0.0, 0.0)
        inner.setWidth(min(table.width(), gutter + picture.step.n_key * _WIDEST_CELL * blocks.text_width))
        placed = rows_of(rows, inner, gutter, height)
        last = inner.adjusted(0.0, placed[-1].box.bottom() - inner.top() + SPACE, 0.0, 0.0)
        last.setWidth(min(table.width(), gutter + picture.gathered[-1].shape[1] * blocks.text_width))
        for one in (*placed, *rows_of(output, last, gutter, height)):
            self._labels.write_row_title(painter, one)
            blocks.draw(painter, one.block, one.box)
        if rows[0].columns is not None:
            self._labels.write_columns(painter, placed[0].box, rows[0].columns, picture.step.columns)
        self._paint_operation(painter, picture, now, now if is_wide else placed[0].box)

    def _gutter(self, rows: list[Block], width: float) -> float:
        widest = max(self.blocks.metrics.horizontalAdvance(block.title) for block in rows)
        return float(round(min(widest + SPACE, _MOST_GUTTER, 0.36 * width)))

    # -- what is computed now

    def _paint_operation(self, painter: QPainter, picture: FilmPicture, area: QRectF, columns: QRectF) -> None:
        """Paint what the step does: an equation, and bars or vectors under it where there is room for both."""
        blocks, step = self.blocks, picture.step
        is_tight = picture.arrows is not None and area.height() < _ROOM_FOR_BOTH
        if picture.terms:
            needed = len(picture.terms) * (blocks.text_height + 2.0)
        else:
            needed = blocks.text_height + blocks.line_height + 4.0 if picture.equation and not is_tight else 0.0
        has_levels = picture.levels is not None and area.height() - needed > (0 if not needed else _ROOM_FOR_BOTH / 2)
        if step.part == "dot" and step.unit == "block" and has_levels:
            needed = max(needed, 0.5 * area.height())
        upper, lower = QRectF(area), QRectF(area)
        if has_levels or picture.arrows is not None:
            upper.setHeight(needed)
            lower.setTop(area.top() + (needed + SPACE if needed else 0.0))
        if picture.terms:
            self._paint_terms(painter, picture, upper)
        elif picture.equation and not is_tight:
            for equation, own in equations_in(picture, upper, blocks):
                self._paint_line(painter, line_of(equation, own, blocks))
        if has_levels and picture.levels is not None:
            self._levels.draw(painter, picture.levels, lower, columns, has_names=columns is area)
        if picture.bars is not None:
            self._bars.draw(painter, picture.bars, lower, columns, has_names=columns is area)
        if picture.arrows is not None:
            self._arrows.draw(painter, picture.arrows, lower)

    def _paint_terms(self, painter: QPainter, picture: FilmPicture, area: QRectF) -> None:
        """Paint query, key and products under each other, and their sum at the end of the last line."""
        blocks, rows = self.blocks, list(picture.terms)
        gutter = self._gutter(rows, area.width())
        tail = blocks.number_metrics.horizontalAdvance(_LONGEST_RESULT) + SPACE
        height = row_height(len(rows), area.height(), blocks)
        needed = len(rows) * (height + 2.0)
        width = min(area.width(), gutter + blocks.text_width * rows[0].shape[1] + tail)
        left = area.left() + (area.width() - width) / 2
        table = QRectF(left, area.top() + max(0.0, (area.height() - needed) / 2), width - tail, needed)
        placed = rows_of(rows, table, gutter, height)
        for one in placed:
            self._labels.write_row_title(painter, one)
            blocks.draw(painter, one.block, one.box)
        if picture.running is None:
            return
        end = placed[-1].box
        font = QFont(blocks.number_font)
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor(blocks.theme.accent_text))
        at = QRectF(end.right() + 8.0, end.top(), tail - 8.0, end.height())
        painter.drawText(at, LEFT, f"= {number(picture.running)}")

    # -- lines and grids

    def _paint_line(self, painter: QPainter, line: Line) -> None:
        for one in line.blocks:
            self._labels.write_title(painter, one.block, one.title)
            self.blocks.draw(painter, one.block, one.box)
        painter.setFont(self.blocks.font)
        painter.setPen(QColor(self.blocks.theme.text))
        for text, box in line.signs:
            painter.drawText(box, CENTRE, text)

    def _paint_grids(self, painter: QPainter, grids: tuple[Block, ...], area: QRectF) -> None:
        """Paint the matrix of queries by keys, and the outputs at its side if there are any."""
        first = grids[0]
        gutter = 0.0
        if first.rows is not None:
            gutter = float(round(min(self._labels.rows_width(first.rows), 0.22 * area.width())))
        parts = [area] if len(grids) == 1 else list(_split(area, 0.66, is_across=True))
        for block, own in zip(grids, parts, strict=True):
            is_first = block is first
            inner = own.adjusted(gutter if is_first else 0.0, 2 * (self.blocks.line_height + 4.0), 0.0, 0.0)
            box = grid_box(block, inner, self.blocks)
            self._paint_grid(painter, Placed(block, box, own), is_first=is_first)

    def _paint_grid(self, painter: QPainter, one: Placed, *, is_first: bool) -> None:
        block, box, own = one.block, one.box, one.title
        lit_rows = range(0) if block.lit is None else block.lit.rows
        lit_columns = range(0) if block.lit is None else block.lit.columns
        head = QRectF(box.left(), own.top(), max(box.width(), own.right() - box.left()), self.blocks.line_height)
        self._labels.write_title(painter, block, head, is_left=True)
        self.blocks.draw(painter, block, box)
        if is_first and block.columns is not None and block.rows is not None:
            head.setWidth(min(head.width(), max(box.width(), 320.0)))
            self._labels.draw_legend(painter, block, head)
            self._labels.write_columns(painter, box, block.columns, lit_columns)
            self._labels.write_rows(painter, box, block.rows, lit_rows, own.left())


def _split(area: QRectF, share: float, *, is_across: bool) -> tuple[QRectF, QRectF]:
    """Cut an area in two, side by side or one over the other, with a space between."""
    first, second = QRectF(area), QRectF(area)
    if is_across:
        first.setWidth(round(area.width() * share) - SPACE)
        second.setLeft(first.right() + 2 * SPACE)
    else:
        first.setHeight(round(area.height() * share) - SPACE / 2)
        second.setTop(first.bottom() + SPACE)
    return first, second
