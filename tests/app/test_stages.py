"""The stages in the window: brought by their shortcut, linked with every panel, given room when one is large."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from attnviz.app.window import MainWindow
from attnviz.document.number_ref import NumberRef
from attnviz.document.presets import load_preset
from tests.app.conftest import OpenWindow
from tests.app.mouse import cell_place, click, move
from tests.views.panel_scenes import forty_tokens

_KEYS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def show_stages(window: MainWindow) -> None:
    window.activateWindow()
    window.plane.setFocus()
    QTest.keyClick(window.plane.canvas, Qt.Key.Key_G, _KEYS)
    QApplication.processEvents()


def viewport_of(window: MainWindow) -> QWidget:
    return window.stages.body.strip.viewport()


def stage_place(window: MainWindow, name: str) -> QPointF:
    return window.stages.body.strip.stage_rect(name).center()


def test_shortcut_brings_them_over_the_full_width_beside_why(fresh_window: MainWindow) -> None:
    window = fresh_window
    dock = window.docks["stages"]
    assert not dock.isVisible()
    assert "body" not in vars(window.stages)  # it is made when it is first shown
    show_stages(window)
    assert window.tabifiedDockWidgets(window.docks["derivation"]) == [dock]
    assert dock.width() > 0.95 * window.width()
    assert 150 <= dock.height() <= 200
    assert window.stages.body.strip.hasFocus()
    assert window.stages.body.strip.horizontalScrollBar().maximum() == 0  # three tokens are in sight at once
    window.stages.body.toggle("weight")
    QApplication.processEvents()
    assert (window.width(), window.height()) == (1280, 800)  # it takes no more than there is


@pytest.mark.parametrize(("name", "key"), [("stages", Qt.Key.Key_G), ("table", Qt.Key.Key_T)])
def test_shortcut_closes_what_it_opened(fresh_window: MainWindow, name: str, key: Qt.Key) -> None:
    window, dock = fresh_window, fresh_window.docks[name]
    window.plane.setFocus()
    for is_shown in (True, False, True):
        QTest.keyClick(QApplication.focusWidget() or window, key, _KEYS)
        QApplication.processEvents()
        assert dock.isVisible() == is_shown
    beside = window.docks["derivation" if name == "stages" else "weights"]
    beside.raise_()
    QApplication.processEvents()
    QTest.keyClick(window.plane.canvas, key, _KEYS)  # it cannot be seen: it comes to the front
    QApplication.processEvents()
    assert dock.is_in_front
    window.presentation.show_view(name)
    QTest.keyClick(QApplication.focusWidget(), key, _KEYS)
    assert dock.isVisible()  # a presentation closes nothing
    window.presentation.end()


def test_it_brings_the_panels_back_when_another_one_fills_the_window(window: MainWindow) -> None:
    window.layout_of_docks.toggle_maximised("plane")
    window.actions_by_name["stages"].trigger()
    assert window.docks["stages"].isVisible()
    assert window.layout_of_docks.maximised is None


def test_pointing_at_a_small_cell_or_at_a_heatmap_lights_both(fresh_window: MainWindow) -> None:
    window = fresh_window
    show_stages(window)
    move(viewport_of(window), window.stages.body.strip.cell_rect("score", 2, 0).center(), is_pressed=False)
    assert window.stages.subtitle == "score of query phone, key cat: 0.000"
    assert (window.selection.chosen.pointed_query, window.selection.chosen.pointed_key) == (2, 0)
    QApplication.sendEvent(viewport_of(window), QEvent(QEvent.Type.Leave))
    assert window.selection.chosen.pointed_number is None

    before = viewport_of(window).grab().toImage()
    move(window.weights.matrix, cell_place(window.weights.matrix, 2, 2), is_pressed=False)
    after = viewport_of(window).grab().toImage()
    for name in ("q", "k", "v", "score", "output"):
        box = window.stages.body.strip.stage_rect(name).toRect()
        assert before.copy(box) != after.copy(box), name


def test_by_mouse_a_stage_is_opened_and_a_number_explained(fresh_window: MainWindow) -> None:
    window = fresh_window
    window.actions_by_name["explain_number"].trigger()
    show_stages(window)
    click(viewport_of(window), stage_place(window, "q"))
    matrix = window.stages.body.large.matrix
    click(matrix, cell_place(matrix, 1, 1))
    assert window.selection.chosen.number == NumberRef("q", (1, 1))
    assert window.inspector.body.sheet.text.splitlines()[0] == "coordinate 2 of the query of dog"
    click(viewport_of(window), stage_place(window, "q"))
    assert not window.stages.body.is_open


def test_by_keys_a_stage_is_opened_walked_through_and_closed(fresh_window: MainWindow) -> None:
    window = fresh_window
    show_stages(window)
    body = window.stages.body
    for _ in range(4):
        QTest.keyClick(body.strip, Qt.Key.Key_Right)
    QTest.keyClick(body.strip, Qt.Key.Key_Return)
    assert body.current == "q"
    QTest.keyClick(body.large.matrix, Qt.Key.Key_Down)
    QTest.keyClick(body.large.matrix, Qt.Key.Key_Return)
    assert window.selection.chosen.number == NumberRef("q", (1, 0))
    for _ in range(2):  # the first lets go of the cell
        if body.is_open:
            QTest.keyClick(body.large.matrix, Qt.Key.Key_Escape)
    assert not body.is_open
    assert body.strip.hasFocus()


def test_a_large_matrix_gets_half_of_a_high_window_and_gives_it_back(open_window: OpenWindow) -> None:
    window = open_window(forty_tokens())
    window.resize(1920, 1080)
    show_stages(window)
    dock = window.docks["stages"]
    before = dock.height()
    window.stages.body.toggle("weight")
    QApplication.processEvents()
    assert 0.4 * window.height() < dock.height() <= 0.55 * window.height()
    assert window.stages.body.large.matrix.height() > 300
    window.stages.body.close_matrix()
    QApplication.processEvents()
    assert abs(dock.height() - before) <= 2
    assert (window.width(), window.height()) == (1920, 1080)


def test_an_edit_shows_in_them(fresh_window: MainWindow) -> None:
    window = fresh_window
    show_stages(window)
    window.wiring.move_point("sequence", 0, 0.25, 0.5, -1)
    numbers = [text for text, _ in window.stages.painted_texts()]
    assert numbers.count("0.25") + numbers.count("0.2") >= 4  # in X, Q, K and V


def test_the_menu_entry_brings_them_to_the_front_each_time(fresh_window: MainWindow) -> None:
    window = fresh_window
    entry = window.docks["stages"].toggleViewAction()
    for _ in range(2):
        entry.trigger()
        QApplication.processEvents()
        assert viewport_of(window).visibleRegion().boundingRect().height() > 100
        entry.trigger()
        QApplication.processEvents()
        assert window.derivation.visibleRegion().boundingRect().height() > 60


def test_after_a_restart_they_appear_without_making_the_window_larger(open_window: OpenWindow) -> None:
    first = open_window(load_preset("s1"))
    first.close()
    window = open_window(load_preset("s1"))
    assert window.layout_of_docks.restore_docks()
    show_stages(window)
    assert window.docks["stages"].height() >= 120
    assert (window.width(), window.height()) == (1280, 800)


def test_in_large_type_they_appear_without_making_the_window_larger(fresh_window: MainWindow) -> None:
    window = fresh_window
    while window.appearance.percent < 150:
        window.actions_by_name["font_larger"].trigger()
    QApplication.processEvents()
    show_stages(window)
    assert (window.width(), window.height()) == (1280, 800)
    assert viewport_of(window).visibleRegion().boundingRect().height() > 80
