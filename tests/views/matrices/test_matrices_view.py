"""The panel of the matrices on its own: what it shows of a frame, what it asks for, and how legible it is."""

from __future__ import annotations

import math
from time import perf_counter

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QFontMetrics, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from attnviz.appearance import DARK, LIGHT, MINIMUM_CONTRAST, Theme, contrast
from attnviz.document.edits import set_scalar
from attnviz.document.frame import compute
from attnviz.document.matrix_edits import set_matrix, set_matrix_entry, shape_matrix
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.fonts import number_font
from attnviz.views.matrices.angle_dial import AngleDial
from attnviz.views.matrices.matrices_view import MatricesView
from attnviz.views.matrices.matrix_section import MatrixSection
from attnviz.views.matrices.shown_entries import cell_colours
from attnviz.views.painted import texts_painted_by
from attnviz.views.selection import Selection
from tests.app.mouse import drag, move, press, release, wheel
from tests.document.states import cat_dog_phone, random_state


@pytest.fixture
def view(qtbot: QtBot) -> MatricesView:
    view = MatricesView(Selection())
    qtbot.addWidget(view)
    view.resize(1800, 180)
    view.show()
    view.offer_frame(compute(cat_dog_phone()))
    view.activateWindow()
    view.setFocus()
    QApplication.processEvents()
    return view


def section(view: MatricesView, name: str = "w_q") -> MatrixSection:
    return view.body.sections[name]


def texts_in(view: MatricesView, name: str) -> list[str]:
    return [seen.text for seen in texts_painted_by(section(view, name).grid)]


def test_entries_are_written_with_their_headings(view: MatricesView) -> None:
    assert texts_in(view, "w_v") == ["1", "2", "1", "2", "1.0", "0.0", "0.0", "1.0"]
    turned = shape_matrix(cat_dog_phone(), "w_v", "rotation", 45)
    view.offer_frame(compute(turned))
    assert texts_in(view, "w_v")[4:] == ["0.707", "0.707", "-0.707", "0.707"]
    assert section(view, "w_v").bar.dial.angle == 45.0
    assert "value matrix, 2 × 2" in [seen.text for seen in texts_painted_by(section(view, "w_v"))]


def test_cells_are_as_wide_as_their_longest_number(view: MatricesView) -> None:
    grid, metrics = section(view).grid, QFontMetrics(number_font(section(view).grid.font()))
    for numbers, texts in (
        ([[-99.9, 0.125], [-0.5, 0.0]], ["-99.9", "0.125", "-0.5", "0.0"]),
        ([[-123.4, 0.125], [-3e-4, -1.2e5]], ["-123.4", "0.125", "-3.0e-04", "-1.2e+05"]),
    ):
        view.offer_frame(compute(set_matrix(cat_dog_phone(), "w_q", numbers)))
        QApplication.processEvents()
        assert texts_in(view, "w_q")[4:] == texts
        assert all(metrics.horizontalAdvance(text) < grid.geometry_shown.cell(0, 0).width() for text in texts)


def test_only_cells_in_sight_are_written(view: MatricesView) -> None:
    view.offer_frame(compute(random_state(2, 499)))
    QApplication.processEvents()
    assert 10 < len(texts_in(view, "w_q")) < 60


def test_matrix_that_is_no_square_and_columns_that_do_not_act(view: MatricesView) -> None:
    state = set_matrix(random_state(3, 5), "w_v", np.ones((5, 2)))
    view.offer_frame(compute(set_scalar(state, "d_k", 3)))
    assert section(view, "w_v").grid.array.shape == (5, 2)
    assert view.subtitle.endswith("d_k = 3: of the 5 columns of W_Q and W_K only the first 3 act")
    assert [section(view, "w_k").grid.is_acting((0, column)) for column in range(5)] == [True] * 3 + [False] * 2
    assert section(view, "w_v").grid.is_acting((4, 1))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("role", ["query", "key", "value"])
def test_numbers_stand_out_from_their_cells(theme: Theme, role: str) -> None:
    grounds, inks = cell_colours(theme, role)  # type: ignore[arg-type]  # names of the test
    for ground, ink in zip(grounds, inks, strict=True):
        assert contrast(np.array(ink.getRgb()[:3]), np.array(ground.getRgb()[:3])) >= MINIMUM_CONTRAST


def test_number_pointed_at_elsewhere_is_lit_and_the_one_here_is_told(view: MatricesView) -> None:
    grid = section(view, "w_k").grid
    before = grid.viewport().grab().toImage()
    view.selection.point_at(None, None, NumberRef("w_k", (1, 0)))
    assert grid.viewport().grab().toImage() != before
    move(grid.viewport(), QPointF(grid.geometry_shown.cell(0, 1).center()), is_pressed=False)
    assert view.selection.chosen.pointed_number == NumberRef("w_k", (0, 1))
    center = grid.viewport().mapTo(view, grid.geometry_shown.cell(1, 1).center())
    assert view.number_at(center) == NumberRef("w_k", (1, 1))


def test_dragging_asks_for_changes_and_moves_nothing_by_itself(view: MatricesView, qtbot: QtBot) -> None:
    grid = section(view).grid
    asked: list[tuple[object, ...]] = []
    view.entry_changed.connect(lambda *what: asked.append(what))
    start = QPointF(grid.geometry_shown.cell(1, 0).center())
    drag(grid.viewport(), start, start + QPointF(20.0, 0.0), steps=4)
    assert [what[:4] for what in asked] == [("w_q", 1, 0, value) for value in (0.05, 0.1, 0.15, 0.2)]
    assert len({what[4] for what in asked}) == 1  # one gesture
    assert grid.number((1, 0)) == 0.0


def test_another_change_lets_a_held_number_go(view: MatricesView) -> None:
    grid = section(view).grid
    start = QPointF(grid.geometry_shown.cell(1, 0).center())
    press(grid.viewport(), start)
    view.offer_frame(compute(set_matrix_entry(cat_dog_phone(), "w_q", 0, 0, 9.0)))
    assert not grid.is_scrubbing
    release(grid.viewport(), start)


def test_wheel_turns_the_dial_only_with_the_focus(view: MatricesView) -> None:
    dial = section(view).bar.dial
    asked: list[float] = []
    dial.turned.connect(lambda angle, _gesture: asked.append(angle))
    wheel(dial, QPointF(10.0, 10.0), 2)
    assert asked == []
    dial.setFocus()
    wheel(dial, QPointF(10.0, 10.0), 2)
    assert asked == [2.0]


def test_burst_of_moves_asks_for_one_turn(view: MatricesView) -> None:
    bar = section(view).bar
    dial, asked = bar.dial, []
    bar.matrix_turned.connect(lambda _start, degrees, _gesture: asked.append(degrees))
    middle, radius = QPointF(dial.width() / 2, dial.height() / 2), dial.width() / 2 - 6
    press(dial, middle + QPointF(radius, 0.0))
    for step in range(1, 21):
        angle = math.radians(4.5 * step)
        at = middle + QPointF(radius * math.cos(angle), -radius * math.sin(angle))
        QApplication.sendEvent(dial, mouse_move(dial, at))
    assert asked == []
    QApplication.processEvents()
    assert asked == [90.0]
    QApplication.sendEvent(dial, mouse_move(dial, middle - QPointF(radius, 0.0)))
    release(dial, middle - QPointF(radius, 0.0))  # what is still to be asked for is not lost
    assert asked == [90.0, 180.0]


def mouse_move(dial: AngleDial, at: QPointF) -> QMouseEvent:
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    place = QPointF(dial.mapToGlobal(at.toPoint()))
    return QMouseEvent(QEvent.Type.MouseMove, at, place, none, left, Qt.KeyboardModifier.NoModifier)


def test_grabbing_the_dial_turns_nothing_and_its_middle_has_no_direction(view: MatricesView) -> None:
    dial, asked = section(view).bar.dial, []
    dial.turned.connect(lambda degrees, _gesture: asked.append(degrees))
    middle = QPointF(dial.width() / 2, dial.height() / 2)
    press(dial, middle)
    move(dial, middle)
    assert asked == []
    move(dial, middle + QPointF(0.0, 20.0))  # grabbed only here, below
    move(dial, middle + QPointF(20.0, 0.0))
    release(dial, middle + QPointF(20.0, 0.0))
    assert asked == [0.0, 90.0]


def test_another_change_lets_a_turned_matrix_go(view: MatricesView) -> None:
    dial, asked = section(view).bar.dial, []
    dial.turned.connect(lambda degrees, _gesture: asked.append(degrees))
    middle = QPointF(dial.width() / 2, dial.height() / 2)
    press(dial, middle + QPointF(20.0, 0.0))
    move(dial, middle - QPointF(0.0, 20.0))
    view.offer_frame(compute(set_matrix_entry(cat_dog_phone(), "w_q", 0, 0, 9.0)))
    move(dial, middle - QPointF(20.0, 0.0))
    release(dial, middle - QPointF(20.0, 0.0))
    assert asked == [90.0]


def test_commands_that_a_shape_cannot_have_are_grey_with_the_reason(view: MatricesView) -> None:
    column = State(TokenSequence(("a", "b"), [[1.0], [2.0]]), b_q=np.zeros(1))
    view.offer_frame(compute(column))
    bar = section(view).bar
    assert bar.operation.name == "zeros"
    grey = {
        bar.choice.itemText(i): bar.choice.itemData(i, Qt.ItemDataRole.ToolTipRole)
        for i in range(bar.choice.count())
        if not bar.choice.model().index(i, 0).flags() & Qt.ItemFlag.ItemIsEnabled
    }
    assert list(grey) == ["Rotation", "Swap Axes"]
    assert "must have two axes to turn, got a matrix of shape (1, 1)" in grey["Rotation"]
    view.offer_frame(compute(cat_dog_phone(b_q=np.zeros(2))))
    assert all(bar.choice.model().index(i, 0).flags() & Qt.ItemFlag.ItemIsEnabled for i in range(bar.choice.count()))
    assert section(view, "b_q").bar.operation.name == "zeros"


def test_dial_says_whether_the_matrix_is_a_rotation(view: MatricesView) -> None:
    dial: AngleDial = section(view).bar.dial
    assert dial.accessibleDescription() == "0 degrees"
    view.offer_frame(compute(shape_matrix(cat_dog_phone(), "w_q", "zeros")))
    assert dial.accessibleDescription() == "no rotation now"
    view.offer_frame(compute(set_matrix(cat_dog_phone(), "w_q", [[1.0, 1.0], [3.0, 4.0]])))
    assert dial.accessibleDescription() == "no rotation now, the first axis goes to 45 degrees"


def test_sections_stand_one_below_the_other_in_a_narrow_panel(view: MatricesView) -> None:
    tops = {one.y() for one in view.body.sections.values()}
    assert tops == {0}
    view.resize(420, 600)
    QApplication.processEvents()
    tops = {one.y() for one in view.body.sections.values()}
    assert len(tops) == 3
    for one in view.body.sections.values():
        assert one.height() >= one.minimumSizeHint().height()


def test_screen_reader_is_told_the_cell(view: MatricesView) -> None:
    grid = section(view).grid
    QTest.keyClick(grid, Qt.Key.Key_Down)
    assert grid.accessibleName() == "W_Q, query matrix"
    assert grid.accessibleDescription() == "W_Q row 2, column 1: 0.0"


def test_large_matrices_do_not_slow_a_drag_of_something_else(view: MatricesView) -> None:
    state = random_state(3, 300)
    view.offer_frame(compute(state))
    view.repaint()
    frames = [compute(set_scalar(state, "temperature", 1.0 + step / 10)) for step in range(20)]
    begin = perf_counter()
    for frame in frames:
        view.offer_frame(frame)
        QApplication.processEvents()
    assert perf_counter() - begin < 0.2  # nothing of it is drawn anew
