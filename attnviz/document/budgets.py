"""What is to be said of the rows of weights: which see no key, where banned keys have weight, which sums are not 1."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray, IntArray, every
from attnviz.document.attending import sink_of
from attnviz.document.frame import Frame
from attnviz.document.hidden_cells import leaking_cells, may_leak
from attnviz.document.measures import is_no_distribution
from attnviz.document.tokens import shortened, told_apart
from attnviz.engine import MASKING_METHODS, AttentionTrace

Subject: TypeAlias = Literal["empty", "leak", "sum"]

_MOST_NAMES, _MOST_WITH_NUMBERS = 6, 3
_LONGEST_NAME = 16
_AFTER = ("after", "after_renormalised")


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to be said of some rows.

    Parameters
    ----------
    subject : str
        "empty": they see no key. "leak": keys that the mask bans have weight in them. "sum": they do not sum to 1.
    rows : tuple of int
        Which they are.
    sentence : str
        The same in words, with the reason.
    """

    subject: Subject
    rows: tuple[int, ...]
    sentence: str


@lru_cache(maxsize=2)
def remarks_on(frame: Frame) -> tuple[Remark, ...]:
    """Give what is to be said of the rows of a frame; nothing where each is a budget of 1 over the visible keys."""
    return (*_on_empty_rows(frame), *_on_leaks(frame), *_on_sums(frame))


def share_of_nothing(frame: Frame, rows: IntArray) -> FloatArray | None:
    """Give the share of each row that goes to no key, shape (n_rows,); ``None`` where rows must share out all.

    Under "plus one" or with a sink it is exp(c - m) / normaliser, with the logit c of nothing and the row maximum m;
    with the weights before dropout and pins it adds up to 1.
    """
    trace, logit = frame.attention, logit_of_nothing(frame)
    if logit is None or not isinstance(trace, AttentionTrace):
        return None
    share: FloatArray = np.exp(logit - trace.row_max[rows]) / trace.normaliser[rows]
    return share


def logit_of_nothing(frame: Frame) -> float | None:
    """Give the logit that takes weight and gives nothing: 0 under "plus one", the sink's, or both added up."""
    sink, state = sink_of(frame.state, frame.head), frame.state
    if state.softmax == "columns":
        return None
    if state.softmax != "plus_one":
        return sink
    return 0.0 if sink is None else float(np.logaddexp(0.0, sink))


def _on_empty_rows(frame: Frame) -> list[Remark]:
    rows = np.flatnonzero(frame.empty_rows)
    if not len(rows):
        return []
    sentence = f"No visible key: {_names(frame, rows)}; weights and output are 0."
    if not frame.shows_mask("weights"):
        sentence = f"No visible key, yet weights ({MASKING_METHODS[frame.state.masking].label}): {_names(frame, rows)}."
    return [Remark("empty", _places(rows), sentence)]


def _on_leaks(frame: Frame) -> list[Remark]:
    """Name the rows in which keys that the mask bans have weight."""
    if not may_leak(frame, "weights"):
        return []
    everywhere = every(frame.n_query), every(frame.n_key)
    banned = leaking_cells(frame, "weights", *everywhere)
    taken = np.abs(frame.cells("weights", *everywhere) * banned).sum(axis=1)
    rows = np.flatnonzero(taken)
    if not len(rows):
        return []
    reason = MASKING_METHODS[frame.state.masking].label if not frame.shows_mask("weights") else "pinned"
    return [Remark("leak", _places(rows), f"Banned keys have weight ({reason}), by row: {_names(frame, rows, taken)}.")]


def _on_sums(frame: Frame) -> list[Remark]:
    """Name the rows that do not sum to 1, those of one reason together."""
    pinned = sorted({one.row for one in frame.pins.of("weight")})
    state = frame.state
    if isinstance(frame.attention, AttentionTrace):
        rows = np.flatnonzero(is_no_distribution(frame.row_sums(every(frame.n_query))))
    else:
        rows = np.array(pinned, np.intp)
        rows = rows[is_no_distribution(frame.row_sums(rows))]
    if frame.shows_mask("weights"):
        rows = np.array([row for row in rows.tolist() if row in pinned or not frame.empty_rows[row]], np.intp)
    groups: dict[tuple[str, ...], list[int]] = {}
    cut = _cut_rows(frame) if state.masking in _AFTER and len(rows) else np.zeros(frame.n_query, np.bool_)
    for row in rows.tolist():
        groups.setdefault(tuple(_reasons(frame, row, is_pinned=row in pinned, is_cut=bool(cut[row]))), []).append(row)
    return [
        Remark("sum", tuple(members), f"Weights do not sum to 1 ({' and '.join(reasons)}): {_names(frame, members)}.")
        for reasons, members in groups.items()
    ]


def _cut_rows(frame: Frame) -> BoolArray:
    """Tell which rows lost weights after the softmax, shape (n_query,)."""
    cut: BoolArray = np.logical_or.reduce(frame.banned(every(frame.n_query), every(frame.n_key)), axis=1)
    return cut


def _reasons(frame: Frame, row: int, *, is_pinned: bool, is_cut: bool) -> list[str]:
    state = frame.state
    found = []
    if is_pinned:
        found.append("pinned")
    if state.dropout:
        found.append("dropout")
    if state.softmax == "columns":
        found.append("softmax of columns")
    if state.softmax == "plus_one":
        found.append("plus one")
    if sink_of(state, frame.head) is not None:
        found.append("sink")
    if is_cut and state.masking == "after":
        found.append("masked after the softmax")
    if is_cut and state.masking == "after_renormalised" and not found:
        found.append("every visible weight is 0")
    return found or [f"row {row + 1} is not normalised"]


def _names(frame: Frame, rows: Iterable[int], numbers: FloatArray | None = None) -> str:
    told, chosen = told_apart(frame.query_tokens), list(rows)
    most = _MOST_NAMES if numbers is None else _MOST_WITH_NUMBERS
    named = [shortened(told[row], _LONGEST_NAME) for row in chosen[:most]]
    if numbers is not None:
        named = [f"{name} {numbers[row]:.3g}" for name, row in zip(named, chosen, strict=False)]
    more = len(chosen) - len(named)
    return ", ".join(named) + (f" and {more:,} more" if more else "")


def _places(rows: IntArray) -> tuple[int, ...]:
    return tuple(rows.tolist())
