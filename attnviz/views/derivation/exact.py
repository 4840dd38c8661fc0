"""The derivation of one weight with every digit: for the tooltip, the status bar and the clipboard."""

from __future__ import annotations

from collections.abc import Sequence

from attnviz.document.arrays import FloatArray
from attnviz.document.frame import Frame
from attnviz.views.derivation.cell import Cell
from attnviz.views.numbers import exact_text, factor_text


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
    q, k, visible = cell.q, cell.k, cell.visible
    products = [f"{factor_text(exact_text(q[i]))}·{factor_text(exact_text(k[i]))}" for i in _ends(len(q), most_terms)]
    exponentials = [exact_text(cell.exponentials[visible[i]]) for i in _ends(len(visible), most_terms)]
    total = exact_text(cell.normaliser)
    weight = exact_text(cell.weight)
    value, share, output = (_exact_vector(x, most_terms) for x in (cell.value, cell.contribution, cell.output))
    dot_product = f"dot product q·k: {_joined(products, len(q))} = {exact_text(cell.score)}"
    share_of_sum = f"{exact_text(cell.e)} ÷ {total}" if not cell.is_empty else "no key is visible"
    weight_line = f"weight: {share_of_sum} = {weight}"
    if cell.is_score_pinned:
        dot_product = f"score: pinned to {exact_text(cell.score)}, without the pin {exact_text(cell.computed_score)}"
    if cell.is_weight_pinned:
        weight_line = f"weight: pinned to {weight}, without the pin {exact_text(cell.computed_weight)}"
    exponential = f"e^({exact_text(cell.scaled)} − {factor_text(exact_text(cell.row_max))}) = {exact_text(cell.e)}"
    added = "no key is visible" if cell.is_empty else _joined(exponentials, len(visible))
    return (
        dot_product,
        f"scale: {exact_text(cell.score)} × {factor_text(exact_text(cell.multiplier))} = {exact_text(cell.scaled)}",
        f"masked: {cell.reason}, so e^(−∞) = 0" if cell.is_banned else f"exponentiate: {exponential}",
        f"sum of exponentials: {added} = {total}",
        weight_line,
        f"adds to y: {weight} · {value} = {share}, of y = {output}",
    )


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
