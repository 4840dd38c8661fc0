"""Masks and softmax variants through document and frame: every figure is from outside the code."""

import math
from dataclasses import replace

import numpy as np
import pytest

from attnviz.document import edits, layer_edits
from attnviz.document import masking as masking_module
from attnviz.document.budgets import Remark, remarks_on, share_of_nothing
from attnviz.document.errors import DocumentError
from attnviz.document.frame import compute
from attnviz.document.hidden_cells import hidden_cells, hidden_rows, leaking_cells
from attnviz.document.interventions import Intervention, Interventions
from attnviz.document.masking import allowed_cells, diagonal_of
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.engine import StreamedAttention
from tests.document.states import assert_one_sentence, cross_state

METHODS = ("before", "add_large_negative", "fill_large_negative", "multiply_zero", "after", "after_renormalised")
STAGES = ("scores", "scaled", "masked", "exponentials", "weights")


def with_scores(scores, **fields):
    """A document whose raw scores are these: the queries are rows of W_Q, the keys those of the identity."""
    scores = np.asarray(scores, float)
    n_query, n_key = scores.shape
    width = max(n_query, n_key)
    w_q = np.zeros((width, width))
    w_q[:n_query, :n_key] = scores
    query_names, key_names = "abcdefg"[:n_query], "tuvwxyz"[:n_key]
    context = None if n_query == n_key else TokenSequence(tuple(key_names), np.eye(width)[:n_key])
    fields.setdefault("scale", "none")
    sequence = TokenSequence(tuple(query_names), np.eye(width)[:n_query])
    return State(sequence, context=context, w_q=w_q, w_k=np.eye(width), **fields)


def one_row(row, banned=(), **fields):
    """The frame of rows that are all alike, with the same keys banned in each."""
    state = with_scores([row] * len(row), **fields)
    return compute(hide(state, banned))


def hide(state, keys):
    if not keys:
        return state
    cells = [(query, key) for query in range(len(state.sequence)) for key in keys]
    return layer_edits.set_visible(state, cells, is_visible=False)


def grid(text):
    return np.array([[cell == "1" for cell in line] for line in text.split()])


def everywhere(frame):
    return np.arange(frame.n_query), np.arange(frame.n_key)


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=5e-6, atol=1e-9)


def remarks(frame, subject):
    return [(remark.rows, remark.sentence) for remark in remarks_on(frame) if remark.subject == subject]


# Which keys a query may see


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"mask": "causal"}, "111100 111110 111111"),
        ({"mask": "causal", "align": "top_left"}, "100000 110000 111000"),
        ({"mask": "window", "window": 1}, "000100 000010 000001"),
        ({"mask": "window", "window": 3}, "011111 001111 000111"),
        ({"mask": "causal_window", "window": 2}, "001100 000110 000011"),
        ({"mask": "prefix", "prefix": 5}, "111110 111110 111111"),
        ({"mask": "prefix", "prefix": 2, "align": "top_left"}, "110000 110000 111000"),
        ({"mask": "block", "block": 2}, "001100 000011 000011"),
        ({"mask": "custom"}, "111111 111111 111111"),
    ],
)
def test_each_rule_with_three_queries_and_six_keys(fields, expected):
    frame = compute(cross_state(3, 6, **fields))
    expected = grid(expected)
    banned = frame.banned(*everywhere(frame))
    np.testing.assert_array_equal(~banned, expected)
    np.testing.assert_array_equal(frame.trace.weights > 0, expected)


def test_five_queries_and_two_keys_leave_three_rows_without_a_visible_key():
    frame = compute(cross_state(5, 2, mask="causal"))
    np.testing.assert_array_equal(frame.trace.weights > 0, grid("00 00 00 10 11"))
    np.testing.assert_array_equal(frame.output[:3], np.zeros((3, 7)))
    assert remarks(frame, "empty") == [((0, 1, 2), "No visible key: q0, q1, q2; weights and output are 0.")]
    np.testing.assert_array_equal(hidden_rows(frame, "weights", np.arange(5)), [True, True, True, False, False])


def test_the_last_query_of_a_cached_text_sees_every_key():
    scores = [[1.0, 0.0, 1.0, 2.0]]
    both = {
        align: compute(with_scores(np.array(scores) / math.sqrt(2), mask="causal", align=align)).trace.weights[0]
        for align in ("bottom_right", "top_left")
    }
    close(both["bottom_right"], [0.221181, 0.109057, 0.221181, 0.448581])
    close(both["top_left"], [1.0, 0.0, 0.0, 0.0])


@pytest.mark.parametrize(
    ("align", "n_query", "n_key", "offset"),
    [("bottom_right", 3, 5, 2), ("bottom_right", 5, 2, -3), ("top_left", 3, 5, 0), ("bottom_right", 3, 3, 0)],
)
def test_offset_of_the_diagonal_is_keys_less_queries(align, n_query, n_key, offset):
    assert diagonal_of(cross_state(n_query, n_key, mask="causal", align=align)) == offset


def test_nothing_is_above_the_causal_diagonal():
    frame = compute(cross_state(3, 5, mask="causal"))
    query, key = np.indices((3, 5))
    assert not frame.trace.weights[key > query + 2].any()


def test_padding_bans_its_column_only():
    frame = compute(layer_edits.set_padding(with_scores([[2, 1, 0]] * 3), 1, is_padding=True))
    np.testing.assert_array_equal(frame.banned(*everywhere(frame)), grid("010 010 010"))
    close(frame.trace.weights, [[0.880797, 0.0, 0.119203]] * 3)
    assert not frame.empty_rows.any()


def test_padding_acts_together_with_every_rule():
    state = layer_edits.set_padding(cross_state(3, 6, mask="causal"), 1, is_padding=True)
    np.testing.assert_array_equal(allowed_cells(state), grid("101100 101110 101111"))


def test_switching_the_last_padding_off_leaves_no_trace():
    before = with_scores([[2, 1, 0]] * 3)
    state = layer_edits.set_padding(layer_edits.set_padding(before, 1, is_padding=True), 1, is_padding=False)
    assert state.padding is None
    assert state.is_same(before)


def test_painting_changes_the_rule_in_force_into_a_custom_mask():
    state = layer_edits.set_visible(cross_state(3, 6, mask="causal"), [(0, 5), (1, 5)], is_visible=True)
    assert state.mask == "custom"
    np.testing.assert_array_equal(allowed_cells(state), grid("111101 111111 111111"))


def test_inverting_twice_is_the_mask_again_and_clearing_takes_all_away():
    state = layer_edits.set_padding(cross_state(3, 6, mask="causal"), 2, is_padding=True)
    inverted = layer_edits.invert_mask(state)
    np.testing.assert_array_equal(allowed_cells(inverted), grid("000011 000001 000000"))
    np.testing.assert_array_equal(allowed_cells(layer_edits.invert_mask(inverted)), allowed_cells(state))
    cleared = layer_edits.clear_mask(state)
    assert not cleared.has_mask
    assert allowed_cells(cleared) is None


def test_a_mask_of_another_shape_is_refused_and_says_both_shapes():
    with pytest.raises(DocumentError, match=r"must have shape \(5, 7\), got \(7, 5\)") as refusal:
        layer_edits.set_mask_array(cross_state(5, 7, 3), np.ones((7, 5), bool))
    assert_one_sentence(refusal.value)


# Carried along


def test_padding_goes_with_its_token():
    state = layer_edits.set_padding(with_scores([[2, 1, 0]] * 3), 2, is_padding=True)
    moved = edits.move_token(state, "sequence", 2, 0)
    np.testing.assert_array_equal(moved.padding, [True, False, False])
    longer = edits.insert_token(moved, "sequence", 0, "new")
    np.testing.assert_array_equal(longer.padding, [False, True, False, False])
    assert edits.delete_tokens(longer, "sequence", (1,)).padding is None


def test_painted_cells_belong_to_places_and_a_new_token_is_allowed():
    state = layer_edits.set_visible(with_scores([[2, 1, 0]] * 3), [(0, 1), (2, 0)], is_visible=False)
    np.testing.assert_array_equal(edits.move_token(state, "sequence", 2, 0).visible, state.visible)
    longer = edits.insert_token(state, "sequence", 1, "new")
    np.testing.assert_array_equal(longer.visible, grid("1101 1111 1111 0111"))
    np.testing.assert_array_equal(edits.delete_tokens(longer, "sequence", (1,)).visible, state.visible)


# Where the mask acts


@pytest.mark.parametrize(
    ("method", "weights", "total"),
    [
        ("before", [0.731059, 0.268941, 0.0], 1.0),
        ("after", [0.665241, 0.244728, 0.0], 0.909969),
        ("after_renormalised", [0.731059, 0.268941, 0.0], 1.0),
        ("multiply_zero", [0.665241, 0.244728, 0.0900306], 1.0),
        ("add_large_negative", [0.731059, 0.268941, 0.0], 1.0),
        ("fill_large_negative", [0.731059, 0.268941, 0.0], 1.0),
    ],
)
def test_two_one_nought_with_the_third_key_banned(method, weights, total):
    frame = one_row([2, 1, 0], (2,), masking=method)
    close(frame.trace.weights, [weights] * 3)
    close(frame.row_sums(np.arange(3)), [total] * 3)


def test_rows_that_lose_weight_after_the_softmax_are_named():
    frame = one_row([2, 1, 0], (2,), masking="after")
    expected = ((0, 1, 2), "Weights do not sum to 1 (masked after the softmax): a, b, c.")
    assert remarks(frame, "sum") == [expected]
    assert remarks_on(one_row([2, 1, 0], (2,), masking="after_renormalised")) == ()
    assert remarks_on(one_row([2, 1, 0], (2,))) == ()


def test_a_banned_key_wins_where_its_score_is_multiplied_by_nought():
    frame = one_row([-1, -2, -3], (2,), masking="multiply_zero")
    assert frame.cell("weights", 0, 2) == pytest.approx(0.665241, abs=6e-7)
    ((rows, sentence),) = remarks(frame, "leak")
    assert rows == (0, 1, 2)
    assert sentence == "Banned keys have weight (Multiply by 0), by row: a 0.665, b 0.665, c 0.665."


def test_zero_filled_scores_take_an_eighth_each():
    scores = [0.43, -0.21, 0.99, 5.0, -3.0, 8.0]
    right = one_row(scores, (3, 4, 5))
    close(right.trace.weights[0], [0.305067, 0.160860, 0.534073, 0, 0, 0])
    wrong = one_row(scores, (3, 4, 5), masking="multiply_zero")
    close(wrong.trace.weights[0, 3:], [0.124392] * 3)


@pytest.mark.parametrize(
    ("method", "weights"),
    [
        ("before", [0.0, 0.0, 0.0]),
        ("add_large_negative", [0.843795, 0.114195, 0.0420101]),
        ("fill_large_negative", [1 / 3, 1 / 3, 1 / 3]),
        ("multiply_zero", [1 / 3, 1 / 3, 1 / 3]),
        ("after", [0.0, 0.0, 0.0]),
        ("after_renormalised", [0.0, 0.0, 0.0]),
    ],
)
def test_a_row_with_every_key_banned(method, weights):
    frame = one_row([3, 1, 0], (0, 1, 2), masking=method)
    close(frame.trace.weights[0], weights)
    is_silent = not any(weights)
    assert bool(remarks(frame, "leak")) != is_silent
    ((_, sentence),) = remarks(frame, "empty")
    assert ("weights and output are 0" in sentence) == is_silent
    np.testing.assert_array_equal(hidden_rows(frame, "weights", np.arange(3)), [is_silent] * 3)


def test_a_large_negative_number_leaks_where_scores_are_as_large():
    frame = one_row([-1.2e9, 5.0], (1,), masking="fill_large_negative")
    np.testing.assert_array_equal(frame.trace.weights[0], [0.0, 1.0])
    assert remarks(frame, "leak")[0][1] == "Banned keys have weight (Fill -1e9), by row: a 1, b 1."
    np.testing.assert_array_equal(one_row([-1.2e9, 5.0], (1,)).trace.weights[0], [1.0, 0.0])


def test_both_readings_of_an_imported_mask():
    stored = np.array([[True, True, False]] * 3)
    state = with_scores([[2, 1, 0]] * 3)
    close(compute(layer_edits.set_mask_array(state, stored)).trace.weights[0], [0.731059, 0.268941, 0.0])
    close(compute(layer_edits.set_mask_array(state, ~stored)).trace.weights[0], [0.0, 0.0, 1.0])


def test_keys_that_a_large_negative_number_bans_leak_nothing_where_their_weight_is_too_small_for_a_float():
    assert remarks_on(one_row([2, 1, 0], (2,), masking="fill_large_negative")) == ()  # e^-1e9 is 0


def test_row_whose_visible_weights_are_all_nought_cannot_be_divided_by_their_sum():
    frame = one_row([1000, 0], (0,), masking="after_renormalised")
    np.testing.assert_array_equal(frame.trace.weights, np.zeros((2, 2)))  # e^-1000 is 0, and 0 stays 0
    expected = ((0, 1), "Weights do not sum to 1 (every visible weight is 0): a, b.")
    assert remarks(frame, "sum") == [expected]


def test_dropout_is_the_reason_where_rows_lose_weights():
    frame = one_row([0, 0, 0, 0], dropout=0.5)
    kept = (np.random.default_rng([0, 0]).random((4, 4)) >= 0.5).sum(axis=1)
    assert kept.tolist() == [1, 4, 3, 2]  # of four weights of 1/4, doubled: 2 of them make 1
    assert remarks(frame, "sum") == [((0, 1, 2), "Weights do not sum to 1 (dropout): a, b, c.")]


def test_pinned_weight_is_the_reason_in_a_long_text_too():
    sequence = TokenSequence(tuple(f"t{i}" for i in range(211)), np.zeros((211, 2)))
    pins = Interventions([Intervention("weight", 7, 3, 0.5), Intervention("weight", 9, 0, 1 / 211)])
    frame = compute(State(sequence, interventions=pins))
    assert isinstance(frame.attention, StreamedAttention)
    assert remarks_on(frame) == (Remark("sum", (7,), "Weights do not sum to 1 (pinned): t7."),)


# What is hatched, and what is marked as banned beside its number


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("stage", STAGES)
def test_a_banned_cell_is_hidden_exactly_where_it_has_no_number_and_marked_where_it_has_one(method, stage):
    frame = one_row([3, 1, 0], (1,), masking=method)
    cells = everywhere(frame)
    hidden, leaking = hidden_cells(frame, stage, *cells), leaking_cells(frame, stage, *cells)
    is_of_the_mask = stage in ("masked", "exponentials", "weights")
    hides = {"before": is_of_the_mask, "after": stage == "weights", "after_renormalised": stage == "weights"}
    assert frame.shows_mask(stage) == hides.get(method, False)
    banned = grid("010 010 010")
    np.testing.assert_array_equal(hidden, banned & frame.shows_mask(stage))
    np.testing.assert_array_equal(leaking, banned & is_of_the_mask & (not frame.shows_mask(stage)))
    if frame.shows_mask(stage):
        gone = -np.inf if stage == "masked" else 0.0
        assert (frame.cells(stage, *cells)[hidden] == gone).all()


def test_a_pinned_weight_of_a_banned_cell_is_not_hidden():
    pin = Intervention("weight", 0, 1, 0.25)
    state = hide(with_scores([[3, 1, 0]] * 3, interventions=Interventions([pin])), (1,))
    frame = compute(state)
    np.testing.assert_array_equal(hidden_cells(frame, "weights", *everywhere(frame)), grid("000 010 010"))
    np.testing.assert_array_equal(leaking_cells(frame, "weights", *everywhere(frame)), grid("010 000 000"))
    assert remarks(frame, "leak")[0][1] == "Banned keys have weight (pinned), by row: a 0.25."
    assert remarks(frame, "sum") == [((0,), "Weights do not sum to 1 (pinned): a.")]


def test_row_with_a_pinned_weight_is_not_hidden_although_it_sees_no_key():
    pin = Intervention("weight", 1, 2, 0.25)
    frame = compute(hide(with_scores([[3, 1, 0]] * 3, interventions=Interventions([pin])), (0, 1, 2)))
    np.testing.assert_array_equal(hidden_rows(frame, "weights", np.array([2, 1, 0])), [True, False, True])
    np.testing.assert_array_equal(hidden_rows(frame, "masked", np.array([2, 1, 0])), [True, True, True])


# Softmax variants


def test_plus_one_lets_a_row_attend_to_nothing():
    frame = one_row([2, 1, 0], softmax="plus_one")
    close(frame.trace.weights, [[0.610296, 0.224515, 0.0825945]] * 3)
    close(share_of_nothing(frame, np.arange(3)), [0.0825945] * 3)
    close(frame.row_sums(np.arange(3)) + share_of_nothing(frame, np.arange(3)), [1, 1, 1])
    low = one_row([-5, -5, -5], softmax="plus_one")
    close(low.trace.weights[0], [0.00660445] * 3)
    close(low.row_sums(np.array([0])), [0.0198133])
    assert remarks(frame, "sum") == [((0, 1, 2), "Weights do not sum to 1 (plus one): a, b, c.")]


def test_a_sink_takes_its_share_of_each_row():
    state = layer_edits.set_sink(with_scores([[2, 1, 0]] * 3), 0, 1.0)
    frame = compute(state)
    total = math.e**2 + math.e + 1 + math.e
    close(frame.trace.weights[0], [math.e**2 / total, math.e / total, 1 / total])
    close(share_of_nothing(frame, np.array([1])), [math.e / total])
    assert remarks(frame, "sum")[0][1] == "Weights do not sum to 1 (sink): a, b, c."


def test_sink_of_one_head_leaves_those_of_the_others_even_of_heads_that_are_not_there():
    state = cross_state(3, 5, 6, n_heads=2, sinks=np.array([1.0, 2.0, 3.0]))
    assert layer_edits.set_sink(state, 1, -4.0).sinks.tolist() == [1.0, -4.0, 3.0]
    assert layer_edits.set_sink(cross_state(3, 5, 6, n_heads=2), 1, -4.0).sinks.tolist() == [0.0, -4.0]


def test_sink_and_plus_one_add_up_and_each_head_has_its_own_sink():
    state = layer_edits.set_sink(with_scores([[2, 1, 0, 0]] * 4, softmax="plus_one"), 0, 0.0)
    close(share_of_nothing(compute(state), np.array([0])), [2 / (math.e**2 + math.e + 4)])
    two = layer_edits.set_sink(edits.set_scalar(cross_state(3, 5, 6), "heads", 2), 1, 40.0)
    frame = compute(two)
    first, second = (share_of_nothing(frame.at_head(head), np.arange(3)) for head in (0, 1))
    assert (first < 0.9).all()
    assert (second > 0.999).all()


def test_an_empty_row_gives_all_its_attention_to_nothing():
    frame = one_row([2, 1, 0], (0, 1, 2), softmax="plus_one")
    close(share_of_nothing(frame, np.arange(3)), [1, 1, 1])
    assert not frame.trace.weights.any()
    assert remarks(frame, "sum") == []


def test_rows_share_out_everything_under_the_standard_softmax():
    assert share_of_nothing(one_row([2, 1, 0]), np.arange(3)) is None
    assert share_of_nothing(one_row([2, 1, 0], softmax="columns"), np.arange(3)) is None


def test_softmax_of_columns_makes_no_budgets_of_rows():
    scores = [[2, 0, 0], [2, 1, 0], [2, 0, 1]]
    close(compute(with_scores(scores)).column_sums(np.arange(3)), [2.117470, 0.441266, 0.441266])
    frame = compute(with_scores(scores, softmax="columns"))
    close(frame.row_sums(np.arange(3)), [0.757216, 1.12139, 1.12139])
    close(frame.column_sums(np.arange(3)), [1, 1, 1])
    assert remarks(frame, "sum") == [((0, 1, 2), "Weights do not sum to 1 (softmax of columns): a, b, c.")]


def test_soft_cap_bends_the_scores_that_the_softmax_sees():
    frame = one_row([100.0, 1.0, -100.0], soft_cap=5.0)
    close(frame.trace.masked[0], [5.0, 5 * math.tanh(0.2), -5.0])
    assert frame.limit("masked") == pytest.approx(5.0)
    assert frame.limit("scaled") == 100.0


def test_uniform_causal_scores_favour_the_first_token():
    frame = compute(with_scores(np.zeros((4, 4)), mask="causal"))
    close(frame.column_sums(np.arange(4)) / 4, [0.520833, 0.270833, 0.145833, 0.0625])


@pytest.mark.parametrize("field", ["padding", "visible"])
def test_states_with_and_without_painted_cells_differ(field):
    plain = with_scores([[2, 1, 0]] * 3, mask="custom")
    flags = np.ones(3, bool) if field == "padding" else np.ones((3, 3), bool)
    other = with_scores([[2, 1, 0]] * 3, mask="custom", **{field: flags})
    assert not plain.is_same(other)
    assert not other.is_same(plain)


@pytest.mark.parametrize("fields", [{"mask": "causal"}, {"mask": "none"}, {"mask": "custom"}])
def test_mask_with_padding_is_made_once_for_all_frames_and_read_only(fields):
    state = with_scores([[2, 1, 0]] * 3, padding=np.array([True, False, False]), **fields)
    allowed = allowed_cells(state)
    np.testing.assert_array_equal(allowed, grid("000 010 011" if fields["mask"] == "causal" else "011 011 011"))
    assert not allowed.flags.writeable
    assert allowed_cells(replace(state, temperature=2.0)) is allowed
    other = replace(state, padding=np.array([False, True, False]))
    assert not np.array_equal(allowed_cells(other), allowed)


def test_few_masks_are_remembered():
    for window in range(1, 9):
        allowed_cells(
            with_scores([[2, 1, 0]] * 3, mask="window", window=window, padding=np.array([True, False, False]))
        )
    for cache in (masking_module._by_rule, masking_module._without):
        assert cache.cache_info().currsize <= 2
