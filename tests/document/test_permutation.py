"""Shuffled tokens give shuffled outputs and nothing else, until something of the layer belongs to places."""

from dataclasses import replace

import numpy as np
import pytest

from attnviz.document import edits, layer_edits
from attnviz.document.errors import DocumentError
from attnviz.document.frame import compute
from attnviz.document.number_ref import NumberRef
from attnviz.document.permutation import (
    backwards,
    by_first_coordinate,
    equivariance,
    in_order,
    reasons_of,
    shuffled,
    sorted_by_name,
)
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from tests import reference
from tests.document.states import cat_dog_phone, cross_state, random_state

DOG, BITES, MAN, THE = (1.0, 0.5), (0.25, 1.0), (-0.5, 0.75), (0.1, -0.2)


def sentence(text: str, **fields: object) -> State:
    rows = {"dog": DOG, "bites": BITES, "bit": BITES, "man": MAN, "the": THE}
    words = tuple(text.split())
    return State(sequence=TokenSequence(words, [rows[word] for word in words]), **fields)


def output_of(state: State) -> list[list[float]]:
    """The outputs by explicit loops, without mask and positions, identity matrices."""
    rows = state.sequence.embeddings.tolist()
    return reference.attention(rows, rows, rows, 2**-0.5)[1]


# Orders


def test_orders():
    sequence = TokenSequence(("b", "A", "a", "b"), [[3.0, 0.0], [1.0, 9.0], [2.0, 0.0], [1.0, 0.0]])
    assert in_order(4) == (0, 1, 2, 3)
    assert backwards(4) == (3, 2, 1, 0)
    assert sorted_by_name(sequence) == (1, 2, 0, 3)
    assert by_first_coordinate(sequence) == (1, 3, 2, 0)


def test_shuffle_is_fixed_by_its_generator_and_never_the_order_as_it_is():
    drawn = [shuffled(3, np.random.default_rng(seed)) for seed in range(40)]
    assert drawn == [shuffled(3, np.random.default_rng(seed)) for seed in range(40)]
    assert all(sorted(order) == [0, 1, 2] and order != (0, 1, 2) for order in drawn)
    assert len(set(drawn)) == 5
    assert shuffled(2, np.random.default_rng(0)) == (1, 0)
    assert shuffled(1, np.random.default_rng(0)) == (0,)


# The edit


def test_tokens_move_with_embeddings_pins_and_padding_and_places_keep_theirs():
    state = edits.pin_number(cat_dog_phone(), NumberRef("score", (0, 2)), 0.5)
    state = layer_edits.set_padding(state, 1, is_padding=True)
    state = layer_edits.set_visible(state, [(0, 1)], is_visible=False)
    state = layer_edits.set_position(state, "sequence", 0, 7.0)
    moved = edits.reorder_tokens(state, "sequence", (2, 0, 1))
    assert moved.sequence.tokens == ("phone", "cat", "dog")
    np.testing.assert_array_equal(moved.sequence.embeddings, [[-0.5, 1.0], [1.0, 0.5], [0.8, 0.6]])
    assert [(one.row, one.column) for one in moved.interventions] == [(1, 0)]
    assert moved.padding.tolist() == [False, False, True]
    assert moved.visible.tolist() == state.visible.tolist()
    assert moved.position_ids.tolist() == [7.0, 1.0, 2.0]


def test_order_and_its_inverse_give_the_same_state():
    state = random_state(7, 3)
    order = shuffled(7, np.random.default_rng(3))
    inverse = np.argsort(order).tolist()
    assert edits.reorder_tokens(edits.reorder_tokens(state, "sequence", order), "sequence", inverse).is_same(state)


@pytest.mark.parametrize("order", [(0, 1), (0, 1, 1), (0, 1, 3), ()])
def test_order_must_name_every_place_once(order):
    with pytest.raises(DocumentError, match="an order must name each of the 3 places once"):
        edits.reorder_tokens(cat_dog_phone(), "sequence", order)


# Without mask and positions


def test_dog_bites_man_and_man_bites_dog_have_the_same_outputs_in_another_order():
    dog_first, man_first = sentence("dog bites man"), sentence("man bites dog")
    found = equivariance(compute(dog_first), "sequence", (2, 1, 0))
    np.testing.assert_allclose(found.of_reordered, output_of(man_first), rtol=1e-12)
    np.testing.assert_allclose(found.reordered, output_of(dog_first)[::-1], rtol=1e-12)
    assert found.largest < 1e-15
    assert found.is_equivariant
    assert found.reasons == ()
    assert found.rows == (2, 1, 0)


def test_the_two_sentences_of_the_exercise_cannot_be_told_apart_until_there_are_positions():
    outputs = [compute(sentence(text)).layer_output for text in ("the dog bit the man", "the man bit the dog")]
    sets = [sorted(np.round(rows, 12).tolist()) for rows in outputs]
    assert sets[0] == sets[1]
    with_positions = equivariance(
        compute(sentence("the dog bit the man", positions="sinusoidal")), "sequence", (0, 4, 2, 3, 1)
    )
    assert not with_positions.is_equivariant
    assert with_positions.reasons == ("sinusoidal positions",)


@pytest.mark.parametrize(
    "fields",
    [
        {"n_heads": 2, "w_o": np.arange(12.0).reshape(4, 3)},
        {"padding": [True, False, False, False, True]},
        {"has_sink": True, "sinks": [0.5]},
        {"softmax": "plus_one", "soft_cap": 2.0},
        {"softmax": "columns"},
    ],
)
def test_whatever_belongs_to_tokens_or_to_nobody_keeps_the_layer_equivariant(fields):
    state = edits.pin_number(random_state(5, 4, **fields), NumberRef("v", (3, 1)), 2.0)
    found = equivariance(compute(state), "sequence", shuffled(5, np.random.default_rng(1)))
    assert found.reasons == ()
    assert found.is_equivariant


def test_order_of_the_tokens_that_answer_changes_nothing():
    found = equivariance(compute(cross_state(3, 5, 2)), "context", (4, 2, 0, 1, 3))
    assert found.rows == (0, 1, 2)
    assert found.is_equivariant
    np.testing.assert_array_equal(found.reordered, compute(cross_state(3, 5, 2)).layer_output)


# With them


def test_causal_mask_makes_a_difference_of_one_half():
    """With equal scores (1, 0), (0, 1) give (1, 0), (½, ½); the other way round (0, 1), (½, ½)."""
    state = State(sequence=TokenSequence(("a", "b"), np.eye(2)), w_q=np.zeros((2, 2)), mask="causal")
    found = equivariance(compute(state), "sequence", (1, 0))
    np.testing.assert_array_equal(found.of_reordered, [[0.0, 1.0], [0.5, 0.5]])
    np.testing.assert_array_equal(found.reordered, [[0.5, 0.5], [1.0, 0.0]])
    assert found.largest == 0.5
    assert found.place == (0, 0)
    assert not found.is_equivariant
    assert found.reasons == ("the causal mask",)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"mask": "window", "window": 2}, "the window mask"),
        ({"mask": "prefix"}, "the prefix mask"),
        ({"mask": "custom", "visible": np.tri(5, dtype=bool)}, "the painted mask"),
        ({"positions": "rotary"}, "rotary positions"),
        ({"positions": "learned"}, "learned positions"),
        ({"positions": "alibi"}, "ALiBi"),
        ({"positions": "relative"}, "the bias of relative positions"),
        ({"dropout": 0.5, "dropout_seed": 3}, "dropout with its fixed seed 3"),
    ],
)
def test_what_belongs_to_places_is_named_and_makes_a_difference(fields, reason):
    found = equivariance(compute(random_state(5, 4, **fields)), "sequence", (1, 3, 0, 4, 2))
    assert found.reasons == (reason,)
    assert found.largest > 1e-3


def test_what_looks_both_ways_alike_does_not_see_a_reversal():
    """A bias of -|i - j| is the same from the other end: what could see the order need not see every one."""
    found = equivariance(compute(random_state(5, 4, positions="alibi")), "sequence", backwards(5))
    assert found.is_equivariant
    assert found.reasons == ("ALiBi",)


def test_everything_that_sees_the_order_is_named():
    state = replace(cat_dog_phone(), mask="causal", positions="rotary", dropout=0.1)
    assert reasons_of(state) == ("the causal mask", "rotary positions", "dropout with its fixed seed 0")


def test_no_painted_cell_is_no_reason():
    assert reasons_of(cat_dog_phone(mask="custom")) == ()


def test_place_of_the_largest_difference_is_its_row_and_column():
    found = equivariance(compute(random_state(5, 4, mask="causal")), "sequence", backwards(5))
    gaps = [
        [abs(a - b) for a, b in zip(*rows, strict=True)]
        for rows in zip(found.of_reordered, found.reordered, strict=True)
    ]
    row, column = found.place
    assert gaps[row][column] == max(map(max, gaps)) == found.largest
