"""The projections on the plane from the window: switched by key and menu, marked there, and remembered."""

from __future__ import annotations

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviz.app.window import MainWindow
from attnviz.document import matrix_edits
from attnviz.document.presets import load_preset
from tests.app.conftest import OpenWindow
from tests.app.mouse import drag, place_of
from tests.app.test_painted_texts import faults


def checked_grid(window: MainWindow) -> str:
    names = ("plain", "w_q", "w_k", "w_v")
    actions = {name: window.findChild(QAction, f"grid_{name}") for name in names}
    (found,) = (name for name, action in actions.items() if action is not None and action.isChecked())
    return found


def test_keys_show_the_images_and_go_through_the_grids(window: MainWindow) -> None:
    canvas = window.plane.canvas
    QTest.keyClick(canvas, Qt.Key.Key_F9)
    assert window.plane.shows_projections
    assert window.actions_by_name["projections"].isChecked()
    seen = []
    for _ in range(4):
        QTest.keyClick(canvas, Qt.Key.Key_F9, Qt.KeyboardModifier.ShiftModifier)
        seen.append((window.plane.deforming, checked_grid(window)))
    assert seen == [("w_q", "w_q"), ("w_k", "w_k"), ("w_v", "w_v"), ("", "plain")]
    assert window.plane.shows_projections
    QTest.keyClick(canvas, Qt.Key.Key_F9)
    assert not window.plane.shows_projections
    assert not window.actions_by_name["projections"].isChecked()
    assert window.session.undo_label is None


def test_menu_chooses_a_grid(window: MainWindow) -> None:
    action = window.findChild(QAction, "grid_w_v")
    assert action is not None
    action.trigger()
    assert window.plane.deforming == "w_v"
    assert checked_grid(window) == "w_v"


def test_choice_is_remembered(open_window: OpenWindow, settings: QSettings) -> None:
    first = open_window(load_preset("s1"))
    first.actions_by_name["projections"].trigger()
    first.actions_by_name["next_grid"].trigger()
    first.close()
    second = open_window(load_preset("s1"))
    assert (second.plane.shows_projections, second.plane.deforming) == (True, "w_q")
    assert second.actions_by_name["projections"].isChecked()
    assert checked_grid(second) == "w_q"
    settings.setValue("plane/grid", "rubbish")
    assert open_window(load_preset("s1")).plane.deforming == ""


def test_view_makes_room_for_images_outside_of_it(window: MainWindow) -> None:
    window.wiring.apply(matrix_edits.shape_matrix, "w_k", "scaling", 9.0, label="Scale")
    before = window.plane.canvas.window_shown()
    window.actions_by_name["next_grid"].trigger()
    assert window.plane.canvas.window_shown().left == before.left  # the legend takes some of the height alone
    window.actions_by_name["projections"].trigger()
    after = window.plane.canvas.window_shown()
    assert after.left < -4.5  # phone's key is at (-4.5, 9)
    assert after.top > 9.0
    window.plane.fit_next()


def test_images_follow_a_drag_and_an_edit(window: MainWindow) -> None:
    window.actions_by_name["projections"].trigger()
    start = place_of(window, 1)
    drag(window.plane.canvas.viewport(), start, start + (place_of(window, 0) - start) * 0.5)
    scene = window.plane.canvas.projections.scene
    assert scene.images[0].points.tolist() == window.session.state.sequence.embeddings.tolist()
    window.wiring.apply(matrix_edits.shape_matrix, "w_q", "scaling", 3.0, label="Scale")
    scene = window.plane.canvas.projections.scene
    assert scene.images[0].points.tolist() == window.session.frame.q.tolist()


def test_no_text_is_cut_while_they_are_shown(window: MainWindow) -> None:
    window.appearance.use_font(150)
    window.actions_by_name["projections"].trigger()
    window.actions_by_name["next_grid"].trigger()
    for _ in range(4):
        QApplication.processEvents()
    assert [fault for fault in faults(window) if fault.startswith("plane")] == []
