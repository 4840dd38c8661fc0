"""The derivation of one weight as text: six steps, dot product to share of the output, with the real numbers."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from attnviz.document.arrays import FloatArray, IntArray
from attnviz.document.frame import Frame
from attnviz.engine import AttentionTrace
from attnviz.views.numbers import exact_text, factor_text, number_text, short_text, vector_text

_MOST_TERMS = 8
_WHOLE = re.compile(r"\.0(?!\d)")
_LONGEST_NAME = 24
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"


@dataclass(frozen=True, slots=True)
class Step:
    """One step. Each text comes in several lengths, longest first, for cards of different widths.

    Parameters
    ----------
    names, formulas, results : tuple of str
        What is done, with which numbers, and what comes out; at least one of each.
    """

    names: tuple[str, ...]
    formulas: tuple[str, ...]
    results: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """The step on one line, for a screen reader."""
        return f"{self.names[0]}: {self.formulas[0]} = {self.results[0]}"


@dataclass(frozen=True, slots=True)
class Derivation:
    """Why one weight is what it is.

    Parameters
    ----------
    title : str
        The question, such as "Why 0.389?".
    subtitle : str
        Which cell it is about, and what is special about it.
    steps : tuple of Step
        Dot product, scale, exponentiate, row sum, weight, share of the output.
    """

    title: str
    subtitle: str
    steps: tuple[Step, ...]


def derive(frame: Frame, query: int, key: int) -> Derivation:
    """Write the derivation of the weight that ``query`` gives to ``key``.

    Parameters
    ----------
    frame : Frame
        The numbers.
    query : int
        The row, 0 to n_query - 1.
    key : int
        The column, 0 to n_key - 1.

    Returns
    -------
    Derivation
        Six steps, whether the cell is masked or not.
    """
    cell = _Cell(frame, query, key)
    texts = _Texts(cell)
    steps = tuple([step(cell, texts) for step in _STEPS])
    return Derivation(f"Why {texts.weight}?", cell.subtitle, steps)


def exact_lines(frame: Frame, query: int, key: int, most_terms: int | None = None) -> tuple[str, ...]:
    """Write the six steps with every digit.

    Parameters
    ----------
    frame, query, key
        As for :func:`derive`.
    most_terms : int or None
        How many terms of a sum or entries of a vector are written; ``None`` for all.

    Returns
    -------
    tuple of str
        One line a step.
    """
    cell = _Cell(frame, query, key)
    q, k, visible = cell.q, cell.k, cell.visible
    products = [f"{factor_text(exact_text(q[i]))}·{factor_text(exact_text(k[i]))}" for i in _ends(len(q), most_terms)]
    exponentials = [exact_text(cell.exponentials[visible[i]]) for i in _ends(len(visible), most_terms)]
    total = exact_text(cell.normaliser)
    weight = exact_text(cell.weight)
    value, share, output = (_exact_vector(x, most_terms) for x in (cell.value, cell.contribution, cell.output))
    exponential = f"e^({exact_text(cell.scaled)} − {factor_text(exact_text(cell.row_max))}) = {exact_text(cell.e)}"
    return (
        f"dot product q·k: {_joined(products, len(q))} = {exact_text(cell.score)}",
        f"scale: {exact_text(cell.score)} × {factor_text(exact_text(cell.multiplier))} = {exact_text(cell.scaled)}",
        f"masked: {cell.reason}, so e^(−∞) = 0" if cell.is_banned else f"exponentiate: {exponential}",
        f"row sum: {'no key is visible' if cell.is_empty else _joined(exponentials, len(visible))} = {total}",
        f"weight: {f'{exact_text(cell.e)} ÷ {total}' if not cell.is_empty else 'no key is visible'} = {weight}",
        f"adds to y: {weight} · {value} = {share}, of y = {output}",
    )


def plain_text(frame: Frame, query: int, key: int) -> str:
    """Write the whole derivation with every digit, for the clipboard."""
    names = f"{frame.query_tokens[query]} → {frame.key_tokens[key]}"
    return "\n".join((names, *exact_lines(frame, query, key)))


class _Cell:
    """The numbers of one cell, read once: from the whole trace where that is kept, else from the frame's exact row."""

    def __init__(self, frame: Frame, query: int, key: int) -> None:
        whole = frame.attention
        trace, at = (whole, query) if isinstance(whole, AttentionTrace) else (frame.row(query), 0)
        self.key = key
        self.q, self.k, self.value = trace.q[at], trace.k[key], trace.v[key]
        self.exponentials, self.output = trace.exponentials[at], trace.output[at]
        self.multiplier = float(trace.multiplier)
        self.score = float(trace.scores[at, key])
        self.scaled = float(trace.scaled[at, key])
        self.row_max = float(trace.row_max[at])
        self.e = float(self.exponentials[key])
        self.normaliser = float(trace.normaliser[at])
        self.weight = float(trace.weights[at, key])
        self.contribution = self.weight * self.value
        masked = trace.masked[at]
        self.visible: IntArray = np.flatnonzero(masked != -np.inf)  # the columns that the mask leaves
        self.is_banned = float(masked[key]) == -math.inf
        self.is_empty = bool(trace.empty_rows[at])
        self._names = _name(frame.query_tokens[query]), _name(frame.key_tokens[key])

    @property
    def reason(self) -> str:
        """Why the key is banned."""
        return f"the causal mask hides {self._names[1]} from {self._names[0]}"

    @property
    def subtitle(self) -> str:
        """The line beside the title."""
        query, key = self._names
        if self.is_empty:
            return f"{query} → {key}: {query} sees no key, so all its weights are exactly 0, and so is its output"
        if self.is_banned:
            return f"{query} → {key} is masked: the key leaves before the softmax, so its weight is exactly 0"
        return f"{query} → {key}, step by step"


class _Texts:
    """The numbers that stand in more than one step, each written once."""

    def __init__(self, cell: _Cell) -> None:
        self.score = number_text(cell.score)
        self.scaled = number_text(cell.scaled)
        self.e = _exponential_text(cell.e)
        self.normaliser = number_text(cell.normaliser)
        self.weight = number_text(cell.weight)


def _dot_product(cell: _Cell, texts: _Texts) -> Step:
    q, k = cell.q, cell.k

    def product(i: int) -> str:
        first, second = short_text(float(q[i])), short_text(float(k[i]))
        return f"{factor_text(first) if i else first}·{factor_text(second)}"

    formulas = _sums(product, len(q), 0, "terms")
    if formulas[0].count(".0") > 1 and len(q) <= _MOST_TERMS:
        # Whole numbers without their decimals, for a card that is too narrow for both.
        formulas = (formulas[0], _WHOLE.sub("", formulas[0]), *formulas[1:])
    return Step(("dot product q·k", "q·k"), formulas, (texts.score,))


def _scale(cell: _Cell, texts: _Texts) -> Step:
    multiplier = factor_text(number_text(cell.multiplier))
    return Step(("scale",), (f"{texts.score} × {multiplier}", f"× {multiplier}"), (texts.scaled,))


def _exponential(cell: _Cell, texts: _Texts) -> Step:
    if cell.is_banned:
        return Step((f"masked: {cell.reason}", "masked"), ("e^(−∞), key is hidden", "e^(−∞)"), ("0",))
    power = f"e^({texts.scaled} − {factor_text(number_text(cell.row_max))})"
    return Step(("exponentiate",), (power, "e^(s − max)"), (texts.e,))


def _row_sum(cell: _Cell, texts: _Texts) -> Step:
    visible, exponentials = cell.visible, cell.exponentials
    if not len(visible):
        return Step(("row sum",), ("no key is visible", "nothing"), ("0",))
    chosen = 0 if cell.is_banned else int(visible.searchsorted(cell.key))

    def exponential(i: int) -> str:
        return _exponential_text(float(exponentials[visible[i]]))

    return Step(("row sum",), _sums(exponential, len(visible), chosen, "keys"), (texts.normaliser,))


def _weight(cell: _Cell, texts: _Texts) -> Step:
    if cell.is_empty:
        return Step(("weight",), ("0, as nothing is seen", "no key seen"), ("0",))
    if cell.is_banned:
        return Step(("weight",), (f"0 ÷ {texts.normaliser}",), ("0",))
    return Step(("weight",), (f"{texts.e} ÷ {texts.normaliser}", "e ÷ sum"), (texts.weight,))


def _share(cell: _Cell, texts: _Texts) -> Step:
    weight = "0" if cell.is_banned else texts.weight
    names = [f"adds to y = {vector}" for vector in _vectors(cell.output, (2,))]
    formulas = [f"{weight} · {vector}" for vector in _vectors(cell.value, (None,))]
    results = _vectors(cell.contribution, (3, 2))
    return Step((*names, "adds to y"), (*formulas, f"{weight} · v"), (*results, f"{len(cell.value)} numbers"))


_STEPS = (_dot_product, _scale, _exponential, _row_sum, _weight, _share)


def _exponential_text(x: float) -> str:
    return "1" if x == 1.0 else number_text(x)


def _sums(term: Callable[[int], str], n: int, chosen: int, noun: str) -> tuple[str, ...]:
    """Write a sum in lengths that get shorter: all terms, both ends and the chosen one, the chosen one, the count."""
    if n == 1:
        return (term(0),)
    places = range(n) if n <= _MOST_TERMS else sorted({0, chosen, n - 1})
    terms = {i: term(i) for i in places}
    one = terms[chosen]
    longest = " + ".join(terms.values()) if n <= _MOST_TERMS else f"{_with_gaps(terms)} ({n} {noun})"
    return (longest, f"{one} + … ({n} {noun})", f"{one} + … ({n})", f"{n} {noun}")


def _with_gaps(terms: dict[int, str]) -> str:
    """Join terms, by their places, with an ellipsis where some are left out."""
    parts: list[str] = []
    before = -1
    for i, text in terms.items():
        parts += [text] if i == before + 1 else ["…", text]
        before = i
    return " + ".join(parts)


def _vectors(numbers: FloatArray, decimals: tuple[int | None, ...]) -> list[str]:
    """Write a vector in lengths that get shorter."""
    n = len(numbers)
    if n <= _MOST_TERMS:
        entries = numbers.tolist()
        texts = [vector_text(entries, d) for d in decimals]
    else:
        entries, texts = [float(numbers[0]), float(numbers[-1])], []
    if n > 2:
        first, last = vector_text([entries[0], entries[-1]], decimals[-1])[1:-1].split(", ")
        texts += [f"({first}, … {last})", f"({first}, …)"]
    return texts


def _ends(n: int, most: int | None) -> Sequence[int]:
    if most is None or n <= most:
        return range(n)
    half = most // 2
    return [*range(half), *range(n - (most - half), n)]


def _joined(terms: list[str], n: int) -> str:
    if len(terms) < n:
        terms = [*terms[: len(terms) // 2], f"… {n - len(terms)} more …", *terms[len(terms) // 2 :]]
    return " + ".join(terms)


def _exact_vector(numbers: FloatArray, most: int | None) -> str:
    n = len(numbers)
    entries = [exact_text(numbers[i]) for i in _ends(n, most)]
    if len(entries) < n:
        entries.insert(len(entries) // 2, f"… {n - len(entries)} more …")
    return f"({', '.join(entries)})"


@lru_cache(maxsize=64)
def _name(token: str) -> str:
    """Shorten a long token, and keep one that runs from right to left from turning what stands around it."""
    shown = token if len(token) <= _LONGEST_NAME else token[: _LONGEST_NAME - 1] + "…"
    if shown.isascii() or not any(unicodedata.bidirectional(c) in ("R", "AL") for c in shown):
        return shown
    return f"{_ISOLATE}{shown}{_END_ISOLATE}"
