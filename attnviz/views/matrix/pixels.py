"""Colours as pixels: Qt's 32-bit words, and text laid over each entry of a colour map."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attnviz.appearance import ByteArray, FloatArray

LEVELS = 32
INK_STRIDE = 256

PixelArray = NDArray[np.uint32]


def packed(colours: NDArray[np.generic]) -> PixelArray:
    """Pack colours as Qt's 32-bit pixels, ``0xffRRGGBB``.

    Parameters
    ----------
    colours
        Red, green, blue from 0 to 255, shape (..., 3).

    Returns
    -------
    array of uint32, shape (...)
    """
    parts = np.rint(np.asarray(colours, np.float64)).astype(np.uint32)
    return np.asarray(0xFF000000 | parts[..., 0] << 16 | parts[..., 1] << 8 | parts[..., 2], np.uint32)


def blended(under: NDArray[np.generic], over: NDArray[np.generic], cover: FloatArray) -> FloatArray:
    """Lay one colour over another.

    Parameters
    ----------
    under, over
        Red, green, blue from 0 to 255, shapes (..., 3).
    cover
        How much of ``over`` is seen, 0 to 1, shape (...).

    Returns
    -------
    array of float, shape (..., 3)
    """
    share = np.asarray(cover)[..., None]
    return np.asarray(np.asarray(under, np.float64) * (1 - share) + np.asarray(over, np.float64) * share, np.float64)


def ink_levels(table: ByteArray, inks: ByteArray) -> PixelArray:
    """Make the pixels of text on each entry of a table, for each level of a glyph's coverage.

    Parameters
    ----------
    table, inks
        The colours under the text and of the text, shapes (n, 3).

    Returns
    -------
    array of uint32, shape (32, 256)
        Row 0 is the bare table, the last row is the full ink; columns past the table's n are unused.
    """
    cover = np.linspace(0, 1, LEVELS)[:, None]
    pixels = np.zeros((LEVELS, INK_STRIDE), np.uint32)
    pixels[:, : len(table)] = packed(blended(table[None], inks[None], np.broadcast_to(cover, (LEVELS, len(table)))))
    return pixels
