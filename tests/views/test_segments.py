"""A choice as buttons side by side, which fold into a list where they have no room."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QComboBox, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from attnviz.views.segments import Segments

OPTIONS = (("raw", "raw", "Dot products."), ("scaled", "scaled & cut", "Times <m>."), ("masked", "masked", "As seen."))


@pytest.fixture
def segments(qtbot: QtBot) -> Iterator[Segments]:
    host = QWidget()  # a window of its own would not become narrower than all buttons
    qtbot.addWidget(host)
    made = Segments(OPTIONS, host)
    made.setAccessibleName("Stage")
    made.show_choice("raw")
    host.show()
    host.activateWindow()
    made.resize(made.sizeHint())
    QApplication.processEvents()
    yield made
    host.close()


def the_list(segments: Segments) -> QComboBox:
    found = segments.findChild(QComboBox)
    assert isinstance(found, QComboBox)
    return found


def fold(segments: Segments) -> QComboBox:
    segments.resize(segments.minimumSizeHint())
    QApplication.processEvents()
    return the_list(segments)


def texts_fit(segments: Segments) -> bool:
    buttons = [button for button in segments.findChildren(QToolButton) if button.isVisible()]
    return all(button.width() >= button.fontMetrics().horizontalAdvance(button.text()) for button in buttons)


def test_all_options_are_in_sight_where_there_is_room(segments: Segments) -> None:
    assert not segments.is_folded
    assert texts_fit(segments)
    assert segments.findChild(QComboBox) is None


def test_no_width_cuts_a_text(segments: Segments) -> None:
    for width in range(segments.sizeHint().width() + 40, segments.minimumSizeHint().width() - 1, -3):
        segments.resize(width, segments.height())
        if segments.is_folded:
            chooser = the_list(segments)
            assert chooser.isVisible()
            assert chooser.width() >= chooser.fontMetrics().horizontalAdvance("scaled & cut") + 30
        else:
            assert texts_fit(segments), width


def test_folded_it_shows_the_choice_and_unfolds_again(segments: Segments) -> None:
    segments.show_choice("scaled")
    chooser = fold(segments)
    assert segments.is_folded
    assert (chooser.currentText(), chooser.accessibleName()) == ("scaled & cut", "Stage")
    segments.show_choice("masked")
    assert chooser.currentText() == "masked"
    segments.resize(segments.sizeHint())
    assert not segments.is_folded
    assert [b.text() for b in segments.findChildren(QToolButton) if b.isVisible() and b.isChecked()] == ["masked"]


def test_folded_it_is_chosen_from_by_the_keyboard(segments: Segments, qtbot: QtBot) -> None:
    chooser = fold(segments)
    asked: list[str] = []
    segments.chosen.connect(asked.append)
    chooser.setFocus()
    qtbot.keyClick(chooser, Qt.Key.Key_Down)
    assert asked == ["scaled"]
    segments.show_choice("masked")
    assert asked == ["scaled"]  # showing emits nothing


def test_focus_stays_with_the_choice_when_it_folds(segments: Segments, qtbot: QtBot) -> None:
    first = segments.findChildren(QToolButton)[0]
    first.setFocus()
    qtbot.waitUntil(first.hasFocus)
    chooser = fold(segments)
    assert chooser.hasFocus()
    segments.resize(segments.sizeHint())
    assert first.hasFocus()


def use_font(application: QApplication, font: QFont) -> None:
    application.setFont(font)
    application.setStyleSheet(application.styleSheet())  # without it, a sheet of the program keeps the old font


def test_larger_text_folds_it_at_the_same_width(segments: Segments, qtbot: QtBot, qapp: QApplication) -> None:
    usual = qapp.font()
    larger = QFont(usual)
    larger.setPointSizeF(2.0 * usual.pointSizeF())
    use_font(qapp, larger)
    try:
        qtbot.waitUntil(lambda: segments.is_folded, timeout=1000)
    finally:
        use_font(qapp, usual)
