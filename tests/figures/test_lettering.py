"""Numbers as they stand in cells, and texts that fit their room."""

import pytest

from attnviz.figures.lettering import cell_number, setting_number, shortened, text_width


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.0, "0.000"),
        (-0.0, "0.000"),
        (-0.0004, "0.000"),
        (-0.778, "−0.778"),
        (9.9996, "10.00"),
        (12.345, "12.35"),
        (123.45, "123.5"),
        (99_999.0, "99999"),
        (1e5, "1.0e5"),
        (-1e308, "−1.0e308"),
        (float("-inf"), "−∞"),
        (float("nan"), "?"),
    ],
)
def test_numbers_in_cells(value, written):
    assert cell_number(value) == written


def test_numbers_of_captions_have_six_digits():
    assert setting_number(0.5**0.5) == "0.707107"


def test_short_text_is_left_alone():
    assert shortened("cat", 12, 100) == "cat"


def test_long_text_ends_in_an_ellipsis_and_fits():
    shown = shortened("internationalisation", 12, 60)
    assert shown.endswith("…")
    assert "internationalisation".startswith(shown[:-1])
    assert text_width(shown, 12) <= 60


def test_shortening_does_not_part_a_letter_from_its_accent_or_joiner():
    assert shortened("e\u0301" * 30, 12, 50).removesuffix("…").count("e") * 2 >= 2
    assert not shortened("\u200d".join("m" * 30), 12, 50).removesuffix("…").endswith("\u200d")


def test_wide_characters_take_more_room_than_narrow_ones():
    assert text_width("你", 10) > text_width("m", 10) > text_width("i", 10) > text_width("\u0301", 10) == 0
