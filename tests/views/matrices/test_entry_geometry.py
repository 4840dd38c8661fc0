"""Cells of a grid of numbers: where they lie, which one is at a place, and which are in sight."""

from attnviz.views.matrices.entry_geometry import EntryGeometry

SHAPE = EntryGeometry(n_rows=7, n_columns=5, cell_width=60, cell_height=20, left=30, top=15)


def test_cell_at_its_own_corner_and_not_on_the_headings():
    assert SHAPE.cell(2, 3).getRect() == (30 + 3 * 60, 15 + 2 * 20, 59, 19)
    assert SHAPE.at(30 + 3 * 60, 15 + 2 * 20) == (2, 3)
    assert SHAPE.at(30 + 3 * 60 - 1, 15 + 2 * 20 - 1) == (1, 2)
    assert SHAPE.at(29, 100) is None
    assert SHAPE.at(100, 14) is None


def test_no_cell_after_the_last_one():
    assert (SHAPE.width, SHAPE.height) == (330, 155)
    assert SHAPE.at(329, 154) == (6, 4)
    assert SHAPE.at(330, 154) is None
    assert SHAPE.at(329, 155) is None


def test_scrolled_cells_move_under_headings_that_stay():
    moved = EntryGeometry(7, 5, 60, 20, 30, 15, scrolled_x=90, scrolled_y=30)
    assert moved.cell(2, 3).topLeft().toTuple() == (30 + 180 - 90, 15 + 40 - 30)
    assert moved.at(31, 16) == (1, 1)
    assert moved.rows_in(15 + 40) == range(1, 4)  # half of the first, one, half of the third
    assert moved.columns_in(30 + 60) == range(1, 3)


def test_cells_in_sight_end_with_the_matrix():
    assert SHAPE.rows_in(10_000) == range(7)
    assert SHAPE.columns_in(10_000) == range(5)
    assert SHAPE.rows_in(5) == range(0)
