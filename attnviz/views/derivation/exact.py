"""The derivation of one weight with every digit: for the tooltip, the status bar and the clipboard."""

from __future__ import annotations

from collections.abc import Sequence

from attnviz.document.arrays import FloatArray
from attnviz.document.frame import Frame
from attnviz.views.derivation.cell import Cell
from attnviz.views.numbers import exact_text, factor_text

_MASKS = {
    "add_large_negative": "{} − 1e9",
    "fill_large_negative": "{}, then −1e9 instead",
    "multiply_zero": "({}) × 0",
}


def exact_lines(frame: Frame, query: int, key: int, most_terms: int | None = None) -> tuple[str, ...]:
    """Write the six steps with every digit.

    Parameters
    ----------
    frame, query, key
        As for :func:`attnviz.views.derivation.steps.derive`.
    most_terms : int or None
        How many terms of a sum or entries of a vector are written; ``None`` for all.

    Returns
    -------
    tuple of str
        One line a step.
    """
    cell = Cell(frame, query, key)
    q, k = cell.q, cell.k
    products = [f"{factor_text(exact_text(q[i]))}·{factor_text(exact_text(k[i]))}" for i in _ends(len(q), most_terms)]
    weight = exact_text(cell.weight)
    value, share, output = (_exact_vector(x, most_terms) for x in (cell.value, cell.contribution, cell.output))
    dot_product = f"dot product q·k: {_joined(products, len(q))} = {exact_text(cell.score)}"
    weight_line = f"{_weight_formula(cell)} = {weight}"
    if cell.is_score_pinned:
        dot_product = f"score: pinned to {exact_text(cell.score)}, without the pin {exact_text(cell.computed_score)}"
    if cell.is_weight_pinned:
        weight_line = f"weight: pinned to {weight}, without the pin {exact_text(cell.computed_weight)}"
    power = f"e^({exact_text(cell.masked)} − {factor_text(exact_text(cell.row_max))}) = {exact_text(cell.e)}"
    return (
        dot_product,
        _scale_line(cell),
        f"masked: {cell.reason}, so e^(−∞) = 0" if cell.is_banned else f"exponentiate: {power}",
        _sum_line(cell, most_terms),
        weight_line,
        f"adds to y: {weight} · {value} = {share}, of y = {output}",
    )


def _scale_line(cell: Cell) -> str:
    """Write how the score becomes what enters the softmax."""
    steps = cell.steps
    formula = f"{exact_text(cell.score)} × {factor_text(exact_text(cell.multiplier))}"
    if cell.is_banned or not steps.before_softmax:
        return f"scale: {formula} = {exact_text(cell.scaled)}"
    if steps.cap is not None:
        cap = exact_text(steps.cap)
        formula = f"{cap}·tanh({formula} ÷ {cap})"
    if steps.bias is not None:
        formula = f"{formula} + {factor_text(exact_text(steps.bias))}"
    why = f" ({cell.reason})" if steps.masking in _MASKS else ""
    whole = _MASKS.get(steps.masking, "{}").format(formula)
    return f"{', '.join(('scale', *steps.before_softmax))}: {whole} = {exact_text(cell.masked)}{why}"


def _sum_line(cell: Cell, most_terms: int | None) -> str:
    """Write the sum of the exponentials of the row, or of the column."""
    members, steps = cell.members, cell.steps
    terms = [exact_text(cell.exponentials[members[i]]) for i in _ends(len(members), most_terms)]
    added = _joined(terms, len(members))
    if not added:
        added = "no query sees it" if cell.is_by_column else "no key is visible"
    if steps.other is not None:
        other = f"{exact_text(steps.other)} ({steps.other_name})"
        added = f"{other} + {added}" if len(members) else other
    whose = " of the column" if cell.is_by_column else ""
    return f"sum of exponentials{whose}: {added} = {exact_text(cell.normaliser)}"


def _weight_formula(cell: Cell) -> str:
    """Write how the share of the sum becomes the weight."""
    steps = cell.steps
    if cell.is_silent:
        return f"weight: no {'query sees it' if cell.is_by_column else 'key is visible'}"
    share = f"{exact_text(cell.e)} ÷ {exact_text(cell.normaliser)}"
    if steps.is_zeroed:
        return f"weight, masked after the softmax ({cell.reason}): {share} × 0"
    if not steps.is_kept:
        return f"weight, dropped by chance: {share} × 0"
    if steps.kept_sum is not None:
        share = f"{share} ÷ {exact_text(steps.kept_sum)} (what the mask leaves of the row)"
    return f"weight: {share} ÷ (1 − {exact_text(steps.rate)})" if steps.rate else f"weight: {share}"


def plain_text(frame: Frame, query: int, key: int) -> str:
    """Write the whole derivation with every digit, for the clipboard."""
    names = f"{frame.query_tokens[query]} → {frame.key_tokens[key]}"
    return "\n".join((names, *exact_lines(frame, query, key)))


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
