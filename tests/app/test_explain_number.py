"""The inspector in the window: brought by its shortcut, told of in the status bar, following edits."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviz.app.window import MainWindow
from attnviz.document.number_ref import NumberRef
from attnviz.views.text_line import TextLine


def explain_by_key(window: MainWindow) -> None:
    window.plane.setFocus()
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(window.plane.canvas, Qt.Key.Key_I, modifiers)
    QApplication.processEvents()


def shown_lines(window: MainWindow) -> list[str]:
    return window.inspector.body.sheet.text.splitlines()


def test_shortcut_brings_the_inspector_with_the_chosen_weight(window: MainWindow) -> None:
    window.selection.pin_cell(2, 1)
    explain_by_key(window)
    assert window.docks["inspector"].isVisible()
    assert shown_lines(window)[0] == "weight of dog for query phone"
    assert window.inspector.body.sheet.hasFocus()


def test_shortcut_leaves_a_number_that_was_followed(window: MainWindow) -> None:
    explain_by_key(window)
    QTest.keyClick(window.inspector.body.sheet, Qt.Key.Key_Return)
    assert shown_lines(window)[0] == "exponential of dog for query cat"
    explain_by_key(window)
    assert shown_lines(window)[0] == "weight of dog for query cat"


def test_it_brings_the_panels_back_when_another_one_fills_the_window(window: MainWindow) -> None:
    window.layout_of_docks.toggle_maximised("plane")
    explain_by_key(window)
    assert window.docks["inspector"].isVisible()
    assert window.layout_of_docks.maximised is None


def test_an_edit_shows_in_the_explained_number(window: MainWindow) -> None:
    explain_by_key(window)
    window.inspector.show_number(NumberRef("multiplier"))
    window.wiring.set_scalar("temperature", 2.0)
    assert shown_lines(window)[2:4] == ["= 1 ÷ (2.000 · √2)", "= 0.354"]


def test_a_copy_is_told_in_the_status_bar(window: MainWindow) -> None:
    explain_by_key(window)
    window.inspector.body.copy_bar.buttons["latex"].click()
    assert any(line.text == "Derivation copied as LaTeX." for line in window.statusBar().findChildren(TextLine))


def test_it_leaves_the_stages_their_height(fresh_window: MainWindow) -> None:
    fresh_window.resize(1920, 1080)
    fresh_window.actions_by_name["stages"].trigger()
    QApplication.processEvents()
    stages = fresh_window.docks["stages"]
    fresh_window.stages.body.toggle("weight")
    QApplication.processEvents()
    height = stages.height()
    explain_by_key(fresh_window)
    QApplication.processEvents()
    assert fresh_window.docks["inspector"].isVisible()
    assert stages.height() >= height - 8


def test_it_opens_with_room_for_the_whole_explanation(fresh_window: MainWindow) -> None:
    explain_by_key(fresh_window)
    sheet = fresh_window.inspector.body.sheet
    assert all(sheet.visibleRegion().contains(place) for _, place in sheet.text_rectangles())
