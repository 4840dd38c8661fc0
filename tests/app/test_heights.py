"""Heights of the panels: what grew for a while shrinks again, and what somebody dragged stays."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviz.app.window import MainWindow
from attnviz.document.presets import load_preset
from tests.app.conftest import OpenWindow
from tests.app.mouse import click, drag

_NEAR = 2  # pixels by which Qt may miss
_HIGH = QPointF(0.0, -60.0)


@pytest.fixture
def laptop(fresh_window: MainWindow) -> MainWindow:
    """A window of 1280 x 808 on the first scene."""
    fresh_window.resize(1280, 808)
    fresh_window.actions_by_name["reset_layout"].trigger()
    settle()
    return fresh_window


def settle() -> None:
    for _ in range(3):
        QApplication.processEvents()


def heights(window: MainWindow) -> dict[str, int]:
    settle()
    return {name: dock.height() for name, dock in window.docks.items() if not dock.isHidden()}


def are_near(a: dict[str, int], b: dict[str, int]) -> bool:
    return a.keys() == b.keys() and all(abs(a[name] - b[name]) <= _NEAR for name in a)


def drag_bottom(window: MainWindow) -> None:
    """Drag the border above the bottom up, as by hand."""
    dock = window.docks["stages"] if window.docks["stages"].isVisible() else window.docks["derivation"]
    border = QPointF(dock.x() + dock.width() / 2, dock.y() - 2)
    drag(window, border, border + _HIGH)
    settle()


def open_stage(window: MainWindow, name: str = "weight") -> None:
    """Open a matrix large, or close it, by a click on it."""
    strip = window.stages.body.strip
    click(strip.viewport(), strip.stage_rect(name).center())
    settle()


def test_bottom_shrinks_again_after_stages_that_were_large_are_closed(laptop: MainWindow) -> None:
    before = heights(laptop)
    laptop.actions_by_name["stages"].trigger()
    settle()
    open_stage(laptop)
    assert laptop.docks["stages"].height() > 2 * before["derivation"]
    laptop.docks["stages"].bar.hide_button.click()
    assert are_near(heights(laptop), before)
    laptop.actions_by_name["stages"].trigger()  # the matrix is still open
    settle()
    assert laptop.docks["stages"].height() > 2 * before["derivation"]
    laptop.docks["stages"].toggleViewAction().trigger()
    assert are_near(heights(laptop), before)


def test_stages_come_back_as_high_as_they_were(laptop: MainWindow) -> None:
    for _ in range(2):
        laptop.actions_by_name["stages"].trigger()
        settle()
        assert 150 <= laptop.docks["stages"].height() <= 200
        laptop.docks["stages"].close()
        settle()


def test_heights_that_somebody_dragged_are_kept(laptop: MainWindow) -> None:
    natural = heights(laptop)["derivation"]
    drag_bottom(laptop)
    dragged = heights(laptop)
    assert abs(dragged["derivation"] - natural - 60) <= _NEAR
    laptop.actions_by_name["stages"].trigger()
    settle()
    drag_bottom(laptop)
    high = laptop.docks["stages"].height()
    assert high > 230
    open_stage(laptop)
    open_stage(laptop)
    assert abs(laptop.docks["stages"].height() - high) <= _NEAR
    laptop.docks["stages"].close()
    assert are_near(heights(laptop), dragged)
    laptop.appearance.use_font(150)
    settle()
    laptop.appearance.use_font(100)
    assert are_near(heights(laptop), dragged)
    laptop.actions_by_name["stages"].trigger()
    settle()
    assert abs(laptop.docks["stages"].height() - high) <= _NEAR
    laptop.actions_by_name["reset_layout"].trigger()
    assert abs(heights(laptop)["derivation"] - natural) <= _NEAR


def test_stage_closed_in_a_presentation_leaves_no_room_behind(laptop: MainWindow) -> None:
    laptop.settings.setValue("presentation/font_percent", 100)
    before = heights(laptop)
    laptop.actions_by_name["stages"].trigger()
    small = heights(laptop)
    open_stage(laptop)
    laptop.stages.body.strip.setFocus()
    QTest.keyClick(laptop.stages.body.strip, Qt.Key.Key_F11)
    settle()
    assert laptop.presentation.view.name == "stages"
    laptop.stages.body.close_matrix()
    QTest.keyClick(laptop.stages.body.strip, Qt.Key.Key_F5)
    settle()
    assert not laptop.presentation.is_on
    assert abs(heights(laptop)["stages"] - small["stages"]) <= _NEAR
    laptop.docks["stages"].close()
    QTest.keyClick(laptop.plane.canvas, Qt.Key.Key_F11)
    settle()
    laptop.presentation.end()
    assert abs(heights(laptop)["derivation"] - before["derivation"]) <= _NEAR


@pytest.mark.parametrize("has_stages", [False, True])
def test_panels_have_their_heights_again_after_large_text(laptop: MainWindow, has_stages: bool) -> None:
    if has_stages:
        laptop.actions_by_name["stages"].trigger()
    before = heights(laptop)
    laptop.appearance.use_font(200)
    settle()
    assert laptop.width() == 1280
    laptop.actions_by_name["font_reset"].trigger()
    now = heights(laptop)
    if has_stages:  # Why? is behind them: it takes a height when it comes to the front
        del now["derivation"], before["derivation"]
    assert are_near(now, before)
    assert (laptop.width(), laptop.height()) == (1280, 808)


def test_after_a_restart_what_was_dragged_is_known_and_what_large_text_took_is_not(
    open_window: OpenWindow, settings: QSettings
) -> None:
    first = open_window(load_preset("s1"))
    before = heights(first)
    first.appearance.use_font(200)
    settle()
    first.close()
    second = open_window(load_preset("s1"))
    second.appearance.restore()
    settle()
    assert second.layout_of_docks.restore_docks()
    assert heights(second)["derivation"] > 1.5 * before["derivation"]
    second.appearance.use_font(100)
    assert are_near(heights(second), before)
    drag_bottom(second)
    dragged = heights(second)
    second.close()
    for written in (settings.value("window/dragged"), "rubbish=99999999x1; why=0x;"):
        settings.setValue("window/dragged", written)
        third = open_window(load_preset("s1"))
        assert third.layout_of_docks.restore_docks()
        assert are_near(heights(third), dragged)
        third.appearance.use_font(125)
        settle()
        third.appearance.use_font(100)
        assert are_near(heights(third), before if "rubbish" in str(written) else dragged)
        third.hide()


def test_text_that_grew_behind_a_panel_that_filled_the_window_leaves_no_room_behind(laptop: MainWindow) -> None:
    before = heights(laptop)
    laptop.layout_of_docks.toggle_maximised("plane")
    laptop.appearance.use_font(175)
    settle()
    laptop.layout_of_docks.toggle_maximised("plane")
    assert heights(laptop)["derivation"] > 1.3 * before["derivation"]  # its lines are that much higher
    laptop.appearance.use_font(100)
    assert are_near(heights(laptop), before)
