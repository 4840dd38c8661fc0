"""Holding a state as A and comparing what follows with it, by mouse and keyboard."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from attnviz.app.window import MainWindow
from attnviz.document.attn_file import decode, encode
from tests.app.mouse import click, move

_CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def settle() -> None:
    for _ in range(3):
        QApplication.processEvents()


@pytest.fixture
def held(window: MainWindow) -> MainWindow:
    """A window in which the first state is A, and the temperature of B is 0.5."""
    QTest.keyClick(window, Qt.Key.Key_B, _CONTROL_SHIFT)
    settle()
    chooser = window.panels["compare"].body.chooser
    chooser.setCurrentIndex(chooser.findData("weight"))
    window.wiring.set_scalar("temperature", 0.5)
    return window


def test_held_state_is_shown_beside_what_follows(held: MainWindow) -> None:
    body = held.panels["compare"].body
    assert body.isVisible()
    assert [snapshot.name for snapshot in held.session.state.snapshots] == ["A"]
    np.testing.assert_array_equal(body.before.trace.weights[0].round(6), [0.432425, 0.388908, 0.178667])
    assert body.subtitle.startswith("largest difference ")
    assert held.session.undo_label == "Set Temperature"


def test_plane_shows_the_outputs_of_a_as_long_as_the_panel_is_seen(held: MainWindow) -> None:
    scene = held.plane.canvas.tokens.scene
    np.testing.assert_array_equal(scene.compared.round(6)[0], [0.654218, 0.628224])
    assert held.plane.subtitle.endswith("dotted: those of A")
    held.docks["compare"].hide()
    settle()
    assert held.plane.canvas.tokens.scene.compared is None


def test_going_back_and_undoing_it(held: MainWindow) -> None:
    body = held.panels["compare"].body
    click(body.restore_button, QPointF(body.restore_button.rect().center()))
    assert held.session.state.temperature == 1.0
    assert len(held.session.state.snapshots) == 1
    assert body.subtitle == "the weights of A and B are the same to the last bit"
    held.session.undo()
    assert held.session.state.temperature == 0.5


def test_second_one_becomes_a_and_the_first_can_be_chosen_by_key(held: MainWindow) -> None:
    body = held.panels["compare"].body
    click(body.hold_button, QPointF(body.hold_button.rect().center()))
    assert [body.list.item(row).text() for row in range(2)] == ["A", "B"]
    assert body.before.state.temperature == 0.5
    body.list.setFocus()
    QTest.keyClick(body.list, Qt.Key.Key_Left)
    assert body.before.state.temperature == 1.0


def test_snapshot_is_renamed_in_place(held: MainWindow) -> None:
    body = held.panels["compare"].body
    body.list.setFocus()
    QTest.keyClick(body.list, Qt.Key.Key_F2)
    editor = body.list.findChild(QLineEdit)
    editor.setText("warm")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    settle()
    assert held.session.state.snapshots[0].name == "warm"
    assert body.list.item(0).text() == "warm"
    assert held.session.undo_label == "Rename “A”"


def test_empty_name_is_refused_and_the_old_one_stays(held: MainWindow) -> None:
    body = held.panels["compare"].body
    body.list.setFocus()
    QTest.keyClick(body.list, Qt.Key.Key_F2)
    editor = body.list.findChild(QLineEdit)
    editor.setText(" ")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    settle()
    assert body.list.item(0).text() == "A"
    assert "a snapshot must have a name of one line" in held.message


def test_snapshot_is_forgotten_by_key(held: MainWindow) -> None:
    body = held.panels["compare"].body
    body.list.setFocus()
    QTest.keyClick(body.list, Qt.Key.Key_Delete)
    assert held.session.state.snapshots == ()
    assert body.before is None
    assert held.plane.canvas.tokens.scene.compared is None


def test_other_shapes_are_explained_and_a_and_b_still_shown(held: MainWindow) -> None:
    held.wiring.insert_token("sequence", 3)
    body = held.panels["compare"].body
    assert body.subtitle == "B − A needs matrices of one shape, got 3 × 3 in A and 4 × 4 in B"
    assert [view.isVisible() for view in body.matrices] == [True, True, False]


def test_every_matrix_can_be_compared(held: MainWindow) -> None:
    body = held.panels["compare"].body
    for row, name in enumerate(("score", "scaled", "weight", "output")):
        body.chooser.setFocus()
        QTest.keyClick(body.chooser, Qt.Key.Key_Home)
        for _ in range(row):
            QTest.keyClick(body.chooser, Qt.Key.Key_Down)
        assert body.matrix.name == name
        assert all(view.isVisible() for view in body.matrices)


def test_pointing_lights_the_cell_in_all_three_and_in_the_heatmaps(held: MainWindow) -> None:
    body = held.panels["compare"].body
    settle()
    view = body.matrices[1]
    move(view, view.cell_rect(1, 2).center(), is_pressed=False)
    assert (held.selection.chosen.pointed_query, held.selection.chosen.pointed_key) == (1, 2)
    assert all(view._highlight.row == 1 and view._highlight.column == 2 for view in body.matrices)


def test_snapshots_are_saved_with_the_document(held: MainWindow) -> None:
    again = decode(encode(held.session.state), "f")
    assert again.snapshots[0].state.temperature == 1.0
