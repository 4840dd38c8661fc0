"""The film in the window: shown and played by its action, in the place of the plane, and still when it is put away."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviz.app.window import MainWindow


def test_film_is_not_part_of_the_first_layout(fresh_window: MainWindow) -> None:
    assert not fresh_window.docks["film"].isVisible()
    assert "body" not in vars(fresh_window.film)


def test_shortcut_shows_and_plays_and_pauses(fresh_window: MainWindow) -> None:
    window = fresh_window
    window.plane.setFocus()
    QTest.keyClick(window.plane.canvas, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert window.docks["film"].isVisible()
    assert window.film.body.player.is_playing
    assert QApplication.focusWidget() is window.film.body.stage
    QTest.keyClick(window.film.body.stage, Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier)
    assert not window.film.body.player.is_playing


def test_film_and_plane_share_one_place(fresh_window: MainWindow) -> None:
    window = fresh_window
    window.actions_by_name["film"].trigger()
    QApplication.processEvents()
    assert window.tabifiedDockWidgets(window.docks["plane"]) == [window.docks["film"]]
    assert window.film.body.isVisible()
    assert window.film.height() > 0.5 * window.height()


def test_put_away_it_stops(fresh_window: MainWindow) -> None:
    window = fresh_window
    window.actions_by_name["film"].trigger()
    window.docks["film"].bar.hide_button.click()
    assert not window.film.body.player.is_playing


def test_edit_of_the_document_changes_the_numbers_of_the_step(fresh_window: MainWindow) -> None:
    window = fresh_window
    window.actions_by_name["film"].trigger()
    window.actions_by_name["film"].trigger()
    film = window.film.body
    film.go_to(21)
    window.wiring.set_scalar("temperature", 1e6)
    assert film.step.index == 21
    assert film.stage.picture is not None
    assert "= 0.333" in film.stage.picture.caption
    window.session.undo()
    assert "= 0.389" in film.stage.picture.caption


def test_choosing_the_query_chooses_it_everywhere(fresh_window: MainWindow) -> None:
    window = fresh_window
    window.actions_by_name["film"].trigger()
    window.film.body.choose_query(2)
    assert window.selection.chosen.query == 2
    assert "phone" in window.derivation.subtitle


def test_film_fills_the_window_and_goes_back(fresh_window: MainWindow) -> None:
    window = fresh_window
    window.actions_by_name["film"].trigger()
    window.actions_by_name["maximise"].trigger()
    QApplication.processEvents()
    assert window.layout_of_docks.maximised == "film"
    assert window.film.width() > 0.9 * window.width()
    window.actions_by_name["maximise"].trigger()
    assert window.docks["scores"].isVisible()


@pytest.mark.parametrize("order", [("explain_number", "film"), ("film", "explain_number")])
def test_in_a_low_window_the_inspector_leaves_the_height_to_the_film(
    fresh_window: MainWindow, order: tuple[str, str]
) -> None:
    window = fresh_window
    window.resize(1280, 800)
    for name in order:
        window.actions_by_name[name].trigger()
        QApplication.processEvents()
    assert window.tabifiedDockWidgets(window.docks["inspector"]) == [window.docks["scores"]]
    assert not window.inspector.visibleRegion().isEmpty()
    assert window.film.height() > 0.5 * window.height()
    assert window.height() == 800


def test_another_document_is_followed_again(window: MainWindow) -> None:
    window.actions_by_name["film"].trigger()
    window.film.body.choose_query(2)
    assert not window.film.body.is_following
    window.documents.open_preset("s3")
    QApplication.processEvents()
    assert window.film.body.is_following
