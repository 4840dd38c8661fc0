"""The window on a real X server: it is painted, and obeys a mouse and a keyboard that come through the server."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, QSettings
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from attnviz.app.documents import Answer
from attnviz.app.gallery import Gallery
from attnviz.app.main import make_application
from attnviz.app.window import MainWindow
from attnviz.document.attn_file import read_file
from attnviz.document.presets import load_preset, preset_names
from tests.app.conftest import Answers, answers_of
from tests.app.mouse import cell_place, middle_of, place_of

pytestmark = [
    pytest.mark.real_x,
    pytest.mark.skipif(os.environ.get("QT_QPA_PLATFORM") != "xcb", reason="needs QT_QPA_PLATFORM=xcb and a display"),
    pytest.mark.skipif(shutil.which("xdotool") is None, reason="needs xdotool"),
]
PATIENCE_MS = 10_000


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    return make_application()


@pytest.fixture
def window(qapp: QApplication, tmp_path: Path, qtbot: QtBot) -> Iterator[MainWindow]:
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(load_preset("s1"), settings, Answers)
    window.appearance.use_theme("light")
    window.move(0, 0)
    window.show_sized(1280, 800)
    qtbot.waitExposed(window)
    window.activateWindow()
    window.plane.setFocus()
    xdo("windowfocus", "--sync", str(int(window.winId())))
    qtbot.waitUntil(window.isActiveWindow, timeout=PATIENCE_MS)
    yield window
    answers_of(window).unsaved = Answer.DISCARD
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def xdo(*arguments: str) -> None:
    subprocess.run(["xdotool", *arguments], check=True, timeout=20)


def point_at(widget: QWidget, at: QPointF) -> None:
    place: QPoint = widget.mapToGlobal(at.toPoint())
    xdo("mousemove", str(place.x()), str(place.y()))


def test_it_runs_on_a_real_display(window: MainWindow) -> None:
    assert QGuiApplication.platformName() == "xcb"
    assert (window.width(), window.height()) == (1280, 800)


def test_the_screen_shows_the_window(window: MainWindow, qtbot: QtBot) -> None:
    def colours() -> int:
        image = window.screen().grabWindow(int(window.winId())).toImage()
        return len({image.pixel(x, y) for x in range(0, image.width(), 7) for y in range(0, image.height(), 7)})

    qtbot.waitUntil(lambda: colours() > 40, timeout=PATIENCE_MS)


def test_a_token_is_dragged_by_the_servers_mouse_and_undone_by_its_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    before = window.session.state
    viewport = window.plane.canvas.viewport()
    start = place_of(window, 1)
    scale = window.plane.canvas.window_shown().pixels_per_unit
    point_at(viewport, start)
    qtbot.waitUntil(lambda: window.selection.chosen.pointed_query == 1, timeout=PATIENCE_MS)
    xdo("mousedown", "1")
    qtbot.waitUntil(lambda: window.selection.chosen.token == 1, timeout=PATIENCE_MS)
    for step in range(1, 6):
        point_at(viewport, start + QPointF(8.0 * step, -6.0 * step))
    xdo("mouseup", "1")
    moved = (0.8 + 40.0 / scale, 0.6 + 30.0 / scale)

    def has_arrived() -> bool:
        at = window.session.state.sequence.embeddings[1].tolist()
        return max(abs(at[0] - moved[0]), abs(at[1] - moved[1])) < 2.0 / scale

    qtbot.waitUntil(has_arrived, timeout=PATIENCE_MS)
    assert window.session.undo_label == "Move “dog”"
    xdo("key", "ctrl+z")
    qtbot.waitUntil(lambda: window.session.state.is_same(before), timeout=PATIENCE_MS)
    assert window.session.undo_label is None


def test_arrow_keys_nudge_and_ctrl_s_saves(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "scene.attn"
    answers_of(window).save_path = path
    xdo("key", "Right")
    qtbot.waitUntil(lambda: window.session.state.sequence.embeddings[0, 0] == 1.01, timeout=PATIENCE_MS)
    assert window.isWindowModified()
    xdo("key", "ctrl+s")
    qtbot.waitUntil(lambda: not window.isWindowModified(), timeout=PATIENCE_MS)
    assert read_file(path).is_same(window.session.state)


def test_hovering_a_cell_with_the_servers_mouse_points_at_it(window: MainWindow, qtbot: QtBot) -> None:
    matrix = window.scores.matrix
    point_at(matrix, cell_place(matrix, 2, 0))
    qtbot.waitUntil(
        lambda: (window.selection.chosen.pointed_query, window.selection.chosen.pointed_key) == (2, 0),
        timeout=PATIENCE_MS,
    )


def test_the_wheel_zooms(window: MainWindow, qtbot: QtBot) -> None:
    before = window.plane.canvas.window_shown().pixels_per_unit
    point_at(window.plane.canvas.viewport(), QPointF(50.0, 50.0))
    xdo("click", "4")
    qtbot.waitUntil(lambda: window.plane.canvas.window_shown().pixels_per_unit > before, timeout=PATIENCE_MS)


def test_a_double_click_on_a_card_opens_the_scene_and_nothing_else(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_by_name["gallery"].trigger()
    gallery = window.findChild(Gallery)
    assert gallery is not None
    qtbot.waitExposed(gallery)
    canvas = window.plane.canvas
    corner = canvas.mapToGlobal(canvas.rect().center()) - gallery.cards[1].geometry().center()
    gallery.move(corner)  # so that an empty place of the plane lies under the card
    point_at(gallery.cards[1], middle_of(gallery.cards[1]))
    hand = subprocess.Popen(["xdotool", "click", "--repeat", "2", "--delay", "150", "1"])
    qtbot.waitUntil(lambda: hand.poll() is not None, timeout=PATIENCE_MS)  # the window lives between the clicks
    scene = load_preset(preset_names()[1])
    qtbot.waitUntil(lambda: window.session.state.title == scene.title, timeout=PATIENCE_MS)
    matrix = window.scores.matrix
    point_at(matrix, cell_place(matrix, 1, 1))  # what comes after the clicks has come, so the clicks have
    qtbot.waitUntil(lambda: window.selection.chosen.pointed_key == 1, timeout=PATIENCE_MS)
    assert window.session.state.is_same(scene)


def test_typing_into_the_sentence_goes_through_the_server(window: MainWindow, qtbot: QtBot) -> None:
    window.tokens.sentence.setFocus()
    window.tokens.sentence.selectAll()
    xdo("type", "--delay", "20", "sun moon")
    qtbot.waitUntil(lambda: window.session.state.sequence.tokens == ("sun", "moon"), timeout=PATIENCE_MS)
