"""The mask in the window: painted with mouse and keys, switched in its panel, read from a file, and undone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QHelpEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QWidget
from pytestqt.qtbot import QtBot

from attnviz.app.mask_dialog import MaskDialog
from attnviz.app.window import MainWindow
from attnviz.document import layer_edits
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.controls.log_slider import LogSlider
from attnviz.views.controls.toggle_switch import ToggleSwitch
from attnviz.views.mask.mask_body import MaskBody
from attnviz.views.matrix.view import MatrixView
from tests.app.conftest import OpenWindow, answers_of
from tests.app.mouse import cell_place, click, double_click, drag, move, press, release

_SHIFT = Qt.KeyboardModifier.ShiftModifier


def banned(window: MainWindow) -> list[tuple[int, int]]:
    frame = window.session.frame
    rows, columns = np.nonzero(frame.banned(np.arange(frame.n_query), np.arange(frame.n_key)))
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def paint(window: MainWindow) -> MatrixView:
    window.actions_by_name["paint_mask"].trigger()
    assert window.mask_wiring.is_painting
    return window.weights.matrix


def key_with_shift(matrix: MatrixView, key: Qt.Key, *, is_up: bool = False) -> None:
    """Press a key while Shift is held, or let Shift go: QTest lets it go after every key."""
    kind = QEvent.Type.KeyRelease if is_up else QEvent.Type.KeyPress
    QApplication.sendEvent(matrix, QKeyEvent(kind, key, _SHIFT))
    QApplication.processEvents()


def panel_of(window: MainWindow) -> MaskBody:
    window.actions_by_name["mask_panel"].trigger()
    QApplication.processEvents()
    body = window.panels["mask"].findChild(MaskBody)
    assert isinstance(body, MaskBody)
    return body


# Painting with the mouse


def test_a_drag_bans_the_cells_under_it_as_one_step_of_undo(window: MainWindow) -> None:
    matrix = paint(window)
    drag(matrix, cell_place(matrix, 0, 0), cell_place(matrix, 2, 2), steps=2)
    assert banned(window) == [(0, 0), (1, 1), (2, 2)]
    assert window.session.state.mask == "custom"
    assert window.session.undo_label == "Paint Mask"
    window.actions_by_name["undo"].trigger()
    assert banned(window) == []
    assert window.session.undo_label is None


def test_a_fast_mouse_leaves_no_gaps(window: MainWindow) -> None:
    matrix = paint(window)
    drag(matrix, cell_place(matrix, 1, 0), cell_place(matrix, 1, 2), steps=1)
    assert banned(window) == [(1, 0), (1, 1), (1, 2)]


def test_a_drag_that_begins_on_a_banned_cell_allows(window: MainWindow) -> None:
    window.actions_by_name["causal"].trigger()
    matrix = paint(window)
    drag(matrix, cell_place(matrix, 0, 2), cell_place(matrix, 2, 2))
    assert banned(window) == [(0, 1)]


def test_each_cell_is_seen_to_change_while_the_button_is_down(window: MainWindow) -> None:
    matrix = paint(window)
    press(matrix, cell_place(matrix, 0, 0))
    assert banned(window) == [(0, 0)]
    move(matrix, cell_place(matrix, 0, 1))
    assert banned(window) == [(0, 0), (0, 1)]
    release(matrix, cell_place(matrix, 0, 1))
    move(matrix, cell_place(matrix, 0, 2), is_pressed=False)
    assert banned(window) == [(0, 0), (0, 1)]


def test_escape_takes_back_the_stroke_and_then_ends_painting(window: MainWindow) -> None:
    matrix = paint(window)
    click(matrix, cell_place(matrix, 2, 0))
    press(matrix, cell_place(matrix, 0, 0))
    move(matrix, cell_place(matrix, 0, 1))
    QTest.keyClick(matrix, Qt.Key.Key_Escape)
    assert banned(window) == [(2, 0)]
    move(matrix, cell_place(matrix, 0, 2))
    release(matrix, cell_place(matrix, 0, 2))
    assert banned(window) == [(2, 0)]
    assert window.mask_wiring.is_painting
    QTest.keyClick(matrix, Qt.Key.Key_Escape)
    assert not window.mask_wiring.is_painting
    assert not window.actions_by_name["paint_mask"].isChecked()


def test_painting_pins_no_number_and_opens_nothing(window: MainWindow) -> None:
    matrix = paint(window)
    double_click(matrix, cell_place(matrix, 1, 1))
    assert window.selection.chosen.number is None
    assert not window.inspecting.is_waiting
    assert banned(window) == []  # banned and allowed again
    window.actions_by_name["paint_mask"].trigger()
    click(matrix, cell_place(matrix, 1, 1))
    assert window.selection.chosen.number == NumberRef("weight", (1, 1))


def test_the_scores_are_painted_on_too(window: MainWindow) -> None:
    paint(window)
    matrix = window.scores.matrix
    drag(matrix, cell_place(matrix, 0, 1), cell_place(matrix, 0, 2))
    assert banned(window) == [(0, 1), (0, 2)]


def test_what_is_painted_is_seen_on_scores_that_the_mask_has_not_reached(window: MainWindow) -> None:
    paint(window)
    matrix = window.scores.matrix
    assert window.scores.stage == "scaled"
    click(matrix, cell_place(matrix, 0, 2))
    assert hatch_at_edge(window, matrix)
    window.mask_wiring.end_painting()
    QApplication.processEvents()
    assert not hatch_at_edge(window, matrix)


def hatch_at_edge(window: MainWindow, matrix: MatrixView) -> bool:
    """Whether the upper edge of the first row's last cell has strokes of the hatching."""
    box, image = matrix.cell_rect(0, 2), matrix.grab().toImage()
    edge = {image.pixelColor(round(box.left()) + 12 + step, round(box.top()) + 3).name() for step in range(12)}
    return window.appearance.theme.hatch in edge


def test_that_painting_is_on_is_seen(window: MainWindow) -> None:
    matrix = paint(window)
    move(matrix, cell_place(matrix, 1, 1), is_pressed=False)
    assert matrix.cursor().shape() == Qt.CursorShape.CrossCursor
    assert window.weights.subtitle == window.scores.subtitle == "painting — Esc ends"
    assert panel_of(window).paint_button.isChecked()
    window.mask_wiring.end_painting()
    assert matrix.cursor().shape() != Qt.CursorShape.CrossCursor
    assert window.weights.subtitle == "softmax of each row"
    assert window.scores.subtitle.startswith("scaled: q·k")
    assert not panel_of(window).paint_button.isChecked()


def test_nothing_listens_to_a_matrix_that_nobody_paints_on(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = []
    for panel in (window.weights, window.scores):
        monkeypatch.setattr(panel.brush, "_take_mouse", heard.append)
    matrix = window.weights.matrix
    move(matrix, cell_place(matrix, 1, 1), is_pressed=False)
    click(matrix, cell_place(matrix, 1, 1))
    assert heard == []


def test_a_key_that_is_padding_says_why_it_stays_banned(window: MainWindow) -> None:
    window.mask_wiring.set_padding(1, True)
    matrix = paint(window)
    click(matrix, cell_place(matrix, 0, 1))
    assert "“dog” must be a real token to be seen, got padding" in window.message
    assert (0, 1) in banned(window)


def test_another_document_ends_painting(window: MainWindow) -> None:
    paint(window)
    window.documents.open_preset("s2")
    assert not window.mask_wiring.is_painting


def test_a_stroke_ends_where_the_document_shrinks_below_it(
    open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults: list[BaseException] = []
    monkeypatch.setattr("sys.excepthook", lambda _kind, fault, _trace: faults.append(fault))
    window = open_window(State(TokenSequence(tuple("abcde"), np.eye(5, 3))))
    matrix = paint(window)
    press(matrix, cell_place(matrix, 4, 1))
    assert banned(window) == [(4, 1)]
    window.wiring.delete_tokens("sequence", (3, 4))
    QApplication.processEvents()
    move(matrix, cell_place(matrix, 2, 1))
    release(matrix, cell_place(matrix, 2, 1))
    assert banned(window) == faults == []
    click(matrix, cell_place(matrix, 0, 2))
    assert banned(window) == [(0, 2)]


def test_rows_that_are_gone_cannot_be_painted(window: MainWindow) -> None:
    paint(window)
    brush = window.weights.brush
    brush._begin((2, 1))
    brush._go_on((7, 1))  # before the smaller matrix is drawn
    brush._send()
    assert banned(window) == [(2, 1)]


# Painting with the keyboard


def test_x_switches_the_cell_at_the_cursor_and_shift_with_arrows_paints_along(window: MainWindow) -> None:
    matrix = paint(window)
    assert matrix.hasFocus()
    QTest.keyClick(matrix, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(matrix, Qt.Key.Key_X)
    assert banned(window) == [(0, 0)]
    QTest.keyClick(matrix, Qt.Key.Key_X)
    assert banned(window) == []
    QTest.keyClick(matrix, Qt.Key.Key_Down)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down):
        key_with_shift(matrix, key)
    assert banned(window) == [(1, 0), (1, 1), (1, 2), (2, 2)]
    key_with_shift(matrix, Qt.Key.Key_Shift, is_up=True)
    window.actions_by_name["undo"].trigger()
    assert banned(window) == []


def test_shift_with_arrows_goes_on_with_what_x_did(window: MainWindow) -> None:
    matrix = paint(window)
    QTest.keyClick(matrix, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(matrix, Qt.Key.Key_X)
    for _ in range(2):
        QTest.keyClick(matrix, Qt.Key.Key_Right, _SHIFT)  # which lets Shift go after each
    assert banned(window) == [(0, 0), (0, 1), (0, 2)]
    QTest.keyClick(matrix, Qt.Key.Key_X)
    QTest.keyClick(matrix, Qt.Key.Key_Left, _SHIFT)
    assert banned(window) == [(0, 0)]
    window.actions_by_name["undo"].trigger()
    window.actions_by_name["undo"].trigger()
    assert banned(window) == [(0, 0), (0, 1), (0, 2)]


def test_after_undo_shift_with_arrows_paints_the_cell_it_leaves_again(window: MainWindow) -> None:
    matrix = paint(window)
    QTest.keyClick(matrix, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(matrix, Qt.Key.Key_X)
    window.actions_by_name["undo"].trigger()
    QTest.keyClick(matrix, Qt.Key.Key_Right, _SHIFT)
    assert banned(window) == [(0, 0), (0, 1)]


def test_escape_takes_back_what_shift_painted(window: MainWindow) -> None:
    matrix = paint(window)
    QTest.keyClick(matrix, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    key_with_shift(matrix, Qt.Key.Key_Right)
    assert banned(window) == [(0, 0), (0, 1)]
    key_with_shift(matrix, Qt.Key.Key_Escape)
    assert banned(window) == []
    assert window.session.undo_label is None


def test_x_is_a_letter_like_others_while_nobody_paints(window: MainWindow) -> None:
    matrix = window.weights.matrix
    matrix.setFocus()
    QTest.keyClick(matrix, Qt.Key.Key_X)
    assert banned(window) == []


def test_painting_brings_a_heatmap_forward_where_none_is_shown(window: MainWindow) -> None:
    for name in ("weights", "scores"):
        window.docks[name].hide()
    paint(window)
    assert window.weights.isVisible()


# The panel


@pytest.mark.parametrize("n_tokens", [3, 40])
def test_the_row_in_use_and_what_it_brings_stay_in_view_in_a_small_panel(
    open_window: OpenWindow, n_tokens: int
) -> None:
    tokens = TokenSequence(tuple(f"t{i}" for i in range(n_tokens)), np.eye(n_tokens, 5))
    window = open_window(State(tokens))
    body = panel_of(window)
    assert body.height() < 280
    rows, session = body.rows.rows, window.session

    def assert_in_view(*widgets: QWidget) -> None:
        for _ in range(3):
            QApplication.processEvents()
        viewport = body.scrolled.viewport()
        for widget in widgets:
            assert viewport.rect().contains(QRect(widget.mapTo(viewport, QPoint(0, 0)), widget.size()))
        assert 0 < body.remarks.height() < 3 * body.fontMetrics().lineSpacing()
        assert body.remarks.geometry().top() > body.scrolled.geometry().bottom()

    window.actions_by_name["causal"].trigger()
    masking = rows["masking"].findChild(QComboBox)
    masking.setFocus()
    while session.state.masking != "multiply_zero":
        QTest.keyClick(masking, Qt.Key.Key_Down)
    assert_in_view(rows["masking"])
    QTest.keyClick(masking, Qt.Key.Key_Home)
    softmax = rows["softmax"].findChild(QComboBox)
    softmax.setFocus()
    QTest.keyClick(softmax, Qt.Key.Key_Down)
    assert session.state.softmax == "plus_one"
    assert_in_view(rows["softmax"])
    sink = rows["has_sink"].findChild(ToggleSwitch)
    sink.setFocus()
    QTest.keyClick(sink, Qt.Key.Key_Space)
    assert_in_view(rows["has_sink"], body.sinks.boxes[0])
    dropout = rows["dropout"].findChild(LogSlider)
    dropout.setFocus()
    QTest.keyClick(dropout, Qt.Key.Key_Right)
    assert session.state.dropout > 0
    assert_in_view(rows["dropout"], body.dropout)


def test_a_chip_is_padding_in_the_document_and_undo_names_it(window: MainWindow) -> None:
    body = panel_of(window)
    click(body.strip, body.strip.chip_box(1).center())
    assert banned(window) == [(0, 1), (1, 1), (2, 1)]
    assert window.session.undo_label == "Make “dog” Padding"
    click(body.strip, body.strip.chip_box(1).center())
    assert banned(window) == []
    assert window.session.undo_label == "Make “dog” Real"


def test_invert_and_clear_are_buttons_and_actions(window: MainWindow) -> None:
    body = panel_of(window)
    window.actions_by_name["causal"].trigger()
    QTest.mouseClick(body.invert_button, Qt.MouseButton.LeftButton)
    assert banned(window) == [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]
    assert body.remarks.sentences == ("No visible key: phone; weights and output are 0.",)
    window.actions_by_name["invert_mask"].trigger()
    assert banned(window) == [(0, 1), (0, 2), (1, 2)]
    QTest.mouseClick(body.clear_button, Qt.MouseButton.LeftButton)
    assert not window.session.state.has_mask
    window.actions_by_name["undo"].trigger()
    window.actions_by_name["clear_mask"].trigger()
    assert not window.session.state.has_mask


def test_a_sink_typed_in_its_box_draws_the_ghost_column(window: MainWindow) -> None:
    window.wiring.set_scalar("sink", True)
    body = panel_of(window)
    box = body.sinks.boxes[0]
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "2")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert window.session.state.sinks is not None
    assert window.session.undo_label == "Set Sink"
    texts = [text for text, _ in window.weights.matrix.painted_texts()]
    assert "sink" in texts
    shown = [float(text) for text in texts if text.startswith("0.") and len(text) == 5]
    assert sum(shown[:4]) == pytest.approx(1.0, abs=2e-3)


def test_reroll_takes_the_next_seed(window: MainWindow) -> None:
    window.actions_by_name["reroll"].trigger()
    assert "rate must be above 0, got 0" in window.message
    window.wiring.set_scalar("dropout", 0.5)
    body = panel_of(window)
    before = window.session.frame.trace.weights
    QTest.mouseClick(body.dropout.button, Qt.MouseButton.LeftButton)
    assert window.session.state.dropout_seed == 1
    assert not np.array_equal(window.session.frame.trace.weights, before)
    assert "with seed 1" in body.dropout.now.text


# The ghost column


def test_the_ghost_column_is_pointed_at_and_clicked_without_harm(window: MainWindow) -> None:
    window.wiring.set_scalar("softmax", "plus_one")
    window.weights.show_measures(("row_sum", "column_sum"))
    matrix = window.weights.matrix
    move(matrix, cell_place(matrix, 1, 3), is_pressed=False)
    assert (window.selection.chosen.pointed_query, window.selection.chosen.pointed_key) == (1, None)
    click(matrix, cell_place(matrix, 1, 3))
    assert window.selection.chosen.number == NumberRef("row_sum", (1,))
    assert matrix.cursor_sentence().endswith(" of dog’s attention goes to nothing")
    place = matrix.gutter_rect("column_sum", 3)
    assert not place.isNull()
    move(matrix, place.center(), is_pressed=False)
    click(matrix, place.center())
    assert window.selection.chosen.number == NumberRef("row_sum", (1,))
    matrix = paint(window)
    click(matrix, cell_place(matrix, 1, 3))
    assert banned(window) == []


def test_a_ghost_says_what_it_is_and_arrow_right_goes_there(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    tips: list[str] = []
    monkeypatch.setattr("attnviz.views.matrix.view.QToolTip.showText", lambda _at, text, *_: tips.append(text))
    window.wiring.set_scalar("sink", True)
    matrix = window.weights.matrix
    share = "0.152"  # of e^(1.25/√2), e^(1.1/√2), 1 and 1, which is 6.597 in all, the last
    for key in (2, 3):
        place = cell_place(matrix, 0, key).toPoint()
        move(matrix, QPointF(place), is_pressed=False)
        QApplication.sendEvent(matrix, QHelpEvent(QEvent.Type.ToolTip, place, matrix.mapToGlobal(place)))
    assert "Click to keep it lit" in tips[0]
    assert f"{share} of cat’s attention goes to the sink\nClick to keep its row lit" in tips[1]
    matrix.setFocus()
    QTest.keyClick(matrix, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    for _ in range(3):
        QTest.keyClick(matrix, Qt.Key.Key_Right)
    assert matrix.cursor_cell == (0, 3)
    assert matrix.cursor_sentence() == f"{share} of cat’s attention goes to the sink"
    window.wiring.set_scalar("softmax", "plus_one")  # 2 of 7.597
    assert matrix.cursor_sentence() == "0.263 of cat’s attention goes to the sink and nothing"
    QTest.keyClick(matrix, Qt.Key.Key_Return)
    assert window.selection.chosen.number == NumberRef("row_sum", (0,))


def test_rows_of_weights_and_ghost_sum_to_one_in_an_empty_row_too(window: MainWindow) -> None:
    window.wiring.apply(layer_edits.invert_mask, label="x")
    window.wiring.set_scalar("softmax", "plus_one")
    texts = [text for text, _ in window.weights.matrix.painted_texts()]
    assert texts.count("1.000") == 3
    assert texts.count("no visible key") == 3
    QApplication.processEvents()
    box, image = window.weights.matrix.cell_rect(1, 3), window.weights.matrix.grab().toImage()
    colours = {image.pixelColor(round(box.left()) + 6 + step, round(box.top()) + 6).name() for step in range(12)}
    assert len(colours) == 1  # not hatched


# Import


def open_dialog(window: MainWindow, qtbot: QtBot, path: Path) -> MaskDialog:
    answers_of(window).mask_path = path
    window.actions_by_name["import_mask"].trigger()
    dialog = window.findChild(MaskDialog)
    assert isinstance(dialog, MaskDialog)
    qtbot.waitUntil(dialog.progress.isHidden)
    return dialog


@pytest.fixture
def causal(tmp_path: Path) -> Path:
    path = tmp_path / "causal.csv"
    path.write_text("1,0,0\n1,1,0\n1,1,1\n")
    return path


def test_both_readings_are_shown_and_the_chosen_one_is_taken(window: MainWindow, qtbot: QtBot, causal: Path) -> None:
    dialog = open_dialog(window, qtbot, causal)
    assert dialog.isVisible()
    assert "What does True (or 1) mean in it" in dialog.summary.text()
    assert dialog.keeps.note.text() == "6 of 9 cells may be attended to"
    assert dialog.bans.note.text() == "3 of 9 cells may be attended to; 1 query sees no key"
    QTest.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
    assert banned(window) == [(0, 1), (0, 2), (1, 2)]
    assert window.session.undo_label == "Import Mask"


def test_true_may_mean_banned_and_is_chosen_by_keyboard(window: MainWindow, qtbot: QtBot, causal: Path) -> None:
    dialog = open_dialog(window, qtbot, causal)
    assert dialog.keeps.button.hasFocus()
    QTest.keyClick(dialog.keeps.button, Qt.Key.Key_Right)
    assert dialog.bans.button.isChecked()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert banned(window) == [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]


def test_an_additive_mask_has_one_reading(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "added.npy"
    np.save(path, np.triu(np.full((3, 3), -np.inf), 1))
    dialog = open_dialog(window, qtbot, path)
    assert dialog.bans.isHidden()
    assert "0 lets a query see a key" in dialog.summary.text()
    QTest.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
    assert banned(window) == [(0, 1), (0, 2), (1, 2)]


def test_a_mask_of_another_shape_is_refused_and_the_document_stays(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "wide.npy"
    np.save(path, np.ones((3, 4), bool))
    before = window.session.state
    dialog = open_dialog(window, qtbot, path)
    assert dialog.message.text() == "a mask must have shape (3, 3), got (3, 4)"
    assert not dialog.import_button.isEnabled()
    QTest.mouseClick(dialog.cancel_button, Qt.MouseButton.LeftButton)
    assert window.session.state is before


def test_lines_of_an_old_mac_are_read(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "old.csv"
    path.write_bytes(b"1,0,0\r1,1,0\r1,1,1\r")
    dialog = open_dialog(window, qtbot, path)
    assert dialog.keeps.note.text() == "6 of 9 cells may be attended to"


def test_whatever_goes_wrong_while_reading_is_said_and_the_bar_goes(
    window: MainWindow, qtbot: QtBot, causal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(*_: object, **__: object) -> None:
        raise RuntimeError("first\nsecond")

    monkeypatch.setattr("attnviz.app.mask_dialog.read_mask", break_down)
    dialog = open_dialog(window, qtbot, causal)
    assert dialog.message.text() == "causal.csv must be a file that can be read, got RuntimeError (first?second)"
    assert not dialog.import_button.isEnabled()


def test_a_document_that_changed_meanwhile_refuses_the_mask(window: MainWindow, qtbot: QtBot, causal: Path) -> None:
    dialog = open_dialog(window, qtbot, causal)
    window.actions_by_name["add_token"].trigger()
    before = window.session.state
    QTest.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
    assert window.message == "causal.csv: a mask must have shape (4, 4), got (3, 3)"
    assert window.session.state is before


def test_nobody_is_asked_twice(window: MainWindow) -> None:
    window.actions_by_name["import_mask"].trigger()  # cancelled
    assert window.findChild(MaskDialog) is None
    assert answers_of(window).asked == ["mask"]


# What demonstrations leave is seen


def test_banned_cells_keep_their_numbers_where_the_method_does_not_take_them_away(window: MainWindow) -> None:
    window.actions_by_name["causal"].trigger()
    window.wiring.set_scalar("masking", "multiply_zero")
    texts = [text for text, _ in window.weights.matrix.painted_texts()]
    weights = window.session.frame.trace.weights
    assert all(f"{weight:.3f}" in texts for weight in weights.ravel().tolist())
    assert window.weights.subtitle == "softmax of each row — hatched edge: banned, yet counted"
    window.wiring.set_scalar("masking", "before")
    assert window.weights.subtitle == "softmax of each row"
    assert f"{weights[0, 2]:.3f}" not in [text for text, _ in window.weights.matrix.painted_texts()]


def test_the_edge_of_a_banned_cell_with_a_number_is_hatched_and_its_middle_is_not(window: MainWindow) -> None:
    matrix = window.weights.matrix
    window.actions_by_name["causal"].trigger()
    window.wiring.set_scalar("masking", "multiply_zero")
    QApplication.processEvents()
    box = matrix.cell_rect(0, 2)
    image = matrix.grab().toImage()
    inside = {image.pixelColor(round(box.left()) + 12 + step, round(box.top()) + 12).name() for step in range(12)}
    assert hatch_at_edge(window, matrix)
    assert len(inside) == 1


def test_softmax_of_columns_says_that_rows_are_no_budgets(window: MainWindow) -> None:
    window.wiring.set_scalar("softmax", "columns")
    assert window.weights.subtitle == "softmax of each column: rows are no budgets"
    assert panel_of(window).remarks.sentences[0].startswith("Weights do not sum to 1 (softmax of columns)")


def test_the_status_line_does_not_call_a_leaking_weight_nought(window: MainWindow) -> None:
    window.actions_by_name["causal"].trigger()
    window.wiring.set_scalar("masking", "multiply_zero")
    matrix = window.weights.matrix
    move(matrix, cell_place(matrix, 0, 2), is_pressed=False)
    weight = window.session.frame.cell("weights", 0, 2)
    assert window.status_line.sentence.text == f"query cat → key phone: banned, score 0.000, weight {weight:.3f}"
    move(matrix, QPointF(1.0, 1.0), is_pressed=False)
