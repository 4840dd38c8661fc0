"""Presenting: chosen panels alone in large type, every key still at work, and everything put back at the end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QSettings, QSize, Qt
from PySide6.QtGui import QAction, QPaintEvent, QRegion
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar, QToolButton, QWidget

from attnviz.app.presented_views import presented_views
from attnviz.app.window import MainWindow
from attnviz.document.presets import load_preset
from attnviz.views.panels import PANELS
from tests.app.conftest import OpenWindow
from tests.app.mouse import double_click

_CONTROL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
_NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def plain(window: MainWindow) -> Iterator[MainWindow]:
    """A window that presents nothing, before and after the test."""
    yield window
    window.presentation.end()


@pytest.fixture
def small(plain: MainWindow) -> MainWindow:
    """The same, whose presentations keep the size of text: where it does not matter, growing takes most of the time."""
    plain.settings.setValue("presentation/font_percent", 100)
    return plain


def shown(window: MainWindow) -> list[str]:
    QApplication.processEvents()
    return [name for name, dock in window.docks.items() if dock.isVisible()]


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = _NONE) -> None:
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)


def looks(window: MainWindow) -> dict[str, object]:
    """Give all that must be as before."""
    QApplication.processEvents()
    places = {name: dock.geometry() for name, dock in window.docks.items() if dock.isVisible()}
    bars = [bar.isVisible() for bar in (window.menuBar(), window.tool_bar, window.statusBar())]
    tools = [(dock.bar.maximise.isHidden(), dock.bar.hide_button.isHidden()) for dock in window.docks.values()]
    enabled = {name: action.isEnabled() for name, action in window.actions_by_name.items()}
    return {
        "places": {name: (place.x(), place.y(), place.width(), place.height()) for name, place in places.items()},
        "shown": shown(window),
        "floating": [name for name, dock in window.docks.items() if dock.isFloating()],
        "features": [dock.features() for dock in window.docks.values()],
        "bars": bars,
        "tools": tools,
        "enabled": enabled,
        "percent": window.appearance.percent,
        "points": QApplication.font().pointSizeF(),
        "focus": QApplication.focusWidget(),
        "state": window.windowState(),
        "size": (window.width(), window.height()),
        "maximised": window.layout_of_docks.maximised,
        "spotlight": [widget.isVisible() for widget in window.findChildren(QWidget, "spotlight")].count(True),
    }


def test_every_panel_can_be_presented_alone_and_in_the_pairs_of_the_list() -> None:
    views = {view.name: view.panels for view in presented_views()}
    assert [name for name in views if "+" not in name] == [spec.name for spec in PANELS]
    for pair in (("plane", "weights"), ("scores", "weights"), ("film", "weights"), ("inspector", "weights")):
        assert views["+".join(pair)] == pair


def test_the_panel_with_the_focus_fills_the_screen_in_large_type(plain: MainWindow) -> None:
    window = plain
    window.scores.matrix.setFocus()
    press(Qt.Key.Key_F11)
    assert shown(window) == ["scores"]
    assert window.docks["scores"].width() > 0.95 * window.width()
    assert window.docks["scores"].height() > 0.8 * window.height()
    assert window.appearance.percent == 150
    assert [bar.isVisible() for bar in (window.menuBar(), window.tool_bar, window.statusBar())] == [False] * 3
    assert window.isFullScreen()
    press(Qt.Key.Key_F5)  # the other key of the same action
    assert not window.presentation.is_on


def test_plane_and_weights_are_presented_where_no_panel_has_the_focus(plain: MainWindow) -> None:
    window = plain
    window.scene_box.setFocus()
    press(Qt.Key.Key_F11)
    assert shown(window) == ["plane", "weights"]
    plane, weights = (window.docks[name].geometry() for name in ("plane", "weights"))
    assert plane.right() < weights.left()
    assert plane.top() == weights.top()
    assert plane.height() == weights.height() > 0.8 * window.height()
    assert weights.width() > 0.3 * window.width()


@pytest.mark.parametrize("focus", ["weights", "tokens", "none"])
def test_escape_puts_everything_back(plain: MainWindow, focus: str) -> None:
    window = plain
    before_focus = {
        "weights": window.weights.matrix,
        "tokens": window.tokens.sentence,
        "none": window.scene_box,
    }[focus]
    before_focus.setFocus()
    before = looks(window)
    press(Qt.Key.Key_F11)
    press(Qt.Key.Key_F8)
    press(Qt.Key.Key_Escape)
    assert looks(window) == before


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_tabs_hidden_floating_and_maximised_panels_are_put_back(fresh_window: MainWindow) -> None:
    window = fresh_window
    window.actions_by_name["film"].trigger()
    window.actions_by_name["film"].trigger()
    window.docks["controls"].hide()
    window.docks["scores"].setFloating(True)
    window.weights.matrix.setFocus()
    window.actions_by_name["maximise"].trigger()
    window.activateWindow()  # the floating one may have come before it
    window.weights.matrix.setFocus()
    before = looks(window)
    window.presentation.show_view("film+weights")
    window.presentation.show_view("plane+scores")
    window.presentation.end()
    assert looks(window) == before
    window.actions_by_name["maximise"].trigger()
    assert set(shown(window)) >= {"tokens", "weights", "film", "scores"}
    assert "controls" not in shown(window)
    assert window.docks["scores"].isFloating()
    assert window.tabifiedDockWidgets(window.docks["plane"]) == [window.docks["film"]]
    tabs = [bar for bar in window.findChildren(QTabBar) if bar.isVisible() and bar.count() > 1]
    assert [bar.tabText(bar.currentIndex()) for bar in tabs] == ["Film"]


def test_panels_are_placed_once_more_when_the_window_has_its_size_again(plain: MainWindow) -> None:
    window = plain
    before = looks(window)["places"]
    docks = window.layout_of_docks.presented
    docks.present(("weights",))
    window.resize(1700, 1100)  # as a full screen does
    QApplication.processEvents()
    docks.put_back()
    QApplication.processEvents()
    window.resize(1280, 800)  # as a desktop does, after a while
    assert looks(window)["places"] == before
    window.docks["controls"].hide()
    window.resize(1400, 900)
    window.resize(1280, 800)  # and later no more
    assert "controls" not in shown(window)


def test_full_screen_before_is_full_screen_after(fresh_window: MainWindow) -> None:
    window = fresh_window
    window.actions_by_name["full_screen"].trigger()
    assert window.isFullScreen()
    before = shown(window)
    window.presentation.toggle()
    window.presentation.end()
    assert shown(window) == before
    assert window.isFullScreen()
    assert window.actions_by_name["full_screen"].isChecked()
    window.actions_by_name["full_screen"].trigger()
    assert not window.isFullScreen()


@pytest.mark.parametrize("is_maximised", [False, True])
def test_closing_while_presenting_remembers_the_usual_window(
    open_window: OpenWindow, settings: QSettings, is_maximised: bool
) -> None:
    window = open_window(load_preset("s1"))
    normal = QApplication.font().pointSizeF()
    window.docks["controls"].hide()
    usual = {"window/state": window.saveState(1), "window/geometry": window.saveGeometry()}
    if is_maximised:
        window.layout_of_docks.toggle_maximised("plane")
    window.presentation.show_view("scores")
    window.appearance.step_font(1)
    window.close()
    assert QApplication.font().pointSizeF() == normal
    assert settings.value("font_percent", 100, int) == 100
    assert {key: settings.value(key) for key in usual} == usual
    assert settings.value("window/size") == QSize(1280, 800)


def test_views_are_stepped_through_and_the_menu_marks_the_present_one(small: MainWindow) -> None:
    window = small
    window.plane.canvas.setFocus()
    press(Qt.Key.Key_F8)
    assert window.presentation.is_on
    first = window.presentation.view.name
    press(Qt.Key.Key_F8)
    assert window.presentation.view.name != first
    press(Qt.Key.Key_F8, _SHIFT)
    assert window.presentation.view.name == first
    actions = {a.objectName(): a for a in window.findChildren(QAction) if a.objectName().startswith("view_")}
    assert [name for name, action in actions.items() if action.isChecked()] == [f"view_{first}"]
    actions["view_film+weights"].trigger()
    assert shown(window) == ["weights", "film"]
    actions["view_film+weights"].trigger()  # once more: it stays
    assert shown(window) == ["weights", "film"]
    assert actions["view_film+weights"].isChecked()
    window.presentation.end()
    assert [name for name, action in actions.items() if action.isChecked()] == []


def test_shortcuts_work_though_the_menu_bar_is_hidden(plain: MainWindow) -> None:
    window = plain
    window.weights.matrix.setFocus()
    press(Qt.Key.Key_F11)
    press(Qt.Key.Key_K, _CONTROL)
    assert window.session.state.is_causal
    press(Qt.Key.Key_Z, _CONTROL)
    assert not window.session.state.is_causal
    press(Qt.Key.Key_Plus, _CONTROL)
    assert window.appearance.percent == 175


def test_the_film_takes_its_keys_when_it_is_presented(small: MainWindow) -> None:
    window = small
    window.presentation.show_view("film+weights")
    film = window.film.body
    press(Qt.Key.Key_End)
    assert film.step.index == len(film.script) - 1
    press(Qt.Key.Key_Home)
    press(Qt.Key.Key_Right)
    press(Qt.Key.Key_Right)
    press(Qt.Key.Key_Left)
    assert film.step.index == 1
    press(Qt.Key.Key_Space)
    assert film.player.is_playing
    press(Qt.Key.Key_Space)
    assert not film.player.is_playing


def test_playing_the_film_or_explaining_a_number_presents_it(small: MainWindow) -> None:
    window = small
    window.presentation.show_view("weights")
    press(Qt.Key.Key_Space, _CONTROL)
    assert shown(window) == ["film"]
    press(Qt.Key.Key_I, _CONTROL | _SHIFT)
    assert shown(window) == ["inspector"]
    window.presentation.show_view("inspector+weights")
    press(Qt.Key.Key_I, _CONTROL | _SHIFT)
    assert shown(window) == ["weights", "inspector"]


def test_size_of_text_of_presentations_is_remembered_on_its_own(plain: MainWindow) -> None:
    window = plain
    window.presentation.toggle()
    window.appearance.step_font(1)
    window.presentation.end()
    assert (window.appearance.percent, window.settings.value("font_percent", 100, int)) == (100, 100)
    window.presentation.toggle()
    assert window.appearance.percent == 175
    window.presentation.end()
    window.appearance.use_font(200)
    window.presentation.toggle()
    assert window.appearance.percent == 200  # never smaller than it was
    window.presentation.end()


def test_palette_closes_before_the_presentation_does(small: MainWindow) -> None:
    window = small
    window.presentation.show_view("weights")
    press(Qt.Key.Key_P, _CONTROL | _SHIFT)
    palette = window.commands.help.command_palette
    assert palette.isVisible()
    press(Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert window.presentation.is_on
    press(Qt.Key.Key_Escape)
    assert not window.presentation.is_on


def test_the_bar_names_what_is_shown_and_ends_it(plain: MainWindow) -> None:
    window = plain
    window.presentation.show_view("plane+weights")
    bar = window.presentation.bar
    assert bar.isVisible()
    assert "Plane and Weights" in bar.choice.text()
    buttons = {button.accessibleName(): button for button in bar.findChildren(QToolButton) if button.isVisible()}
    assert {"Previous View", "Next View", "Spotlight", "End Presentation"} <= set(buttons)
    assert [name for name, button in buttons.items() if not button.toolTip()] == []
    buttons["Next View"].click()
    assert "Plane and Scores" in bar.choice.text()
    buttons["End Presentation"].click()
    assert not window.presentation.is_on
    assert not bar.isVisible()


def test_what_would_disturb_a_presentation_waits_until_it_ends(small: MainWindow) -> None:
    window = small
    window.presentation.show_view("scores")
    for name in ("maximise", "reset_layout", "full_screen", "panel_plane"):
        action = window.findChild(QAction, name)
        assert action is not None
        assert not action.isEnabled(), name
    double_click(window.docks["scores"].bar, QPointF(20.0, 10.0))
    assert shown(window) == ["scores"]
    assert not window.docks["scores"].isFloating()


# The spotlight


@pytest.fixture
def lit(small: MainWindow) -> MainWindow:
    small.presentation.show_view("weights")
    if not small.actions_by_name["spotlight"].isChecked():
        press(Qt.Key.Key_L, _CONTROL)
    QApplication.processEvents()
    return small


def test_spotlight_follows_the_pointer_and_eats_nothing(lit: MainWindow) -> None:
    window, matrix = lit, lit.weights.matrix
    light = window.presentation.spotlight
    assert light.isVisible()
    assert light.geometry() == window.rect()
    cell = matrix.cell_rect(2, 1).center().toPoint()
    place = matrix.mapTo(window, cell)
    for way in (QPoint(3, 3), QPoint(0, 0)):  # a pointer that is there already has not moved
        QTest.mouseMove(window.windowHandle(), place + way)
        QApplication.processEvents()
    assert light.place == place
    assert (window.selection.chosen.pointed_query, window.selection.chosen.pointed_key) == (2, 1)
    QTest.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton, _NONE, place)
    QApplication.processEvents()
    assert (window.selection.chosen.query, window.selection.chosen.key) == (2, 1)


def test_spotlight_darkens_what_is_far_and_leaves_what_is_near(lit: MainWindow) -> None:
    window = lit
    light = window.presentation.spotlight
    middle = window.rect().center()
    light.move_to(QPoint(-1, -1))
    plain = window.grab().toImage()
    light.move_to(middle)
    image = window.grab().toImage()
    far = QPoint(30, window.height() - 120)
    assert image.pixelColor(middle) == plain.pixelColor(middle)
    assert image.pixelColor(far).lightness() < plain.pixelColor(far).lightness() - 40


class Painted(QObject):
    """Remembers which part of a widget was painted."""

    def __init__(self) -> None:
        super().__init__()
        self.region = QRegion()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.region += event.region()
        return super().eventFilter(watched, event)


def test_a_moving_spotlight_repaints_what_it_left_and_where_it_comes_and_no_more(lit: MainWindow) -> None:
    light = lit.presentation.spotlight
    reach = light.radius
    start, end = QPoint(reach, reach), QPoint(lit.width() - reach, lit.height() - reach)
    light.move_to(start)
    QApplication.processEvents()
    painted = Painted()
    light.installEventFilter(painted)
    light.move_to(end)
    QApplication.processEvents()
    light.removeEventFilter(painted)
    for place in (start, end):
        assert painted.region.contains(QRect(place, place).adjusted(-20, -20, 20, 20))
        assert painted.region.contains(place + QPoint(reach - 2, 0))
    assert not painted.region.contains(QPoint(start.x(), end.y()))


def test_spotlight_shines_in_presentations_only(small: MainWindow) -> None:
    window = small
    spotlight = window.actions_by_name["spotlight"]
    if spotlight.isChecked():
        spotlight.trigger()
    spotlight.trigger()
    assert "spotlight" in window.message
    assert looks(window)["spotlight"] == 0
    window.presentation.show_view("weights")
    assert looks(window)["spotlight"] == 1
    spotlight.trigger()
    assert looks(window)["spotlight"] == 0
    spotlight.trigger()
    window.presentation.end()
    assert looks(window)["spotlight"] == 0


def test_every_presentation_begins_without_a_spotlight(lit: MainWindow) -> None:
    press(Qt.Key.Key_Escape)
    assert not lit.presentation.is_on
    assert not lit.actions_by_name["spotlight"].isChecked()
    press(Qt.Key.Key_F11)
    assert lit.presentation.is_on
    assert looks(lit)["spotlight"] == 0


def test_a_maximised_panel_stays_so_after_a_presentation(small: MainWindow) -> None:
    window = small
    window.layout_of_docks.toggle_maximised("weights")
    for _ in range(2):
        window.presentation.show_view("plane")
        for _ in range(4):
            QApplication.processEvents()
        window.presentation.end()
        for _ in range(4):
            QApplication.processEvents()
        assert window.layout_of_docks.maximised == "weights"
    window.layout_of_docks.toggle_maximised("weights")


def test_the_window_gets_its_size_back(plain: MainWindow) -> None:
    window, size = plain, plain.size()
    window.presentation.show_view("weights")
    window.resize(1900, 1100)
    QApplication.processEvents()
    window.presentation.end()
    for _ in range(4):
        QApplication.processEvents()
    assert window.size() == size
