"""Everything a hand and a keyboard can do to the plane, in the whole window."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from attnviz.app.window import MainWindow
from attnviz.document import edits
from attnviz.document.presets import load_preset
from attnviz.views.plane.geometry import Viewport
from tests.app.conftest import OpenWindow
from tests.app.mouse import click, double_click, drag, middle_of, move, place_of, press, release, wheel

_SHIFT = Qt.KeyboardModifier.ShiftModifier


def position(window: MainWindow, token: int) -> tuple[float, float]:
    x, y = window.session.state.sequence.embeddings[token].tolist()
    return x, y


@pytest.mark.parametrize(
    ("key", "modifiers", "expected"),
    [
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier, (0.81, 0.6)),
        (Qt.Key.Key_Up, Qt.KeyboardModifier.NoModifier, (0.8, 0.61)),
        (Qt.Key.Key_Left, _SHIFT, (0.7, 0.6)),
        (Qt.Key.Key_Down, _SHIFT, (0.8, 0.5)),
    ],
)
def test_arrow_nudges_the_clicked_token(
    window: MainWindow, key: Qt.Key, modifiers: Qt.KeyboardModifier, expected: tuple[float, float]
) -> None:
    canvas = window.plane.canvas
    click(canvas.viewport(), place_of(window, 1))
    QTest.keyClick(canvas, key, modifiers)
    assert position(window, 1) == expected


def test_a_burst_of_nudges_is_one_undo_entry(window: MainWindow) -> None:
    canvas = window.plane.canvas
    click(canvas.viewport(), place_of(window, 1))
    for _ in range(7):
        QTest.keyClick(canvas, Qt.Key.Key_Right)
    assert position(window, 1) == (0.87, 0.6)
    window.actions_by_name["undo"].trigger()
    assert position(window, 1) == (0.8, 0.6)
    assert window.session.undo_label is None


def test_click_alone_changes_nothing(window: MainWindow) -> None:
    before = window.session.state
    click(window.plane.canvas.viewport(), place_of(window, 2))
    assert window.selection.chosen.token == 2
    assert window.session.state.is_same(before)
    assert window.session.undo_label is None


def test_typed_coordinates_move_the_chosen_token(window: MainWindow) -> None:
    click(window.plane.canvas.viewport(), place_of(window, 1))
    box = window.plane.footer.x_box
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "-1,25")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert position(window, 1) == (-1.25, 0.6)
    assert window.session.undo_label == "Move “dog”"


def test_a_typed_word_is_refused_beside_the_box_and_the_document_stays(window: MainWindow) -> None:
    before = window.session.state
    box = window.plane.footer.y_box
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "nan")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert window.session.state.is_same(before)
    assert box.is_invalid


def test_double_click_adds_a_token_there(window: MainWindow) -> None:
    canvas = window.plane.canvas
    at = QPointF(40.0, 50.0)
    expected = canvas.window_shown().to_plane(40.0, 50.0)
    double_click(canvas.viewport(), at)
    state = window.session.state
    assert len(state.sequence) == 4
    np.testing.assert_allclose(state.sequence.embeddings[3], expected, atol=1e-12)
    assert window.selection.chosen.token == 3
    assert window.session.undo_label == "Add “new1”"


def test_delete_removes_the_chosen_token(window: MainWindow) -> None:
    canvas = window.plane.canvas
    click(canvas.viewport(), place_of(window, 1))
    QTest.keyClick(canvas, Qt.Key.Key_Delete)
    assert window.session.state.sequence.tokens == ("cat", "phone")


def test_the_last_token_stays(window: MainWindow) -> None:
    canvas = window.plane.canvas
    for _ in range(3):
        QTest.keyClick(canvas, Qt.Key.Key_Delete)
    assert len(window.session.state.sequence) == 1


def test_wheel_zooms_about_the_mouse(window: MainWindow) -> None:
    canvas = window.plane.canvas
    before = canvas.window_shown()
    at = QPointF(60.0, 70.0)
    wheel(canvas.viewport(), at, 2)
    after = canvas.window_shown()
    assert after.pixels_per_unit > before.pixels_per_unit
    np.testing.assert_allclose(after.to_plane(60.0, 70.0), before.to_plane(60.0, 70.0), atol=0.02)


def test_dragging_the_background_pans_and_changes_no_token(window: MainWindow) -> None:
    canvas = window.plane.canvas
    before, state = canvas.window_shown(), window.session.state
    drag(canvas.viewport(), QPointF(30.0, 40.0), QPointF(80.0, 60.0))
    after = canvas.window_shown()
    assert after.left < before.left
    assert after.top > before.top
    assert after.pixels_per_unit == pytest.approx(before.pixels_per_unit)
    assert window.session.state is state


def test_f_shows_every_token_again(window: MainWindow) -> None:
    canvas = window.plane.canvas
    wheel(canvas.viewport(), QPointF(5.0, 5.0), 12)
    assert not all(is_inside(canvas.window_shown(), position(window, i)) for i in range(3))
    QTest.keyClick(canvas, Qt.Key.Key_F)
    assert all(is_inside(canvas.window_shown(), position(window, i)) for i in range(3))


def test_each_of_several_tokens_on_one_spot_is_reached_by_clicking(window: MainWindow) -> None:
    for index in (1, 2):
        window.wiring.apply(edits.move_point, "sequence", index, 1.0, 0.5, label="Move")
    viewport = window.plane.canvas.viewport()
    chosen = []
    for _ in range(4):
        click(viewport, place_of(window, 0))
        chosen.append(window.selection.chosen.token)
    assert set(chosen) == {0, 1, 2}
    assert chosen[0] == chosen[3]


def test_dragging_beyond_the_edge_moves_the_view_after_the_token(window: MainWindow) -> None:
    canvas = window.plane.canvas
    viewport, before = canvas.viewport(), canvas.window_shown()
    start = place_of(window, 0)
    outside = QPointF(viewport.width() + 120.0, start.y())
    press(viewport, start)
    move(viewport, outside)
    assert is_inside(canvas.window_shown(), position(window, 0))
    release(viewport, outside)
    assert canvas.window_shown().right > before.right
    assert position(window, 0)[0] > before.right


def test_undo_by_key_during_a_drag_leaves_one_consistent_history(window: MainWindow) -> None:
    canvas = window.plane.canvas
    before = window.session.state
    start = place_of(window, 1)
    press(canvas.viewport(), start)
    move(canvas.viewport(), start + QPointF(20.0, 0.0))
    window.actions_by_name["undo"].trigger()
    move(canvas.viewport(), start + QPointF(40.0, 0.0))
    release(canvas.viewport(), start + QPointF(40.0, 0.0))
    while window.session.undo_label is not None:
        window.actions_by_name["undo"].trigger()
    assert window.session.state.is_same(before)


def test_pointing_at_a_token_lights_its_row_everywhere(window: MainWindow) -> None:
    viewport = window.plane.canvas.viewport()
    move(viewport, place_of(window, 2), is_pressed=False)
    assert window.selection.chosen.pointed_query == 2
    move(viewport, QPointF(3.0, 3.0), is_pressed=False)
    assert window.selection.chosen.pointed_query is None


def test_a_burst_of_moves_reaches_the_last_place_exactly(window: MainWindow) -> None:
    viewport = window.plane.canvas.viewport()
    view, start = window.plane.canvas.window_shown(), place_of(window, 1)
    drag(viewport, start, start + QPointF(-33.0, 21.0), steps=40)
    x, y = position(window, 1)
    scale = view.pixels_per_unit
    assert (x, y) == pytest.approx((0.8 - 33.0 / scale, 0.6 - 21.0 / scale), abs=1e-12)


def test_embeddings_with_three_coordinates_keep_what_lies_across_the_plane(open_window: OpenWindow) -> None:
    rng = np.random.default_rng(3)
    state = edits.replace_embeddings(load_preset("s1"), ("a", "b", "c", "d", "e"), rng.normal(size=(5, 7)), "seven")
    window = open_window(state)
    plane = window.session.state.plane
    assert plane is not None
    before = window.session.state.sequence.embeddings[2]
    start = place_of(window, 2)
    drag(window.plane.canvas.viewport(), start, start + QPointF(17.0, 11.0))
    moved = window.session.state.sequence.embeddings[2] - before
    basis = np.linalg.svd(state.sequence.embeddings - state.sequence.embeddings.mean(axis=0))[2][:2]
    assert np.linalg.norm(moved) > 1e-3
    np.testing.assert_allclose(moved - basis.T @ (basis @ moved), 0.0, atol=1e-12)
    assert window.session.state.plane is plane


def test_middle_of_the_canvas_is_the_middle_of_the_view(window: MainWindow) -> None:
    view = window.plane.canvas.window_shown()
    at = middle_of(window.plane.canvas.viewport())
    middle = ((view.left + view.right) / 2, (view.bottom + view.top) / 2)
    assert view.to_plane(at.x(), at.y()) == pytest.approx(middle, abs=2.0 / view.pixels_per_unit)


def is_inside(view: Viewport, at: tuple[float, float]) -> bool:
    return view.left <= at[0] <= view.right and view.bottom <= at[1] <= view.top
