"""Characters of one monospaced font as blocks of numbers, drawn once by Qt and laid into an image by NumPy.

All numbers of a matrix change in every frame of a drag. Drawing each as text, or even as a cached pixmap a
number, costs more than everything else together; here a number is a few look-ups, whether it was seen before or not.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter

from attnviz.views.matrix.pixels import INK_STRIDE, LEVELS

CodeArray = NDArray[np.uint8]

ELLIPSIS = 1

_ASCII = 128
_CAPACITY = 256
_DRAWN_FIRST = "0123456789.-+einfa"
_TALLEST = "0gΣf"
NUMERALS = "0123456789.-+e"


class GlyphAtlas:
    """The coverage of single characters in equal boxes, in device pixels.

    Parameters
    ----------
    font
        A monospaced font; other fonts work, in boxes of the width of a zero.
    ratio
        Device pixels a logical pixel.

    Attributes
    ----------
    advance, height
        The size of a box.
    digit_top, digit_bottom
        Where a digit begins and ends in its box.
    """

    def __init__(self, font: QFont, ratio: float) -> None:
        metrics = QFontMetricsF(font)
        tall, digit = metrics.tightBoundingRect(_TALLEST), metrics.tightBoundingRect("0")
        self._font, self._ratio = font, ratio
        self.advance = max(1, int(np.ceil(metrics.horizontalAdvance("0") * ratio - 0.25)))
        self._baseline = int(np.ceil(-tall.top() * ratio)) + 1
        self.height = self._baseline + int(np.ceil(tall.bottom() * ratio)) + 1
        self.digit_top = self._baseline + round(digit.top() * ratio)
        self.digit_bottom = self._baseline + round(digit.bottom() * ratio)
        self._blocks = np.zeros((_CAPACITY, self.height, self.advance), np.intp)
        self._codes: dict[str, int] = {" ": ord(" "), "…": ELLIPSIS}
        self._blocks[ELLIPSIS] = self._drawn("…")
        for character in _DRAWN_FIRST:
            self._code_of(character)

    def encode(self, text: str) -> CodeArray:
        """Give the codes of the characters of ``text``; ASCII characters are their own code.

        Parameters
        ----------
        text
            Any text; past the 128 other characters an atlas holds, one is drawn as ``?``.

        Returns
        -------
        array of uint8, shape (n_characters,)
        """
        return np.array([self._code_of(character) for character in text], np.uint8)

    def inked(self, text: str) -> tuple[int, int]:
        """Give the first row of the boxes of these characters that has ink, and the row after the last.

        Parameters
        ----------
        text
            Any characters.

        Returns
        -------
        tuple of int
            The whole box if there is no ink at all.
        """
        rows = np.flatnonzero(self._blocks[self.encode(text)].any(axis=(0, 2)))
        return (int(rows[0]), int(rows[-1]) + 1) if rows.size else (0, self.height)

    def levels(self, first: int, end: int) -> NDArray[np.intp]:
        """Give these rows of all characters' boxes, as places in a flat table of inks.

        Parameters
        ----------
        first, end
            The first row, and the row after the last.

        Returns
        -------
        array of int, shape (256, end - first, advance)
            By code: 256 times the coverage, which goes from 0 (nothing) to 31 (full), the row's start in
            ``ink_levels``. A copy; characters encoded later are not in it.
        """
        return np.ascontiguousarray(self._blocks[:, first:end])

    def _code_of(self, character: str) -> int:
        known = self._codes.get(character)
        if known is not None:
            return known
        code = ord(character)
        if code >= _ASCII:
            code = _ASCII + sum(other >= _ASCII for other in self._codes.values())
            if code >= _CAPACITY:
                return self._code_of("?")
        self._codes[character] = code
        self._blocks[code] = self._drawn(character)
        return code

    def _drawn(self, character: str) -> NDArray[np.intp]:
        image = QImage(self.advance, self.height, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        image.setDevicePixelRatio(self._ratio)
        painter = QPainter(image)
        painter.setFont(self._font)
        painter.setPen(Qt.GlobalColor.white)
        width = QFontMetricsF(self._font).horizontalAdvance(character) * self._ratio
        left = max(0.0, (self.advance - width) / 2)
        painter.drawText(QPointF(left / self._ratio, self._baseline / self._ratio), character)
        painter.end()
        pixels = np.frombuffer(image.constBits(), np.uint8).reshape(self.height, self.advance, 4)
        levels: NDArray[np.intp] = np.rint(pixels[..., 3] * ((LEVELS - 1) / 255)).astype(np.intp) * INK_STRIDE
        return levels
