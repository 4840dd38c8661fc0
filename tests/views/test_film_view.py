"""The film panel: played, scrubbed and stopped at by real events; an edit keeps the step; nothing runs unseen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QImage, QMouseEvent, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QToolButton
from pytestqt.qtbot import QtBot

from attnviz.appearance import DARK, LIGHT
from attnviz.document import edits
from attnviz.document.frame import Frame, compute
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.film import Block
from attnviz.views.film.block_painter import BlockPainter
from attnviz.views.film.film_body import FilmBody
from attnviz.views.film.film_view import FilmView
from attnviz.views.film.player import SPEEDS
from attnviz.views.film.transport import SignButton
from attnviz.views.selection import Selection
from tests.views.panel_scenes import cat_dog_phone, cross_attention, forty_tokens

LAST = 26


@pytest.fixture
def film(qtbot: QtBot) -> Iterator[FilmBody]:
    view = FilmView(Selection())
    qtbot.addWidget(view)
    view.resize(520, 560)
    view.offer_frame(compute(cat_dog_phone()))
    view.show()
    view.activateWindow()
    view.setFocus()
    QApplication.processEvents()
    assert view.subtitle == view.body.subtitle != ""
    yield view.body
    view.body.player.stop()


def many(n: int, *, mask: str = "none") -> Frame:
    embeddings = np.random.default_rng(2).normal(size=(n, 6))
    return compute(State(TokenSequence(tuple(f"t{i}" for i in range(n)), embeddings), mask=mask))


def said(film: FilmBody) -> str:
    assert film.stage.picture is not None
    return film.stage.picture.caption


def press(film: FilmBody, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(film.stage, key)


def click(button: QAbstractButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def mouse(widget: object, kind: QEvent.Type, x: float, y: float, buttons: Qt.MouseButton) -> None:
    button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
    at = QPointF(x, y)
    QApplication.sendEvent(widget, QMouseEvent(kind, at, at, button, buttons, Qt.KeyboardModifier.NoModifier))


def test_nothing_is_made_before_it_is_shown(qtbot: QtBot) -> None:
    view = FilmView(Selection())
    qtbot.addWidget(view)
    view.offer_frame(compute(cat_dog_phone()))
    view.apply_theme(DARK)
    assert view.findChildren(QToolButton) == []
    view.show()
    assert view.body.theme is DARK
    assert len(view.findChildren(SignButton)) == 7


# -- stepping


def test_it_begins_at_the_first_step(film: FilmBody) -> None:
    assert film.step.index == 0
    assert film.subtitle == "step 1 of 27"
    assert said(film) == "q_cat = x_cat · W_Q = (1.0, 0.5): what “cat” looks for."


def test_arrows_step_and_stop_at_the_ends(film: FilmBody) -> None:
    press(film, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left)
    assert film.step.index == 1
    press(film, Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Left)
    assert film.step.index == 0
    press(film, Qt.Key.Key_End, Qt.Key.Key_Right)
    assert film.step.index == LAST
    assert said(film).startswith("y_cat = (0.654, 0.628)")
    press(film, Qt.Key.Key_Home)
    assert film.step.index == 0


def test_page_keys_go_from_stage_to_stage(film: FilmBody) -> None:
    visited = []
    for _ in range(7):
        visited.append(film.step.index)
        press(film, Qt.Key.Key_PageDown)
    assert visited == [0, 7, 13, 14, 15, 23, LAST]
    for _ in range(6):
        press(film, Qt.Key.Key_PageUp)
        visited.append(film.step.index)
    assert visited[7:] == [23, 15, 14, 13, 7, 0]


def test_buttons_do_what_the_keys_do(film: FilmBody) -> None:
    transport = film.transport
    click(transport.last)
    assert film.step.index == LAST
    click(transport.back)
    assert film.step.index == LAST - 1
    click(transport.first)
    click(transport.forward)
    assert film.step.index == 1


def test_every_control_has_a_name_and_a_tooltip(film: FilmBody) -> None:
    controls = [*film.findChildren(QToolButton), *film.findChildren(QComboBox), film.timeline]
    assert len(controls) == 12
    assert [control for control in controls if not (control.accessibleName() and control.toolTip())] == []


def test_keys_with_modifiers_are_left_to_the_window(film: FilmBody) -> None:
    QTest.keyClick(film.stage, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert film.step.index == 0


# -- scrubbing


def test_press_and_drag_on_the_timeline_scrub(film: FilmBody) -> None:
    timeline = film.timeline
    mouse(timeline, QEvent.Type.MouseButtonPress, timeline.x_of(13), 12, Qt.MouseButton.LeftButton)
    assert (film.step.index, film.step.stage) == (13, "scale")
    mouse(timeline, QEvent.Type.MouseMove, timeline.x_of(20), 12, Qt.MouseButton.LeftButton)
    assert (film.step.index, film.step.part) == (20, "divide")
    mouse(timeline, QEvent.Type.MouseMove, 10_000, 12, Qt.MouseButton.LeftButton)
    mouse(timeline, QEvent.Type.MouseButtonRelease, 10_000, 12, Qt.MouseButton.NoButton)
    assert film.step.index == LAST
    mouse(timeline, QEvent.Type.MouseMove, 0, 12, Qt.MouseButton.NoButton)
    assert film.step.index == LAST


def test_every_step_has_its_place_on_the_timeline(film: FilmBody) -> None:
    assert [film.timeline.index_at(film.timeline.x_of(i)) for i in range(LAST + 1)] == list(range(LAST + 1))


def test_timeline_has_keys_of_its_own_and_shares_the_films(film: FilmBody) -> None:
    film.timeline.setFocus()
    QTest.keyClick(film.timeline, Qt.Key.Key_Right)
    QTest.keyClick(film.timeline, Qt.Key.Key_End)
    assert film.step.index == LAST
    QTest.keyClick(film.timeline, Qt.Key.Key_PageUp)
    assert film.step.index == 23
    QTest.keyClick(film.timeline, Qt.Key.Key_Space)
    assert film.player.is_playing


def test_showing_a_frame_moves_the_slider_without_an_intent(film: FilmBody, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(film.timeline.step_wanted):
        film.go_to(5)
        film.offer_frame(many(7))
    assert film.timeline.value() == film.step.index


# -- playing


def test_space_plays_to_the_end_and_stops(film: FilmBody, qtbot: QtBot) -> None:
    film.choose_speed(8.0)
    film.go_to(LAST - 2)
    press(film, Qt.Key.Key_Space)
    assert film.player.is_playing
    assert film.transport.play.sign == "pause"
    qtbot.waitUntil(lambda: not film.player.is_playing, timeout=5000)
    assert film.step.index == LAST
    assert film.transport.play.sign == "play"


def test_space_pauses(film: FilmBody) -> None:
    press(film, Qt.Key.Key_Space, Qt.Key.Key_Space)
    assert not film.player.is_playing


def test_playing_at_the_end_begins_again(film: FilmBody) -> None:
    press(film, Qt.Key.Key_End, Qt.Key.Key_Space)
    assert film.step.index == 0
    assert film.player.is_playing


def test_a_loop_goes_on_at_the_beginning(film: FilmBody, qtbot: QtBot) -> None:
    click(film.transport.loop)
    assert film.is_looping
    film.choose_speed(8.0)
    film.go_to(LAST)
    film.player.start()
    qtbot.waitUntil(lambda: film.step.index == 1, timeout=5000)
    assert film.player.is_playing
    press(film, Qt.Key.Key_L)
    assert not film.is_looping


def test_stepping_pauses(film: FilmBody) -> None:
    press(film, Qt.Key.Key_Space, Qt.Key.Key_Right)
    assert not film.player.is_playing
    assert film.step.index == 1


def test_speed_goes_from_a_quarter_to_eight(film: FilmBody) -> None:
    heard = [film.player.speed]
    for _ in range(4):
        press(film, Qt.Key.Key_Plus)
        heard.append(film.player.speed)
    for _ in range(6):
        press(film, Qt.Key.Key_Minus)
    assert heard == [1.0, 2.0, 4.0, 8.0, 8.0]
    assert film.player.speed == 0.25
    assert film.transport.speed.currentText() == "0.25 ×"
    assert film.player.interval_ms == 3600
    film.transport.speed.setFocus()
    QTest.keyClick(film.transport.speed, Qt.Key.Key_Down)
    assert film.player.speed == 0.5
    assert [film.transport.speed.itemData(i) for i in range(6)] == list(SPEEDS)


def running_timers(film: FilmBody) -> list[QTimer]:
    return [timer for timer in film.findChildren(QTimer) if timer.isActive()]


def test_no_timer_runs_while_it_is_paused_and_described(film: FilmBody, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: running_timers(film) == [])
    assert film.stage.accessibleDescription() == said(film)
    press(film, Qt.Key.Key_Space)
    assert running_timers(film) != []


def test_no_timer_runs_when_it_is_hidden(film: FilmBody) -> None:
    press(film, Qt.Key.Key_Space)
    film.window().hide()
    assert running_timers(film) == []
    assert not film.player.is_playing
    film.toggle_playing()
    film.offer_frame(compute(cat_dog_phone()))
    assert running_timers(film) == []


# -- the document


def test_edit_while_paused_keeps_the_step_with_the_new_numbers(film: FilmBody) -> None:
    film.go_to(21)
    assert said(film).startswith("0.899 ÷ 2.313 = 0.389")
    film.offer_frame(compute(edits.set_scalar(cat_dog_phone(), "temperature", 1e6)))
    assert film.step.index == 21
    assert "= 0.333: 33.3 %" in said(film)


def test_edit_draws_the_new_numbers(film: FilmBody) -> None:
    film.go_to(21)
    before = film.stage.grab().toImage()
    film.offer_frame(compute(edits.set_scalar(cat_dog_phone(), "temperature", 4.0)))
    assert film.stage.grab().toImage() != before
    film.offer_frame(compute(cat_dog_phone()))
    assert film.stage.grab().toImage() == before


@pytest.mark.parametrize("extent", ["one", "all"])
def test_edit_leaves_no_cell_of_the_frame_before(film: FilmBody, qtbot: QtBot, extent: str) -> None:
    edited = compute(edits.set_scalar(cat_dog_phone(), "temperature", 4.0))
    film.choose_extent(extent)
    film.go_to(len(film.script) - 1)
    film.stage.grab()
    film.offer_frame(edited)
    fresh = FilmView(Selection())
    qtbot.addWidget(fresh)
    fresh.resize(film.window().size())
    fresh.offer_frame(edited)
    fresh.show()
    fresh.body.choose_extent(extent)
    fresh.body.go_to(len(film.script) - 1)
    fresh.setFocus()
    fresh.activateWindow()
    QApplication.processEvents()
    film.stage.clearFocus()
    fresh.body.stage.clearFocus()
    assert film.stage.grab().toImage() == fresh.body.stage.grab().toImage()


def test_masked_cell_has_no_number() -> None:
    images = []
    for hidden in (1.0, -3.0):
        numbers = np.array([[2.0, hidden]])
        block = Block(
            "masked",
            "score",
            (1, 2),
            lambda rows, columns, numbers=numbers: numbers[np.ix_(rows, columns)],
            "masked",
            limit=3.0,
            banned=lambda rows, columns: np.array([[False, True]])[np.ix_(rows, columns)],
        )
        image = QImage(200, 30, QImage.Format.Format_RGB32)
        image.fill(0)
        painter = QPainter(image)
        BlockPainter(QApplication.font()).draw(painter, block, QRectF(0, 0, 200, 30))
        painter.end()
        images.append(image)
    assert images[0] == images[1]


def test_added_token_keeps_the_place(film: FilmBody) -> None:
    film.go_to(10)
    old = film.step
    film.offer_frame(compute(edits.insert_token(cat_dog_phone(), "sequence", 3, "bird")))
    assert (film.step.part, film.step.rows, film.step.columns, film.step.term) == ("dot", old.rows, old.columns, 1)


def test_deleted_tokens_leave_the_nearest_place(film: FilmBody) -> None:
    film.choose_query(2)
    film.go_to(12)
    film.offer_frame(compute(edits.delete_tokens(cat_dog_phone(), "sequence", (1, 2))))
    assert (film.step.part, film.step.rows, film.step.columns) == ("dot", range(1), range(1))


def test_playing_goes_on_through_an_edit(film: FilmBody) -> None:
    press(film, Qt.Key.Key_Space)
    film.offer_frame(compute(edits.set_scalar(cat_dog_phone(), "temperature", 2.0)))
    assert film.player.is_playing


# -- the query


def test_it_follows_the_selected_query_until_one_is_chosen(film: FilmBody) -> None:
    film.go_to(21)
    film.selection.pin_cell(1, 0)
    assert film.step.rows == range(1, 2)
    assert film.step.index == 21
    assert film.transport.query.currentText() == "dog"
    film.transport.query.setFocus()
    QTest.keyClick(film.transport.query, Qt.Key.Key_Down)
    assert film.step.rows == range(2, 3)
    assert film.selection.chosen.query == 2
    film.selection.pin_cell(0, 0)
    assert film.step.rows == range(2, 3)


def test_it_catches_up_with_the_selection_when_it_is_shown_again(film: FilmBody) -> None:
    film.window().hide()
    film.selection.pin_cell(2, 0)
    film.window().show()
    assert film.step.rows == range(2, 3)


def test_up_and_down_choose_the_query(film: FilmBody) -> None:
    press(film, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down)
    assert film.selection.chosen.query == 2
    press(film, Qt.Key.Key_Up)
    assert film.step.rows == range(1, 2)


def test_all_rows_fill_the_matrices_of_every_query(film: FilmBody) -> None:
    buttons = film.transport.extent.findChildren(QToolButton)
    click(buttons[1])
    assert film.subtitle == "step 1 of 57"
    assert not film.transport.query.isEnabled()
    press(film, Qt.Key.Key_End)
    assert film.stage.picture is not None
    assert [block.title for block in film.stage.picture.gathered] == ["weight (3 × 3)", "Y (3 × 2)"]
    click(buttons[0])
    assert film.step.rows == range(1)


def test_switching_extent_keeps_the_stage(film: FilmBody) -> None:
    film.go_to(18)
    film.choose_extent("all")
    assert film.step.part == "exponentiate"
    film.choose_extent("one")
    assert film.step.part == "exponentiate"


# -- large documents and looks


@pytest.mark.parametrize("n", [1, 16, 200, 1000])
@pytest.mark.parametrize("extent", ["one", "all"])
def test_every_stage_is_painted_at_any_size(film: FilmBody, n: int, extent: str) -> None:
    film.choose_extent(extent)
    film.offer_frame(many(n, mask="causal"))
    for chapter in film.script.chapters:
        for index in (chapter.start, chapter.stop - 1):
            film.go_to(index)
            assert not film.stage.grab().isNull()
    assert film.step.index == len(film.script) - 1


@pytest.mark.parametrize("size", [(240, 260), (440, 520), (1240, 300), (790, 700)])
@pytest.mark.parametrize("make", [cat_dog_phone, cross_attention, forty_tokens])
def test_every_step_is_painted_in_every_size_and_theme(film: FilmBody, size: tuple[int, int], make: object) -> None:
    assert callable(make)
    film.window().resize(*size)
    film.offer_frame(compute(make()))
    for theme in (LIGHT, DARK):
        film.apply_theme(theme)
        for extent in ("one", "all"):
            film.choose_extent(extent)
            for index in range(0, len(film.script), max(1, len(film.script) // 23)):
                film.go_to(index)
                film.stage.grab()


def test_astronomical_numbers_are_painted_too(film: FilmBody) -> None:
    for size in (1e150, 1e-300, 0.0):
        embeddings = np.array([[size, 0.0], [0.0, size], [-size, size]])
        film.offer_frame(compute(State(TokenSequence(("a", "b", "c"), embeddings))))
        for index in range(len(film.script)):
            film.go_to(index)
            film.stage.grab()


def test_known_cells_appear_and_empty_ones_do_not(film: FilmBody) -> None:
    film.go_to(7)
    before = film.stage.grab().toImage()
    film.go_to(8)
    assert film.stage.grab().toImage() != before


def test_a_narrow_panel_keeps_its_controls_in_sight(film: FilmBody) -> None:
    film.window().resize(film.window().minimumSizeHint())
    QApplication.processEvents()
    for control in (*film.findChildren(QToolButton), *film.findChildren(QComboBox)):
        right = control.mapTo(film, QPoint(control.width(), 0)).x()
        assert right <= film.width(), control.accessibleName()


def test_sources_of_the_film_know_no_session() -> None:
    folder = Path(__file__).resolve().parents[2] / "attnviz" / "views" / "film"
    assert all("attnviz.session" not in path.read_text("utf-8") for path in folder.glob("*.py"))
