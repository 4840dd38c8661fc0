"""Any number on screen can be clicked: it is pinned, the inspector explains it, and opens unless it was closed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from attnviz.app.window import MainWindow
from attnviz.document.number_ref import NumberRef
from tests.app.mouse import cell_place, click, double_click, middle_of, move, press
from tests.app.test_linked_highlighting import film_place

Place = Callable[[MainWindow], tuple[QWidget, QPointF]]


def score_cell(window: MainWindow) -> tuple[QWidget, QPointF]:
    return window.scores.matrix, cell_place(window.scores.matrix, 2, 1)


def raw_score_cell(window: MainWindow) -> tuple[QWidget, QPointF]:
    window.scores.choose_stage("scores")
    return score_cell(window)


def masked_score_cell(window: MainWindow) -> tuple[QWidget, QPointF]:
    window.scores.choose_stage("masked")
    return score_cell(window)


def weight_cell(window: MainWindow) -> tuple[QWidget, QPointF]:
    return window.weights.matrix, cell_place(window.weights.matrix, 2, 1)


def readout(line: int) -> Place:
    def place(window: MainWindow) -> tuple[QWidget, QPointF]:
        return window.scores.readout.numbers[line], QPointF(20.0, 8.0)

    return place


def on_card(ref: NumberRef) -> Place:
    def place(window: MainWindow) -> tuple[QWidget, QPointF]:
        return window.derivation, next(spot for spot in window.derivation.spots if spot.ref == ref).box.center()

    return place


def in_film(step: int, kind: str, row: int, column: int, *, all_rows: bool = False) -> Place:
    def place(window: MainWindow) -> tuple[QWidget, QPointF]:
        if not window.docks["film"].isVisible():
            window.actions_by_name["film"].trigger()
            window.film.toggle_playing()
            QApplication.processEvents()
        if all_rows:
            window.layout_of_docks.toggle_maximised("film")
            QApplication.processEvents()
        window.film.body.choose_extent("all" if all_rows else "one")
        window.film.body.follow_selection()
        window.film.body.go_to(step)
        return window.film.body.stage, film_place(window, kind, row, column)

    return place


def multiplier_line(window: MainWindow) -> tuple[QWidget, QPointF]:
    return window.controls._multiplier, middle_of(window.controls._multiplier)


NUMBERS: dict[str, tuple[Place, NumberRef]] = {
    "scaled score": (score_cell, NumberRef("scaled", (2, 1))),
    "raw score": (raw_score_cell, NumberRef("score", (2, 1))),
    "masked score": (masked_score_cell, NumberRef("masked", (2, 1))),
    "weight": (weight_cell, NumberRef("weight", (2, 1))),
    "readout of the score": (readout(0), NumberRef("score", (0, 1))),
    "readout of the scaled score": (readout(1), NumberRef("scaled", (0, 1))),
    "readout of the weight": (readout(2), NumberRef("weight", (0, 1))),
    "multiplier in the controls": (multiplier_line, NumberRef("multiplier")),
    "film: embedding": (in_film(0, "x", 0, 1), NumberRef("x", (0, 1))),
    "film: query matrix": (in_film(0, "w_q", 1, 0), NumberRef("w_q", (1, 0))),
    "film: query": (in_film(12, "q", 0, 1), NumberRef("q", (0, 1))),
    "film: key": (in_film(12, "k", 0, 1), NumberRef("k", (2, 1))),
    "film: score": (in_film(12, "score", 0, 1), NumberRef("score", (0, 1))),
    "film: weight of another row": (in_film(10**6, "weight", 2, 1, all_rows=True), NumberRef("weight", (2, 1))),
    "film: output": (in_film(10**6, "output", 2, 1, all_rows=True), NumberRef("output", (2, 1))),
} | {
    f"card: {kind} {indices}": (on_card(NumberRef(kind, indices)), NumberRef(kind, indices))
    for kind, indices in (
        ("q", (0, 1)),
        ("k", (1, 0)),
        ("score", (0, 1)),
        ("multiplier", ()),
        ("scaled", (0, 1)),
        ("masked", (0, 1)),
        ("row_max", (0,)),
        ("exponential", (0, 2)),
        ("normaliser", (0,)),
        ("weight", (0, 1)),
        ("v", (1, 1)),
        ("output", (0, 1)),
    )
}


def explained(window: MainWindow) -> NumberRef:
    shown = window.inspector.explanation
    assert shown is not None
    return shown.ref


@pytest.mark.parametrize("name", NUMBERS)
def test_click_has_the_open_inspector_explain_it(window: MainWindow, name: str) -> None:
    place, ref = NUMBERS[name]
    window.docks["inspector"].show()
    QApplication.processEvents()
    widget, at = place(window)
    move(widget, at, is_pressed=False)
    click(widget, at)
    assert window.selection.chosen.number == ref
    if window.layout_of_docks.maximised is None:  # else the inspector is out of sight, and catches up later
        assert explained(window) == ref


@pytest.mark.parametrize("name", ["scaled score", "readout of the weight", "multiplier in the controls", "film: score"])
def test_cursor_shows_that_a_number_can_be_clicked(window: MainWindow, name: str) -> None:
    widget, at = NUMBERS[name][0](window)
    move(widget, at, is_pressed=False)
    assert widget.cursor().shape() == Qt.CursorShape.PointingHandCursor


def test_unknown_numbers_of_the_film_are_not_given_away(window: MainWindow) -> None:
    widget, at = in_film(10, "score", 0, 2)(window)
    before = window.selection.chosen
    click(widget, at)
    assert window.selection.chosen == before


# -- the inspector opens


def test_click_opens_the_inspector_when_it_can_be_no_double_click_any_more(window: MainWindow, qtbot: QtBot) -> None:
    click(*weight_cell(window))
    assert window.docks["inspector"].isHidden()
    qtbot.waitUntil(window.docks["inspector"].isVisible)
    assert explained(window) == NumberRef("weight", (2, 1))


def test_it_moves_neither_heatmaps_nor_strip_and_takes_no_focus(window: MainWindow, qtbot: QtBot) -> None:
    def places() -> list[object]:
        return [window.panels[name].geometry() for name in ("scores", "weights", "derivation", "tokens", "controls")]

    before = places()
    window.weights.matrix.setFocus()
    click(*weight_cell(window))
    qtbot.waitUntil(window.docks["inspector"].isVisible)
    QApplication.processEvents()
    assert places() == before
    assert window.weights.matrix.hasFocus()
    assert window.plane.canvas.height() > 150
    assert window.plane.canvas.shows_every_token()


@pytest.mark.parametrize("way", ["button", "menu"])
def test_clicks_do_not_open_it_again_once_it_was_closed(window: MainWindow, way: str) -> None:
    dock = window.docks["inspector"]
    dock.show()
    QApplication.processEvents()
    if way == "button":
        QTest.mouseClick(dock.bar.hide_button, Qt.MouseButton.LeftButton)
    else:
        dock.toggleViewAction().trigger()
    click(*weight_cell(window))
    assert window.selection.chosen.number == NumberRef("weight", (2, 1))
    assert not window.inspecting.is_waiting
    assert dock.isHidden()


def close_inspector(window: MainWindow) -> None:
    window.docks["inspector"].show()
    QApplication.processEvents()
    window.docks["inspector"].bar.hide_button.click()


@pytest.mark.parametrize("name", ["scaled score", "readout of the weight", "card: row_max (0,)", "film: score"])
def test_double_click_opens_it_again_and_then_clicks_do_too(window: MainWindow, name: str) -> None:
    close_inspector(window)
    widget, at = NUMBERS[name][0](window)
    double_click(widget, at)
    assert window.docks["inspector"].isVisible()
    assert explained(window) == NUMBERS[name][1]
    window.docks["inspector"].hide()  # as when panels are arranged anew
    click(widget, at)
    assert window.inspecting.is_waiting


def test_click_brings_an_open_inspector_to_the_front_from_behind_another_tab(
    fresh_window: MainWindow, qtbot: QtBot
) -> None:
    window = fresh_window
    window.actions_by_name["explain_number"].trigger()
    in_film(12, "q", 0, 1)(window)  # in a low window the film moves it onto the scores
    inspector, scores = window.docks["inspector"], window.docks["scores"]
    assert scores in window.tabifiedDockWidgets(inspector)
    scores.raise_()
    qtbot.waitUntil(lambda: inspector.visibleRegion().isEmpty())
    click(*weight_cell(window))
    assert inspector.visibleRegion().isEmpty()  # it may be a double click yet
    qtbot.waitUntil(lambda: not inspector.visibleRegion().isEmpty())
    assert explained(window) == NumberRef("weight", (2, 1))
    scores.raise_()
    qtbot.waitUntil(lambda: inspector.visibleRegion().isEmpty())
    double_click(*weight_cell(window))
    QApplication.processEvents()
    assert not inspector.visibleRegion().isEmpty()


def test_enter_pins_a_cell_and_once_more_opens_the_inspector(window: MainWindow) -> None:
    close_inspector(window)
    matrix = window.weights.matrix
    click(matrix, cell_place(matrix, 1, 1))
    QTest.keyClick(matrix, Qt.Key.Key_Right)
    QTest.keyClick(matrix, Qt.Key.Key_Return)
    assert window.selection.chosen.number == NumberRef("weight", (1, 2))
    assert window.docks["inspector"].isHidden()
    QTest.keyClick(matrix, Qt.Key.Key_Return)
    assert window.docks["inspector"].isVisible()


def test_keys_reach_every_number_of_a_card(window: MainWindow) -> None:
    close_inspector(window)
    window.derivation._cards[0].setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Down):
        QTest.keyClick(QApplication.focusWidget(), key)
    assert window.selection.chosen.pointed_number == NumberRef("row_max", (0,))
    assert QApplication.focusWidget().accessibleName() == "largest masked score of query cat: 0.884"
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert window.selection.chosen.number == NumberRef("row_max", (0,))
    assert window.docks["inspector"].isHidden()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert window.docks["inspector"].isVisible()


def test_enter_in_the_film_pins_the_number_that_the_step_makes(window: MainWindow) -> None:
    stage, _ = in_film(12, "score", 0, 0)(window)
    QTest.keyClick(stage, Qt.Key.Key_Return)
    assert window.selection.chosen.number == NumberRef("score", (0, 2))


def test_nothing_opens_while_a_button_is_held(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = [Qt.MouseButton.LeftButton]
    monkeypatch.setattr(QApplication, "mouseButtons", lambda: held[0])
    press(*weight_cell(window))
    qtbot.waitSignal(window.inspecting._waiting.timeout).wait()
    assert window.docks["inspector"].isHidden()
    held[0] = Qt.MouseButton.NoButton
    qtbot.waitUntil(window.docks["inspector"].isVisible)


def test_click_leaves_a_panel_that_fills_the_window_and_double_click_does_not(window: MainWindow) -> None:
    window.layout_of_docks.toggle_maximised("weights")
    QApplication.processEvents()
    click(*weight_cell(window))
    assert not window.inspecting.is_waiting
    double_click(*weight_cell(window))
    assert window.layout_of_docks.maximised is None
    assert window.docks["inspector"].isVisible()


# -- numbers that are edited where they stand


def test_coordinate_in_the_table_is_chosen_as_before_and_explained_if_the_inspector_is_open(window: MainWindow) -> None:
    table = window.tokens.table
    at = QPointF(table.visualRect(table.rows.index(2, 1)).center())
    click(table.viewport(), at)
    chosen = window.selection.chosen
    assert (chosen.query, chosen.key, chosen.token, chosen.number) == (2, 1, 2, NumberRef("x", (2, 0)))
    assert not window.inspecting.is_waiting
    window.docks["inspector"].show()
    QApplication.processEvents()
    assert explained(window) == NumberRef("x", (2, 0))
    QTest.keyClick(table, Qt.Key.Key_Right)
    assert explained(window) == NumberRef("x", (2, 1))
    QTest.keyClick(table, Qt.Key.Key_Home)
    assert explained(window).kind == "weight"


@pytest.mark.parametrize("key", ["temperature", "d_k"])
def test_box_of_a_control_is_explained_but_opens_nothing(window: MainWindow, key: str) -> None:
    box = window.controls.rows[key].box  # type: ignore[attr-defined]  # it is a row of a number
    QTest.mouseClick(box, Qt.MouseButton.LeftButton)
    assert window.selection.chosen.number == NumberRef(key)
    assert not window.inspecting.is_waiting


# -- the command


def explain_by_key(window: MainWindow) -> None:
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_I, modifiers)
    QApplication.processEvents()


def test_command_explains_the_number_under_the_focus(window: MainWindow) -> None:
    window.scores.matrix.setFocus()
    click(window.scores.matrix, cell_place(window.scores.matrix, 1, 1))
    QTest.keyClick(window.scores.matrix, Qt.Key.Key_Down)
    close_inspector(window)
    explain_by_key(window)
    assert window.docks["inspector"].isVisible()
    assert explained(window) == NumberRef("scaled", (2, 1))


@pytest.mark.parametrize(
    ("focus", "ref"),
    [
        (lambda window: window.controls.rows["temperature"].box, NumberRef("temperature")),
        (lambda window: window.controls._multiplier, NumberRef("multiplier")),
        (lambda window: window.derivation._cards[3], NumberRef("normaliser", (0,))),
        (lambda window: window.scores.readout.numbers[1], NumberRef("scaled", (0, 1))),
        (lambda window: window.plane.footer.y_box, NumberRef("x", (0, 1))),
    ],
    ids=["temperature", "multiplier", "card", "readout", "footer"],
)
def test_command_knows_the_number_in_every_panel(
    window: MainWindow, focus: Callable[[MainWindow], QWidget], ref: NumberRef
) -> None:
    focus(window).setFocus()
    explain_by_key(window)
    assert explained(window) == ref
