"""The heatmaps in the window: pointing, pinning, the switch of stages, and the curriculum's digits in the cells."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from attnviz.app.window import MainWindow
from attnviz.views.derivation.view import DerivationView
from attnviz.views.heatmaps import WeightsView
from attnviz.views.matrix.view import MatrixView
from attnviz.views.text_line import TextLine
from tests.app.mouse import cell_place, click, middle_of, move


def weights_of(window: MainWindow) -> MatrixView:
    view = window.panels["weights"]
    assert isinstance(view, WeightsView)
    return view.matrix


def derivation_of(window: MainWindow) -> DerivationView:
    view = window.panels["derivation"]
    assert isinstance(view, DerivationView)
    return view


def texts(matrix: MatrixView) -> list[str]:
    return [text for text, _ in matrix.painted_texts()]


def status(window: MainWindow) -> list[str]:
    return [line.text for line in window.statusBar().findChildren(TextLine) if line.isVisible()]


def test_hovering_a_cell_says_it_in_the_status_bar_and_lights_it_everywhere(window: MainWindow) -> None:
    matrix = window.scores.matrix
    move(matrix, cell_place(matrix, 0, 1), is_pressed=False)
    assert status(window)[0] == "query cat → key dog: score 1.100, weight 0.389"
    chosen = window.selection.chosen
    assert (chosen.pointed_query, chosen.pointed_key) == (0, 1)
    scene = window.plane.canvas.tokens.scene
    assert scene is not None
    assert scene.lit == frozenset({(False, 0), (False, 1)})
    assert [window.tokens.table.light_of(row) is not None for row in range(3)] == [True, True, False]
    assert derivation_of(window).title == "Why 0.389?"
    move(matrix, QPointF(1.0, 1.0), is_pressed=False)
    assert window.selection.chosen.pointed_query is None
    assert window.tokens.table.light_of(1) is None


def test_a_click_pins_the_cell_for_the_derivation(window: MainWindow) -> None:
    matrix = weights_of(window)
    click(matrix, cell_place(matrix, 2, 1))
    move(matrix, QPointF(1.0, 1.0), is_pressed=False)
    assert (window.selection.chosen.query, window.selection.chosen.key) == (2, 1)
    assert derivation_of(window).title == "Why 0.252?"
    assert status(window)[0] == "query phone → key dog: score 0.200, weight 0.252"


def test_keyboard_cursor_points_and_enter_pins(window: MainWindow) -> None:
    matrix = weights_of(window)
    matrix.setFocus()
    QTest.keyClick(matrix, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(matrix, Qt.Key.Key_Down)
    QTest.keyClick(matrix, Qt.Key.Key_Right)
    assert status(window)[0] == "query dog → key dog: score 1.000, weight 0.379"
    QTest.keyClick(matrix, Qt.Key.Key_Return)
    assert (window.selection.chosen.query, window.selection.chosen.key) == (1, 1)
    assert matrix.accessibleDescription() == "query dog, key dog, score 1.00, weight 0.379"


def test_a_masked_cell_says_so(window: MainWindow) -> None:
    window.actions_by_name["causal"].trigger()
    matrix = weights_of(window)
    move(matrix, cell_place(matrix, 0, 2), is_pressed=False)
    assert status(window)[0] == "query cat → key phone: masked, weight 0"


def test_row_is_the_query_and_column_the_key(window: MainWindow) -> None:
    window.documents.open_preset("s5")
    matrix = weights_of(window)
    move(matrix, cell_place(matrix, 0, 2), is_pressed=False)
    key = window.session.state.key_sequence.tokens[2]
    query = window.session.state.sequence.tokens[0]
    assert status(window)[0].startswith(f"query {query} → key {key}: ")


def test_stages_of_the_scores_by_click_and_by_menu(window: MainWindow) -> None:
    buttons = window.scores.switch.findChildren(QToolButton)
    click(buttons[0], middle_of(buttons[0]))
    assert {"1.250", "1.100", "0.000", "1.000", "0.200"} <= set(texts(window.scores.matrix))
    assert window.actions_by_name["scores_raw"].isChecked()
    window.actions_by_name["scores_scaled"].trigger()
    assert {"0.884", "0.778", "0.707", "0.141"} <= set(texts(window.scores.matrix))
    assert buttons[1].isChecked()
    window.actions_by_name["causal"].trigger()
    window.actions_by_name["scores_masked"].trigger()
    assert "0.778" in texts(window.scores.matrix)
    assert texts(window.scores.matrix).count("0.141") == 1


def test_selection_changes_neither_document_nor_history(window: MainWindow) -> None:
    state = window.session.state
    matrix = weights_of(window)
    for row in range(3):
        for column in range(3):
            move(matrix, cell_place(matrix, row, column), is_pressed=False)
            click(matrix, cell_place(matrix, row, column))
    for action in ("scores_raw", "scores_masked", "next_pane", "zoom_in", "zoom_out", "fit", "maximise", "maximise"):
        window.actions_by_name[action].trigger()
    window.tokens.table.setCurrentIndex(window.tokens.table.rows.index(2, 0))
    assert window.session.state is state
    assert (window.session.undo_label, window.isWindowModified()) == (None, False)


# Digits of the curriculum, as the cells of the weight heatmap show them to three places.
CELLS = {
    "s1": [(0.432425, 0.388908, 0.178667), (0.406351, 0.378610, 0.215039), (0.218714, 0.251938, 0.529348)],
    "s3": [(0.055, 0.743, 0.025, 0.136, 0.041)],
    "s4": [(0.936, 0.047, 0.017)],
    "s5": [(0.7836, 0.1386, 0.0778)],
}


@pytest.mark.parametrize("scene", list(CELLS))
def test_cells_show_the_digits_of_the_curriculum(window: MainWindow, scene: str) -> None:
    window.documents.open_preset(scene)
    shown = texts(weights_of(window))
    missing = [f"{weight:.3f}" for row in CELLS[scene] for weight in row if f"{weight:.3f}" not in shown]
    assert missing == []


def test_weights_of_sat_are_those_of_the_curriculum(window: MainWindow) -> None:
    window.documents.open_preset("s2")
    state = window.session.state
    row = state.sequence.tokens.index("sat")
    shown = cell_texts(weights_of(window), row, len(state.key_sequence))
    # exp of 0, 3, 1 and 2 over the root of 2: 1, 8.342, 2.028, 4.113, in sum 15.483
    assert shown == ["0.065", "0.539", "0.131", "0.266"]


def cell_texts(matrix: MatrixView, row: int, columns: int) -> list[str]:
    found = []
    for column in range(columns):
        rect = matrix.cell_rect(row, column)
        found += [text for text, place in matrix.painted_texts() if rect.contains(place.center())]
    return found


def test_the_two_banks_share_a_dot_and_differ_in_their_outputs(window: MainWindow) -> None:
    outputs, dots = [], []
    for scene in ("s6-river-bank", "s6-investment-bank"):
        window.documents.open_preset(scene)
        place = window.session.state.sequence.tokens.index("bank")
        dots.append(window.session.state.sequence.embeddings[place].tolist())
        outputs.append(window.session.frame.output[place].tolist())
    assert dots[0] == dots[1]
    assert outputs[0] != outputs[1]


def test_output_of_the_first_scene_is_drawn_where_the_curriculum_says(window: MainWindow) -> None:
    scene = window.plane.canvas.tokens.scene
    assert scene is not None
    assert scene.outputs is not None
    assert scene.outputs.round(6).tolist() == [[0.654218, 0.628224], [0.601719, 0.645381], [0.155590, 0.789868]]


def test_every_row_sum_is_on_screen(window: MainWindow) -> None:
    assert texts(weights_of(window)).count("Σ 1.000") == 3


def test_matrix_describes_its_cell_as_soon_as_it_has_the_focus(fresh_window: MainWindow) -> None:
    fresh_window.weights.setFocus()
    assert fresh_window.weights.matrix.accessibleDescription() == "query cat, key cat, score 1.25, weight 0.432"


def said_after(qtbot: QtBot, matrix: MatrixView, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> str:
    """What a screen reader is told after a key; every announcement is accompanied by this signal."""
    with qtbot.waitSignal(matrix.announcer.announced, timeout=2000) as told:
        QTest.keyClick(matrix, key, modifiers)
    return str(told.args[0])


@pytest.mark.parametrize("name", ["scores", "weights"])
def test_each_key_of_the_cursor_announces_its_cell(window: MainWindow, qtbot: QtBot, name: str) -> None:
    window.documents.open_preset("s2")  # four tokens: the, cat, sat, down
    matrix = getattr(window, name).matrix
    matrix.setFocus()
    plain, control = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
    tokens = window.session.frame.query_tokens
    ways = [
        (Qt.Key.Key_Home, control, 0, 0),
        (Qt.Key.Key_Down, plain, 1, 0),
        (Qt.Key.Key_Right, plain, 1, 1),
        (Qt.Key.Key_End, plain, 1, 3),
        (Qt.Key.Key_Home, plain, 1, 0),
        (Qt.Key.Key_PageDown, plain, 3, 0),
        (Qt.Key.Key_PageUp, plain, 0, 0),
        (Qt.Key.Key_Down, control, 3, 0),
        (Qt.Key.Key_Right, control, 3, 3),
        (Qt.Key.Key_Up, control, 0, 3),
        (Qt.Key.Key_Left, control, 0, 0),
        (Qt.Key.Key_End, control, 3, 3),
    ]
    for key, modifiers, row, column in ways:
        said = said_after(qtbot, matrix, key, modifiers)
        assert said.startswith(f"query {tokens[row]}, key {tokens[column]}, score "), key


def test_the_announced_sentence_is_that_of_the_cell(window: MainWindow, qtbot: QtBot) -> None:
    matrix = weights_of(window)
    matrix.setFocus()
    QTest.keyClick(matrix, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    said = said_after(qtbot, matrix, Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier)
    assert said == "query cat, key dog, score 1.10, weight 0.389"
    assert matrix.accessibleDescription() == said


def test_an_edit_announces_the_cell_once_it_rests(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_name["causal"].trigger()
    matrix = weights_of(window)
    matrix.setFocus()
    said_after(qtbot, matrix, Qt.Key.Key_End, Qt.KeyboardModifier.NoModifier)
    heard: list[str] = []
    matrix.announcer.announced.connect(heard.append)
    for temperature in (0.5, 2.0, 3.0):
        window.wiring.set_scalar("temperature", temperature)
    window.actions_by_name["causal"].trigger()
    window.wiring.set_scalar("temperature", 1.0)
    qtbot.waitUntil(lambda: heard != [], timeout=2000)
    assert heard == ["query cat, key phone, score 0, weight 0.179"]


def test_a_masked_cell_is_announced_as_masked(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_name["causal"].trigger()
    matrix = weights_of(window)
    matrix.setFocus()
    said = said_after(qtbot, matrix, Qt.Key.Key_End, Qt.KeyboardModifier.NoModifier)
    assert said == "query cat, key phone, masked, weight 0"


@pytest.mark.parametrize("multiplier", [0.0, 1e-12])
def test_scores_that_are_all_nought_are_painted(window: MainWindow, multiplier: float) -> None:
    window.wiring.set_scalar("scale", "custom")
    window.wiring.set_scalar("custom_multiplier", multiplier)
    for token in range(3):
        window.wiring.move_point("sequence", token, 1e-150, 0.0, -1)
    assert not window.scores.matrix.grab().isNull()
    assert set(texts(window.weights.matrix)) >= {"0.333", "Σ 1.000"}


def test_effective_keys_are_not_counted_out_of_keys_that_are_masked(fresh_window: MainWindow) -> None:
    def texts() -> list[str]:
        return [text for text, _ in fresh_window.weights.matrix.painted_texts()]

    assert "2.82 of 3" in texts()
    fresh_window.actions_by_name["causal"].trigger()
    assert not [text for text in texts() if text.endswith("of 3")]
    assert "1.00" in texts()  # the first query sees itself alone
