"""The command palette: finds by a few letters, runs as the menu does, and leaves no trace when it closes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviz.app.actions import ACTIONS
from attnviz.app.command_palette import CommandPalette
from attnviz.app.palette_entries import entries_of
from attnviz.app.window import MainWindow
from attnviz.document import edits
from attnviz.document.state import SCALARS
from attnviz.views.panels import PANELS

_CONTROL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def palette(window: MainWindow) -> Iterator[CommandPalette]:
    window.weights.matrix.setFocus()
    QTest.keyClick(window.weights.matrix, Qt.Key.Key_P, _CONTROL | _SHIFT)
    palette = window.commands.help.command_palette
    assert palette.isVisible()
    yield palette
    palette.close_again()


def names(palette: CommandPalette) -> list[str]:
    return [entry.name for entry, _ in palette.rows.rows]


def type_in(palette: CommandPalette, text: str) -> None:
    palette.line.selectAll()
    QTest.keyClicks(palette.line, text)


def press(palette: CommandPalette, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(palette.line, key)


def test_it_offers_every_action_every_panel_and_every_choice(window: MainWindow, palette: CommandPalette) -> None:
    offered = {entry.action.objectName() for entry, _ in palette.rows.rows}
    assert {spec.name for spec in ACTIONS} <= offered
    assert {f"panel_{spec.name}" for spec in PANELS} <= offered
    for scalar in SCALARS.values():
        assert {f"{scalar.key}_{name}" for name, _, _ in scalar.choices} <= offered
        assert scalar.kind != "switch" or f"switch_{scalar.key}" in offered


def test_a_row_tells_menu_text_shortcut_and_check_mark(window: MainWindow, palette: CommandPalette) -> None:
    type_in(palette, "masked")
    entry = palette.rows.rows[0][0]
    assert (entry.path, entry.text, entry.keys, entry.is_checked) == (
        "View › Heatmaps",
        "Scores: Masked",
        "Ctrl+3",
        False,
    )
    type_in(palette, "theme light")
    entry = palette.rows.rows[0][0]
    assert (entry.path, entry.text, entry.is_checked) == ("View › Theme", "Light", True)
    assert entry.sentence == "Light, View › Theme, switched on"


@pytest.mark.parametrize(
    ("typed", "found"), [("150", "Larger"), ("150 %", "Larger"), ("80%", "Smaller"), ("100", "Normal")]
)
def test_a_size_of_text_is_found_by_its_number(palette: CommandPalette, typed: str, found: str) -> None:
    type_in(palette, typed)
    assert f"View › Font Size › {found}" in names(palette)


def test_letters_that_match_are_lit(palette: CommandPalette) -> None:
    type_in(palette, "vtd")
    entry, lit = palette.rows.rows[0]
    assert [entry.name[place] for place in sorted(lit)] == ["V", "T", "D"]
    assert entry.name == "View › Theme › Dark"


def test_enter_runs_what_was_found_and_gives_the_focus_back_first(window: MainWindow, palette: CommandPalette) -> None:
    type_in(palette, "maximise")
    press(palette, Qt.Key.Key_Return)
    assert not palette.isVisible()
    assert window.layout_of_docks.maximised == "weights"  # the panel that had the focus
    assert QApplication.focusWidget() is window.weights.matrix


def test_arrows_and_tab_go_round_the_list(palette: CommandPalette) -> None:
    type_in(palette, "theme")
    count = len(palette.rows.rows)
    assert count >= 3
    press(palette, Qt.Key.Key_Down, Qt.Key.Key_Tab)
    assert palette.view.currentIndex().row() == 2
    press(palette, Qt.Key.Key_Up, Qt.Key.Key_Backtab, Qt.Key.Key_Up)
    assert palette.view.currentIndex().row() == count - 1
    press(palette, Qt.Key.Key_PageUp)
    assert palette.view.currentIndex().row() == max(0, count - 1 - 8)
    assert palette.line.hasFocus()


def test_escape_closes_and_gives_the_focus_back(window: MainWindow, palette: CommandPalette) -> None:
    press(palette, Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert QApplication.focusWidget() is window.weights.matrix


def test_the_shortcut_closes_it_too(window: MainWindow, palette: CommandPalette) -> None:
    QTest.keyClick(palette.line, Qt.Key.Key_P, _CONTROL | _SHIFT)
    assert not palette.isVisible()
    assert QApplication.focusWidget() is window.weights.matrix


def test_a_click_beside_it_closes_and_a_click_on_a_row_runs(window: MainWindow, palette: CommandPalette) -> None:
    type_in(palette, "causal mask")
    middle = palette.view.visualRect(palette.rows.index(0)).center()
    QTest.mouseClick(palette.view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle)
    assert window.session.state.is_causal
    assert not palette.isVisible()
    window.actions_by_name["palette"].trigger()
    assert palette.isVisible()
    QTest.mouseClick(window.statusBar(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(5, 5))
    assert not palette.isVisible()


def test_what_cannot_be_run_says_so_and_stays(window: MainWindow, palette: CommandPalette) -> None:
    type_in(palette, "undo")
    assert palette.current is not None
    assert not palette.current.is_enabled
    assert palette.current.sentence == "Undo, Edit, not available now, Ctrl+Z"
    press(palette, Qt.Key.Key_Return)
    assert palette.isVisible()
    assert palette.tip.text == "Undo is not available now."


def test_nothing_found_is_said_with_what_to_try(palette: CommandPalette) -> None:
    type_in(palette, "xyzzy")
    assert names(palette) == []
    assert palette.empty.isVisible()
    assert "“xyzzy”" in palette.empty.text()
    assert palette.empty.textFormat() == Qt.TextFormat.PlainText
    press(palette, Qt.Key.Key_Return, Qt.Key.Key_Down)
    assert palette.isVisible()
    type_in(palette, "undo")
    assert palette.view.isVisible()


def test_it_shows_actions_as_they_are_when_it_opens(window: MainWindow) -> None:
    window.wiring.apply(edits.rename_token, "sequence", 0, "<b>x</b> & y", label="Rename “<b>x</b> & y”")
    texts = [entry.text for entry in entries_of(window.menuBar())]
    assert "Undo Rename “<b>x</b> & y”" in texts


def test_current_row_is_told_to_screen_readers(palette: CommandPalette) -> None:
    type_in(palette, "play film")
    assert palette.line.accessibleDescription() == "Play Film, View, Ctrl+Space"
    assert palette.rows.data(palette.rows.index(0), Qt.ItemDataRole.AccessibleTextRole) == "Play Film, View, Ctrl+Space"
    assert palette.line.accessibleName()
    assert palette.view.accessibleName()


def test_it_lies_inside_the_window_at_every_size_of_text(window: MainWindow, palette: CommandPalette) -> None:
    for percent in (80, 150, 200):
        window.appearance.use_font(percent)
        QApplication.processEvents()
        type_in(palette, "e")
        assert window.rect().contains(palette.geometry())
        assert palette.view.height() >= 4 * palette.view.sizeHintForRow(0)
    window.resize(1300, 820)
    assert abs(palette.geometry().center().x() - window.rect().center().x()) <= 1


def test_every_row_is_drawn_inside_the_list(window: MainWindow, palette: CommandPalette) -> None:
    window.appearance.use_theme("dark")
    QApplication.processEvents()
    image = palette.view.viewport().grab().toImage()
    ground = image.pixelColor(image.width() - 2, image.height() // 2)
    assert ground.lightness() < 128
    columns = [image.pixelColor(x, y) for x in (0, image.width() - 1) for y in range(0, image.height(), 3)]
    assert {colour.rgb() for colour in columns} == {ground.rgb()}


def test_closing_twice_and_hidden_actions_do_no_harm(window: MainWindow, palette: CommandPalette) -> None:
    palette.close_again()
    palette.close_again()
    assert palette.current is not None
    assert isinstance(palette.current.action, QAction)
