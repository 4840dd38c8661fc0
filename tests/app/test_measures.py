"""The measures beside the weights: switched by menu and button, remembered, pointed at, and asked about."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSettings, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from attnviz.app.window import MainWindow
from attnviz.document.measures import MEASURES
from attnviz.document.number_ref import NumberRef
from attnviz.document.presets import load_preset
from attnviz.views.painted import texts_painted_by
from attnviz.views.text_line import TextLine
from tests.app.conftest import OpenWindow
from tests.app.mouse import click, move
from tests.document.states import cross_state


def texts(window: MainWindow) -> list[str]:
    return [text for text, _ in window.weights.matrix.painted_texts()]


def switch(window: MainWindow, name: str) -> None:
    action = window.findChild(QAction, f"measure_{name}")
    assert action is not None
    action.trigger()


def status(window: MainWindow) -> str:
    return next(line.text for line in window.statusBar().findChildren(TextLine) if line.isVisible())


def test_row_sums_and_effective_keys_are_shown_at_first(window: MainWindow) -> None:
    assert {"row sum", "Σ 1.000", "2.82 of 3"} <= set(texts(window))
    assert not {"entropy", "received", "largest"} & set(texts(window))


def test_each_measure_is_switched_on_by_its_action_and_off_again(window: MainWindow) -> None:
    # Rounded from the weights of the curriculum; sums of columns: 1.057490, 1.019456, 0.923054.
    numbers = {"entropy": "1.038", "largest_weight": "0.529", "column_sum": "1.057"}
    window.resize(1600, 1000)
    for name, number in numbers.items():
        before = texts(window).count(number)
        switch(window, name)
        assert texts(window).count(number) == before + 1, name
        switch(window, name)
        assert texts(window).count(number) == before, name


def test_menu_and_button_hold_the_same_actions(window: MainWindow) -> None:
    in_menu_bar = window._menus["View/Measures"].actions()
    in_button = window.weights.measures.menu().actions()
    assert in_menu_bar == in_button
    assert [action.objectName() for action in in_button] == [f"measure_{name}" for name in MEASURES]
    for action, measure in zip(in_button, MEASURES.values(), strict=True):
        assert measure.meaning in action.toolTip()


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)  # menus need a real screen for some things
def test_button_is_reached_and_opened_by_keys(window: MainWindow, qtbot: QtBot) -> None:
    button = window.weights.measures
    assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    button.setFocus()
    QTimer.singleShot(50, button.menu().close)  # the menu has the event loop until it is closed
    with qtbot.waitSignal(button.menu().aboutToShow, timeout=2000):
        QTest.keyClick(button, Qt.Key.Key_Space)


def test_button_is_a_sign_where_the_title_bar_is_narrow(window: MainWindow) -> None:
    button = window.weights.measures
    assert button.text() == "Measures"
    window.appearance.use_font(150)
    QApplication.processEvents()
    assert button.text() == "Σ"
    assert button.accessibleName() == "Measures"
    shown = [seen.text for seen in texts_painted_by(window.docks["weights"].bar)]
    assert "0 – max" in shown
    window.appearance.use_font(100)
    QApplication.processEvents()
    assert button.text() == "Measures"


def test_chosen_measures_are_remembered_and_are_no_edit(open_window: OpenWindow, settings: QSettings) -> None:
    first = open_window(load_preset("s1"))
    switch(first, "row_sum")
    switch(first, "column_sum")
    assert not first.isWindowModified()
    assert first.session.undo_label is None
    second = open_window(load_preset("s2"))
    assert second.weights.measures.names == ("effective_keys", "column_sum")
    settings.setValue("measures", "row_sum nonsense")
    assert open_window(load_preset("s1")).weights.measures.names == ("row_sum",)


def test_no_measure_at_all_is_remembered_too(open_window: OpenWindow) -> None:
    first = open_window(load_preset("s1"))
    for name in first.weights.measures.names:
        switch(first, name)
    assert open_window(load_preset("s1")).weights.measures.names == ()


def test_pointing_at_a_number_says_it_and_lights_its_row_or_column(window: MainWindow) -> None:
    switch(window, "column_sum")
    matrix = window.weights.matrix
    move(matrix, matrix.gutter_rect("effective_keys", 0).center(), is_pressed=False)
    assert status(window) == "query cat: effective keys 2.822"
    chosen = window.selection.chosen
    assert (chosen.pointed_query, chosen.pointed_key) == (0, None)
    move(matrix, matrix.gutter_rect("column_sum", 2).center(), is_pressed=False)
    assert status(window) == "key phone: received 0.923"
    chosen = window.selection.chosen
    assert (chosen.pointed_query, chosen.pointed_key) == (None, 2)
    move(matrix, matrix.cell_rect(0, 1).center(), is_pressed=False)
    assert status(window).startswith("query cat → key dog")


@pytest.mark.parametrize(("name", "index"), [("row_sum", 1), ("effective_keys", 2), ("column_sum", 0)])
def test_click_asks_for_the_explanation_of_the_number(window: MainWindow, name: str, index: int) -> None:
    switch(window, "column_sum")
    window.docks["inspector"].show()
    asked: list[NumberRef] = []
    window.selection.number_asked.connect(asked.append)
    click(window.weights.matrix, window.weights.matrix.gutter_rect(name, index).center())
    assert asked == [NumberRef(name, (index,))]
    assert window.selection.chosen.number == NumberRef(name, (index,))
    explanation = window.inspector.explanation
    assert explanation is not None
    assert explanation.ref == NumberRef(name, (index,))


def test_keyboard_reaches_a_number_and_a_screen_reader_hears_it(window: MainWindow) -> None:
    matrix = window.weights.matrix
    matrix.setFocus()
    QTest.keyClick(matrix, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(matrix, Qt.Key.Key_End)
    QTest.keyClick(matrix, Qt.Key.Key_Right)
    assert matrix.accessibleDescription() == "query cat: row sum 1.000"
    QTest.keyClick(matrix, Qt.Key.Key_Return)
    assert window.selection.chosen.number == NumberRef("row_sum", (0,))


def test_row_without_a_visible_key_is_named_in_the_sentence(open_window: OpenWindow) -> None:
    window = open_window(cross_state(5, 3, 2, mask="causal"))
    matrix = window.weights.matrix
    move(matrix, matrix.gutter_rect("row_sum", 1).center(), is_pressed=False)
    assert status(window) == "query q1: no visible key, row sum 0.000"
    assert "no visible key" in " ".join(texts(window))
