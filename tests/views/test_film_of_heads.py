"""The film panel of a layer with several heads: another head shows the same step, and all settings are painted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from attnviz.appearance import DARK, LIGHT
from attnviz.document.frame import Frame, compute
from attnviz.views.film.film_body import FilmBody
from attnviz.views.film.film_view import FilmView
from attnviz.views.selection import Selection
from tests.document.layers import is_refused, random_layer
from tests.document.states import cat_dog_phone

W_O = np.array([[1.0, 2.0], [0.0, -1.0]])


Show: TypeAlias = Callable[..., FilmBody]


@pytest.fixture
def show(qtbot: QtBot) -> Show:
    """Give a function that shows a frame in a panel of its own, which lives as long as the test."""
    views: list[FilmView] = []

    def shown(frame: Frame, size: tuple[int, int] = (620, 620)) -> FilmBody:
        view = FilmView(Selection())
        views.append(view)
        qtbot.addWidget(view)
        view.resize(*size)
        view.offer_frame(frame)
        view.show()
        QApplication.processEvents()
        return view.body

    return shown


def two_heads() -> Frame:
    return compute(cat_dog_phone(n_heads=2, d_k=1, w_o=W_O))


def said(film: FilmBody) -> str:
    assert film.stage.picture is not None
    return film.stage.picture.caption


def test_film_stays_at_its_step_when_another_head_is_shown(show: Show) -> None:
    frame = two_heads()
    film = show(frame)
    film.go_to(13)
    before = said(film)
    film.offer_frame(frame.at_head(1))
    assert film.step.index == 13
    assert film.stage.picture is not None
    assert film.stage.picture.title.endswith(", head 2 of 2")
    assert said(film) != before
    film.offer_frame(frame.at_head(0))
    assert said(film) == before


def test_page_keys_and_the_end_reach_the_stages_of_the_layer(show: Show) -> None:
    film = show(two_heads())
    for _ in range(7):
        QTest.keyClick(film.stage, Qt.Key.Key_PageDown)
    assert (film.step.part, film.step.number) == ("contribute", 8)
    QTest.keyClick(film.stage, Qt.Key.Key_End)
    assert said(film).startswith("The output of the layer for “cat” is the sum of the 2 heads")
    QTest.keyClick(film.stage, Qt.Key.Key_PageUp)
    QTest.keyClick(film.stage, Qt.Key.Key_PageUp)
    assert said(film) == "Head 1 of 2: y_cat = (0.756) fills channel 1 of 2."


def test_timeline_is_cut_into_eight_and_scrubs_to_the_last(show: Show) -> None:
    film = show(two_heads())
    timeline = film.timeline
    first = film.script.chapters[7].start
    at = QPointF(timeline.x_of(first), 12.0)
    for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
        button, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
        held = button if kind == QEvent.Type.MouseButtonPress else none
        QApplication.sendEvent(timeline, QMouseEvent(kind, at, at, button, held, Qt.KeyboardModifier.NoModifier))
    assert film.step.index == first


def test_edit_to_one_head_goes_to_the_output(show: Show) -> None:
    film = show(two_heads())
    film.go_to(len(film.script) - 1)
    film.offer_frame(compute(cat_dog_phone()))
    assert (film.step.part, len(film.script.chapters)) == ("arrive", 6)


def test_screen_readers_hear_the_head(qtbot: QtBot, show: Show) -> None:
    film = show(two_heads().at_head(1))
    film.go_to(8)
    qtbot.waitUntil(lambda: film.stage.accessibleDescription().startswith("Head 2 of 2. q_cat · k_dog"), timeout=2000)


def test_screen_readers_hear_the_head_once(qtbot: QtBot, show: Show) -> None:
    film = show(two_heads())
    first = next(place for place in range(len(film.script)) if film.script.step(place).part == "join")
    film.go_to(first)
    qtbot.waitUntil(lambda: film.stage.accessibleDescription() == said(film), timeout=2000)
    assert said(film).startswith("Head 1 of 2: ")


def test_card_has_room_for_what_a_setting_says(show: Show) -> None:
    plain = show(compute(cat_dog_phone()))
    wordy = show(compute(cat_dog_phone(soft_cap=1.0)))
    assert wordy.stage.minimumSizeHint().height() > plain.stage.minimumSizeHint().height()


@pytest.mark.parametrize("seed", range(5))
def test_every_setting_is_painted_and_lights_what_is_pointed_at(show: Show, seed: int) -> None:
    state = random_layer(seed, with_pins=True)
    if is_refused(state):
        return
    film = show(compute(state), (620, 560) if seed % 2 else (1100, 520))
    film.apply_theme(DARK if seed % 2 else LIGHT)
    for extent in ("one", "all"):
        film.choose_extent(extent)
        for index in range(0, len(film.script), 5):
            film.go_to(index)
            film.stage.grab()
            for _, box in film.stage.placed[:4]:
                QTest.mouseMove(film.stage, box.center().toPoint())
        film.go_to(len(film.script) - 1)
        film.stage.grab()
        assert film.stage.placed
