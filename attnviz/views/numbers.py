"""Numbers as the panels write them: the rule of :mod:`attnviz.document.numbers`, and vectors."""

from __future__ import annotations

from collections.abc import Sequence

from attnviz.document.numbers import exact_text, factor_text, number_text, short_text, spoken_text

__all__ = ["exact_text", "factor_text", "number_text", "short_text", "spoken_text", "vector_text"]


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


def _rounded(x: float, decimals: int) -> str:
    if 0.0 < abs(x) < 0.5 * 10.0**-decimals or abs(x) >= 1000.0:
        return number_text(x)
    return f"{x + 0.0:.{decimals}f}"
