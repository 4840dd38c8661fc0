"""The appearance of attnviz as plain numbers: themes, colour maps and contrast, for screen and figures alike.

A theme is plain text colours, so that a test can compute every contrast, a widget can make of it what it needs
(pen, brush, look-up table), and a figure can be written without Qt. Maps are interpolated in OKLab and then spaced
evenly along their way, so that equal steps of the number are equal steps to the eye. A table has 255 entries:
its middle is an entry, and zero of a diverging map falls on it.

References
----------
Ottosson, "A perceptual color space for image processing" (2020), https://bottosson.github.io/posts/oklab/.
WCAG 2.2, "relative luminance" and "contrast ratio".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
ByteArray: TypeAlias = NDArray[np.uint8]

ENTRIES = 255
MINIMUM_CONTRAST = 4.5

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


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours one appearance of the window is drawn in, as ``#rrggbb``.

    Text colours (``text``, ``muted``, ``accent_text``, ``warning`` and all token and role colours) stand
    on ``panel`` and ``inset`` with a contrast of at least 4.5:1 (WCAG 2.2, 1.4.3).
    """

    name: str
    is_dark: bool
    ground: str
    panel: str
    inset: str
    border: str
    grid: str
    text: str
    muted: str
    accent: str
    accent_text: str
    accent_soft: str
    on_accent: str
    warning: str
    hatch: str
    tokens: tuple[str, ...]
    query: str
    key: str
    value: str
    # Ends and middle of the colour maps: weights run low -> high, scores negative -> middle -> positive.
    weight_map: tuple[str, ...]
    score_map: tuple[str, ...]

    def token(self, index: int) -> str:
        """Give the colour of the token at ``index``, the same in every panel."""
        return self.tokens[index % len(self.tokens)]


DARK = Theme(
    name="dark",
    is_dark=True,
    ground="#16181c",
    panel="#1e2126",
    inset="#16181c",
    border="#353a42",
    grid="#282c33",
    text="#e8eaed",
    muted="#a3abb5",
    accent="#fbbf24",
    accent_text="#fbbf24",
    accent_soft="#453a20",
    on_accent="#15181c",
    warning="#ff8f8f",
    hatch="#4a515b",
    tokens=("#f08aa5", "#e0b94a", "#7fb0f5", "#5fcfa8", "#c3a0f5", "#f2986b", "#8fd6f0", "#c7cc70"),
    query="#6cc3ff",
    key="#ffa95c",
    value="#7ddf9a",
    weight_map=("#1e2126", "#1b3a63", "#2168a5", "#4d9bd8", "#9bcdf0", "#e3f2fc"),
    score_map=("#f79a48", "#8a5b33", "#1e2126", "#46698f", "#7fb4f5"),
)

LIGHT = Theme(
    name="light",
    is_dark=False,
    ground="#f4f4f1",
    panel="#ffffff",
    inset="#f4f4f1",
    border="#dddcd6",
    grid="#ecebe6",
    text="#1c2024",
    muted="#5f666d",
    accent="#d97706",
    accent_text="#a34f00",
    accent_soft="#f9e8d2",
    on_accent="#ffffff",
    warning="#b3261e",
    hatch="#b9b8b1",
    tokens=("#b03a5b", "#8a6a00", "#2a5fb0", "#0b7461", "#7446b8", "#b0491a", "#1a6f8c", "#5f6a0a"),
    query="#0b66b0",
    key="#a34a00",
    value="#12703a",
    weight_map=("#ffffff", "#cfe3f3", "#8dbfe0", "#4a93c8", "#1c5fa0", "#0a2f66"),
    score_map=("#b4540a", "#e0b48c", "#ffffff", "#9db9de", "#2158ac"),
)

THEMES = {"light": LIGHT, "dark": DARK}


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
    return np.asarray(np.where(is_enough[:, None], soft[soft_contrast.argmax(axis=0)], pure[of_pure]), np.uint8)


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
    return np.asarray(np.rint(np.clip(share, 0, 1) * 255), np.uint8)
