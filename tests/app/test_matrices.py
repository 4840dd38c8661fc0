"""The matrices in the window: numbers typed, scrubbed and stepped, shapes by command, copies and pastes."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit

from attnviz.app.window import MainWindow
from attnviz.document import edits, matrix_edits
from attnviz.document.arrays import identity
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.matrices.entry_grid import EntryGrid
from attnviz.views.matrices.matrix_section import MatrixSection
from attnviz.views.painted import texts_painted_by
from tests.app.conftest import OpenWindow
from tests.app.mouse import double_click, drag, move, press, release
from tests.app.test_look import focusable, told
from tests.app.test_reachability import SEEN, around, difference

_CONTROL, _SHIFT, _ALT, _NONE = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.NoModifier,
)


@pytest.fixture
def section(window: MainWindow) -> MatrixSection:
    """The section of W_Q; its numbers have the focus."""
    window.plane.setFocus()
    QTest.keyClick(window.plane.canvas, Qt.Key.Key_J, _CONTROL)
    QApplication.processEvents()
    window.matrices.body.message.clear()
    QTest.keyClick(window.matrices.body.sections["w_q"].grid, Qt.Key.Key_Home, _CONTROL)
    return window.matrices.body.sections["w_q"]


@pytest.fixture
def grid(section: MatrixSection) -> EntryGrid:
    return section.grid


def middle(grid: EntryGrid, row: int, column: int) -> QPointF:
    return QPointF(grid.geometry_shown.cell(row, column).center())


def w_q(window: MainWindow) -> list[list[float]]:
    numbers: list[list[float]] = window.session.state.w_q.tolist()
    return numbers


def retype(box: QLineEdit, text: str) -> None:
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)


def move_with(grid: EntryGrid, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
    viewport = grid.viewport()
    buttons = Qt.MouseButton.LeftButton
    kind, no = QEvent.Type.MouseMove, Qt.MouseButton.NoButton
    QApplication.sendEvent(
        viewport, QMouseEvent(kind, at, QPointF(viewport.mapToGlobal(at.toPoint())), no, buttons, modifiers)
    )
    QApplication.processEvents()


# -- the panel


def test_panel_is_not_made_before_it_is_shown(fresh_window: MainWindow) -> None:
    assert not fresh_window.docks["matrices"].isVisible()
    assert not fresh_window.matrices.is_made


def test_shortcut_shows_it_along_the_bottom_and_goes_to_the_numbers(window: MainWindow, grid: EntryGrid) -> None:
    assert QApplication.focusWidget() is grid
    assert window.docks["derivation"] in window.tabifiedDockWidgets(window.docks["matrices"])
    assert [name for name, one in window.matrices.body.sections.items() if one.isVisible()] == ["w_q", "w_k", "w_v"]
    for one in window.matrices.body.sections.values():
        assert one.grid.verticalScrollBar().maximum() == 0  # a small matrix is seen whole
        assert one.visibleRegion().boundingRect().size() == one.size()


def test_every_control_has_a_name_and_explains_itself(window: MainWindow, section: MatrixSection) -> None:
    for operation in ("rotation", "random"):
        section.bar.choose(operation)
        controls = [
            control
            for kind in (QAbstractButton, QComboBox, QLineEdit)
            for control in section.findChildren(kind)
            if control.isVisible()
        ]
        assert len(controls) >= 5
        for control in [*controls, section.grid, section.bar.dial]:
            is_button = isinstance(control, QAbstractButton)
            assert control.accessibleName() or (is_button and control.text()), control
            assert control.toolTip(), control
    section.bar.choose("rotation")


# -- scrubbing


def test_scrub_changes_the_number_and_is_one_entry_of_the_history(window: MainWindow, grid: EntryGrid) -> None:
    start = middle(grid, 0, 1)
    drag(grid.viewport(), start, start + QPointF(40.0, 5.0), steps=8)
    assert w_q(window) == [[1.0, 0.4], [0.0, 1.0]]  # a pixel is 0.01
    assert window.session.undo_label == "Change W_Q"
    window.session.undo()
    assert window.session.state.w_q is identity(2)
    assert window.session.undo_label is None


def test_scrub_to_the_left_lowers(window: MainWindow, grid: EntryGrid) -> None:
    start = middle(grid, 1, 1)
    drag(grid.viewport(), start, start - QPointF(30.0, 0.0))
    assert w_q(window) == [[1.0, 0.0], [0.0, 0.7]]


def test_shift_is_fine_and_control_is_coarse_and_both_go_on_from_where_the_number_is(
    window: MainWindow, grid: EntryGrid
) -> None:
    start = middle(grid, 0, 0)
    press(grid.viewport(), start)
    move(grid.viewport(), start + QPointF(10.0, 0.0))
    move_with(grid, start + QPointF(10.0, 0.0), _SHIFT)
    move_with(grid, start + QPointF(15.0, 0.0), _SHIFT)
    assert w_q(window)[0][0] == 1.105
    move_with(grid, start + QPointF(15.0, 0.0), _CONTROL)
    move_with(grid, start + QPointF(17.0, 0.0), _CONTROL)
    release(grid.viewport(), start + QPointF(17.0, 0.0))
    assert w_q(window)[0][0] == 1.305
    window.session.undo()
    assert window.session.undo_label is None


def test_esc_takes_an_unfinished_scrub_back_and_the_mouse_does_nothing_more(
    window: MainWindow, grid: EntryGrid
) -> None:
    start = middle(grid, 0, 1)
    press(grid.viewport(), start)
    move(grid.viewport(), start + QPointF(25.0, 0.0))
    assert w_q(window)[0][1] == 0.25
    QTest.keyClick(grid, Qt.Key.Key_Escape)
    assert window.session.state.w_q is identity(2)
    move(grid.viewport(), start + QPointF(35.0, 0.0))
    release(grid.viewport(), start + QPointF(35.0, 0.0))
    assert window.session.state.w_q is identity(2)
    assert window.session.undo_label is None
    assert window.selection.chosen.is_pinned  # the window's Esc had no part in it


def test_click_that_trembles_changes_nothing(window: MainWindow, grid: EntryGrid) -> None:
    start = middle(grid, 1, 0)
    drag(grid.viewport(), start, start + QPointF(3.0, 0.0))
    assert grid.cursor_place == (1, 0)
    assert window.session.undo_label is None


def test_undo_in_the_middle_of_a_scrub_lets_the_number_go(window: MainWindow, grid: EntryGrid) -> None:
    start = middle(grid, 0, 1)
    press(grid.viewport(), start)
    move(grid.viewport(), start + QPointF(25.0, 0.0))
    window.session.undo()
    assert not grid.is_scrubbing
    move(grid.viewport(), start + QPointF(35.0, 0.0))
    assert window.session.state.w_q is identity(2)
    release(grid.viewport(), start)


def test_everything_follows_the_scrub(window: MainWindow, grid: EntryGrid) -> None:
    before = window.session.frame.trace.weights
    start = middle(grid, 0, 0)
    press(grid.viewport(), start)
    move(grid.viewport(), start + QPointF(20.0, 0.0))
    assert not np.array_equal(before, window.session.frame.trace.weights)
    assert window.weights.frame is window.session.frame
    release(grid.viewport(), start + QPointF(20.0, 0.0))


# -- the keyboard


def test_arrow_keys_walk_and_typing_replaces(window: MainWindow, grid: EntryGrid) -> None:
    QTest.keyClick(grid, Qt.Key.Key_Right)
    QTest.keyClick(grid, Qt.Key.Key_Down)
    assert grid.cursor_place == (1, 1)
    QTest.keyClick(grid, Qt.Key.Key_Left)
    QTest.keyClicks(QApplication.focusWidget(), "-")
    QTest.keyClicks(QApplication.focusWidget(), "0,75")
    assert QApplication.focusWidget() is grid.editor
    QTest.keyClick(grid.editor, Qt.Key.Key_Return)
    assert w_q(window) == [[1.0, 0.0], [-0.75, 1.0]]
    assert QApplication.focusWidget() is grid
    assert grid.editor is None
    window.session.undo()
    assert window.session.undo_label is None


def test_enter_and_double_click_open_the_number_and_esc_leaves_it(window: MainWindow, grid: EntryGrid) -> None:
    QTest.keyClick(grid, Qt.Key.Key_Return)
    assert grid.editor is not None
    assert (grid.editor.text(), grid.editor.selectedText()) == ("1", "1")
    QTest.keyClicks(grid.editor, "9")
    QTest.keyClick(grid.editor, Qt.Key.Key_Escape)
    assert (grid.editor, window.session.undo_label) == (None, None)
    assert QApplication.focusWidget() is grid
    double_click(grid.viewport(), middle(grid, 1, 1))
    assert grid.editor is not None
    assert grid.cursor_place == (1, 1)
    QTest.keyClick(grid.editor, Qt.Key.Key_Escape)


def test_arrows_and_the_wheel_step_the_open_number(window: MainWindow, grid: EntryGrid) -> None:
    QTest.keyClick(grid, Qt.Key.Key_Return)
    QTest.keyClick(grid.editor, Qt.Key.Key_Up)
    QTest.keyClick(grid.editor, Qt.Key.Key_Up)
    assert w_q(window)[0][0] == 1.2
    QTest.keyClick(grid.editor, Qt.Key.Key_Return)
    assert grid.editor is None


def test_tab_types_one_number_after_the_other(window: MainWindow, grid: EntryGrid) -> None:
    for text in ("2", "3", "4", "5"):
        QTest.keyClicks(QApplication.focusWidget(), text)
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert w_q(window) == [[2.0, 3.0], [4.0, 5.0]]
    assert grid.editor is None
    assert QApplication.focusWidget() is grid
    QTest.keyClick(grid, Qt.Key.Key_Return)
    QTest.keyClick(grid.editor, Qt.Key.Key_Tab, _SHIFT)
    assert grid.cursor_place == (1, 0)
    QTest.keyClick(grid.editor, Qt.Key.Key_Escape)


def test_click_elsewhere_takes_what_was_typed(window: MainWindow, grid: EntryGrid) -> None:
    QTest.keyClicks(grid, "8")
    press(grid.viewport(), middle(grid, 1, 1))
    release(grid.viewport(), middle(grid, 1, 1))
    assert w_q(window) == [[8.0, 0.0], [0.0, 1.0]]
    assert (grid.editor, grid.cursor_place) == (None, (1, 1))


def test_what_is_no_number_is_refused_and_can_be_mended(window: MainWindow, grid: EntryGrid) -> None:
    QTest.keyClicks(grid, "1")
    QTest.keyClicks(grid.editor, "x")
    QTest.keyClick(grid.editor, Qt.Key.Key_Return)
    assert window.message == "an entry of W_Q must be a finite number such as 0.8, got '1x'"
    assert grid.editor is not None
    assert grid.editor.is_invalid
    QTest.keyClick(grid.editor, Qt.Key.Key_Backspace)
    QTest.keyClick(grid.editor, Qt.Key.Key_Return)
    assert grid.editor is None
    assert window.session.state.w_q is identity(2)


def test_alt_and_control_with_arrows_step_as_one_gesture(window: MainWindow, grid: EntryGrid) -> None:
    for _ in range(3):
        QTest.keyClick(grid, Qt.Key.Key_Up, _ALT)
    assert w_q(window)[0][0] == 1.3
    QTest.keyClick(grid, Qt.Key.Key_Down, _CONTROL)
    assert w_q(window)[0][0] == 0.3
    window.session.undo()
    assert window.session.undo_label is None
    QTest.keyClick(grid, Qt.Key.Key_Delete)
    assert w_q(window)[0][0] == 0.0


def test_cursor_lights_its_number_and_is_said_beside_the_title(window: MainWindow, grid: EntryGrid) -> None:
    QTest.keyClick(grid, Qt.Key.Key_Right)
    pointed = window.selection.chosen.pointed_number
    assert pointed is not None
    assert (pointed.kind, pointed.indices) == ("w_q", (0, 1))
    assert window.matrices.subtitle == "W_Q row 1, column 2: 0.0"
    ref = window.matrices.focused_number()
    assert ref == pointed


# -- commands


def test_rotation_by_the_dial_turns_the_matrix_live_in_one_gesture(window: MainWindow, section: MatrixSection) -> None:
    dial = section.bar.dial
    centre, radius = QPointF(dial.width() / 2, dial.height() / 2), dial.width() / 2 - 6
    press(dial, centre + QPointF(radius, 0.0))
    move(dial, centre + QPointF(0.0, -radius))
    assert w_q(window) == [[0.0, 1.0], [-1.0, 0.0]]  # exactly
    move(dial, centre + QPointF(-radius, 0.0))
    assert w_q(window) == [[-1.0, 0.0], [0.0, -1.0]]
    release(dial, centre + QPointF(-radius, 0.0))
    assert (dial.angle, section.bar.box.number) == (180.0, 180.0)
    assert window.session.undo_label == "Rotation for W_Q"
    window.session.undo()
    assert window.session.undo_label is None
    assert dial.angle == 0.0


def test_dial_turns_the_matrix_that_is_there(window: MainWindow, section: MatrixSection) -> None:
    window.wiring.apply(matrix_edits.set_matrix, "w_q", [[1.0, 2.0], [3.0, 4.0]], label="Paste")
    dial = section.bar.dial
    dial.setFocus()
    QTest.keyClick(dial, Qt.Key.Key_Right)
    cosine, sine = np.cos(np.pi / 180), np.sin(np.pi / 180)
    rotation = np.array([[cosine, sine], [-sine, cosine]])
    np.testing.assert_allclose(w_q(window), np.array([[1.0, 2.0], [3.0, 4.0]]) @ rotation, rtol=1e-14)
    for _ in range(6):
        QTest.keyClick(dial, Qt.Key.Key_PageUp)
    QTest.keyClick(dial, Qt.Key.Key_Left)
    assert w_q(window) == [[-2.0, 1.0], [-4.0, 3.0]]  # a quarter, exactly: counted from the start of the gesture
    window.session.undo()
    assert w_q(window) == [[1.0, 2.0], [3.0, 4.0]]
    QTest.keyClick(dial, Qt.Key.Key_Right)  # at once, and still a gesture of its own
    assert section.bar.box.number == 1.0
    window.session.undo()
    centre, radius = QPointF(dial.width() / 2, dial.height() / 2), dial.width() / 2 - 6
    press(dial, centre + QPointF(0.0, -radius))
    assert w_q(window) == [[1.0, 2.0], [3.0, 4.0]]  # to grab turns nothing
    move(dial, centre + QPointF(radius, 0.0))
    assert w_q(window) == [[2.0, -1.0], [4.0, -3.0]]
    QTest.keyClick(dial, Qt.Key.Key_Escape)
    release(dial, centre + QPointF(radius, 0.0))
    assert w_q(window) == [[1.0, 2.0], [3.0, 4.0]]
    retype(section.bar.box, "180")
    QTest.keyClick(section.bar.box, Qt.Key.Key_Return)
    QTest.mouseClick(section.bar.apply_button, Qt.MouseButton.LeftButton)
    assert w_q(window) == [[-1.0, -2.0], [-3.0, -4.0]]


def test_home_turns_the_first_axis_to_the_right(window: MainWindow, section: MatrixSection) -> None:
    window.wiring.apply(matrix_edits.set_matrix, "w_q", [[3.0, 4.0], [0.0, 1.0]], label="Paste")
    section.bar.dial.setFocus()
    QTest.keyClick(section.bar.dial, Qt.Key.Key_Home)
    np.testing.assert_allclose(w_q(window), [[5.0, 0.0], [0.8, 0.6]], atol=1e-14)


def test_esc_takes_a_turn_of_the_dial_back(window: MainWindow, section: MatrixSection) -> None:
    dial = section.bar.dial
    dial.setFocus()
    centre = QPointF(dial.width() / 2, dial.height() / 2)
    press(dial, centre + QPointF(10.0, 0.0))
    move(dial, centre + QPointF(0.0, -10.0))
    assert w_q(window) == [[0.0, 1.0], [-1.0, 0.0]]
    QTest.keyClick(dial, Qt.Key.Key_Escape)
    assert window.session.state.w_q is identity(2)
    release(dial, centre + QPointF(0.0, 10.0))
    assert window.session.undo_label is None


def test_dial_turns_by_keys_and_the_box_takes_any_angle(window: MainWindow, section: MatrixSection) -> None:
    dial, box = section.bar.dial, section.bar.box
    dial.setFocus()
    for key in (Qt.Key.Key_PageUp, Qt.Key.Key_Up, Qt.Key.Key_Left, Qt.Key.Key_PageUp):
        QTest.keyClick(dial, key)
    assert dial.angle == 30.0
    assert w_q(window)[0][1] == 0.5
    window.session.undo()
    assert window.session.undo_label is None
    retype(box, "-90")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert window.session.undo_label is None  # it waits for the button, as every number does
    QTest.mouseClick(section.bar.apply_button, Qt.MouseButton.LeftButton)
    assert w_q(window) == [[0.0, -1.0], [1.0, 0.0]]
    retype(box, "999")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert window.message == "an angle must be -360 to 360, got 999"
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert w_q(window) == [[0.0, -1.0], [1.0, 0.0]]


def test_command_is_applied_by_its_button(window: MainWindow, section: MatrixSection) -> None:
    for operation, expected in (
        ("zeros", [[0.0, 0.0], [0.0, 0.0]]),
        ("swap", [[0.0, 1.0], [1.0, 0.0]]),
        ("scaling", [[2.0, 0.0], [0.0, 2.0]]),
        ("low_rank", [[1.0, 0.0], [0.0, 0.0]]),
    ):
        section.bar.choose(operation)
        QTest.mouseClick(section.bar.apply_button, Qt.MouseButton.LeftButton)
        assert w_q(window) == expected
        window.session.undo()
        assert window.session.state.w_q is identity(2)
    section.bar.choose("rotation")


def test_seed_is_shown_and_the_next_one_draws_again(window: MainWindow, section: MatrixSection) -> None:
    section.bar.choose("random")
    retype(section.bar.box, "7")
    QTest.keyClick(section.bar.box, Qt.Key.Key_Return)
    assert window.session.undo_label is None  # a seed waits for the button
    section.bar.apply_button.click()
    first = w_q(window)
    section.bar.draw_button.click()
    assert section.bar.box.number == 8.0
    assert w_q(window) != first
    retype(section.bar.box, "7")
    QTest.keyClick(section.bar.box, Qt.Key.Key_Return)
    section.bar.apply_button.click()
    assert w_q(window) == first
    section.bar.choose("rotation")


def test_exercise_each_of_two_tokens_prefers_the_other(open_window: OpenWindow) -> None:
    """E7: X = I, W_K the swap of the axes."""
    window = open_window(State(TokenSequence(("a", "b"), np.eye(2))))
    window.actions_by_name["matrices"].trigger()
    bar = window.matrices.body.sections["w_k"].bar
    bar.choose("swap")
    bar.apply_button.click()
    expected = [[0.330238, 0.669762], [0.669762, 0.330238]]
    np.testing.assert_allclose(window.session.frame.trace.weights, expected, atol=5e-7)


# -- copies and pastes


def test_copy_and_paste_carry_a_matrix_over_to_another(window: MainWindow, section: MatrixSection) -> None:
    section.bar.choose("orthogonal")
    section.bar.apply_button.click()
    section.bar.choose("rotation")
    section.grid.setFocus()
    QTest.keyClick(section.grid, Qt.Key.Key_C, _CONTROL)
    assert window.message == "W_Q (2 × 2) copied to the clipboard as NumPy text."
    other = window.matrices.body.sections["w_k"].grid
    other.setFocus()
    QTest.keyClick(other, Qt.Key.Key_V, _CONTROL)
    np.testing.assert_array_equal(window.session.state.w_k, window.session.state.w_q)
    assert window.session.undo_label == "Paste W_K"


def test_cells_of_a_spreadsheet_are_pasted_by_the_button(window: MainWindow, section: MatrixSection) -> None:
    QGuiApplication.clipboard().setText("0,5\t2\r\n-1\t1,25\r\n")
    section.paste_button.click()
    assert w_q(window) == [[0.5, 2.0], [-1.0, 1.25]]


def test_refused_paste_leaves_the_document_and_says_why(window: MainWindow, section: MatrixSection) -> None:
    before = window.session.state
    for text, sentence in (
        ("1\t2\n3\tcat", "a matrix must hold numbers only, got 'cat' in row 2, column 2"),
        ("1 2 3\n4 5 6", "W_Q must keep the shape of W_K, (2, 2), got (2, 3)"),
        ("", "a pasted matrix must hold at least one number, got an empty text"),
    ):
        QGuiApplication.clipboard().setText(text)
        QTest.keyClick(section.grid, Qt.Key.Key_V, _CONTROL)
        assert window.session.state is before
        assert window.message == sentence
        assert window.matrices.body.message.text == sentence
        assert window.matrices.body.message.isVisible()
    QTest.keyClick(section.grid, Qt.Key.Key_Delete)  # the next edit that is taken clears it
    assert not window.matrices.body.message.isVisible()


# -- large and odd documents


def test_columns_that_do_not_act_are_named(window: MainWindow, grid: EntryGrid) -> None:
    window.wiring.set_scalar("d_k", 1)
    assert "d_k = 1: of the 2 columns of W_Q and W_K only the first acts" in window.matrices.subtitle
    assert grid.is_acting((0, 0))
    assert not grid.is_acting((0, 1))
    QTest.keyClick(grid, Qt.Key.Key_Right)
    assert window.matrices.focused_number() is None
    window.wiring.set_scalar("d_k", 5)
    assert "d_k = 5: 3 drawn columns act after those written here" in window.matrices.subtitle


def test_matrices_of_the_next_document_are_shown(window: MainWindow, grid: EntryGrid) -> None:
    QTest.keyClick(grid, Qt.Key.Key_Return)
    rows = np.random.default_rng(0).normal(size=(4, 300))
    window.wiring.apply(edits.replace_embeddings, tuple("abcd"), rows, "wide", label="Replace")
    assert grid.editor is None
    assert grid.array.shape == (300, 300)
    assert grid.verticalScrollBar().maximum() > 0
    QTest.keyClick(grid, Qt.Key.Key_End, _CONTROL)
    assert grid.cursor_place == (299, 299)
    assert grid.viewport().rect().contains(grid.geometry_shown.cell(299, 299))
    drag(grid.viewport(), middle(grid, 299, 299), middle(grid, 299, 299) - QPointF(50.0, 0.0))
    assert window.session.state.w_q[299, 299] == 0.5


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_right_button_offers_to_explain_a_number(window: MainWindow, grid: EntryGrid) -> None:
    at = middle(grid, 1, 1).toPoint()
    viewport = grid.viewport()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, viewport.mapToGlobal(at))
    QApplication.sendEvent(viewport, event)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    assert window.selection.chosen.number == NumberRef("w_q", (1, 1))
    menu.close()


def test_explain_number_explains_the_entry_of_the_cursor(window: MainWindow, grid: EntryGrid) -> None:
    QTest.keyClick(grid, Qt.Key.Key_Right)
    window.actions_by_name["explain_number"].trigger()
    assert window.selection.chosen.number == NumberRef("w_q", (0, 1))
    assert window.docks["inspector"].isVisible()


def test_f6_comes_by_the_matrices(window: MainWindow, grid: EntryGrid) -> None:
    QTest.keyClick(grid, Qt.Key.Key_F6)
    assert QApplication.focusWidget() is not grid
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_F6, _SHIFT)
    assert QApplication.focusWidget() is grid


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_focus_is_seen_on_everything_in_the_panel(window: MainWindow, grid: EntryGrid, theme: str) -> None:
    window.appearance.use_theme(theme)
    unseen = []
    for widget in focusable(window):
        if not window.matrices.isAncestorOf(widget) or not widget.isEnabled():
            continue
        window.plane.setFocus()
        without = around(widget, window)
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        if difference(without, around(widget, window)) < SEEN:
            unseen.append(told(widget))
    assert unseen == []


# -- parts of the layer


def part_actions(window: MainWindow) -> dict[str, QAction]:
    return {str(action.data()): action for action in window.matrices.parts.part_actions}


def test_output_matrix_and_biases_are_switched_on_and_edited(window: MainWindow, section: MatrixSection) -> None:
    for name in ("w_o", "b_q", "b_o"):
        part_actions(window)[name].trigger()
    sections = window.matrices.body.sections
    assert [name for name, one in sections.items() if one.isVisible()] == ["w_q", "w_k", "w_v", "w_o", "b_q", "b_o"]
    assert window.session.undo_label == "Add b_O"
    bias = sections["b_q"].grid
    bias.setFocus()
    QTest.keyClick(bias, Qt.Key.Key_Up, _ALT)
    assert window.session.state.b_q.tolist() == [0.1, 0.0]
    shifted = window.session.state.sequence.embeddings + np.array([0.1, 0.0])
    np.testing.assert_allclose(window.session.frame.q, shifted)
    part_actions(window)["w_o"].trigger()
    assert window.session.state.w_o is window.session.state.b_o is None
    assert not sections["b_o"].isVisible()


def test_tied_key_matrix_is_grey_and_untied_again_as_it_was(window: MainWindow, section: MatrixSection) -> None:
    window.wiring.apply(matrix_edits.set_matrix, "w_q", [[1.0, 2.0], [3.0, 4.0]], label="Paste")
    tied = window.matrices.body.sections["w_k"]
    part_actions(window)["tie"].trigger()
    assert window.session.state.is_tied
    assert tied.grid.array.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert not window.matrices.body.sections["w_k"].grid.is_acting((0, 0))
    assert "W_K is tied to W_Q" in window.matrices.subtitle
    assert "key matrix, 2 × 2, tied to W_Q" in [seen.text for seen in texts_painted_by(tied)]
    assert not tied.bar.isEnabled()
    assert not tied.paste_button.isEnabled()
    before = window.session.state
    tied.grid.setFocus()
    QGuiApplication.clipboard().setText("5 6\n7 8")
    for key, modifier in (
        (Qt.Key.Key_7, _NONE),
        (Qt.Key.Key_Return, _NONE),
        (Qt.Key.Key_Delete, _NONE),
        (Qt.Key.Key_Up, _ALT),
        (Qt.Key.Key_V, _CONTROL),
    ):
        window.tell("")
        QTest.keyClick(tied.grid, key, modifier)
        assert tied.grid.editor is None
        assert window.message == "W_K must be untied before it is changed, got one that is tied to W_Q"
    start = middle(tied.grid, 0, 0)
    drag(tied.grid.viewport(), start, start + QPointF(30.0, 0.0))
    assert window.session.state is before
    QTest.keyClick(tied.grid, Qt.Key.Key_Right)
    assert "W_K row 1, column 2: 2.0, tied to W_Q" in window.matrices.subtitle
    QTest.keyClick(tied.grid, Qt.Key.Key_C, _CONTROL)
    assert "2" in QGuiApplication.clipboard().text()  # what is seen: the numbers of W_Q
    part_actions(window)["tie"].trigger()
    assert window.matrices.body.sections["w_k"].grid.is_acting((0, 0))
    assert tied.bar.isEnabled()
    assert tied.grid.array.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    QTest.keyClick(tied.grid, Qt.Key.Key_Delete)
    assert window.session.state.w_k.tolist() == [[1.0, 0.0], [0.0, 1.0]]  # the cursor was on a 0


def test_part_that_is_added_is_scrolled_to_and_has_the_focus(window: MainWindow, section: MatrixSection) -> None:
    for name in ("w_o", "b_q", "b_k", "b_v", "b_o"):
        part_actions(window)[name].trigger()
        added = window.matrices.body.sections[name]
        assert QApplication.focusWidget() is added.grid
        for _ in range(5):
            QApplication.processEvents()
        shown = added.parentWidget().parentWidget()  # what is seen of the sections
        assert added.visibleRegion().boundingRect().height() == min(added.height(), shown.height())
        assert added.bar.operation.name == ("rotation" if name == "w_o" else "zeros")


def test_number_of_another_head_is_named_only_while_that_head_is_looked_at(
    window: MainWindow, section: MatrixSection
) -> None:
    window.wiring.set_scalar("heads", 2)
    grid = section.grid
    QTest.keyClick(grid, Qt.Key.Key_End)
    assert grid.cursor_place == (0, 1)
    assert window.matrices.focused_number() is None
    window.session.show_head(1)
    assert window.matrices.focused_number() == NumberRef("w_q", (0, 0))
