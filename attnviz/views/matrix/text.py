"""Numbers as text: how many characters they take, and all numbers of a frame written at once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from attnviz.document.arrays import FloatArray
from attnviz.views.matrix.glyphs import ELLIPSIS, CodeArray

_LONGEST_PLAIN = 1e5
_MOST_DIGITS = 16
_PLAIN_FORMS = tuple(f"%.{digits}f" for digits in range(_MOST_DIGITS, -1, -1))
_FEW = 64
_MOST_TABLED = 3
_SIGNS = np.frombuffer(b" -", np.uint8)


def number_text(value: float, digits: int, room: int = 99) -> str:
    """Write one number.

    Parameters
    ----------
    value
        Any float.
    digits
        Digits after the point, 0 or more.
    room
        Characters there are; a longer number loses digits, then becomes ``…``.

    Returns
    -------
    str
        As ``0.389``; from 100000 on as ``1.2e+05``; never ``-0.000``.
    """
    is_plain = -_LONGEST_PLAIN < value < _LONGEST_PLAIN
    for form in _PLAIN_FORMS[_MOST_DIGITS - digits :] if is_plain else ("%.1e", "%.0e"):
        text = form % value
        if len(text) <= room:
            return text.removeprefix("-") if text.startswith("-") and not text.strip("-0.") else text
    return "…"


@lru_cache(maxsize=64)
def characters_for(limits: tuple[float, float], digits: int) -> int:
    """Say how many characters the numbers within limits take at most.

    Parameters
    ----------
    limits
        Lowest and highest number.
    digits
        Digits after the point.

    Returns
    -------
    int
    """
    return max(len(number_text(limits[0], digits)), len(number_text(limits[1], digits)))


def number_codes(values: FloatArray, digits: int, room: int, is_short: bool = False) -> CodeArray:
    """Write many numbers, aligned at the right.

    Parameters
    ----------
    values
        Shape (n,).
    digits, room
        As for :func:`number_text`; where one number is too long, all lose digits.
    is_short
        Write numbers between -1 and 1 in one character less, as ``.39``, ``-.39`` and ``1.0``; others as ever.

    Returns
    -------
    array of uint8, shape (n, length)
        ASCII codes, blanks first; ``…`` is the atlas' own code 1.
    """
    numbers = values.tolist() if values.size <= _FEW else None
    if numbers is None:
        lowest, highest = float(np.minimum.reduce(values)), float(np.maximum.reduce(values))
    else:
        lowest, highest = min(numbers, default=0.0), max(numbers, default=0.0)
    if is_short and digits and lowest >= -1 and highest <= 1:
        return _shortened(_plain_codes(values, numbers, lowest, highest, digits), digits)
    if lowest > -_LONGEST_PLAIN + 1 and highest < _LONGEST_PLAIN - 1:
        for kept in range(digits, -1, -1):
            codes = _plain_codes(values, numbers, lowest, highest, kept)
            if codes.shape[1] <= room:
                return codes
    texts = [number_text(value, digits, room) for value in values.tolist()]
    width = max(map(len, texts), default=1)
    joined = "".join(text.rjust(width) for text in texts).replace("…", chr(ELLIPSIS))
    return np.frombuffer(joined.encode("ascii"), np.uint8).reshape(len(texts), width)


def codes_as_texts(codes: CodeArray) -> list[str]:
    """Give the texts of :func:`number_codes`, with their leading blanks."""
    return [row.tobytes().decode("ascii").replace(chr(ELLIPSIS), "…") for row in codes]


def _shortened(codes: CodeArray, digits: int) -> CodeArray:
    """Drop the zero before the point, or the last digit of a one."""
    before = codes.shape[1] - digits - 2
    is_one = codes[:, before, None] == ord("1")
    return np.where(is_one, codes[:, :-1], np.concatenate([codes[:, :before], codes[:, before + 1 :]], axis=1))


def _plain_codes(
    values: FloatArray, numbers: list[float] | None, lowest: float, highest: float, digits: int
) -> CodeArray:
    """Write numbers by the table where they are many, else with one call of ``%``, which rounds every float exactly."""
    tabled = _tabled_codes(values, lowest, highest, digits) if numbers is None else None
    return _written_codes(values.tolist() if numbers is None else numbers, digits) if tabled is None else tabled


def _written_codes(numbers: list[float], digits: int) -> CodeArray:
    form = _PLAIN_FORMS[_MOST_DIGITS - digits]
    width = max(len(form % min(numbers, default=0.0)), len(form % max(numbers, default=0.0)))
    text = f"%{width}.{digits}f" * len(numbers) % tuple(numbers)
    zero = form % -0.0
    if zero in text:
        return _written_codes([0.0 if form % number == zero else number for number in numbers], digits)
    return np.frombuffer(text.encode("ascii"), np.uint8).reshape(len(numbers), width)


def _tabled_codes(values: FloatArray, lowest: float, highest: float, digits: int) -> CodeArray | None:
    """Write many numbers between -10 and 10 by a table of all texts; None where one might be rounded otherwise."""
    if digits > _MOST_TABLED or not -9.9 < lowest <= highest < 9.9:
        return None
    scaled = np.abs(values)
    scaled *= 10.0**digits
    whole = np.rint(scaled)
    scaled -= whole
    np.abs(scaled, out=scaled)
    if np.maximum.reduce(scaled) > 0.5 - 1e-9:
        return None
    texts = _all_texts(digits).take(whole.astype(np.intp), axis=0)
    if lowest >= 0:
        return texts
    is_negative = (values < 0) & (whole > 0)
    if not np.logical_or.reduce(is_negative):
        return texts
    signed = np.empty((len(texts), texts.shape[1] + 1), np.uint8)
    signed[:, 0] = _SIGNS.take(is_negative)
    signed[:, 1:] = texts
    return signed


@lru_cache(maxsize=_MOST_TABLED + 1)
def _all_texts(digits: int) -> CodeArray:
    """Give the texts of 0 to just below 10 in steps of the last digit, shape (10 ** (digits + 1), length)."""
    count = 10 ** (digits + 1)
    joined = "".join(f"{index / 10**digits:.{digits}f}" for index in range(count))
    return np.frombuffer(joined.encode("ascii"), np.uint8).reshape(count, -1)
