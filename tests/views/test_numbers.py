"""Numbers as text, against what a person would write down."""

import numpy as np
import pytest

from attnviz.document.numbers import number_text
from attnviz.figures.lettering import cell_number
from attnviz.film import wording
from attnviz.views.matrix import text as matrix_text
from attnviz.views.numbers import vector_text


def test_vectors_have_no_minus_zero() -> None:
    assert vector_text([-0.0, 0.0], decimals=2) == "(0.00, 0.00)"
    assert vector_text([-1e-9], decimals=2) == "(-1.0e-09)"


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
