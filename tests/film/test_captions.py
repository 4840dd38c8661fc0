"""What the film says: the figures of the curriculum's scenes, each at its step, in one sentence."""

import re

import numpy as np
import pytest

from attnviz.document import edits
from attnviz.document.frame import Frame, compute
from attnviz.document.presets import load_preset
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.film import Script, caption

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]\d+)?")


def frame_of(name: str, **settings: object) -> Frame:
    state = load_preset(name)
    for key, value in settings.items():
        state = edits.set_scalar(state, key, value)
    return compute(state)


def told(frame: Frame, query: int | None) -> dict[str, list[str]]:
    """Give the captions of a film, by the part of the computation."""
    script = Script(frame.n_query, frame.n_key, frame.state.d_k, query)
    found: dict[str, list[str]] = {}
    for step in map(script.step, range(len(script))):
        found.setdefault(step.part, []).append(caption(frame, step))
    return found


def says(sentence: str, figure: float, digits: int) -> bool:
    """Tell whether a number of the sentence, which is rounded itself, can be the figure rounded to its digits."""
    limit = 0.5 * 10.0**-digits + (0.00051 if digits == 2 else 1e-9)
    return any(abs(float(text) - figure) <= limit for text in NUMBER.findall(sentence))


def assert_says(sentences: list[str], figures: list[float], digits: int) -> None:
    assert len(sentences) == len(figures)
    for sentence, figure in zip(sentences, figures, strict=True):
        assert says(sentence, figure, digits), (sentence, figure)


def test_scene_1_row_cat():
    heard = told(frame_of("s1"), 0)
    assert_says(heard["dot"][1::2], [1.25, 1.10, 0.00], 2)
    for figure in (1.25, 1.10, 0.00, 0.884, 0.778, 0.707):
        assert says(heard["scale"][0], figure, 3)
    assert_says(heard["exponentiate"], [2.42, 2.18, 1.00], 2)
    assert says(heard["sum"][0], 5.60, 2)
    assert_says(heard["divide"], [0.432, 0.389, 0.179], 3)
    assert "(0.654, 0.628)" in heard["arrive"][0]


def test_scene_1_terms_come_one_by_one():
    assert told(frame_of("s1"), 0)["dot"][2:4] == [
        "q_cat · k_dog, term 1 of 2: 1.0·0.8 = 0.800.",
        "q_cat · k_dog = 1.0·0.8 + 0.5·0.6 = 1.100.",
    ]


def test_scene_1_all_rows():
    heard = told(frame_of("s1"), None)
    assert_says(heard["dot"][1::2], [1.25, 1.10, 0.0, 1.10, 1.00, 0.20, 0.0, 0.20, 1.25], 2)
    for row, weights in enumerate(((0.432, 0.389, 0.179), (0.406, 0.379, 0.215), (0.219, 0.252, 0.529))):
        assert all(says(heard["divide"][row], weight, 3) for weight in weights)
    for row, output in enumerate(("(0.654, 0.628)", "(0.602, 0.645)", "(0.156, 0.790)")):
        assert output in heard["arrive"][row]


def test_scene_2_row_sat():
    heard = told(frame_of("s2"), 2)
    assert "(1.0, 2.0)" in heard["query"][0]
    assert_says(heard["dot"][1::2], [0.0, 3.0, 1.0, 2.0], 2)
    assert_says(heard["divide"], [0.06, 0.54, 0.13, 0.27], 2)


def test_scene_3_shares_at_temperature_1():
    heard = told(frame_of("s3"), 0)
    assert_says(heard["dot"][1::2], [1.2, 3.8, 0.4, 2.1, 0.9], 2)
    assert_says(heard["divide"], [5.5, 74.3, 2.5, 13.6, 4.1], 1)


def test_scene_4_soft_look_up():
    heard = told(frame_of("s4"), 0)
    assert all(says(heard["scale"][0], figure, 2) for figure in (5.0, 2.0, 1.0))
    for sentence, figure, digits in zip(heard["exponentiate"], (148.4, 7.39, 2.72), (1, 2, 2), strict=True):
        assert says(sentence, figure, digits)
    assert_says(heard["divide"], [0.936, 0.047, 0.017], 3)


def test_scene_5_three_dimensions():
    heard = told(frame_of("s5"), 0)
    assert "(1.0, 0.0, 1.0)" in heard["query"][0]
    assert all(says(heard["scale"][0], figure, 3) for figure in (2.887, 1.155, 0.577))
    assert_says(heard["divide"], [0.784, 0.139, 0.078], 3)
    assert_says(heard["divide"], [78.4, 13.9, 7.8], 1)
    assert "(10.0, 0.0)" in heard["value"][0]
    assert "(8.225, 1.775)" in heard["arrive"][0]


def test_scene_6_bank_is_pulled_toward_its_neighbour():
    river, investment = (told(frame_of(name), 1)["arrive"][0] for name in ("s6-river-bank", "s6-investment-bank"))
    x = [float(NUMBER.findall(sentence)[0]) for sentence in (river, investment)]
    assert x[0] < 0.4 < x[1]


def test_mask_names_what_it_hides():
    heard = told(frame_of("s1", causal=True), None)
    assert heard["mask"] == [
        "The mask hides “dog” and “phone” from “cat”: 2 of 3 keys leave before the softmax.",
        "The mask hides “phone” from “dog”: 1 of 3 keys leaves before the softmax.",
        "The mask hides nothing from “phone”: it sees all 3 keys.",
    ]


def test_masked_key_takes_no_part():
    heard = told(frame_of("s1", causal=True), 0)
    assert heard["exponentiate"][1] == "e^(−∞) = 0: “dog” is masked and takes no part."
    assert heard["mix"][1] == "“dog” is masked: its weight is 0 and its value adds nothing."


def test_row_without_a_key_is_told_in_every_stage():
    sequence = TokenSequence(("a", "b", "c"), np.eye(3))
    frame = compute(State(sequence, context=TokenSequence(("x",), np.ones((1, 3))), mask="causal"))
    heard = told(frame, 0)
    for part in ("subtract", "exponentiate", "sum", "divide", "mix"):
        assert heard[part][0].startswith("“a” sees no key"), part
    assert "the output is 0" in heard["arrive"][0]


@pytest.mark.parametrize(
    ("rule", "way"),
    [
        ("sqrt_d_k", "1/(T·√d_k) = 1/(2.0·√2) = 0.354"),
        ("d_k", "1/(T·d_k) = 1/(2.0·2) = 0.250"),
        ("none", "1/T = 1/2.0 = 0.500"),
        ("custom", "3.0/T = 3.0/2.0 = 1.500"),
    ],
)
def test_scale_says_where_the_multiplier_comes_from(rule, way):
    frame = frame_of("s1", temperature=2.0, custom_multiplier=3.0, scale=rule)
    assert way in told(frame, 0)["scale"][0]


@pytest.mark.parametrize("n", [1, 3, 16, 200])
@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("query", [None, 0])
def test_every_step_has_one_sentence_without_strange_numbers(n, is_causal, query):
    embeddings = np.random.default_rng(3).normal(size=(n, 11))
    frame = compute(
        State(TokenSequence(tuple(f"t{i}" for i in range(n)), embeddings), mask="causal" if is_causal else "none")
    )
    for sentences in told(frame, query).values():
        for sentence in sentences:
            assert sentence.endswith(".")
            assert "\n" not in sentence
            assert "nan" not in sentence
            assert len(sentence) < 200


def test_names_from_a_word_list_cannot_break_a_sentence():
    tokens = ("<s>", "very" * 20, "שלום")
    frame = compute(State(TokenSequence(tokens, np.eye(3))))
    heard = told(frame, 0)
    assert heard["key"][0].startswith("k_<s> = ")
    assert "veryveryveryver…" in heard["key"][1]
    assert "\u2068שלום\u2069" in heard["key"][2]
