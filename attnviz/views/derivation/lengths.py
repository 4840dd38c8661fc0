"""Sums and vectors in several lengths, longest first, and how such a text is broken into two lines."""

from __future__ import annotations

import re
from collections.abc import Callable

from attnviz.document.arrays import FloatArray
from attnviz.views.numbers import number_text, short_text, vector_text

MOST_TERMS = 8
_MOST_NEVER_ELIDED = 3
_SMALLEST_ROUNDED, _LARGEST_ROUNDED = 0.005, 9.995
_WHOLE = re.compile(r"\.0(?!\d)")
# Before a sign or the count in brackets that ends a sum, and after the comma or the dot of a product.
_BREAK = re.compile(r" (?=[+×÷−] |\(\d+[ )])|(?<=[,·]) ")


def brief_text(x: float) -> str:
    """Write a number with two decimals where they show it.

    Examples
    --------
    >>> brief_text(-0.1319), brief_text(0.9), brief_text(0.0031), brief_text(148.41)
    ('-0.13', '0.90', '0.003', '148.4')
    """
    return f"{x:.2f}" if _SMALLEST_ROUNDED <= abs(x) < _LARGEST_ROUNDED else number_text(x)


def brief_short_text(x: float) -> str:
    """Write a number somebody chose with at most two decimals: ``-0.13``, ``0.9``.

    Examples
    --------
    >>> brief_short_text(-0.1319), brief_short_text(0.9), brief_short_text(2.0)
    ('-0.13', '0.9', '2.0')
    """
    return short_text(round(x, 2)) if _SMALLEST_ROUNDED <= abs(x) < _LARGEST_ROUNDED else short_text(x)


def longest_sum(term: Callable[[int], str], n: int, chosen: int, noun: str) -> str:
    """Write a sum as :func:`sums` does where there is room: all terms, or of a very long one three."""
    return " + ".join([term(i) for i in range(n)]) if n <= MOST_TERMS else _elided(term, n, chosen, noun)


def sums(term: Callable[[int], str], brief: Callable[[int], str], n: int, chosen: int, noun: str) -> tuple[str, ...]:
    """Write a sum in lengths that get shorter.

    Parameters
    ----------
    term, brief : callable
        Give the term at a place with all its digits, and with fewer.
    n : int
        How many terms there are, at least 1.
    chosen : int
        The place of the term that is never left out.
    noun : str
        What is counted where terms are left out.

    Returns
    -------
    tuple of str
        As :func:`wanted_sums`, then what a card says that is too narrow even for that.
    """
    one = term(chosen)
    last = (f"{one} + … ({n} {noun})", f"{one} + … ({n})", f"{n} {noun}") if n > 1 else ()
    return wanted_sums(term, brief, n, chosen, noun) + last


def wanted_sums(
    term: Callable[[int], str], brief: Callable[[int], str], n: int, chosen: int, noun: str
) -> tuple[str, ...]:
    """Write a sum with as many terms as a card should show.

    Returns
    -------
    tuple of str
        All terms, with fewer digits before any is left out, and from four terms on three of them.
    """
    full: list[str] = []
    elided: list[str] = []
    for write in (term, brief):
        if n <= MOST_TERMS:
            text = " + ".join([write(i) for i in range(n)])
            full.append(text)
            if write is term and text.count(".0") > 1:
                full.append(_WHOLE.sub("", text))  # whole numbers without their decimals
        if n > _MOST_NEVER_ELIDED:
            elided.append(_elided(write, n, chosen, noun))
    return (*full, *elided)


def shortening(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Leave out every text that is not shorter than all before it."""
    chosen = [texts[0]]
    for text in texts:
        if len(text) < len(chosen[-1]):
            chosen.append(text)
    return tuple(chosen)


def vectors(numbers: FloatArray, decimals: tuple[int | None, ...]) -> list[str]:
    """Write a vector in lengths that get shorter, one for each number of decimals, then with entries left out."""
    n = len(numbers)
    if n <= MOST_TERMS:
        entries = numbers.tolist()
        texts = [vector_text(entries, d) for d in decimals]
    else:
        entries, texts = [float(numbers[0]), float(numbers[-1])], []
    if n > 2:
        first, last = vector_text([entries[0], entries[-1]], decimals[-1])[1:-1].split(", ")
        texts += [f"({first}, … {last})", f"({first}, …)"]
    return texts


def broken(text: str, room: int, n_lines: int) -> tuple[str, str] | None:
    """Break a text that is longer than ``room`` characters in two, at a sign.

    Returns
    -------
    tuple of str, or None
        The first line and the second, which may be empty; ``None`` if ``n_lines`` lines do not hold the text.

    Examples
    --------
    >>> broken("1 + 0.899 + 0.413", 13, 2), broken("1 + 0.899 + 0.413", 13, 1)
    (('1 + 0.899', '+ 0.413'), None)
    """
    n = len(text)
    if n <= room:
        return text, ""
    if n_lines < 2 or n > 2 * room + 1:
        return None
    cut = -1
    for found in _BREAK.finditer(text, 0, room + 2):
        cut = found.start()
    return (text[:cut], text[cut + 1 :]) if cut > 0 and n - cut - 1 <= room else None


def needed_room(text: str, n_lines: int) -> int:
    """Give the least number of characters in which ``n_lines`` lines hold a text."""
    return next(room for room in range(1, len(text) + 1) if broken(text, room, n_lines) is not None)


def _elided(write: Callable[[int], str], n: int, chosen: int, noun: str) -> str:
    return f"{_with_gaps({i: write(i) for i in sorted(kept_terms(n, chosen))})} ({n} {noun})"


def kept_terms(n: int, chosen: int) -> set[int]:
    """Choose the places of a long sum that stay: its ends, the chosen one, and another if that is an end."""
    places = {0, chosen, n - 1}
    if len(places) < _MOST_NEVER_ELIDED and n >= _MOST_NEVER_ELIDED:
        places.add(1)
    return places


def _with_gaps(terms: dict[int, str]) -> str:
    """Join terms, by their places, with an ellipsis where some are left out."""
    parts: list[str] = []
    before = -1
    for i, text in terms.items():
        parts += [text] if i == before + 1 else ["…", text]
        before = i
    return " + ".join(parts)
