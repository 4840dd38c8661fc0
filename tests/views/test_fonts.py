"""Fonts made from the widget's own keep its unit of size."""

import pytest
from PySide6.QtGui import QFont, QFontInfo

from attnviz.views.fonts import monospaced, number_font, scaled

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("make", [scaled, number_font])
def test_size_in_points_is_scaled_in_points(make) -> None:
    font = QFont()
    font.setPointSizeF(10.0)
    assert make(font, 0.9).pointSizeF() == 9.0


@pytest.mark.parametrize("make", [scaled, number_font])
def test_size_in_pixels_is_scaled_in_pixels(make) -> None:
    font = QFont()
    font.setPixelSize(20)
    assert make(font, 0.92).pixelSize() == 18


def test_scaling_leaves_the_font_it_begins_with_alone() -> None:
    font = QFont()
    font.setPointSizeF(10.0)
    assert scaled(font, 2.0).pointSizeF() == 20.0
    assert font.pointSizeF() == 10.0


def test_fonts_for_numbers_have_one_width() -> None:
    assert QFontInfo(number_font(QFont())).fixedPitch()
    assert QFontInfo(monospaced()).fixedPitch()
