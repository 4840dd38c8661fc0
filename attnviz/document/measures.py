"""What is measured of a frame's weights: one number a query or one a key, with its formula and meaning in words.

A new measure is one decorated function here: gutters, menus and tooltips come from this table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray, IntArray, every
from attnviz.document.frame import Frame
from attnviz.engine import effective_keys, entropy

MeasureAxis: TypeAlias = Literal["query", "key"]

SUM_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure of the weights.

    Parameters
    ----------
    name : str
        Its identifier; the explanations have a kind of this name.
    title : str
        One or two words above its numbers.
    label : str
        What menus say.
    axis : {"query", "key"}
        Whether there is one number a row or one a column.
    digits : int
        Digits after the point.
    formula : str
        The formula in symbols.
    meaning : str
        One or two plain sentences.
    values : callable
        Gives the numbers of the asked rows or columns of a frame.
    template : callable
        Gives the text of one number in a frame, with ``{}`` where the number stands.
    is_alarm : callable or None
        Says which numbers cannot be right.
    """

    name: str
    title: str
    label: str
    axis: MeasureAxis
    digits: int
    formula: str
    meaning: str
    values: Callable[[Frame, IntArray], FloatArray]
    template: Callable[[Frame], str]
    is_alarm: Callable[[FloatArray], BoolArray] | None = None

    @property
    def tip(self) -> str:
        """What it is and what it means, for a tooltip."""
        return f"{self.formula}\n{self.meaning}"


MEASURES: dict[str, Measure] = {}
SHOWN_FIRST = ("row_sum", "effective_keys")

_Values: TypeAlias = Callable[[Frame, IntArray], FloatArray]


def _bare(_frame: Frame) -> str:
    return "{}"


def measure(
    name: str,
    title: str,
    label: str,
    formula: str,
    meaning: str,
    axis: MeasureAxis = "query",
    digits: int = 3,
    template: Callable[[Frame], str] = _bare,
    is_alarm: Callable[[FloatArray], BoolArray] | None = None,
) -> Callable[[_Values], _Values]:
    """Enter the decorated function as a measure; of gutters without room, those entered last are dropped first.

    Parameters
    ----------
    name, title, label, formula, meaning, axis, digits, template, is_alarm
        As in :class:`Measure`.
    """

    def enter(values: _Values) -> _Values:
        MEASURES[name] = Measure(name, title, label, axis, digits, formula, meaning, values, template, is_alarm)
        return values

    return enter


def is_no_distribution(sums: FloatArray) -> BoolArray:
    """Tell which sums of weights are not 1: rows that see no key, or were not normalised."""
    off: BoolArray = np.abs(sums - 1.0) > SUM_TOLERANCE
    return off


def _sum_sign(_frame: Frame) -> str:
    return "Σ {}"


def _out_of(frame: Frame) -> str:
    """Say of how many keys; not under a mask, where that differs from row to row, or where rows need not sum to 1."""
    state = frame.state
    is_of_all = not (state.has_mask or state.dropout or state.softmax == "columns")
    return f"{{}} of {frame.n_key}" if is_of_all else "{}"


@measure(
    "row_sum",
    "row sum",
    "&Row Sum",
    "R(i) = Σ_j a(i, j)",
    "The weights of one query added up: 1 if the query shares out all of its attention. "
    "Another number is in the colour of warnings.",
    template=_sum_sign,
    is_alarm=is_no_distribution,
)
def row_sums(frame: Frame, rows: IntArray) -> FloatArray:
    """Give the sums of the weights of rows."""
    return frame.row_sums(rows)


@measure(
    "effective_keys",
    "effective keys",
    "Effective &Keys",
    "N(i) = e^H(i), with the entropy H",
    "How many keys the query attends to, if it shared equally among them.",
    digits=2,
    template=_out_of,
)
def effective_keys_of(frame: Frame, rows: IntArray) -> FloatArray:
    """Give how many keys the weights of rows amount to."""
    return effective_keys(_weights(frame, rows))


@measure(
    "entropy",
    "entropy",
    "&Entropy",
    "H(i) = −Σ_j a(i, j) · ln a(i, j), in nats",
    "How spread out the attention of the query is: 0 if one key takes all, the logarithm of the number of keys "
    "if all take the same.",
)
def entropies(frame: Frame, rows: IntArray) -> FloatArray:
    """Give the entropies of the weights of rows, in nats."""
    return entropy(_weights(frame, rows))


@measure(
    "largest_weight",
    "largest weight",
    "&Largest Weight",
    "max_j a(i, j)",
    "The share of the key that the query attends to most.",
)
def largest_weights(frame: Frame, rows: IntArray) -> FloatArray:
    """Give the largest weight of each row; 0 for a row that sees no key."""
    largest: FloatArray = _weights(frame, rows).max(axis=1)
    return largest


@measure(
    "column_sum",
    "received",
    "&Attention Received (Column Sum)",
    "C(j) = Σ_i a(i, j)",
    "The attention that a key receives from all queries together: 1 is an equal share where there are as many "
    "keys as queries.",
    axis="key",
)
def column_sums(frame: Frame, columns: IntArray) -> FloatArray:
    """Give the sums of the weights of columns."""
    return frame.column_sums(columns)


def _weights(frame: Frame, rows: IntArray) -> FloatArray:
    return frame.cells("weights", rows, every(frame.n_key))
