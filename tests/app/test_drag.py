"""Dragging a token with the mouse: the program's main job, from the hand to the numbers and back."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from attnviz.app.window import MainWindow
from attnviz.views.derivation.card_widgets import Card
from tests.app.mouse import move, place_of, press, release

_HELD, _PLAIN = (Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton), Qt.KeyboardModifier.NoModifier


class Paints(QObject):
    """Notes which widgets are painted."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[QObject] = set()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.seen.add(watched)
        return False


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


def test_a_drag_paints_nothing_behind_or_over_what_changes(window: MainWindow) -> None:
    canvas = window.plane.canvas.viewport()
    start = place_of(window, 1)
    press(canvas, start)
    move(canvas, start + QPointF(5.0, 5.0))
    paints = Paints()
    for widget in window.findChildren(QWidget):
        widget.installEventFilter(paints)
    move(canvas, start + QPointF(25.0, -15.0))
    release(canvas, start + QPointF(25.0, -15.0))
    assert {window.plane.footer.x_box, window.plane.footer.y_box, window.derivation} <= paints.seen
    assert not {window.plane, window.plane.footer, *window.derivation.findChildren(Card)} & paints.seen


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


def hold(window: MainWindow, token: int) -> QPointF:
    """Take hold of a token and move it a little; give where the mouse is then."""
    canvas, start = window.plane.canvas.viewport(), place_of(window, token)
    press(canvas, start)
    move(canvas, start + QPointF(20.0, 20.0))
    return start + QPointF(20.0, 20.0)


def move_another(window: MainWindow) -> None:
    window.wiring.move_point("sequence", 0, 0.3, 0.3, -1)


CHANGES_BESIDE_A_DRAG: dict[str, Callable[[MainWindow], object]] = {
    "the held token is deleted": lambda window: window.actions_by_name["delete_token"].trigger(),
    "a token before it is deleted": lambda window: window.wiring.delete_tokens("sequence", (0,)),
    "it is put at another place": lambda window: window.tokens.token_moved.emit("sequence", 1, 0),
    "another token moves": move_another,
    "another scene is opened": lambda window: window.documents.open_preset("s2"),
    "the same scene is opened anew": lambda window: window.documents.open_preset("s1"),
    "the plane is hidden": lambda window: window.docks["plane"].hide(),
}


@pytest.mark.parametrize("change", CHANGES_BESIDE_A_DRAG.values(), ids=CHANGES_BESIDE_A_DRAG.keys())
def test_a_held_token_is_let_go_when_something_else_changes(
    window: MainWindow, change: Callable[[MainWindow], object]
) -> None:
    canvas, at = window.plane.canvas.viewport(), hold(window, 1)
    on_its_way = at + QPointF(0.0, 30.0)
    pending = QMouseEvent(
        QEvent.Type.MouseMove, on_its_way, QPointF(canvas.mapToGlobal(on_its_way.toPoint())), *_HELD, _PLAIN
    )
    QApplication.sendEvent(canvas, pending)  # on its way while the change comes
    change(window)
    after = window.session.state
    move(canvas, at + QPointF(40.0, 0.0))
    release(canvas, at + QPointF(40.0, 0.0))
    assert window.session.state.is_same(after)


def test_a_token_whose_release_went_elsewhere_does_not_follow_the_mouse(window: MainWindow) -> None:
    canvas, at = window.plane.canvas.viewport(), hold(window, 1)
    after = window.session.state
    move(canvas, at + QPointF(40.0, 0.0), is_pressed=False)
    assert window.session.state.is_same(after)


def test_a_drag_goes_on_while_temperature_and_theme_change(window: MainWindow) -> None:
    canvas, at = window.plane.canvas.viewport(), hold(window, 1)
    window.wiring.set_scalar("temperature", 2.0)
    window.appearance.use_theme("dark")
    before = window.session.state
    move(canvas, at + QPointF(40.0, 0.0))
    assert not np.array_equal(before.sequence.embeddings[1], window.session.state.sequence.embeddings[1])
