"""Cross-attention in the window: one click there and back, both lists kept, shapes in sight."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviz.app.window import MainWindow
from attnviz.document.presets import load_preset
from tests.app.mouse import click, middle_of
from tests.document.states import cross_state

_CONTROL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def test_one_click_makes_a_copy_to_edit_and_one_more_goes_back(window: MainWindow) -> None:
    before = window.session.state
    click(window.tokens.cross_switch, middle_of(window.tokens.cross_switch))
    state = window.session.state
    assert state.context is not None
    assert state.context.is_same(before.sequence)
    assert window.tokens.side == "context"
    assert "copy of the queries" in window.message
    assert window.actions_by_name["cross"].isChecked()
    click(window.tokens.cross_switch, middle_of(window.tokens.cross_switch))
    assert window.session.state.is_same(before)
    assert not window.actions_by_name["cross"].isChecked()
    assert window.tokens.side == "sequence"


def test_edited_keys_come_back_after_self_attention(window: MainWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_X, _CONTROL | _SHIFT)
    window.tokens.sentence.setFocus()
    window.tokens.sentence.selectAll()
    QTest.keyClicks(window.tokens.sentence, "north south")
    edited = window.session.state
    assert edited.context is not None
    assert edited.context.tokens == ("north", "south")
    QTest.keyClick(window, Qt.Key.Key_X, _CONTROL | _SHIFT)
    assert window.session.state.context is None
    assert "kept aside" in window.message
    assert window.session.undo_label == "Self-Attention"
    QTest.keyClick(window, Qt.Key.Key_X, _CONTROL | _SHIFT)
    assert window.session.state.is_same(edited)
    assert "as it was" in window.message


@pytest.mark.parametrize("n_keys", [3, 40])
def test_every_panel_follows_there_and_back(window: MainWindow, n_keys: int) -> None:
    window.documents.open_state(cross_state(3, n_keys, 2))
    for dock in window.docks.values():
        dock.show()
    for _ in range(3):
        window.actions_by_name["cross"].trigger()
        QApplication.processEvents()
    assert window.session.state.context is None
    assert not window.grab().isNull()


def test_shapes_are_in_sight_in_cross_attention_only(window: MainWindow) -> None:
    shapes = window.tool_bar.shapes
    assert shapes.text == ""
    window.documents.open_state(cross_state(3, 5, 2))
    QApplication.processEvents()
    assert "Q 3×2" in shapes.text
    assert "Kᵀ 2×5" in shapes.text
    window.wiring.set_scalar("d_k", 4)
    assert "Kᵀ 4×5" in shapes.text
    window.actions_by_name["cross"].trigger()
    assert shapes.text == ""


def test_scene_with_two_lists_saves_its_spare_one(window: MainWindow) -> None:
    window.documents.open_preset("s5")
    window.actions_by_name["cross"].trigger()
    spare = load_preset("s5").context
    assert spare is not None
    assert spare.is_same(window.session.state.spare)
    assert window.session.is_modified
    window.actions_by_name["cross"].trigger()
    assert not window.session.is_modified
