"""What is lit in each matrix, and where the strip's signs and ways lead."""

from __future__ import annotations

from dataclasses import replace

import pytest

from attnviz.document.frame import Frame, compute
from attnviz.document.matrices import MATRICES_BY_NAME, matrices_of
from attnviz.document.number_ref import NumberRef
from attnviz.views.matrix.picture import Highlight
from attnviz.views.selection import Chosen
from attnviz.views.stages.flow import WAYS, sign_before
from attnviz.views.stages.pointing import highlight_of, place_of
from tests.views.panel_scenes import cat_dog_phone

_QUERY_ROWS = {"x", "q", "score", "scaled", "masked", "exponential", "weight", "output"}
_KEY_COLUMNS = {"score", "scaled", "masked", "exponential", "weight"}


@pytest.fixture(scope="module")
def frame() -> Frame:
    return compute(cat_dog_phone())


def lit(frame: Frame, chosen: Chosen) -> dict[str, Highlight]:
    return {matrix.name: highlight_of(matrix, frame, chosen) for matrix in matrices_of(frame)}


def test_pointed_query_lights_its_row_wherever_it_has_one(frame: Frame) -> None:
    found = lit(frame, Chosen(pointed_query=2, is_pinned=False))
    assert {name for name, each in found.items() if each.row == 2} == _QUERY_ROWS
    assert {each.column for each in found.values()} == {None}


def test_pointed_key_lights_rows_of_keys_and_values_and_columns_of_scores(frame: Frame) -> None:
    found = lit(frame, Chosen(pointed_key=1, is_pinned=False))
    assert {name for name, each in found.items() if each.column == 1} == _KEY_COLUMNS
    assert {name for name, each in found.items() if each.row == 1} == {"x", "k", "v"}


def test_pointed_number_lights_its_cell_in_its_own_matrix(frame: Frame) -> None:
    found = lit(frame, Chosen(pointed_query=1, pointed_number=NumberRef("q", (1, 0)), is_pinned=False))
    assert (found["q"].row, found["q"].column) == (1, 0)
    assert (found["k"].row, found["k"].column) == (None, None)
    assert (found["weight"].row, found["weight"].column) == (1, None)


def test_pinned_cell_is_framed_in_every_stage_and_its_vectors_are_lit(frame: Frame) -> None:
    found = lit(frame, Chosen(query=2, key=1))
    assert {name for name, each in found.items() if each.pinned == (2, 1)} == _KEY_COLUMNS
    assert {name: each.row for name, each in found.items() if each.row is not None} == {
        "x": 2,
        "q": 2,
        "k": 1,
        "v": 1,
        "output": 2,
    }


def test_pinned_number_is_framed_in_its_own_matrix(frame: Frame) -> None:
    found = lit(frame, Chosen(number=NumberRef("w_k", (1, 1))))
    assert found["w_k"].pinned == (1, 1)
    assert found["w_q"].pinned is None


def test_released_nothing_is_lit(frame: Frame) -> None:
    assert set(lit(frame, Chosen(is_pinned=False)).values()) == {Highlight()}


def test_what_a_smaller_document_does_not_have_is_not_lit(frame: Frame) -> None:
    found = lit(frame, Chosen(query=7, key=9, number=NumberRef("q", (7, 0)), pointed_number=NumberRef("q", (0, 5))))
    assert found["q"] == Highlight()
    assert found["weight"].pinned == (2, 2)


def test_cell_belongs_to_its_query_and_its_key() -> None:
    places = {name: place_of(matrix, 2, 1) for name, matrix in MATRICES_BY_NAME.items()}
    assert places["weight"] == (2, 1)
    assert places["x"] == places["q"] == places["output"] == (2, None)
    assert places["k"] == places["v"] == places["context"] == (None, 2)
    assert places["w_q"] == (None, None)
    assert place_of(MATRICES_BY_NAME["weight"], -1, 1) == (None, 1)


def test_signs_say_what_is_done_with_the_multiplier_in_numbers(frame: Frame) -> None:
    signs = [sign_before(matrix, frame).text for matrix in matrices_of(frame)]
    assert [sign for sign in signs if sign] == ["×", "=", "Q Kᵀ", "× 0.707", "mask", "exp", "÷ Σ", "× V"]


@pytest.mark.parametrize(
    ("fields", "signs"),
    [
        ({"positions": "sinusoidal"}, "+ = × = Q_Kᵀ mask exp ÷_Σ ×_V"),
        ({"positions": "alibi"}, "× = Q_Kᵀ + = exp ÷_Σ ×_V"),
        ({"positions": "alibi", "mask": "causal"}, "× = Q_Kᵀ + mask exp ÷_Σ ×_V"),
        ({"soft_cap": 2.0}, "× = Q_Kᵀ cap exp ÷_Σ ×_V"),
        ({"soft_cap": 2.0, "mask": "causal"}, "× = Q_Kᵀ cap,_mask exp ÷_Σ ×_V"),
        ({"mask": "causal", "masking": "after"}, "× = Q_Kᵀ = exp ÷_Σ,_mask ×_V"),
        ({"softmax": "columns"}, "× = Q_Kᵀ mask exp ÷_Σ_of_column ×_V"),
        ({"dropout": 0.1}, "× = Q_Kᵀ mask exp ÷_Σ dropout ×_V"),
    ],
)
def test_signs_say_what_acts(fields: dict[str, object], signs: str) -> None:
    frame = compute(replace(cat_dog_phone(), **fields))
    found = [sign_before(matrix, frame) for matrix in matrices_of(frame)]
    assert " ".join(sign.text.replace(" ", "_") for sign in found if sign.text and not sign.is_number) == signs


def test_ways_lead_between_matrices_that_there_are() -> None:
    names = [name for way in WAYS for name in (*way.sources, way.target)]
    assert set(names) <= set(MATRICES_BY_NAME)
