"""Dragging a token with the mouse: the program's main job, from the hand to the numbers and back."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from attnviz.app.window import MainWindow
from tests.app.mouse import move, place_of, press, release


def test_dragged_token_changes_scores_weights_and_outputs(window: MainWindow) -> None:
    canvas = window.plane.canvas.viewport()
    before = window.session.frame
    start = place_of(window, 1)
    press(canvas, start)
    for step in range(1, 6):
        move(canvas, start + QPointF(6.0 * step, -4.0 * step))
    release(canvas, start + QPointF(30.0, -20.0))
    after = window.session.frame
    scale = window.plane.canvas.window_shown().pixels_per_unit
    moved = after.state.sequence.embeddings[1] - before.state.sequence.embeddings[1]
    np.testing.assert_allclose(moved, (30.0 / scale, 20.0 / scale), atol=1e-9)
    assert not np.array_equal(before.trace.scores, after.trace.scores)
    assert not np.array_equal(before.trace.weights, after.trace.weights)
    assert not np.array_equal(before.output, after.output)


def test_one_drag_is_one_undo_entry_and_undo_is_exact(window: MainWindow) -> None:
    canvas = window.plane.canvas.viewport()
    before = window.session.state
    start = place_of(window, 1)
    press(canvas, start)
    for step in range(1, 9):
        move(canvas, start + QPointF(3.0 * step, 2.0))
    release(canvas, start + QPointF(24.0, 2.0))
    assert window.session.undo_label == "Move “dog”"
    assert window.actions_by_name["undo"].text() == "&Undo Move “dog”"
    window.actions_by_name["undo"].trigger()
    assert window.session.state.is_same(before)
    assert window.session.undo_label is None


def test_escape_takes_a_drag_back(window: MainWindow) -> None:
    canvas = window.plane.canvas
    before = window.session.state
    start = place_of(window, 2)
    press(canvas.viewport(), start)
    move(canvas.viewport(), start + QPointF(50.0, 50.0))
    assert not window.session.state.is_same(before)
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    assert window.session.state.is_same(before)
    assert window.session.undo_label is None
    move(canvas.viewport(), start + QPointF(60.0, 60.0))
    release(canvas.viewport(), start + QPointF(60.0, 60.0))
    assert window.session.state.is_same(before)


def test_the_view_stays_put_during_a_drag_inside_it(window: MainWindow) -> None:
    canvas = window.plane.canvas
    view = canvas.window_shown()
    start = place_of(window, 0)
    press(canvas.viewport(), start)
    move(canvas.viewport(), start + QPointF(-40.0, 30.0))
    release(canvas.viewport(), start + QPointF(-40.0, 30.0))
    assert canvas.window_shown() == view
