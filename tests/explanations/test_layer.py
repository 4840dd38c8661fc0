"""The numbers of the whole layer: heads side by side, W_O, b_O and the output, against sums by hand."""

import numpy as np
import pytest

from attnviz.document.frame import compute
from attnviz.document.number_ref import NumberRef
from attnviz.explanations import exists, explain
from tests.document.states import cat_dog_phone
from tests.explanations.documents import run_scripts

W_O = [[1.0, 2.0], [10.0, 20.0]]


def two_heads(**fields):
    return compute(cat_dog_phone(n_heads=2, w_o=W_O, b_o=[100.0, 0.5], **fields))


def test_layer_output_is_the_channels_times_a_column_plus_the_bias() -> None:
    frame = two_heads()
    first, second = (frame.at_head(head).output[0, 0] for head in (0, 1))
    explanation = explain(frame, NumberRef("layer_output", (0, 1)))
    assert explanation.result == pytest.approx(first * 2.0 + second * 20.0 + 0.5, abs=1e-12)
    assert explanation.formula == "o(cat, 2) = Σ_c h(cat, c) · W_O(c, 2) + b_O(2)"
    assert [number.ref for number in explanation.expression.numbers()] == [
        NumberRef("concatenated", (0, 0)),
        NumberRef("w_o", (0, 1)),
        NumberRef("concatenated", (0, 1)),
        NumberRef("w_o", (1, 1)),
        NumberRef("b_o", (1,)),
    ]


def test_without_w_o_the_output_of_the_layer_is_the_heads_side_by_side() -> None:
    frame = compute(cat_dog_phone(n_heads=2))
    explanation = explain(frame, NumberRef("layer_output", (2, 1)))
    assert explanation.note == "There is no W_O: the heads side by side are the output of the layer."
    assert [number.ref for number in explanation.expression.numbers()] == [NumberRef("concatenated", (2, 1))]
    assert not exists(frame, NumberRef("w_o", (0, 0)))
    assert not exists(frame, NumberRef("b_o", (0,)))


def test_channel_of_the_shown_head_leads_to_its_output() -> None:
    explanation = explain(two_heads().at_head(1), NumberRef("concatenated", (0, 1)))
    assert explanation.formula == "h(cat, 2) = y of head 2 (cat, 1)"
    assert [number.ref for number in explanation.expression.numbers()] == [NumberRef("output", (0, 0))]
    assert explanation.note == ""


def test_channel_of_another_head_says_which_one_computes_it() -> None:
    frame = two_heads(n_kv_heads=1)
    explanation = explain(frame, NumberRef("concatenated", (0, 1)))
    assert explanation.result == frame.at_head(1).output[0, 0]
    assert [number.ref for number in explanation.expression.numbers()] == [None]
    assert explanation.note == "Head 2 computes it; show that head to follow it further."
    np.testing.assert_allclose(run_scripts([explanation.python()]), [explanation.result], rtol=1e-14)


def test_entry_of_w_o_and_b_o_is_given() -> None:
    for ref, result in ((NumberRef("w_o", (1, 0)), 10.0), (NumberRef("b_o", (0,)), 100.0)):
        explanation = explain(two_heads(), ref)
        assert (explanation.result, explanation.origin) == (result, "typed")
