"""Positions in a document: what they do to scores, what goes with tokens, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from attnviz.document import edits, layer_edits, position_edits
from attnviz.document.attn_file import decode, encode
from attnviz.document.encoding_tables import (
    added_table,
    angles,
    before_and_after,
    bias_table,
    bucket_of,
    bucket_table_of,
    channel_order,
    learned_biases,
    learned_table,
    pairs,
    slope_of,
    turned_table,
)
from attnviz.document.errors import DocumentError
from attnviz.document.frame import compute
from attnviz.document.number_ref import NumberRef
from attnviz.document.position_parts import parts_of, shift_effect
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence

SHIFTS = [1, -7, 100, 10_000]


def document(n=5, d=6, seed=0, **fields):
    """Random tokens with random projections of two heads."""
    random = np.random.default_rng(seed)
    sequence = TokenSequence(tuple("abcdefghijklmnopqrstuvwxyz"[:n]), random.normal(size=(n, d)))
    matrices = {name: random.normal(size=(d, 8)) for name in ("w_q", "w_k", "w_v")}
    return State(sequence, **{**matrices, "n_heads": 2, **fields})


def two_tokens(**fields):
    """The query (1, 2, 3, 4) at position 5 and the key (.5, -1, 2, 0) at position 3."""
    sequence = TokenSequence(("q", "k"), [[1.0, 2.0, 3.0, 4.0], [0.5, -1.0, 2.0, 0.0]])
    return State(sequence, position_ids=np.array([5.0, 3.0]), positions="rotary", **fields)


def refusal(edit, *args):
    with pytest.raises(DocumentError) as caught:
        compute(edit(*args))
    return str(caught.value)


# -- rotary


@pytest.mark.parametrize(("pairing", "expected"), [("interleaved", 4.644436107622), ("half", -4.169911070703)])
@pytest.mark.parametrize("shift", [0, 100])
def test_rotary_score_is_the_known_number_wherever_both_stand(pairing, expected, shift):
    state = edits.set_scalar(two_tokens(pairing=pairing), "shift", shift)
    assert compute(state).cell("scores", 0, 1) == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize(("pairing", "expected"), [("half", ((0, 2), (1, 3))), ("interleaved", ((0, 1), (2, 3)))])
def test_pairs_are_those_of_the_pairing(pairing, expected):
    assert pairs(two_tokens(pairing=pairing)) == expected


def test_angles_fall_off_from_pair_to_pair():
    np.testing.assert_allclose(angles(two_tokens(), np.array([5.0, 3.0])), [[5.0, 0.05], [3.0, 0.03]], atol=1e-15)


@pytest.mark.parametrize("width", [0, 2])
@pytest.mark.parametrize("pairing", ["half", "interleaved"])
def test_vectors_before_and_after_are_those_of_the_engine(pairing, width):
    frame = compute(document(positions="rotary", pairing=pairing, rotary_width=width)).at_head(1)
    q, k = before_and_after(frame, 3, 1)
    np.testing.assert_allclose(q[1], frame.q[3], atol=1e-14)
    np.testing.assert_allclose(k[1], frame.k[1], atol=1e-14)
    np.testing.assert_array_equal(q[0], frame.layer.plain_qk(1)[0][3])
    assert np.abs(q[1] - q[0]).max() > 0.1


def test_turning_keeps_lengths():
    q, _ = before_and_after(compute(two_tokens()), 0, 1)
    assert np.linalg.norm(q[0]) == pytest.approx(np.linalg.norm(q[1]), abs=1e-14)
    assert np.linalg.norm(q[0]) ** 2 == pytest.approx(30.0)


def test_picture_of_rotary_has_a_column_for_each_pair():
    table = turned_table(compute(two_tokens()))
    assert table.column_labels == ("1·3", "2·4")
    np.testing.assert_allclose(table.values, np.cos([[5.0, 0.05], [3.0, 0.03]]), atol=1e-15)
    sines = turned_table(compute(two_tokens()), view="sin")
    np.testing.assert_allclose(sines.values, np.sin([[5.0, 0.05], [3.0, 0.03]]), atol=1e-15)


@pytest.mark.parametrize(
    ("state", "key", "value", "sentence"),
    [
        (
            two_tokens(),
            "rotary_width",
            3,
            "turned channels must be an even number up to d_k, 4, or 0 for all of them, got 3",
        ),
        (
            two_tokens(),
            "rotary_width",
            6,
            "turned channels must be an even number up to d_k, 4, or 0 for all of them, got 6",
        ),
        (
            two_tokens(),
            "d_k",
            3,
            "rotary positions need an even d_k, or an even number of turned channels, got d_k 3",
        ),
        (
            replace(two_tokens(d_k=3), positions="none"),
            "positions",
            "rotary",
            "rotary positions need an even d_k, or an even number of turned channels, got d_k 3",
        ),
        (two_tokens(rotary_width=4), "d_k", 2, "turned channels must be an even number up to d_k, 2, or 0 for all of "
         "them, got 4"),
    ],
)  # fmt: skip
def test_width_that_rotary_cannot_turn_is_refused_with_what_was_expected_and_what_came(state, key, value, sentence):
    assert refusal(edits.set_scalar, state, key, value) == sentence


def test_odd_d_k_can_be_turned_in_part():
    frame = compute(edits.set_scalar(two_tokens(rotary_width=2), "d_k", 3))
    assert pairs(frame.state) == ((0, 1),)


# -- shifts


@pytest.mark.parametrize("encoding", ["rotary", "alibi", "relative", "none"])
@pytest.mark.parametrize("shift", [1, -7, 100])
def test_shift_does_not_move_what_depends_on_distances_alone(encoding, shift):
    state = document(positions=encoding)
    before, after = compute(state), compute(edits.set_scalar(state, "shift", shift))
    for head in range(2):
        logits = after.at_head(head).trace.masked - before.at_head(head).trace.masked
        np.testing.assert_allclose(logits, 0.0, atol=1e-12)
    found = shift_effect(after.state)
    assert found.moved < 1e-12
    assert found.is_rounding


def test_shift_moves_the_scores_of_vectors_that_are_added():
    state = document(positions="sinusoidal", temperature=0.5)
    before, after = compute(state), compute(edits.set_scalar(state, "shift", 3))
    expected = max(np.abs(after.at_head(h).trace.scaled - before.at_head(h).trace.scaled).max() for h in range(2))
    found = shift_effect(after.state)
    assert found.moved == pytest.approx(expected, abs=1e-12)
    assert found.moved > 1.0
    assert not found.is_rounding


def test_effect_of_a_shift_looks_past_mask_pins_and_variants():
    state = document(positions="sinusoidal", shift=2)
    odd = replace(state, mask="causal", softmax="plus_one", has_sink=True, dropout=0.5)
    odd = edits.pin_number(odd, NumberRef("q", (0, 0)), 3.0)
    assert shift_effect(odd) == shift_effect(state)


def test_effect_of_a_shift_on_many_tokens_compares_some_of_them():
    random = np.random.default_rng(3)
    sequence = TokenSequence(tuple(f"t{i}" for i in range(300)), random.normal(size=(300, 4)))
    state = State(sequence, positions="sinusoidal", shift=2)
    found = shift_effect(state)
    assert found.n_compared == 64
    kept = np.linspace(0, 299, 64).round().astype(int)
    moved = compute(state).cells("scaled", kept, kept) - compute(replace(state, shift=0)).cells("scaled", kept, kept)
    assert found.moved == pytest.approx(np.abs(moved).max(), abs=1e-12)


def test_effect_of_a_shift_in_cross_attention_is_that_of_both_lists():
    # d = 1: the query 0 at 0 and the key 1 at 0, each with sin of its position added: 0 · 1, and sin 1 · (1 + sin 1)
    sequence, context = TokenSequence(("q",), [[0.0]]), TokenSequence(("k",), [[1.0]])
    found = shift_effect(State(sequence, context=context, positions="sinusoidal", shift=1))
    sine = 0.8414709848078965
    assert found.moved == pytest.approx(sine * (1.0 + sine), abs=1e-14)
    assert (found.largest, found.n_compared) == (0.0, None)


def test_effect_of_a_shift_is_unknown_where_the_document_cannot_be_without_it():
    state = document(positions="learned", position_ids=np.arange(5.0) - 2, shift=2)
    assert shift_effect(state) is None


# -- vectors that are added


def test_sinusoidal_vector_at_position_1():
    frame = compute(State(TokenSequence(("a", "b"), np.zeros((2, 4))), positions="sinusoidal"))
    expected = [0.841471, 0.540302, 0.0099998, 0.999950]
    np.testing.assert_allclose(added_table(frame).values[1], expected, atol=5e-7)
    halves = added_table(frame, layout="halves")
    np.testing.assert_allclose(halves.values[1], np.array(expected)[[0, 2, 1, 3]], atol=5e-7)
    assert halves.column_labels == ("1", "3", "2", "4")


@pytest.mark.parametrize("d", [4, 5, 7])
def test_halves_are_another_order_of_columns_that_no_dot_product_notices(d):
    state = document(d=d, w_q=None, w_k=None, w_v=None, n_heads=1, positions="sinusoidal")
    frame = compute(state)
    interleaved, halves = (added_table(frame, layout=layout).values for layout in ("interleaved", "halves"))
    assert sorted(channel_order(d, "halves").tolist()) == list(range(d))
    np.testing.assert_allclose(halves @ halves.T, interleaved @ interleaved.T, atol=1e-14)
    assert np.abs(halves - interleaved).max() > 0.1


@pytest.mark.parametrize("fields", [{}, {"is_tied": True}, {"n_kv_heads": 1}])
@pytest.mark.parametrize("encoding", ["sinusoidal", "learned"])
def test_four_parts_add_up_to_the_score_of_every_head(encoding, fields):
    random = np.random.default_rng(5)
    state = document(positions=encoding, b_q=random.normal(size=8), b_k=random.normal(size=8), **fields)
    for head in range(2):
        frame = compute(state).at_head(head)
        for query in range(5):
            for key in range(5):
                found = parts_of(frame, query, key)
                assert found.total == pytest.approx(frame.cell("scores", query, key), abs=1e-12)
                assert found.score == frame.cell("scores", query, key)
                assert not found.is_pinned


def test_four_parts_by_hand():
    # q = x + p with x = 2, p = sin 1; k = x + p with x = 3, p = sin 0 = 0; W_Q = 10, W_K = 1; b_q = 0.5.
    sequence = TokenSequence(("k", "q"), [[3.0], [2.0]])
    state = State(
        sequence, w_q=np.array([[10.0]]), w_k=np.array([[1.0]]), b_q=np.array([0.5]), positions="sinusoidal", base=7.0
    )
    found = parts_of(compute(state), 1, 0)
    sine = 0.8414709848078965
    np.testing.assert_allclose(found.values, [20.5 * 3.0, 0.0, 10.0 * sine * 3.0, 0.0], atol=1e-14)
    found = parts_of(compute(edits.set_scalar(state, "shift", 1)), 0, 1)
    expected = [30.5 * 2.0, 30.5 * np.sin(2.0), 10.0 * sine * 2.0, 10.0 * sine * np.sin(2.0)]
    np.testing.assert_allclose(found.values, expected, atol=1e-13)


def test_four_parts_of_cross_attention():
    random = np.random.default_rng(6)
    context = TokenSequence(("x", "y", "z"), random.normal(size=(3, 6)))
    state = document(context=context, context_position_ids=np.array([4.0, 0.0, 9.0]), positions="sinusoidal")
    frame = compute(state)
    assert parts_of(frame, 4, 2).total == pytest.approx(frame.cell("scores", 4, 2), abs=1e-12)


@pytest.mark.parametrize("ref", [("q", (1, 0)), ("k", (2, 3)), ("score", (1, 2))])
def test_parts_say_that_a_pinned_number_takes_part(ref):
    state = edits.pin_number(document(positions="sinusoidal"), NumberRef(*ref), 9.0)
    found = parts_of(compute(state), 1, 2)
    assert found.is_pinned
    assert abs(found.total - found.score) > 1e-3
    assert not parts_of(compute(state), 0, 1).is_pinned


@pytest.mark.parametrize(
    ("factor", "sentence"),
    [
        (1.0, "the parts of a score must stay below 1.8e308 in magnitude, got one that overflows"),
        (1e200, "query_content must be finite, got inf at (0, 0)"),
    ],
)
def test_parts_that_overflow_are_refused_although_their_sum_does_not(factor, sentence):
    sequence = TokenSequence(("a",), [[1e200]])
    table = np.array([[-1e200]])
    state = State(sequence, w_q=np.array([[factor]]), positions="learned", position_table=table)
    frame = compute(state)
    assert frame.cell("scores", 0, 0) == 0.0
    assert refusal(parts_of, frame, 0, 0) == sentence


def test_parts_of_another_encoding_are_refused():
    assert refusal(parts_of, compute(document(positions="alibi")), 0, 0) == (
        "positions must be sinusoidal or learned to have parts, got alibi"
    )


# -- biases of distances


def test_alibi_of_two_heads_by_hand():
    frame = compute(document(n=3, positions="alibi"))
    assert [slope_of(frame.state, head) for head in range(2)] == [0.0625, 0.00390625]
    expected = -0.0625 * np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 1.0], [2.0, 1.0, 0.0]])
    np.testing.assert_allclose(bias_table(frame).values, expected, atol=0)
    np.testing.assert_allclose(bias_table(frame.at_head(1)).values, expected / 16.0, atol=0)


def test_relative_bias_is_that_of_its_bucket():
    table = np.arange(16.0).reshape(2, 8)
    state = document(positions="relative", bucket_table=table)
    frame = compute(state).at_head(1)
    # T5, 8 buckets both ways: 0 the same place; 1 one back, 2 two and more back; 5 one ahead, 6 two and more.
    assert [bucket_of(state, 2, key) for key in range(5)] == [2, 1, 0, 5, 6]
    np.testing.assert_array_equal(bias_table(frame).values[2], [10.0, 9.0, 8.0, 13.0, 14.0])
    buckets = bucket_table_of(frame)
    expected = [[0, 5, 6, 6, 6], [1, 0, 5, 6, 6], [2, 1, 0, 5, 6], [2, 2, 1, 0, 5], [2, 2, 2, 1, 0]]
    assert buckets.values.tolist() == expected
    assert (buckets.limit, buckets.row_labels, buckets.column_labels) == (7.0, tuple("abcde"), tuple("abcde"))


# -- edits


def test_row_of_ids_says_where_tokens_stand():
    state = position_edits.set_position_ids(document(positions="rotary"), "sequence", [0, 0, 1, 2, 3])
    np.testing.assert_array_equal(state.position_ids, [0, 0, 1, 2, 3])
    assert position_edits.set_position_ids(state, "sequence", range(5)).position_ids is None


@pytest.mark.parametrize("ids", [[0, 1, 2, 3], [0, 1, 2, 3, 4, 5], []])
def test_row_of_ids_of_another_length_is_refused(ids):
    sentence = refusal(position_edits.set_position_ids, document(), "sequence", ids)
    assert sentence == f"position ids must be 5 numbers, got {len(ids)}"


def test_ids_must_be_finite():
    assert "finite" in refusal(position_edits.set_position_ids, document(), "sequence", [0, 1, np.nan, 3, 4])


def test_context_has_a_row_of_its_own():
    state = document(context=TokenSequence(("x", "y"), np.zeros((2, 6))))
    moved = position_edits.set_position_ids(state, "context", [7, 7])
    np.testing.assert_array_equal(moved.context_position_ids, [7, 7])
    assert moved.position_ids is None
    assert refusal(position_edits.set_position_ids, state, "context", [1]) == "position ids must be 2 numbers, got 1"


def test_left_padding_leaves_the_first_real_token_at_0():
    # users: the mask [0, 0, 1, 1, 1] gives 0, 1, 2 to the real tokens.
    state = document(padding=np.array([True, True, False, False, False]), positions="rotary")
    counted = position_edits.count_real_tokens(state)
    np.testing.assert_array_equal(counted.position_ids, [0, 0, 0, 1, 2])


def test_real_tokens_are_scored_with_padding_as_without_it():
    whole = document(positions="sinusoidal")
    padded = position_edits.count_real_tokens(replace(whole, padding=np.array([True, True, False, False, False])))
    alone = edits.delete_tokens(whole, "sequence", [0, 1])
    np.testing.assert_allclose(compute(padded).output[2:], compute(alone).output, atol=1e-14)


def test_padding_of_a_context_moves_the_positions_of_the_context():
    context = TokenSequence(("x", "y", "z"), np.zeros((3, 6)))
    counted = position_edits.count_real_tokens(document(context=context, padding=np.array([True, False, False])))
    np.testing.assert_array_equal(counted.context_position_ids, [0, 0, 1])
    assert counted.position_ids is None


def test_there_must_be_padding_to_count_past_it():
    sentence = "to count real tokens only at least one must be padding, got none"
    assert refusal(position_edits.count_real_tokens, document()) == sentence


def test_entry_of_the_learned_table_writes_down_what_was_drawn():
    state = document(positions="learned", position_ids=np.array([0.0, 1.0, 2.0, 2.0, 6.0]))
    drawn = learned_table(state).values
    edited = position_edits.set_table_entry(state, 2, 1, 9.0)
    expected = drawn.copy()
    expected[2, 1] = 9.0
    assert edited.position_table.shape == (7, 6)
    np.testing.assert_array_equal(edited.position_table, expected)
    np.testing.assert_array_equal(added_table(compute(edited)).values, expected[[0, 1, 2, 2, 6]])
    other = edits.redraw(edited)
    np.testing.assert_array_equal(learned_table(other).values, expected)  # what is written stays
    assert position_edits.forget_tables(edited).is_same(state)


def test_largest_table_comes_back_from_a_file():
    state = document(d=1, w_q=None, w_k=None, w_v=None, n_heads=1, position_ids=np.array([0.0, 1.0, 2.0, 3.0, 1e300]))
    edited = position_edits.set_table_entry(state, 4_999, 0, 9.0)
    assert decode(encode(edited), "f").is_same(edited)


def test_entry_beyond_the_table_is_refused():
    state = document(positions="learned")
    assert refusal(position_edits.set_table_entry, state, 5, 0, 1.0) == (
        "a position of the table must be one of 0 to 4, got 5"
    )
    assert refusal(position_edits.set_table_entry, state, 0, 6, 1.0) == "a channel must be one of 1 to 6, got 7"


def test_bias_of_a_bucket_writes_down_what_was_drawn():
    state = document(positions="relative")
    drawn = learned_biases(state).values
    edited = position_edits.set_bucket_bias(state, 1, 5, -2.5)
    expected = drawn.copy()
    expected[1, 5] = -2.5
    np.testing.assert_array_equal(edited.bucket_table, expected)
    assert bias_table(compute(edited).at_head(1)).values[2, 3] == -2.5
    assert refusal(position_edits.set_bucket_bias, state, 2, 0, 1.0) == "a head must be one of 1 to 2, got 3"
    assert refusal(position_edits.set_bucket_bias, state, 0, 8, 1.0) == "a bucket must be one of 0 to 7, got 8"


def test_written_biases_wait_for_their_heads_and_buckets():
    state = document(positions="relative", bucket_table=np.arange(32.0).reshape(2, 16))
    one = edits.set_scalar(edits.set_scalar(state, "heads", 1), "buckets", 8)
    edited = position_edits.set_bucket_bias(one, 0, 3, -1.0)
    expected = np.arange(32.0).reshape(2, 16)
    expected[0, 3] = -1.0
    np.testing.assert_array_equal(edited.bucket_table, expected)


def test_more_buckets_than_written_are_drawn():
    state = document(positions="relative", bucket_table=np.ones((2, 8)))
    wide = edits.set_scalar(state, "buckets", 12)
    table = learned_biases(wide).values
    np.testing.assert_array_equal(table[:, :8], 1.0)
    assert np.all(table[:, 8:] != 1.0)
    compute(wide)


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("buckets", 5, "buckets must be an even number, at least 4, got 5"),
        ("buckets", 2, "buckets must be an even number, at least 4, got 2"),
        ("buckets", 40, "the farthest distance must be more than half the buckets, 20, got 16"),
        ("max_distance", 4, "the farthest distance must be more than half the buckets, 4, got 4"),
    ],
)
def test_buckets_that_do_not_fit_are_refused(key, value, sentence):
    assert refusal(edits.set_scalar, document(positions="relative"), key, value) == sentence


@pytest.mark.parametrize(("ids", "got"), [([0, 1, -1, 2, 3], "-1"), ([0, 1, 0.5, 2, 3], "0.5")])
def test_learned_positions_must_be_rows_of_the_table(ids, got):
    sentence = refusal(position_edits.set_position_ids, document(positions="learned"), "sequence", ids)
    assert sentence == f"learned positions must be whole numbers from 0 to 4,999, got {got}"


# -- tokens that move


def test_positions_belong_to_places():
    state = document(positions="rotary", position_ids=np.array([0.0, 0.0, 1.0, 5.0, 9.0]))
    moved = edits.move_token(state, "sequence", 0, 4)
    assert moved.sequence.tokens == ("b", "c", "d", "e", "a")
    np.testing.assert_array_equal(moved.position_ids, [0, 0, 1, 5, 9])


def test_new_token_stands_after_the_one_before_it():
    state = document(position_ids=np.array([0.0, 0.0, 1.0, 5.0, 9.0]))
    np.testing.assert_array_equal(edits.insert_token(state, "sequence", 2, "x").position_ids, [0, 0, 1, 1, 5, 9])
    np.testing.assert_array_equal(edits.delete_tokens(state, "sequence", [1]).position_ids, [0, 1, 5, 9])
    assert len(edits.set_sentence(state, "sequence", "a b x c d e").position_ids) == 6


def test_ids_survive_the_file():
    state = document(position_ids=np.array([0.0, 0.5, 1.0, 5.0, 9.0]), positions="relative")
    state = position_edits.set_bucket_bias(layer_edits.set_position(state, "sequence", 0, -2.0), 0, 0, 0.25)
    assert decode(encode(state), "f").is_same(state)


ORDER = [2, 0, 3, 1, 4]


def shuffled(state):
    """Move tokens until they stand in ORDER."""
    for place, origin in enumerate(ORDER):
        name = "abcde"[origin]
        state = edits.move_token(state, "sequence", state.sequence.tokens.index(name), place)
    return state


def test_without_positions_shuffled_tokens_give_shuffled_outputs():
    state = document()
    np.testing.assert_allclose(compute(shuffled(state)).layer_output, compute(state).layer_output[ORDER], atol=1e-13)


@pytest.mark.parametrize("encoding", ["sinusoidal", "learned", "rotary", "alibi", "relative"])
def test_with_positions_order_is_seen(encoding):
    state = document(positions=encoding)
    difference = compute(shuffled(state)).layer_output - compute(state).layer_output[ORDER]
    assert np.abs(difference).max() > 1e-3
