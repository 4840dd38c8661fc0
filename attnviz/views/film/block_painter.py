"""How the matrices and vectors of the film are painted: each drawn whole once, then uncovered step by step.

Stepping changes which cells are known, not their numbers. So a block is drawn into a picture when its frame arrives,
and a step copies the known parts of it; what is not known yet shows as empty cells.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QImage, QPainter, QPen, QPixmap

from attnviz.appearance import LIGHT, Theme
from attnviz.document.arrays import IntArray
from attnviz.film import Block
from attnviz.film.wording import number
from attnviz.views.film.block_colours import RoleColours, role_colours
from attnviz.views.fonts import number_font
from attnviz.views.matrix.pin_painter import corner_of

GAP = 2.0
_NUMBER_CHARACTERS = 6
_PADDING = 10.0
_RADIUS = 4.0
_SMALLEST_GAPPED = 9.0
_MOST_PICTURES = 96
_MOST_TEXTS = 2_048
_MOST_ROUNDED = 100
_ALIGN_CENTRE = Qt.AlignmentFlag.AlignCenter

_Key: TypeAlias = tuple[Hashable, ...]


class BlockPainter:
    """Paints blocks in one font and theme, and keeps the pictures of the newest frame.

    Attributes
    ----------
    text_width, text_height : float
        The size of a cell that holds its number.
    line_height : float
        The height of a line of text.
    placed : list of (Block, QRectF)
        What was painted last and where; whoever begins a picture clears it.
    """

    def __init__(self, font: QFont) -> None:
        self.placed: list[tuple[Block, QRectF]] = []
        self._pictures: dict[_Key, QPixmap] = {}
        self._fitted: dict[tuple[str, float], str] = {}
        self.apply_theme(LIGHT)
        self.take_font(font)

    def take_font(self, font: QFont) -> None:
        """Make the fonts of numbers and titles from that of the widget."""
        self.font = QFont(font)
        self.number_font = number_font(font)
        self.bold_font = QFont(font)
        self.bold_font.setBold(True)
        self.metrics, self.bold_metrics = QFontMetricsF(self.font), QFontMetricsF(self.bold_font)
        self.number_metrics = QFontMetricsF(self.number_font)
        self._advance = self.number_metrics.horizontalAdvance("0")
        self.text_width = float(np.ceil(self._advance * _NUMBER_CHARACTERS + _PADDING))
        self.text_height = float(np.ceil(self.number_metrics.height() + _PADDING))
        self.line_height = float(np.ceil(self.metrics.height()))
        self._fitted.clear()
        self.forget()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.theme = theme
        self._accent = QPen(QColor(theme.accent), 2.0)
        self._empty = QPen(QColor(theme.border), 1.0)
        self._inset = QColor(theme.inset)
        self.forget()

    def forget(self) -> None:
        """Drop the pictures: another frame has other numbers."""
        self._pictures.clear()

    def has_numbers(self, cell_width: float, cell_height: float) -> bool:
        """Tell whether cells of this size hold numbers."""
        return cell_width >= self.text_width - _PADDING + 2.0 and cell_height >= self.number_metrics.height()

    def draw(self, painter: QPainter, block: Block, box: QRectF) -> None:
        """Paint the cells of a block into a box: the known ones, the empty ones, the frame of those in question."""
        n_rows, n_columns = block.shape
        if n_rows == 0 or n_columns == 0 or box.isEmpty():
            return
        self.placed.append((block, box))
        ratio = painter.device().devicePixelRatio()
        parts = _known_parts(block)
        is_whole = len(parts) == 1 and parts[0] == (0, n_rows, n_columns)
        if not is_whole:
            painter.drawPixmap(box, self._empty_picture(block.shape, box, ratio), QRectF())
        if parts:
            whole = self._picture(block, box, ratio)
            for first, stop, columns in parts:
                known = cell_box(box, block.shape, range(first, stop), range(columns))
                source = QRectF(known.translated(-box.topLeft()))
                scale = whole.width() / box.width(), whole.height() / box.height()
                source = QRectF(
                    source.x() * scale[0], source.y() * scale[1], source.width() * scale[0], source.height() * scale[1]
                )
                painter.drawPixmap(known, whole, source)
        if block.pinned:
            self._draw_pins(painter, block, box, parts)
        if block.lit is not None and len(block.lit.rows) and len(block.lit.columns):
            self._draw_frame(painter, cell_box(box, block.shape, block.lit.rows, block.lit.columns))

    def _draw_pins(self, painter: QPainter, block: Block, box: QRectF, parts: list[tuple[int, int, int]]) -> None:
        """Draw a corner on each pinned cell that is known already."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self.theme.panel), 1.0))
        painter.setBrush(QColor(self.theme.warning))
        for row, column in block.pinned:
            if any(first <= row < stop and column < columns for first, stop, columns in parts):
                cell = cell_box(box, block.shape, range(row, row + 1), range(column, column + 1))
                painter.drawPolygon(corner_of(cell))

    def fitted(self, text: str, width: float) -> str:
        """Shorten a text to a width; what was asked before is known."""
        key = (text, width)
        found = self._fitted.get(key)
        if found is None:
            if len(self._fitted) >= _MOST_TEXTS:
                self._fitted.clear()
            found = self._fitted[key] = self.metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
        return found

    def digits_width(self, text: str) -> float:
        """Give the width of a number, whose characters are all equally wide."""
        return len(text) * self._advance

    def _draw_frame(self, painter: QPainter, lit: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._accent)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if lit.width() < 4.0 or lit.height() < 4.0:
            lit = lit.adjusted(-1.0, -1.0, 1.0, 1.0)
        painter.drawRoundedRect(lit, _RADIUS, _RADIUS)

    def _empty_picture(self, shape: tuple[int, int], box: QRectF, ratio: float) -> QPixmap:
        key = ("empty", shape, box.width(), box.height(), ratio)
        found = self._pictures.get(key)
        if found is not None:
            return found
        pixmap, painter = _canvas(box, ratio)
        own = QRectF(0.0, 0.0, box.width(), box.height())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._empty)
        painter.setBrush(self._inset)
        if _is_gapped(own, shape) and shape[0] * shape[1] > _MOST_ROUNDED:
            for row in range(shape[0]):
                for column in range(shape[1]):
                    cell = cell_box(own, shape, range(row, row + 1), range(column, column + 1))
                    painter.fillRect(cell.adjusted(1.0, 1.0, -1.0, -1.0), self._inset)
        elif _is_gapped(own, shape):
            for row in range(shape[0]):
                for column in range(shape[1]):
                    cell = cell_box(own, shape, range(row, row + 1), range(column, column + 1))
                    painter.drawRoundedRect(cell.adjusted(1.5, 1.5, -1.5, -1.5), _RADIUS, _RADIUS)
        else:
            painter.drawRect(own.adjusted(0.5, 0.5, -0.5, -0.5))
        painter.end()
        return self._keep(key, pixmap)

    def _picture(self, block: Block, box: QRectF, ratio: float) -> QPixmap:
        key = (block.key, block.role, box.width(), box.height(), ratio)
        found = self._pictures.get(key)
        if found is not None:
            return found
        pixmap, painter = _canvas(box, ratio)
        own = QRectF(0.0, 0.0, box.width(), box.height())
        if _is_gapped(own, block.shape):
            self._draw_cells(painter, block, own)
        else:
            self._draw_image(painter, block, own, ratio)
        painter.end()
        return self._keep(key, pixmap)

    def _keep(self, key: _Key, pixmap: QPixmap) -> QPixmap:
        if len(self._pictures) >= _MOST_PICTURES:
            del self._pictures[next(iter(self._pictures))]
        self._pictures[key] = pixmap
        return pixmap

    def _colours(self, block: Block) -> RoleColours:
        return role_colours(self.theme, block.role)

    def _draw_cells(self, painter: QPainter, block: Block, box: QRectF) -> None:
        """Paint cells one by one, with their numbers if they fit."""
        colours, numbers = self._colours(block), block.numbers
        entries = colours.entries(numbers, block.limit)
        n_rows, n_columns = block.shape
        banned = None if block.banned is None else block.banned(np.arange(n_rows), np.arange(n_columns))
        cell = cell_box(box, block.shape, range(1), range(1))
        has_numbers = self.has_numbers(cell.width(), cell.height())
        hatch = QBrush(QColor(self.theme.hatch), Qt.BrushStyle.BDiagPattern)
        is_rounded = n_rows * n_columns <= _MOST_ROUNDED
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, is_rounded)
        painter.setFont(self.number_font)
        radius = min(_RADIUS, cell.width() / 4) if is_rounded else 0.0
        outline = QPen(QColor(self.theme.border), 1.0)
        for row in range(n_rows):
            for column in range(n_columns):
                at = cell_box(box, block.shape, range(row, row + 1), range(column, column + 1))
                at = at.adjusted(1.5, 1.5, -1.5, -1.5) if is_rounded else at.adjusted(1.0, 1.0, -1.0, -1.0)
                is_banned = banned is not None and bool(banned[row, column])
                entry = int(entries[row, column])
                fill = hatch if is_banned else colours.brushes[entry]
                if is_rounded:
                    painter.setPen(outline)
                    painter.setBrush(fill)
                    painter.drawRoundedRect(at, radius, radius)
                else:
                    painter.fillRect(at, fill)
                if is_banned:
                    continue
                if has_numbers:
                    painter.setPen(colours.inks[entry])
                    painter.drawText(at, _ALIGN_CENTRE, self._cell_text(float(numbers[row, column]), at.width()))

    def _cell_text(self, x: float, width: float) -> str:
        text = number(x)
        if len(text) * self._advance <= width:
            return text
        short = f"{x:.0e}" if "e" in text else f"{x:.2f}"
        return short if len(short) * self._advance <= width else "…"

    def _draw_image(self, painter: QPainter, block: Block, box: QRectF, ratio: float) -> None:
        """Paint one pixel a cell and stretch it, leaving out rows and columns that have no pixel of their own."""
        rows = _sampled(block.shape[0], box.height() * ratio)
        columns = _sampled(block.shape[1], box.width() * ratio)
        colours = self._colours(block)
        pixels = colours.pixels[colours.entries(block.cells(rows, columns), block.limit)]
        if block.banned is not None:
            pixels = np.where(block.banned(rows, columns), colours.hatch, pixels)
        pixels = np.ascontiguousarray(pixels)
        height, width = pixels.shape
        image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_RGB32)
        painter.drawImage(box, image)


def _canvas(box: QRectF, ratio: float) -> tuple[QPixmap, QPainter]:
    pixmap = QPixmap(max(1, round(box.width() * ratio)), max(1, round(box.height() * ratio)))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    return pixmap, QPainter(pixmap)


def _is_gapped(box: QRectF, shape: tuple[int, int]) -> bool:
    return min(box.width() / shape[1], box.height() / shape[0]) >= _SMALLEST_GAPPED


def cell_box(box: QRectF, shape: tuple[int, int], rows: range, columns: range) -> QRectF:
    """Give the rectangle of some cells, from pixel edge to pixel edge."""
    n_rows, n_columns = shape
    left = box.left() + round(box.width() * columns.start / n_columns)
    right = box.left() + round(box.width() * columns.stop / n_columns)
    top = box.top() + round(box.height() * rows.start / n_rows)
    bottom = box.top() + round(box.height() * rows.stop / n_rows)
    return QRectF(QPointF(left, top), QPointF(right, bottom))


def _known_parts(block: Block) -> list[tuple[int, int, int]]:
    """Give the known cells as rectangles: first row, row after the last, columns from the left."""
    n_rows, n_columns = block.shape
    reach = block.reach
    if reach is None:
        return [(0, n_rows, n_columns)]
    columns = min(reach.columns, n_columns)
    whole = min(reach.below, n_rows) if columns == n_columns else min(reach.above, n_rows)
    parts = [(0, whole, n_columns)] if whole else []
    if columns < n_columns and columns and reach.below > reach.above:
        parts.append((reach.above, reach.below, columns))
    return parts


def _sampled(count: int, pixels: float) -> IntArray:
    """Choose which of many rows or columns are drawn: all, or one a pixel."""
    most = max(1, int(pixels))
    if count <= most:
        return np.arange(count)
    return (np.arange(most) * count) // most
