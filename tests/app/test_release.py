"""Esc lets go of what is pinned and pointed at, from any panel, unless it means something nearer first."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWhatsThis

from attnviz.app.window import MainWindow
from attnviz.document.number_ref import NumberRef
from attnviz.views.panels import PANELS
from tests.app.mouse import cell_place, click, move, place_of, press, release

PINNED = NumberRef("scaled", (2, 1))


def pin(window: MainWindow) -> None:
    click(window.scores.matrix, cell_place(window.scores.matrix, 2, 1))
    window.inspecting.begin_again()
    assert is_held(window)


def is_held(window: MainWindow) -> bool:
    return window.selection.chosen.is_pinned and window.selection.chosen.number == PINNED


def escape(window: MainWindow) -> None:
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Escape)


def go_to_panel(window: MainWindow, name: str) -> None:
    window.docks[name].show()
    window.docks[name].raise_()
    QApplication.processEvents()
    for _ in PANELS:
        focus = QApplication.focusWidget()
        if focus is not None and (focus is window.panels[name] or window.panels[name].isAncestorOf(focus)):
            return
        window.actions_by_name["next_pane"].trigger()
    raise AssertionError(f"the focus must come to {name}")


@pytest.mark.parametrize("panel", [spec.name for spec in PANELS])
def test_esc_lets_go_from_every_panel(window: MainWindow, panel: str) -> None:
    pin(window)
    go_to_panel(window, panel)
    escape(window)
    chosen = window.selection.chosen
    assert (chosen.is_pinned, chosen.number, chosen.pointed_query, chosen.pointed_number) == (False, None, None, None)
    assert (chosen.query, chosen.key) == (2, 1)


def test_frame_of_the_pinned_cell_goes_and_a_click_brings_it_back(window: MainWindow) -> None:
    pin(window)
    matrix = window.weights.matrix
    window.setFocus()
    framed = matrix.grab().toImage()
    window.actions_by_name["release"].trigger()
    move(matrix, QPointF(1.0, 1.0), is_pressed=False)
    free = matrix.grab().toImage()
    assert free != framed
    assert window.derivation.title == "Why 0.252?"
    click(matrix, cell_place(matrix, 2, 1))
    window.inspecting.begin_again()
    assert window.selection.chosen.is_pinned


def test_drag_on_the_plane_is_taken_back_first(window: MainWindow) -> None:
    pin(window)
    state, canvas = window.session.state, window.plane.canvas
    at = place_of(window, 0)
    press(canvas.viewport(), at)
    before = window.selection.chosen
    move(canvas.viewport(), at + QPointF(30.0, 10.0))
    assert window.session.state is not state
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    assert window.session.state == state
    assert window.selection.chosen.is_pinned == before.is_pinned is True
    release(canvas.viewport(), at)
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    assert not window.selection.chosen.is_pinned


def test_open_editor_is_closed_first(window: MainWindow) -> None:
    pin(window)
    table = window.tokens.table
    table.setFocus()
    table.edit_name(1)
    editor = table.findChild(QLineEdit, "cell_editor")
    assert editor is not None
    QTest.keyClicks(editor, "x")
    pinned = window.selection.chosen.is_pinned
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert table.state() == table.State.NoState
    assert window.session.state.sequence.tokens == ("cat", "dog", "phone")
    assert window.selection.chosen.is_pinned is pinned is True


def test_typed_number_is_given_up_first(window: MainWindow) -> None:
    pin(window)
    box = window.controls.rows["temperature"].box  # type: ignore[attr-defined]  # it is a row of a number
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "7")
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert box.text() == "1"
    assert is_held(window)
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert not window.selection.chosen.is_pinned


def test_typed_sentence_is_given_up_first(window: MainWindow) -> None:
    pin(window)
    line = window.tokens.sentence
    line.setFocus()
    line.selectAll()
    QTest.keyClick(line, Qt.Key.Key_Delete)  # no sentence: it is refused, and stays as typed
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert line.text() == "cat dog phone"
    assert is_held(window)


def test_panel_that_fills_the_window_goes_back_first(window: MainWindow) -> None:
    pin(window)
    window.layout_of_docks.toggle_maximised("weights")
    QApplication.processEvents()
    escape(window)
    assert window.layout_of_docks.maximised is None
    assert is_held(window)
    escape(window)
    assert not window.selection.chosen.is_pinned


def test_whats_this_ends_first(window: MainWindow) -> None:
    pin(window)
    window.actions_by_name["whats_this"].trigger()
    escape(window)
    assert not QWhatsThis.inWhatsThisMode()
    assert is_held(window)
