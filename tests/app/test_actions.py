"""Every action of the table: explained, reachable by mouse and keyboard, and harmless in a fresh window."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QTextBrowser, QToolButton, QWhatsThis, QWidget
from pytestqt.qtbot import QtBot

from attnviz.app.actions import ACTIONS
from attnviz.app.documents import Answer
from attnviz.app.window import MainWindow
from attnviz.document.state import SCALARS
from attnviz.views.text_line import TextLine
from tests.app.conftest import answers_of

NAMES = [spec.name for spec in ACTIONS]
_CONTROL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def top_menus(window: MainWindow) -> list[QMenu]:
    return [action.menu() for action in window.menuBar().actions()]


def walk(menu: QMenu) -> Iterator[QAction]:
    for action in menu.actions():
        submenu = action.menu()
        if isinstance(submenu, QMenu):
            yield from walk(submenu)
        elif not action.isSeparator():
            yield action


def mnemonic(text: str) -> str | None:
    place = text.replace("&&", "").find("&")
    return None if place < 0 else text.replace("&&", "")[place + 1].lower()


def test_names_are_unique_and_each_has_a_handler(window: MainWindow) -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert [spec.name for spec in ACTIONS if not callable(window.commands.handler(spec))] == []


def test_every_action_is_explained_and_in_a_menu(window: MainWindow) -> None:
    reachable = {action.objectName() for menu in top_menus(window) for action in walk(menu)}
    assert set(NAMES) <= reachable
    for menu in top_menus(window):
        for action in walk(menu):
            assert action.statusTip(), action.text()
            assert action.toolTip(), action.text()


def test_no_menu_is_empty(window: MainWindow) -> None:
    assert all(any(True for _ in walk(menu)) for menu in top_menus(window))


def test_each_mnemonic_stands_once_in_its_menu(window: MainWindow) -> None:
    menus = [window.menuBar(), *window.findChildren(QMenu)]
    for menu in menus:
        letters = Counter(mnemonic(action.text()) for action in menu.actions() if not action.isSeparator())
        letters.pop(None, None)
        assert [letter for letter, count in letters.items() if count > 1] == [], menu.objectName()


def test_every_action_of_the_table_has_a_mnemonic() -> None:
    assert [spec.name for spec in ACTIONS if mnemonic(spec.text) is None] == []


def test_no_shortcut_belongs_to_two_actions(window: MainWindow) -> None:
    keys = Counter(key.toString() for action in window.findChildren(QAction) for key in action.shortcuts())
    assert [key for key, count in keys.items() if count > 1] == []


def test_an_ellipsis_stands_exactly_where_input_follows() -> None:
    asking = {spec.name for spec in ACTIONS if spec.text.endswith("…")}
    assert asking == {
        "gallery",
        "open",
        "import_embeddings",
        "import_mask",
        "save_as",
        "export_figure",
        "export_numbers",
        "preferences",
        "palette",
        "pin_number",
    }


def test_tooltip_names_the_shortcut(window: MainWindow) -> None:
    for action in window.actions_by_name.values():
        if not action.shortcut().isEmpty():
            assert action.shortcut().toString(QKeySequence.SequenceFormat.NativeText) in action.toolTip()


@pytest.mark.parametrize("half", [0, 1])
def test_triggering_any_of_them_in_a_fresh_window_does_no_harm(fresh_window: MainWindow, half: int) -> None:
    window = fresh_window
    before = window.session.state
    for name in NAMES[half::2]:
        window.actions_by_name[name].trigger()
        QApplication.processEvents()
        for dialog in window.findChildren(QDialog):
            dialog.close()
        QWhatsThis.leaveWhatsThisMode()
        window.session.undo()
        assert window.session.state.is_same(before), name
        window.showNormal()


def test_no_action_is_moved_by_its_name_on_a_mac(window: MainWindow) -> None:
    roles = {action.menuRole() for menu in top_menus(window) for action in walk(menu)}
    assert QAction.MenuRole.TextHeuristicRole not in roles


def test_menu_entry_says_what_undo_and_redo_would_do(window: MainWindow) -> None:
    undo, redo = window.actions_by_name["undo"], window.actions_by_name["redo"]
    assert not undo.isEnabled()
    window.actions_by_name["causal"].trigger()
    assert (undo.text(), redo.isEnabled()) == ("&Undo Set Causal Mask", False)
    undo.trigger()
    assert (redo.text(), undo.isEnabled()) == ("&Redo Set Causal Mask", False)
    redo.trigger()
    assert window.session.state.is_causal


def test_tool_bar_names_the_edit_too(window: MainWindow) -> None:
    window.actions_by_name["causal"].trigger()
    assert any("Undo Set Causal Mask" in button.text() for button in window.findChildren(QToolButton))


@pytest.mark.parametrize(
    ("key", "modifiers", "name"),
    [
        (Qt.Key.Key_K, _CONTROL, "causal"),
        (Qt.Key.Key_1, _CONTROL, "scores_raw"),
        (Qt.Key.Key_3, _CONTROL, "scores_masked"),
        (Qt.Key.Key_Return, _CONTROL, "add_token"),
        (Qt.Key.Key_Equal, _CONTROL, "font_larger"),
        (Qt.Key.Key_Plus, _CONTROL, "font_larger"),
        (Qt.Key.Key_E, _CONTROL | _SHIFT, "export_numbers"),
        (Qt.Key.Key_F6, Qt.KeyboardModifier.NoModifier, "next_pane"),
    ],
)
def test_shortcut_reaches_its_action(
    window: MainWindow, qtbot: QtBot, key: Qt.Key, modifiers: Qt.KeyboardModifier, name: str
) -> None:
    window.activateWindow()
    window.plane.setFocus()
    with qtbot.waitSignal(window.actions_by_name[name].triggered, timeout=1000):
        QTest.keyClick(window.plane.canvas, key, modifiers)


def test_undo_and_redo_by_key(window: MainWindow) -> None:
    before = window.session.state
    window.plane.setFocus()
    QTest.keyClick(window.plane.canvas, Qt.Key.Key_K, _CONTROL)
    after = window.session.state
    assert after.is_causal
    QTest.keyClick(window.plane.canvas, Qt.Key.Key_Z, _CONTROL)
    assert window.session.state.is_same(before)
    QTest.keyClick(window.plane.canvas, Qt.Key.Key_Y, _CONTROL)
    assert window.session.state.is_same(after)
    QTest.keyClick(window.plane.canvas, Qt.Key.Key_Z, _CONTROL)
    QTest.keyClick(window.plane.canvas, Qt.Key.Key_Z, _CONTROL | _SHIFT)
    assert window.session.state.is_same(after)


def test_a_tip_of_the_menu_gives_way_to_a_message(window: MainWindow) -> None:
    window.statusBar().showMessage("Take the last edit back.")
    window.tell("That did not work.")
    assert window.statusBar().currentMessage() == ""
    shown = [line.text for line in window.statusBar().findChildren(TextLine) if line.isVisible()]
    assert "That did not work." in shown


def test_check_marks_follow_the_document_and_the_sweep(window: MainWindow) -> None:
    window.actions_by_name["sweep"].trigger()
    assert window.actions_by_name["sweep"].isChecked()
    window.controls.stop_sweep()
    assert not window.actions_by_name["sweep"].isChecked()
    window.wiring.set_scalar("causal", True)
    window.wiring.set_scalar("scale", "d_k")
    assert window.actions_by_name["causal"].isChecked()
    scales = [a for menu in top_menus(window) for a in walk(menu) if a.objectName().startswith("scale_")]
    assert [action.objectName() for action in scales if action.isChecked()] == ["scale_d_k"]
    assert window.actions_by_name["theme_light"].isChecked()
    window.actions_by_name["theme_dark"].trigger()
    assert window.appearance.theme.name == "dark"
    assert not window.actions_by_name["theme_light"].isChecked()


def test_scale_rule_of_the_menu_goes_into_the_document(window: MainWindow) -> None:
    scales = [a for menu in top_menus(window) for a in walk(menu) if a.objectName().startswith("scale_")]
    for action in scales:
        action.trigger()
        assert window.session.state.scale == action.data()


def test_close_asks_and_cancel_keeps_the_window(window: MainWindow) -> None:
    window.actions_by_name["causal"].trigger()
    answers_of(window).unsaved = Answer.CANCEL
    window.actions_by_name["close"].trigger()
    assert window.isVisible()
    assert answers_of(window).asked == ["unsaved Cat, dog, phone"]


def test_help_pages_open_and_hold_every_shortcut(window: MainWindow) -> None:
    for name in ("contents", "shortcuts", "about"):
        window.actions_by_name[name].trigger()
        dialog = window.findChild(QDialog, f"help_{name}")
        assert dialog is not None
        assert dialog.isVisible()
        dialog.close()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_contents_explain_every_choice_of_every_setting(window: MainWindow) -> None:
    window.actions_by_name["contents"].trigger()
    dialog = window.findChild(QDialog, "help_contents")
    assert dialog is not None
    page = dialog.findChild(QTextBrowser)
    assert page is not None
    text = " ".join(page.toPlainText().split())
    choices = [(scalar.label, *choice) for scalar in SCALARS.values() for choice in scalar.choices]
    assert len(choices) >= 30
    missing = [choice for choice in choices if " ".join(f"• {choice[2]} {choice[1]}: {choice[3]}".split()) not in text]
    assert missing == []
    dialog.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_f6_visits_every_panel_and_comes_back(fresh_window: MainWindow) -> None:
    window = fresh_window
    window.plane.setFocus()
    visited = []
    for _ in range(7):
        visited.append(focused_panel(window))
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_F6)
    assert visited[:-1] == ["plane", "scores", "weights", "derivation", "tokens", "controls"]
    assert visited[-1] == "plane"
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_F6, _SHIFT)
    assert focused_panel(window) == "plane"


def test_tab_goes_through_the_panels_in_the_order_they_stand(fresh_window: MainWindow) -> None:
    window = fresh_window
    window.tokens.sentence.setFocus()
    first, visited = QApplication.focusWidget(), []
    for _ in range(100):
        panel = focused_panel(window)
        if panel and panel not in visited:
            visited.append(panel)
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        if QApplication.focusWidget() is first:
            break
    assert QApplication.focusWidget() is first
    assert visited == [name for name, panel in window.panels.items() if panel.isVisible()]
    assert len(visited) == 6


def focused_panel(window: MainWindow) -> str:
    focus: QWidget | None = QApplication.focusWidget()
    for name, panel in window.panels.items():
        if focus is not None and (panel is focus or panel.isAncestorOf(focus)):
            return name
    return ""


def test_every_choice_of_the_document_is_made_in_the_menu(window: MainWindow) -> None:
    entries = {a.objectName(): a for menu in top_menus(window) for a in walk(menu)}
    window.wiring.set_scalar("d_k", 2)
    choices = {name: scalar for name, scalar in SCALARS.items() if scalar.kind == "choice"}
    for name, scalar in choices.items():
        for choice, _, _ in scalar.choices:
            entries[f"{scalar.key}_{choice}"].trigger()
            assert getattr(window.session.state, name) == choice
            assert [c for c, _, _ in scalar.choices if entries[f"{scalar.key}_{c}"].isChecked()] == [choice]
    assert len(choices) == 7


def test_every_switch_of_the_document_is_in_the_menu(window: MainWindow) -> None:
    entries = {a.objectName(): a for menu in top_menus(window) for a in walk(menu)}
    switches = {name: scalar for name, scalar in SCALARS.items() if scalar.kind == "switch"}
    assert set(switches) == {"has_sink", "is_tied", "is_bidirectional"}
    for name, scalar in switches.items():
        before = getattr(window.session.state, name)
        entries[f"switch_{scalar.key}"].trigger()
        assert getattr(window.session.state, name) is not before
        assert entries[f"switch_{scalar.key}"].isChecked() is not before


def test_choice_that_is_refused_is_not_checked(window: MainWindow) -> None:
    entries = {a.objectName(): a for menu in top_menus(window) for a in walk(menu)}
    window.wiring.set_scalar("d_k", 3)
    entries["positions_rotary"].trigger()
    assert window.session.state.positions == "none"
    assert entries["positions_none"].isChecked()
    assert not entries["positions_rotary"].isChecked()
    assert "even" in window.message
