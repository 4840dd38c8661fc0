"""The number box: what it takes, what it refuses, and that it never writes under the user's cursor."""

import math

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QFontInfo, QKeyEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from attnviz.document.errors import DocumentError
from attnviz.views.number_box import NumberBox, compact_text, full_text, parse_number


class Desk(QWidget):
    """A number box, another place for the focus, and what the box has told."""

    def __init__(self) -> None:
        super().__init__()
        self.box = NumberBox(0.1, name="a temperature")
        self.box.setToolTip("Temperature")
        self.other = QLineEdit()
        layout = QVBoxLayout(self)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)  # the offscreen platform warns of them
        layout.addWidget(self.box)
        layout.addWidget(self.other)
        self.entered: list[float] = []
        self.refusals: list[str] = []
        self.box.number_entered.connect(self.entered.append)
        self.box.refused.connect(self.refusals.append)

    def type_anew(self, text: str) -> None:
        self.box.selectAll()
        QTest.keyClicks(self.box, text)


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    desk = Desk()
    qtbot.addWidget(desk)
    desk.show()
    desk.activateWindow()
    desk.other.setFocus()
    qtbot.waitUntil(desk.other.hasFocus)
    desk.box.show_number(0.5)
    return desk


def wheel(box: NumberBox, eighths: int, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> bool:
    place = QPointF(box.rect().center())
    event = QWheelEvent(
        place, box.mapToGlobal(place), QPoint(), QPoint(0, eighths),
        Qt.MouseButton.NoButton, modifiers, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(box, event)
    return event.isAccepted()


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0.8", 0.8), ("0,8", 0.8), (" -3 ", -3.0), ("\u22123,5", -3.5), ("+1", 1.0), (".5", 0.5), ("5.", 5.0),
        ("1e-300", 1e-300), ("1E300", 1e300), ("123456789,25", 123456789.25), ("-0", 0.0),
    ],
)  # fmt: skip
def test_text_is_read_as_number(text: str, number: float) -> None:
    assert parse_number(text) == number
    assert math.copysign(1.0, parse_number(text)) == (-1.0 if number < 0 else 1.0)


NO_NUMBERS = ("", " ", "abc", "nan", "inf", "-Infinity", "1e400", "1.2.3", "1,2,3", "1_0", "1 2", "0x10")


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_text_that_is_no_finite_number_is_refused(text: str) -> None:
    with pytest.raises(DocumentError, match="a weight must"):
        parse_number(text, "a weight")


def test_refusal_of_a_long_text_is_short() -> None:
    with pytest.raises(DocumentError) as refusal:
        parse_number("x" * 10_000)
    assert len(str(refusal.value)) < 120


@pytest.mark.parametrize(
    ("number", "full", "compact"),
    [
        (1.0, "1", "1"), (0.8, "0.8", "0.8"), (-0.0, "0", "0"), (1 / 3, "0.3333333333333333", "0.333333"),
        (1e22, "1e+22", "1e+22"), (1234567.0, "1234567", "1234567"),
        (-1.23456789e-7, "-1.23456789e-07", "-1.23457e-07"),
    ],
)  # fmt: skip
def test_number_is_written_in_full_and_compact(number: float, full: str, compact: str) -> None:
    assert full_text(number) == full
    assert compact_text(number) == compact


def test_showing_a_number_emits_nothing(desk: Desk) -> None:
    desk.box.show_number(2.0)
    assert desk.box.text() == "2"
    assert desk.box.number == 2.0
    assert desk.entered == []


def test_typed_number_is_told_on_enter_only(desk: Desk) -> None:
    desk.box.setFocus()
    desk.type_anew("0,8")
    assert desk.entered == []
    QTest.keyClick(desk.box, Qt.Key.Key_Return)
    assert desk.entered == [0.8]
    desk.other.setFocus()
    assert desk.entered == [0.8]


def test_typed_number_is_told_when_the_focus_leaves(desk: Desk) -> None:
    desk.box.setFocus()
    desk.type_anew("12")
    desk.other.setFocus()
    assert desk.entered == [12.0]


def test_visiting_the_box_tells_nothing(desk: Desk) -> None:
    desk.box.setFocus()
    QTest.keyClick(desk.box, Qt.Key.Key_Return)
    desk.other.setFocus()
    assert desk.entered == []


def test_every_digit_is_shown_while_the_box_has_the_focus(desk: Desk) -> None:
    desk.box.show_number(1 / 3)
    assert desk.box.text() == "0.333333"
    desk.box.setFocus()
    assert desk.box.text() == "0.3333333333333333"
    desk.other.setFocus()
    assert desk.box.text() == "0.333333"


def test_number_that_arrives_while_typing_does_not_overwrite(desk: Desk) -> None:
    desk.box.setFocus()
    desk.type_anew("7")
    desk.box.show_number(3.0)
    assert desk.box.text() == "7"
    QTest.keyClick(desk.box, Qt.Key.Key_Escape)
    assert desk.box.text() == "3"
    assert desk.entered == []


def test_number_that_arrives_without_typing_is_shown_at_once(desk: Desk) -> None:
    desk.box.setFocus()
    desk.box.show_number(3.0)
    assert desk.box.text() == "3"


def test_refused_text_is_marked_and_explained_in_place(desk: Desk) -> None:
    desk.box.setFocus()
    desk.type_anew("<b>abc")
    QTest.keyClick(desk.box, Qt.Key.Key_Return)
    assert desk.entered == []
    assert desk.refusals == ["a temperature must be a finite number such as 0.8, got '<b>abc'"]
    assert desk.box.property("invalid") is True
    assert "&lt;b&gt;abc" in desk.box.toolTip()
    assert desk.box.text() == "<b>abc"


def test_typing_on_ends_the_error(desk: Desk) -> None:
    desk.box.setFocus()
    desk.type_anew("x")
    QTest.keyClick(desk.box, Qt.Key.Key_Return)
    QTest.keyClick(desk.box, Qt.Key.Key_Backspace)
    assert desk.box.property("invalid") is False
    assert desk.box.toolTip() == "Temperature"


def test_escape_brings_the_number_back_from_an_error(desk: Desk) -> None:
    desk.box.setFocus()
    desk.type_anew("nan")
    QTest.keyClick(desk.box, Qt.Key.Key_Return)
    QTest.keyClick(desk.box, Qt.Key.Key_Escape)
    assert (desk.box.text(), desk.box.is_invalid) == ("0.5", False)


def test_refused_text_stays_when_the_focus_leaves_until_another_number_comes(desk: Desk) -> None:
    desk.box.setFocus()
    desk.type_anew("x")
    desk.other.setFocus()
    desk.box.show_number(0.5)
    assert (desk.box.text(), desk.box.is_invalid) == ("x", True)
    desk.box.show_number(0.6)
    assert (desk.box.text(), desk.box.is_invalid) == ("0.6", False)


def test_refusal_from_outside_is_shown_like_its_own(desk: Desk) -> None:
    desk.box.setFocus()
    desk.type_anew("0")
    QTest.keyClick(desk.box, Qt.Key.Key_Return)
    desk.box.show_refusal("the temperature must be above 0, got 0")
    assert desk.box.is_invalid
    assert "above 0" in desk.box.toolTip()


def test_arrow_keys_step_in_exact_decimals(desk: Desk) -> None:
    desk.box.setFocus()
    desk.box.show_number(0.2)
    QTest.keyClick(desk.box, Qt.Key.Key_Up)
    assert desk.entered == [0.3]  # 0.2 + 0.1 in floats is 0.30000000000000004
    QTest.keyClick(desk.box, Qt.Key.Key_Down)
    QTest.keyClick(desk.box, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert desk.entered == [0.3, 0.1, 1.2]


def test_step_goes_on_from_what_is_typed(desk: Desk) -> None:
    desk.box.setFocus()
    desk.type_anew("5")
    QTest.keyClick(desk.box, Qt.Key.Key_Up)
    assert desk.entered == [5.1]
    desk.type_anew("x")
    QTest.keyClick(desk.box, Qt.Key.Key_Up)
    assert desk.entered == [5.1]
    assert desk.box.is_invalid


def test_step_beyond_the_largest_float_does_nothing(qtbot: QtBot) -> None:
    box, entered = NumberBox(1e308), []
    qtbot.addWidget(box)
    box.number_entered.connect(entered.append)
    box.show_number(1.7e308)
    box.step_by(1)
    assert entered == []
    box.step_by(-1)
    assert entered == [7e307]


def test_wheel_steps_only_with_the_focus(desk: Desk) -> None:
    assert not wheel(desk.box, 120)
    assert desk.entered == []
    desk.box.setFocus()
    assert wheel(desk.box, -120)
    assert wheel(desk.box, 60)
    assert desk.entered == [0.4]
    assert wheel(desk.box, 60, Qt.KeyboardModifier.ShiftModifier)
    assert desk.entered == [0.4, 1.5]


def test_keys_of_the_box_win_over_shortcuts_of_the_window(desk: Desk) -> None:
    def is_claimed(key: Qt.Key) -> bool:
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.NoModifier)
        event.ignore()
        QApplication.sendEvent(desk.box, event)
        return event.isAccepted()

    desk.box.setFocus()
    assert is_claimed(Qt.Key.Key_Up)
    assert not is_claimed(Qt.Key.Key_Escape)
    desk.type_anew("7")
    assert is_claimed(Qt.Key.Key_Escape)


def test_number_is_set_in_a_monospaced_face_of_the_usual_size(desk: Desk) -> None:
    assert QFontInfo(desk.box.font()).fixedPitch()
    assert desk.box.font().pointSizeF() == desk.other.font().pointSizeF()
