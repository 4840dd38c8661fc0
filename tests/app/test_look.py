"""Themes, size of text, names for screen readers: what makes the window fit its user."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QApplication, QComboBox, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from attnviz.app.styling import FONT_PERCENTS
from attnviz.app.window import MainWindow
from attnviz.appearance import MINIMUM_CONTRAST
from attnviz.document.presets import load_preset
from tests.app.conftest import OpenWindow


def luminance(colour: tuple[int, int, int]) -> float:
    """WCAG 2.2, relative luminance."""
    parts = [c / 255 for c in colour]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(palette: QPalette, text: QPalette.ColorRole, ground: QPalette.ColorRole) -> float:
    colours = [palette.color(role) for role in (text, ground)]
    light, dark = sorted((luminance((c.red(), c.green(), c.blue())) for c in colours), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_stands_out_from_its_ground(window: MainWindow, theme: str) -> None:
    window.actions_by_name[f"theme_{theme}"].trigger()
    palette, role = QApplication.palette(), QPalette.ColorRole
    for text, ground in (
        (role.WindowText, role.Window),
        (role.Text, role.Base),
        (role.Text, role.AlternateBase),
        (role.PlaceholderText, role.Base),
        (role.ButtonText, role.Button),
        (role.ToolTipText, role.ToolTipBase),
        (role.Link, role.Base),
        (role.BrightText, role.Window),
    ):
        assert contrast(palette, text, ground) >= MINIMUM_CONTRAST, (text, ground)


def test_theme_reaches_every_panel(window: MainWindow) -> None:
    for theme in ("dark", "light"):
        window.actions_by_name[f"theme_{theme}"].trigger()
        assert {panel.theme.name for panel in window.panels.values()} == {theme}
        ground = window.grab().toImage().pixelColor(3, window.height() // 2)
        assert (ground.lightness() < 128) == (theme == "dark")


def test_theme_and_size_are_remembered(open_window: OpenWindow, settings: QSettings) -> None:
    first = open_window(load_preset("s1"))
    first.actions_by_name["theme_dark"].trigger()
    first.actions_by_name["font_larger"].trigger()
    remembered = {key: settings.value(key) for key in settings.allKeys()}
    first.close()
    first.appearance.step_font(0)
    second = open_window(load_preset("s1"))  # in the usual theme and size, which is remembered too
    for key, value in remembered.items():
        settings.setValue(key, value)
    second.appearance.restore()
    assert (second.appearance.choice, second.appearance.percent) == ("dark", 110)


def test_window_fits_a_small_screen_at_normal_size(window: MainWindow) -> None:
    hint = window.minimumSizeHint()
    assert hint.width() <= 1280
    assert hint.height() <= 800
    assert (window.width(), window.height()) == (1280, 800)


def test_every_size_of_text_is_reached_and_no_text_leaves_its_range(window: MainWindow) -> None:
    normal = QApplication.font().pointSizeF()
    sizes = []
    for _ in FONT_PERCENTS:
        window.actions_by_name["font_smaller"].trigger()
    for _ in FONT_PERCENTS:
        sizes.append(round(100 * QApplication.font().pointSizeF() / normal))
        window.actions_by_name["font_larger"].trigger()
        QApplication.processEvents()
    assert sizes == list(FONT_PERCENTS)
    window.actions_by_name["font_larger"].trigger()
    assert QApplication.font().pointSizeF() == pytest.approx(2 * normal)
    window.actions_by_name["font_reset"].trigger()
    assert QApplication.font().pointSizeF() == normal


def test_text_of_two_windows_grows_from_the_same_size(open_window: OpenWindow) -> None:
    first = open_window(load_preset("s1"))
    normal = QApplication.font().pointSizeF()
    first.appearance.step_font(1)
    second = open_window(load_preset("s1"))
    second.appearance.step_font(0)
    assert QApplication.font().pointSizeF() == normal


def focusable(window: MainWindow) -> list[QWidget]:
    return [
        widget
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and widget.focusProxy() is None
    ]


def has_name(widget: QWidget) -> bool:
    return bool(widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text()))


def told(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()} {widget.accessibleName()}"


@pytest.mark.parametrize("scene", ["s1", "s5"])
def test_everything_that_takes_the_focus_has_a_name(window: MainWindow, qtbot: QtBot, scene: str) -> None:
    window.documents.open_preset(scene)
    found = focusable(window)
    assert len(found) > 15
    qtbot.waitUntil(lambda: [told(widget) for widget in found if not has_name(widget)] == [])


def test_every_control_explains_itself(window: MainWindow) -> None:
    window.documents.open_preset("s5")
    controls = [
        w for w in focusable(window) if isinstance(w, QAbstractButton | QLineEdit | QComboBox | QAbstractSlider)
    ]
    silent = [told(widget) for widget in controls if not widget.toolTip()]
    assert silent == []
