"""The table panel under mouse and keyboard: cursor, selection, order, linked cells, copies, and what it costs."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from attnviz.appearance import DARK, LIGHT, MINIMUM_CONTRAST, Theme, contrast, rgb
from attnviz.document import edits
from attnviz.document.frame import Frame, compute
from attnviz.document.labelled import LabelledMatrix
from attnviz.document.matrices import matrices_of
from attnviz.document.number_ref import NumberRef
from attnviz.views.selection import Chosen, Selection
from attnviz.views.table.grid import MatrixGrid
from attnviz.views.table.model import MatrixModel
from attnviz.views.table.table_view import TableView
from tests.document.states import cat_dog_phone, cross_state, random_state

_PLAIN, _CONTROL, _SHIFT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


@pytest.fixture
def view(qtbot: QtBot) -> TableView:
    view = TableView(Selection())
    qtbot.addWidget(view)
    qtbot.addWidget(view.digits)
    view.resize(520, 400)
    view.show()
    view.offer_frame(compute(cat_dog_phone()))
    view.activateWindow()
    view.setFocus()
    QApplication.processEvents()
    assert view.body.grid.hasFocus()
    return view


def grid(view: TableView) -> MatrixGrid:
    return view.body.grid


def place(view: TableView) -> tuple[int, int]:
    index = grid(view).currentIndex()
    return index.row(), index.column()


def selected(view: TableView) -> set[tuple[int, int]]:
    return {(index.row(), index.column()) for index in grid(view).selectedIndexes()}


def row_names(view: TableView) -> list[str]:
    model = grid(view).matrix_model
    return [model.row_name(row) for row in range(model.rowCount())]


def press(view: TableView, key: Qt.Key, modifiers: Qt.KeyboardModifier = _PLAIN) -> None:
    QTest.keyClick(grid(view), key, modifiers)


def click(view: TableView, row: int, column: int, modifiers: Qt.KeyboardModifier = _PLAIN) -> None:
    middle = grid(view).cell_rect(row, column).center()
    QTest.mouseClick(grid(view).viewport(), Qt.MouseButton.LeftButton, modifiers, middle)


def click_column(view: TableView, column: int, modifiers: Qt.KeyboardModifier = _PLAIN) -> None:
    header = grid(view).columns_header
    middle = QPoint(header.sectionViewportPosition(column) + header.sectionSize(column) // 2, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, modifiers, middle)


def chosen(view: TableView) -> Chosen:
    return view.selection.chosen


# What it shows


def test_the_choice_lists_the_matrices_of_the_frame(view: TableView) -> None:
    for frame in (compute(cat_dog_phone()), compute(cross_state())):
        view.offer_frame(frame)
        choice = view.body.choice
        names = [choice.itemData(place) for place in range(choice.count())]
        assert names == [matrix.name for matrix in matrices_of(frame)]
    assert view.body.choice.currentData() == "weight"


def test_choosing_a_matrix_by_key_shows_it(view: TableView) -> None:
    choice = view.body.choice
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Down)
    assert choice.currentData() == "output"
    assert view.subtitle == "Y = A V   3 × 2"
    assert grid(view).matrix_model.columnCount() == 2


def test_a_matrix_that_is_gone_gives_way_to_the_weights(view: TableView) -> None:
    view.offer_frame(compute(cross_state()))
    view.show_matrix("context")
    assert view.subtitle == "C: one row a token that answers   5 × 7"
    view.offer_frame(compute(cat_dog_phone()))
    assert view.body.choice.currentData() == "weight"


def test_digits_by_their_switch(view: TableView) -> None:
    short, full = view.digits.findChildren(QAbstractButton)
    QTest.mouseClick(full, Qt.MouseButton.LeftButton)
    text = grid(view).matrix_model.cell_text(0, 1)
    assert text == repr(float(compute(cat_dog_phone()).trace.weights[0, 1]))
    QTest.mouseClick(short, Qt.MouseButton.LeftButton)
    assert grid(view).matrix_model.cell_text(0, 1) == "0.389"


@pytest.mark.parametrize("is_exact", [False, True])
@pytest.mark.parametrize("points", [9, 18])
def test_no_number_and_no_short_name_is_cut(view: TableView, is_exact: bool, points: int) -> None:
    font = view.font()
    font.setPointSize(points)
    view.setFont(font)
    view.offer_frame(compute(random_state(40, 3)))
    grid(view).choose_digits(is_exact=is_exact)
    model, painter = grid(view).matrix_model, grid(view)._cells
    widest = max(len(model.cell_text(row, column)) for row in range(40) for column in range(40))
    assert grid(view).columnWidth(0) >= painter.width(widest)
    header = grid(view).columns_header
    assert all(header.sectionSize(c) > header.fontMetrics().horizontalAdvance(f"t{c}") for c in range(40))


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_text_stands_out_on_everything_behind_it(theme: Theme) -> None:
    for text in (theme.text, theme.muted):
        for ground in (theme.panel, theme.accent_soft):
            assert contrast(rgb(text), rgb(ground)) >= MINIMUM_CONTRAST, (text, ground)


# Accessibility


def test_a_screen_reader_finds_a_table_of_sentences(view: TableView) -> None:
    found = QAccessible.queryAccessibleInterface(grid(view))
    assert found.role() == QAccessible.Role.Table
    assert found.text(QAccessible.Text.Description) == "A = E ÷ row sum of E"
    names = [found.child(place).text(QAccessible.Text.Name) for place in range(found.childCount())]
    assert "query cat, key dog: weight 0.389" in names
    assert "key phone" in names


def test_a_change_under_the_cursor_is_announced_once(view: TableView, qtbot: QtBot) -> None:
    press(view, Qt.Key.Key_Right)
    with qtbot.waitSignal(view.body._announcer.announced, timeout=2000) as told:
        for temperature in (0.5, 2.0, 1e6):
            view.offer_frame(compute(cat_dog_phone(temperature=temperature)))
    assert told.args == ["query cat, key dog: weight 0.333"]


def test_sorting_is_announced(view: TableView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.body._order_announcer.announced, timeout=2000) as told:
        click_column(view, 2)
        click_column(view, 2)
    assert told.args == ["Rows sorted by key phone, descending."]


# Keys


def test_keys_go_from_cell_to_cell(view: TableView) -> None:
    view.offer_frame(compute(random_state(40, 3)))
    ways = [
        (Qt.Key.Key_Down, _PLAIN, (1, 0)),
        (Qt.Key.Key_Right, _PLAIN, (1, 1)),
        (Qt.Key.Key_End, _PLAIN, (1, 39)),
        (Qt.Key.Key_Home, _PLAIN, (1, 0)),
        (Qt.Key.Key_Down, _CONTROL, (39, 0)),
        (Qt.Key.Key_Right, _CONTROL, (39, 39)),
        (Qt.Key.Key_Up, _CONTROL, (0, 39)),
        (Qt.Key.Key_Left, _CONTROL, (0, 0)),
        (Qt.Key.Key_End, _CONTROL, (39, 39)),
        (Qt.Key.Key_Home, _CONTROL, (0, 0)),
    ]
    for key, modifiers, expected in ways:
        press(view, key, modifiers)
        assert (place(view), selected(view)) == (expected, {expected}), key
    press(view, Qt.Key.Key_PageDown)
    assert 5 < place(view)[0] < 39
    press(view, Qt.Key.Key_PageUp)
    assert place(view) == (0, 0)


def test_the_cursor_points_and_enter_pins_the_number(view: TableView) -> None:
    asked: list[NumberRef] = []
    view.selection.number_asked.connect(asked.append)
    press(view, Qt.Key.Key_Right)
    press(view, Qt.Key.Key_Down)
    ref = NumberRef("weight", (1, 1))
    assert (chosen(view).pointed_query, chosen(view).pointed_key, chosen(view).pointed_number) == (1, 1, ref)
    press(view, Qt.Key.Key_Return)
    assert (chosen(view).query, chosen(view).key, chosen(view).number, asked) == (1, 1, ref, [ref])
    press(view, Qt.Key.Key_Escape)
    assert (chosen(view).pointed_query, chosen(view).pointed_number) == (None, None)


@pytest.mark.parametrize(
    ("name", "query", "key"),
    [("q", 2, None), ("k", None, 2), ("w_q", None, None), ("score", 2, 1), ("output", 2, None)],
)
def test_a_cell_of_any_matrix_points_at_what_it_belongs_to(
    view: TableView, name: str, query: int | None, key: int | None
) -> None:
    view.offer_frame(compute(random_state(3, 3)))
    view.show_matrix(name)
    click(view, 2, 1)
    ref = NumberRef(name, (2, 1))
    assert (chosen(view).pointed_query, chosen(view).pointed_key) == (query, key)
    assert (chosen(view).number, chosen(view).query) == (ref, 0 if query is None else query)


def test_rows_columns_and_everything_are_selected_by_key(view: TableView) -> None:
    press(view, Qt.Key.Key_Down)
    press(view, Qt.Key.Key_Space, _SHIFT)
    assert selected(view) == {(1, 0), (1, 1), (1, 2)}
    press(view, Qt.Key.Key_Space, _SHIFT | _CONTROL)
    assert {column for _, column in selected(view)} == {place(view)[1]}
    press(view, Qt.Key.Key_A, _CONTROL)
    assert len(selected(view)) == 9
    press(view, Qt.Key.Key_Escape)
    assert selected(view) == set()


def test_the_cursor_is_seen_while_the_table_has_the_focus(view: TableView) -> None:
    press(view, Qt.Key.Key_Down)
    grid(view).clearSelection()
    view.selection.point_at(None, None)
    rect = grid(view).cell_rect(1, 0)
    focused = grid(view).viewport().grab(rect).toImage()
    view.body.choice.setFocus()
    assert grid(view).viewport().grab(rect).toImage() != focused


def test_shift_selects_on_the_way(view: TableView) -> None:
    press(view, Qt.Key.Key_Right, _SHIFT)
    press(view, Qt.Key.Key_Down, _SHIFT | _CONTROL)
    assert selected(view) == {(row, column) for row in range(3) for column in range(2)}


def test_a_letter_writes_no_cell(view: TableView, monkeypatch: pytest.MonkeyPatch) -> None:
    view.offer_frame(compute(random_state(300, 3)))
    QApplication.processEvents()
    written: list[int] = []
    original = MatrixModel.cell_text
    monkeypatch.setattr(MatrixModel, "cell_text", lambda *a: (written.append(1), original(*a))[1])
    press(view, Qt.Key.Key_X)
    assert written == []


# Mouse


def test_a_click_on_a_column_sorts_and_the_third_one_brings_the_document_back(view: TableView) -> None:
    view.show_matrix("output")
    orders = []
    for _ in range(3):
        click_column(view, 1)
        orders.append(row_names(view))
    # Second coordinates of the outputs: cat 0.628, dog 0.645, phone 0.790 (curriculum).
    assert orders == [["cat", "dog", "phone"], ["phone", "dog", "cat"], ["cat", "dog", "phone"]]
    assert selected(view) == set()


def test_a_click_on_the_corner_sorts_by_name(view: TableView) -> None:
    button = grid(view).corner.button
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert row_names(view) == ["cat", "dog", "phone"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert row_names(view) == ["phone", "dog", "cat"]


def test_a_click_with_a_modifier_on_a_column_selects_it(view: TableView) -> None:
    click_column(view, 1, _CONTROL)
    assert selected(view) == {(row, 1) for row in range(3)}
    click_column(view, 2, _SHIFT)
    assert selected(view) == {(row, column) for row in range(3) for column in (1, 2)}
    assert row_names(view) == ["cat", "dog", "phone"]


def test_a_click_on_a_row_selects_it(view: TableView) -> None:
    header = grid(view).rows_header
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, _PLAIN, QPoint(8, header.sectionPosition(1) + 4))
    assert selected(view) == {(1, column) for column in range(3)}


def test_pointing_with_the_mouse_and_leaving(view: TableView, qtbot: QtBot) -> None:
    QTest.mouseMove(grid(view).viewport(), grid(view).cell_rect(2, 0).center())
    qtbot.waitUntil(lambda: chosen(view).pointed_query == 2)
    assert chosen(view).pointed_key == 0


def test_selecting_by_drag_pins_nothing(view: TableView) -> None:
    before = chosen(view).number
    area, button = grid(view).viewport(), Qt.MouseButton.LeftButton
    QTest.mousePress(area, button, _PLAIN, grid(view).cell_rect(0, 0).center())
    QTest.mouseMove(area, grid(view).cell_rect(1, 1).center())
    QTest.mouseRelease(area, button, _PLAIN, grid(view).cell_rect(1, 1).center())
    click(view, 2, 2, _CONTROL)
    assert chosen(view).number == before


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_menu_opens_with_every_entry(view: TableView) -> None:
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), grid(view).mapToGlobal(QPoint(5, 5)))
    QApplication.sendEvent(grid(view).viewport(), event)
    assert view.body.menu.isVisible()
    texts = [action.text().partition("\t")[0].replace("&", "") for action in view.body.menu.actions() if action.text()]
    assert texts == ["Copy as", "Sort by Column", "Sort by Row Name", "Select Row", "Select Column", "Select All"]
    view.body.menu.close()


# Linked


def test_what_other_panels_point_at_is_lit(view: TableView) -> None:
    view.selection.point_at(1, 2)
    assert (grid(view).lights.row, grid(view).lights.column) == (1, 2)
    view.show_matrix("q")
    assert (grid(view).lights.row, grid(view).lights.column) == (1, None)
    view.show_matrix("k")
    assert (grid(view).lights.row, grid(view).lights.column) == (2, None)
    view.selection.point_at(0, None, NumberRef("k", (1, 0)))
    assert (grid(view).lights.row, grid(view).lights.column) == (1, 0)


def test_the_lit_cell_looks_different_also_where_rows_are_sorted(view: TableView) -> None:
    click_column(view, 0)
    rect = grid(view).cell_rect(2, 1)
    assert rect.top() == grid(view).rowViewportPosition(0)
    before = grid(view).viewport().grab(rect).toImage()
    view.selection.point_at(2, 1)
    assert grid(view).viewport().grab(rect).toImage() != before


def test_the_pinned_cell_has_a_frame_until_it_is_released(view: TableView) -> None:
    view.selection.pin_number(NumberRef("weight", (2, 1)), query=2, key=1)
    assert grid(view).lights.pinned == (2, 1)
    view.show_matrix("score")
    assert grid(view).lights.pinned is None
    view.show_matrix("weight")
    view.selection.release()
    assert grid(view).lights.pinned is None


def test_showing_another_cell_moves_neither_cursor_nor_selection(view: TableView) -> None:
    press(view, Qt.Key.Key_Down)
    view.selection.point_at(2, 2)
    assert (place(view), selected(view)) == ((1, 0), {(1, 0)})


# Frames


def drag_frames(n: int, count: int) -> list[Frame]:
    state = random_state(n, 3)
    return [compute(edits.set_coordinate(state, "sequence", 1, 0, 0.2 * step)) for step in range(count)]


def test_selection_order_and_cursor_are_kept_while_numbers_change(view: TableView) -> None:
    frames = drag_frames(40, 5)
    view.offer_frame(frames[0])
    click_column(view, 3)
    press(view, Qt.Key.Key_Down)
    press(view, Qt.Key.Key_Space, _SHIFT)
    model = grid(view).matrix_model
    row = model.place(place(view)[0])
    pointed: list[Chosen] = []
    view.selection.changed.connect(pointed.append)
    for frame in frames:
        view.offer_frame(frame)
        values = frame.trace.weights[:, 3]
        assert model.places.tolist() == np.argsort(values, kind="stable").tolist()
        assert model.place(place(view)[0]) == row
        assert {model.place(r) for r, _ in selected(view)} == {row}
    assert pointed == []


def test_only_cells_in_sight_are_announced_as_changed(view: TableView) -> None:
    frames = drag_frames(300, 2)
    view.offer_frame(frames[0])
    told: list[tuple[int, int]] = []
    grid(view).matrix_model.dataChanged.connect(
        lambda first, last, _roles: told.append((last.row() - first.row(), last.column() - first.column()))
    )
    view.offer_frame(frames[1])
    assert len(told) == 1
    assert told[0][0] < 30
    assert told[0][1] < 15


def test_a_smaller_document_keeps_the_cursor_inside(view: TableView) -> None:
    view.offer_frame(compute(random_state(40, 3)))
    press(view, Qt.Key.Key_End, _CONTROL)
    view.offer_frame(compute(cat_dog_phone()))
    assert place(view) == (2, 2)


# Copies


def copies(view: TableView) -> list[tuple[str, LabelledMatrix]]:
    found: list[tuple[str, LabelledMatrix]] = []
    view.copy_requested.connect(lambda language, block: found.append((language, block)))
    return found


def test_ctrl_c_copies_the_selection_in_the_order_shown(view: TableView) -> None:
    found = copies(view)
    click_column(view, 0)
    press(view, Qt.Key.Key_Home, _CONTROL)
    press(view, Qt.Key.Key_Right, _SHIFT)
    press(view, Qt.Key.Key_Down, _SHIFT)
    press(view, Qt.Key.Key_C, _CONTROL)
    ((language, block),) = found
    assert language == "TSV"
    assert (block.row_labels, block.column_labels) == (("phone", "dog"), ("cat", "dog"))


def test_without_a_selection_everything_is_copied(view: TableView) -> None:
    found = copies(view)
    press(view, Qt.Key.Key_Escape)
    for action in view.body.copy_button.menu().actions():
        action.trigger()
    assert [language for language, _ in found] == ["TSV", "CSV", "Markdown", "NumPy", "LaTeX"]
    assert all(block.numbers.shape == (3, 3) for _, block in found)


def test_cells_that_lie_apart_are_copied_with_the_crossings(view: TableView) -> None:
    found = copies(view)
    click(view, 0, 0)
    click(view, 2, 1, _CONTROL)
    press(view, Qt.Key.Key_C, _CONTROL)
    assert found[0][1].row_labels == ("cat", "phone")
    assert found[0][1].column_labels == ("cat", "dog")


def test_more_cells_than_can_be_copied_are_refused_in_a_sentence(view: TableView, qtbot: QtBot) -> None:
    view.offer_frame(compute(random_state(1025, 1)))
    found = copies(view)
    press(view, Qt.Key.Key_A, _CONTROL)
    with qtbot.waitSignal(view.refused, timeout=1000) as told:
        press(view, Qt.Key.Key_C, _CONTROL)
    assert told.args == ["a copy must have at most 1,048,576 cells, got 1,050,625"]
    assert found == []
