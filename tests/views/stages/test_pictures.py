"""What is drawn and lit of each matrix, and how one of its numbers is said."""

from __future__ import annotations

import numpy as np
import pytest

from attnviz.document.arrays import every
from attnviz.document.edits import set_scalar
from attnviz.document.frame import Frame, compute
from attnviz.document.matrices import MATRICES_BY_NAME, matrices_of
from attnviz.document.number_ref import NumberRef
from attnviz.views.matrix.picture import Highlight
from attnviz.views.selection import Chosen
from attnviz.views.stages.flow import WAYS, sign_before
from attnviz.views.stages.pictures import highlight_of, picture_of, place_of, sentence_of
from tests.views.panel_scenes import cat_dog_phone, cross_attention

_QUERY_ROWS = {"x", "q", "score", "scaled", "masked", "exponential", "weight", "output"}
_KEY_COLUMNS = {"score", "scaled", "masked", "exponential", "weight"}


@pytest.fixture(scope="module")
def frame() -> Frame:
    return compute(cat_dog_phone())


def lit(frame: Frame, chosen: Chosen) -> dict[str, Highlight]:
    return {matrix.name: highlight_of(matrix, frame, chosen) for matrix in matrices_of(frame)}


def test_weights_are_drawn_from_0_to_1_and_scores_equally_far_to_both_sides(frame: Frame) -> None:
    weights, scores = (picture_of(MATRICES_BY_NAME[name], frame) for name in ("weight", "score"))
    assert (weights.scale, weights.limits) == ("sequential", (0.0, 1.0))
    assert (scores.scale, scores.limits) == ("diverging", (-1.25, 1.25))  # cat · cat = 1 + 0.25


def test_queries_keys_and_values_have_their_colours(frame: Frame) -> None:
    found = {name: picture_of(MATRICES_BY_NAME[name], frame).scale for name in ("w_q", "q", "w_k", "k", "w_v", "v")}
    assert found == {"w_q": "query", "q": "query", "w_k": "key", "k": "key", "w_v": "value", "v": "value"}


def test_tokens_and_coordinates_stand_along_the_sides(frame: Frame) -> None:
    keys = picture_of(MATRICES_BY_NAME["k"], frame)
    assert (keys.row_labels, keys.row_colours) == (("cat", "dog", "phone"), (0, 1, 2))
    assert (keys.column_labels, keys.column_colours) == (("1", "2"), None)
    assert (keys.row_title, keys.column_title) == ("key (to)", "coordinate")


def test_numbers_are_those_of_the_frame(frame: Frame) -> None:
    outputs = picture_of(MATRICES_BY_NAME["output"], frame)
    np.testing.assert_array_equal(outputs.cells(every(3), every(2)), frame.output)


def test_only_the_stages_after_the_mask_are_hatched() -> None:
    frame = compute(set_scalar(cat_dog_phone(), "causal", True))
    hatched = {matrix.name for matrix in matrices_of(frame) if picture_of(matrix, frame).banned is not None}
    assert hatched == {"masked", "exponential", "weight"}


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


def test_numbers_are_said_in_a_sentence(frame: Frame) -> None:
    said = {name: sentence_of(MATRICES_BY_NAME[name], frame, 0, 1) for name in ("q", "w_v", "weight", "scaled")}
    assert said == {
        "q": "q of cat, coordinate 2: 0.500",
        "w_v": "W_V, row 1, column 2: 0.000",
        "weight": "weight of query cat, key dog: 0.389",
        "scaled": "scaled score of query cat, key dog: 0.778",
    }


def test_masked_score_is_said_to_be_masked() -> None:
    frame = compute(cross_attention())
    assert sentence_of(MATRICES_BY_NAME["masked"], frame, 0, 0).endswith(": minus infinity, masked")


def test_signs_say_what_is_done_with_the_multiplier_in_numbers(frame: Frame) -> None:
    signs = [sign_before(matrix, frame).text for matrix in matrices_of(frame)]
    assert [sign for sign in signs if sign] == ["×", "=", "Q Kᵀ", "× 0.707", "mask", "exp", "÷ Σ", "× V"]


def test_ways_lead_between_matrices_that_there_are() -> None:
    names = [name for way in WAYS for name in (*way.sources, way.target)]
    assert set(names) <= set(MATRICES_BY_NAME)
