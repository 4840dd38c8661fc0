"""The numbers on the cards are named by what they are: each is written as its explanation's result would be."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QFont

from attnviz.document.frame import Frame, compute
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.explanations import explain
from attnviz.views.derivation.card_painter import CardPainter
from attnviz.views.derivation.cell import Cell
from attnviz.views.derivation.references import References
from attnviz.views.derivation.spots import Spot, spot_at, spots_of
from attnviz.views.derivation.steps import derive
from tests.views.panel_scenes import cat_dog_phone, cross_attention, forty_tokens

WIDTHS = (500, 900, 1250, 1900, 3200)


def few_tokens(n: int, d: int, *, mask: str = "none") -> State:
    embeddings = np.random.default_rng(n).normal(size=(n, d)).round(3)
    return State(TokenSequence(tuple(f"t{i}" for i in range(n)), embeddings), mask=mask)


STATES = {
    "three": cat_dog_phone(),
    "cross": cross_attention(),
    "forty": forty_tokens(),
    "five": few_tokens(5, 4),
    "causal": few_tokens(6, 3, mask="causal"),
    "one": few_tokens(1, 1),
    "nine": few_tokens(9, 12),
    "columns": replace(few_tokens(5, 3, mask="causal"), softmax="columns"),
    "sink": replace(few_tokens(5, 3, mask="causal"), has_sink=True, softmax="plus_one"),
    "cap": replace(few_tokens(5, 3), soft_cap=0.8, positions="alibi"),
    "bias": replace(few_tokens(5, 3, mask="causal"), positions="relative", masking="multiply_zero"),
    "added": replace(few_tokens(5, 3, mask="causal"), positions="sinusoidal", masking="add_large_negative"),
    "filled": replace(few_tokens(4, 3, mask="causal"), soft_cap=0.8, masking="fill_large_negative"),
    "after": replace(few_tokens(5, 3, mask="causal"), masking="after", dropout=0.4),
    "left": replace(few_tokens(5, 4, mask="causal"), masking="after_renormalised", dropout=0.4, positions="rotary"),
    "strange": replace(few_tokens(5, 4, mask="causal"), masking="after_renormalised", softmax="columns", soft_cap=2.0),
}


def spots_in(frame: Frame, query: int, key: int, width: int) -> tuple[Spot, ...]:
    painter = CardPainter(QFont())
    painter.place(QSize(width, 400))
    derivation = derive(frame, query, key)
    if painter.take_shape(derivation.shape):
        painter.place(QSize(width, 400))
    return spots_of(painter, derivation.steps, frame, query, key)


def decimals(text: str) -> float:
    """Half a unit of the last digit that is written."""
    digits, e, power = text.partition("e")
    places = len(digits.partition(".")[2])
    return 0.5000001 * 10.0 ** (-places + (int(power) if e else 0))


@pytest.mark.parametrize("name", STATES)
def test_each_number_is_the_result_of_its_own_explanation(qapp: object, name: str) -> None:
    frame = compute(STATES[name])
    cells = {(0, 0), (frame.n_query - 1, 0), (0, frame.n_key - 1), (frame.n_query // 2, frame.n_key // 2)}
    for width in WIDTHS:
        for query, key in cells:
            for spot in spots_in(frame, query, key, width):
                value = explain(frame, spot.ref).result
                assert abs(float(spot.text) - value) <= decimals(spot.text), (width, query, key, spot)


def test_all_that_a_formula_writes_is_named(qapp: object) -> None:
    frame = compute(STATES["five"])
    kinds = [spot.ref.kind for spot in spots_in(frame, 0, 1, 3200) if spot.card in (0, 3)]
    assert kinds == ["q", "k"] * frame.state.d_k + ["score"] + ["exponential"] * 5 + ["normaliser"]


def test_terms_beside_a_gap_are_those_that_stay(qapp: object) -> None:
    references = References(Cell(compute(STATES["forty"]), 3, 20), 3, 20)
    text = "0.1 + … + 1 + … + 0.3 (40 keys)"
    found = references.in_formula(3, text)
    assert [written.ref.indices for written in found] == [(3, 0), (3, 20), (3, 39)]
    assert [text[written.start : written.stop] for written in found] == ["0.1", "1", "0.3"]


@pytest.mark.parametrize("text", ["40 keys", "40 ke…", "0.12…"])
def test_counts_and_cut_numbers_are_no_numbers(qapp: object, text: str) -> None:
    references = References(Cell(compute(STATES["forty"]), 3, 20), 3, 20)
    assert references.in_formula(3, text) == []


def test_number_of_a_card_that_says_only_what_takes_the_weight_away_has_no_name(qapp: object) -> None:
    frame = compute(STATES["after"])
    kept = frame.trace.options.keep
    assert kept is not None
    query, key = np.argwhere(~kept)[0].tolist()
    assert References(Cell(frame, query, key), query, key).in_formula(4, "× 0") == []


def test_number_is_found_where_it_stands_and_nowhere_else(qapp: object) -> None:
    spots = spots_in(compute(cat_dog_phone()), 0, 1, 1250)
    assert all(spot_at(spots, spot.box.center()) is spot for spot in spots)
    boxes = [spot.box for spot in spots]
    assert not any(a.intersects(b) for i, a in enumerate(boxes) for b in boxes[i + 1 :])
    assert all(re.fullmatch(r"-?[\d.]+", spot.text) for spot in spots)
    assert NumberRef("multiplier") in {spot.ref for spot in spots}
