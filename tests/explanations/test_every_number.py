"""Every number of random documents: the parts recombine to it, its program prints it, its LaTeX is balanced."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from attnviz.document.frame import Frame, compute
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.explanations import KINDS, Explanation, exists, explain
from tests.document.states import cat_dog_phone, cross_state, random_state
from tests.explanations.documents import SCALES, choices, documents, every_ref, number_of, run_scripts, some_refs

TOLERANCE = 1e-12
_ROUNDED = {"column_sum", "position", "context_position", "angle", "context_angle"}


def scale_of(explanation: Explanation) -> float:
    """What rounding is measured against: a sum of large terms that cancel cannot be closer than their last digits."""
    result = abs(explanation.result) if math.isfinite(explanation.result) else 0.0
    largest = max(abs(x.number) for x in explanation.expression.numbers()) if is_product(explanation) else 0.0
    return max(1.0, result, largest, largest**2 if explanation.ref.kind != "output" else 0.0)


def is_product(explanation: Explanation) -> bool:
    return explanation.ref.kind in {"q", "k", "v", "score", "output", "layer_output"}


def is_near(a: float, b: float, scale: float) -> bool:
    return a == b or abs(a - b) <= TOLERANCE * scale


def is_balanced(text: str) -> bool:
    bare = re.sub(r"\\[\\{}$&#_%]", "", re.sub(r"\\\\\n", "\n", text))
    depth = 0
    for character in bare:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth < 0:
            return False
    return depth == 0 and bare.count(r"\left(") == bare.count(r"\right)")


def check(frame: Frame, ref: NumberRef) -> Explanation:
    explanation = explain(frame, ref)
    expected = number_of(frame, ref)
    if ref.kind in _ROUNDED:  # whose last digit depends on the order of the terms
        assert is_near(explanation.result, expected, scale_of(explanation)), ref
    else:
        assert explanation.result == expected, ref
    assert is_near(explanation.recombined(), explanation.result, scale_of(explanation)), ref
    assert is_balanced(explanation.latex()), explanation.latex()
    assert explanation.title
    assert explanation.formula
    for part in explanation.expression.numbers():
        if part.ref is not None:
            is_rounded = part.ref.kind in _ROUNDED
            near = TOLERANCE * max(1.0, abs(part.number)) if is_rounded else 0.0
            assert part.number == pytest.approx(number_of(frame, part.ref), abs=near, rel=0.0), (ref, part.ref)
    return explanation


def check_programs(explanations: list[Explanation]) -> None:
    printed = run_scripts([explanation.python() for explanation in explanations])
    for explanation, result in zip(explanations, printed, strict=True):
        assert is_near(result, explanation.result, scale_of(explanation)), (result, explanation)


def check_random_documents(examples: int, most: int) -> None:
    """Check so many documents under every kind of positions."""
    explanations: list[Explanation] = []

    for positions in choices("positions"):

        @settings(max_examples=examples, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
        @given(state=documents(positions))
        def collect(state: State) -> None:
            frame = compute(state).at_head(state.seed % state.n_heads)
            explanations.extend(check(frame, ref) for ref in some_refs(frame, most, seed=state.seed))

        collect()
    assert {explanation.ref.kind for explanation in explanations} == set(KINDS)
    check_programs(explanations)


def test_random_documents_are_explained() -> None:
    check_random_documents(examples=8, most=2)


@pytest.mark.long
def test_many_random_documents_are_explained() -> None:
    check_random_documents(examples=250, most=4)


@pytest.mark.parametrize("scale", SCALES)
def test_every_number_under_every_scale_rule(scale: str) -> None:
    frame = compute(cat_dog_phone(scale=scale, custom_multiplier=-1.5, temperature=0.7, d_k=4, mask="causal"))
    check_programs([check(frame, ref) for ref in every_ref(frame)])


def test_every_number_of_cross_attention_with_rows_that_see_nothing() -> None:
    frame = compute(cross_state(5, 3, 2, mask="causal"))
    assert frame.empty_rows.tolist() == [True, True, False, False, False]
    check_programs([check(frame, ref) for ref in every_ref(frame)])


def test_exponentials_too_small_to_count_are_explained() -> None:
    frame = compute(cat_dog_phone(temperature=1e-6))
    assert 0.0 in frame.trace.weights
    check_programs([check(frame, ref) for ref in every_ref(frame)])


def test_multiplier_that_was_lowered_is_explained() -> None:
    state = cat_dog_phone(w_q=1e150 * np.eye(2), w_k=1e150 * np.eye(2), temperature=1e-12)
    frame = compute(state)
    explanation = explain(frame, NumberRef("multiplier"))
    assert explanation.result == frame.multiplier < 1e12
    assert "lowered" in explanation.note
    check_programs([explanation, explain(frame, NumberRef("weight", (0, 1)))])


@pytest.mark.parametrize("temperature", [1e-12, 1e12])
@pytest.mark.parametrize("magnitude", [1e-300, 1e-5, 1e150])
def test_extreme_magnitudes_are_explained_without_a_warning(magnitude: float, temperature: float) -> None:
    embeddings = magnitude * np.array([[1.0, 0.5], [0.8, 0.6], [-0.5, 1.0]])
    sequence = TokenSequence(("cat", "dog", "phone"), embeddings)
    frame = compute(State(sequence, temperature=temperature, mask="causal"))
    explanations = [explain(frame, ref) for ref in every_ref(frame)]
    printed = run_scripts([explanation.python() for explanation in explanations])
    for explanation, result in zip(explanations, printed, strict=True):
        assert explanation.rounding("{:.3g}".format) is not None
        largest = max(abs(x.number) for x in explanation.expression.numbers())
        scale = largest**2 if is_product(explanation) else abs(explanation.result)
        assert is_near(result, explanation.result, scale), explanation.ref
        assert is_near(explanation.recombined(), explanation.result, scale), explanation.ref


@pytest.mark.parametrize("is_causal", [False, True])
def test_large_streamed_documents_are_explained(is_causal: bool) -> None:
    frame = compute(random_state(710, 3, mask="causal" if is_causal else "none", temperature=0.7))
    explanations = []
    for kind in KINDS.values():
        places = {
            "query": 709,
            "key": 353,
            "budget": 709,
            "coordinate": 2,
            "d_k": 1,
            "d_v": 2,
            "channel": 2,
            "d_out": 1,
        }
        ref = NumberRef(kind.name, tuple(places.get(axis, 0) for axis in kind.axes))
        if exists(frame, ref):
            explanation = explain(frame, ref)
            scale = scale_of(explanation)
            assert is_near(explanation.result, number_of(frame, ref), scale)
            assert is_near(explanation.recombined(), explanation.result, scale)
            explanations.append(explanation)
    check_programs(explanations)


@pytest.mark.parametrize(
    "fields",
    [
        {"masking": "add_large_negative", "soft_cap": 1e-9},
        {"softmax": "plus_one", "has_sink": True, "sinks": np.array([1e300])},
        {"masking": "after_renormalised", "has_sink": True, "sinks": np.array([-1e300])},
        {"softmax": "columns", "masking": "multiply_zero", "positions": "alibi"},
    ],
)
def test_extreme_magnitudes_of_richer_layers_are_explained_without_a_warning(fields: dict[str, object]) -> None:
    embeddings = 1e150 * np.array([[1.0, 0.5], [0.8, 0.6], [-0.5, 1.0]])
    frame = compute(
        State(TokenSequence(("cat", "dog", "phone"), embeddings), temperature=1e-12, mask="causal", **fields)
    )
    shown = [
        explain(frame, ref) for ref in every_ref(frame) if ref.kind in ("masked", "row_max", "normaliser", "weight")
    ]
    printed = run_scripts([explanation.python() for explanation in shown])
    for explanation, result in zip(shown, printed, strict=True):
        assert is_near(result, explanation.result, abs(explanation.result)), explanation.ref
        assert is_near(explanation.recombined(), explanation.result, abs(explanation.result)), explanation.ref
