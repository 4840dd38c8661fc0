"""Numbers as text, the same in every panel: about three digits, never ``-0.000``, never zeros that hide a value."""

from __future__ import annotations

from collections.abc import Sequence

# The first magnitude that is written with fewer decimals, chosen so that rounding never adds a digit.
_FIRST_SHORTER = 9.9995
_DECIMALS = ((99.995, 2), (999.95, 1), (99_999.5, 0))
_SMALLEST = 0.0005
_THREE_DIGITS = 999.5


def number_text(x: float) -> str:
    """Write a computed number: ``0.389``, ``12.35``, ``148.4``, ``1.2e+05``, ``3.0e-07``.

    Parameters
    ----------
    x : float
        Any float; the sign is a hyphen-minus.

    Returns
    -------
    str
        Three decimals below 10, fewer above, two digits and a power of ten from 100,000 on and for what
        three decimals would show as zero; ``0.000`` for both zeros.

    Examples
    --------
    >>> number_text(0.388908), number_text(-0.0), number_text(148.413), number_text(123456.0)
    ('0.389', '0.000', '148.4', '1.2e+05')
    """
    magnitude = abs(x)
    if _SMALLEST <= magnitude < _FIRST_SHORTER:  # what is written most, without a search
        return f"{x:.3f}"
    if magnitude == 0.0:
        return "0.000"
    if magnitude >= _SMALLEST:
        for limit, decimals in _DECIMALS:
            if magnitude < limit:
                return f"{x:.{decimals}f}"
    return f"{x:.1e}" if magnitude < float("inf") else f"{x:.0f}"


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
    if not _SMALLEST <= magnitude < _THREE_DIGITS:
        return number_text(x)
    return f"{x:#.3g}".removesuffix(".")


def factor_text(text: str) -> str:
    """Put a negative number in brackets, for the second place of a product or a difference.

    Examples
    --------
    >>> factor_text("0.8"), factor_text("-0.5")
    ('0.8', '(-0.5)')
    """
    return f"({text})" if text.startswith("-") else text


def vector_text(numbers: Sequence[float], decimals: int | None = None) -> str:
    """Write a vector as a bracket: ``(0.8, 0.6)``.

    Parameters
    ----------
    numbers : sequence of float
        The entries.
    decimals : int or None
        How many decimals each has; ``None`` for :func:`short_text`.

    Examples
    --------
    >>> vector_text([0.8, 0.6]), vector_text([0.311126, 0.233345], decimals=2)
    ('(0.8, 0.6)', '(0.31, 0.23)')
    """
    if decimals is None:
        return f"({', '.join([short_text(x) for x in numbers])})"
    return f"({', '.join([_rounded(x, decimals) for x in numbers])})"


def exact_text(x: float) -> str:
    """Write a number with every digit that tells it from its neighbours: what Python reads back as the same float.

    Examples
    --------
    >>> exact_text(0.1), exact_text(-0.0), exact_text(2.0)
    ('0.1', '0.0', '2.0')
    """
    return repr(float(x) + 0.0)


def _rounded(x: float, decimals: int) -> str:
    if 0.0 < abs(x) < 0.5 * 10.0**-decimals or abs(x) >= 1000.0:
        return number_text(x)
    return f"{x + 0.0:.{decimals}f}"
