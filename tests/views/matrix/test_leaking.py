"""Banned cells in pictures of matrices: hidden where the mask took them away, marked where they have their number."""

from __future__ import annotations

import numpy as np
import pytest

from attnviz.document import edits, layer_edits
from attnviz.document.frame import compute
from attnviz.document.matrices import MATRICES_BY_NAME
from attnviz.figures.attention_figure import figure_svg
from attnviz.views.ghost_column import with_ghost
from attnviz.views.matrix.of_frame import picture_of
from attnviz.views.matrix.picture import MUTED
from attnviz.views.table.blocks import Blocks
from tests.views.panel_scenes import cat_dog_phone, cross_attention

ALL = np.arange(3)
ABOVE = np.triu(np.ones((3, 3), bool), 1)


def frame_of(masking: str, **scalars: object):
    state = edits.set_scalar(cat_dog_phone(), "causal", True)
    for key, value in {"masking": masking, **scalars}.items():
        state = edits.set_scalar(state, key, value)
    return compute(state)


@pytest.mark.parametrize("name", ["score", "scaled", "masked", "exponential", "weight"])
@pytest.mark.parametrize("masking", ["before", "add_large_negative", "multiply_zero", "after"])
def test_a_picture_hides_what_is_gone_and_marks_what_leaks(name: str, masking: str) -> None:
    picture = picture_of(MATRICES_BY_NAME[name], frame_of(masking))
    is_gone = name in {"before": ("masked", "exponential", "weight"), "after": ("weight",)}.get(masking, ())
    leaks = name in ("masked", "exponential", "weight") and not is_gone
    for marks, is_there in ((picture.banned, is_gone), (picture.leaking, leaks)):
        assert (marks is not None) == is_there
        if marks is not None:
            np.testing.assert_array_equal(marks(ALL, ALL), ABOVE)


def test_only_rows_that_hold_nothing_are_called_empty() -> None:
    weight = MATRICES_BY_NAME["weight"]
    picture = picture_of(weight, compute(cross_attention()))
    assert picture.empty_rows is not None
    np.testing.assert_array_equal(picture.empty_rows(ALL), [True, True, False])
    added = compute(edits.set_scalar(cross_attention(), "masking", "add_large_negative"))
    assert picture_of(weight, added).empty_rows is None


def test_the_table_says_masked_only_of_what_is_gone() -> None:
    weight = MATRICES_BY_NAME["weight"]
    assert Blocks(frame_of("before"), weight, ALL).is_masked(0, 2)
    assert not Blocks(frame_of("multiply_zero"), weight, ALL).is_masked(0, 2)


def test_a_figure_has_the_numbers_of_banned_cells_that_count_and_a_dashed_line_around_them() -> None:
    frame = frame_of("multiply_zero")
    svg = figure_svg(frame)
    assert 'stroke-dasharray="3 2"' in svg
    assert f">{frame.cell('weights', 0, 2):.3f}<" in svg
    assert "dashed: banned, and counts all the same" in svg
    assert "Banned keys have weight (Multiply by 0)" in svg
    right = figure_svg(frame_of("before"))
    assert "stroke-dasharray" not in right
    assert "masked: left out before the softmax" in right
    assert "softmax of each column" in figure_svg(frame_of("before", softmax="columns"))


def test_the_ghost_column_completes_every_row_and_is_never_banned() -> None:
    frame = compute(layer_edits.set_sink(edits.set_scalar(cross_attention(), "softmax", "plus_one"), 0, 0.5))
    picture = with_ghost(picture_of(MATRICES_BY_NAME["weight"], frame), frame)
    assert picture.shape == (3, 2)
    assert picture.column_labels == ("x", "sink")
    assert picture.column_colours == (3, MUTED)
    columns = np.array([1, 0])
    np.testing.assert_allclose(picture.cells(ALL, columns).sum(axis=1), [1, 1, 1])
    assert picture.banned is not None
    np.testing.assert_array_equal(picture.banned(ALL, columns), [[False, True], [False, True], [False, False]])
    assert picture.sentence is not None
    assert picture.sentence(0, 1) == "query a, sink, share 1.00"


def test_there_is_no_ghost_where_rows_share_out_everything() -> None:
    frame = frame_of("before")
    picture = picture_of(MATRICES_BY_NAME["weight"], frame)
    assert with_ghost(picture, frame) is picture
