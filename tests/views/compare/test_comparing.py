"""A, B and B - A on one scale."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from attnviz.document import edits
from attnviz.document.arrays import every
from attnviz.document.frame import compute
from attnviz.document.matrices import MATRICES_BY_NAME
from attnviz.views.compare.comparing import Comparison, matrix_for
from tests.document.states import cat_dog_phone

SCORE, WEIGHT, OUTPUT = (MATRICES_BY_NAME[name] for name in ("score", "weight", "output"))
BEFORE = compute(cat_dog_phone())
DOUBLED = compute(edits.set_embedding(cat_dog_phone(), "sequence", 0, [2.0, 1.0]))


def test_difference_is_b_minus_a() -> None:
    found = Comparison.of(SCORE, BEFORE, DOUBLED)
    third = found.pictures()[2]
    assert third is not None
    # cat doubled: its scores with the others are twice what they were, that with itself four times
    expected = np.array([[3 * 1.25, 1.1, 0.0], [1.1, 0.0, 0.0], [0.0, 0.0, 0.0]])
    np.testing.assert_allclose(third.cells(every(3), every(3)), expected, atol=1e-12)
    assert found.largest is not None
    apart, row, column = found.largest
    assert (round(apart, 12), row, column) == (3.75, 0, 0)


@pytest.mark.parametrize("matrix", [SCORE, WEIGHT, OUTPUT])
def test_all_three_share_one_scale_that_holds_every_number(matrix) -> None:
    found = Comparison.of(matrix, BEFORE, DOUBLED)
    for picture in found.pictures():
        assert picture is not None
        assert picture.limits[1] == found.limit
        rows, columns = picture.shape
        assert np.abs(picture.cells(every(rows), every(columns))).max() <= found.limit


def test_difference_beyond_both_widens_the_scale() -> None:
    turned = compute(cat_dog_phone(w_q=-np.eye(2)))
    assert Comparison.of(SCORE, BEFORE, turned).limit == pytest.approx(2.5)  # from 1.25 to -1.25


def test_cell_that_the_mask_bans_in_one_of_them_shows_the_difference() -> None:
    causal = compute(cat_dog_phone(mask="causal"))
    assert Comparison.of(WEIGHT, BEFORE, causal).pictures()[2].banned is None
    both = Comparison.of(WEIGHT, causal, causal).pictures()[2]
    assert both.banned(every(3), every(3)).tolist() == [[False, True, True], [False, False, True], [False] * 3]


def test_matrices_of_two_shapes_have_no_difference_and_it_is_said() -> None:
    longer = compute(edits.insert_token(cat_dog_phone(), "sequence", 3, "new"))
    found = Comparison.of(WEIGHT, BEFORE, longer)
    assert found.reason == "B − A needs matrices of one shape, got 3 × 3 in A and 4 × 4 in B"
    first, second, third = found.pictures()
    assert (first.shape, second.shape, third) == ((3, 3), (4, 4), None)


def test_difference_is_read_once_however_much_is_asked_of_it() -> None:
    read: list[str] = []

    def counted(frame, rows, columns):
        read.append("A" if frame is BEFORE else "B")
        return SCORE.read(frame, rows, columns)

    found = Comparison.of(replace(SCORE, read=counted), BEFORE, DOUBLED)
    third = found.pictures()[2]
    third.cells(every(3), every(3))
    assert found.largest[0] == pytest.approx(3.75)
    assert sorted(read) == ["A", "B"]


def test_outputs_are_those_of_the_layer_where_one_of_both_mixes_heads() -> None:
    mixed = compute(cat_dog_phone(w_o=[[0.0, 1.0], [2.0, 0.0]]))
    assert matrix_for("output", BEFORE, BEFORE).name == "output"
    matrix = matrix_for("output", BEFORE, mixed)
    third = Comparison.of(matrix, BEFORE, mixed).pictures()[2]
    # W_O swaps (y1, y2) to (2 y2, y1), and B - A is that minus (y1, y2)
    y1, y2 = BEFORE.output.T
    np.testing.assert_allclose(third.cells(every(3), every(2)), np.column_stack([2 * y2 - y1, y1 - y2]), atol=1e-12)


@pytest.mark.parametrize(("matrix", "role"), [(SCORE, "score"), (WEIGHT, "share"), (OUTPUT, "score")])
def test_numbers_with_a_sign_have_a_map_in_which_it_is_seen(matrix, role) -> None:
    first, second, third = Comparison.of(matrix, BEFORE, DOUBLED).pictures()
    assert (first.role, second.role, third.role) == (role, role, "score")
