"""How the budget of a row is painted: all its exponentials end to end, or a budget for each key by itself."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from attnviz.document.arrays import BoolArray
from attnviz.film import Bars
from attnviz.film.wording import exponential, name, number
from attnviz.views.film.block_painter import BlockPainter
from attnviz.views.film.dense_bars import Layer, draw_dense, draw_shares, token_pixels
from attnviz.views.film.levels_painter import faint

_MOST_PARTS = 64
_NARROWEST_TEXT = 24.0
_TAKEN, _FREE = 0.85, 0.3
_SHORT = {"plus one": "+1", "the sink": "sink"}
_CENTRE = Qt.AlignmentFlag.AlignCenter


class BudgetPainter:
    """Paints a bar that the keys share, with what it is above it."""

    def __init__(self, blocks: BlockPainter) -> None:
        self._blocks = blocks

    def draw(self, painter: QPainter, bars: Bars, box: QRectF) -> None:
        """Paint the budget: each key has the share it takes, and what is left goes to the sink."""
        theme, line = self._blocks.theme, self._blocks.line_height
        painter.setFont(self._blocks.font)
        painter.setPen(QColor(theme.muted))
        head = QRectF(box.left(), box.top() - line - 4, box.width(), line)
        text = self._blocks.fitted(bars.budget, box.width())
        painter.drawText(head, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        if bars.is_by_column:
            self._draw_columns(painter, bars, box)
            return
        self._draw_ground(painter, box)
        if not bars.has_total or bars.total <= 0.0:
            return
        n = len(bars.weights)
        edges = np.concatenate(([0.0], np.cumsum(bars.shares)))
        is_taken = _is_taken(bars)
        if n > _MOST_PARTS:
            taken, free = (token_pixels(theme, bars.keys.first_colour, n, strength) for strength in (_TAKEN, _FREE))
            draw_shares(painter, box, np.minimum(edges, 1.0), np.where(is_taken, taken, free))
        self._draw_rest(painter, bars, box, float(edges[-1]))
        for i in range(n) if n <= _MOST_PARTS else ():
            self._draw_part(painter, bars, i, _between(box, edges[i], edges[i + 1]), is_taken=bool(is_taken[i]))
        lit = bars.lit if len(bars.lit) < n and bars.n_weights else range(0)
        if len(lit):
            painter.setPen(QPen(QColor(theme.accent), 2.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(_between(box, edges[lit.start], edges[lit.stop]).adjusted(0, -1, 0, 1))

    def _draw_ground(self, painter: QPainter, box: QRectF) -> None:
        theme = self._blocks.theme
        painter.setPen(QPen(QColor(theme.border), 1.0))
        painter.setBrush(QColor(theme.inset))
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))

    def _draw_part(self, painter: QPainter, bars: Bars, i: int, part: QRectF, *, is_taken: bool) -> None:
        if part.width() <= 0.05 or part.height() <= 0.05:
            return
        painter.setPen(
            QPen(QColor(self._blocks.theme.panel), 1.0) if min(part.width(), part.height()) > 4 else Qt.PenStyle.NoPen
        )
        painter.setBrush(faint(self._colour(bars, i), _TAKEN if is_taken else _FREE))
        painter.drawRect(part)
        is_known = i < bars.n_weights
        figure = number(float(bars.weights[i])) if is_known else exponential(float(bars.exponentials[i]))
        self._write(painter, part, name(bars.keys.names[i]), figure, is_taken=is_taken)

    def _draw_rest(self, painter: QPainter, bars: Bars, box: QRectF, start: float) -> None:
        """Paint what no key gets: it goes to the sink, or to nobody."""
        theme = self._blocks.theme
        for what, share in bars.rest:
            part = _between(box, start, start + share)
            painter.setPen(QPen(QColor(theme.border), 1.0))
            painter.setBrush(QBrush(QColor(theme.hatch), Qt.BrushStyle.Dense6Pattern))
            painter.drawRect(part)
            self._write(painter, part, _SHORT.get(what, what), number(share), is_taken=False)
            start += share

    def _draw_columns(self, painter: QPainter, bars: Bars, box: QRectF) -> None:
        """Paint one budget under each key, and how much of it the row takes."""
        n = len(bars.weights)
        if n > _MOST_PARTS:
            size = box.height() * (bars.shares if bars.has_total else np.zeros(n))
            colours = token_pixels(self._blocks.theme, bars.keys.first_colour, n, _TAKEN)
            layer = Layer(box.height() - size, np.full(n, box.height()), colours)
            draw_dense(painter, box, [layer], self._blocks.theme)
            return
        is_taken = _is_taken(bars)
        for i in range(n):
            own = _between(box, i / n, (i + 1) / n).adjusted(1.0, 0.0, -1.0, 0.0)
            self._draw_ground(painter, own)
            if bars.has_total:
                part = _filled(own, min(1.0, float(bars.shares[i])))
                self._draw_part(painter, bars, i, part, is_taken=bool(is_taken[i]))

    def _write(self, painter: QPainter, part: QRectF, full_name: str, figure: str, *, is_taken: bool) -> None:
        metrics, theme = self._blocks.number_metrics, self._blocks.theme
        if part.width() < _NARROWEST_TEXT:
            return
        for text in (f"{full_name} {figure}", figure):
            if metrics.horizontalAdvance(text) + 6.0 <= part.width():
                painter.setFont(self._blocks.number_font)
                painter.setPen(QColor(theme.panel if is_taken else theme.text))
                painter.drawText(part, _CENTRE, text)
                return

    def _colour(self, bars: Bars, i: int) -> QColor:
        return QColor(self._blocks.theme.token(bars.keys.first_colour + i))


def _is_taken(bars: Bars) -> BoolArray:
    """Tell which keys have got a weight by now; a masked or dropped one leaves its share to nobody."""
    taken: BoolArray = (np.arange(len(bars.weights)) < bars.n_weights) & (bars.weights != 0.0)
    return taken


def _filled(box: QRectF, share: float) -> QRectF:
    """Give the part of a box that a share fills: from the left, in a narrow one from the bottom."""
    if box.width() >= 2 * _NARROWEST_TEXT:
        return _between(box, 0.0, share)
    return QRectF(box.left(), box.bottom() - box.height() * share, box.width(), box.height() * share)


def _between(box: QRectF, start: float, stop: float) -> QRectF:
    left, right = (box.left() + box.width() * float(edge) for edge in (start, stop))
    return QRectF(QPointF(left, box.top()), QPointF(right, box.bottom()))
