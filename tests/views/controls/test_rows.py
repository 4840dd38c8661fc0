"""The rows of the control panel: a description is enough, and gestures are told apart."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from attnviz.document.scalars import Scalar, ScalarValue
from attnviz.views.controls.gestures import Gestures
from attnviz.views.controls.head_line import HeadLine
from attnviz.views.controls.rows import ROWS, ChoiceRow, NumberRow, ScalarRow, SwitchRow

NUMBER = Scalar(
    key="sharpness",
    label="Sharpness",
    help="How sharp.",
    kind="number",
    minimum=0.0,
    maximum=1000.0,
    slider=(0.01, 100.0),
    is_logarithmic=True,
    step=0.1,
)
COUNT = Scalar(key="heads", label="Heads", help="How many heads.", kind="count", minimum=1, maximum=64)
CHOICE = Scalar(key="rule", label="Rule", help="Which.", kind="choice", choices=(("a", "1/A", ""), ("b", "B", "")))
LONG_CHOICE = Scalar(
    key="rule", label="Rule", help="Which.", kind="choice", choices=tuple((c, f"choice {c}", "") for c in "abcdef")
)
SWITCH = Scalar(key="is_on", label="Switched on", help="Whether.", kind="switch")


def _shown(row: ScalarRow, qtbot: QtBot, value: ScalarValue, default: ScalarValue) -> list[tuple[object, ...]]:
    """Show a row with a value, and give the list that its intents are written to."""
    qtbot.addWidget(row)
    row.resize(260, 80)
    row.show()
    row.show_state(value, default)
    heard: list[tuple[object, ...]] = []
    row.changed.connect(lambda *intent: heard.append(intent))
    return heard


@pytest.fixture
def gestures(qapp: QApplication) -> Iterator[Gestures]:
    owner = QObject()
    yield Gestures(owner)
    owner.deleteLater()


def test_typed_number_is_wanted(qtbot: QtBot, gestures: Gestures) -> None:
    row = NumberRow(NUMBER, gestures)
    heard = _shown(row, qtbot, 1.0, 1.0)
    row.box.selectAll()
    qtbot.keyClicks(row.box, "0,25")
    qtbot.keyClick(row.box, Qt.Key.Key_Return)
    assert [intent[:2] for intent in heard] == [("sharpness", 0.25)]


def test_typed_number_beyond_the_slider_is_wanted_and_stands_at_its_end(qtbot: QtBot, gestures: Gestures) -> None:
    row = NumberRow(NUMBER, gestures)
    heard = _shown(row, qtbot, 1.0, 1.0)
    row.box.selectAll()
    qtbot.keyClicks(row.box, "500")
    qtbot.keyClick(row.box, Qt.Key.Key_Return)
    row.show_state(500.0, 1.0)
    assert heard[0][1] == 500.0
    assert row.slider is not None
    assert row.slider.value() == row.slider.maximum()


def test_number_out_of_range_is_refused_in_one_sentence(qtbot: QtBot, gestures: Gestures) -> None:
    row = NumberRow(NUMBER, gestures)
    heard = _shown(row, qtbot, 1.0, 1.0)
    row.box.selectAll()
    qtbot.keyClicks(row.box, "-3")
    with qtbot.waitSignal(row.refused) as refusal:
        qtbot.keyClick(row.box, Qt.Key.Key_Return)
    assert "between 0 and 1,000" in refusal.args[0]
    assert row.box.is_invalid
    assert heard == []


def test_text_that_is_no_number_is_refused(qtbot: QtBot, gestures: Gestures) -> None:
    row = NumberRow(NUMBER, gestures)
    heard = _shown(row, qtbot, 1.0, 1.0)
    row.box.selectAll()
    qtbot.keyClicks(row.box, "warm")
    with qtbot.waitSignal(row.refused):
        qtbot.keyClick(row.box, Qt.Key.Key_Return)
    assert heard == []


def test_broken_count_is_refused(qtbot: QtBot, gestures: Gestures) -> None:
    row = NumberRow(COUNT, gestures)
    heard = _shown(row, qtbot, 2, 2)
    row.box.selectAll()
    qtbot.keyClicks(row.box, "2.5")
    with qtbot.waitSignal(row.refused) as refusal:
        qtbot.keyClick(row.box, Qt.Key.Key_Return)
    assert "whole number" in refusal.args[0]
    assert heard == []


def test_count_is_wanted_as_an_int(qtbot: QtBot, gestures: Gestures) -> None:
    row = NumberRow(COUNT, gestures)
    heard = _shown(row, qtbot, 2, 2)
    qtbot.keyClick(row.box, Qt.Key.Key_Up)
    assert heard[0][:2] == ("heads", 3)
    assert type(heard[0][1]) is int


def test_reset_is_offered_only_away_from_the_default(qtbot: QtBot, gestures: Gestures) -> None:
    row = NumberRow(NUMBER, gestures)
    heard = _shown(row, qtbot, 1.0, 1.0)
    assert not row.reset_button.isEnabled()
    row.show_state(3.0, 1.0)
    qtbot.mouseClick(row.reset_button, Qt.MouseButton.LeftButton)
    assert heard[0][:2] == ("sharpness", 1.0)


def test_one_drag_of_the_slider_is_one_gesture_and_the_next_drag_another(qtbot: QtBot, gestures: Gestures) -> None:
    row = NumberRow(NUMBER, gestures)
    heard = _shown(row, qtbot, 1.0, 1.0)
    slider = row.slider
    assert slider is not None
    for start in (30, 200):
        qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(start, 12))
        qtbot.mouseMove(slider, QPoint(start + 15, 12))
        qtbot.mouseMove(slider, QPoint(start + 30, 12))
        qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(start + 30, 12))
    numbers = [intent[2] for intent in heard]
    assert len(numbers) == 6
    assert len(set(numbers[:3])) == len(set(numbers[3:])) == 1
    assert numbers[0] != numbers[3]


def test_drag_with_a_long_rest_is_still_one_gesture(qtbot: QtBot, gestures: Gestures) -> None:
    row = NumberRow(NUMBER, gestures)
    heard = _shown(row, qtbot, 1.0, 1.0)
    assert row.slider is not None
    qtbot.mousePress(row.slider, Qt.MouseButton.LeftButton, pos=QPoint(30, 12))
    gestures.end_burst()
    qtbot.mouseMove(row.slider, QPoint(60, 12))
    qtbot.mouseRelease(row.slider, Qt.MouseButton.LeftButton, pos=QPoint(60, 12))
    assert heard[0][2] == heard[1][2]


def test_burst_of_arrow_keys_is_one_gesture_until_a_pause(qtbot: QtBot, gestures: Gestures) -> None:
    row = NumberRow(NUMBER, gestures)
    heard = _shown(row, qtbot, 1.0, 1.0)
    assert row.slider is not None
    qtbot.keyClick(row.slider, Qt.Key.Key_Right)
    qtbot.keyClick(row.slider, Qt.Key.Key_Right)
    gestures.end_burst()
    qtbot.keyClick(row.slider, Qt.Key.Key_Right)
    first, second, third = (intent[2] for intent in heard)
    assert first == second
    assert third != second


def test_typed_numbers_are_gestures_of_their_own(qtbot: QtBot, gestures: Gestures) -> None:
    row = NumberRow(NUMBER, gestures)
    heard = _shown(row, qtbot, 1.0, 1.0)
    for typed in ("2", "3"):
        row.box.selectAll()
        qtbot.keyClicks(row.box, typed)
        qtbot.keyClick(row.box, Qt.Key.Key_Return)
    assert heard[0][2] != heard[1][2]


def test_pause_ends_a_burst(qtbot: QtBot, gestures: Gestures) -> None:
    first = gestures.burst("a")
    assert gestures.burst("a") == first
    assert gestures.burst("b") != first
    last = gestures.burst("b")
    qtbot.waitUntil(lambda: gestures.burst_is_over, timeout=3000)
    assert gestures.burst("b") != last


def test_slider_goes_back_to_the_document_when_a_number_was_not_taken(qtbot: QtBot, gestures: Gestures) -> None:
    row = NumberRow(NUMBER, gestures)
    _shown(row, qtbot, 1.0, 1.0)
    assert row.slider is not None
    qtbot.mouseClick(row.slider, Qt.MouseButton.LeftButton, pos=QPoint(5, 12))
    assert row.slider.number == 1.0
    assert row.slider.value() == row.slider.maximum() // 2


def test_choice_is_made_by_a_click_on_its_button(qtbot: QtBot, gestures: Gestures) -> None:
    row = ChoiceRow(CHOICE, gestures)
    heard = _shown(row, qtbot, "a", "a")
    buttons = row.findChildren(QToolButton)
    assert [button.text() for button in buttons] == ["A", "B"]
    qtbot.mouseClick(buttons[1], Qt.MouseButton.LeftButton)
    assert [intent[:2] for intent in heard] == [("rule", "b")]


def test_choice_that_is_in_force_is_not_wanted_again(qtbot: QtBot, gestures: Gestures) -> None:
    row = ChoiceRow(CHOICE, gestures)
    heard = _shown(row, qtbot, "a", "a")
    qtbot.mouseClick(row.findChildren(QToolButton)[0], Qt.MouseButton.LeftButton)
    assert heard == []


def test_many_choices_unfold_from_a_list(qtbot: QtBot, gestures: Gestures) -> None:
    row = ChoiceRow(LONG_CHOICE, gestures)
    heard = _shown(row, qtbot, "c", "a")
    assert row.list is not None
    assert row.list.currentText() == "choice c"
    qtbot.keyClick(row.list, Qt.Key.Key_Down)
    assert [intent[:2] for intent in heard] == [("rule", "d")]


def test_switch_is_turned_by_space_and_by_a_click(qtbot: QtBot, gestures: Gestures) -> None:
    row = SwitchRow(SWITCH, gestures)
    heard = _shown(row, qtbot, False, False)
    qtbot.keyClick(row.switch, Qt.Key.Key_Space)
    assert heard[0][:2] == ("is_on", True)
    row.show_state(True, False)
    qtbot.mouseClick(row.switch, Qt.MouseButton.LeftButton, pos=QPoint(row.switch.width() - 10, 8))
    assert heard[1][:2] == ("is_on", False)


@pytest.mark.parametrize("scalar", [NUMBER, COUNT, CHOICE, LONG_CHOICE, SWITCH])
def test_showing_emits_nothing(qtbot: QtBot, gestures: Gestures, scalar: Scalar) -> None:
    row = ROWS[scalar.kind](scalar, gestures)
    values: dict[str, tuple[ScalarValue, ScalarValue]] = {
        "number": (2.0, 3.0),
        "count": (2, 3),
        "choice": ("a", "b"),
        "switch": (False, True),
    }
    before, after = values[scalar.kind]
    heard = _shown(row, qtbot, before, before)
    row.show_state(after, before)
    assert row.value == after
    assert heard == []


def test_head_of_a_narrow_row_takes_two_lines(qtbot: QtBot, gestures: Gestures) -> None:
    row = NumberRow(NUMBER, gestures)
    _shown(row, qtbot, 1.0, 1.0)
    head = row.findChild(HeadLine)
    one = head.heightForWidth(400)
    assert head.heightForWidth(head.minimumSizeHint().width()) > one
    row.resize(head.minimumSizeHint().width(), 200)
    assert not row.box.geometry().isEmpty()
    assert head.rect().contains(row.box.mapTo(head, QPoint(0, 0)))
