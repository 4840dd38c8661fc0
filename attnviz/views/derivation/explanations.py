"""What each card of the derivation means: the concepts for What's This, and why the row's maximum is taken off."""

from __future__ import annotations

import math

from attnviz.document.frame import Frame
from attnviz.views.derivation.cell import Cell
from attnviz.views.numbers import factor_text, number_text

EXPONENTIAL = 2
CONCEPTS = (
    "The score: query times key, channel by channel, added up. It is large where both are long and point the same "
    "way, 0 where they stand at right angles, and negative where they point apart.",
    "The score is multiplied by one number for the whole matrix, 1/(T·√d_k) under the usual rule. With more channels "
    "the scores spread wider; dividing by the root of their number keeps the softmax from deciding too soon.",
    "The exponential makes every score positive, and a difference of scores a ratio: one more is e, about 2.72 times "
    "as much, whatever the scores are.",
    "All exponentials of this row, over the keys that the query may see. This sum is what makes the row a "
    "competition: a key can gain only what the others lose.",
    "The share of this key in the sum of its row: between 0 and 1, and over the whole row exactly 1. This is the "
    "number in the heatmap.",
    "The key's value, shortened to its weight. The output y of the query is the sum of these shares over all keys: "
    "a blend of the values.",
)


_IN_COLUMNS = (
    "All exponentials of this column, over the queries that see the key: the softmax runs down the columns. So the "
    "queries compete for each key, and a query can gain only what the others lose.",
    "The share of this query in the sum of its column: over the whole column the shares add up to 1, while the weights "
    "of a query need not. This is the number in the heatmap.",
)
_WITH_OTHER = (
    "All exponentials of this row and, in brackets, that of a logit which belongs to no key. It takes its share of the "
    "attention and gives nothing, so that a row may attend to nothing.",
    "The share of this key in that sum: over the keys of a row the weights add up to less than 1. This is the number "
    "in the heatmap.",
)
_SCALE, _SUM, _WEIGHT = 1, 3, 4
_FURTHER = {
    "soft cap": "The soft cap bends the result so that it stays within the cap on both sides of 0.",
    "bias": "The bias of the distance between the two tokens is added.",
    "mask": "The mask changes this number instead of taking the key out before the softmax, which is a demonstration.",
}
_AFTER = "The mask acts after the softmax here, which is a demonstration: banned keys have had their share."
_DROPOUT = "Dropout then takes weights away by chance and divides the others by 1 minus its rate."


def concepts_in(frame: Frame, query: int, key: int) -> tuple[str, ...]:
    """Give the concept of each card as it is in a frame.

    Returns
    -------
    tuple of str
        :data:`CONCEPTS`, with what softmax, mask, positions and dropout make of them.
    """
    cell, found = Cell(frame, query, key), list(CONCEPTS)
    if cell.is_by_column:
        found[_SUM], found[_WEIGHT] = _IN_COLUMNS
    elif cell.steps.other is not None:
        found[_SUM], found[_WEIGHT] = _WITH_OTHER
    if not cell.is_banned:
        found[_SCALE] = " ".join((found[_SCALE], *(_FURTHER[name] for name in cell.steps.before_softmax)))
    state = frame.state
    if state.has_mask and state.masking.startswith("after"):
        found[_WEIGHT] = f"{found[_WEIGHT]} {_AFTER}"
    if state.dropout:
        found[_WEIGHT] = f"{found[_WEIGHT]} {_DROPOUT}"
    return tuple(found)


def why_maximum(frame: Frame, query: int, key: int) -> str:
    """Say why the maximum of the row is taken off, with the numbers that stand there without it.

    Returns
    -------
    str
        Two or three sentences.
    """
    cell = Cell(frame, query, key)
    if cell.is_banned or cell.is_silent:
        return ""
    line = "column" if cell.is_by_column else "row"
    largest = f"{line}'s maximum" if cell.steps.other is None else f"largest logit of the row and the {_beside(cell)}"
    why = (
        f"The {largest}, {number_text(cell.row_max)}, is taken off every score first, so that no exponential can "
        "become too large for a float; the ratio stays the same."
    )
    exponential, total = _power(cell.masked), cell.normaliser * _power(cell.row_max)
    power = f"e^{factor_text(number_text(cell.masked))}"
    if not 0.0 < exponential < math.inf or not 0.0 < total < math.inf:
        return f"{why} Without that, {power} or the sum of the {line} would be beyond the range of floats."
    above, below, ratio = (number_text(x) for x in (exponential, total, exponential / total))
    return f"{why} Textbooks may leave it in: {power} = {above}, the sum {below}, and {above} ÷ {below} = {ratio} too."


def _beside(cell: Cell) -> str:
    """Name what takes attention besides the keys."""
    return {"sink": "sink", "one more": "one more unit"}.get(cell.steps.other_name, "one more unit with the sink")


def _power(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf
