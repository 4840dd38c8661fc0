"""Nothing needs the mouse: every entry has a key or letters, every panel is gone to, and the focus is seen."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAction, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QTextBrowser, QToolButton, QWidget

from attnviz.app.actions import ACTIONS
from attnviz.app.menus import MENUS
from attnviz.app.mnemonics import with_mnemonics
from attnviz.app.panes import focused_panel
from attnviz.app.window import MainWindow
from tests.app.test_look import focusable, told

_CONTROL, _SHIFT, _ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
Trigger = Callable[..., None]
SEEN = 8  # pixels

# Used once in a while, and reached by letters: Alt+V H D is the dark theme.
WITHOUT_SHORTCUT = {"theme_system", "theme_light", "theme_dark", "end_presentation", "report", "about"}  # Esc ends too


def letter(text: str) -> str:
    return text.replace("&&", "").partition("&")[2][:1].lower()


def entries(menu: QMenu, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], QAction]]:
    found = []
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            found += entries(inner, (*path, inner.title()))
        elif not action.isSeparator():
            found.append((path, action))
    return found


def all_entries(window: MainWindow) -> list[tuple[tuple[str, ...], QAction]]:
    tops = [action.menu() for action in window.menuBar().actions()]
    return [entry for top in tops if isinstance(top, QMenu) for entry in entries(top, (top.title(),))]


# Actions


def test_actions_without_a_shortcut_are_few() -> None:
    assert {spec.name for spec in ACTIONS if not spec.keys} == WITHOUT_SHORTCUT


def test_every_entry_is_reached_by_letters(window: MainWindow) -> None:
    for path, action in all_entries(window):
        assert all(letter(title) for title in path), path
        assert letter(action.text()), (path, action.text())
    assert all("&" in title for _, title, _ in MENUS)


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_letters_lead_to_an_entry_without_a_shortcut(window: MainWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_V, _ALT)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    QTest.keyClick(menu, Qt.Key.Key_H)
    QTest.keyClick(QApplication.activePopupWidget(), Qt.Key.Key_D)
    assert window.appearance.choice == "dark"
    assert QApplication.activePopupWidget() is None


def test_listed_entries_get_letters_of_their_own() -> None:
    assert with_mnemonics(["Raw", "Rows", "Raw & Rows"]) == ["&Raw", "R&ows", "R&aw && Rows"]
    assert with_mnemonics(["a", "b"], "a") == ["a", "&b"]
    assert with_mnemonics(["√d_k", "1/√d_k"]) == ["√&d_k", "&1/√d_k"]


def test_panels_come_and_go_by_their_number(window: MainWindow) -> None:
    window.weights.matrix.setFocus()
    QTest.keyClick(window.weights.matrix, Qt.Key.Key_4, _CONTROL | _ALT)
    assert not window.docks["scores"].isVisible()
    QTest.keyClick(window.weights.matrix, Qt.Key.Key_4, _CONTROL | _ALT)
    assert window.docks["scores"].isVisible()


def test_scenes_are_opened_from_their_menu(window: MainWindow) -> None:
    action = window.findChild(QAction, "scene_s3-temperature")
    assert action is not None
    action.trigger()
    assert window.session.state.title == "Temperature"
    assert window.scene_box.currentText() == "Temperature"


def test_cheat_sheet_holds_every_shortcut_of_the_menus(window: MainWindow) -> None:
    window.actions_by_name["causal"].trigger()
    window.actions_by_name["shortcuts"].trigger()
    page = window.findChild(QTextBrowser)
    assert isinstance(page, QTextBrowser)
    text = page.toPlainText()
    for _, action in all_entries(window):
        if not action.shortcut().isEmpty() and action.objectName() not in {"undo", "redo", "close"}:
            assert action.shortcut().toString() in text, action.text()
    assert re.search(r"\bUndo\b(?! Set)", text)


# What only buttons, menus of a panel or keys in a panel did


@pytest.fixture
def trigger(window: MainWindow) -> Trigger:
    def run(*names: str) -> None:
        for name in names:
            window.actions_by_name[name].trigger()
            QApplication.processEvents()

    return run


def test_tokens_are_moved_and_copied_and_pasted(window: MainWindow, trigger: Trigger) -> None:
    window.selection.choose_token("sequence", 0, is_query=True)
    trigger("token_up")  # there is none before
    assert window.session.state.sequence.tokens == ("cat", "dog", "phone")
    trigger("token_down", "token_down", "token_down")
    assert window.session.state.sequence.tokens == ("dog", "phone", "cat")
    trigger("token_up")
    assert window.session.state.sequence.tokens == ("dog", "cat", "phone")
    assert window.selection.chosen.token == 1
    trigger("copy_tokens")
    assert QGuiApplication.clipboard().text().startswith("cat\t")
    trigger("paste_tokens")
    assert window.session.state.sequence.tokens == ("dog", "cat", "cat", "phone")


def test_token_is_renamed_from_anywhere(window: MainWindow) -> None:
    window.selection.choose_token("sequence", 2, is_query=True)
    window.weights.matrix.setFocus()
    QTest.keyClick(window.weights.matrix, Qt.Key.Key_F2)
    editor = QApplication.focusWidget()
    QTest.keyClicks(editor, "horse")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert window.session.state.sequence.tokens == ("cat", "dog", "horse")


def test_other_list_is_chosen_where_there_is_one(window: MainWindow, trigger: Trigger) -> None:
    trigger("other_list")
    assert "one list" in window.message
    window.documents.open_preset("s5")
    assert window.session.state.context is not None
    trigger("other_list")
    assert (window.tokens.side, window.selection.chosen.side) == ("context", "context")
    trigger("other_list")
    assert window.tokens.side == "sequence"


def test_derivation_is_copied(window: MainWindow, trigger: Trigger) -> None:
    QGuiApplication.clipboard().clear()
    trigger("copy_derivation")
    assert "0.388" in QGuiApplication.clipboard().text()


def test_film_is_driven_from_anywhere(window: MainWindow, trigger: Trigger) -> None:
    window.weights.matrix.setFocus()
    trigger("film_forward", "film_forward", "film_back")
    film = window.film.body
    assert window.docks["film"].isVisible()
    assert film.step.index == 1
    trigger("film_last")
    assert film.step.index == len(film.script) - 1
    trigger("film_previous_stage")
    assert film.step.index == film.script.chapters[-1].start
    trigger("film_first", "film_next_stage")
    assert film.step.index == film.script.chapters[1].start
    trigger("film_faster")
    assert film.player.speed == 2.0
    trigger("film_slower", "film_slower", "film_slower", "film_slower")
    assert film.player.speed == 0.25
    trigger("film_loop")
    assert film.is_looping
    trigger("film_next_query")
    assert window.selection.chosen.query == 1
    trigger("film_previous_query", "film_previous_query")
    assert window.selection.chosen.query == 0
    assert film.transport.extent.choice == "one"
    trigger("film_rows")
    assert film.transport.extent.choice == "all"
    trigger("film_rows", "film_loop", "film_faster", "film_faster")
    assert (film.transport.extent.choice, film.is_looping, film.player.speed) == ("one", False, 1.0)


def test_inspector_is_driven_from_anywhere(window: MainWindow, trigger: Trigger) -> None:
    trigger("explain_number")
    sheet = window.inspector.body.sheet
    QTest.keyClick(sheet, Qt.Key.Key_Tab)
    QTest.keyClick(sheet, Qt.Key.Key_Return)
    assert window.inspector.explanation is not None
    operand = window.inspector.explanation.title
    trigger("inspector_back")
    weight = window.inspector.explanation.title
    assert weight != operand
    trigger("inspector_forward")
    assert window.inspector.explanation.title == operand
    trigger("inspector_back", "number_value")
    value = QGuiApplication.clipboard().text()
    assert float(value) == window.session.frame.cells("weights", [0], [1])[0, 0]
    trigger("number_latex")
    assert "\\frac" in QGuiApplication.clipboard().text()
    trigger("number_python")
    assert "import numpy" in QGuiApplication.clipboard().text()
    assert window.inspector.digits.choice == "short"
    trigger("inspector_digits")
    assert window.inspector.digits.choice == "full"
    trigger("inspector_digits")
    assert window.inspector.digits.choice == "short"


def test_temperature_and_key_width_are_stepped(window: MainWindow, trigger: Trigger) -> None:
    trigger("temperature_up", "temperature_up")
    raised = window.session.state.temperature
    assert raised > 1.0
    window.session.undo()
    assert window.session.state.temperature == 1.0  # a burst is one step of undo
    trigger("temperature_down")
    assert window.session.state.temperature < 1.0
    trigger("key_width_up", "key_width_up")
    assert window.session.state.d_k == 4
    trigger("key_width_down")
    assert window.session.state.d_k == 3
    trigger("reset_key_width")
    assert window.session.state.d_k == 2


# Going from panel to panel


def is_in_sight(window: MainWindow, name: str) -> bool:
    dock = window.docks[name]
    return dock.isVisible() and window.rect().contains(dock.geometry())  # Qt puts one behind others far outside


def test_f6_brings_a_panel_behind_another_forward_and_leaves_hidden_ones_out(fresh_window: MainWindow) -> None:
    window = fresh_window
    window.actions_by_name["film"].trigger()
    window.actions_by_name["film"].trigger()
    window.docks["plane"].raise_()
    window.docks["controls"].hide()
    QApplication.processEvents()
    window.plane.canvas.setFocus()
    visited = []
    for _ in range(7):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_F6)
        QApplication.processEvents()
        name = focused_panel(window.panels)
        visited.append(name)
        assert is_in_sight(window, name), name
    assert visited == ["scores", "weights", "derivation", "film", "tokens", "plane", "scores"]
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_F6, _SHIFT)
    assert focused_panel(window.panels) == "plane"
    assert is_in_sight(window, "plane")
    assert not is_in_sight(window, "film")


def test_f6_stays_with_the_panel_that_fills_the_window(window: MainWindow) -> None:
    window.layout_of_docks.toggle_maximised("weights")
    for _ in range(2):
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_F6)
        assert focused_panel(window.panels) == "weights"


# Seeing the focus


def around(widget: QWidget, window: QWidget) -> QImage:
    """Take a picture of a widget and what is closely around it."""
    QApplication.processEvents()
    place = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size()).adjusted(-4, -4, 4, 4)
    return window.grab(place & window.rect()).toImage().convertToFormat(QImage.Format.Format_RGB32)


def difference(one: QImage, other: QImage) -> int:
    """Count the pixels that differ, up to as many as are seen."""
    assert one.size() == other.size()
    places = ((x, y) for y in range(one.height()) for x in range(one.width()) if one.pixel(x, y) != other.pixel(x, y))
    return sum(1 for _ in islice(places, SEEN))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_focus_is_seen_on_everything_that_takes_it(fresh_window: MainWindow, theme: str) -> None:
    window = fresh_window
    window.appearance.use_theme(theme)
    for name in ("film", "inspector"):
        window.docks[name].show()
    window.docks["film"].raise_()
    QApplication.processEvents()
    unseen = []
    for widget in focusable(window):
        if widget.visibleRegion().isEmpty() or not widget.isEnabled():
            continue
        focus = QApplication.focusWidget()
        if focus is not None:
            focus.clearFocus()
        without = around(widget, window)
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        if difference(without, around(widget, window)) < SEEN:
            unseen.append(told(widget))
    assert unseen == []


def test_focus_is_seen_in_the_presentation_bar(window: MainWindow) -> None:
    window.presentation.show_view("weights")
    buttons = [button for button in window.presentation.bar.findChildren(QToolButton) if button.isVisible()]
    assert len(buttons) == 5
    for button in buttons:
        window.weights.matrix.setFocus()
        without = around(button, window)
        button.setFocus(Qt.FocusReason.TabFocusReason)
        assert difference(without, around(button, window)) >= SEEN, button.accessibleName()
    window.presentation.end()
