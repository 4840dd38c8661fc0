"""Small pictures that are drawn again and again, made once: words in a colour, dots and rings.

Drawing text or an antialiased ellipse costs some ten times what laying a ready pixmap costs.
"""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap

ARROW_LENGTH = 7.0
_ABOVE = 3.0  # marks above capitals rise over the font's ascent
ARROW_DIRECTIONS = 72
MARK_RIM = 2.0
_CORNERS = {  # of the marks of queries, keys and values, for a radius of 1
    "query": ((0.0, -1.0), (0.94, 0.72), (-0.94, 0.72)),
    "key": ((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)),
    "value": ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)),
}


@lru_cache(maxsize=1024)
def word(text: str, font_key: str, colour: str, ratio: float) -> QPixmap:
    """Give ``text`` in the font that ``font_key`` (``QFont.toString``) describes, as a pixmap."""
    font = QFont()
    font.fromString(font_key)
    metrics = QFontMetricsF(font)
    width, height = max(1.0, metrics.horizontalAdvance(text)) + 2, metrics.height() + _ABOVE
    pixmap = _blank(width, height, ratio)
    painter = QPainter(pixmap)
    painter.setFont(font)
    painter.setPen(QColor(colour))
    painter.drawText(QPointF(1.0, metrics.ascent() + _ABOVE), text)
    painter.end()
    return pixmap


@lru_cache(maxsize=256)
def dot(colour: str, rim: str, radius: float, ratio: float) -> QPixmap:
    """Give a filled dot with a rim around it that keeps it apart from what lies below."""
    return _disc(QColor(colour), QColor(rim), radius, 1.5, ratio)


@lru_cache(maxsize=256)
def ring(colour: str, ground: str, radius: float, ratio: float) -> QPixmap:
    """Give a hollow ring, filled with the ground."""
    return _disc(QColor(ground), QColor(colour), radius, 2.2, ratio)


@lru_cache(maxsize=256)
def square(colour: str, rim: str, radius: float, ratio: float) -> QPixmap:
    """Give a filled square: a token of the context, which answers but does not ask."""
    pixmap = _blank(2 * radius + 4, 2 * radius + 4, ratio)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(rim), 1.5))
    painter.setBrush(QColor(colour))
    painter.drawRoundedRect(QRectF(2.8, 2.8, 2 * radius - 1.6, 2 * radius - 1.6), 2.5, 2.5)
    painter.end()
    return pixmap


@lru_cache(maxsize=512)
def mark(role: str, colour: str, token: str, ground: str, radius: float, ratio: float) -> QPixmap:
    """Give the mark of a query (a triangle), a key (a square) or a value (a diamond), with its token's colour inside.

    Parameters
    ----------
    role : {"query", "key", "value"}
        What it marks.
    colour, token, ground : str
        The colours of the shape, of the dot in it and of the rim that keeps it apart from what lies below.
    radius : float
        Half its size in logical pixels, without the rim of ``MARK_RIM``.
    ratio : float
        Device pixels a logical pixel.
    """
    middle = radius + MARK_RIM
    pixmap = _blank(2 * middle, 2 * middle, ratio)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(ground), 1.2))
    painter.setBrush(QColor(colour))
    painter.drawPolygon([QPointF(middle + x * radius, middle + y * radius) for x, y in _CORNERS[role]])
    low = 0.15 * radius if role == "query" else 0.0  # the middle of a triangle is lower than that of its box
    painter.setPen(QPen(QColor(ground), 1.0))
    painter.setBrush(QColor(token))
    painter.drawEllipse(QPointF(middle, middle + low), 0.36 * radius, 0.36 * radius)
    painter.end()
    return pixmap


@lru_cache(maxsize=64)
def halo(colour: str, radius: float, ratio: float) -> QPixmap:
    """Give a thin circle around a dot of ``radius``, empty inside."""
    return _disc(QColor(Qt.GlobalColor.transparent), QColor(colour), radius + 4, 2.0, ratio)


@lru_cache(maxsize=1024)
def arrowhead(colour: str, direction: int, ratio: float) -> QPixmap:
    """Give the head of an arrow whose tip is the middle of the pixmap.

    Parameters
    ----------
    colour : str
        Its colour.
    direction : int
        Where it points, in steps of ``360 / ARROW_DIRECTIONS`` degrees from the right, clockwise.
    ratio : float
        Device pixels a logical pixel.
    """
    pixmap = _blank(2 * ARROW_LENGTH + 2, 2 * ARROW_LENGTH + 2, ratio)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.translate(ARROW_LENGTH + 1, ARROW_LENGTH + 1)
    painter.rotate(direction * 360.0 / ARROW_DIRECTIONS)
    painter.drawPolygon([QPointF(0, 0), QPointF(-ARROW_LENGTH, 3.2), QPointF(-ARROW_LENGTH, -3.2)])
    painter.end()
    return pixmap


def _disc(fill: QColor, rim: QColor, radius: float, rim_width: float, ratio: float) -> QPixmap:
    pixmap = _blank(2 * radius + 4, 2 * radius + 4, ratio)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(rim, rim_width))
    painter.setBrush(fill)
    inner = radius - rim_width / 2
    painter.drawEllipse(QPointF(radius + 2, radius + 2), inner, inner)
    painter.end()
    return pixmap


def _blank(width: float, height: float, ratio: float) -> QPixmap:
    pixmap = QPixmap(max(1, round(width * ratio)), max(1, round(height * ratio)))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    return pixmap
