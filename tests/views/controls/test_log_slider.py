"""The slider by real keys and mouse: what numbers it makes, and that showing a number asks for nothing."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from attnviz.views.controls.log_slider import LogSlider


@pytest.fixture
def slider(qtbot: QtBot) -> LogSlider:
    made = LogSlider(0.01, 100.0, step=0.05, is_logarithmic=True)
    qtbot.addWidget(made)
    made.resize(220, 24)
    made.show()
    made.show_number(1.0)
    return made


@pytest.fixture
def whole(qtbot: QtBot) -> LogSlider:
    made = LogSlider(1, 1024, step=1, is_logarithmic=True, is_whole=True)
    qtbot.addWidget(made)
    made.resize(220, 24)
    made.show()
    made.show_number(2)
    return made


def test_middle_of_a_logarithmic_slider_is_the_geometric_mean(slider: LogSlider) -> None:
    assert slider.number_at(slider.maximum() // 2) == 1.0
    assert slider.number_at(0) == 0.01
    assert slider.number_at(slider.maximum()) == 100.0


def test_equal_ways_are_equal_ratios(slider: LogSlider) -> None:
    assert slider.number_at(slider.maximum() // 4) == pytest.approx(0.1)
    assert slider.number_at(3 * slider.maximum() // 4) == pytest.approx(10.0)


def test_even_slider_has_its_mean_in_the_middle(qtbot: QtBot) -> None:
    even = LogSlider(-1.0, 3.0, step=0.5, is_logarithmic=False)
    qtbot.addWidget(even)
    assert even.number_at(even.maximum() // 2) == 1.0
    assert even.position_of(3.0) == even.maximum()


def test_showing_a_number_emits_nothing(slider: LogSlider, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(slider.number_moved):
        slider.show_number(7.0)
    assert slider.number_at(slider.value()) == pytest.approx(7.0, rel=0.01)


@pytest.mark.parametrize(
    ("key", "number"),
    [
        (Qt.Key.Key_Right, 1.05),
        (Qt.Key.Key_Up, 1.05),
        (Qt.Key.Key_Left, 0.952),
        (Qt.Key.Key_PageUp, 1.63),  # 1.05^10 = 1.629
        (Qt.Key.Key_Home, 0.01),
        (Qt.Key.Key_End, 100.0),
    ],
)
def test_keys_step_by_ratio(slider: LogSlider, qtbot: QtBot, key: Qt.Key, number: float) -> None:
    with qtbot.waitSignal(slider.number_moved) as heard:
        qtbot.keyClick(slider, key)
    assert heard.args == [number]


def test_one_key_on_whole_numbers_always_changes_something(qtbot: QtBot) -> None:
    fine = LogSlider(1, 1024, step=0.05, is_logarithmic=True, is_whole=True)
    qtbot.addWidget(fine)
    fine.show_number(1)
    qtbot.keyClick(fine, Qt.Key.Key_Right)
    assert fine.number == 2
    qtbot.keyClick(fine, Qt.Key.Key_Left)
    assert fine.number == 1


def test_step_of_1_doubles_a_logarithmic_number(whole: LogSlider, qtbot: QtBot) -> None:
    qtbot.keyClick(whole, Qt.Key.Key_Right)
    qtbot.keyClick(whole, Qt.Key.Key_Right)
    assert whole.number == 8


def test_press_on_the_groove_brings_the_ring_there(slider: LogSlider, qtbot: QtBot) -> None:
    with qtbot.waitSignal(slider.number_moved) as heard:
        qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(219, 12))
    assert heard.args == [100.0]
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(219, 12))


def test_press_on_the_ring_changes_nothing_until_it_is_dragged(slider: LogSlider, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(slider.number_moved):
        qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(113, 12))
    with qtbot.waitSignal(slider.number_moved) as heard:
        qtbot.mouseMove(slider, QPoint(163, 12))
    # 50 px of 200 px, four decades: one decade
    assert heard.args[0] == pytest.approx(10.0, rel=0.03)
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(163, 12))


def test_ring_stays_under_the_hand_while_it_is_held(slider: LogSlider, qtbot: QtBot) -> None:
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(150, 12))
    held = slider.sliderPosition()
    slider.show_number(0.01)
    assert slider.sliderPosition() == held
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(150, 12))
    assert slider.sliderPosition() == 0


def test_number_beyond_the_range_stands_at_the_end_and_comes_back_by_one_key(slider: LogSlider, qtbot: QtBot) -> None:
    slider.show_number(1000.0)
    assert slider.value() == slider.maximum()
    with qtbot.assertNotEmitted(slider.number_moved):
        qtbot.keyClick(slider, Qt.Key.Key_Right)
    with qtbot.waitSignal(slider.number_moved) as heard:
        qtbot.keyClick(slider, Qt.Key.Key_Left)
    assert heard.args == [100.0]


def _turn(slider: LogSlider, eighths: int) -> None:
    place = QPointF(20, 12)
    event = QWheelEvent(
        place,
        slider.mapToGlobal(place),
        QPoint(),
        QPoint(0, eighths),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(slider, event)


def test_wheel_steps_only_while_the_slider_has_the_focus(slider: LogSlider, qtbot: QtBot) -> None:
    slider.clearFocus()
    _turn(slider, 120)
    assert slider.number == 1.0
    slider.setFocus()
    qtbot.waitUntil(slider.hasFocus)
    _turn(slider, 240)
    assert slider.number == 1.1


def test_right_button_does_not_drag(slider: LogSlider, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(slider.number_moved):
        qtbot.mouseClick(slider, Qt.MouseButton.RightButton, pos=QPoint(200, 12))


def test_slider_is_mirrored_where_writing_is(slider: LogSlider, qtbot: QtBot) -> None:
    slider.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    qtbot.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(1, 12))
    assert slider.number == 100.0
