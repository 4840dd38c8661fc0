"""Numbers as text, against what a person would write down."""

import numpy as np
import pytest

from attnviz.figures.lettering import cell_number
from attnviz.film import wording
from attnviz.views.matrix import text as matrix_text
from attnviz.views.numbers import exact_text, factor_text, number_text, short_text, vector_text


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
    assert vector_text([-0.0, 0.0], decimals=2) == "(0.00, 0.00)"


def test_numbers_that_are_not_finite_are_named() -> None:
    assert [number_text(float(x)) for x in ("inf", "-inf", "nan")] == ["∞", "−∞", "nan"]


def test_small_negative_number_is_not_written_as_minus_zero() -> None:
    assert number_text(-1e-9) == "-1.0e-09"
    assert vector_text([-1e-9], decimals=2) == "(-1.0e-09)"


@pytest.mark.parametrize(("number", "text"), [(1.0, "1.0"), (0.8, "0.8"), (-0.125, "-0.125"), (1e6, "1.0e+06")])
def test_chosen_number_is_short(number: float, text: str) -> None:
    assert short_text(number) == text


def test_negative_factor_stands_in_brackets() -> None:
    assert factor_text("-0.5") == "(-0.5)"
    assert factor_text("−∞") == "(−∞)"


# Whoever writes numbers in another way, for lack of room or of time, writes the same where the rule has three decimals.

NUMBERS = [*np.random.default_rng(3).uniform(-9.9994, 9.9994, 500).tolist(), 0.0, -0.0, 0.0005, -0.00051, 9.99949]


def test_cells_of_a_matrix_agree_with_the_rule() -> None:
    expected = [number_text(number) for number in NUMBERS]
    assert [matrix_text.number_text(number, 3) for number in NUMBERS] == expected
    codes = matrix_text.number_codes(np.array(NUMBERS), 3, 99)
    assert [text.strip() for text in matrix_text.codes_as_texts(codes)] == expected


@pytest.mark.parametrize("number", [1e5, 123456.0, -7.5e8, 1e300])
def test_cells_of_a_matrix_agree_with_the_rule_from_a_hundred_thousand_on(number: float) -> None:
    assert matrix_text.number_text(number, 3) == number_text(number)


@pytest.mark.parametrize("scale", [1.0, 10.0, 100.0, 1000.0, 10000.0])
def test_figures_agree_with_the_rule_but_for_the_sign(scale: float) -> None:
    for number in np.random.default_rng(5).uniform(-9.9994, 9.9994, 200) * scale:
        if abs(number) >= 0.0005:
            assert cell_number(number).replace("−", "-") == number_text(number)


def test_film_writes_by_the_rule() -> None:
    assert [wording.number(x) for x in NUMBERS] == [number_text(x) for x in NUMBERS]


def test_exact_text_reads_back_as_the_same_float() -> None:
    third = 1.0 / 3.0
    assert float(exact_text(third)) == third
