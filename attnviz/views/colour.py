"""Colours as numbers: look-up tables from a theme's map, contrast, and the text colour that stands on each entry.

Maps are interpolated in OKLab and then spaced evenly along their way, so that equal steps of the number are
equal steps to the eye. A table has 255 entries: its middle is an entry, and zero of a diverging map falls on it.

References
----------
Ottosson, "A perceptual color space for image processing" (2020), https://bottosson.github.io/posts/oklab/.
WCAG 2.2, "relative luminance" and "contrast ratio".
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attnviz.views.matrix_picture import FloatArray

ENTRIES = 255
LEVELS = 32
INK_STRIDE = 256
MINIMUM_CONTRAST = 4.5

ByteArray = NDArray[np.uint8]
PixelArray = NDArray[np.uint32]

_SOFT_INKS = ((250, 251, 252), (21, 24, 28))
_PURE_INKS = ((255, 255, 255), (0, 0, 0))
_RGB_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_LMS_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def rgb(colour: str) -> ByteArray:
    """Read ``#rrggbb``.

    Parameters
    ----------
    colour
        A colour as ``#rrggbb``.

    Returns
    -------
    array of uint8, shape (3,)
        Red, green, blue.
    """
    return np.frombuffer(bytes.fromhex(colour.removeprefix("#")), np.uint8)


def luminance(colours: NDArray[np.generic]) -> FloatArray:
    """Give the relative luminance of WCAG, 0 (black) to 1 (white).

    Parameters
    ----------
    colours
        Red, green, blue from 0 to 255, shape (..., 3).

    Returns
    -------
    array of float, shape (...)
    """
    return np.asarray(_linear(colours) @ np.array([0.2126, 0.7152, 0.0722]), np.float64)


def contrast(first: NDArray[np.generic], second: NDArray[np.generic]) -> FloatArray:
    """Give the contrast ratio of WCAG, 1 (none) to 21 (black on white).

    Parameters
    ----------
    first, second
        Red, green, blue from 0 to 255, shapes (..., 3) that broadcast.

    Returns
    -------
    array of float, shape (...)
    """
    one, other = luminance(first), luminance(second)
    return np.asarray((np.maximum(one, other) + 0.05) / (np.minimum(one, other) + 0.05), np.float64)


def oklab(colours: NDArray[np.generic]) -> FloatArray:
    """Give lightness and the two opponent axes of OKLab.

    Parameters
    ----------
    colours
        Red, green, blue from 0 to 255, shape (..., 3).

    Returns
    -------
    array of float, shape (..., 3)
        Lightness from 0 to 1 first.
    """
    return np.asarray(np.cbrt(_linear(colours) @ _RGB_TO_LMS.T) @ _LMS_TO_LAB.T, np.float64)


def colour_table(stops: tuple[str, ...], is_diverging: bool = False) -> ByteArray:
    """Make the table of a map: even steps to the eye from the first stop to the last.

    Parameters
    ----------
    stops
        Two or more colours, lowest first; a diverging map has an odd number, its middle one is zero.
    is_diverging
        Space the two halves on their own, so that the middle stop is the middle entry.

    Returns
    -------
    array of uint8, shape (255, 3)
    """
    way = oklab(np.array([rgb(stop) for stop in stops]))
    if not is_diverging:
        return _from_oklab(_evenly(way, ENTRIES))
    middle, half = len(stops) // 2, ENTRIES // 2 + 1
    low, high = _evenly(way[: middle + 1], half), _evenly(way[middle:], half)
    return _from_oklab(np.concatenate((low[:-1], high)))


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


def ink_on(table: ByteArray) -> ByteArray:
    """Choose a text colour for each entry of a table, with a contrast of at least 4.5:1.

    Parameters
    ----------
    table
        The colours under the text, shape (n, 3).

    Returns
    -------
    array of uint8, shape (n, 3)
        Nearly black or nearly white; pure black or white where only that is enough.
    """
    soft, pure = np.array(_SOFT_INKS, np.uint8), np.array(_PURE_INKS, np.uint8)
    soft_contrast = contrast(soft[:, None], table)  # (2, n)
    is_enough = soft_contrast.max(axis=0) >= MINIMUM_CONTRAST
    of_pure = contrast(pure[:, None], table).argmax(axis=0)
    inks: ByteArray = np.where(is_enough[:, None], soft[soft_contrast.argmax(axis=0)], pure[of_pure])
    return inks


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


def _linear(colours: NDArray[np.generic]) -> FloatArray:
    share = np.asarray(colours, np.float64) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def _evenly(way: FloatArray, count: int) -> FloatArray:
    lengths = np.linalg.norm(np.diff(way, axis=0), axis=1)
    walked = np.concatenate(([0.0], np.cumsum(lengths)))
    at = np.linspace(0, walked[-1], count)
    return np.stack([np.interp(at, walked, way[:, axis]) for axis in range(3)], axis=1)


def _from_oklab(lab: FloatArray) -> ByteArray:
    linear = (lab @ np.linalg.inv(_LMS_TO_LAB).T) ** 3 @ np.linalg.inv(_RGB_TO_LMS).T
    linear = np.clip(linear, 0, 1)
    share = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    colours: ByteArray = np.rint(np.clip(share, 0, 1) * 255).astype(np.uint8)
    return colours
