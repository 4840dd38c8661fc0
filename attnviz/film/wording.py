"""How the film writes numbers, vectors and names: about three digits, long things with their ends only."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attnviz.document.arrays import FloatArray
from attnviz.document.numbers import factor_text, number_text, short_text
from attnviz.document.tokens import isolated, shortened

_LONGEST_NAME = 16
_MOST = 6

# The rule that all panels share, under short names: a computed number, one that somebody chose, a second factor.
number, entry, factor = number_text, short_text, factor_text


def two_places(x: float) -> str:
    """Write an exponential of any size: two decimals, one from 100 on.

    Examples
    --------
    >>> two_places(2.4206), two_places(148.413), two_places(0.001)
    ('2.42', '148.4', '1.0e-03')
    """
    if x < 0.005 and x > 0.0:
        return f"{x:.1e}"
    return f"{x:.2f}" if x < 99.995 else number(x)


def exponential(x: float) -> str:
    """Write an exponential of the softmax; the largest one is exactly 1."""
    return "1" if x == 1.0 else number(x)


def vector(numbers: Sequence[float] | FloatArray, write: Callable[[float], str] = number) -> str:
    """Write a vector as a bracket, with its ends only if it is long.

    Examples
    --------
    >>> vector([0.8, 0.6], entry), vector([float(i) for i in range(9)], entry)
    ('(0.8, 0.6)', '(0.0, 1.0, …, 8.0)')
    """
    if len(numbers) <= _MOST:
        return f"({', '.join([write(float(x)) for x in numbers])})"
    first, second, last = (write(float(numbers[i])) for i in (0, 1, -1))
    return f"({first}, {second}, …, {last})"


def name(token: str) -> str:
    """Shorten a long token, and keep one that runs from right to left from turning what stands around it."""
    return isolated(shortened(token, _LONGEST_NAME))


def quoted(token: str) -> str:
    """Name a token within a sentence."""
    return f"“{name(token)}”"


def several(tokens: Sequence[str], places: range) -> str:
    """Name one token, or the first and the last of many.

    Examples
    --------
    >>> several(("a", "b", "c", "d"), range(1, 2)), several(("a", "b", "c", "d"), range(4))
    ('“b”', '“a” to “d”')
    """
    first = quoted(tokens[places[0]])
    return first if len(places) == 1 else f"{first} to {quoted(tokens[places[-1]])}"


def listed(tokens: Sequence[str], places: Sequence[int]) -> str:
    """Name tokens in a sentence, a few of them if there are many.

    Examples
    --------
    >>> listed(("a", "b", "c"), [0, 2]), listed(tuple("abcdefgh"), range(8))
    ('“a” and “c”', '“a”, “b” and 6 more')
    """
    names = [quoted(tokens[i]) for i in (places if len(places) <= 4 else places[:2])]
    if len(places) > 4:
        return f"{', '.join(names)} and {len(places) - 2:,} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
