"""How wide text comes out without a font at hand, how it is shortened, and how numbers are written in figures."""

from __future__ import annotations

import math
import unicodedata

from attnviz.document.numbers import SMALLEST, number_text

MINUS = "\u2212"
ELLIPSIS = "…"
MONOSPACED_WIDTH = 0.602

# Shares of the font size in DejaVu Sans, the widest of the usual faces; bold is a tenth wider.
_NARROW = frozenset("iljI.,:;'|!()[]{}·` ")
_MEDIUM = frozenset('frt/\\-"*^')
_WIDE = frozenset("mwMW@%—…Ǆ")
_BOLD = 1.12


def text_width(shown: str, size: float, *, is_bold: bool = False) -> float:
    """Estimate how wide a line of text is; real faces are seldom wider.

    Parameters
    ----------
    shown : str
        The characters.
    size : float
        The font size in pixels.
    is_bold : bool
        Whether the face is bold.

    Returns
    -------
    float
        Pixels.
    """
    return size * (_BOLD if is_bold else 1.0) * sum(_advance(character) for character in shown)


def shortened(shown: str, size: float, room: float, *, is_bold: bool = False) -> str:
    """Give ``shown``, or as much of its beginning as fits into ``room`` pixels with an ellipsis."""
    if text_width(shown, size, is_bold=is_bold) <= room:
        return shown
    kept = shown
    while kept and text_width(kept + ELLIPSIS, size, is_bold=is_bold) > room:
        kept = kept[:-1]
    while kept and (unicodedata.combining(kept[-1]) or kept[-1] == "\u200d"):
        kept = kept[:-1]
    return kept + ELLIPSIS


def cell_number(value: float) -> str:
    """Write a number as it stands in a cell: three decimals, fewer for larger numbers.

    Examples
    --------
    >>> cell_number(0.38890), cell_number(-0.0001), cell_number(1234.5), cell_number(1.5e30)
    ('0.389', '0.000', '1234', '1.5e30')
    """
    magnitude = abs(value)
    if not math.isfinite(value):
        return "∞" if value > 0 else MINUS + "∞" if value < 0 else "?"
    if magnitude >= 99_999.5:
        return powered_number(value)
    return _signed(number_text(value)) if magnitude >= SMALLEST else "0.000"


def powered_number(value: float) -> str:
    """Write a number far from one: two digits and a power of ten; nought stays nought.

    Examples
    --------
    >>> powered_number(0.00042), powered_number(-1e30), powered_number(0.0)
    ('4.2e-4', '−1.0e30', '0')
    """
    mantissa, exponent = f"{value:.1e}".split("e")
    return "0" if value == 0 else _signed(f"{mantissa}e{int(exponent)}")


def setting_number(value: float) -> str:
    """Write a number of a caption with up to six significant digits.

    Examples
    --------
    >>> setting_number(0.5 ** 0.5), setting_number(-2.0)
    ('0.707107', '−2')
    """
    return _signed(f"{value:.6g}")


def _signed(written: str) -> str:
    if written.startswith("-"):
        rest = written[1:]
        return rest if not rest.strip("0.") else MINUS + rest
    return written


def _advance(character: str) -> float:
    if character in _NARROW:
        return 0.4
    if character in _MEDIUM:
        return 0.5
    if character in _WIDE:
        return 1.0
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0.0
    if unicodedata.east_asian_width(character) in ("W", "F"):
        return 1.05
    return 0.72 if character.isupper() else 0.64
