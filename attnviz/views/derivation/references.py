"""Which numbers stand on the cards of the derivation, read off the written texts and named by what they are.

A card writes its formula as long as it can: whole, with fewer digits, or with terms left out. So the names are given
to the numbers that are written, in their order, instead of being carried along by every length of every text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from attnviz.document.number_ref import NumberRef
from attnviz.views.derivation.cell import Cell
from attnviz.views.derivation.lengths import kept_terms
from attnviz.views.derivation.steps import SHARE_NAME

_DOT, _SCALE, _EXPONENTIAL, _SUM, _WEIGHT, _SHARE = range(6)
# A number that is written whole: one that is cut ends in an ellipsis.
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\d.…e])")
# How many terms there are, where some or all of them are left out.
_COUNT = re.compile(r"(?:^|\s\(|^\()\d+(?: [a-z]*)?(?:\)|…)?$")


@dataclass(frozen=True, slots=True)
class Written:
    """A number in a text.

    Parameters
    ----------
    ref : NumberRef
        Which one it is.
    start, stop : int
        Where its characters begin and end.
    """

    ref: NumberRef
    start: int
    stop: int


class References:
    """Names the numbers on the cards of one cell.

    Parameters
    ----------
    cell : Cell
        Its numbers.
    query, key : int
        Its place.
    """

    def __init__(self, cell: Cell, query: int, key: int) -> None:
        self._cell, self._query, self._key = cell, query, key

    def in_name(self, card: int, text: str) -> list[Written]:
        """Find the numbers in the heading of a card: the output in that of the last one."""
        if card != _SHARE or not text.startswith(f"{SHARE_NAME} ="):
            return []
        return _named(text, self._vector("output", self._query, len(self._cell.output), text))

    def in_formula(self, card: int, text: str) -> list[Written]:
        """Find the numbers in the formula of a card."""
        counted = _COUNT.search(text) if card in (_DOT, _SUM) else None
        written = text if counted is None else text[: counted.start()]
        return _named(written, self._operands(card, written))

    def in_result(self, card: int, text: str) -> list[Written]:
        """Find the result of a card: the share of the output has no name of its own."""
        cell = self._cell
        ends_as = "masked" if cell.steps.before_softmax and not cell.is_banned else "scaled"
        kinds = {_DOT: "score", _SCALE: ends_as, _EXPONENTIAL: "exponential", _WEIGHT: "weight"}
        if card == _SUM:
            return _named(text, [NumberRef("normaliser", (cell.budget,))])
        return _named(text, [self._of_cell(kinds[card])]) if card in kinds else []

    def _operands(self, card: int, text: str) -> Sequence[NumberRef | None]:
        """Name the numbers of a formula in their order."""
        cell, query = self._cell, self._query
        if (card == _DOT and cell.is_score_pinned) or (card == _WEIGHT and cell.is_weight_pinned):
            return []  # what it would be without its pin is no number of the frame
        if card == _DOT:
            places = _shown_terms(text.count("·"), len(cell.q), 0)
            return [ref for i in places for ref in (NumberRef("q", (query, i)), NumberRef("k", (self._key, i)))]
        if card == _SCALE:
            return self._of_scale(text)
        if card == _EXPONENTIAL:
            return [] if cell.is_banned else [self._of_cell("masked"), NumberRef("row_max", (cell.budget,))]
        if card == _SUM:
            return self._of_sum(text)
        if card == _WEIGHT:
            return self._of_weight(text)
        return [self._of_cell("weight"), *self._vector("v", self._key, len(cell.value), text.partition(" · ")[2])]

    def _of_scale(self, text: str) -> list[NumberRef | None]:
        steps, multiplier = self._cell.steps, NumberRef("multiplier")
        if text.startswith("×"):
            return [multiplier]
        if text.startswith("−"):
            return []
        named: list[NumberRef | None] = [self._of_cell("score"), multiplier]
        if self._cell.is_banned or steps.masking == "fill_large_negative":
            return named
        if steps.cap is not None:
            named = [NumberRef("soft_cap"), *named, NumberRef("soft_cap")]
        return named if steps.bias is None else [*named, self._of_cell("bias")]

    def _of_sum(self, text: str) -> list[NumberRef | None]:
        cell = self._cell
        members = cell.members.tolist()
        first: list[NumberRef | None] = [None] if text.startswith("[") else []  # of what is no key
        places = _shown_terms(len(_NUMBER.findall(text)) - len(first), len(members), cell.chosen)
        if cell.is_by_column:
            return [*first, *(NumberRef("exponential", (members[i], self._key)) for i in places)]
        return [*first, *(NumberRef("exponential", (self._query, members[i])) for i in places)]

    def _of_weight(self, text: str) -> list[NumberRef | None]:
        cell, steps = self._cell, self._cell.steps
        if cell.is_silent or text.startswith("×"):
            return []
        named: list[NumberRef | None] = [self._of_cell("exponential"), NumberRef("normaliser", (cell.budget,))]
        if steps.is_zeroed or not steps.is_kept:
            return named
        if steps.kept_sum is not None:
            named.append(NumberRef("kept_sum", (self._query,)))
        return [*named, None, NumberRef("dropout")] if steps.rate else named

    def _of_cell(self, kind: str) -> NumberRef:
        return NumberRef(kind, (self._query, self._key))

    def _vector(self, kind: str, row: int, n: int, text: str) -> list[NumberRef]:
        """Name the entries of a vector that are written: all, or the first and the last."""
        count = len(_NUMBER.findall(text))
        places = range(n) if "…" not in text else (0, n - 1)[:count]
        return [NumberRef(kind, (row, place)) for place in places]


def _shown_terms(count: int, n: int, chosen: int) -> Sequence[int]:
    """Tell which terms of a sum are written, by how many there are."""
    if count == n:
        return range(n)
    kept = sorted(kept_terms(n, chosen))
    return kept if count == len(kept) else (chosen,)[:count]


def _named(text: str, refs: Sequence[NumberRef | None]) -> list[Written]:
    """Give the numbers of a text the names that they have; one without a name has no derivation of its own."""
    found = zip(refs, _NUMBER.finditer(text), strict=False)
    return [Written(ref, match.start(), match.end()) for ref, match in found if ref is not None]
