"""Numbers are written as Python writes them, one at a time and all at once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attnviz.views.matrix.text import characters_for, codes_as_texts, number_codes, number_text

ROOM = 40


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.3886, "0.389"),
        (-0.0004, "0.000"),
        (-0.0, "0.000"),
        (-0.0005, "-0.001"),
        (0.0625, "0.062"),
        (123456.0, "1.2e+05"),
        (-1e308, "-1.0e+308"),
        (float("inf"), "inf"),
        (float("nan"), "nan"),
    ],
)
def test_number_with_three_digits(value, text):
    assert number_text(value, 3) == text
    assert [each.strip() for each in codes_as_texts(number_codes(np.array([value]), 3, ROOM))] == [text]


@given(arrays(np.float64, st.integers(1, 40), elements=st.floats(-99999, 99999)), st.integers(0, 4))
def test_all_at_once_is_the_same_as_one_by_one(values, digits):
    texts = [text.strip() for text in codes_as_texts(number_codes(values, digits, ROOM))]
    expected = [f"{value:.{digits}f}" for value in values]
    assert texts == [text if text.strip("-0.") else text.removeprefix("-") for text in expected]


def test_all_numbers_lose_digits_together_where_one_is_too_long():
    assert codes_as_texts(number_codes(np.array([0.5, 12.25]), 2, 4)) == [" 0.5", "12.2"]


def test_number_without_room_becomes_an_ellipsis_and_is_never_cut():
    assert number_text(-123456.0, 3, room=5) == "…"
    assert codes_as_texts(number_codes(np.array([-123456.0, 0.5]), 3, 5)) == ["    …", "0.500"]


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([0.432, 0.0, 1.0], [".43", ".00", "1.0"]),
        ([0.999, 0.994], ["1.0", ".99"]),
        ([-0.5, 0.25, -1.0], ["-.50", " .25", "-1.0"]),
        ([-0.0004], [".00"]),
        ([2.5, 0.25], ["2.5", "0.2"]),
    ],
)
def test_short_numbers_have_no_zero_before_the_point(values, texts):
    assert codes_as_texts(number_codes(np.array(values), 2, len(texts[0]), is_short=True)) == texts


def test_numbers_between_minus_ten_and_ten_take_six_characters():
    assert characters_for((-9.5, 9.5), 3) == 6
    assert characters_for((0.0, 1.0), 3) == 5
