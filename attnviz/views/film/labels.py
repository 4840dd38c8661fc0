"""The words beside the film's matrices: names with shapes, tokens along the sides, and the range of the colours."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen

from attnviz.film import Axis, Block
from attnviz.film.wording import entry, name
from attnviz.views.film.block_colours import role_colours
from attnviz.views.film.block_layout import SPACE, Placed
from attnviz.views.film.block_painter import BlockPainter
from attnviz.views.role_colours import role_colour

_LEGEND = 56.0
_NARROWEST_NAME = 26.0
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTRE = Qt.AlignmentFlag.AlignCenter


class Labels:
    """Writes beside blocks in the font and theme of their painter."""

    def __init__(self, blocks: BlockPainter) -> None:
        self._blocks = blocks

    def write_title(self, painter: QPainter, block: Block, box: QRectF, *, is_left: bool = False) -> None:
        """Write the name in the colour of its role, and the shape beside it if there is room."""
        blocks, theme = self._blocks, self._blocks.theme
        label, shape = block.name, block.title[len(block.name) :]
        wide, of_shape = blocks.metrics.horizontalAdvance(label), blocks.metrics.horizontalAdvance(shape)
        if wide + of_shape > box.width() + 1.0:
            shape, of_shape = "", 0.0
            label = blocks.fitted(label, box.width())
            wide = blocks.metrics.horizontalAdvance(label)
        left = box.left() if is_left else box.left() + (box.width() - wide - of_shape) / 2
        painter.setFont(blocks.font)
        painter.setPen(QColor(role_colour(theme, block.role)))
        painter.drawText(QRectF(left, box.top(), wide + 2.0, box.height()), LEFT, label)
        painter.setPen(QColor(theme.muted))
        painter.drawText(QRectF(left + wide, box.top(), of_shape + 2.0, box.height()), LEFT, shape)

    def write_row_title(self, painter: QPainter, one: Placed) -> None:
        """Write the name of a row of a table in the gutter, if the row is as high as text."""
        if one.title.height() >= 0.7 * self._blocks.line_height:
            self.write_title(painter, one.block, one.title, is_left=True)

    def write_columns(self, painter: QPainter, box: QRectF, axis: Axis, lit: range) -> None:
        """Write the keys over their columns; where they do not fit, only the one that the step is about."""
        blocks, n = self._blocks, len(axis.names)
        width = box.width() / n
        top = box.top() - blocks.line_height - 2.0
        painter.setFont(blocks.font)
        if width >= _NARROWEST_NAME:
            for i, token in enumerate(axis.names):
                at = QRectF(box.left() + i * width, top, width, blocks.line_height)
                painter.setPen(self._token(axis, i))
                painter.drawText(at, CENTRE, blocks.fitted(name(token), width - 4.0))
        elif 0 < len(lit) < n:
            token = name(axis.names[lit[-1]])
            wide = blocks.metrics.horizontalAdvance(token)
            centre = box.left() + (lit[-1] + 0.5) * width
            left = max(box.left(), min(box.right() - wide, centre - wide / 2))
            painter.setPen(self._token(axis, lit[-1]))
            painter.drawText(QRectF(left, top, wide + 2.0, blocks.line_height), LEFT, token)

    def write_rows(self, painter: QPainter, box: QRectF, axis: Axis, lit: range, left: float) -> None:
        """Write the queries before their rows; where they do not fit, only the one that the step is about."""
        blocks, n = self._blocks, len(axis.names)
        height = box.height() / n
        room = box.left() - left - 6.0
        shown = range(n) if height >= 0.8 * blocks.line_height else lit[-1:]
        painter.setFont(blocks.font)
        for i in shown:
            centre = box.top() + (i + 0.5) * height
            at = QRectF(left, centre - blocks.line_height / 2, room, blocks.line_height)
            painter.setPen(self._token(axis, i))
            painter.drawText(at, _RIGHT, blocks.fitted(name(axis.names[i]), room))

    def rows_width(self, axis: Axis) -> float:
        """Give the width that the names of rows need."""
        longest = sorted(axis.names, key=len)[-3:]
        return max(self._blocks.metrics.horizontalAdvance(name(token)) for token in longest) + 10.0

    def draw_legend(self, painter: QPainter, block: Block, box: QRectF) -> None:
        """Draw the map of a grid with the range that it covers, at the right end of its title."""
        if block.limit is None:
            return
        theme, metrics = self._blocks.theme, self._blocks.metrics
        colours = role_colours(theme, block.role)
        low, high = entry(-block.limit) if colours.is_signed else "0", entry(block.limit)
        wide = metrics.horizontalAdvance(high)
        needed = metrics.horizontalAdvance(low) + wide + _LEGEND + 12.0
        if metrics.horizontalAdvance(block.title) + needed + SPACE > box.width():
            return
        painter.setFont(self._blocks.font)
        painter.setPen(QColor(theme.muted))
        painter.drawText(box, _RIGHT, high)
        strip = QRectF(box.right() - wide - 6.0 - _LEGEND, box.center().y() - 4.0, _LEGEND, 8.0)
        painter.drawText(QRectF(box.left(), box.top(), strip.left() - 6.0 - box.left(), box.height()), _RIGHT, low)
        gradient = QLinearGradient(strip.topLeft(), strip.topRight())
        for i in range(9):
            gradient.setColorAt(i / 8, colours.fills[round(i / 8 * (len(colours.fills) - 1))])
        painter.setPen(QPen(QColor(theme.border), 1.0))
        painter.setBrush(gradient)
        painter.drawRect(strip)

    def _token(self, axis: Axis, i: int) -> QColor:
        return QColor(self._blocks.theme.token(axis.first_colour + i))
