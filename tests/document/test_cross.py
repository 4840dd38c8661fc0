"""Cross-attention on and off: both lists come back to the last bit, and what belongs to the keys goes with them."""

from dataclasses import replace

import numpy as np
import pytest

from attnviz.document import edits, layer_edits
from attnviz.document.attn_file import decode, encode, version_of
from attnviz.document.cross_attention import replace_list, set_cross, width_mismatch
from attnviz.document.errors import DocumentError, FileError
from attnviz.document.frame import compute
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from tests import reference
from tests.document.states import cat_dog_phone, cross_state, random_state


def rich_cross_state() -> State:
    """Cross-attention of 3 queries and 5 keys with something of everything that belongs to keys."""
    state = edits.pin_number(cross_state(3, 5, 2), NumberRef("q", (1, 0)), 0.25)
    state = edits.pin_number(state, NumberRef("k", (4, 0)), 0.5)
    state = edits.pin_number(state, NumberRef("weight", (0, 1)), 0.75)
    state = layer_edits.set_padding(state, 2, is_padding=True)
    state = layer_edits.set_visible(state, [(0, 0), (1, 4)], is_visible=False)
    return layer_edits.set_position(state, "context", 3, 17.0)


# Self-attention -> cross-attention


@pytest.mark.parametrize("positions", ["none", "rotary", "sinusoidal"])
def test_a_copy_of_the_sequence_changes_no_number(positions):
    state = replace(random_state(5, 4, positions=positions), position_ids=[0, 2, 4, 6, 9])
    state = edits.pin_number(state, NumberRef("score", (1, 2)), 0.5)
    crossed = set_cross(layer_edits.set_padding(state, 3, is_padding=True), is_cross=True)
    assert crossed.context.is_same(state.sequence)
    assert [one.ref.kind for one in crossed.interventions] == ["score"]
    plain = compute(layer_edits.set_padding(state, 3, is_padding=True))
    np.testing.assert_array_equal(compute(crossed).layer_output, plain.layer_output)


def test_a_copy_that_nobody_changed_goes_without_a_trace():
    state = edits.pin_number(cat_dog_phone(), NumberRef("k", (2, 1)), 0.5)
    assert set_cross(set_cross(state, is_cross=True), is_cross=False).is_same(state)


def test_turning_to_what_there_is_changes_nothing():
    assert set_cross(cat_dog_phone(), is_cross=False).is_same(cat_dog_phone())
    assert set_cross(cross_state(), is_cross=True).is_same(cross_state())


# Cross-attention -> self-attention -> cross-attention


def test_both_lists_and_their_positions_come_back_to_the_last_bit():
    state = layer_edits.set_position(cross_state(3, 5, 2), "context", 3, 17.0)
    alone = set_cross(state, is_cross=False)
    assert alone.context is None
    assert alone.spare.is_same(state.context)
    assert alone.sequence.is_same(state.sequence)
    assert set_cross(alone, is_cross=True).is_same(state)


def test_self_attention_computes_as_if_there_were_no_second_list():
    state = cross_state(3, 5, 2, positions="rotary")
    np.testing.assert_array_equal(
        compute(set_cross(state, is_cross=False)).layer_output,
        compute(replace(state, context=None)).layer_output,
    )


def test_spare_list_outlives_edits_of_the_sequence():
    alone = set_cross(cross_state(3, 5, 2), is_cross=False)
    longer = edits.insert_token(edits.move_point(alone, "sequence", 0, 2.0, 2.0), "sequence", 1, "new")
    back = set_cross(longer, is_cross=True)
    assert back.context.is_same(cross_state(3, 5, 2).context)
    assert back.sequence.tokens == ("q0", "new", "q1", "q2")


def test_pinned_queries_stay_and_what_belongs_to_keys_goes():
    alone = set_cross(rich_cross_state(), is_cross=False)
    assert [(one.kind, one.row, one.column) for one in alone.interventions] == [("q", 1, 0)]
    assert alone.padding is None
    assert alone.visible.tolist() == [[False, True, True], [True, True, True], [True, True, True]]
    back = set_cross(alone, is_cross=True)
    assert back.visible.tolist() == [[False, *[True] * 4], [True] * 5, [True] * 5]


def test_three_queries_read_forty_keys():
    state = cross_state(3, 40, 2)
    _, expected = reference.attention(
        *(rows.tolist() for rows in (state.sequence.embeddings, state.context.embeddings, state.context.embeddings)),
        2**-0.5,
    )
    np.testing.assert_allclose(compute(state).output, expected, rtol=1e-12)
    alone = set_cross(state, is_cross=False)
    assert compute(alone).output.shape == (3, 2)
    assert compute(set_cross(alone, is_cross=True)).output.shape == (3, 2)


# The file


def test_spare_list_is_saved_as_version_3_and_read_again():
    alone = set_cross(layer_edits.set_position(cross_state(2, 3, 2), "context", 0, 4.0), is_cross=False)
    data = encode(alone)
    assert version_of(alone) == 3
    assert b'"spare_context": {' in data
    assert decode(data, "f").is_same(alone)


def test_spare_list_alone_needs_version_3():
    assert version_of(set_cross(cross_state(2, 3, 2), is_cross=False)) == 3


def test_file_with_both_a_context_and_a_spare_one_is_refused():
    data = encode(cross_state(2, 3, 2)).replace(b'"context"', b'"spare_context"')
    both = data.replace(
        b'"spare_context": {', b'"context": {"tokens": ["a"], "embeddings": [[1, 2]]}, "spare_context": {'
    )
    with pytest.raises(FileError, match="left out in cross-attention"):
        decode(both, "f")


def test_spare_list_of_another_width_is_refused_naming_both():
    with pytest.raises(DocumentError, match=r"spare context's .* width of the sequence's, 2, got 3"):
        replace(cat_dog_phone(), spare=TokenSequence(("a",), [[1.0, 2.0, 3.0]]))


# Exchanging a list


def test_other_tokens_that_answer_make_cross_attention():
    state = edits.pin_number(cat_dog_phone(), NumberRef("q", (0, 0)), 0.5)
    state = edits.pin_number(state, NumberRef("k", (0, 0)), 0.5)
    asked = replace_list(state, "context", ["a", "b"], np.eye(2))
    assert asked.context.tokens == ("a", "b")
    assert asked.sequence.is_same(state.sequence)
    assert [one.kind for one in asked.interventions] == ["q"]
    assert compute(asked).attention.weights.shape == (3, 2)


def test_other_tokens_that_ask_leave_those_that_answer():
    state = cross_state(3, 5, 2)
    asked = replace_list(state, "sequence", ["a", "b"], np.eye(2))
    assert asked.sequence.tokens == ("a", "b")
    assert asked.context.is_same(state.context)


def test_plane_is_fitted_to_the_new_list_too():
    state = random_state(4, 3)
    asked = replace_list(state, "context", ["far", "farther"], [[100.0, 0.0, 0.0], [200.0, 0.0, 0.0]])
    np.testing.assert_allclose(np.abs(asked.plane.axes[0]), [1.0, 0.0, 0.0], atol=0.02)


def test_new_list_takes_the_place_of_a_spare_one():
    alone = set_cross(layer_edits.set_position(cross_state(3, 5, 2), "context", 0, 4.0), is_cross=False)
    assert replace_list(alone, "context", ["a", "b"], np.eye(2)).context.tokens == ("a", "b")


@pytest.mark.parametrize(
    ("state", "side", "sentence"),
    [
        (cat_dog_phone(), "context", "the tokens that answer must have the width of those that ask, 2, got 3"),
        (cross_state(3, 5, 2), "sequence", "the tokens that ask must have the width of those that answer, 2, got 3"),
        (cat_dog_phone(), "sequence", "tokens that take the place of others must have their width, 2, got 3"),
    ],
)
def test_widths_that_do_not_fit_are_both_named(state, side, sentence):
    assert width_mismatch(state, side, 3) == sentence
    assert width_mismatch(state, side, 2) == ""
    with pytest.raises(DocumentError, match=sentence):
        replace_list(state, side, ["a"], np.ones((1, 3)))
