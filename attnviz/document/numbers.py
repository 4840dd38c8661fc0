"""Numbers as text, the same everywhere: about three digits, never ``-0.000``, never zeros that hide a value."""

from __future__ import annotations

import math

# The first magnitude that is written with fewer decimals, chosen so that rounding never adds a digit.
_FIRST_SHORTER = 9.9995
_DECIMALS = ((99.995, 2), (999.95, 1), (99_999.5, 0))
SMALLEST = 0.0005  # below it, three decimals would show nothing
_THREE_DIGITS = 999.5


def number_text(x: float) -> str:
    """Write a computed number: ``0.389``, ``12.35``, ``148.4``, ``1.2e+05``, ``3.0e-07``.

    Parameters
    ----------
    x : float
        Any float; the sign of what is finite is a hyphen-minus.

    Returns
    -------
    str
        Three decimals below 10, fewer above, two digits and a power of ten from 100,000 on and for what
        three decimals would show as zero; ``0.000`` for both zeros; ``−∞`` and ``∞``.

    Examples
    --------
    >>> number_text(0.388908), number_text(-0.0), number_text(148.413), number_text(123456.0)
    ('0.389', '0.000', '148.4', '1.2e+05')
    """
    magnitude = abs(x)
    if SMALLEST <= magnitude < _FIRST_SHORTER:  # what is written most, without a search
        return f"{x:.3f}"
    if magnitude == 0.0:
        return "0.000"
    if magnitude >= SMALLEST:
        for limit, decimals in _DECIMALS:
            if magnitude < limit:
                return f"{x:.{decimals}f}"
    if magnitude == math.inf:
        return "∞" if x > 0 else "−∞"
    return f"{x:.1e}"


def short_text(x: float) -> str:
    """Write a number somebody chose, as short as it can be: ``1.0``, ``0.8``, ``-0.125``.

    Parameters
    ----------
    x : float
        Any float.

    Returns
    -------
    str
        As :func:`number_text`, without the zeros at the end beyond the first decimal.

    Examples
    --------
    >>> short_text(1.0), short_text(0.8), short_text(0.123456), short_text(1024.0)
    ('1.0', '0.8', '0.123', '1024')
    """
    text = number_text(x)
    if "." not in text or "e" in text:
        return text
    text = text.rstrip("0")
    return text + "0" if text.endswith(".") else text


def spoken_text(x: float) -> str:
    """Write a number to be read out: three significant digits, where :func:`number_text` may have more.

    Examples
    --------
    >>> spoken_text(1.1), spoken_text(0.388908), spoken_text(-12.345), spoken_text(0.0), spoken_text(1024.4)
    ('1.10', '0.389', '-12.3', '0', '1024')
    """
    magnitude = abs(x)
    if magnitude == 0.0:
        return "0"
    if not SMALLEST <= magnitude < _THREE_DIGITS:
        return number_text(x)
    return f"{x:#.3g}".removesuffix(".")


def factor_text(text: str) -> str:
    """Put a negative number in brackets, for the second place of a product or a difference.

    Examples
    --------
    >>> factor_text("0.8"), factor_text("-0.5")
    ('0.8', '(-0.5)')
    """
    return f"({text})" if text.startswith(("-", "−")) else text


def exact_text(x: float) -> str:
    """Write a number with every digit that tells it from its neighbours: what Python reads back as the same float.

    Examples
    --------
    >>> exact_text(0.1), exact_text(-0.0), exact_text(2.0)
    ('0.1', '0.0', '2.0')
    """
    return repr(float(x) + 0.0)
