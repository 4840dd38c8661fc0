"""Numbers pinned in the middle: by keys and mouse, marked wherever they count, saved, undone and let go."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from attnviz.app.window import MainWindow
from attnviz.document.attn_file import read_file, write_file
from attnviz.document.number_ref import NumberRef
from attnviz.film import caption
from attnviz.views.cell_sentences import announced
from attnviz.views.derivation.view import DerivationView
from tests.app.mouse import cell_place, click

SCORE = NumberRef("score", (0, 1))


def pin(window: MainWindow, kind: str, row: int, column: int, value: float) -> None:
    window.wiring.pin_number(NumberRef(kind, (row, column)), value)
    QApplication.processEvents()


def pinned(window: MainWindow) -> dict[NumberRef, float]:
    return {one.ref: one.value for one in window.session.state.interventions}


def warning_pixels(window: MainWindow, widget: QWidget, area: QRect | None = None) -> int:
    """Count the pixels in the colour of warnings: marks, and sums that are not 1."""
    image = widget.grab(area or widget.rect()).toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)
    return int((pixels == QColor(window.appearance.theme.warning).rgb()).sum())


# By keys and mouse


def test_a_score_is_pinned_by_keys_and_everything_follows(window: MainWindow) -> None:
    window.docks["inspector"].show()
    matrix = window.scores.matrix
    click(matrix, cell_place(matrix, 0, 1))
    QTest.keyClick(matrix, Qt.Key.Key_F7)
    box = window.inspector.body.pin_bar.box
    assert box.hasFocus()
    QTest.keyClicks(box, "3")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert pinned(window) == {SCORE: 3.0}
    assert window.session.frame.trace.weights[0] == pytest.approx([0.2058, 0.7092, 0.0850], abs=1e-4)
    assert window.session.undo_label == "Pin Score"
    assert "1 pinned" in window.status_line.facts.text
    window.session.undo()
    assert pinned(window) == {}


def test_f7_opens_the_inspector_and_pins_the_chosen_weight(window: MainWindow) -> None:
    matrix = window.weights.matrix
    matrix.setFocus()
    QTest.keyClick(matrix, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(matrix, Qt.Key.Key_F7)
    assert window.docks["inspector"].isVisible()
    box = window.inspector.body.pin_bar.box
    QTest.keyClicks(box, "0,5")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert pinned(window) == {NumberRef("weight", (0, 0)): 0.5}


def test_box_shows_the_first_digits_of_a_long_number(window: MainWindow) -> None:
    click(window.weights.matrix, cell_place(window.weights.matrix, 0, 0))
    QTest.keyClick(window.weights.matrix, Qt.Key.Key_F7)
    box = window.inspector.body.pin_bar.box
    assert (box.cursorPosition(), box.selectedText()) == (0, box.text())


def test_f7_on_a_scaled_score_says_that_the_raw_one_is_pinned(window: MainWindow) -> None:
    window.actions_by_name["scores_scaled"].trigger()
    click(window.scores.matrix, cell_place(window.scores.matrix, 0, 1))
    QTest.keyClick(window.scores.matrix, Qt.Key.Key_F7)
    assert "before they are scaled" in window.message
    assert window.selection.chosen.number == SCORE


def test_numbers_beside_the_scores_tell_what_is_pinned(window: MainWindow) -> None:
    click(window.scores.matrix, cell_place(window.scores.matrix, 0, 1))
    pin(window, "score", 0, 1, 3.0)
    readout = window.scores.readout
    assert [line.text[6:8] for line in readout.numbers] == [" ◥", " ↳", " ↳"]  # the sign touches no name
    window.wiring.release_all()
    assert [line.text[6] for line in readout.numbers] == [" ", " ", " "]


def test_shift_f7_lets_the_chosen_number_go_and_ctrl_all(window: MainWindow) -> None:
    for column in range(3):
        pin(window, "score", 0, column, 1.0)
    click(window.scores.matrix, cell_place(window.scores.matrix, 0, 1))
    QTest.keyClick(window.scores.matrix, Qt.Key.Key_F7, Qt.KeyboardModifier.ShiftModifier)
    assert SCORE not in pinned(window)
    assert len(pinned(window)) == 2
    both = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(window.scores.matrix, Qt.Key.Key_F7, both)
    assert pinned(window) == {}
    assert not window.actions_by_name["release_all"].isEnabled()
    window.session.undo()
    assert len(pinned(window)) == 2


def test_button_pins_and_releases(window: MainWindow) -> None:
    window.docks["inspector"].show()
    window.inspector.show_number(NumberRef("q", (2, 1)))
    bar = window.inspector.body.pin_bar
    bar.button.click()
    assert pinned(window) == {NumberRef("q", (2, 1)): 1.0}
    assert bar.button.text() == "Release"
    bar.button.click()
    assert pinned(window) == {}


def test_number_that_cannot_be_pinned_is_refused_in_a_sentence(window: MainWindow) -> None:
    window.docks["inspector"].show()
    window.selection.pin_number(NumberRef("entropy", (0,)), 0)
    window.plane.setFocus()
    window.actions_by_name["pin_number"].trigger()
    assert window.message == "To pin a number choose an entry of q, k, v, the scores or the weights, got none of these."
    assert not window.inspector.body.pin_bar.isVisible()
    window.actions_by_name["release_number"].trigger()
    assert "choose a pinned one" in window.message


@pytest.mark.parametrize("text", ["abc", "", "1e400", "-1"])
def test_value_that_cannot_be_pinned_is_refused_and_nothing_is_lost(window: MainWindow, text: str) -> None:
    window.docks["inspector"].show()
    window.inspector.show_number(NumberRef("weight", (0, 1)))
    box = window.inspector.body.pin_bar.box
    box.setFocus()
    box.selectAll()
    QTest.keyClick(box, Qt.Key.Key_Delete)
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert pinned(window) == {}
    assert "pinned" in window.message


# Marks


def test_heatmaps_mark_the_cell_and_its_row(window: MainWindow) -> None:
    assert warning_pixels(window, window.scores.matrix) == 0
    pin(window, "score", 0, 1, 3.0)
    for matrix in (window.scores.matrix, window.weights.matrix):
        cells = [matrix.cell_rect(row, 0).toAlignedRect() for row in range(3)]
        assert warning_pixels(window, matrix, cells[0]) > 20  # the bar
        assert warning_pixels(window, matrix, cells[1]) == 0
    corner = window.scores.matrix.cell_rect(0, 1).toAlignedRect()
    assert warning_pixels(window, window.scores.matrix, corner) > 10
    assert warning_pixels(window, window.weights.matrix, window.weights.matrix.cell_rect(0, 1).toAlignedRect()) == 0


def test_plane_marks_outputs_that_follow(window: MainWindow) -> None:
    assert warning_pixels(window, window.plane.canvas) == 0
    pin(window, "v", 2, 1, -1.0)
    assert warning_pixels(window, window.plane.canvas) > 3 * 5
    assert "pinned" in window.plane.subtitle


@pytest.mark.parametrize("panel", ["stages", "table"])
def test_stages_and_table_mark_pinned_cells(window: MainWindow, panel: str) -> None:
    window.actions_by_name[panel].trigger()
    QApplication.processEvents()
    before = warning_pixels(window, window.panels[panel])
    pin(window, "weight", 1, 2, 0.2)
    assert warning_pixels(window, window.panels[panel]) > before + 10


def test_film_marks_the_pinned_cell_and_says_so(window: MainWindow) -> None:
    window.actions_by_name["film"].trigger()
    window.film.toggle_playing()
    pin(window, "score", 0, 1, 3.0)
    body = window.film.body
    steps = [body.script.step(index) for index in range(len(body.script))]
    made = next(i for i, step in enumerate(steps) if "would be 1.100" in caption(window.session.frame, step))
    body.go_to(made)
    QApplication.processEvents()
    assert warning_pixels(window, body) > 10
    body.go_to(0)
    QApplication.processEvents()
    assert warning_pixels(window, body) == 0


def test_strip_says_that_a_score_is_pinned_and_what_it_would_be(window: MainWindow) -> None:
    pin(window, "score", 0, 1, 3.0)
    click(window.weights.matrix, cell_place(window.weights.matrix, 0, 1))
    strip = window.derivation
    assert isinstance(strip, DerivationView)
    name, formula, _, result = strip.shown_texts[0]
    assert (name, formula, result) == ("score, pinned", "without the pin 1.100", "3.000")
    assert "follows from pinned numbers" in strip.subtitle
    assert NumberRef("q", (0, 0)) not in {spot.ref for spot in strip.spots if spot.card == 0}


def test_status_bar_says_what_is_pinned_and_what_follows(window: MainWindow) -> None:
    pin(window, "score", 0, 1, 3.0)
    click(window.weights.matrix, cell_place(window.weights.matrix, 0, 1))
    assert (
        window.status_line.sentence.text
        == "query cat → key dog: score 3.000 (pinned), weight 0.709 (follows from a pinned number)"
    )


def test_inspector_names_the_pins_and_leads_to_them(window: MainWindow) -> None:
    window.docks["inspector"].show()
    pin(window, "score", 0, 1, 3.0)
    window.inspector.show_number(NumberRef("output", (0, 1)))
    assert SCORE in window.inspector.body.sheet.links
    window.inspector.show_number(SCORE)
    text = window.inspector.body.sheet.text
    assert "= 3.000 pinned" in text
    assert "= 1.100" in text.partition("Without the pin:")[2]


def test_menu_lists_the_pins_and_explains_the_chosen_one(window: MainWindow) -> None:
    pin(window, "score", 0, 1, 3.0)
    menu = window._menus["Edit/Pins"]
    menu.aboutToShow.emit()
    entry = next(action for action in menu.actions() if action.text() == "score of dog for query cat = 3.000")
    entry.trigger()
    assert window.docks["inspector"].isVisible()
    assert window.inspector.explanation is not None
    assert window.inspector.explanation.ref == SCORE
    window.wiring.release_all()
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()][-1] == "No number is pinned"


# Documents


def test_pins_are_saved_and_come_back(window: MainWindow, tmp_path) -> None:
    pin(window, "score", 0, 1, 3.0)
    assert window.isWindowModified()
    path = tmp_path / "pinned.attn"
    write_file(window.session.state, path)
    state = read_file(path)
    assert state.is_same(window.session.state)


def test_deleting_the_token_takes_its_pins_along_and_undo_brings_them_back(window: MainWindow) -> None:
    pin(window, "score", 0, 1, 3.0)
    window.wiring.delete_tokens("sequence", (1,))
    assert pinned(window) == {}
    window.session.undo()
    assert pinned(window) == {SCORE: 3.0}


def test_d_k_below_a_pinned_column_keeps_the_pin_waiting(window: MainWindow) -> None:
    pin(window, "q", 0, 1, 9.0)
    window.wiring.set_scalar("d_k", 1)
    menu = window._menus["Edit/Pins"]
    menu.aboutToShow.emit()
    (waiting,) = [action for action in menu.actions() if "waits for d_k 2" in action.text()]
    assert "1 waiting" in window.status_line.facts.text
    assert "pinned" not in window.status_line.facts.text
    window.wiring.set_scalar("d_k", 2)
    assert window.session.frame.q[0, 1] == 9.0
    window.wiring.set_scalar("d_k", 1)
    waiting.trigger()
    assert pinned(window) == {}


# The menu of a number


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_right_button_offers_to_pin_the_number_under_it(window: MainWindow) -> None:
    matrix = window.weights.matrix
    place = cell_place(matrix, 2, 1).toPoint()
    QTest.mousePress(matrix, Qt.MouseButton.RightButton, pos=place)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, matrix.mapToGlobal(place))
    QApplication.sendEvent(matrix, event)
    QTest.mouseRelease(matrix, Qt.MouseButton.RightButton, pos=place)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [action.objectName() for action in menu.actions()][:2] == ["explain_number", "pin_number"]
    assert window.selection.chosen.number == NumberRef("weight", (2, 1))
    menu.actions()[1].trigger()
    menu.close()
    assert window.inspector.body.pin_bar.box.hasFocus()
    assert window.inspector.explanation is not None
    assert window.inspector.explanation.ref == NumberRef("weight", (2, 1))


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_menu_key_offers_the_number_at_the_cursor(window: MainWindow) -> None:
    matrix = window.scores.matrix
    matrix.setFocus()
    QTest.keyClick(matrix, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(1, 1), QPoint(1, 1))
    QApplication.sendEvent(matrix, event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    menu.close()
    assert window.selection.chosen.number == NumberRef("scaled", (2, 2))


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
@pytest.mark.parametrize("name", ["film", "stages", "inspector"])
def test_menu_key_offers_the_number_in_a_panel_that_is_made_late(window: MainWindow, name: str) -> None:
    window.actions_by_name["explain_number" if name == "inspector" else name].trigger()
    QApplication.processEvents()
    if name == "stages":
        window.stages.body.toggle("q")
    if name == "film":
        window.film.body.player.stop()
        window.film.body.go_to(0)
    QApplication.processEvents()
    window.panels[name].setFocus()
    target = QApplication.focusWidget()
    assert target is not None
    assert window.panels[name].focused_number() is not None
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), target.mapToGlobal(QPoint(5, 5)))
    QApplication.sendEvent(target, event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [action.objectName() for action in menu.actions()][:2] == ["explain_number", "pin_number"]
    menu.close()
    if name == "stages":
        window.stages.body.toggle("q")  # as it was


def test_right_button_beside_the_numbers_offers_nothing(window: MainWindow) -> None:
    matrix = window.weights.matrix
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(1, 1), matrix.mapToGlobal(QPoint(1, 1)))
    QApplication.sendEvent(matrix, event)
    assert QApplication.activePopupWidget() is None


def test_value_that_the_document_refuses_is_marked_in_the_box(window: MainWindow) -> None:
    window.docks["inspector"].show()
    window.inspector.show_number(NumberRef("weight", (0, 1)))
    box = window.inspector.body.pin_bar.box
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "-1")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert box.is_invalid
    assert "between 0 and 1e+100, got -1.0" in window.message


def test_ctrl_z_in_the_box_takes_the_pin_back(window: MainWindow) -> None:
    window.docks["inspector"].show()
    window.inspector.show_number(SCORE)
    box = window.inspector.body.pin_bar.box
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "3")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert pinned(window) == {SCORE: 3.0}
    QTest.keyClick(box, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert pinned(window) == {}


@pytest.mark.parametrize("panel", ["inspector", "table", "stages"])
def test_f7_means_the_number_that_has_the_focus(window: MainWindow, panel: str) -> None:
    window.actions_by_name["explain_number" if panel == "inspector" else panel].trigger()
    QApplication.processEvents()
    if panel == "inspector":
        window.inspector.show_number(NumberRef("q", (2, 1)))
        window.inspector.body.sheet.setFocus()
    elif panel == "table":
        window.table.show_matrix("q")
        window.table.body.grid.setCurrentIndex(window.table.body.grid.matrix_model.index(2, 1))
    else:
        window.stages.body.toggle("q")
        QTest.keyClick(window.stages.body.large.matrix, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert window.panels[panel].focused_number() == NumberRef("q", (2, 1))
    window.actions_by_name["pin_number"].trigger()
    assert window.inspector.explanation is not None
    assert window.inspector.explanation.ref == NumberRef("q", (2, 1))


def test_screen_readers_hear_that_a_masked_cell_has_a_pinned_weight(window: MainWindow) -> None:
    window.wiring.set_scalar("causal", True)
    pin(window, "weight", 0, 2, 0.5)
    said = announced(window.session.frame, 0, 2)
    assert said == "query cat, key phone, masked, score 0, weight 0.500 (pinned)"
    assert announced(window.session.frame, 0, 1) == "query cat, key dog, masked, weight 0"


def test_weight_far_above_1_is_drawn_without_a_complaint(window: MainWindow) -> None:
    pin(window, "weight", 0, 1, 1e100)
    window.plane.canvas.grab()  # a warning of Qt fails the test
    assert window.session.frame.largest_weight == 1e100
