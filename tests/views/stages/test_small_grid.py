"""The cells of a small matrix: large enough to be seen, never too large, and honest about what is left out."""

from __future__ import annotations

import pytest

from attnviz.views.stages.small_grid import Lettered, small_grid

LETTERS = Lettered(face=2, advance=6, height=8, characters=5, columns=6)
SHAPES = [(1, 1), (3, 2), (3, 3), (1, 40), (40, 1), (40, 64), (3, 300), (300, 1024), (2048, 2), (2048, 2048), (1, 2048)]


@pytest.mark.parametrize("height", [30, 57, 86, 330])
@pytest.mark.parametrize("shape", SHAPES)
def test_cells_fit_their_room_and_are_never_thinner_than_a_line_of_text_allows(
    shape: tuple[int, int], height: int
) -> None:
    grid = small_grid(shape, height, 14, 70, LETTERS)
    assert 0 < grid.rows.extent <= height
    assert grid.rows.extent >= min(height, 14)
    assert 14 <= grid.columns.extent <= max(9 * 14, 1.5 * height, 6 * 40)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_drawn_cell_has_a_pixel_and_every_pixel_a_cell(shape: tuple[int, int]) -> None:
    grid = small_grid(shape, 86, 14, 70, LETTERS)
    for axis in (grid.rows, grid.columns):
        assert axis.pitch >= 1
        assert {axis.index_at(pixel) for pixel in range(axis.extent)} == set(axis.drawn().tolist())


def test_three_tokens_have_numbers_and_forty_have_none() -> None:
    assert small_grid((3, 3), 86, 14, 70, LETTERS).face == 2
    assert small_grid((40, 40), 86, 14, 70, LETTERS).face is None


def test_many_tokens_make_a_square() -> None:
    for n in (40, 200, 2048):
        grid = small_grid((n, n), 86, 14, 70, LETTERS)
        assert abs(grid.rows.extent - grid.columns.extent) <= 2
        assert not grid.is_cut_across_rows
        assert not grid.is_cut_across_columns


def test_what_is_left_out_is_marked_across_the_long_side_and_told() -> None:
    wide, tall = small_grid((3, 1024), 86, 14, 70, LETTERS), small_grid((2048, 2), 86, 14, 70, LETTERS)
    assert (wide.is_cut_across_columns, wide.is_cut_across_rows) == (True, False)
    assert (tall.is_cut_across_columns, tall.is_cut_across_rows) == (False, True)
    assert wide.left_out == f"1 of {wide.columns.stride} columns"
    assert small_grid((40, 64), 86, 14, 70, LETTERS).left_out == ""
    assert small_grid((2048, 2048), 86, 14, 70, LETTERS).left_out == "1 of 24 rows, 1 of 24 columns"
