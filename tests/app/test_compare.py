"""Holding a state as A and comparing what follows with it, by mouse and keyboard."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from attnviz.app.window import MainWindow
from attnviz.document.attn_file import decode, encode
from attnviz.document.errors import DocumentError
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


def test_choice_by_click_is_told_once_and_what_is_shown_from_elsewhere_is_no_choice(held: MainWindow) -> None:
    body = held.panels["compare"].body
    told: list[int] = []
    body.list.snapshot_chosen.connect(told.append)
    click(body.hold_button, QPointF(body.hold_button.rect().center()))
    settle()
    assert told == []
    box = body.list.visualItemRect(body.list.item(0))
    click(body.list.viewport(), QPointF(box.center()))
    assert told == [0]
    assert body.before.state.temperature == 1.0
    click(body.list.viewport(), QPointF(box.center()))
    assert told == [0]


def test_snapshot_that_overflows_is_refused_once_in_the_panel(held: MainWindow, monkeypatch) -> None:
    body = held.panels["compare"].body
    asked: list[object] = []

    def refuse(state):
        asked.append(state)
        raise DocumentError("the scores must be finite, got some that overflow")

    monkeypatch.setattr("attnviz.views.compare.compare_body.compute", refuse)
    told: list[str] = []
    body.refused.connect(told.append)
    click(body.hold_button, QPointF(body.hold_button.rect().center()))
    for temperature in (0.6, 0.7, 0.8):
        held.wiring.set_scalar("temperature", temperature)
    assert len(asked) == 1
    assert told == []
    assert body.instead.isVisible()
    assert body.instead.text() == "A: B cannot be shown: the scores must be finite, got some that overflow"
    assert not held.plane.subtitle.endswith("dotted: those of A")
    body.list.setFocus()
    QTest.keyClick(body.list, Qt.Key.Key_Left)
    assert told == ["the scores must be finite, got some that overflow"]


def test_headings_say_which_head_is_shown_where_a_has_fewer(held: MainWindow) -> None:
    body = held.panels["compare"].body
    held.wiring.set_scalar("heads", 2)
    held.session.show_head(1)
    settle()
    assert [heading.text for heading in body.headings[:2]] == ["A, head 1 of 1", "B: now, head 2 of 2"]
    body.chooser.setCurrentIndex(body.chooser.findData("output"))
    body._show()
    assert [heading.text for heading in body.headings[:2]] == ["A", "B: now"]
    assert body.matrix.name == "layer_output"
    assert not body.subtitle.startswith("head")
