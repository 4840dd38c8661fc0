"""A state checks itself, fills in what is left out, and is compared to the last bit."""

import dataclasses

import numpy as np
import pytest

from attnviz.document import parameters
from attnviz.document import state as state_module
from attnviz.document.errors import DocumentError
from attnviz.document.plane import Plane
from attnviz.document.state import SCALARS, State, field_of, scalar_of, scalars_of
from attnviz.document.tokens import TokenSequence
from attnviz.engine import SCALE_RULES
from tests.document import states

THREE = TokenSequence(("a", "b"), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


def test_missing_projections_are_the_identity():
    state = State(sequence=THREE)
    for matrix in (state.w_q, state.w_k, state.w_v):
        np.testing.assert_array_equal(matrix, np.eye(3))
    assert state.d_k == 3


def test_given_projections_are_kept_read_only():
    state = State(sequence=THREE, w_q=np.ones((3, 5)), w_k=np.ones((3, 5)), w_v=np.ones((3, 2)))
    assert (state.w_q.shape, state.w_v.shape, state.d_k) == ((3, 5), (3, 2), 5)
    assert not state.w_q.flags.writeable


def test_width_of_keys_never_exceeds_its_range():
    state = State(sequence=THREE, w_q=np.ones((3, 1031)), w_k=np.ones((3, 1031)))
    assert state.d_k == 1024


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"context": TokenSequence(("a",), [[1.0]])},
            "the context's embeddings must have the width of the sequence's, 3, got 1",
        ),
        ({"w_q": np.ones((2, 3))}, "w_q must have one row per coordinate of an embedding, 3, got 2"),
        ({"w_v": np.ones((3, 0))}, "w_v must have 1 to 16,384 columns, got 0"),
        ({"w_k": np.ones((3, 5))}, "w_k must have the shape of w_q, (3, 3), got (3, 5)"),
        ({"w_v": [[1.0], [np.inf], [0.0]]}, "w_v must be finite numbers, got inf at (2, 1)"),
        ({"temperature": 0.0}, "temperature must be between 1e-12 and 1e+12, got 0.0"),
        ({"d_k": 1025}, "d_k must be between 1 and 1,024, got 1025"),
        ({"is_tied": 1}, "tie must be true or false, got 1"),
        ({"title": "a\nb"}, "a title must not hold control characters, got U+000A"),
        ({"description": "x" * 1001}, "a description must have at most 1,000 characters, got 1,001"),
        (
            {"plane": Plane(centre=[0.0] * 4, axes=np.eye(2, 4), explained=[0.0, 0.0])},
            "the plane must have the width of the embeddings, 3, got 4",
        ),
    ],
)
def test_state_refuses_parts_that_do_not_fit(fields, sentence):
    with pytest.raises(DocumentError) as caught:
        State(sequence=THREE, **fields)
    assert str(caught.value) == sentence


def test_scale_choices_are_the_engines_rules_and_a_custom_one():
    names = [name for name, _, _ in SCALARS["scale"].choices]
    assert names == [*SCALE_RULES, "custom"]


def test_every_scalar_tells_its_label_meaning_and_undo_name():
    for scalar in SCALARS.values():
        assert scalar.label
        assert scalar.help.endswith(".")
        assert scalar.undo_name != "change"


def test_scalars_are_found_by_their_keys():
    state = states.cat_dog_phone(temperature=0.5, mask="causal")
    values = {scalar.key: value for scalar, value in scalars_of(state)}
    assert values["temperature"] == 0.5
    assert values["mask"] == "causal"
    assert [field_of(key) for key in values] == list(SCALARS)


def test_switch_of_the_causal_mask_is_a_scalar_without_a_field():
    assert scalar_of("causal") is parameters.CAUSAL_SWITCH
    assert scalar_of("d_k") is SCALARS["d_k"]
    with pytest.raises(DocumentError, match=r"a setting must be one of temperature, .*, got 'heat'"):
        scalar_of("heat")


def test_unknown_setting_is_refused_with_those_there_are():
    with pytest.raises(DocumentError, match=r"a setting must be one of temperature, d_k, scale, .*, got 'heat'"):
        field_of("heat")


def test_sides_are_told_apart():
    state = states.cross_state()
    assert state.side("sequence") is state.sequence
    assert state.side("context") is state.context is state.key_sequence
    alone = states.cat_dog_phone()
    assert alone.key_sequence is alone.sequence
    with pytest.raises(DocumentError, match="a context must be there to be edited, got self-attention"):
        alone.side("context")


def test_points_in_one_dimension_lie_on_the_axis():
    state = State(sequence=TokenSequence(("a", "b"), [[1.0], [-2.0]]))
    np.testing.assert_array_equal(state.points(state.sequence.embeddings), [[1.0, 0.0], [-2.0, 0.0]])


def test_points_in_two_dimensions_are_the_embeddings():
    state = states.cat_dog_phone()
    assert state.plane is None
    assert state.points(state.sequence.embeddings) is state.sequence.embeddings


def test_points_in_more_dimensions_lie_in_a_fitted_plane():
    state = states.cross_state(3, 5, 7)
    both = np.concatenate([state.sequence.embeddings, state.context.embeddings])
    np.testing.assert_allclose(state.plane.centre, both.mean(axis=0), atol=1e-15)
    np.testing.assert_array_equal(state.points(both), state.plane.project(both))


def test_plane_is_dropped_where_there_is_none():
    plane = Plane(centre=[0.0, 0.0], axes=np.eye(2), explained=[0.0, 0.0])
    assert dataclasses.replace(states.cat_dog_phone(), plane=plane).plane is None


@pytest.mark.parametrize(
    "change",
    [
        {"sequence": TokenSequence(("cat", "dog", "fox"), [[1.0, 0.5], [0.8, 0.6], [-0.5, 1.0]])},
        {"context": THREE.__class__(("a",), [[1.0, 2.0]])},
        {"w_v": [[1.0, -0.0], [0.0, 1.0]]},
        {"title": "other"},
        {"temperature": 1.0000000000000002},
        {"custom_multiplier": -1.0},
        {"d_k": 1},
        {"mask": "causal"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_same_means_every_field_to_the_last_bit(change):
    state = states.cat_dog_phone()
    assert state.is_same(states.cat_dog_phone())
    other = dataclasses.replace(state, **change)
    assert not state.is_same(other)
    assert not other.is_same(state)


def test_same_tells_negative_zero_apart():
    zero, negative = states.cat_dog_phone(custom_multiplier=0.0), states.cat_dog_phone(custom_multiplier=-0.0)
    assert not zero.is_same(negative)


def test_same_compares_planes():
    state = states.random_state(5, 3)
    assert state.is_same(dataclasses.replace(state, plane=None))
    other = Plane(centre=[0.0, 0.0, 0.0], axes=np.eye(2, 3), explained=[0.0, 0.0])
    assert not state.is_same(dataclasses.replace(state, plane=other))


@pytest.mark.parametrize(
    "array", [{"sinks": [0.0, 1.0]}, {"position_ids": [0.0, 0.0, 1.0]}, {"padding": [False, True, True]}]
)
def test_an_optional_array_differs_from_none(array):
    state = states.cat_dog_phone()
    other = dataclasses.replace(state, **{name: np.array(values) for name, values in array.items()})
    assert not other.is_same(state)
    assert not state.is_same(other)


def test_padding_that_hides_no_key_is_none():
    state = dataclasses.replace(states.cat_dog_phone(), padding=np.zeros(3, np.bool_))
    assert state.padding is None
    assert not state.has_mask
    assert state.is_same(states.cat_dog_phone())


@pytest.mark.parametrize("name", SCALARS)
def test_first_state_of_all_refuses_a_scalar_that_is_none(name, monkeypatch):
    state = states.cat_dog_phone()
    monkeypatch.setattr(state_module, "_CHECKED", {})
    with pytest.raises(DocumentError, match=r"must be .*, got None"):
        dataclasses.replace(state, **{name: None})
