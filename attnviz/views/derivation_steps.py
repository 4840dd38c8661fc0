"""The derivation of one weight as text: six steps, dot product to share of the output, with the real numbers."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
    return Derivation(
        title=f"Why {number_text(cell.weight)}?",
        subtitle=cell.subtitle,
        steps=(_dot_product(cell), _scale(cell), _exponential(cell), _row_sum(cell), _weight(cell), _share(cell)),
    )


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
    row, q, k, visible = cell.row, cell.q, cell.k, cell.visible
    products = [f"{factor_text(exact_text(q[i]))}·{factor_text(exact_text(k[i]))}" for i in _ends(len(q), most_terms)]
    exponentials = [exact_text(row.exponentials[0, visible[i]]) for i in _ends(len(visible), most_terms)]
    total = exact_text(row.normaliser[0])
    weight = exact_text(cell.weight)
    value, share, output = (_exact_vector(x, most_terms) for x in (cell.value, cell.contribution, row.output[0]))
    exponential = f"e^({exact_text(cell.scaled)} − {factor_text(exact_text(row.row_max[0]))}) = {exact_text(cell.e)}"
    return (
        f"dot product q·k: {_joined(products, len(q))} = {exact_text(cell.score)}",
        f"scale: {exact_text(cell.score)} × {factor_text(exact_text(row.multiplier))} = {exact_text(cell.scaled)}",
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
    """The numbers of one cell, read once from the frame's exact row."""

    def __init__(self, frame: Frame, query: int, key: int) -> None:
        self.row: AttentionTrace = frame.row(query)
        self.key = key
        self.q = self.row.q[0]
        self.k = self.row.k[key]
        self.value = self.row.v[key]
        self.score = float(self.row.scores[0, key])
        self.scaled = float(self.row.scaled[0, key])
        self.e = float(self.row.exponentials[0, key])
        self.weight = float(self.row.weights[0, key])
        self.contribution = self.weight * self.value
        self.is_banned = float(self.row.masked[0, key]) == -math.inf
        self.is_empty = bool(self.row.empty_rows[0])
        self._names = _name(frame.query_tokens[query]), _name(frame.key_tokens[key])

    @property
    def visible(self) -> IntArray:
        """The columns that the mask leaves."""
        return np.flatnonzero(self.row.masked[0] != -np.inf)

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


def _dot_product(cell: _Cell) -> Step:
    q, k = cell.q, cell.k

    def product(i: int) -> str:
        first, second = short_text(float(q[i])), short_text(float(k[i]))
        return f"{factor_text(first) if i else first}·{factor_text(second)}"

    formulas = _sums(product, len(q), 0, "terms")
    if formulas[0].count(".0") > 1 and len(q) <= _MOST_TERMS:
        # Whole numbers without their decimals, for a card that is too narrow for both.
        formulas = (formulas[0], _sums(lambda i: _whole(product(i)), len(q), 0, "terms")[0], *formulas[1:])
    return Step(("dot product q·k", "q·k"), formulas, (number_text(cell.score),))


def _scale(cell: _Cell) -> Step:
    multiplier = factor_text(number_text(cell.row.multiplier))
    formulas = (f"{number_text(cell.score)} × {multiplier}", f"× {multiplier}")
    return Step(("scale",), formulas, (number_text(cell.scaled),))


def _exponential(cell: _Cell) -> Step:
    if cell.is_banned:
        return Step((f"masked: {cell.reason}", "masked"), ("e^(−∞), key is hidden", "e^(−∞)"), ("0",))
    power = f"e^({number_text(cell.scaled)} − {factor_text(number_text(float(cell.row.row_max[0])))})"
    return Step(("exponentiate",), (power, "e^(s − max)"), (_exponential_text(cell.e),))


def _row_sum(cell: _Cell) -> Step:
    visible = cell.visible
    if not len(visible):
        return Step(("row sum",), ("no key is visible", "nothing"), ("0",))
    exponentials = cell.row.exponentials[0]
    chosen = 0 if cell.is_banned else int(np.searchsorted(visible, cell.key))

    def exponential(i: int) -> str:
        return _exponential_text(float(exponentials[visible[i]]))

    formulas = _sums(exponential, len(visible), chosen, "keys")
    return Step(("row sum",), formulas, (number_text(float(cell.row.normaliser[0])),))


def _weight(cell: _Cell) -> Step:
    if cell.is_empty:
        return Step(("weight",), ("0, as nothing is seen", "no key seen"), ("0",))
    if cell.is_banned:
        total = number_text(float(cell.row.normaliser[0]))
        return Step(("weight",), (f"0 ÷ {total}",), ("0",))
    formula = f"{_exponential_text(cell.e)} ÷ {number_text(float(cell.row.normaliser[0]))}"
    return Step(("weight",), (formula, "e ÷ sum"), (number_text(cell.weight),))


def _share(cell: _Cell) -> Step:
    weight = "0" if cell.is_banned else number_text(cell.weight)
    names = [f"adds to y = {vector}" for vector in _vectors(cell.row.output[0], (2,))]
    formulas = [f"{weight} · {vector}" for vector in _vectors(cell.value, (None,))]
    results = _vectors(cell.contribution, (3, 2))
    return Step((*names, "adds to y"), (*formulas, f"{weight} · v"), (*results, f"{len(cell.value)} numbers"))


def _whole(text: str) -> str:
    return _WHOLE.sub("", text)


def _exponential_text(x: float) -> str:
    return "1" if x == 1.0 else number_text(x)


def _sums(term: Callable[[int], str], n: int, chosen: int, noun: str) -> tuple[str, ...]:
    """Write a sum in lengths that get shorter: all terms, both ends and the chosen one, the chosen one, the count."""
    if n == 1:
        return (term(0),)
    shorter = (f"{term(chosen)} + … ({n} {noun})", f"{term(chosen)} + … ({n})", f"{n} {noun}")
    if n <= _MOST_TERMS:
        return (" + ".join([term(i) for i in range(n)]), *shorter)
    parts: list[str] = []
    before = -1
    for i in sorted({0, chosen, n - 1}):
        parts += [term(i)] if i == before + 1 else ["…", term(i)]
        before = i
    return (f"{' + '.join(parts)} ({n} {noun})", *shorter)


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


def _name(token: str) -> str:
    """Shorten a long token, and keep one that runs from right to left from turning what stands around it."""
    shown = token if len(token) <= _LONGEST_NAME else token[: _LONGEST_NAME - 1] + "…"
    if shown.isascii() or not any(unicodedata.bidirectional(c) in ("R", "AL") for c in shown):
        return shown
    return f"{_ISOLATE}{shown}{_END_ISOLATE}"
