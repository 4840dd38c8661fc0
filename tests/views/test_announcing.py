"""Announcements to screen readers: one after a burst, none that repeats itself, and a real accessibility event."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from attnviz.views import announcing
from attnviz.views.announcing import Announcer
from attnviz.views.numbers import spoken_text


class Spoken:
    """What a widget has to say, changed by the test."""

    def __init__(self) -> None:
        self.text = "first"
        self.times_asked = 0

    def sentence(self) -> str:
        self.times_asked += 1
        return self.text


@pytest.fixture
def widget(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    return widget


@pytest.fixture
def spoken() -> Spoken:
    return Spoken()


@pytest.fixture
def heard(widget: QWidget, spoken: Spoken) -> tuple[Announcer, list[str]]:
    announcer, said = Announcer(widget, spoken.sentence), []
    announcer.announced.connect(said.append)
    return announcer, said


def test_a_burst_is_announced_once_with_its_end(
    heard: tuple[Announcer, list[str]], spoken: Spoken, qtbot: QtBot
) -> None:
    announcer, said = heard
    for number in range(5):
        spoken.text = f"cell {number}"
        announcer.tell_changed()
    assert spoken.times_asked == 0
    qtbot.waitUntil(lambda: said == ["cell 4"], timeout=2000)


def test_a_change_that_says_the_same_is_not_announced_again(
    heard: tuple[Announcer, list[str]], spoken: Spoken, qtbot: QtBot
) -> None:
    announcer, said = heard
    announcer.tell_changed()
    qtbot.waitUntil(lambda: said == ["first"], timeout=2000)
    announcer.tell_changed()
    asked = spoken.times_asked
    qtbot.waitUntil(lambda: spoken.times_asked > asked, timeout=2000)
    assert said == ["first"]


def test_a_move_is_announced_also_where_it_leads_nowhere(heard: tuple[Announcer, list[str]], qtbot: QtBot) -> None:
    announcer, said = heard
    for expected in (["first"], ["first", "first"]):
        announcer.tell_moved()
        qtbot.waitUntil(lambda expected=expected: said == expected, timeout=2000)


def test_a_move_describes_the_widget_at_once(heard: tuple[Announcer, list[str]], widget: QWidget) -> None:
    heard[0].tell_moved()
    assert widget.accessibleDescription() == "first"


def test_nothing_is_said_of_a_hidden_widget(
    heard: tuple[Announcer, list[str]], widget: QWidget, spoken: Spoken, qtbot: QtBot
) -> None:
    announcer, said = heard
    announcer.tell_changed()
    widget.hide()
    announcer.tell_changed()
    qtbot.waitUntil(lambda: not announcer.is_waiting, timeout=2000)
    assert (said, spoken.times_asked) == ([], 0)


@pytest.mark.parametrize(
    ("tell", "politeness"), [("tell_moved", "Assertive"), ("tell_changed", "Polite")], ids=["move", "change"]
)
def test_a_screen_reader_gets_an_announcement_event(
    heard: tuple[Announcer, list[str]],
    widget: QWidget,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    tell: str,
    politeness: str,
) -> None:
    sent: list[tuple[QWidget, str, str]] = []

    class Recorder:
        AnnouncementPoliteness = QAccessible.AnnouncementPoliteness

        @staticmethod
        def updateAccessibility(event: QAccessibleAnnouncementEvent) -> None:
            assert event.type() == QAccessible.Event.Announcement
            sent.append((event.object(), event.message(), event.politeness().name))

    monkeypatch.setattr(announcing.QtGui, "QAccessible", Recorder)
    getattr(heard[0], tell)()
    qtbot.waitUntil(lambda: sent != [], timeout=2000)
    assert sent == [(widget, "first", politeness)]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        *[(1.1, "1.10"), (0.388908, "0.389"), (-12.345, "-12.3"), (148.4, "148"), (0.0, "0"), (-0.0, "0")],
        *[(2e-7, "2.0e-07"), (0.99996, "1.00"), (1234.5, "1234"), (123456.0, "1.2e+05"), (0.0123, "0.0123")],
    ],
)
def test_numbers_are_read_out_with_three_digits(number: float, text: str) -> None:
    assert spoken_text(number) == text
