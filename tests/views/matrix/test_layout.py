"""The layout of a matrix: everything inside the widget, nothing over anything else, at every size."""

from dataclasses import replace
from itertools import combinations, pairwise, product

import numpy as np
import pytest

from attnviz.views.matrix.choice import lay_out, scales_for
from attnviz.views.matrix.geometry import Axis, Box, FootSize, GutterSize, LabelFace, NumberFace, NumberWay, TextSizes

SIZES = TextSizes(
    small_line=14,
    character=6,
    # The one width stands for all tokens.
    labels=(LabelFace(16, (60,), (60,)), LabelFace(10, (48,), (48,))),
    row_title=75,
    column_title=50,
    arrow=14,
    gutters=(GutterSize(0, 0, 7), GutterSize(90, 60, 12)),
    legend=30,
    faces=(NumberFace(7, 14, 9), NumberFace(5, 9, 6)),
    numbers=(NumberWay(3, 5), NumberWay(2, 4)),
)
PANELS = [(320, 220), (500, 272), (900, 300), (560, 520), (900, 900)]
SHAPES = [(3, 3), (5, 5), (8, 8), (16, 16), (40, 40), (200, 200), (1000, 1000), (2048, 2048), (1, 5), (3, 40), (40, 3)]
PANELS_AND_SHAPES = list(product(PANELS, SHAPES))


def laid_out(panel=(560, 520), shape=(5, 5), ratio=1.0):
    return lay_out(*panel, shape, SIZES, ratio, ("", "effective keys"))


def boxes(layout):
    found = [layout.grid, layout.row_labels, layout.column_labels, layout.row_title, layout.column_title]
    return found + [box for box in (*layout.gutters, layout.note, layout.legend) if box is not None]


def boxes_with_feet(layout):
    titles = [box for box in layout.foot_titles if box.width]
    return boxes(layout) + [foot.box for foot in layout.feet if foot is not None] + titles


def overlap(one: Box, other: Box) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


@pytest.mark.parametrize(("panel", "shape"), PANELS_AND_SHAPES)
def test_no_part_overlaps_another_or_leaves_the_widget(panel, shape):
    layout = laid_out(panel, shape)
    for one, other in combinations(boxes(layout), 2):
        assert not overlap(one, other)
    for box in boxes(layout):
        assert box.x >= 0
        assert box.y >= 0
        assert box.right <= panel[0]
        assert box.bottom <= panel[1]


FOOT = FootSize(52, (NumberWay(3, 5), NumberWay(2, 4)))
WITH_FOOT = replace(SIZES, feet=(FOOT,))
TITLES_WITH_FOOT = ("row sum", "effective keys", "received")


@pytest.mark.parametrize(("panel", "shape"), PANELS_AND_SHAPES)
@pytest.mark.parametrize("n_feet", [1, 2])
def test_no_part_overlaps_another_where_there_are_gutters_below(panel, shape, n_feet):
    sizes = replace(SIZES, feet=(FOOT,) * n_feet)
    layout = lay_out(*panel, shape, sizes, 1.0, ("", "effective keys", *("received",) * n_feet))
    for one, other in combinations(boxes_with_feet(layout), 2):
        assert not overlap(one, other), (one, other)
    for box in boxes_with_feet(layout):
        assert box.x >= 0
        assert box.y >= 0
        assert box.right <= panel[0]
        assert box.bottom <= panel[1]


def foot_of(panel, shape):
    return lay_out(*panel, shape, WITH_FOOT, 1.0, TITLES_WITH_FOOT).feet[0]


def test_numbers_below_the_cells_are_level_as_long_as_they_fit_and_then_run_upwards():
    level, short, upright, none = (foot_of((size, 520), (16, 16)) for size in (1240, 640, 420, 240))
    assert (level.digits, level.is_turned) == (3, False)
    assert (short.digits, short.is_turned) == (2, False)
    assert (upright.digits, upright.is_turned) == (3, True)
    assert none is None


def test_gutter_below_without_room_is_spoken_of():
    layout = lay_out(560, 520, (200, 200), WITH_FOOT, 1.0, TITLES_WITH_FOOT)
    assert layout.feet == (None,)
    assert "no room for row sum, effective keys and received" in layout.notes


def test_numbers_in_cells_come_before_the_gutter_below():
    without = lay_out(420, 190, (8, 8), SIZES, 1.0, TITLES_WITH_FOOT[:2])
    layout = lay_out(420, 190, (8, 8), WITH_FOOT, 1.0, TITLES_WITH_FOOT)
    assert without.face is not None
    assert layout.face is not None


@pytest.mark.parametrize("width", range(250, 900, 25))
def test_gutters_are_dropped_from_the_last(width):
    sizes = replace(WITH_FOOT, gutters=(GutterSize(45, 25, 7), GutterSize(90, 60, 9), GutterSize(50, 50, 5)))
    layout = lay_out(width, 300, (5, 5), sizes, 1.0, ("row sum", "effective keys", "entropy", "received"))
    is_drawn = [box is not None for box in layout.gutters]
    assert is_drawn == sorted(is_drawn, reverse=True)


@pytest.mark.parametrize(("panel", "shape"), PANELS_AND_SHAPES)
def test_every_pixel_of_the_grid_belongs_to_the_cell_that_is_drawn_there(panel, shape):
    layout = laid_out(panel, shape)
    for axis in (layout.rows, layout.columns):
        drawn = axis.drawn()
        assert len(drawn) == axis.n_drawn
        assert drawn[0] >= 0
        assert drawn[-1] < axis.count
        for index in (int(drawn[0]), int(drawn[len(drawn) // 2]), int(drawn[-1])):
            start, length = axis.span(index)
            assert axis.index_at(start) == axis.index_at(start + length - 1) == index
            places = axis.source()[start - axis.origin : start - axis.origin + length]
            assert set(drawn[places]) == {index}


# The panel in a window of 1280 x 800, and tokens of ordinary length.
WINDOW_PANEL = (510, 234)


@pytest.mark.parametrize("gutters", [(), SIZES.gutters])
def test_sixteen_rows_are_ten_pixels_high_and_all_are_labelled(gutters):
    titles = ("row sum", "effective keys")[: len(gutters)]
    layout = lay_out(*WINDOW_PANEL, (16, 16), replace(SIZES, gutters=gutters, numbers=()), 1.0, titles)
    assert layout.rows.pitch >= 10
    assert layout.row_step == layout.column_step == 1
    assert None not in layout.gutters


@pytest.mark.parametrize("n", [40, 200])
def test_many_rows_fill_the_height_and_the_width_of_the_panel(n):
    layout = laid_out(WINDOW_PANEL, (n, n))
    assert layout.grid.height >= 148  # and a line below says which gutter had no room
    assert layout.legend.right + 6 + SIZES.legend >= WINDOW_PANEL[0] - 16


@pytest.mark.parametrize("n", [9, 16, 40])
def test_cells_are_never_broader_than_three_times_their_height(n):
    layout = laid_out((2000, 240), (n, n))
    assert 2.5 * layout.rows.pitch <= layout.columns.pitch <= 3.2 * layout.rows.pitch


@pytest.mark.parametrize("n", [1, 3, 5, 8])
def test_cells_of_a_small_matrix_stay_square_in_a_broad_panel(n):
    short = LabelFace(16, (20,), (20,))
    layout = lay_out(900, 300, (n, n), replace(SIZES, gutters=(), numbers=(), labels=(short,)))
    assert layout.rows.pitch == layout.columns.pitch


def test_titles_have_their_own_lines_only_where_cells_are_large():
    large, small = laid_out(WINDOW_PANEL, (3, 3)), laid_out(WINDOW_PANEL, (16, 16))
    assert large.is_row_title_turned
    assert large.is_column_title_above
    assert large.column_title.bottom <= large.column_labels.y
    assert not small.is_column_title_above
    assert small.column_title.y > small.column_labels.y
    assert small.column_title.right <= small.columns.origin


def test_note_is_in_the_corner_above_the_row_labels_where_it_fits():
    layout = lay_out(*WINDOW_PANEL, (40, 40), replace(SIZES, gutters=()))
    assert layout.note is not None
    assert layout.note.bottom <= layout.rows.origin
    assert layout.note.right <= layout.columns.origin
    assert " ".join(layout.note_lines) == "every 3rd label"


def test_room_for_labels_is_that_of_the_labels_that_are_drawn():
    long_second = LabelFace(16, (20, 300, 20, 20) * 50, (20, 300, 20, 20) * 50)
    layout = lay_out(*WINDOW_PANEL, (200, 200), replace(SIZES, gutters=(), labels=(long_second,)))
    assert layout.row_step % 4 == 0
    assert layout.row_labels.width == 20


def test_numbers_lose_their_leading_zero_before_they_are_left_out():
    short = replace(SIZES, gutters=(), numbers=(NumberWay(2, 4), NumberWay(2, 3, is_short=True)))
    found = [lay_out(size, size, (16, 16), short) for size in range(900, 200, -10)]
    ways = [None if layout.face is None else layout.is_short for layout in found]
    assert list(dict.fromkeys(ways)) == [False, True, None]


def test_index_outside_of_the_cells_is_none():
    axis = Axis(count=5, origin=10, pitch=20.0, gap=2)
    assert axis.index_at(9) is None
    assert axis.index_at(10 + 98) is None
    assert axis.index_at(10 + 97) == 4


def test_three_tokens_have_square_cells_with_gaps_and_round_corners():
    layout = laid_out(WINDOW_PANEL, (3, 3))
    assert layout.columns.pitch == layout.rows.pitch == 62
    assert layout.columns.gap == 2
    assert layout.radius == 4


def test_cells_of_a_square_matrix_are_square_when_numbers_fit_anyway():
    layout = laid_out((900, 900), (16, 16))
    assert layout.rows.pitch == layout.columns.pitch
    assert layout.face is not None


def test_cells_become_broader_where_only_that_makes_room_for_numbers():
    layout = laid_out((600, 272), (8, 8))
    assert layout.rows.pitch < layout.columns.pitch <= 1.7 * layout.rows.pitch + 1
    assert layout.face is not None


def test_numbers_lose_a_digit_before_they_are_left_out():
    digits = []
    for size in range(900, 200, -20):
        layout = lay_out(size, size, (16, 16), replace(SIZES, gutters=()))
        digits.append(0 if layout.face is None else layout.digits)
    assert digits == sorted(digits, reverse=True)
    assert set(digits) == {3, 2, 0}


def test_column_labels_are_turned_only_when_they_do_not_fit_side_by_side():
    assert not laid_out(shape=(3, 3)).is_turned
    assert laid_out(shape=(16, 16)).is_turned


@pytest.mark.parametrize(("panel", "shape"), PANELS_AND_SHAPES)
def test_labels_that_are_left_out_are_spoken_of_and_the_others_have_their_line(panel, shape):
    layout = laid_out(panel, shape)
    for axis, step in ((layout.rows, layout.row_step), (layout.columns, layout.column_step)):
        assert step == 1 or any("label" in note for note in layout.notes)
        if step < axis.count and (axis is layout.rows or layout.is_turned):
            assert axis.centre(step) - axis.centre(0) >= layout.label_line - 1


def test_sampled_rows_are_spoken_of_in_plain_words():
    layout = laid_out((560, 520), (2048, 2048))
    # 520 pixels less the headings (56) and the note (28) leave 436 rows of pixels: 2048 / 436 > 4.
    assert layout.rows.stride == 5
    assert "1 of 5 rows and columns drawn" in layout.notes
    assert layout.note is not None


def test_small_matrix_has_nothing_to_note():
    assert laid_out(shape=(3, 3)).notes == ()


def test_gutter_without_room_is_spoken_of():
    layout = laid_out((350, 220), (3, 3))
    assert layout.gutters[0] is not None
    assert layout.gutters[1] is None
    assert "no room for effective keys" in layout.notes


def test_gutter_without_room_is_not_spoken_of_where_a_line_would_cost_the_cells_theirs():
    seven_lines = 7 * SIZES.small_line
    low, lower = (laid_out((200, height), (3, 3)) for height in (seven_lines, seven_lines - 1))
    assert low.gutters == lower.gutters == (None, None)
    assert ("no room for effective keys" in low.notes, lower.notes) == (True, ())


def test_numbers_in_cells_come_before_gutters():
    with_sums = lay_out(250, 220, (5, 5), SIZES, 1.0, ("Σ", "effective keys"))
    assert with_sums.face is not None
    assert with_sums.gutters == (None, None)
    assert with_sums.notes == ("no room for Σ and effective keys",)


def test_legend_goes_before_numbers_are_left_out():
    layout = lay_out(250, 220, (5, 5), replace(SIZES, gutters=()))
    assert layout.face is not None
    assert layout.legend is None


def test_every_gutter_without_room_is_named_where_rows_are_lower_than_a_digit():
    layout = lay_out(560, 520, (200, 200), SIZES, 1.0, ("row sum", "effective keys"))
    assert "no room for row sum and effective keys" in layout.notes


def test_column_labels_lie_flat_where_broader_cells_make_room_for_them():
    layout = lay_out(500, 234, (6, 6), replace(SIZES, gutters=()))
    assert not layout.is_turned
    assert layout.columns.pitch > layout.rows.pitch


@pytest.mark.parametrize(("panel", "shape"), PANELS_AND_SHAPES)
def test_most_of_a_character_is_blank_between_two_numbers_and_more_between_gutters(panel, shape):
    layout = laid_out(panel, shape)
    if layout.face is not None:
        characters = next(
            way.characters for way in SIZES.numbers if way.digits == layout.digits and way.is_short == layout.is_short
        )
        advance = SIZES.faces[layout.face].advance
        assert layout.columns.pitch - characters * advance >= 0.85 * advance
    beside = [layout.grid, *(box for box in layout.gutters if box is not None)]
    for left, right in pairwise(beside):
        assert right.x - left.right >= 12


@pytest.mark.parametrize(("panel", "cell"), [((510, 234), 62), ((900, 300), 75), ((1240, 310), 77), ((510, 510), 81)])
def test_cells_grow_to_a_quarter_of_the_panel_and_a_third_over_their_usual_size(panel, cell):
    assert lay_out(*panel, (3, 3), replace(SIZES, gutters=())).rows.pitch == cell


def test_margins_grow_with_the_letters():
    layout = lay_out(1240, 590, (3, 3), replace(SIZES, gutters=()), scale=2.0)
    assert layout.legend.width == 24
    assert layout.rows.pitch == 147  # a quarter of the height


def test_scales_are_those_a_quarter_of_the_panel_has_room_for():
    # 62 pixels a cell: a quarter of 590 is 2.4 times that, of 234 less than once.
    assert scales_for(1240, 590, (3, 3), SIZES, 1.0) == [2.25, 2.0, 1.75, 1.5, 1.25]
    assert scales_for(510, 234, (3, 3), SIZES, 1.0) == []
    assert max(scales_for(1900, 930, (3, 3), SIZES, 1.0)) == 2.5


def test_matrix_is_in_the_middle_of_a_broad_widget():
    layout = lay_out(1240, 590, (3, 3), replace(SIZES, gutters=()))
    right = 1240 - (layout.legend.right + 6 + SIZES.legend)
    assert abs(layout.row_title.x - right) <= 1
    assert layout.row_title.x > 300


def test_gutters_are_dropped_when_rows_are_lower_than_a_digit():
    assert laid_out((560, 520), (200, 200)).gutters == (None, None)


@pytest.mark.parametrize("ratio", [1.25, 1.5, 2.0])
def test_fractional_device_pixels_keep_whole_cells(ratio):
    layout = lay_out(round(560 * ratio), round(520 * ratio), (16, 16), SIZES, ratio, ("", "effective keys"))
    assert layout.rows.pitch == int(layout.rows.pitch)
    assert np.unique(np.diff([layout.rows.span(row)[0] for row in range(16)])).size == 1


def test_more_rows_and_columns_than_pixels_draw_one_cell_a_pixel():
    layout = laid_out((320, 220), (2048, 2048))
    assert layout.rows.pitch >= 1
    assert layout.rows.extent >= layout.rows.n_drawn
