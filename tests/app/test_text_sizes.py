"""Text from 80 to 200 %: the window fits a screen of 1280 x 800, and no text of a control is cut."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QRect
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QWidget,
)

from attnviz.app.styling import FONT_PERCENTS
from attnviz.app.window import MainWindow
from attnviz.views.controls.icon_button import IconButton
from attnviz.views.film.transport import SignButton
from attnviz.views.number_box import NumberBox
from tests.app.conftest import SharedWindow

SCREEN = QRect(0, 0, 1280, 800)


@pytest.fixture(scope="module", params=[FONT_PERCENTS[0], 100, 150, FONT_PERCENTS[-1]])
def sized(request: pytest.FixtureRequest, shared_window: SharedWindow) -> MainWindow:
    """The window of the first scene with one size of text, for all tests of it."""
    window = shared_window.at_its_beginning()
    window.appearance.use_font(request.param)
    QApplication.processEvents()
    window.resize(SCREEN.size())
    for _ in range(3):
        QApplication.processEvents()
    return window


def plain(text: str) -> str:
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def wanted(widget: QWidget) -> tuple[str, int]:
    """Give the text of a control and the width that it needs; a button with a drawn sign needs none."""
    metrics = widget.fontMetrics()
    if isinstance(widget, QComboBox):
        return widget.currentText(), metrics.horizontalAdvance(widget.currentText()) + 28
    if isinstance(widget, QLabel):
        lines = [] if widget.wordWrap() else plain(widget.text()).splitlines()
        return widget.text(), max((metrics.horizontalAdvance(line) for line in lines), default=0)
    if isinstance(widget, NumberBox):
        return widget.text(), metrics.horizontalAdvance(
            widget.text()
        ) + 22  # borders, paddings and margins of the style
    if isinstance(widget, QPushButton | QToolButton) and not isinstance(widget, SignButton | IconButton):
        return widget.text(), metrics.horizontalAdvance(plain(widget.text()))
    return "", 0


def cut(window: QWidget) -> list[str]:
    kinds = (QAbstractButton, QComboBox, QLabel, QLineEdit)
    found = []
    for widget in window.findChildren(QWidget):
        if not isinstance(widget, kinds) or not widget.isVisible():
            continue
        text, width = wanted(widget)
        is_low = bool(text) and widget.height() < widget.fontMetrics().height()
        if width > widget.width() or is_low:
            found.append(f"{type(widget).__name__} “{text}” needs {width}, has {widget.width()} x {widget.height()}")
    return found


@pytest.mark.parametrize("scene", ["s1", "s5"])
def test_window_fits_the_screen(sized: MainWindow, scene: str) -> None:
    sized.documents.open_preset(scene)
    QApplication.processEvents()
    assert (sized.width(), sized.height()) == (SCREEN.width(), SCREEN.height())
    hint = sized.minimumSizeHint()
    assert hint.width() <= SCREEN.width()
    assert hint.height() <= SCREEN.height()


@pytest.mark.parametrize("scene", ["s1", "s5"])
def test_no_text_of_a_control_is_cut(sized: MainWindow, scene: str) -> None:
    sized.documents.open_preset(scene)
    QApplication.processEvents()
    assert cut(sized) == []


def test_weights_are_written_into_their_cells(sized: MainWindow) -> None:
    sized.documents.open_preset("s1")
    QApplication.processEvents()
    assert {"0.389", "0.39"} & {text for text, _ in sized.weights.matrix.painted_texts()}


def test_every_panel_shows_its_name_whole(sized: MainWindow) -> None:
    for dock in sized.docks.values():
        if dock.isVisible():
            text = dock.bar.text
            bold = text.font()
            bold.setBold(True)
            assert text.width() >= text.fontMetrics().horizontalAdvance(dock.spec.title), dock.spec.title


@pytest.mark.parametrize("scene", ["s1", "s5"])
def test_every_part_of_a_panel_lies_inside_it_and_beside_the_others(sized: MainWindow, scene: str) -> None:
    sized.documents.open_preset(scene)
    QApplication.processEvents()
    for name, panel in sized.panels.items():
        parts = [widget for widget in panel.findChildren(QWidget) if widget.isVisible() and not is_scrolled(widget)]
        for widget in parts:
            outer = widget.parentWidget()
            assert outer.rect().contains(widget.geometry()), (name, widget)
            beside = [other for other in parts if other is not widget and other.parentWidget() is outer]
            assert [other for other in beside if other.geometry().intersects(widget.geometry())] == [], (name, widget)


def is_scrolled(widget: QWidget) -> bool:
    outer = widget.parentWidget()
    while outer is not None and not isinstance(outer, QAbstractScrollArea):
        outer = outer.parentWidget()
    return outer is not None


@pytest.mark.parametrize("scene", ["s1", "s5"])
def test_one_token_at_least_is_seen_whole(sized: MainWindow, scene: str) -> None:
    sized.documents.open_preset(scene)
    QApplication.processEvents()
    table = sized.tokens.table
    first = table.visualRect(table.rows.index(0, 0))
    assert table.viewport().rect().contains(first)


def test_controls_can_be_scrolled_to(sized: MainWindow) -> None:
    for row in sized.controls.rows.values():
        if row.isVisible():
            scroll = sized.controls.findChild(QScrollArea)
            scroll.ensureWidgetVisible(row)
            assert not row.visibleRegion().isEmpty()


@pytest.mark.parametrize("name", ["gallery", "preferences", "contents", "shortcuts", "about"])
def test_dialogs_fit_the_screen_and_cut_nothing(sized: MainWindow, name: str) -> None:
    sized.actions_by_name[name].trigger()
    QApplication.processEvents()
    (dialog,) = [dialog for dialog in sized.findChildren(QDialog) if dialog.isVisible()]
    assert dialog.width() <= SCREEN.width()
    assert dialog.height() <= SCREEN.height()
    assert cut(dialog) == []
    dialog.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
