"""The permutation laboratory in the window: by mouse and keys, nothing edited until it is applied."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviz.app.window import MainWindow
from attnviz.document.permutation import shuffled
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from tests.app.mouse import cell_place, move

_CONTROL, _SHIFT, _ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
LEFT = Qt.MouseButton.LeftButton
DOG_BIT_MAN = ("the", "dog", "bit", "the", "man")


def open_sentence(window: MainWindow, **fields: object) -> None:
    rows = {"the": (0.1, -0.2), "dog": (1.0, 0.5), "bit": (0.25, 1.0), "man": (-0.5, 0.75)}
    sequence = TokenSequence(DOG_BIT_MAN, np.array([rows[word] for word in DOG_BIT_MAN]))
    window.documents.open_state(State(sequence, **fields))  # type: ignore[arg-type]
    QApplication.processEvents()


def test_key_opens_the_panel_and_another_shuffles(window: MainWindow) -> None:
    window.setFocus()
    QTest.keyClick(window, Qt.Key.Key_U, _CONTROL | _SHIFT)
    body = window.permutation.body
    assert window.permutation.isVisible()
    assert body.shuffle_button.hasFocus()
    QTest.keyClick(window, Qt.Key.Key_U, _CONTROL | _ALT)
    assert body.order == shuffled(3, np.random.default_rng(0))
    QTest.keyClick(body.shuffle_button, Qt.Key.Key_Space)
    assert body.order == shuffled(3, np.random.default_rng(1))


def test_trial_edits_nothing_and_apply_makes_one_entry_of_undo(window: MainWindow) -> None:
    before = window.session.state
    window.actions_by_name["permutation_panel"].trigger()
    body = window.permutation.body
    QTest.mouseClick(body.reverse_button, LEFT)
    assert window.session.state is before
    QTest.mouseClick(body.apply_button, LEFT)
    assert window.session.state.sequence.tokens == ("phone", "dog", "cat")
    assert window.session.undo_label == "Reorder Tokens"
    assert body.order == (0, 1, 2)
    window.actions_by_name["undo"].trigger()
    assert window.session.state.is_same(before)
    assert window.session.undo_label is None


def test_dog_bit_man_cannot_be_told_from_man_bit_dog_until_positions_are_put_in(window: MainWindow) -> None:
    open_sentence(window)
    window.actions_by_name["shuffle"].trigger()
    verdict = window.permutation.body.verdict
    assert verdict.text.startswith("Shuffling the tokens shuffles the outputs and nothing else")
    window.wiring.set_scalar("positions", "sinusoidal")
    assert verdict.text.startswith("Sinusoidal positions see the order: the largest difference is ")
    window.wiring.set_scalar("positions", "none")
    window.actions_by_name["causal"].trigger()
    assert verdict.text.startswith("The causal mask sees the order: ")


def test_pointing_at_a_row_lights_the_token_elsewhere(window: MainWindow) -> None:
    window.actions_by_name["permutation_panel"].trigger()
    body = window.permutation.body
    QTest.mouseClick(body.reverse_button, LEFT)
    QApplication.processEvents()
    matrix = body.matrices[1]
    move(matrix, cell_place(matrix, 0, 0), is_pressed=False)
    assert window.tokens.table.pointed_rows == frozenset({2})


def test_hidden_panel_computes_nothing(window: MainWindow) -> None:
    window.actions_by_name["permutation_panel"].trigger()
    body = window.permutation.body
    window.docks["permutation"].hide()
    answers: list[object] = []
    body.trial.compared.connect(answers.append)
    window.wiring.set_scalar("temperature", 2.0)
    assert answers == []
    window.docks["permutation"].show()
    QApplication.processEvents()
    assert len(answers) == 1


def test_another_document_begins_in_order_with_the_first_seed(window: MainWindow) -> None:
    window.actions_by_name["shuffle"].trigger()
    window.documents.open_preset("s1")
    body = window.permutation.body
    assert body.order == (0, 1, 2)
    assert window.permutation.subtitle == ""
    window.actions_by_name["shuffle"].trigger()
    assert window.permutation.subtitle == "shuffled with seed 0"
