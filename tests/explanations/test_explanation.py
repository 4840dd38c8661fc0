"""Explanations of the start-up scene against hand calculation, and how they are written."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from attnviz.document.frame import compute
from attnviz.document.measures import MEASURES
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.explanations import KINDS, Explanation, explain
from tests.document.states import ODD_TOKENS, cat_dog_phone, cross_state, random_state
from tests.explanations.documents import run_scripts, small_scene

CAT_DOG = (0, 1)


def three(x: float) -> str:
    return f"{x:.3f}"


def explained(kind: str, *indices: int, **fields: object) -> Explanation:
    return explain(compute(cat_dog_phone(**fields)), NumberRef(kind, indices))


def written(explanation: Explanation) -> str:
    return "".join(part.text for part in explanation.parts(three))


@pytest.mark.parametrize(
    ("kind", "indices", "operands", "result"),
    [
        ("q", (0, 0), "1.000 · 1.000 + 0.500 · 0.000", 1.0),
        ("score", CAT_DOG, "1.000 · 0.800 + 0.500 · 0.600", 1.10),
        ("multiplier", (), "1 ÷ (1.000 · √2)", 0.707),
        ("scaled", CAT_DOG, "1.100 · 0.707", 0.778),
        ("masked", CAT_DOG, "0.778", 0.778),
        ("row_max", (0,), "max(0.884, 0.778, 0.000)", 0.884),
        ("exponential", CAT_DOG, "e^(0.778 − 0.884)", 0.899),
        ("normaliser", (0,), "1.000 + 0.899 + 0.413", 2.3125),
        ("weight", CAT_DOG, "0.899 ÷ 2.313", 0.388908),
        ("output", (0, 0), "0.432 · 1.000 + 0.389 · 0.800 + 0.179 · (-0.500)", 0.654218),
        ("row_sum", (0,), "0.432 + 0.389 + 0.179", 1.0),
        ("column_sum", (1,), "0.389 + 0.379 + 0.252", 0.388908 + 0.378610 + 0.251938),
        ("entropy", (0,), "−(0.432 · ln 0.432 + 0.389 · ln 0.389 + 0.179 · ln 0.179)", 1.0375),
        ("effective_keys", (0,), "e^(1.038)", 2.82),
        ("largest_weight", (2,), "max(0.219, 0.252, 0.529)", 0.529348),
    ],
)
def test_numbers_of_the_first_scene(kind: str, indices: tuple[int, ...], operands: str, result: float) -> None:
    explanation = explain(small_scene(), NumberRef(kind, indices))
    assert written(explanation) == operands
    digits = len(str(result).partition(".")[2])
    assert explanation.result == pytest.approx(result, abs=0.51 * 10.0**-digits)


def test_title_and_formula_name_the_tokens() -> None:
    weight = explained("weight", *CAT_DOG)
    assert weight.title == "weight of dog for query cat"
    assert weight.formula == "a(cat, dog) = E(cat, dog) ÷ Z(cat)"


def test_every_measure_can_be_explained() -> None:
    for name, measure in MEASURES.items():
        assert KINDS[name].axes == (measure.axis,)
        assert explained(name, 1).result == pytest.approx(float(measure.values(small_scene(), np.array([1]))[0]))


def test_operands_lead_down_to_what_was_typed() -> None:
    frame = compute(cross_state(3, 5, 2, mask="causal", d_k=4, w_v=np.ones((2, 2)), w_o=np.ones((2, 3)), b_o=[1, 2, 3]))
    waiting, reached = [NumberRef("layer_output", (2, 1))], set()
    while waiting:
        ref = waiting.pop()
        if ref not in reached:
            reached.add(ref)
            explanation = explain(frame, ref)
            operands = [number.ref for number in explanation.expression.numbers() if number.ref is not None]
            assert bool(operands) == (explanation.origin == "computed")
            waiting += operands
    assert {ref.kind for ref in reached} == {
        *("x", "context", "w_q", "w_k", "w_v", "q", "k", "v", "score", "scaled", "multiplier", "temperature", "d_k"),
        *("masked", "row_max", "exponential", "normaliser", "weight", "output"),
        *("concatenated", "w_o", "b_o", "layer_output"),
    }


def test_operands_of_a_layer_with_everything_lead_down_to_what_was_typed_or_drawn() -> None:
    """The strangest layer: whatever its choices, every number ends in some that nobody computed."""
    for positions in ("sinusoidal", "learned", "rotary", "alibi", "relative"):
        for masking in ("after_renormalised", "multiply_zero"):
            frame = compute(strange_layer(positions, masking)).at_head(1)
            waiting, reached = [NumberRef("output", (3, 0))], set()
            while waiting:
                ref = waiting.pop()
                if ref not in reached:
                    reached.add(ref)
                    explanation = explain(frame, ref)
                    operands = [number.ref for number in explanation.expression.numbers() if number.ref is not None]
                    assert bool(operands) == (explanation.origin == "computed"), ref
                    waiting += operands
            kinds = {ref.kind for ref in reached}
            assert kinds >= {"b_q", "b_v", "undropped", "dropout", "soft_cap", "sink"} | OF_POSITIONS[positions]
            assert ("kept_sum" in kinds) == (masking == "after_renormalised")


OF_POSITIONS = {
    "sinusoidal": {"input", "position", "place", "base"},
    "learned": {"input", "position"},
    "rotary": {"plain_q", "plain_k", "angle", "place", "base"},
    "alibi": {"bias", "place"},
    "relative": {"bias", "bucket"},
}


def strange_layer(positions: str, masking: str) -> State:
    rng = np.random.default_rng(5)
    return random_state(
        *(5, 4),
        w_v=rng.normal(size=(4, 4)),
        b_q=rng.normal(size=4),
        b_v=rng.normal(size=4),
        n_heads=2,
        d_k=2,
        mask="causal",
        masking=masking,
        softmax="plus_one",
        has_sink=True,
        sinks=np.array([0.3, -0.4]),
        soft_cap=2.0,
        dropout=0.1,
        positions=positions,
    )


@pytest.mark.parametrize(
    ("kind", "indices", "note"),
    [
        ("x", (0, 0), "You typed this number, dragged it there or read it from a file."),
        ("temperature", (), "You set this number in Controls."),
        ("custom_multiplier", (), "You typed this number."),
        ("w_q", (0, 0), "The identity stands here until another matrix is written."),
        ("w_k", (1, 2), "Drawn from a normal distribution with variance 1/d, with seed 5."),
        ("w_v", (0, 0), "You typed this number."),
    ],
)
def test_what_nobody_computed_says_where_it_comes_from(kind: str, indices: tuple[int, ...], note: str) -> None:
    explanation = explained(kind, *indices, d_k=3, seed=5, w_v=np.ones((2, 2)))
    assert explanation.note == note
    assert explanation.origin == ("drawn" if kind == "w_k" else "typed")
    assert [part.ref for part in explanation.parts()] == [None]


def test_multiplier_under_each_scale_rule() -> None:
    rules = {
        "none": "1 ÷ 2.000",
        "sqrt_d_k": "1 ÷ (2.000 · √2)",
        "d_k": "1 ÷ (2.000 · 2)",
        "custom": "-3.000 ÷ 2.000",
    }
    for scale, operands in rules.items():
        fields: dict[str, object] = {"scale": scale, "custom_multiplier": -3.0, "temperature": 2.0}
        assert written(explained("multiplier", **fields)) == operands


def test_masked_key_is_minus_infinity_and_its_weight_0() -> None:
    masked = explained("masked", *CAT_DOG, mask="causal")
    assert masked.result == -math.inf
    assert masked.formula == "z′(cat, dog) = −∞"
    assert masked.note == "The key leaves before the softmax: the causal mask hides dog from cat."
    assert r"-\infty" in masked.latex()
    weight = explained("weight", *CAT_DOG, mask="causal")
    assert (weight.result, written(weight)) == (0.0, "0.000 ÷ 1.000")
    assert weight.note == "The mask hides dog from cat, so its weight is exactly 0."
    assert written(explained("exponential", *CAT_DOG, mask="causal")) == "e^(−∞ − 0.884)"


def test_hidden_keys_are_no_terms() -> None:
    normaliser = explained("normaliser", 1, mask="causal")
    assert written(normaliser) == "1.000 + 0.932"
    assert normaliser.note == "The mask hides 1 key from dog."
    received = explained("column_sum", 1, mask="causal")
    assert len(received.expression.numbers()) == 2
    assert received.note == "The mask hides it from 1 query."


def test_row_that_sees_nothing_says_so() -> None:
    frame = compute(cross_state(5, 3, 2, mask="causal"))
    for kind, indices in (("weight", (0, 0)), ("row_max", (0,)), ("output", (0, 1)), ("effective_keys", (0,))):
        explanation = explain(frame, NumberRef(kind, indices))
        assert (explanation.result, written(explanation)) == (0.0, "0.000")
        assert explanation.note == "q0 sees no key, so the whole row counts as 0."


def test_long_sum_leaves_its_middle_out_until_asked() -> None:
    normaliser = explain(compute(random_state(40, 3)), NumberRef("normaliser", (0,)))
    parts = normaliser.parts(three)
    assert [part.hidden for part in parts if part.hidden] == [32]
    assert sum(part.ref is not None for part in parts) == 8
    assert parts[-1].ref == NumberRef("exponential", (0, 39))
    whole = normaliser.parts(three, most_terms=None)
    assert [part.ref for part in whole if part.ref] == [NumberRef("exponential", (0, j)) for j in range(40)]
    assert normaliser.latex().count(r"\cdots") == 1
    assert r"\cdots" not in normaliser.latex(most_terms=None)


def test_rounding_is_stated() -> None:
    assert explained("score", *CAT_DOG).rounding(three) == ""
    # 0.899 / 2.313 = 0.38867…: the same three digits
    same = "The numbers shown are rounded; put together as shown they give 0.389 too."
    assert explained("weight", *CAT_DOG).rounding(three) == same
    # 1.000 + 0.899 + 0.413 = 2.312
    other = "The numbers shown are rounded; put together as shown they give 2.312 instead of 2.313."
    assert explained("normaliser", 0).rounding(three) == other
    assert explained("normaliser", 0).rounding(repr) == ""


def test_a_count_is_never_rounded() -> None:
    multiplier = explained("multiplier", d_k=12, scale="d_k")
    assert not multiplier.is_rounded("{:.0e}".format)
    assert "".join(part.text for part in multiplier.parts("{:.0e}".format)) == "1 ÷ (1e+00 · 12)"


def test_latex_of_a_weight() -> None:
    assert explained("weight", *CAT_DOG).latex(three).splitlines() == [
        "% needs the package amsmath",
        r"\[",
        r"\begin{aligned}",
        r"a_{\text{cat},\text{dog}} &= \frac{E_{\text{cat},\text{dog}}}{Z_{\text{cat}}} \\",
        r"&\approx \frac{0.899}{2.313} \\",
        r"&\approx 0.389",
        r"\end{aligned}",
        r"\]",
    ]


def test_tokens_in_latex_are_escaped() -> None:
    tokens = (r"a\b", "{x}", "50%_#&$", "<s>", "~^|")
    frame = compute(State(TokenSequence(tokens, np.eye(5))))
    texts = [
        r"\text{a\textbackslash{}b}",
        r"\text{\{x\}}",
        r"\text{50\%\_\#\&\$}",
        r"\text{\textless{}s\textgreater{}}",
        r"\text{\textasciitilde{}\textasciicircum{}\textbar{}}",
    ]
    for place, text in enumerate(texts):
        assert text in explain(frame, NumberRef("row_max", (place,))).latex()


def test_powers_of_ten_are_typeset() -> None:
    assert r"1.5 \times 10^{-7}" in explained("temperature", temperature=1.5e-7).latex()


def test_the_same_name_twice_is_told_apart() -> None:
    frame = compute(State(TokenSequence(("the", "cat", "the"), np.eye(3))))
    assert explain(frame, NumberRef("weight", (2, 0))).title == "weight of the #1 for query the #3"


def test_odd_tokens_stay_in_one_line_of_every_text() -> None:
    frame = compute(State(TokenSequence(ODD_TOKENS, np.eye(len(ODD_TOKENS)))))
    explanations = [explain(frame, NumberRef("weight", (i, i))) for i in range(len(ODD_TOKENS))]
    assert all("\n" not in e.title + e.formula for e in explanations)
    printed = run_scripts([e.python() for e in explanations])
    np.testing.assert_allclose(printed, [e.result for e in explanations], rtol=1e-12)


def test_name_from_right_to_left_is_kept_apart() -> None:
    frame = compute(State(TokenSequence(("שלום", "cat"), np.eye(2))))
    assert explain(frame, NumberRef("weight", (1, 0))).title == "weight of \u2068שלום\u2069 for query cat"


def test_program_begins_at_the_scores_of_the_row() -> None:
    text = explained("weight", *CAT_DOG, mask="causal").python()
    assert text.startswith("import numpy as np\n")
    assert "scores = np.array([1.25, 1.1, 0.0])" in text
    assert "visible = np.arange(3) <= 0  # the causal mask" in text
    assert text.endswith("print(float(result))\n")


def test_program_of_a_long_row_has_short_lines() -> None:
    text = explain(compute(random_state(40, 3)), NumberRef("output", (0, 0))).python()
    assert max(map(len, text.splitlines())) <= 110


@pytest.mark.parametrize(
    ("ref", "message"),
    [
        (NumberRef("wieght", (0, 0)), "kind must be one of x, "),
        (NumberRef("weight", (0,)), "weight must have 2 indices, got 1"),
        (NumberRef("weight", (0, 3)), "weight: key must lie between 0 and 2, got 3"),
        (NumberRef("q", (-1, 0)), "query: query must lie between 0 and 2, got -1"),
        (NumberRef("context", (0, 0)), "embedding: there is no context here"),
    ],
)
def test_number_that_is_not_there_is_refused(ref: NumberRef, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        explain(small_scene(), ref)


def test_new_numbers_are_explained_after_an_edit() -> None:
    warmer = replace(cat_dog_phone(), temperature=2.0)
    assert explain(compute(warmer), NumberRef("scaled", CAT_DOG)).result == pytest.approx(0.389, abs=5e-4)
