"""The panel of the positions through to the document: ids, tables, refusals, and what order is."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from attnviz.app.window import MainWindow
from attnviz.document.frame import compute
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.controls.rows import ChoiceRow, NumberRow
from attnviz.views.number_box import NumberBox
from attnviz.views.painted import texts_painted_by
from attnviz.views.positions.positions_body import MEASURE_DELAY_MS, NOT_YET_MEASURED, PositionsBody
from attnviz.views.positions.positions_view import PositionsView
from tests.app.mouse import click, drag
from tests.app.test_painted_texts import cut, overlapping, settle

CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
ODD_WIDTH = "turned channels must be an even number up to d_k, 4, or 0 for all of them, got 3"
ODD_D_K = "rotary positions need an even d_k, or an even number of turned channels, got d_k 3"


def scene(n: int = 3, d: int = 4, **fields: object) -> State:
    embeddings = np.random.default_rng(4).normal(size=(n, d))
    tokens = tuple([("cat", "dog", "internationalisation", "<s>", "שלום")[i % 5] for i in range(n)])
    return State(TokenSequence(tokens, embeddings), **fields)  # type: ignore[arg-type]  # fields of a state, by name


def body_of(window: MainWindow) -> PositionsBody:
    panel = window.panels["positions"]
    assert isinstance(panel, PositionsView)
    return panel.body


def opened(window: MainWindow, state: State) -> PositionsBody:
    """Open a document and the panel."""
    window.session.open(window.session.prepare(state), None)
    window.actions_by_name["positions_panel"].trigger()
    QApplication.processEvents()
    return body_of(window)


def number_row(body: PositionsBody, name: str) -> NumberRow:
    row = body.rows.rows[name]
    assert isinstance(row, NumberRow)
    return row


def type_into(box: NumberBox, text: str) -> None:
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Return)


def said(window: MainWindow) -> str:
    return window.status_line.message.text


def test_no_text_is_cut_or_over_another(window: MainWindow) -> None:
    check_texts(window, scene(n=3, d=6, positions="sinusoidal", shift=2, b_q=np.ones(6)), 150, (1280, 800))


@pytest.mark.long
@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
@pytest.mark.parametrize("percent", [100, 150, 200])
@pytest.mark.parametrize("n", [3, 40])
@pytest.mark.parametrize("positions", ["none", "sinusoidal", "learned", "rotary", "alibi", "relative"])
def test_no_text_is_cut_or_over_another_in_any_size(
    window: MainWindow, positions: str, n: int, percent: int, size: tuple[int, int]
) -> None:
    check_texts(window, scene(n=n, d=8, positions=positions, shift=2, n_heads=2), percent, size)


def check_texts(window: MainWindow, state: State, percent: int, size: tuple[int, int]) -> None:
    """Look at the panel in its place and filling the window, from its top to its end."""
    body = opened(window, state)
    window.appearance.use_font(percent)
    window.resize(*size)
    for _ in range(2):
        settle()
        bar = body.scrolled.verticalScrollBar()
        for value in (0, bar.maximum()):
            bar.setValue(value)
            settle()
            texts = texts_painted_by(window.panels["positions"])
            assert cut(texts) + overlapping(texts) == []
        window.layout_of_docks.toggle_maximised("positions")


# -- refusals


def test_odd_width_is_refused_at_the_control_which_goes_back(window: MainWindow) -> None:
    body = opened(window, scene(positions="rotary"))
    state, row = window.session.state, number_row(body, "rotary_width")
    type_into(row.box, "3")
    assert window.session.state is state
    assert row.box.text() == "0"
    assert body.message.text == ODD_WIDTH
    assert body.message.isVisible()
    assert said(window) == ODD_WIDTH
    type_into(row.box, "2")
    assert window.session.state.rotary_width == 2
    assert not body.message.isVisible()


def test_odd_d_k_is_refused_in_the_controls_which_go_back(window: MainWindow) -> None:
    opened(window, scene(positions="rotary"))
    row = window.controls.rows["d_k"]
    assert isinstance(row, NumberRow)
    type_into(row.box, "3")
    assert (window.session.state.d_k, row.box.text()) == (4, "4")
    assert said(window) == ODD_D_K


def test_rotary_for_an_odd_d_k_is_refused_and_the_choice_goes_back(window: MainWindow) -> None:
    body = opened(window, scene(d_k=3))
    row = body.rows.rows["positions"]
    assert isinstance(row, ChoiceRow)
    assert row.list is not None
    row.list.setFocus()
    QTest.keyClicks(row.list, "Rot")
    assert window.session.state.positions == "none"
    assert row.list.currentText() == "None"
    assert body.message.text == ODD_D_K


@pytest.mark.parametrize(("text", "count"), [("0 1", 2), ("0\t1\t2\t3\n", 4)])
def test_pasted_ids_of_another_length_are_refused_and_nothing_changes(
    window: MainWindow, text: str, count: int
) -> None:
    body = opened(window, scene(positions="rotary"))
    state = window.session.state
    body.ids.sequence_row.setFocus()
    QGuiApplication.clipboard().setText(text)
    QTest.keyClick(body.ids.sequence_row, Qt.Key.Key_V, CTRL)
    assert window.session.state is state
    assert body.message.text == f"position ids must be 3 numbers, got {count}" == said(window)
    assert body.ids.sequence_row.shown.ids == (0.0, 1.0, 2.0)


def test_position_without_a_row_in_the_table_is_refused(window: MainWindow) -> None:
    body = opened(window, scene(positions="learned"))
    row = body.ids.sequence_row
    row.setFocus()
    QTest.keyClick(row, Qt.Key.Key_Down)
    assert row.shown.ids == (0.0, 1.0, 2.0)
    assert body.message.text == "learned positions must be whole numbers from 0 to 4,999, got -1"
    body.message.dismiss_button.click()
    assert not body.message.isVisible()


# -- ids


def test_ids_are_typed_stepped_and_pasted_and_undone(window: MainWindow) -> None:
    body = opened(window, scene(positions="rotary"))
    row = body.ids.sequence_row
    click(row, QPointF(row.field_rect(1).center()))
    QTest.keyClick(row, Qt.Key.Key_9)
    QTest.keyClick(row.box, Qt.Key.Key_Return)
    ids = window.session.state.position_ids
    assert ids is not None
    assert ids.tolist() == [0.0, 9.0, 2.0]
    assert window.session.undo_label == "Place “dog”"
    QTest.keyClick(row, Qt.Key.Key_Up)
    QTest.keyClick(row, Qt.Key.Key_Up)
    assert row.shown.ids == (0.0, 11.0, 2.0)
    window.actions_by_name["undo"].trigger()
    assert row.shown.ids == (0.0, 9.0, 2.0)  # a burst is one entry
    QGuiApplication.clipboard().setText("[0, 0, 1.5]")
    row.setFocus()
    QTest.keyClick(row, Qt.Key.Key_V, CTRL)
    assert row.shown.ids == (0.0, 0.0, 1.5)
    body.ids.reset_button.click()
    assert window.session.state.position_ids is None
    assert row.shown.ids == (0.0, 1.0, 2.0)


def test_left_padding_is_counted_past(window: MainWindow) -> None:
    padding = np.array([True, True, False, False, False])
    body = opened(window, scene(n=5, positions="sinusoidal", padding=padding))
    QTest.mouseClick(body.ids.count_button, Qt.MouseButton.LeftButton)
    assert body.ids.sequence_row.shown.ids == (0.0, 0.0, 0.0, 1.0, 2.0)
    assert body.ids.sequence_row.shown.padding == {0, 1}
    assert window.session.undo_label == "Count Real Tokens Only"


def test_context_is_edited_in_its_own_row(window: MainWindow) -> None:
    state = scene(positions="sinusoidal", context=TokenSequence(("x", "y"), np.ones((2, 4))))
    row = opened(window, state).ids.context_row
    row.setFocus()
    QTest.keyClick(row, Qt.Key.Key_End)
    QTest.keyClick(row, Qt.Key.Key_Up)
    ids = window.session.state.context_position_ids
    assert ids is not None
    assert ids.tolist() == [0.0, 2.0]
    assert window.session.state.position_ids is None


# -- learned tables


def test_learned_position_is_typed_over_and_one_step_of_undo(window: MainWindow) -> None:
    body = opened(window, scene(positions="learned"))
    before = compute(window.session.state).layer.inputs
    picture = body.encoding.picture
    picture.matrix.setFocus()
    QTest.keyClick(picture.matrix, Qt.Key.Key_Home, CTRL)
    QTest.keyClick(picture.matrix, Qt.Key.Key_Right)
    QTest.keyClick(picture.matrix, Qt.Key.Key_5)
    QTest.keyClick(picture.box, Qt.Key.Key_Return)
    table = window.session.state.position_table
    assert table is not None
    assert table.shape == (3, 4)
    assert table[0, 1] == 5.0
    after = window.session.frame.layer.inputs
    assert after[0, 1] == window.session.state.sequence.embeddings[0, 1] + 5.0
    after = after.copy()
    after[0, 1] = before[0, 1]
    np.testing.assert_array_equal(after, before)  # what was drawn stays
    window.actions_by_name["undo"].trigger()
    assert window.session.state.position_table is None
    assert not body.encoding.reset_button.isEnabled()
    window.actions_by_name["redo"].trigger()
    QTest.mouseClick(body.encoding.reset_button, Qt.MouseButton.LeftButton)
    assert window.session.state.position_table is None
    assert window.session.undo_label == "Draw Learned Numbers Again"


def test_learned_bias_is_typed_over(window: MainWindow) -> None:
    buckets = opened(window, scene(positions="relative")).encoding.buckets
    buckets.matrix.setFocus()
    QTest.keyClick(buckets.matrix, Qt.Key.Key_Home, CTRL)
    QTest.keyClick(buckets.matrix, Qt.Key.Key_F2)
    QTest.keyClicks(buckets.box, "-4")
    QTest.keyClick(buckets.box, Qt.Key.Key_Return)
    trace = window.session.frame.trace
    np.testing.assert_allclose(np.diag(trace.masked - trace.scaled), -4.0, atol=1e-14)  # bucket 0: the same position


# -- shift and order


@pytest.mark.parametrize("positions", ["rotary", "alibi"])
def test_shift_of_all_positions_moves_no_score(window: MainWindow, qtbot: QtBot, positions: str) -> None:
    body = opened(window, scene(positions=positions))
    before = window.session.frame.trace.masked
    slider = number_row(body, "shift").slider
    assert slider is not None
    slider.setFocus()
    for _ in range(3):
        QTest.keyClick(slider, Qt.Key.Key_PageUp)
    assert window.session.state.shift == 30
    np.testing.assert_allclose(window.session.frame.trace.masked, before, atol=1e-12)
    qtbot.waitUntil(lambda: body.moved.text().startswith("Scores moved by 0 ("))


def test_shift_moves_scores_of_vectors_that_are_added_and_says_how_far(window: MainWindow, qtbot: QtBot) -> None:
    body = opened(window, scene(positions="sinusoidal"))
    before = window.session.frame.trace.masked
    type_into(number_row(body, "shift").box, "7")
    moved = float(np.abs(window.session.frame.trace.masked - before).max())
    qtbot.waitUntil(lambda: body.moved.text() == f"Scores moved by up to {moved:.3f}.")


def test_shift_is_not_measured_while_the_panel_is_hidden(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = opened(window, scene(positions="sinusoidal", shift=2))
    qtbot.waitUntil(lambda: body.moved.text() != NOT_YET_MEASURED)
    asked: list[State] = []
    monkeypatch.setattr("attnviz.views.positions.positions_body.shift_effect", asked.append)
    window.docks["positions"].close()
    window.wiring.set_scalar("temperature", 2.0)
    qtbot.wait(2 * MEASURE_DELAY_MS)
    assert asked == []
    window.actions_by_name["positions_panel"].trigger()
    qtbot.waitUntil(lambda: len(asked) == 1)


def test_dragged_tokens_change_places_and_outputs_with_them_unless_positions_are_added(window: MainWindow) -> None:
    window.documents.open_preset("s8")
    table = window.tokens.table
    before = window.session.frame.layer_output
    dog, man = (table.visualRect(table.model().index(row, 0)).center() for row in (0, 2))
    drag(table.viewport(), QPointF(dog), QPointF(man.x(), man.y() + 9))
    assert window.session.state.sequence.tokens == ("bites", "man", "dog")
    after = window.session.frame.layer_output
    assert np.abs(after - before[[1, 2, 0]]).max() > 0.05

    window.wiring.set_scalar("positions", "none")
    before = window.session.frame.layer_output
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClick(table, Qt.Key.Key_Down, ALT)
    assert window.session.state.sequence.tokens == ("man", "bites", "dog")
    np.testing.assert_allclose(window.session.frame.layer_output, before[[1, 0, 2]], atol=1e-15)
