"""The look of the whole program: Fusion, a palette and one small style sheet, made from a theme."""

from __future__ import annotations

import dataclasses
from string import Template
from typing import cast

from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from attnviz.appearance import DARK, LIGHT, THEMES, Theme
from attnviz.document.resources import find_resources
from attnviz.views.panel import Panel

FONT_PERCENTS = (80, 90, 100, 110, 125, 150, 175, 200)
_PRESENTING = "presentation/font_percent"
_PERCENT_OF_PRESENTATIONS = 150


class Appearance(QObject):
    """The theme and the size of text that are in force, remembered between starts.

    Signals
    -------
    changed : object
        Carries the new :class:`Theme`.
    """

    changed = Signal(object)

    def __init__(self, panels: tuple[Panel, ...], settings: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._panels, self._settings = panels, settings
        self._normal_points = _normal_points()
        self.choice = "system"
        self.percent = 100
        self._percent_before: int | None = None  # while a presentation has a size of its own
        self.theme = theme_for("system")
        QApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    def restore(self) -> None:
        """Take what was remembered and dress the program."""
        percent = self._settings.value("font_percent", 100, int)
        choice = self._settings.value("theme", "system", str)
        self.percent = percent if percent in FONT_PERCENTS else 100
        self.choice = choice if choice in THEMES else "system"
        self._dress()

    def use_theme(self, choice: str) -> None:
        """Dress the program as "system", "light" or "dark"."""
        self.choice = choice
        self._settings.setValue("theme", choice)
        self._dress()

    def step_font(self, by: int) -> None:
        """Go ``by`` steps up in the list of sizes; 0 goes back to normal."""
        place = FONT_PERCENTS.index(self.percent if by else 100) + by
        self.use_font(FONT_PERCENTS[max(0, min(place, len(FONT_PERCENTS) - 1))])

    def use_font(self, percent: int) -> None:
        """Give all text a size in per cent of the normal one; a presentation remembers its own."""
        self.percent = percent
        self._settings.setValue("font_percent" if self._percent_before is None else _PRESENTING, percent)
        self._dress()

    def begin_presenting(self) -> None:
        """Take the size of text of presentations, which is never smaller than the present one."""
        if self._percent_before is None:
            wanted = self._settings.value(_PRESENTING, _PERCENT_OF_PRESENTATIONS, int)
            self._percent_before = self.percent
            self.percent = max(self.percent, wanted if wanted in FONT_PERCENTS else _PERCENT_OF_PRESENTATIONS)
            self._dress()

    def end_presenting(self) -> None:
        """Put the size of text back that was there before."""
        if self._percent_before is not None:
            self.percent, self._percent_before = self._percent_before, None
            self._dress()

    def _dress(self) -> None:
        self.theme = theme_for(self.choice)
        dress(cast(QApplication, QApplication.instance()), self.theme, self._normal_points * self.percent / 100.0)
        for panel in self._panels:
            panel.apply_theme(self.theme)
        self.changed.emit(self.theme)

    def _follow_system(self) -> None:
        if self.choice == "system":
            self._dress()


def _normal_points() -> float:
    """Give the size of text before anything enlarged it, in points: one number for all windows of the program."""
    application = cast(QApplication, QApplication.instance())
    if application.property("normal_points") is None:
        application.setProperty("normal_points", QApplication.font().pointSizeF())
    return float(application.property("normal_points"))


def theme_for(choice: str) -> Theme:
    """Give the theme of a choice: "light", "dark", or "system" for what the desktop says."""
    if choice in THEMES:
        return THEMES[choice]
    hints = QApplication.styleHints()
    return DARK if hints.colorScheme() == Qt.ColorScheme.Dark else LIGHT


def dress(application: QApplication, theme: Theme, points: float) -> None:
    """Dress the application in a theme and a size of text, if it is not: every widget would be polished again."""
    sheet = _sheet(theme)
    font = application.font()
    if font.pointSizeF() == points and application.styleSheet() == sheet:
        return
    font.setPointSizeF(points)
    application.setFont(font)
    application.setPalette(_palette(theme))
    application.setStyleSheet(sheet)


def _sheet(theme: Theme) -> str:
    sheet = Template((find_resources() / "style.qss").read_text(encoding="utf-8"))
    colours = {f.name: str(getattr(theme, f.name)) for f in dataclasses.fields(theme)}
    arrow = (find_resources() / "icons" / f"arrow-{theme.name}.svg").as_posix()
    return sheet.substitute(colours, arrow=arrow)


def _palette(theme: Theme) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for place, colour in {
        role.Window: theme.ground,
        role.WindowText: theme.text,
        role.Base: theme.panel,
        role.AlternateBase: theme.inset,
        role.Text: theme.text,
        role.PlaceholderText: theme.muted,
        role.Button: theme.panel,
        role.ButtonText: theme.text,
        role.BrightText: theme.warning,
        role.ToolTipBase: theme.panel,
        role.ToolTipText: theme.text,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent,
        role.Link: theme.accent_text,
        role.Mid: theme.border,
        role.Dark: theme.border,
        role.Light: theme.panel,
    }.items():
        palette.setColor(place, QColor(colour))
    for place in (role.Text, role.ButtonText, role.WindowText):
        palette.setColor(QPalette.ColorGroup.Disabled, place, QColor(theme.muted))
    return palette
