"""The gallery: a card for every scene, opened by one click or by the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from attnviz.app.documents import Answer
from attnviz.app.gallery import Gallery
from attnviz.app.window import MainWindow
from attnviz.document.presets import load_preset, preset_names
from tests.app.conftest import answers_of
from tests.app.mouse import click, middle_of


@pytest.fixture
def gallery(window: MainWindow, qtbot: QtBot) -> Gallery:
    window.actions_by_name["gallery"].trigger()
    dialog = window.findChild(Gallery)
    assert isinstance(dialog, Gallery)
    qtbot.waitExposed(dialog)
    return dialog


def test_there_is_a_card_with_name_and_description_for_every_scene(gallery: Gallery) -> None:
    scenes = [load_preset(name) for name in preset_names()]
    assert [card.accessibleName() for card in gallery.cards] == [scene.title for scene in scenes]
    assert [card.accessibleDescription() for card in gallery.cards] == [scene.description for scene in scenes]
    assert all(scene.description for scene in scenes)


def test_a_click_opens_the_scene_and_closes_the_gallery(window: MainWindow, gallery: Gallery) -> None:
    card = gallery.cards[3]
    click(card, middle_of(card))
    assert window.session.state.is_same(load_preset(preset_names()[3]))
    assert window.findChild(Gallery) is None


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return])
def test_a_key_opens_the_scene_with_the_focus(window: MainWindow, gallery: Gallery, key: Qt.Key) -> None:
    gallery.cards[0].setFocus()
    QTest.keyClick(gallery.cards[0], Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is gallery.cards[1]
    QTest.keyClick(gallery.cards[1], key)
    assert window.session.state.is_same(load_preset(preset_names()[1]))


def test_escape_leaves_everything_as_it_is(window: MainWindow, gallery: Gallery) -> None:
    state = window.session.state
    QTest.keyClick(gallery, Qt.Key.Key_Escape)
    assert not gallery.isVisible()
    assert window.session.state is state


def test_unsaved_changes_are_asked_about(window: MainWindow, gallery: Gallery) -> None:
    window.wiring.set_scalar("causal", True)
    state = window.session.state
    answers_of(window).unsaved = Answer.CANCEL
    gallery.cards[3].click()
    assert window.session.state is state


def test_each_card_shows_its_own_weights(gallery: Gallery) -> None:
    pictures = [bytes(card.grab().toImage().constBits()) for card in gallery.cards]
    assert len(set(pictures)) == len(pictures)
    for card in gallery.cards:
        assert "…" not in card.fontMetrics().elidedText(
            card.accessibleName(), Qt.TextElideMode.ElideRight, card.width() - 24
        )
