"""The derivation as text, against scene S1 of the curriculum and hand calculation."""

import math
from dataclasses import replace

import numpy as np
import pytest

from attnviz.document.frame import compute
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.derivation.exact import exact_lines, plain_text
from attnviz.views.derivation.explanations import why_maximum
from attnviz.views.derivation.steps import derive
from tests.views.panel_scenes import cat_dog_phone, cross_attention, forty_tokens


def test_scene_1_cat_to_dog_has_the_numbers_of_the_curriculum() -> None:
    derivation = derive(compute(cat_dog_phone()), 0, 1)
    assert derivation.title == "Why 0.389?"
    assert derivation.subtitle == "cat → dog, step by step"
    assert [(step.formulas[0], step.results[0]) for step in derivation.steps] == [
        ("1.0·0.8 + 0.5·0.6", "1.100"),
        ("1.100 × 0.707", "0.778"),
        ("e^(0.778 − 0.884)", "0.899"),  # exp((1.10 - 1.25) / sqrt 2) = 0.8994
        ("1 + 0.899 + 0.413", "2.313"),  # exp(-1.25 / sqrt 2) = 0.4132
        ("0.899 ÷ 2.313", "0.389"),
        ("0.389 · (0.8, 0.6)", "(0.311, 0.233)"),
    ]
    assert derivation.steps[5].names[0] == "adds to y = (0.65, 0.63)"


@pytest.mark.parametrize(
    ("query", "key", "weight"),
    [(0, 0, "0.432"), (0, 2, "0.179"), (1, 0, "0.406"), (1, 1, "0.379"), (1, 2, "0.215"), (2, 2, "0.529")],
)
def test_scene_1_has_the_weights_of_the_curriculum(query: int, key: int, weight: str) -> None:
    derivation = derive(compute(cat_dog_phone()), query, key)
    assert derivation.title == f"Why {weight}?"
    assert derivation.steps[4].results[0] == weight


def test_whole_numbers_lose_their_decimals_before_terms_are_left_out() -> None:
    sequence = TokenSequence(("query",), np.array([[1.0, 0.0, 1.0]]))
    context = TokenSequence(("east",), np.array([[1.0, 0.05, -4.0]]))
    formulas = derive(compute(State(sequence, context=context)), 0, 0).steps[0].formulas
    assert formulas[:2] == ("1.0·1.0 + 0.0·0.05 + 1.0·(-4.0)", "1·1 + 0·0.05 + 1·(-4)")


def test_negative_coordinate_stands_in_brackets_where_it_is_a_factor() -> None:
    step = derive(compute(cat_dog_phone()), 0, 2).steps[0]
    assert step.formulas[0] == "1.0·(-0.5) + 0.5·1.0"


def test_negative_row_maximum_stands_in_brackets() -> None:
    state = State(TokenSequence(("a",), np.array([[1.0]])), w_k=np.array([[-2.0]]))
    assert derive(compute(state), 0, 0).steps[2].formulas[0] == "e^(-2.000 − (-2.000))"


def test_masked_cell_says_why_its_weight_is_exactly_0() -> None:
    derivation = derive(compute(replace(cat_dog_phone(), mask="causal")), 0, 1)
    assert derivation.title == "Why 0.000?"
    assert "masked" in derivation.subtitle
    assert "exactly 0" in derivation.subtitle
    names = [step.names[0] for step in derivation.steps]
    assert names[2] == "masked: the causal mask hides dog from cat"
    assert [step.results[0] for step in derivation.steps[2:5]] == ["0", "1.000", "0"]
    assert derivation.steps[3].formulas[0] == "1"


def test_row_without_a_visible_key_says_so() -> None:
    derivation = derive(compute(cross_attention()), 0, 0)
    assert "a sees no key" in derivation.subtitle
    assert derivation.steps[3].formulas[0] == "no key is visible"
    assert (derivation.steps[4].formulas[0], derivation.steps[4].results[0]) == ("0, as nothing is seen", "0")
    assert derivation.steps[5].results[0] == "(0.000, 0.000, 0.000)"


def test_long_sums_are_elided_in_the_middle_with_their_length() -> None:
    derivation = derive(compute(forty_tokens()), 3, 17)
    dot, row_sum = derivation.steps[0], derivation.steps[3]
    assert dot.formulas[0].count("·") == 3
    assert dot.formulas[0].endswith("(64 terms)")
    assert row_sum.formulas[0].endswith("(40 keys)")
    assert row_sum.formulas[-1] == "40 keys"


def test_sums_of_three_terms_lose_digits_before_terms() -> None:
    sequence = TokenSequence(("a",), np.array([[-0.132, 0.456, -0.789]]))
    formulas = derive(compute(State(sequence)), 0, 0).steps[0].formulas
    assert formulas[:2] == (
        "-0.132·(-0.132) + 0.456·0.456 + (-0.789)·(-0.789)",
        "-0.13·(-0.13) + 0.46·0.46 + (-0.79)·(-0.79)",
    )


def test_sum_of_five_keys_that_is_elided_shows_three_of_them_and_their_number() -> None:
    scores = np.log([1.0, 0.899, 0.5, 0.25, 0.413])  # their exponentials are the numbers in brackets
    context = TokenSequence(tuple("abcde"), scores[:, None])
    state = State(TokenSequence(("q",), np.array([[1.0]])), context=context)
    formulas = derive(compute(state), 0, 1).steps[3].formulas
    assert formulas[0] == "1 + 0.899 + 0.500 + 0.250 + 0.413"
    assert formulas[1] == "1 + 0.90 + 0.50 + 0.25 + 0.41"
    assert "1 + 0.90 + … + 0.41 (5 keys)" in formulas


def test_heading_says_that_the_maximum_is_taken_off() -> None:
    names = derive(compute(cat_dog_phone()), 0, 1).steps[2].names
    assert all("max" in name for name in names)


def test_numbers_of_the_textbook_stand_beside_those_without_the_maximum() -> None:
    why = why_maximum(compute(cat_dog_phone()), 0, 1)
    # scene S1: exponentials 2.42, 2.18, 1.00, sum 5.60
    assert "e^0.778 = 2.177, the sum 5.597, and 2.177 ÷ 5.597 = 0.389" in why
    assert "0.884" in why


def test_maximum_is_explained_where_its_exponential_is_beyond_all_floats() -> None:
    state = State(TokenSequence(("a", "b"), np.array([[1e154], [-1e153]])))
    assert "beyond the range of floats" in why_maximum(compute(state), 0, 0)


def test_masked_cell_needs_no_maximum() -> None:
    assert why_maximum(compute(replace(cat_dog_phone(), mask="causal")), 0, 1) == ""


def test_elided_row_sum_keeps_the_chosen_exponential() -> None:
    derivation = derive(compute(forty_tokens()), 3, 17)
    assert derivation.steps[2].results[0] in derivation.steps[3].formulas[0].split(" + ")


@pytest.mark.parametrize("cell", [(0, 1), (3, 17), (39, 39), (20, 5)])
def test_texts_of_a_step_get_shorter(cell: tuple[int, int]) -> None:
    for step in derive(compute(forty_tokens()), *cell).steps:
        for texts in (step.names, step.formulas, step.results):
            assert list(texts) == sorted(texts, key=len, reverse=True)


def test_exact_lines_hold_every_digit() -> None:
    lines = exact_lines(compute(cat_dog_phone()), 0, 1)
    assert lines[0] == "dot product q·k: 1.0·0.8 + 0.5·0.6 = 1.1"
    assert float(lines[4].rpartition(" = ")[2]) == pytest.approx(0.388908, abs=5e-7)
    multiplier = lines[1].split(" × ")[1].split(" = ")[0]
    assert float(multiplier) == 1 / math.sqrt(2.0)


def test_exact_lines_can_be_kept_short() -> None:
    frame = compute(forty_tokens())
    short = exact_lines(frame, 3, 17, most_terms=8)
    assert "… 56 more …" in short[0]
    assert "… 32 more …" in short[3]
    assert exact_lines(frame, 3, 17)[0].count("·") == 64 + 1  # and one in q·k


def test_plain_text_names_the_cell_and_has_a_line_a_step() -> None:
    lines = plain_text(compute(cat_dog_phone()), 0, 1).splitlines()
    assert lines[0] == "cat → dog"
    assert len(lines) == 7


def test_exact_lines_of_a_masked_cell_give_the_reason() -> None:
    lines = exact_lines(compute(cross_attention()), 0, 0)
    assert lines[2] == "masked: the causal mask hides x from a, so e^(−∞) = 0"
    assert lines[3] == "sum of exponentials: no key is visible = 0.0"


def test_long_names_are_cut_and_names_from_right_to_left_are_isolated() -> None:
    state = cat_dog_phone()
    sequence = TokenSequence(("x" * 900, "שלום", "phone"), state.sequence.embeddings)
    subtitle = derive(compute(replace(state, sequence=sequence)), 0, 1).subtitle
    assert subtitle.startswith("x" * 23 + "… → \u2068שלום\u2069,")


def test_scores_of_the_largest_size_are_written() -> None:
    state = State(TokenSequence(("a", "b"), np.array([[1e154], [-1e153]])))
    derivation = derive(compute(state), 0, 0)
    assert derivation.steps[0].results[0] == "1.0e+308"
    assert derivation.title == "Why 1.000?"
