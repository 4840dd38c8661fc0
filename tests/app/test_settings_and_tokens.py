"""Controls and token editor through to the document: slider, box, switch, menu, sentence, table."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QToolButton
from pytestqt.qtbot import QtBot

from attnviz.app.window import MainWindow
from attnviz.document.frame import compute
from attnviz.document.presets import load_preset
from attnviz.document.state import State
from attnviz.document.tokens import first_embedding
from attnviz.views.controls.log_slider import LogSlider
from attnviz.views.controls.rows import ChoiceRow, NumberRow
from attnviz.views.number_box import NumberBox
from attnviz.views.text_line import TextLine
from attnviz.views.tokens.sentence_line import SentenceLine
from tests.app.conftest import OpenWindow
from tests.app.mouse import click, drag, middle_of
from tests.document.states import cross_state


def number_row(window: MainWindow, name: str) -> NumberRow:
    row = window.controls.rows[name]
    assert isinstance(row, NumberRow)
    return row


def slider_of(window: MainWindow, name: str) -> LogSlider:
    slider = number_row(window, name).slider
    assert slider is not None
    return slider


def type_into(box: NumberBox, text: str) -> None:
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Return)


def state_of(window: MainWindow) -> State:
    return window.session.state


def test_arrow_keys_on_the_slider_change_the_temperature_in_one_entry(window: MainWindow) -> None:
    slider = slider_of(window, "temperature")
    slider.setFocus()
    for _ in range(5):
        QTest.keyClick(slider, Qt.Key.Key_Right)
    assert state_of(window).temperature > 1.0
    assert window.session.undo_label == "Set Temperature"
    window.actions_by_name["undo"].trigger()
    assert state_of(window).temperature == 1.0
    assert window.session.undo_label is None


def test_dragging_the_slider_to_its_end_gives_the_end_in_one_entry(window: MainWindow) -> None:
    slider = slider_of(window, "temperature")
    middle = middle_of(slider)
    drag(slider, middle, QPointF(slider.width() + 30.0, middle.y()), steps=12)
    assert state_of(window).temperature == 100.0
    window.actions_by_name["undo"].trigger()
    assert state_of(window).temperature == 1.0
    assert window.session.undo_label is None


def test_low_temperature_sharpens_to_the_winner_and_high_flattens(window: MainWindow) -> None:
    window.documents.open_preset("s3")
    slider = slider_of(window, "temperature")
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Home)
    np.testing.assert_allclose(window.session.frame.trace.weights[0], [0, 1, 0, 0, 0], atol=1e-9)
    QTest.keyClick(slider, Qt.Key.Key_End)
    np.testing.assert_allclose(window.session.frame.trace.weights[0], 0.2, atol=0.01)


def test_a_typed_value_beyond_the_slider_is_taken_and_shown(window: MainWindow) -> None:
    row = number_row(window, "temperature")
    type_into(row.box, "1000")
    assert state_of(window).temperature == 1000.0
    assert row.box.text() == "1000"
    assert slider_of(window, "temperature").value() == slider_of(window, "temperature").maximum()


@pytest.mark.parametrize("text", ["0", "-1", "nan", "cold", "1e999"])
def test_a_temperature_that_cannot_be_is_refused_in_place(window: MainWindow, text: str) -> None:
    box = number_row(window, "temperature").box
    type_into(box, text)
    assert state_of(window).temperature == 1.0
    assert box.is_invalid
    assert box.toolTip()


def test_reset_brings_the_temperature_back(window: MainWindow) -> None:
    row = number_row(window, "temperature")
    type_into(row.box, "7")
    row.reset_button.click()
    assert state_of(window).temperature == 1.0
    window.actions_by_name["reset_controls"].trigger()
    assert window.session.undo_label == "Set Temperature"


def test_raising_lowering_and_raising_d_k_brings_the_same_columns_back(window: MainWindow) -> None:
    row = number_row(window, "d_k")
    before = window.session.frame.trace.scores
    type_into(row.box, "64")
    raised = window.session.frame.trace.scores
    assert window.session.frame.q.shape == (3, 64)
    type_into(row.box, "2")
    np.testing.assert_array_equal(window.session.frame.trace.scores, before)
    type_into(row.box, "64")
    np.testing.assert_array_equal(window.session.frame.trace.scores, raised)


def test_new_draw_changes_the_drawn_columns_only_and_undo_brings_them_back(window: MainWindow) -> None:
    type_into(number_row(window, "d_k").box, "5")
    before = window.session.frame
    window.controls.redraw_button.click()
    after = window.session.frame
    np.testing.assert_array_equal(after.q[:, :2], before.q[:, :2])
    assert not np.array_equal(after.q[:, 2:], before.q[:, 2:])
    window.actions_by_name["undo"].trigger()
    np.testing.assert_array_equal(window.session.frame.q, before.q)


def test_scale_rule_is_chosen_by_a_click_and_the_multiplier_is_on_screen(window: MainWindow) -> None:
    row = window.controls.rows["scale"]
    assert isinstance(row, ChoiceRow)
    assert row.segments is not None
    buttons = row.segments.findChildren(QToolButton)
    for place, multiplier in ((0, 1.0), (2, 0.5), (1, 2**-0.5)):
        click(buttons[place], middle_of(buttons[place]))
        assert window.session.frame.multiplier == pytest.approx(multiplier, rel=1e-15)
        shown = [line.text for line in window.controls.findChildren(TextLine)]
        assert any(f"{multiplier:.3f}" in text for text in shown)


def test_causal_mask_is_chosen_by_the_arrow_key(window: MainWindow) -> None:
    row = window.controls.rows["mask"]
    assert isinstance(row, ChoiceRow)
    assert row.list is not None
    row.list.setFocus()
    QTest.keyClick(row.list, Qt.Key.Key_Down)
    assert state_of(window).is_causal
    np.testing.assert_array_equal(np.triu(window.session.frame.trace.weights, 1), 0.0)
    assert window.actions_by_name["causal"].isChecked()


def test_sweep_moves_the_temperature_and_is_one_entry(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_name["sweep"].trigger()
    qtbot.waitUntil(lambda: state_of(window).temperature > 1.1)
    window.actions_by_name["sweep"].trigger()
    stopped = state_of(window).temperature
    window.actions_by_name["undo"].trigger()
    assert (state_of(window).temperature, window.session.undo_label) == (1.0, None)
    window.actions_by_name["redo"].trigger()
    assert state_of(window).temperature == stopped


def test_typing_a_sentence_keeps_the_embeddings_of_words_that_stay(window: MainWindow) -> None:
    line = window.tokens.sentence
    line.setFocus()
    line.setCursorPosition(len(line.text()))
    QTest.keyClicks(line, " the the")
    sequence = state_of(window).sequence
    assert sequence.tokens == ("cat", "dog", "phone", "the", "the")
    np.testing.assert_array_equal(sequence.embeddings[:3], load_preset("s1").sequence.embeddings)
    assert window.session.undo_label == "Edit Sentence"
    window.actions_by_name["undo"].trigger()
    assert line.text() == "cat dog phone"
    assert window.session.undo_label is None


@pytest.mark.parametrize("text", ["<s> & ▁the Ġcat", "שלום عربي 猫 🐈", "the the the"])
def test_any_script_and_special_token_is_an_ordinary_token(window: MainWindow, text: str) -> None:
    line = window.tokens.sentence
    line.setFocus()
    line.selectAll()
    event = QInputMethodEvent("", [])
    event.setCommitString(text)
    QApplication.sendEvent(line, event)
    assert state_of(window).sequence.tokens == tuple(text.split(" "))
    assert window.session.frame.trace.weights.shape[0] == len(text.split(" "))


def embeddings_of(window: MainWindow) -> dict[str, list[float]]:
    sequence = state_of(window).sequence
    return dict(zip(sequence.tokens, sequence.embeddings.tolist(), strict=True))


def at_the_end_of(line: SentenceLine) -> SentenceLine:
    line.setFocus()
    line.end(False)
    return line


def test_words_that_are_typed_get_the_embeddings_of_their_spelling(window: MainWindow) -> None:
    QTest.keyClicks(at_the_end_of(window.tokens.sentence), " bird blue ball")
    assert state_of(window).sequence.tokens == ("cat", "dog", "phone", "bird", "blue", "ball")
    found = embeddings_of(window)
    for word in ("bird", "blue", "ball"):
        assert found[word] == first_embedding(word, 2).tolist()
    assert len({tuple(found[word]) for word in ("bird", "blue", "ball")}) == 3
    window.actions_by_name["undo"].trigger()
    assert state_of(window).is_same(load_preset("s1"))
    assert window.session.undo_label is None


def test_words_typed_over_and_again_keep_their_embeddings(window: MainWindow) -> None:
    line = window.tokens.sentence
    line.setFocus()
    QTest.keyClick(line, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(line, "dog cat phone")
    assert state_of(window).sequence.tokens == ("dog", "cat", "phone")
    assert embeddings_of(window) == {"cat": [1.0, 0.5], "dog": [0.8, 0.6], "phone": [-0.5, 1.0]}
    window.actions_by_name["undo"].trigger()
    assert state_of(window).is_same(load_preset("s1"))
    assert window.session.undo_label is None


def test_word_typed_before_another_leaves_that_its_embedding(window: MainWindow) -> None:
    line = window.tokens.sentence
    line.setFocus()
    QTest.keyClick(line, Qt.Key.Key_Home)
    QTest.keyClicks(line, "big ")
    assert state_of(window).sequence.tokens == ("big", "cat", "dog", "phone")
    assert embeddings_of(window)["cat"] == [1.0, 0.5]
    assert embeddings_of(window)["big"] == first_embedding("big", 2).tolist()


def test_words_keep_their_embeddings_over_pauses_and_over_undo_of_what_was_typed(
    window: MainWindow, qtbot: QtBot
) -> None:
    line = window.tokens.sentence
    line.pause.setInterval(1)
    line.setFocus()
    QTest.keyClick(line, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    for part in ("d", "og bi", "rd pho", "ne"):
        QTest.keyClicks(line, part)
        qtbot.waitUntil(lambda: not line.pause.isActive())
    bird = first_embedding("bird", 2).tolist()
    assert embeddings_of(window) == {"dog": [0.8, 0.6], "bird": bird, "phone": [-0.5, 1.0]}
    while line.text() != "dog bi":
        window.actions_by_name["undo"].trigger()
    QTest.keyClicks(at_the_end_of(line), "g phone cat")
    big = first_embedding("big", 2).tolist()
    assert embeddings_of(window) == {"dog": [0.8, 0.6], "big": big, "phone": [-0.5, 1.0], "cat": [1.0, 0.5]}


@pytest.mark.parametrize("how", ["enter", "leaving", "other edits"])
def test_what_was_typed_is_settled_and_a_longer_word_is_its_new_name_then(window: MainWindow, how: str) -> None:
    line = at_the_end_of(window.tokens.sentence)
    QTest.keyClicks(line, " bi")
    if how == "enter":
        QTest.keyClick(line, Qt.Key.Key_Return)
    elif how == "leaving":
        window.tokens.table.setFocus()
    else:
        window.wiring.move_point("sequence", 0, 3.0, 4.0, -1)
        window.wiring.set_scalar("temperature", 2.0)
    QTest.keyClicks(at_the_end_of(line), "rd")
    assert embeddings_of(window)["bird"] == first_embedding("bi", 2).tolist()
    if how == "other edits":
        assert (embeddings_of(window)["cat"], state_of(window).temperature) == ([3.0, 4.0], 2.0)
    window.actions_by_name["undo"].trigger()
    assert line.text() == "cat dog phone bi"


def test_plane_makes_room_for_a_word_that_comes_to_lie_out_of_sight_while_it_is_typed(window: MainWindow) -> None:
    line, canvas = at_the_end_of(window.tokens.sentence), window.plane.canvas
    QTest.keyClicks(line, " b")
    for _ in range(40):  # until "b" is in sight and "bird" would not be
        if not canvas.window_shown().bottom < -0.87:
            break
        canvas.zoom(1.02)
    assert canvas.shows_every_token()
    QTest.keyClicks(line, "ird")
    assert embeddings_of(window)["bird"] == [-0.85, -0.87]
    assert canvas.shows_every_token()


def test_each_list_of_cross_attention_is_typed_over_on_its_own(window: MainWindow) -> None:
    window.documents.open_state(cross_state(2, 3, 2))
    before, line = state_of(window), window.tokens.sentence
    for side, text in (("context", "k2 key k0"), ("sequence", "q1 q0")):
        if window.tokens.side != side:
            assert window.tokens.switch_side()
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, text)
    after = state_of(window)
    assert before.context is not None
    assert after.context is not None
    assert after.context.tokens == ("k2", "key", "k0")
    np.testing.assert_array_equal(after.context.embeddings[[0, 2]], before.context.embeddings[[2, 0]])
    np.testing.assert_array_equal(after.context.embeddings[1], first_embedding("key", 2))
    np.testing.assert_array_equal(after.sequence.embeddings, before.sequence.embeddings[::-1])


def test_a_cell_of_the_table_is_typed_into(window: MainWindow) -> None:
    table = window.tokens.table
    table.setFocus()
    table.setCurrentIndex(table.rows.index(1, 2))
    QTest.keyClick(table, Qt.Key.Key_F2)
    editor = table.findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    QTest.keyClicks(editor, "-2,5")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()
    np.testing.assert_array_equal(state_of(window).sequence.embeddings[1], (0.8, -2.5))
    assert window.session.undo_label == "Move “dog”"


def test_rows_are_pasted_moved_and_deleted_by_keyboard(window: MainWindow) -> None:
    table = window.tokens.table
    table.setFocus()
    table.setCurrentIndex(table.rows.index(2, 0))
    QGuiApplication.clipboard().setText("sun\t0,5\t-1\nmoon\t2\t1e-3\n")
    QTest.keyClick(table, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert state_of(window).sequence.tokens == ("cat", "dog", "phone", "sun", "moon")
    np.testing.assert_array_equal(state_of(window).sequence.embeddings[3:], [(0.5, -1.0), (2.0, 0.001)])
    assert window.session.undo_label == "Paste 2 Rows"
    table.setCurrentIndex(table.rows.index(0, 0))
    QTest.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert state_of(window).sequence.tokens[:2] == ("dog", "cat")
    QTest.keyClick(table, Qt.Key.Key_Delete)
    assert state_of(window).sequence.tokens == ("dog", "phone", "sun", "moon")


def test_a_bad_paste_is_said_in_the_panel_or_the_status_bar(window: MainWindow) -> None:
    state = state_of(window)
    table = window.tokens.table
    table.setFocus()
    QGuiApplication.clipboard().setText("sun\t1\t2\t3\n")
    QTest.keyClick(table, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert state_of(window) is state
    said = [window.tokens.message, *(w.accessibleName() for w in window.statusBar().children() if hasattr(w, "text"))]
    assert any("must have 2 coordinates" in text for text in said)


@pytest.mark.parametrize("scene", ["s3", "s5"])
def test_both_lists_of_cross_attention_can_be_edited(open_window: OpenWindow, scene: str) -> None:
    window = open_window(load_preset(scene))
    n_key = window.session.frame.n_key
    window.selection.choose_token("context", 0, is_query=False)
    window.actions_by_name["add_token"].trigger()
    assert window.session.frame.n_key == n_key + 1
    window.actions_by_name["delete_token"].trigger()
    assert window.session.frame.n_key == n_key


def test_ctrl_return_in_the_window_adds_one_token_only(window: MainWindow) -> None:
    table = window.tokens.table
    table.setFocus()
    table.setCurrentIndex(table.rows.index(0, 0))
    QTest.keyClick(table, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert len(state_of(window).sequence) == 4


def test_frame_is_what_the_engine_computes_afresh(window: MainWindow) -> None:
    type_into(number_row(window, "temperature").box, "0.5")
    window.actions_by_name["causal"].trigger()
    fresh = compute(state_of(window)).trace
    np.testing.assert_array_equal(window.session.frame.trace.weights, fresh.weights)


def test_renaming_a_token_whose_name_is_open_goes_on_with_it(window: MainWindow) -> None:
    table = window.tokens.table
    window.actions_by_name["rename_token"].trigger()
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    QTest.keyClicks(editor, "wolf")
    table.edit_name(0)  # Qt warns where it is asked to open what is open
    assert QApplication.focusWidget() is editor
    assert editor.text() == "wolf"
    window.actions_by_name["rename_token"].trigger()
    assert window.session.state.sequence.tokens[0] == "wolf"
