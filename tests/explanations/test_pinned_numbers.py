"""A pinned number says that it is pinned and what it would be, and all that follows names the pin."""

import numpy as np
import pytest

from attnviz.document import edits
from attnviz.document.frame import compute
from attnviz.document.number_ref import NumberRef
from attnviz.document.provenance import pins_behind
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.explanations import explain
from tests.document.states import cat_dog_phone
from tests.explanations.documents import run_scripts

SCORE = NumberRef("score", (0, 1))


def frame_with(*pins, **fields):
    state = cat_dog_phone(**fields)
    for ref, value in pins:
        state = edits.pin_number(state, ref, value)
    return compute(state)


def test_pinned_number_says_so_and_keeps_what_it_would_be():
    shown = explain(frame_with((SCORE, 3.0)), SCORE)
    assert (shown.is_pinned, shown.origin, shown.result) == (True, "pinned", 3.0)
    assert "pinned" in shown.note
    assert shown.computed is not None
    assert shown.computed.expression.value(float) == pytest.approx(1.1, abs=1e-12)
    assert shown.rounding("{:.1g}".format) == ""


def test_program_of_a_pinned_number_says_that_it_is_pinned():
    shown = explain(frame_with((SCORE, 3.0)), SCORE)
    assert "result = 3.0  # pinned" in shown.python()
    assert run_scripts([shown.python()]) == [3.0]


def test_program_of_a_number_in_a_row_with_pinned_scores_names_them():
    frame = frame_with((SCORE, 3.0), (NumberRef("score", (0, 2)), -1.5))
    for kind, indices in (("weight", (0, 0)), ("normaliser", (0,)), ("output", (0, 1)), ("entropy", (0,))):
        program = explain(frame, NumberRef(kind, indices)).python()
        assert "# q·k of 'cat' with every key, but pinned: 'dog' to 3.0, 'phone' to -1.5\n" in program, kind
    assert "# q·k of 'dog' with every key\n" in explain(frame, NumberRef("weight", (1, 0))).python()


def test_latex_of_a_pinned_number_gives_it_without_a_formula():
    shown = explain(frame_with((SCORE, 3.0)), SCORE)
    assert r"s_{\text{cat},\text{dog}} &= 3.0" in shown.latex()


def test_number_after_a_pin_names_it_and_is_not_pinned_itself():
    shown = explain(frame_with((SCORE, 3.0)), NumberRef("weight", (0, 2)))
    assert not shown.is_pinned
    assert [one.ref for one in shown.pins] == [SCORE]


def test_number_beside_a_pin_does_not_name_it():
    assert explain(frame_with((SCORE, 3.0)), NumberRef("weight", (1, 2))).pins == ()


def test_pinned_weight_is_in_the_program_of_the_output():
    frame = frame_with((NumberRef("weight", (0, 2)), 0.5))
    shown = explain(frame, NumberRef("output", (0, 0)))
    assert "weights[2] = 0.5  # pinned" in shown.python()
    assert run_scripts([shown.python()]) == [pytest.approx(frame.output[0, 0], abs=1e-12)]


def test_pinned_weight_of_a_masked_key_counts_in_output_and_column():
    frame = frame_with((NumberRef("weight", (0, 2)), 0.5), mask="causal")
    output = explain(frame, NumberRef("output", (0, 1)))
    assert output.recombined() == pytest.approx(1.0 * 0.5 + 0.5 * 1.0, abs=1e-12)
    column = explain(frame, NumberRef("column_sum", (2,)))
    assert column.recombined() == pytest.approx(frame.trace.weights[:, 2].sum(), abs=1e-12)


def blind_row_with_a_pinned_weight(value):
    rng = np.random.default_rng(0)
    sequence = TokenSequence(tuple("abcde"), rng.normal(size=(5, 2)))
    context = TokenSequence(tuple("xy"), rng.normal(size=(2, 2)))
    state = State(sequence=sequence, context=context, mask="causal")
    frame = compute(edits.pin_number(state, NumberRef("weight", (0, 1)), value))
    assert frame.empty_rows[0]
    return frame


@pytest.mark.parametrize("kind", ["largest_weight", "effective_keys", "entropy", "row_sum"])
@pytest.mark.parametrize("value", [0.7, 0.0])
def test_measures_of_a_blind_row_with_a_pinned_weight_recombine(kind, value):
    shown = explain(blind_row_with_a_pinned_weight(value), NumberRef(kind, (0,)))
    assert shown.recombined() == pytest.approx(shown.result, abs=1e-12)
    assert run_scripts([shown.python()]) == [pytest.approx(shown.result, abs=1e-12)]


def test_effective_keys_are_none_where_every_weight_is_pinned_to_nothing():
    frame = frame_with(*((NumberRef("weight", (0, key)), 0.0) for key in range(3)))
    shown = explain(frame, NumberRef("effective_keys", (0,)))
    assert shown.result == shown.recombined() == 0.0
    assert run_scripts([shown.python()]) == [0.0]


def test_pins_behind_are_looked_for_only_when_asked_and_not_without_end():
    frame = frame_with(*((NumberRef("score", (row, key)), 1.0) for row in range(3) for key in range(3)))
    assert len(explain(frame, NumberRef("output", (0, 0))).pins) == 3
    assert len(pins_behind(frame, NumberRef("column_sum", (0,)), most=2)) == 2
