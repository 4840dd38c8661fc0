"""How the scores of one row are painted: bars from a line at 0, with what they were before as outlines behind."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from attnviz.appearance import Theme
from attnviz.document.arrays import FloatArray
from attnviz.film import Levels
from attnviz.film.wording import number
from attnviz.views.film.block_painter import BlockPainter
from attnviz.views.film.dense_bars import NARROWEST_BAR, Layer, draw_dense, token_pixels
from attnviz.views.film.labels import Labels
from attnviz.views.matrix.pixels import PixelArray

_WIDEST_BAR = 56.0
_GHOST, _SOLID = 0.16, 0.85


def column_of(chart: QRectF, i: int, n: int) -> QRectF:
    """Give the place of a key's bar: its column without the gap beside it."""
    width = chart.width() / n
    bar = min(_WIDEST_BAR, width * (0.62 if width > 6.0 else 0.9))
    return QRectF(chart.left() + (i + 0.5) * width - bar / 2, chart.top(), bar, chart.height())


def faint(colour: QColor, strength: float) -> QColor:
    """Give a colour that lets the ground through."""
    thinned = QColor(colour)
    thinned.setAlphaF(strength)
    return thinned


class LevelsPainter:
    """Paints the scores of a row in columns that may belong to a table below."""

    def __init__(self, blocks: BlockPainter, labels: Labels) -> None:
        self._blocks, self._labels = blocks, labels

    def draw(self, painter: QPainter, levels: Levels, area: QRectF, columns: QRectF, *, has_names: bool) -> None:
        """Paint bars in an area, in the columns of the keys; with their names below, if no table stands there."""
        blocks, theme = self._blocks, self._blocks.theme
        line, digits = blocks.line_height, blocks.number_metrics.height()
        chart = QRectF(columns.left(), area.top() + line + digits + 4.0, columns.width(), 0.0)
        chart.setBottom(area.bottom() - digits - 2.0 - (line if has_names else 0.0))
        painter.setFont(blocks.font)
        painter.setPen(QColor(theme.muted))
        head = QRectF(area.left(), area.top(), area.width(), line)
        painter.drawText(
            head, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, blocks.fitted(levels.label, area.width())
        )
        if chart.height() < 16.0:
            return
        if has_names:
            below = QRectF(chart.left(), area.bottom() + 2.0, chart.width(), 1.0)
            self._labels.write_columns(painter, below, levels.keys, levels.lit)
        n = len(levels.numbers)
        heights = levels.numbers if levels.heights is None else levels.heights
        shown = np.concatenate([heights, [] if levels.before is None else levels.before])
        high, low = max(0.0, float(shown.max())), min(0.0, float(shown.min()))
        unit = chart.height() / max(high - low, 1e-300)
        zero = chart.top() + high * unit
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if chart.width() < n * NARROWEST_BAR:
            self._draw_dense(painter, levels, chart, zero, unit)
        else:
            self._draw_columns(painter, levels, chart, zero, unit)
        painter.setPen(QPen(QColor(theme.border), 1.0))
        painter.drawLine(QPointF(chart.left(), round(zero)), QPointF(chart.right(), round(zero)))

    def _draw_columns(self, painter: QPainter, levels: Levels, chart: QRectF, zero: float, unit: float) -> None:
        theme, n = self._blocks.theme, len(levels.numbers)
        for i in range(n):
            at = column_of(chart, i, n)
            colour = QColor(theme.token(levels.keys.first_colour + i))
            if levels.banned is not None and levels.banned[i]:
                self._draw_bar(painter, at, zero, unit * float(levels.numbers[i]), faint(colour, _GHOST))
                painter.fillRect(at, QBrush(QColor(theme.hatch), Qt.BrushStyle.BDiagPattern))
                continue
            if levels.before is not None:
                self._draw_bar(painter, at, zero, unit * float(levels.before[i]), faint(colour, _GHOST))
            if i < levels.n_known:
                self._draw_known(painter, levels, i, at, zero, unit, chart.width() / n)

    def _draw_dense(self, painter: QPainter, levels: Levels, chart: QRectF, zero: float, unit: float) -> None:
        """Paint the bars of many keys as one image, and a line around those that the step is about."""
        theme, n, down = self._blocks.theme, len(levels.numbers), zero - chart.top()
        first = levels.keys.first_colour
        layers = []
        if levels.before is not None:
            layers.append(_layer(levels.before * unit, down, token_pixels(theme, first, n, _GHOST)))
        heights = levels.numbers if levels.heights is None else levels.heights
        known = np.where(np.arange(n) < levels.n_known, heights, 0.0)
        colours = token_pixels(theme, first, n, _SOLID)
        if levels.banned is not None:
            colours = np.where(levels.banned, token_pixels(theme, first, n, _GHOST), colours)
        draw_dense(painter, chart, [*layers, _layer(known * unit, down, colours)], theme)
        frame_columns(painter, chart, levels.lit, n, theme)

    def _draw_known(
        self, painter: QPainter, levels: Levels, i: int, at: QRectF, zero: float, unit: float, room: float
    ) -> None:
        """Paint a bar with its number at its end."""
        theme, metrics = self._blocks.theme, self._blocks.number_metrics
        is_lit = i in levels.lit and len(levels.lit) < len(levels.numbers)
        height = unit * float((levels.numbers if levels.heights is None else levels.heights)[i])
        painter.setPen(QPen(QColor(theme.accent), 2.0) if is_lit else Qt.PenStyle.NoPen)
        painter.setBrush(faint(QColor(theme.token(levels.keys.first_colour + i)), _SOLID))
        painter.drawRect(_bar_box(at, zero, height))
        text = number(float(levels.numbers[i]))
        if self._blocks.digits_width(text) > room:
            return
        top = zero - height - metrics.height() - 1.0 if height >= 0 else zero - height + 1.0
        painter.setFont(self._blocks.number_font)
        painter.setPen(QColor(theme.accent_text if is_lit else theme.text))
        box = QRectF(at.center().x() - room / 2, top, room, metrics.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _draw_bar(self, painter: QPainter, at: QRectF, zero: float, height: float, colour: QColor) -> None:
        painter.fillRect(_bar_box(at, zero, height), colour)


def frame_columns(painter: QPainter, chart: QRectF, lit: range, n: int, theme: Theme) -> None:
    """Paint a line around the columns of some keys, if they are not all."""
    if 0 < len(lit) < n:
        left, right = (chart.left() + chart.width() * edge / n for edge in (lit.start, lit.stop))
        painter.setPen(QPen(QColor(theme.accent), 2.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(QPointF(left - 1.0, chart.top()), QPointF(max(right, left + 3.0), chart.bottom())))


def _layer(heights: FloatArray, down: float, colours: PixelArray) -> Layer:
    """Make a layer of bars that go up or down from a line."""
    return Layer(down - np.maximum(heights, 0.0), down - np.minimum(heights, 0.0), colours)


def _bar_box(at: QRectF, zero: float, height: float) -> QRectF:
    return QRectF(QPointF(at.left(), zero - max(height, 0.0)), QPointF(at.right(), zero - min(height, -1.0)))
