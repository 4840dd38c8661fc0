"""How masked scores become weights: their maximum, the exponentials, their sum, the shares of it, and dropout."""

from __future__ import annotations

import math

from attnviz.document.mask_reasons import reason_of
from attnviz.explanations import code
from attnviz.explanations.code import AFTER, RENORMALISED
from attnviz.explanations.expression import Expression, Number
from attnviz.explanations.kinds import Derivation, kind, number
from attnviz.explanations.operations import (
    Difference,
    Product,
    Quotient,
    Sum,
    exponential,
    largest,
    log_of_one_and,
)
from attnviz.explanations.source import Source

ZERO = Number(0.0)
_NOUGHT = Number(0.0, is_count=True)
_ONE = Number(1.0, is_count=True)


def hidden_note(source: Source, query: int) -> str:
    """Say what the mask does to the weights of a row, if anything."""
    row, name = source.row(query), source.query(query).plain
    if row.is_silent:
        return f"{name} sees no key, so the whole row counts as 0."
    n_hidden = source.frame.n_key - len(row.visible)
    if not n_hidden:
        return ""
    keys = f"{n_hidden:,} key{'s' * (n_hidden != 1)}"
    if source.state.masking == "before":
        return f"The mask hides {keys} from {name}."
    return f"The mask bans {keys} for {name}, but not by taking them out before the softmax."


def _budget_note(source: Source, index: int) -> str:
    """Say what of a mask and of further logits there is in what shares out its attention."""
    numbers, state, name = source.budget(index), source.state, source.budget_name(index).plain
    notes = []
    if source.is_by_column:
        notes.append("The softmax runs down the columns: the queries compete for each key.")
    if state.has_mask and state.masking != "before":
        notes.append("The mask does not take banned keys out before the softmax.")
    elif not numbers.members:
        if source.is_by_column:
            notes.append(f"No query sees {name}, so the whole column counts as 0.")
        else:
            others = "nothing but the further logit takes part" if numbers.others else "the whole row counts as 0"
            notes.append(f"{name} sees no key, so {others}.")
    elif n_hidden := len(numbers.masked) - len(numbers.members):
        if source.is_by_column:
            notes.append(f"The mask hides {name} from {n_hidden:,} quer{'ies' if n_hidden != 1 else 'y'}.")
        else:
            notes.append(f"The mask hides {n_hidden:,} key{'s' * (n_hidden != 1)} from {name}.")
    return " ".join(notes)


def _symbol(source: Source, letter: str, index: int) -> tuple[str, str]:
    """Write a number of what shares out its attention: plain, and in LaTeX."""
    name = source.budget_name(index)
    return f"{letter}({name.plain})", rf"{letter}_{{{name.latex}}}"


def _members(source: Source, kind_name: str, index: int) -> list[Number]:
    """Give the numbers of all cells that take part."""
    members = source.budget(index).members
    if source.is_by_column:
        return [number(source, kind_name, query, index) for query in members]
    return [number(source, kind_name, index, key) for key in members]


def _place(source: Source) -> tuple[str, str, str]:
    """Give what the cells are added over: the index, and a cell in symbols, plain and in LaTeX."""
    return ("i", "(i, {})", "_{{i,{}}}") if source.is_by_column else ("j", "({}, j)", "_{{{},j}}")


def _whose(source: Source, index: int) -> str:
    return f"{'key' if source.is_by_column else 'query'} {source.budget_name(index).plain}"


@kind(
    "row_max",
    "row maximum",
    ("budget",),
    lambda source, index: source.budget(index).largest,
    column_label="column maximum",
)
def row_max(source: Source, index: int) -> Derivation:
    """Derive what is subtracted before the exponential: the largest masked score of the row, or of the column."""
    name, (letter, cell, typeset) = source.budget_name(index), _place(source)
    plain, latex = _symbol(source, "M", index)
    entries: list[Expression] = list(_members(source, "masked", index))
    formula = f"max_{letter} z′{cell.format(name.plain)}"
    typeset_max = rf"\max_{{{letter}}} z'{typeset.format(name.latex)}"
    further, further_latex, other = _further_logit(source)
    if other is not None:
        entries.append(other)
        formula, typeset_max = f"max({formula}, {further})", rf"\max\left({typeset_max}, {further_latex}\right)"
    return Derivation(
        title=f"largest masked score of {_whose(source, index)}",
        formula=f"{plain} = {formula}",
        typeset=(latex, typeset_max),
        expression=largest(entries) if entries else ZERO,
        code=lambda: (*code.budget(source, index, "row_max"), "result = row_max"),
        note=_budget_note(source, index),
    )


def _further_logit(source: Source) -> tuple[str, str, Expression | None]:
    """Give the logit of what takes attention and gives nothing: in symbols, in LaTeX and with its number."""
    if not source.others:
        return "", "", None
    if source.sink is None:
        return "0", "0", _NOUGHT
    sink = number(source, "sink")
    if len(source.others) == 1:
        return "s_0", "s_0", sink
    return "ln(1 + e^s_0)", r"\ln\left(1 + e^{s_0}\right)", log_of_one_and(sink)


@kind("exponential", "exponential", ("query", "key"), lambda source, query, key: source.row(query).exponentials[key])
def exponential_of_score(source: Source, query: int, key: int) -> Derivation:
    """Derive an exponential: e to the masked score minus the maximum of its row, or of its column."""
    q, k = source.query(query), source.key(key)
    index = source.budget_of(query, key)
    plain, latex = _symbol(source, "M", index)
    power = Difference(number(source, "masked", query, key), number(source, "row_max", index))
    return Derivation(
        title=f"exponential of {k.plain} for query {q.plain}",
        formula=f"E({q.plain}, {k.plain}) = e^(z′({q.plain}, {k.plain}) − {plain})",
        typeset=(rf"E_{{{q.latex},{k.latex}}}", rf"e^{{z'_{{{q.latex},{k.latex}}} - {latex}}}"),
        expression=exponential(power),
        code=lambda: (*code.row(source, query, "exponentials"), f"result = exponentials[{key}]"),
        note=_exponential_note(source, query, key),
    )


def _exponential_note(source: Source, query: int, key: int) -> str:
    q, k = source.query(query).plain, source.key(key).plain
    if float(source.row(query).masked[key]) == -math.inf:
        return f"The mask hides {k} from {q}, and e^(−∞) is 0."
    if source.is_banned(query, key):
        return f"The mask bans this key, but not by taking it out: {reason_of(source.state, query, key, q, k)}."
    return "The maximum is that of the key's column, over all queries." if source.is_by_column else ""


@kind(
    "normaliser",
    "row's sum",
    ("budget",),
    lambda source, index: source.budget(index).total,
    column_label="column's sum",
)
def normaliser(source: Source, index: int) -> Derivation:
    """Derive what the row, or the column, is divided by: the sum of its exponentials."""
    name, (letter, cell, typeset) = source.budget_name(index), _place(source)
    plain, latex = _symbol(source, "Z", index)
    top, top_latex = _symbol(source, "M", index)
    terms: list[Expression] = list(_members(source, "exponential", index))
    formula = f"Σ_{letter} E{cell.format(name.plain)}"
    typeset_sum = rf"\sum_{{{letter}}} E{typeset.format(name.latex)}"
    state = source.state
    if state.softmax == "plus_one":
        terms.append(exponential(Difference(_NOUGHT, number(source, "row_max", index))))
        formula, typeset_sum = f"{formula} + e^(0 − {top})", rf"{typeset_sum} + e^{{0 - {top_latex}}}"
    if source.sink is not None:
        terms.append(exponential(Difference(number(source, "sink"), number(source, "row_max", index))))
        formula, typeset_sum = f"{formula} + e^(s_0 − {top})", rf"{typeset_sum} + e^{{s_0 - {top_latex}}}"
    return Derivation(
        title=f"sum of the exponentials of {_whose(source, index)}",
        formula=f"{plain} = {formula}",
        typeset=(latex, typeset_sum),
        expression=sum_or_zero(tuple(terms)),
        code=lambda: (*code.budget(source, index, "normaliser"), "result = normaliser"),
        note=_budget_note(source, index),
    )


def _share(source: Source, query: int, key: int) -> tuple[Expression, str, str]:
    """Derive the share of an exponential in its sum: with numbers, in symbols and in LaTeX."""
    q, k = source.query(query), source.key(key)
    index = source.budget_of(query, key)
    plain, latex = _symbol(source, "Z", index)
    share = Quotient(number(source, "exponential", query, key), number(source, "normaliser", index))
    formula = f"E({q.plain}, {k.plain}) ÷ {plain}"
    typeset = rf"\frac{{E_{{{q.latex},{k.latex}}}}}{{{latex}}}"
    return (ZERO if source.budget(index).is_silent else share), formula, typeset


def _acts_after(source: Source) -> bool:
    return source.state.has_mask and source.state.masking in (AFTER, RENORMALISED)


@kind(
    "share",
    "share before the mask",
    ("query", "key"),
    lambda source, query, key: source.row(query).shares[key],
    is_there=_acts_after,
)
def share_of_sum(source: Source, query: int, key: int) -> Derivation:
    """Derive the share of a key where the mask acts after the softmax."""
    q, k = source.query(query), source.key(key)
    expression, formula, typeset = _share(source, query, key)
    return Derivation(
        title=f"share of {k.plain} for query {q.plain} before the mask acts",
        formula=f"r({q.plain}, {k.plain}) = {formula}",
        typeset=(rf"r_{{{q.latex},{k.latex}}}", typeset),
        expression=expression,
        code=lambda: (*code.row(source, query, "shares"), f"result = shares[{key}]"),
        note="The mask acts after the softmax, so that banned keys have had their share.",
    )


@kind(
    "kept_sum",
    "kept part of the shares",
    ("query",),
    lambda source, query: source.row(query).kept_shares,
    is_there=lambda source: _acts_after(source) and source.state.masking == RENORMALISED,
)
def kept_sum(source: Source, query: int) -> Derivation:
    """Derive what a row is divided by again: the part of its shares that the mask leaves."""
    q, row = source.query(query), source.row(query)
    terms: tuple[Expression, ...] = tuple([number(source, "share", query, key) for key in row.visible])
    expression, formula = sum_or_zero(terms), f"Σ_j r({q.plain}, j), over the keys that {q.plain} may see"
    title, typeset = "sum of the shares", rf"\sum_{{j \text{{ allowed}}}} r_{{{q.latex},j}}"
    if not row.is_row_of_one:
        title, formula = "part of the shares", f"{formula}, ÷ Σ_j r({q.plain}, j), over all"
        typeset = rf"\frac{{{typeset}}}{{\sum_j r_{{{q.latex},j}}}}"
        if row.kept_shares > 0.0:
            every_share = [number(source, "share", query, key) for key in range(source.frame.n_key)]
            expression = Quotient(expression, Sum(tuple(every_share)))
    return Derivation(
        title=f"{title} that the mask leaves to query {q.plain}",
        formula=f"K({q.plain}) = {formula}",
        typeset=(rf"K_{{{q.latex}}}", typeset),
        expression=expression,
        code=lambda: (*code.row(source, query, "kept"), f"result = {code.left_of_row(source, query)}"),
        note=hidden_note(source, query),
    )


def _before_dropout(source: Source, query: int, key: int) -> tuple[Expression, str, str, str]:
    """Derive a weight as the softmax and the mask leave it: with numbers, in symbols, in LaTeX, and a note."""
    q, k, row = source.query(query), source.key(key), source.row(query)
    is_banned = source.is_banned(query, key)
    expression, formula, typeset = _share(source, query, key)
    if _acts_after(source):
        factor = _NOUGHT if is_banned else _ONE
        expression = Product((number(source, "share", query, key), factor))
        formula = f"r({q.plain}, {k.plain}) · {0 if is_banned else 1}"
        typeset = rf"r_{{{q.latex},{k.latex}}} \cdot {0 if is_banned else 1}"
        if source.state.masking == RENORMALISED:
            expression = Quotient(expression, number(source, "kept_sum", query))
            formula, typeset = f"{formula} ÷ K({q.plain})", rf"\frac{{{typeset}}}{{K_{{{q.latex}}}}}"
        why = f" {_capital(reason_of(source.state, query, key, q.plain, k.plain))}." if is_banned else ""
        return expression, formula, typeset, f"The mask acts after the softmax.{why}"
    if is_banned and source.state.masking == "before":
        note = f"The mask hides {k.plain} from {q.plain}, so its weight is exactly 0."
        return expression, formula, typeset, hidden_note(source, query) if row.is_empty else note
    if is_banned:
        why = reason_of(source.state, query, key, q.plain, k.plain)
        return expression, formula, typeset, f"The mask bans this key, but not by taking it out: {why}."
    return expression, formula, typeset, _shared_with(source)


def _shared_with(source: Source) -> str:
    """Say who competes, where it is not the keys of the row alone."""
    if source.is_by_column:
        return "The softmax runs down the columns: the weights of a key add up to 1, those of a query need not."
    if not source.others:
        return ""
    if len(source.others) > 1:
        return "The rest of the row's attention goes to the one more unit and the sink, which give nothing."
    what = "the sink" if source.state.softmax != "plus_one" else "the one more unit"
    return f"The rest of the row's attention goes to {what}, which gives nothing."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


@kind(
    "undropped",
    "weight before dropout",
    ("query", "key"),
    lambda source, query, key: source.row(query).undropped[key],
    is_there=lambda source: source.state.dropout > 0.0,
)
def undropped(source: Source, query: int, key: int) -> Derivation:
    """Derive a weight before dropout."""
    q, k = source.query(query), source.key(key)
    expression, formula, typeset, note = _before_dropout(source, query, key)
    return Derivation(
        title=f"weight of {k.plain} for query {q.plain} before dropout",
        formula=f"a°({q.plain}, {k.plain}) = {formula}",
        typeset=(rf"a^{{\circ}}_{{{q.latex},{k.latex}}}", typeset),
        expression=expression,
        code=lambda: (*code.row(source, query, "undropped"), f"result = weights[{key}]"),
        note=note,
    )


@kind("weight", "weight", ("query", "key"), lambda source, query, key: source.row(query).weights[key])
def weight(source: Source, query: int, key: int) -> Derivation:
    """Derive a weight: the share of an exponential in its sum, and what mask and dropout leave of it."""
    q, k = source.query(query), source.key(key)
    if source.state.dropout:
        expression, formula, typeset, note = _dropped(source, query, key)
    else:
        expression, formula, typeset, note = _before_dropout(source, query, key)
    return Derivation(
        title=f"weight of {k.plain} for query {q.plain}",
        formula=f"a({q.plain}, {k.plain}) = {formula}",
        typeset=(rf"a_{{{q.latex},{k.latex}}}", typeset),
        expression=expression,
        code=lambda: (*code.row(source, query, "weights"), f"result = weights[{key}]"),
        note=note,
    )


def _dropped(source: Source, query: int, key: int) -> tuple[Expression, str, str, str]:
    """Derive a weight from that before dropout."""
    q, k, rate = source.query(query), source.key(key), source.state.dropout
    is_kept = source.keeps(query, key)
    above: Expression = number(source, "undropped", query, key)
    formula, typeset = f"a°({q.plain}, {k.plain})", rf"a^{{\circ}}_{{{q.latex},{k.latex}}}"
    if not is_kept:
        above, formula, typeset = Product((above, _NOUGHT)), f"{formula} · 0", rf"{typeset} \cdot 0"
    share = Quotient(above, Difference(_ONE, number(source, "dropout")))
    chance = "kept" if is_kept else "dropped"
    note = f"Dropout {chance} this weight by chance, at a rate of {rate:g} with seed {source.state.dropout_seed}."
    return share, f"{formula} ÷ (1 − p)", rf"\frac{{{typeset}}}{{1 - p}}", note


def sum_or_zero(terms: tuple[Expression, ...]) -> Expression:
    """Add terms up; nothing adds up to 0."""
    return Sum(terms) if terms else ZERO
