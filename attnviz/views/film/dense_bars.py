"""Bars of hundreds of keys as one image: where a bar is a few pixels wide, drawing each on its own takes too long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter

from attnviz.appearance import Theme, rgb
from attnviz.document.arrays import FloatArray
from attnviz.views.matrix.pixels import PixelArray, packed

NARROWEST_BAR = 8.0


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """Bars of one kind.

    Parameters
    ----------
    tops, bottoms : (n_key,) array
        Where each bar begins and ends, in pixels from the top of the chart.
    colours : (n_key,) array
        Their pixels.
    """

    tops: FloatArray
    bottoms: FloatArray
    colours: PixelArray


def token_pixels(theme: Theme, first: int, n: int, strength: float) -> PixelArray:
    """Give the colours of ``n`` tokens as pixels, as strong as they are on the panel.

    Parameters
    ----------
    theme : Theme
        The colours.
    first : int
        The place of the first token among the colours.
    n : int
        How many tokens.
    strength : float
        1 for the colour itself, 0 for the panel's.
    """
    tokens = np.array([rgb(colour) for colour in theme.tokens], np.float64)
    mixed = packed(tokens * strength + rgb(theme.panel) * (1.0 - strength))
    return np.asarray(mixed[(first + np.arange(n)) % len(mixed)], np.uint32)


def draw_dense(painter: QPainter, chart: QRectF, layers: Sequence[Layer], theme: Theme) -> None:
    """Paint layers of bars, later ones over earlier ones, one column of pixels after the other."""
    width, height = max(1, round(chart.width())), max(1, round(chart.height()))
    places = np.arange(width) * len(layers[0].tops) // width
    rows = (np.arange(height) + 0.5)[:, np.newaxis]
    pixels = np.full((height, width), packed(rgb(theme.panel)), np.uint32)
    for layer in layers:
        is_covered = (rows >= layer.tops[places]) & (rows < layer.bottoms[places])
        pixels = np.where(is_covered, layer.colours[places], pixels)
    pixels = np.ascontiguousarray(pixels)
    image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)
    painter.drawImage(QPointF(round(chart.left()), round(chart.top())), image)


def draw_shares(painter: QPainter, box: QRectF, edges: FloatArray, colours: PixelArray) -> None:
    """Paint parts that lie end to end, each from one edge (0 to 1) to the next, in their colours."""
    width = max(1, round(box.width()))
    at = (np.arange(width) + 0.5) / width
    places = np.clip(np.searchsorted(edges, at, side="right") - 1, 0, len(colours) - 1)
    pixels = np.ascontiguousarray(colours[places][np.newaxis])
    image = QImage(pixels.data, width, 1, 4 * width, QImage.Format.Format_RGB32)
    painter.drawImage(QRectF(round(box.left()), box.top(), width, box.height()), image)
