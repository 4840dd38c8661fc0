"""The heads in the window: chosen by mouse and keys, said by every panel, refused at their control, and undone."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from attnviz.app.window import MainWindow
from attnviz.document.frame import compute
from attnviz.document.number_ref import NumberRef
from attnviz.document.presets import load_preset
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.controls.rows import NumberRow
from attnviz.views.heads.heads_body import HeadsBody
from attnviz.views.heads.heads_view import HeadsView
from tests.app.conftest import OpenWindow
from tests.app.mouse import cell_place, click, double_click, drag, place_of

_KEYS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
_OF_ONE_HEAD = ("scores", "weights", "derivation", "plane", "film", "stages", "inspector", "table", "compare")


def wide(n_heads: int = 1, d: int = 12, **fields: object) -> State:
    embeddings = np.random.default_rng(5).normal(size=(3, d))
    return State(TokenSequence(("cat", "dog", "phone"), embeddings), n_heads=n_heads, **fields)


def open_document(window: MainWindow, state: State) -> None:
    window.session.open(window.session.prepare(state), None)
    QApplication.processEvents()


def heads_of(window: MainWindow) -> HeadsBody:
    """Open the panel by its keys."""
    window.activateWindow()
    window.plane.setFocus()
    QTest.keyClick(window.plane.canvas, Qt.Key.Key_H, _KEYS)
    QApplication.processEvents()
    view = window.panels["heads"]
    assert isinstance(view, HeadsView)
    assert view.isVisible()
    return view.body


def row_of(body: HeadsBody, name: str) -> NumberRow:
    row = body.rows.rows[name]
    assert isinstance(row, NumberRow)
    return row


def type_into(body: HeadsBody, name: str, text: str) -> NumberRow:
    row = row_of(body, name)
    row.box.setFocus()
    row.box.selectAll()
    QTest.keyClicks(row.box, text)
    QTest.keyClick(row.box, Qt.Key.Key_Return)
    return row


# -- how many


def test_typed_heads_share_the_channels_out_in_one_entry(window: MainWindow) -> None:
    body = heads_of(window)
    type_into(body, "n_heads", "2")
    assert (window.session.state.n_heads, window.session.state.d_k) == (2, 1)
    assert window.session.undo_label == "Set Heads"
    QTest.keyClick(body.grid, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.session.state.n_heads == 1
    assert window.session.undo_label is None


def test_heads_that_do_not_divide_the_width_are_refused_at_the_control(window: MainWindow) -> None:
    before = window.session.state
    body = heads_of(window)
    row = type_into(body, "n_heads", "3")
    sentence = "heads must divide the width of the queries, 2, got 3"
    assert window.message == sentence
    assert body.message.isVisible()
    assert body.message.text == sentence
    assert row.box.text() == "1"
    assert window.session.state is before
    assert window.session.undo_label is None
    type_into(body, "n_heads", "2")
    assert body.message.isHidden()


def test_key_value_heads_that_do_not_divide_the_heads_are_refused(window: MainWindow) -> None:
    open_document(window, wide(4))
    body = heads_of(window)
    type_into(body, "n_kv_heads", "3")
    assert window.message == body.message.text == "key/value heads must divide the heads, 4, got 3"
    assert window.session.state.n_kv_heads == 4


def test_steps_go_on_to_the_next_number_that_divides_the_width(window: MainWindow) -> None:
    open_document(window, wide())
    body = heads_of(window)
    slider = row_of(body, "n_heads").slider
    assert slider is not None
    slider.setFocus()
    taken = []
    for _ in range(7):
        QTest.keyClick(slider, Qt.Key.Key_Right)
        taken.append(window.session.state.n_heads)
    assert taken == [2, 3, 4, 6, 12, 12, 12]
    QTest.keyClick(slider, Qt.Key.Key_Left)
    assert window.session.state.n_heads == 6
    box = row_of(body, "n_kv_heads").box
    box.setFocus()
    for expected in (3, 2, 1):
        QTest.keyClick(box, Qt.Key.Key_Down)
        assert window.session.state.n_kv_heads == expected
    assert window.message == ""


def test_slider_that_is_dragged_stops_at_numbers_that_divide_the_width(window: MainWindow) -> None:
    open_document(window, wide())
    slider = row_of(heads_of(window), "n_heads").slider
    assert slider is not None
    middle = slider.height() / 2
    drag(slider, QPointF(10.0, middle), QPointF(slider.width() * 0.6, middle), steps=9)
    assert window.session.state.n_heads in (6, 12)
    assert window.session.undo_label == "Set Heads"
    window.actions_by_name["undo"].trigger()
    assert window.session.undo_label is None
    assert window.message == ""


# -- which one is shown


def test_click_on_a_small_matrix_shows_its_head_in_every_panel(fresh_window: MainWindow) -> None:
    window = fresh_window
    open_document(window, wide(4, n_kv_heads=2))
    grid = heads_of(window).grid
    for name in ("film", "stages", "inspector", "table", "compare"):
        window.docks[name].show()
        QApplication.processEvents()
    window.presentation.bring_forward("heads")
    QApplication.processEvents()
    entries = window.session.undo_label
    click(grid, grid.tile_rect(2).center())
    assert window.session.frame.head == 2
    assert window.session.undo_label == entries  # looking at another head is no edit
    for name in _OF_ONE_HEAD:
        assert window.panels[name].subtitle.startswith("head 3 of 4"), name
        assert window.docks[name].bar.text._subtitle == window.panels[name].subtitle
    assert not window.panels["tokens"].subtitle.startswith("head")
    assert not window.panels["heads"].subtitle.startswith("head")


def test_one_head_is_not_named(window: MainWindow) -> None:
    assert window.scores.subtitle == "scaled: q·k × 0.707"
    open_document(window, wide(2))
    assert window.scores.subtitle == "head 1 of 2, scaled: q·k × 0.408"
    window.documents.open_preset("s1")
    assert window.weights.subtitle == "softmax of each row"


def test_keys_step_through_the_heads_and_the_panel_follows(window: MainWindow) -> None:
    open_document(window, wide(3))
    body = heads_of(window)
    QTest.keyClick(body.grid, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
    assert window.session.frame.head == 1
    assert body.grid.current == 1
    body.grid.setFocus()
    QTest.keyClick(body.grid, Qt.Key.Key_Right)
    QTest.keyClick(body.grid, Qt.Key.Key_Space)
    assert window.session.frame.head == 2
    QTest.keyClick(body.grid, Qt.Key.Key_PageUp, Qt.KeyboardModifier.ControlModifier)
    assert window.session.frame.head == 1


def test_double_click_brings_the_weights_of_the_head_in_front(window: MainWindow) -> None:
    open_document(window, wide(3))
    grid = heads_of(window).grid
    window.docks["weights"].hide()
    double_click(grid, grid.tile_rect(1).center())
    assert window.session.frame.head == 1
    assert window.docks["weights"].isVisible()


def test_hundred_changes_of_the_head_move_nothing(window: MainWindow) -> None:
    open_document(window, wide(4))
    grid = heads_of(window).grid
    places = [dock.geometry() for dock in window.docks.values()], [grid.tile_rect(head) for head in range(4)]
    for _ in range(100):
        window.actions_by_name["next_head"].trigger()
        QApplication.processEvents()
    assert places == ([dock.geometry() for dock in window.docks.values()], [grid.tile_rect(head) for head in range(4)])


# -- the output of the layer


def test_output_matrix_is_chosen_in_one_entry(window: MainWindow) -> None:
    body = heads_of(window)
    buttons = {button.text(): button for button in body.w_o.findChildren(QToolButton)}
    QTest.mouseClick(buttons["Random"], Qt.MouseButton.LeftButton)
    assert window.session.state.w_o is not None
    assert window.session.undo_label == "Set W_O"
    assert body.count.text() == "Parameters: W_Q 4 + W_K 4 + W_V 4 + W_O 4 = 16"
    window.actions_by_name["undo"].trigger()
    assert window.session.state.w_o is None
    assert window.session.undo_label is None
    assert body.w_o.choice == "none"


def test_plane_outlines_the_outputs_of_the_layer(window: MainWindow) -> None:
    scene = window.plane.canvas.tokens.scene
    assert scene is not None
    assert scene.outputs is not None
    assert scene.outputs[0] == pytest.approx([0.654218, 0.628224], abs=5e-7)  # the first scene, as before
    assert window.plane.subtitle == "drag a token — outlines are the outputs"
    state = load_preset("s1")
    two = State(state.sequence, n_heads=2, w_o=[[0.0, 1.0], [1.0, 0.0]])
    open_document(window, two)
    scene = window.plane.canvas.tokens.scene
    assert scene is not None
    assert scene.outputs is not None
    np.testing.assert_array_equal(scene.outputs, compute(two).layer_output)
    assert len(scene.hull) == 0  # which bounds the outputs of one head alone
    assert window.plane.subtitle == "head 1 of 2, drag a token — outlines are the outputs of the layer"


def test_plane_falls_back_to_the_output_of_the_head_before_w_o(window: MainWindow) -> None:
    state = load_preset("s1")
    open_document(window, State(state.sequence, w_o=np.ones((2, 3))))
    scene = window.plane.canvas.tokens.scene
    assert scene is not None
    assert scene.outputs is not None
    assert scene.outputs[0] == pytest.approx([0.654218, 0.628224], abs=5e-7)
    assert window.plane.subtitle == "drag a token — outlines are the outputs of the head, before W_O"
    open_document(window, State(state.sequence, n_heads=2, w_o=np.ones((2, 3))))
    scene = window.plane.canvas.tokens.scene
    assert scene is not None
    assert scene.outputs is None
    assert scene.note == "outputs have 3 coordinates, embeddings 2: they lie in another space"


def test_click_on_the_output_of_the_layer_is_explained(fresh_window: MainWindow) -> None:
    window = fresh_window
    open_document(window, wide(2, 4, w_o=np.arange(12.0).reshape(4, 3), b_o=[1.0, 2.0, 3.0]))
    window.docks["stages"].show()
    window.docks["inspector"].show()
    QApplication.processEvents()
    window.stages.body.toggle("layer_output")
    QApplication.processEvents()
    matrix = window.stages.body.large.matrix
    click(matrix, cell_place(matrix, 1, 2))
    shown = window.inspector.explanation
    assert shown is not None
    assert shown.ref == NumberRef("layer_output", (1, 2))
    assert shown.formula == "o(dog, 3) = Σ_c h(dog, c) · W_O(c, 3) + b_O(3)"


def test_dragging_a_token_changes_the_small_matrices(open_window: OpenWindow) -> None:
    window = open_window(State(load_preset("s1").sequence, n_heads=2))
    body = heads_of(window)
    window.layout_of_docks.toggle_maximised("heads")
    QApplication.processEvents()
    before = body.grid.grab().toImage()
    window.layout_of_docks.toggle_maximised("heads")
    window.presentation.bring_forward("plane")
    QApplication.processEvents()
    at = place_of(window, 0)
    drag(window.plane.canvas.viewport(), at, at + QPointF(60.0, 30.0))
    window.layout_of_docks.toggle_maximised("heads")
    QApplication.processEvents()
    assert body.grid.grab().toImage() != before
