"""The cards under each setting of a layer, with figures worked out by hand from scene S1."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from attnviz.document.frame import compute
from attnviz.document.matrices import matrices_of
from attnviz.views.derivation.cell import Cell
from attnviz.views.derivation.exact import exact_lines
from attnviz.views.derivation.explanations import CONCEPTS, concepts_in, why_maximum
from attnviz.views.derivation.steps import Derivation, derive
from attnviz.views.derivation.view import DerivationView
from attnviz.views.selection import Selection
from tests.document.layers import random_layer
from tests.views.panel_scenes import cat_dog_phone

CAT, DOG, PHONE = range(3)
Z = (1.25 / math.sqrt(2), 1.10 / math.sqrt(2), 0.0)  # the scaled scores of the row of cat


def cards(query: int, key: int, **fields: object) -> Derivation:
    return derive(compute(replace(cat_dog_phone(), **fields)), query, key)


def texts(derivation: Derivation) -> list[tuple[str, str, str]]:
    return [(step.names[0], step.formulas[0], step.results[0]) for step in derivation.steps]


def test_sink_stands_in_brackets_in_the_sum() -> None:
    derivation = cards(CAT, DOG, has_sink=True)  # a logit of 0: e^(0 - 0.884) = 0.413
    assert texts(derivation)[2:5] == [
        ("exponentiate, largest taken off", "e^(0.778 − 0.884)", "0.899"),
        ("sum of exponentials and [sink]", "[0.413] + 1 + 0.899 + 0.413", "2.726"),
        ("weight", "0.899 ÷ 2.726", "0.330"),
    ]
    assert texts(cards(CAT, DOG, softmax="plus_one"))[3][0] == "sum of exponentials and [one more]"
    both = texts(cards(CAT, DOG, softmax="plus_one", has_sink=True))[3]
    assert both[:2] == ("sum of exponentials and [one more and sink]", "[0.826] + 1 + 0.899 + 0.413")


def test_sum_under_the_softmax_of_columns_is_that_of_the_column() -> None:
    derivation = cards(CAT, PHONE, softmax="columns")
    column = [math.exp((s - 1.25) / math.sqrt(2)) for s in (0.0, 0.2, 1.25)]
    assert derivation.subtitle == "cat → phone, step by step · the softmax runs down the columns"
    assert texts(derivation)[2][:2] == ("exponentiate, column max taken off", "e^(0.000 − 0.884)")
    name, formula, result = texts(derivation)[3]
    assert name == "sum of exponentials of the column"
    assert formula == f"{column[0]:.3f} + {column[1]:.3f} + 1"
    assert result == f"{sum(column):.3f}"
    assert derivation.title == f"Why {column[0] / sum(column):.3f}?"


def test_cap_and_bias_stand_on_the_card_of_the_scale() -> None:
    capped = texts(cards(CAT, DOG, soft_cap=0.5))[1]
    assert capped == ("scale, soft cap", "0.500·tanh(1.100 × 0.707 ÷ 0.500)", f"{0.5 * math.tanh(Z[1] / 0.5):.3f}")
    biased = texts(cards(CAT, PHONE, positions="alibi"))  # two places apart, slope 1/256
    assert biased[1] == ("scale, bias", "0.000 × 0.707 + (-0.008)", "-0.008")
    assert biased[2][1] == "e^(-0.008 − 0.884)"


@pytest.mark.parametrize(
    ("masking", "formula", "result"),
    [
        ("add_large_negative", "1.100 × 0.707 − 1e9", "-1.0e+09"),
        ("fill_large_negative", "1.100 × 0.707, then −1e9 instead", "-1.0e+09"),
        ("multiply_zero", "(1.100 × 0.707) × 0", "0.000"),
    ],
)
def test_mask_that_changes_the_score_stands_on_the_card_of_the_scale(masking: str, formula: str, result: str) -> None:
    derivation = cards(CAT, DOG, mask="causal", masking=masking)
    assert texts(derivation)[1] == ("scale, mask", formula, result)
    assert derivation.subtitle == "cat → dog is masked, but not by leaving the key out of the softmax"


def test_mask_after_the_softmax_takes_the_share_away() -> None:
    derivation = cards(CAT, DOG, mask="causal", masking="after")
    assert texts(derivation)[2:5] == [
        ("exponentiate, row max taken off", "e^(0.778 − 0.884)", "0.899"),
        ("sum of exponentials", "1 + 0.899 + 0.413", "2.313"),
        ("weight, masked", "0.899 ÷ 2.313 × 0", "0"),
    ]
    assert "after the softmax" in derivation.subtitle
    left = cards(DOG, CAT, mask="causal", masking="after_renormalised")  # .406351 + .378610 = .784961
    assert texts(left)[4] == ("weight, divided by what is left", "1 ÷ 2.461 ÷ 0.785", "0.518")


def test_dropout_stands_on_the_card_of_the_weight() -> None:
    kept = np.random.default_rng([1, 0]).random((3, 3)) >= 0.5
    for query, key in np.ndindex(3, 3):
        name, formula, result = texts(cards(query, key, dropout=0.5, dropout_seed=1))[4]
        if kept[query, key]:
            assert name == "weight, kept by dropout"
            assert formula.endswith(" ÷ (1 − 0.500)")
        else:
            assert (name, result) == ("weight, dropped by chance", "0")
            assert formula.endswith(" × 0")


def test_reason_of_another_mask_is_named() -> None:
    derivation = cards(CAT, DOG, padding=np.array([False, True, False]))
    assert derivation.steps[2].names[0] == "masked: dog is padding"


def test_head_is_named_where_there_are_several(qtbot: QtBot) -> None:
    state = replace(cat_dog_phone(), n_heads=2, d_k=1)
    strip = DerivationView(Selection())
    qtbot.addWidget(strip)
    strip.show()
    strip.offer_frame(compute(state).at_head(1))
    assert strip.subtitle == "head 2 of 2, cat → dog, step by step"


def test_row_that_sees_nothing_still_shares_with_the_sink() -> None:
    derivation = cards(CAT, DOG, mask="custom", visible=np.zeros((3, 3), dtype=bool), has_sink=True)
    assert texts(derivation)[3][1:] == ("[1]", "1.000")
    assert texts(derivation)[4][1:] == ("0 ÷ 1.000", "0")


def test_concepts_say_what_is_different() -> None:
    def concepts(**fields: object) -> tuple[str, ...]:
        return concepts_in(compute(replace(cat_dog_phone(), **fields)), CAT, DOG)

    assert concepts() == CONCEPTS
    assert "column" in concepts(softmax="columns")[3]
    assert "no key" in concepts(has_sink=True)[3]
    assert "soft cap" in concepts(soft_cap=2.0)[1].lower()
    assert "after the softmax" in concepts(mask="causal", masking="after")[4]
    assert "Dropout" in concepts(dropout=0.1)[4]


def test_maximum_of_a_column_is_called_so_and_without_it_the_numbers_are_those_of_the_cap() -> None:
    assert "The column's maximum, 0.778" in why_maximum(compute(replace(cat_dog_phone(), softmax="columns")), CAT, DOG)
    why = why_maximum(compute(replace(cat_dog_phone(), soft_cap=0.5)), CAT, DOG)
    bent = 0.5 * math.tanh(Z[1] / 0.5)
    assert f"e^{bent:.3f} = {math.exp(bent):.3f}" in why
    assert "largest logit of the row and the sink" in why_maximum(
        compute(replace(cat_dog_phone(), has_sink=True)), CAT, DOG
    )


@pytest.mark.parametrize("seed", range(0, 120, 5))
def test_every_line_of_any_layer_can_be_computed_again(seed: int) -> None:
    """What stands before the last sign of equality gives what stands behind it, digit by digit."""
    frame = compute(random_layer(seed, with_pins=True))
    for query, key in {(0, 0), (frame.n_query - 1, 0), (0, frame.n_key - 1)}:
        cell, lines = Cell(frame, query, key), exact_lines(frame, query, key)
        for line in lines[:5]:
            check_line(line)
        assert float(lines[4].rpartition("= ")[2]) == cell.weight or cell.is_weight_pinned
        for step in derive(frame, query, key).steps:
            assert step.names
            assert step.results
    assert matrices_of(frame)


def check_line(line: str) -> None:
    if "pinned" in line or "masked:" in line or "visible" in line or "sees it" in line:
        return
    left, _, right = line.rpartition(" = ")
    _, _, formula = left.rpartition(": ") if ":" in left else ("", "", left)
    if "−1e9 instead" in formula:
        assert float(right.partition(" (")[0]) == -1e9
        return
    for old, new in (
        *(("·tanh", "*np.tanh"), ("·", "*"), ("×", "*"), ("÷", "/"), ("−", "-"), ("e^(", "np.exp(")),
        *(("(one more and sink)", ""), ("(one more)", ""), ("(sink)", ""), ("(what the mask leaves of the row)", "")),
    ):
        formula = formula.replace(old, new)
    found = eval(formula, {"np": np})
    assert found == pytest.approx(float(right.partition(" (")[0]), abs=1e-12, rel=1e-12), line
