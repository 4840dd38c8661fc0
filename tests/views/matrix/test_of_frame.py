"""What is drawn of each matrix of a frame, and how one of its numbers is said."""

from __future__ import annotations

import numpy as np
import pytest

from attnviz.document.arrays import every
from attnviz.document.edits import set_scalar
from attnviz.document.frame import Frame, compute
from attnviz.document.matrices import MATRICES_BY_NAME, matrices_of
from attnviz.views.matrix.of_frame import picture_of, sentence_of
from tests.views.panel_scenes import cat_dog_phone, cross_attention


@pytest.fixture(scope="module")
def frame() -> Frame:
    return compute(cat_dog_phone())


def test_weights_are_drawn_from_0_to_1_and_scores_equally_far_to_both_sides(frame: Frame) -> None:
    weights, scores = (picture_of(MATRICES_BY_NAME[name], frame) for name in ("weight", "score"))
    assert (weights.role, weights.limits) == ("share", (0.0, 1.0))
    assert (scores.role, scores.limits) == ("score", (-1.25, 1.25))  # cat · cat = 1 + 0.25


def test_queries_keys_and_values_have_their_colours(frame: Frame) -> None:
    found = {name: picture_of(MATRICES_BY_NAME[name], frame).role for name in ("w_q", "q", "w_k", "k", "w_v", "v")}
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
