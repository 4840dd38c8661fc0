"""Where each number belongs, and which numbers are lit by what is pointed at."""

from __future__ import annotations

from dataclasses import replace

import pytest

from attnviz.document.frame import Frame, compute
from attnviz.document.number_ref import NumberRef
from attnviz.explanations import KINDS, lit_among, place_of
from tests.views.panel_scenes import cat_dog_phone, cross_attention


@pytest.fixture(scope="module")
def frame() -> Frame:
    return compute(cat_dog_phone())


PLACES = {
    "x": ((2, 1), (2, 2)),
    "w_q": ((0, 1), (None, None)),
    "w_k": ((0, 1), (None, None)),
    "w_v": ((0, 1), (None, None)),
    "q": ((2, 1), (2, None)),
    "k": ((2, 1), (None, 2)),
    "v": ((2, 1), (None, 2)),
    "score": ((2, 1), (2, 1)),
    "scaled": ((2, 1), (2, 1)),
    "masked": ((2, 1), (2, 1)),
    "exponential": ((2, 1), (2, 1)),
    "weight": ((2, 1), (2, 1)),
    "row_max": ((2,), (2, None)),
    "normaliser": ((2,), (2, None)),
    "row_sum": ((2,), (2, None)),
    "entropy": ((2,), (2, None)),
    "effective_keys": ((2,), (2, None)),
    "column_sum": ((1,), (None, 1)),
    "output": ((2, 1), (2, None)),
    "concatenated": ((2, 1), (2, None)),
    "layer_output": ((2, 1), (2, None)),
    "w_o": ((0, 1), (None, None)),
    "b_o": ((1,), (None, None)),
    "multiplier": ((), (None, None)),
    "temperature": ((), (None, None)),
    "d_k": ((), (None, None)),
    "custom_multiplier": ((), (None, None)),
}


@pytest.mark.parametrize("kind", PLACES)
def test_number_belongs_to_its_row_and_column(frame: Frame, kind: str) -> None:
    indices, place = PLACES[kind]
    assert place_of(frame, NumberRef(kind, indices)) == place


def test_the_places_of_most_kinds_are_written_down_here() -> None:
    assert set(KINDS) - set(PLACES) <= {"context", "largest_weight", *OF_SOME_LAYERS, *OF_A_CONTEXT}


OF_SOME_LAYERS = {
    "position": ((2, 1), (2, 2)),
    "input": ((2, 1), (2, 2)),
    "place": ((2,), (2, 2)),
    "angle": ((2, 0), (2, 2)),
    "plain_q": ((2, 1), (2, None)),
    "plain_k": ((2, 1), (None, 2)),
    "bias": ((2, 1), (2, 1)),
    "bucket": ((3,), (None, None)),
    "share": ((2, 1), (2, 1)),
    "kept_sum": ((2,), (2, None)),
    "undropped": ((2, 1), (2, 1)),
    "b_q": ((1,), (None, None)),
    "b_k": ((1,), (None, None)),
    "b_v": ((1,), (None, None)),
    "sink": ((), (None, None)),
    "soft_cap": ((), (None, None)),
    "dropout": ((), (None, None)),
    "base": ((), (None, None)),
}
OF_A_CONTEXT = {
    "context_position": ((2, 1), (None, 2)),
    "context_input": ((2, 1), (None, 2)),
    "context_place": ((2,), (None, 2)),
    "context_angle": ((2, 0), (None, 2)),
}


@pytest.mark.parametrize("kind", OF_SOME_LAYERS | OF_A_CONTEXT)
def test_number_of_a_richer_layer_belongs_to_its_row_and_column(frame: Frame, kind: str) -> None:
    indices, place = (OF_SOME_LAYERS | OF_A_CONTEXT)[kind]
    assert place_of(frame, NumberRef(kind, indices)) == place


def test_maximum_and_sum_of_a_column_belong_to_its_key() -> None:
    columns = compute(replace(cat_dog_phone(), softmax="columns"))
    assert place_of(columns, NumberRef("row_max", (2,))) == (None, 2)
    assert place_of(columns, NumberRef("normaliser", (1,))) == (None, 1)


def test_in_cross_attention_embeddings_belong_to_one_side() -> None:
    cross = compute(cross_attention())
    assert place_of(cross, NumberRef("x", (2, 1))) == (2, None)
    assert place_of(cross, NumberRef("context", (0, 1))) == (None, 0)


def test_unknown_kind_is_refused(frame: Frame) -> None:
    with pytest.raises(ValueError, match=r"^kind must be one of .*, got 'nothing'$"):
        place_of(frame, NumberRef("nothing"))


WEIGHT, EXPONENTIAL, SUM = NumberRef("weight", (0, 1)), NumberRef("exponential", (0, 1)), NumberRef("normaliser", (0,))
QUERY, KEY = NumberRef("q", (0, 1)), NumberRef("k", (1, 0))
REFS = (WEIGHT, EXPONENTIAL, SUM, QUERY, KEY, NumberRef("multiplier"))


@pytest.mark.parametrize(
    ("query", "key", "number", "lit"),
    [
        (0, 1, WEIGHT, {WEIGHT}),
        (0, 1, NumberRef("scaled", (0, 1)), {WEIGHT, EXPONENTIAL}),
        (0, None, NumberRef("row_max", (0,)), {SUM, QUERY}),
        (0, None, None, {SUM, QUERY}),
        (None, 1, None, {KEY}),
        (1, 1, None, {KEY}),
        (1, 1, NumberRef("x", (1, 0)), {KEY}),
        (2, 2, None, set()),
        (None, None, NumberRef("multiplier"), {NumberRef("multiplier")}),
        (None, None, NumberRef("temperature"), set()),
        (None, None, None, set()),
    ],
)
def test_what_is_lit_among_numbers(
    frame: Frame, query: int | None, key: int | None, number: NumberRef | None, lit: set[NumberRef]
) -> None:
    assert lit_among(frame, REFS, query, key, number) == lit
