"""How a row of masked scores becomes weights: its maximum, the exponentials, their sum, and the shares of it."""

from __future__ import annotations

import math

from attnviz.explanations import code
from attnviz.explanations.expression import Expression, Number
from attnviz.explanations.kinds import Derivation, kind, number
from attnviz.explanations.operations import Difference, Quotient, Sum, exponential, largest
from attnviz.explanations.source import Source

ZERO = Number(0.0)


def hidden_note(source: Source, query: int) -> str:
    """Say how many keys the mask takes out of a row, if any."""
    row, name = source.row(query), source.query(query).plain
    if row.is_silent:
        return f"{name} sees no key, so the whole row counts as 0."
    n_hidden = source.frame.n_key - len(row.visible)
    return f"The mask hides {n_hidden:,} key{'s' * (n_hidden != 1)} from {name}." if n_hidden else ""


@kind("row_max", "row maximum", ("query",), lambda source, query: source.row(query).row_max)
def row_max(source: Source, query: int) -> Derivation:
    """Derive what is subtracted before the exponential: the largest masked score of the row."""
    q, row = source.query(query), source.row(query)
    scores = [number(source, "masked", query, key) for key in row.visible]
    return Derivation(
        title=f"largest masked score of query {q.plain}",
        formula=f"M({q.plain}) = max_j z′({q.plain}, j)",
        typeset=(rf"M_{{{q.latex}}}", rf"\max_{{j}} z'_{{{q.latex},j}}"),
        expression=largest(scores) if scores else ZERO,
        code=lambda: (*code.row(source, query, "row_max"), "result = row_max"),
        note=hidden_note(source, query),
    )


@kind("exponential", "exponential", ("query", "key"), lambda source, query, key: source.row(query).exponentials[key])
def exponential_of_score(source: Source, query: int, key: int) -> Derivation:
    """Derive an exponential: e to the masked score minus the row's maximum."""
    q, k, row = source.query(query), source.key(key), source.row(query)
    is_banned = float(row.masked[key]) == -math.inf
    power = Difference(number(source, "masked", query, key), number(source, "row_max", query))
    return Derivation(
        title=f"exponential of {k.plain} for query {q.plain}",
        formula=f"E({q.plain}, {k.plain}) = e^(z′({q.plain}, {k.plain}) − M({q.plain}))",
        typeset=(rf"E_{{{q.latex},{k.latex}}}", rf"e^{{z'_{{{q.latex},{k.latex}}} - M_{{{q.latex}}}}}"),
        expression=exponential(power),
        code=lambda: (*code.row(source, query, "exponentials"), f"result = exponentials[{key}]"),
        note=f"The mask hides {k.plain} from {q.plain}, and e^(−∞) is 0." if is_banned else "",
    )


@kind("normaliser", "row's sum", ("query",), lambda source, query: source.row(query).normaliser)
def normaliser(source: Source, query: int) -> Derivation:
    """Derive what the row is divided by: the sum of its exponentials."""
    q, row = source.query(query), source.row(query)
    terms = tuple([number(source, "exponential", query, key) for key in row.visible])
    return Derivation(
        title=f"sum of the exponentials of query {q.plain}",
        formula=f"Z({q.plain}) = Σ_j E({q.plain}, j)",
        typeset=(rf"Z_{{{q.latex}}}", rf"\sum_{{j}} E_{{{q.latex},j}}"),
        expression=sum_or_zero(terms),
        code=lambda: (*code.row(source, query, "normaliser"), "result = normaliser"),
        note=hidden_note(source, query),
    )


@kind("weight", "weight", ("query", "key"), lambda source, query, key: source.row(query).weights[key])
def weight(source: Source, query: int, key: int) -> Derivation:
    """Derive a weight: the share of an exponential in the sum of its row."""
    q, k, row = source.query(query), source.key(key), source.row(query)
    share = Quotient(number(source, "exponential", query, key), number(source, "normaliser", query))
    is_banned = float(row.masked[key]) == -math.inf
    note = f"The mask hides {k.plain} from {q.plain}, so its weight is exactly 0." if is_banned else ""
    return Derivation(
        title=f"weight of {k.plain} for query {q.plain}",
        formula=f"a({q.plain}, {k.plain}) = E({q.plain}, {k.plain}) ÷ Z({q.plain})",
        typeset=(rf"a_{{{q.latex},{k.latex}}}", rf"\frac{{E_{{{q.latex},{k.latex}}}}}{{Z_{{{q.latex}}}}}"),
        expression=ZERO if row.is_empty else share,
        code=lambda: (*code.row(source, query, "weights"), f"result = weights[{key}]"),
        note=hidden_note(source, query) if row.is_empty else note,
    )


def sum_or_zero(terms: tuple[Expression, ...]) -> Expression:
    """Add terms up; nothing adds up to 0."""
    return Sum(terms) if terms else ZERO
