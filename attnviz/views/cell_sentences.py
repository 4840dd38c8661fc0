"""A cell of the heatmaps in one sentence: for the status bar, and as a screen reader reads it out."""

from __future__ import annotations

from collections.abc import Callable

from attnviz.document.frame import Frame
from attnviz.document.number_ref import NumberRef
from attnviz.document.tokens import told_apart
from attnviz.views.measures import measure_sentence
from attnviz.views.numbers import number_text, spoken_text
from attnviz.views.pinning import in_brackets, pin_words
from attnviz.views.selection import Chosen


def sentence(frame: Frame, chosen: Chosen) -> str:
    """Say the shown cell, or the measure that is pointed at, in one sentence for the status bar and screen readers."""
    measured = "" if chosen.pointed_number is None else measure_sentence(frame, chosen.pointed_number)
    if measured:
        return measured
    query, key = min(chosen.shown_query, frame.n_query - 1), min(chosen.shown_key, frame.n_key - 1)
    names = f"query {frame.query_tokens[query]} → key {frame.key_tokens[key]}"
    return f"{names}: {_numbers_said(frame, query, key, number_text)}"


def announced(frame: Frame, query: int, key: int) -> str:
    """Say a cell as a screen reader reads it out: "query cat, key dog, score 1.10, weight 0.389"."""
    names = f"query {told_apart(frame.query_tokens)[query]}, key {told_apart(frame.key_tokens)[key]}"
    return f"{names}, {_numbers_said(frame, query, key, spoken_text)}"


def _numbers_said(frame: Frame, query: int, key: int, write: Callable[[float], str]) -> str:
    """Say score and weight of a cell, whether the mask bans it, and what of them is pinned or follows from a pin."""
    row, place = frame.row(query), (query, key)
    is_banned, pins = frame.is_banned(query, key), frame.pins
    is_gone = is_banned and frame.shows_mask("weights")
    if is_gone and not any(pins.at(NumberRef(kind, place)) for kind in ("score", "weight")):
        return "masked, weight 0"
    score, weight = (
        f"{kind} {write(number)}{in_brackets(pin_words(frame, NumberRef(kind, place)))}"
        for kind, number in (("score", float(row.scores[0, key])), ("weight", float(row.weights[0, key])))
    )
    banned = "masked, " if is_gone else "banned, "
    return f"{banned * is_banned}{score}, {weight}"
