"""Numbers as text, against what a person would write down."""

import pytest

from attnviz.document.numbers import exact_text, factor_text, number_text, short_text, spoken_text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.388908, "0.389"),
        (1.1, "1.100"),
        (-0.5, "-0.500"),
        (9.9996, "10.00"),
        (22.627417, "22.63"),
        (148.413, "148.4"),
        (1024.0, "1024"),
        (99999.7, "1.0e+05"),
        (123456.0, "1.2e+05"),
        (1e308, "1.0e+308"),
        (3e-7, "3.0e-07"),
        (0.0006, "0.001"),
    ],
)
def test_computed_number_has_about_three_digits(number: float, text: str) -> None:
    assert number_text(number) == text


def test_zero_has_no_sign() -> None:
    assert number_text(-0.0) == "0.000"
    assert short_text(-0.0) == "0.0"
    assert exact_text(-0.0) == "0.0"


def test_numbers_that_are_not_finite_are_named() -> None:
    assert [number_text(float(x)) for x in ("inf", "-inf", "nan")] == ["∞", "−∞", "nan"]


def test_small_negative_number_is_not_written_as_minus_zero() -> None:
    assert number_text(-1e-9) == "-1.0e-09"


@pytest.mark.parametrize(("number", "text"), [(1.0, "1.0"), (0.8, "0.8"), (-0.125, "-0.125"), (1e6, "1.0e+06")])
def test_chosen_number_is_short(number: float, text: str) -> None:
    assert short_text(number) == text


def test_negative_factor_stands_in_brackets() -> None:
    assert factor_text("-0.5") == "(-0.5)"
    assert factor_text("−∞") == "(−∞)"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1.1, "1.10"),
        (0.388908, "0.389"),
        (-12.345, "-12.3"),
        (100.4, "100"),
        (-0.0, "0"),
        (1024.4, "1024"),
        (3e-7, "3.0e-07"),
        (float("-inf"), "−∞"),
    ],
)
def test_number_that_is_read_out_has_three_digits(number: float, text: str) -> None:
    assert spoken_text(number) == text


def test_exact_text_reads_back_as_the_same_float() -> None:
    third = 1.0 / 3.0
    assert float(exact_text(third)) == third
