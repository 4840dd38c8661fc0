"""Docks: hidden and shown, maximised and brought back, remembered between windows."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QByteArray, QPointF, QRect, QSettings, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

from attnviz.app.window import MainWindow
from attnviz.document.presets import load_preset
from attnviz.views.panel import Panel
from attnviz.views.panels import PANELS, PanelSpec
from tests.app.conftest import OpenWindow
from tests.app.mouse import double_click

NAMES = [spec.name for spec in PANELS if spec.is_shown_first]
HIDDEN = [spec.name for spec in PANELS if not spec.is_shown_first]


def shown(window: MainWindow) -> list[str]:
    QApplication.processEvents()
    return [name for name, dock in window.docks.items() if dock.isVisible()]


def places(window: MainWindow) -> dict[str, QRect]:
    QApplication.processEvents()
    return {name: dock.geometry() for name, dock in window.docks.items()}


def are_near(a: dict[str, QRect], b: dict[str, QRect], pixels: int = 2) -> bool:
    sides = [
        abs(x - y)
        for name in a
        for x, y in zip(a[name].getRect(), b[name].getRect(), strict=True)  # type: ignore[call-overload]
    ]
    return max(sides) <= pixels


def test_every_panel_of_the_first_layout_is_shown_at_first(window: MainWindow) -> None:
    assert shown(window) == NAMES


def test_a_panel_new_to_the_list_has_a_place_before_the_layout_knows_it(
    open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = places(open_window(load_preset("s1")))
    more = PanelSpec("more", "More", Panel, "A panel that was added to the list alone.")
    monkeypatch.setattr("attnviz.app.window.PANELS", (*PANELS, more))
    window = open_window(load_preset("s1"))
    dock = window.docks["more"]
    assert window.dockWidgetArea(dock) != Qt.DockWidgetArea.NoDockWidgetArea
    assert window.tabifiedDockWidgets(dock) == [window.docks["weights"]]
    around = {name: place for name, place in places(window).items() if name in usual}
    assert are_near(usual, around, pixels=40)  # the tabs take a line
    dock.raise_()
    QApplication.processEvents()
    assert dock.width() > 200


@pytest.mark.parametrize("name", HIDDEN)
def test_a_panel_that_is_hidden_at_first_comes_and_goes_by_its_menu_entry(window: MainWindow, name: str) -> None:
    before = places(window)
    action = window.findChild(QAction, f"panel_{name}")
    assert action is not None
    assert not action.isChecked()
    action.trigger()
    assert set(shown(window)) == {*NAMES, name}
    assert window.docks[name].width() >= 200
    assert window.docks[name].height() >= 150
    action.trigger()
    assert shown(window) == NAMES
    window.actions_by_name["reset_layout"].trigger()
    assert are_near({n: r for n, r in places(window).items() if n in NAMES}, {n: before[n] for n in NAMES})


@pytest.mark.parametrize("name", NAMES)
def test_a_hidden_panel_comes_back_by_its_menu_entry(window: MainWindow, name: str) -> None:
    window.docks[name].bar.hide_button.click()
    assert name not in shown(window)
    action = window.findChild(QAction, f"panel_{name}")
    assert action is not None
    assert not action.isChecked()
    action.trigger()
    assert shown(window) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_double_click_on_the_title_maximises_and_brings_back(window: MainWindow, name: str) -> None:
    before = places(window)
    bar = window.docks[name].bar
    double_click(bar, QPointF(20.0, bar.height() / 2))
    assert shown(window) == [name]
    assert window.docks[name].width() > 0.95 * window.width()
    double_click(bar, QPointF(20.0, bar.height() / 2))
    assert shown(window) == NAMES
    assert are_near(places(window), before)


def test_maximise_button_and_action_do_the_same(window: MainWindow) -> None:
    window.docks["scores"].bar.maximise.click()
    assert shown(window) == ["scores"]
    window.actions_by_name["maximise"].trigger()
    assert shown(window) == NAMES
    window.panels["weights"].setFocus()
    window.actions_by_name["maximise"].trigger()
    assert shown(window) == ["weights"]


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_reset_brings_the_first_layout_back(window: MainWindow) -> None:
    window.actions_by_name["reset_layout"].trigger()
    before = places(window)
    window.docks["plane"].setFloating(True)
    window.docks["scores"].hide()
    window.layout_of_docks.toggle_maximised("tokens")
    window.actions_by_name["reset_layout"].trigger()
    assert shown(window) == NAMES
    assert not window.docks["plane"].isFloating()
    assert are_near(places(window), before)


def test_layout_is_remembered(open_window: OpenWindow) -> None:
    first = open_window(load_preset("s1"))
    first.docks["controls"].bar.hide_button.click()
    first.close()
    second = open_window(load_preset("s1"))
    assert second.layout_of_docks.restore_docks()
    assert shown(second) == [name for name in NAMES if name != "controls"]


def test_a_maximised_panel_is_not_remembered_as_the_only_one(open_window: OpenWindow) -> None:
    first = open_window(load_preset("s1"))
    first.layout_of_docks.toggle_maximised("plane")
    first.close()
    second = open_window(load_preset("s1"))
    assert second.layout_of_docks.restore_docks()
    assert shown(second) == NAMES


@pytest.mark.parametrize("content", [b"", b"rubbish", bytes(2000)])
def test_a_layout_that_cannot_be_read_is_ignored(open_window: OpenWindow, settings: QSettings, content: bytes) -> None:
    settings.setValue("window/state", QByteArray(content))
    settings.setValue("window/geometry", QByteArray(content))
    window = open_window(load_preset("s1"))
    assert window.layout_of_docks.restore_geometry() is None
    assert not window.layout_of_docks.restore_docks()
    assert shown(window) == NAMES


def test_a_layout_of_another_version_is_ignored(open_window: OpenWindow, settings: QSettings) -> None:
    first = open_window(load_preset("s1"))
    first.docks["controls"].hide()
    settings.setValue("window/state", first.saveState(99))
    second = open_window(load_preset("s1"))
    assert not second.layout_of_docks.restore_docks()
    assert shown(second) == NAMES


def test_window_from_a_larger_screen_is_brought_onto_this_one(open_window: OpenWindow, settings: QSettings) -> None:
    first = open_window(load_preset("s1"))
    first.setGeometry(5000, 4000, 1200, 700)
    first.layout_of_docks.save()
    second = open_window(load_preset("s1"))
    assert second.layout_of_docks.restore_geometry()
    area = second.screen().availableGeometry()
    assert area.contains(second.geometry().topLeft())


def test_a_hidden_panel_shows_the_newest_frame_when_it_appears(window: MainWindow) -> None:
    matrix = window.panels["weights"].matrix
    old = matrix.painted_texts()
    for dock in window.docks.values():
        dock.hide()
    shown(window)
    window.wiring.set_scalar("temperature", 0.5)
    for panel in window.panels.values():
        assert panel.frame is window.session.frame
    window.actions_by_name["reset_layout"].trigger()
    shown(window)
    assert window.controls.rows["temperature"].box.number == 0.5
    caught_up = matrix.painted_texts()
    window.panels["weights"].show_frame(window.session.frame)
    assert caught_up == matrix.painted_texts()
    assert [text for text, _ in caught_up] != [text for text, _ in old]


def test_hiding_the_maximised_panel_brings_the_others_back(window: MainWindow) -> None:
    window.layout_of_docks.toggle_maximised("plane")
    window.docks["plane"].bar.hide_button.click()
    assert shown(window) == [name for name in NAMES if name != "plane"]
    assert window.layout_of_docks.maximised is None


def test_second_start_has_the_docks_as_the_first_was_left(
    open_window: OpenWindow, settings: QSettings, qapp: QApplication
) -> None:
    first = open_window(load_preset("s1"))
    before = places(first)
    first.close()
    settings.remove("window/geometry")  # the screen of this plugin is smaller than the window
    second = open_window(load_preset("s1"))
    second.hide()
    second.show_remembered(1280, 800)
    qapp.processEvents()
    assert (second.width(), second.height()) == (1280, 800)
    assert are_near(places(second), before)
