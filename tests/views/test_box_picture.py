"""A number box that is only shown looks as Qt itself would paint it."""

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from attnviz.views.number_box import NumberBox

STYLE = """QLineEdit { border: 1px solid #445566; border-radius: 6px; padding: 4px 8px; color: #112233; }
QLineEdit[invalid="true"] { border: 1px solid #ff0000; } QLineEdit:disabled { color: #778899; }"""


def bytes_of(widget: QWidget) -> np.ndarray:
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint8).astype(int)


class Desk(QWidget):
    """A number box, a plain line edit that is like it in everything else, and a place for the focus."""

    def __init__(self) -> None:
        super().__init__()
        self.other, self.box, self.twin = QLineEdit(self), NumberBox(parent=self), QLineEdit(self)
        self.resize(300, 100)
        for edit in (self.box, self.twin):
            edit.setFont(self.box.font())
            edit.setAlignment(self.box.alignment())
            edit.resize(90, 27)

    def unlikeness(self) -> int:
        """Give the largest difference of a byte between the two."""
        return int(np.abs(bytes_of(self.box) - bytes_of(self.twin)).max())


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    desk = Desk()
    qtbot.addWidget(desk)
    desk.show()
    desk.other.setFocus()
    return desk


@pytest.mark.parametrize("style", ["", STYLE])
@pytest.mark.parametrize("is_enabled", [True, False])
@pytest.mark.parametrize("text", ["0", "-1.5", "0.333333", "-0.333333", "-1.23457e-105"])
def test_shown_number_looks_as_qt_paints_it(desk: Desk, text: str, is_enabled: bool, style: str) -> None:
    desk.setStyleSheet(style)
    for edit in (desk.box, desk.twin):
        edit.setEnabled(is_enabled)
        edit.setText(text)
    # A smooth corner that is laid over the ground later may differ by one level of 255.
    assert desk.unlikeness() <= 1


def test_refusal_and_its_end_are_seen_at_once(desk: Desk) -> None:
    desk.setStyleSheet(STYLE)
    usual = bytes_of(desk.box)
    desk.box.show_refusal("a number must be finite")
    assert (bytes_of(desk.box) != usual).any()
    desk.box.show_number(1.0)
    desk.box.show_number(0.0)
    assert (bytes_of(desk.box) == usual).all()


def test_new_style_size_and_font_are_seen_at_once(desk: Desk) -> None:
    bytes_of(desk.box)
    font = desk.box.font()
    font.setPointSizeF(font.pointSizeF() * 1.2)
    for edit in (desk.box, desk.twin):
        edit.setText("-0.25")
        edit.setFont(font)
    assert desk.unlikeness() <= 1
    for edit in (desk.box, desk.twin):
        edit.resize(120, 33)
    assert desk.unlikeness() <= 1
    for colour in ("#112233", "#00aa00"):
        desk.setStyleSheet(STYLE.replace("#112233", colour))
        assert desk.unlikeness() <= 1
