"""How the softmax of a row is painted: bars under and over a line, and the one budget that they share."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from attnviz.appearance import rgb
from attnviz.film import Bars
from attnviz.film.wording import exponential, number
from attnviz.views.film.block_painter import BlockPainter
from attnviz.views.film.budget_painter import BudgetPainter
from attnviz.views.film.dense_bars import NARROWEST_BAR, Layer, draw_dense, token_pixels
from attnviz.views.film.labels import Labels
from attnviz.views.film.levels_painter import column_of, faint, frame_columns
from attnviz.views.matrix.pixels import packed

_BUDGET = 28.0
_ROOM_FOR_BOTH = 130.0
_DEEPEST = 12.0  # a score this far under the maximum reaches the bottom: e to its power is nothing to see
_CENTRE = Qt.AlignmentFlag.AlignCenter


class BarsPainter:
    """Paints one row of the softmax in columns that may belong to a table below."""

    def __init__(self, blocks: BlockPainter, labels: Labels) -> None:
        self._blocks, self._labels = blocks, labels
        self._budget = BudgetPainter(blocks)
        self._room = 0.0  # the width of a column

    def draw(self, painter: QPainter, bars: Bars, area: QRectF, columns: QRectF, *, has_names: bool) -> None:
        """Paint bars in an area.

        Parameters
        ----------
        painter : QPainter
            Paints on the stage.
        bars : Bars
            The row.
        area : QRectF
            The room.
        columns : QRectF
            Left and right end of the keys' columns; within the area.
        has_names : bool
            Whether the keys' names are written, as no table with them stands below.
        """
        line = self._blocks.line_height
        digits = self._blocks.number_metrics.height()
        chart = QRectF(columns.left(), area.top() + line + digits, columns.width(), 0.0)
        budget_top = area.bottom() - _BUDGET - 2.0
        self._room = columns.width() / len(bars.weights)
        chart.setBottom(budget_top - line - digits - 8.0)
        if has_names and area.height() >= _ROOM_FOR_BOTH:
            chart.setBottom(chart.bottom() - line)
            below = QRectF(chart.left(), chart.bottom() + line + digits, chart.width(), 1.0)
            self._labels.write_columns(painter, below, bars.keys, bars.lit)
        if area.height() < _ROOM_FOR_BOTH and not bars.has_total:
            chart.setBottom(area.bottom() - digits)
            self._draw_chart(painter, bars, area, chart)
            return
        if chart.height() > 24.0:
            self._draw_chart(painter, bars, area, chart)
        self._budget.draw(painter, bars, QRectF(columns.left(), budget_top, columns.width(), _BUDGET))

    def _draw_chart(self, painter: QPainter, bars: Bars, area: QRectF, chart: QRectF) -> None:
        theme, line = self._blocks.theme, self._blocks.line_height
        n = len(bars.weights)
        is_hanging = bars.n_exponentials == 0
        finite = bars.shifted[np.isfinite(bars.shifted)]
        deepest = min(_DEEPEST, max(1e-9, -float(finite.min()) if finite.size else 1.0))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        dashes = QPen(QColor(theme.border), 1.0, Qt.PenStyle.DashLine)
        painter.setPen(dashes)
        painter.drawLine(chart.topLeft(), chart.topRight())
        painter.setPen(QPen(QColor(theme.border), 1.0))
        painter.drawLine(chart.bottomLeft(), chart.bottomRight())
        painter.setPen(QColor(theme.muted))
        painter.setFont(self._blocks.font)
        standing = "e⁰ = 1" if bars.peak == 1.0 else f"top of the chart: {number(bars.peak)}"
        top = bars.maximum if is_hanging else standing
        head = QRectF(area.left(), area.top(), area.width(), line)
        painter.drawText(head, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, top)
        if self._room < NARROWEST_BAR:
            self._draw_dense(painter, bars, chart, deepest)
            return
        for i in range(n):
            at = column_of(chart, i, n)
            if bars.shifted[i] == -np.inf:
                self._draw_banned(painter, at)
            elif i >= bars.n_exponentials:
                room = max(4.0, chart.height() - self._blocks.number_metrics.height())
                depth = room * min(1.0, -float(bars.shifted[i]) / deepest)
                hanging = QRectF(at.left(), chart.top(), at.width(), max(2.0, depth))
                self._draw_bar(painter, bars, i, hanging, 0.45, number(float(bars.shifted[i])), is_above=False)
            else:
                self._draw_standing(painter, bars, i, at)

    def _draw_dense(self, painter: QPainter, bars: Bars, chart: QRectF, deepest: float) -> None:
        """Paint the bars of many keys as one image."""
        theme, n, height = self._blocks.theme, len(bars.weights), chart.height()
        first, places = bars.keys.first_colour, np.arange(n)
        is_standing, is_weight = places < bars.n_exponentials, places < bars.n_weights
        depth = np.where(is_standing, 0.0, height * np.minimum(1.0, -bars.shifted / deepest))
        risen = np.where(is_standing, height * bars.exponentials / bars.peak, 0.0)
        size = np.where(is_weight, height * bars.weights / bars.peak, risen)
        bottom = np.full(n, height)
        layers = [
            Layer(np.zeros(n), depth, token_pixels(theme, first, n, 0.45)),
            Layer(height - risen, bottom, token_pixels(theme, first, n, 0.18)),
            Layer(height - size, bottom, token_pixels(theme, first, n, 0.9)),
        ]
        banned = bars.shifted == -np.inf
        if banned.any():
            hatch = np.full(n, packed(rgb(theme.hatch) * 0.45 + rgb(theme.panel) * 0.55), np.uint32)
            layers.append(Layer(np.where(banned, 0.0, height), bottom, hatch))
        draw_dense(painter, chart, layers, theme)
        frame_columns(painter, chart, bars.lit, n, theme)

    def _draw_standing(self, painter: QPainter, bars: Bars, i: int, at: QRectF) -> None:
        """Paint an exponential, or the weight that it has become with the exponential behind it."""
        is_weight = i < bars.n_weights
        if is_weight:
            ghost = QRectF(at)
            ghost.setTop(at.bottom() - at.height() * float(bars.exponentials[i]) / bars.peak)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(faint(self._colour(bars, i), 0.18))
            painter.drawRect(ghost)
            if bars.hidden is not None and bars.hidden[i]:
                self._draw_banned(painter, ghost)
        size = float(bars.weights[i] if is_weight else bars.exponentials[i])
        bar = QRectF(at)
        bar.setTop(at.bottom() - max(1.0, at.height() * size / bars.peak))
        text = number(size) if is_weight else exponential(size)
        self._draw_bar(painter, bars, i, bar, 0.9, text, is_above=True)

    def _draw_bar(
        self, painter: QPainter, bars: Bars, i: int, bar: QRectF, strength: float, text: str, *, is_above: bool
    ) -> None:
        theme = self._blocks.theme
        is_lit = i in bars.lit and len(bars.lit) < len(bars.weights)
        painter.setPen(QPen(QColor(theme.accent), 2.0) if is_lit else Qt.PenStyle.NoPen)
        painter.setBrush(faint(self._colour(bars, i), strength))
        painter.drawRect(bar)
        metrics = self._blocks.number_metrics
        room = self._room
        if self._blocks.digits_width(text) > room:
            return
        height = metrics.height()
        top = bar.top() - height - 1 if is_above else bar.bottom() + 1
        painter.setFont(self._blocks.number_font)
        painter.setPen(QColor(theme.accent_text if is_lit else theme.text))
        painter.drawText(QRectF(bar.center().x() - room / 2, top, room, height), _CENTRE, text)

    def _draw_banned(self, painter: QPainter, at: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(QColor(self._blocks.theme.hatch), Qt.BrushStyle.BDiagPattern))
        painter.drawRect(at)

    def _colour(self, bars: Bars, i: int) -> QColor:
        return QColor(self._blocks.theme.token(bars.keys.first_colour + i))
