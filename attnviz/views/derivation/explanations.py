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


def why_maximum(frame: Frame, query: int, key: int) -> str:
    """Say why the maximum of the row is taken off, with the numbers that stand there without it.

    Returns
    -------
    str
        Two or three sentences.
    """
    cell = Cell(frame, query, key)
    if cell.is_banned or cell.is_empty:
        return ""
    why = (
        f"The row's maximum, {number_text(cell.row_max)}, is taken off every score first, so that no exponential can "
        "become too large for a float; the ratio stays the same."
    )
    exponential, total = _power(cell.scaled), cell.normaliser * _power(cell.row_max)
    power = f"e^{factor_text(number_text(cell.scaled))}"
    if not 0.0 < exponential < math.inf or not 0.0 < total < math.inf:
        return f"{why} Without that, {power} or the sum of the row would be beyond the range of floats."
    above, below, ratio = (number_text(x) for x in (exponential, total, exponential / total))
    return f"{why} Textbooks may leave it in: {power} = {above}, the sum {below}, and {above} ÷ {below} = {ratio} too."


def _power(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf
