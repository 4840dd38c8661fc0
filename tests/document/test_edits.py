"""Every edit makes the state it should, leaves its argument alone, and refuses what cannot be."""

import numpy as np
import pytest

from attnviz.document import edits
from attnviz.document.errors import DocumentError
from attnviz.document.number_ref import NumberRef
from attnviz.document.sentence import join_sentence
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence, first_embedding
from tests.document import states
from tests.document.states import ODD_TOKENS


def rows(state, side="sequence"):
    return state.side(side).embeddings.tolist()


@pytest.fixture
def state():
    return states.cat_dog_phone()


@pytest.fixture
def cross():
    return states.cross_state(3, 5, 2)


def test_edits_leave_their_argument_alone(state):
    edits.move_point(state, "sequence", 0, 9.0, 9.0)
    edits.delete_tokens(state, "sequence", [0])
    edits.set_sentence(state, "sequence", "a b c")
    assert state.is_same(states.cat_dog_phone())


def test_scalar_is_set_by_its_key(state):
    assert edits.set_scalar(state, "causal", True).is_causal is True
    assert edits.set_scalar(state, "temperature", 2).temperature == 2.0


def test_refused_scalar_names_its_range(state):
    with pytest.raises(DocumentError, match="d_k must be between 1 and 1,024, got 0"):
        edits.set_scalar(state, "d_k", 0)


def test_typed_scalar_is_read_by_its_key():
    assert edits.parse_scalar("causal", " True ") is True
    assert edits.parse_scalar("d_k", "7") == 7
    with pytest.raises(DocumentError, match=r"d_k must be a whole number, got '7\.5'"):
        edits.parse_scalar("d_k", "7.5")


@pytest.mark.parametrize(("head", "got"), [(1, 2), (-1, 0)])
def test_number_of_a_head_that_is_not_there_is_not_pinned(state, head, got):
    with pytest.raises(DocumentError, match=f"a head must be one of 1 to 1, got {got}"):
        edits.pin_number(state, NumberRef("score", (0, 0)), 1.0, head)


def test_point_moves_and_the_others_stay(state):
    assert rows(edits.move_point(state, "sequence", 1, 0.25, -2.0)) == [[1.0, 0.5], [0.25, -2.0], [-0.5, 1.0]]


def test_point_of_the_context_moves(cross):
    moved = edits.move_point(cross, "context", 4, 0.25, -2.0)
    assert rows(moved, "context")[4] == [0.25, -2.0]
    assert moved.sequence is cross.sequence


def test_point_on_a_line_moves_along_it():
    line = State(sequence=TokenSequence(("a", "b"), [[1.0], [2.0]]))
    assert rows(edits.move_point(line, "sequence", 0, 3.0, 7.0)) == [[3.0], [2.0]]


def test_moving_to_minus_zero_is_moving_to_zero(state):
    moved = edits.move_point(state, "sequence", 0, -0.0, -0.0)
    assert not np.signbit(moved.sequence.embeddings[0]).any()


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_point_cannot_move_beyond_the_numbers(state, bad):
    with pytest.raises(DocumentError, match="an embedding must be finite numbers"):
        edits.move_point(state, "sequence", 0, bad, 0.0)


def test_embedding_and_coordinate_are_set(state):
    assert rows(edits.set_embedding(state, "sequence", 2, [3.0, 4.0]))[2] == [3.0, 4.0]
    assert rows(edits.set_coordinate(state, "sequence", 2, 1, 4.0))[2] == [-0.5, 4.0]


@pytest.mark.parametrize("index", [-1, 3])
def test_token_that_is_not_there_is_refused(state, index):
    sentence = f"a token's place must be 1 to 3, got {index + 1}"
    calls = (
        lambda: edits.move_point(state, "sequence", index, 0.0, 0.0),
        lambda: edits.set_embedding(state, "sequence", index, [0.0, 0.0]),
        lambda: edits.set_coordinate(state, "sequence", index, 0, 0.0),
        lambda: edits.rename_token(state, "sequence", index, "x"),
        lambda: edits.delete_tokens(state, "sequence", [index]),
        lambda: edits.move_token(state, "sequence", index, 0),
        lambda: edits.move_token(state, "sequence", 0, index),
    )
    for call in calls:
        with pytest.raises(DocumentError) as caught:
            call()
        assert str(caught.value) == sentence


@pytest.mark.parametrize("index", [-1, 4])
def test_place_that_is_not_there_is_refused(state, index):
    for call in (
        lambda: edits.insert_token(state, "sequence", index, "x"),
        lambda: edits.paste_rows(state, "sequence", index, [("x", None)]),
    ):
        with pytest.raises(DocumentError, match=f"a place to insert must be 1 to 4, got {index + 1}"):
            call()


def test_wrong_number_of_coordinates_is_refused(state):
    with pytest.raises(DocumentError, match="an embedding must have 2 coordinates here, got 3"):
        edits.set_embedding(state, "sequence", 0, [1.0, 2.0, 3.0])
    with pytest.raises(DocumentError, match="an embedding must have 2 coordinates here, got 1"):
        edits.insert_token(state, "sequence", 0, "x", [1.0])
    with pytest.raises(DocumentError, match=r"row 2 \('y'\) must have 2 coordinates after the name, got 1"):
        edits.paste_rows(state, "sequence", 0, [("x", [1.0, 2.0]), ("y", [1.0])])
    with pytest.raises(DocumentError, match=r"row 1 \('y{40}…'\) must have 2 coordinates"):
        edits.paste_rows(state, "sequence", 0, [("y" * 1_000_000, [])])
    with pytest.raises(DocumentError, match="a coordinate must be one of 1 to 2, got 3"):
        edits.set_coordinate(state, "sequence", 0, 2, 1.0)


@pytest.mark.parametrize("token", ODD_TOKENS)
def test_odd_names_are_kept_as_they_are(state, token):
    renamed = edits.rename_token(state, "sequence", 1, token)
    assert renamed.sequence.tokens == ("cat", token, "phone")
    assert renamed.sequence.embeddings.tobytes() == state.sequence.embeddings.tobytes()
    assert edits.insert_token(state, "sequence", 0, token).sequence.tokens[0] == token


def test_inserted_token_starts_where_its_namesake_is(state):
    assert rows(edits.insert_token(state, "sequence", 3, "cat"))[3] == [1.0, 0.5]


def test_inserted_token_without_namesake_starts_at_its_first_embedding(state):
    inserted = edits.insert_token(state, "sequence", 1, "fox")
    assert inserted.sequence.tokens == ("cat", "fox", "dog", "phone")
    assert rows(inserted)[1] == first_embedding("fox", 2).tolist()


def test_inserted_token_takes_the_embedding_it_is_given(state):
    assert rows(edits.insert_token(state, "sequence", 0, "fox", [7.0, -0.0]))[0] == [7.0, 0.0]


@pytest.mark.parametrize("width", [1, 2, 3, 7])
def test_added_point_is_drawn_where_it_was_asked_for(width):
    state = edits.add_point(states.random_state(5, width), "sequence", "new", 0.75, 0.0)
    assert state.sequence.tokens[-1] == "new"
    np.testing.assert_allclose(state.points(state.sequence.embeddings)[-1], [0.75, 0.0], atol=1e-12)


def test_deleted_tokens_are_gone_and_one_must_stay(state):
    left = edits.delete_tokens(state, "sequence", [0, 2, 0])
    assert (left.sequence.tokens, rows(left)) == (("dog",), [[0.8, 0.6]])
    with pytest.raises(DocumentError, match="at least one token must stay"):
        edits.delete_tokens(left, "sequence", [0])
    assert edits.delete_tokens(state, "sequence", []).is_same(state)


@pytest.mark.parametrize(
    ("index", "to", "expected"),
    [(0, 2, ("dog", "phone", "cat")), (2, 0, ("phone", "cat", "dog")), (1, 1, ("cat", "dog", "phone"))],
)
def test_moved_token_takes_its_embedding_along(state, index, to, expected):
    moved = edits.move_token(state, "sequence", index, to)
    assert moved.sequence.tokens == expected
    assert rows(moved)[to] == rows(state)[index]


def test_pasted_rows_come_before_their_place(state):
    pasted = edits.paste_rows(state, "sequence", 1, [("x", [1.0, 2.0]), ("cat", None)])
    assert pasted.sequence.tokens == ("cat", "x", "cat", "dog", "phone")
    assert rows(pasted)[:3] == [[1.0, 0.5], [1.0, 2.0], [1.0, 0.5]]


def test_nothing_to_paste_is_refused(state):
    with pytest.raises(DocumentError, match="rows to paste must hold at least one token, got none"):
        edits.paste_rows(state, "sequence", 0, [])


def test_typed_sentence_keeps_the_embeddings_of_words_that_stay(state):
    typed = edits.set_sentence(state, "sequence", "a cat phone")
    assert typed.sequence.tokens == ("a", "cat", "phone")
    assert rows(typed) == [first_embedding("a", 2).tolist(), [1.0, 0.5], [-0.5, 1.0]]


def test_changed_word_keeps_its_place(state):
    assert rows(edits.set_sentence(state, "sequence", "cat fox phone")) == rows(state)


def test_word_with_a_namesake_takes_its_embedding(state):
    assert rows(edits.set_sentence(state, "sequence", "cat cat phone"))[1] == [1.0, 0.5]
    assert rows(edits.set_sentence(state, "sequence", "phone dog cat")) == [[-0.5, 1.0], [0.8, 0.6], [1.0, 0.5]]


def test_duplicates_keep_their_own_embeddings():
    sequence = TokenSequence(("the", "the", "the"), [[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
    state = State(sequence=sequence)
    assert rows(edits.set_sentence(state, "sequence", "the the the")) == [[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]]
    assert rows(edits.set_sentence(state, "sequence", "the the cat the"))[3] == [3.0, 0.0]


@pytest.mark.parametrize("names", [ODD_TOKENS, ("New York", "New\u00a0York", "a\u3000b"), ("the", "the", "the")])
def test_written_sentence_typed_again_changes_nothing(names):
    state = State(sequence=TokenSequence(names, np.arange(2.0 * len(names)).reshape(-1, 2)))
    line = join_sentence(state.sequence.tokens)
    assert edits.set_sentence(state, "sequence", line).is_same(state)


def test_no_break_space_in_a_new_word_is_a_blank(state):
    assert edits.set_sentence(state, "sequence", "New\u00a0York").sequence.tokens == ("New York",)


def test_sentence_of_the_context_is_its_own(cross):
    typed = edits.set_sentence(cross, "context", "k0 k4")
    assert typed.context.tokens == ("k0", "k4")
    assert typed.sequence is cross.sequence


def typed(state, side, *sentences):
    """Let a sentence grow from one state: every step is compared with that, whatever the one before it made."""
    reached = state
    for sentence in sentences:
        reached = edits.set_sentence(reached, side, sentence, state)
    return reached


def test_word_that_is_being_typed_is_compared_with_the_tokens_before_it_was_begun(state):
    grown = typed(state, "sequence", *(f"cat dog phone {'bird'[:i]}" for i in range(5)))
    assert grown.sequence.tokens == ("cat", "dog", "phone", "bird")
    assert rows(grown)[3] == first_embedding("bird", 2).tolist() != first_embedding("b", 2).tolist()


def test_words_typed_over_and_again_find_their_embeddings(state):
    again = typed(state, "sequence", *("dog cat phone"[:i] for i in range(1, 14)))
    assert again.sequence.tokens == ("dog", "cat", "phone")
    assert rows(again) == [[0.8, 0.6], [1.0, 0.5], [-0.5, 1.0]]
    assert typed(again, "sequence", "c", "cat", "cat dog phone").is_same(state)


def test_what_belongs_to_tokens_and_places_outlives_their_being_typed_over():
    state = states.cat_dog_phone(
        padding=[False, True, False],
        mask="custom",
        visible=[[True, False, True], [True, True, True], [False, True, True]],
        position_ids=[4.0, 2.0, 9.0],
    )
    state = edits.pin_number(state, NumberRef("score", (0, 1)), 2.5)
    over = typed(state, "sequence", "x", "cat", "cat dog phone")
    assert over.is_same(state)


def test_list_of_the_context_is_compared_with_its_own_base(cross):
    again = typed(cross, "context", "k4", "k4 k", "k4 k0")
    assert rows(again, "context") == [rows(cross, "context")[4], rows(cross, "context")[0]]
    assert again.sequence is cross.sequence


def test_empty_sentence_is_refused(state):
    with pytest.raises(DocumentError, match="a sentence must have at least one token, got none"):
        edits.set_sentence(state, "sequence", " ")


def test_replaced_embeddings_keep_the_settings_but_the_width():
    state = states.cross_state(temperature=0.5, mask="causal", scale="d_k", seed=5, d_k=3, custom_multiplier=2.0)
    fresh = edits.replace_embeddings(state, ["a", "b"], np.arange(10.0).reshape(2, 5), "new")
    assert (fresh.title, fresh.context, fresh.d_k, fresh.width) == ("new", None, 5, 5)
    kept = (fresh.temperature, fresh.is_causal, fresh.scale, fresh.seed, fresh.custom_multiplier)
    assert kept == (0.5, True, "d_k", 5, 2.0)


def test_refitted_plane_is_that_of_the_points_as_they_are():
    state = states.random_state(5, 3)
    moved = edits.move_point(state, "sequence", 0, 30.0, 0.0)
    refitted = edits.refit_plane(moved)
    assert refitted.plane.is_same(states.State(sequence=moved.sequence).plane)
    assert not refitted.plane.is_same(state.plane)


def test_there_is_no_plane_to_refit_in_two_dimensions(state):
    with pytest.raises(DocumentError, match="a plane is fitted for embeddings with 3 or more coordinates, got 2"):
        edits.refit_plane(state)
