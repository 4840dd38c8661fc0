"""Cells stay visible and labels apart at every size."""

import numpy as np
import pytest

from attnviz.figures.grid import LABEL_ROOM, LONGEST_SIDE, MAX_DRAWN, column_labels, grid_for, row_labels
from attnviz.figures.lettering import text_width

SIZES = [1, 2, 3, 5, 16, 17, 40, 41, 128, 200, 640, 1000]


@pytest.mark.parametrize("n", SIZES)
def test_every_row_is_drawn_up_to_a_thousand(n):
    grid = grid_for(n, n)
    np.testing.assert_array_equal(grid.rows, np.arange(n))
    assert not grid.is_sampled
    assert grid.width <= LONGEST_SIDE


@pytest.mark.parametrize("n", [*SIZES, 5000])
def test_labels_of_rows_do_not_overlap(n):
    grid = grid_for(n, n)
    labels = row_labels([f"token{i}" for i in range(n)], grid)
    distances = np.diff(labels.places) * grid.cell
    assert (distances >= labels.size).all()
    assert labels.places[0] == 0


@pytest.mark.parametrize("n", [*SIZES, 5000])
def test_labels_of_columns_do_not_overlap(n):
    grid = grid_for(n, n)
    labels = column_labels([f"token{i}" for i in range(n)], grid)
    distances = np.diff(labels.places) * grid.cell
    across = [labels.size] if labels.is_turned else [text_width(s, labels.size, is_bold=True) for s in labels.shown]
    assert (distances >= max(across)).all()


def test_a_larger_matrix_is_sampled_evenly_with_both_ends():
    grid = grid_for(5000, 3)
    assert grid.is_sampled
    assert len(grid.rows) == MAX_DRAWN
    assert (grid.rows[0], grid.rows[-1]) == (0, 4999)
    assert set(np.diff(grid.rows)) == {5, 6}
    np.testing.assert_array_equal(grid.columns, [0, 1, 2])


def test_labels_name_the_tokens_of_the_drawn_rows():
    grid = grid_for(5000, 5000)
    labels = row_labels([f"t{i}" for i in range(5000)], grid)
    assert labels.names[1] == f"t{grid.rows[labels.step]}"


def test_short_names_stand_level_and_long_ones_are_turned():
    assert not column_labels(["cat", "dog", "phone"], grid_for(3, 3)).is_turned
    assert column_labels(["cat", "dog", "telephone"], grid_for(3, 3)).is_turned


def test_long_names_are_shortened_to_their_room():
    labels = row_labels(["x" * 300], grid_for(1, 1))
    assert labels.names == ("x" * 300,)
    assert labels.shown[0].endswith("…")
    assert labels.extent <= LABEL_ROOM
