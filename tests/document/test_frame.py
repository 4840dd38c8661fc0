"""A frame holds what the formulas give, whole or streamed, and reads the same at any size."""

import gc
import weakref
from dataclasses import fields, replace

import numpy as np
import pytest

from attnviz.document.attending import EAGER_CELLS
from attnviz.document.errors import DocumentError
from attnviz.document.frame import STAGES, compute, drawn_limit
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.engine import AttentionTrace, StreamedAttention, attend, causal_mask
from tests import reference
from tests.document import states

EVERY = np.arange(710)
SOME = np.array([0, 1, 5, 353, 709])


@pytest.fixture(scope="module", params=[False, True], ids=["all visible", "causal"])
def large(request):
    """A frame of 710 tokens with the whole trace of the same numbers."""
    frame = compute(states.random_state(710, 3, mask="causal" if request.param else "none", temperature=0.7))
    allowed = causal_mask(710, 710) if request.param else None
    return frame, attend(frame.q, frame.k, frame.v, temperature=0.7, allowed=allowed)


def test_frame_holds_what_a_slow_obvious_formula_gives():
    state = states.cross_state(3, 5, 7, w_v=np.random.default_rng(2).normal(size=(7, 2)), temperature=0.5)
    frame = compute(state)
    q, k = state.sequence.embeddings.tolist(), state.context.embeddings.tolist()
    v = [[reference.dot(row, column) for column in state.w_v.T.tolist()] for row in k]
    weights, output = reference.attention(q, k, v, 1 / (0.5 * 7**0.5))
    np.testing.assert_allclose(frame.trace.weights, weights, atol=1e-14)
    np.testing.assert_allclose(frame.output, output, atol=1e-14)
    assert frame.multiplier == pytest.approx(1 / (0.5 * 7**0.5), rel=1e-15)


def test_rows_are_queries_and_columns_are_keys():
    frame = compute(states.cross_state(3, 5, 7))
    assert (frame.n_query, frame.n_key) == (3, 5)
    assert frame.query_tokens == ("q0", "q1", "q2")
    assert frame.key_tokens == ("k0", "k1", "k2", "k3", "k4")
    assert frame.trace.weights.shape == (3, 5)


def test_small_frame_keeps_everything_and_a_large_one_streams(large):
    small = compute(states.random_state(EAGER_CELLS // 160, 2))
    assert isinstance(small.attention, AttentionTrace)
    assert small.trace is small.attention
    assert isinstance(large[0].attention, StreamedAttention)


@pytest.mark.parametrize("stage", STAGES)
def test_streamed_cells_agree_with_the_whole_trace(large, stage):
    frame, whole = large
    for rows, columns in ((EVERY, EVERY), (SOME, EVERY), (SOME, SOME[::-1])):
        expected = getattr(whole, stage)[np.ix_(rows, columns)]
        np.testing.assert_allclose(frame.cells(stage, rows, columns), expected, rtol=1e-12, atol=1e-12)


def test_streamed_output_and_whole_trace_agree(large):
    frame, whole = large
    np.testing.assert_allclose(frame.output, whole.output, atol=1e-12)
    np.testing.assert_allclose(frame.trace.weights, whole.weights, atol=1e-12)
    assert frame.trace is frame.trace


def test_streamed_row_agrees_with_the_whole_trace(large):
    frame, whole = large
    for query in SOME.tolist():
        row = frame.row(query)
        assert row.weights.shape == (1, 710)
        for stage in STAGES:
            expected = getattr(whole, stage)[query]
            np.testing.assert_allclose(getattr(row, stage)[0], expected, rtol=1e-12, atol=1e-12)
    assert frame.row(5) is frame.row(5)


def test_row_of_a_small_frame_has_the_bits_of_the_trace():
    frame = compute(states.random_state(13, 3, mask="causal"))
    row = frame.row(4)
    for name in ("q", *STAGES, "row_max", "normaliser", "output", "empty_rows"):
        np.testing.assert_array_equal(getattr(row, name), getattr(frame.trace, name)[4:5])
    assert row.k is frame.trace.k


def test_cells_come_in_the_order_asked_for():
    frame = compute(states.random_state(5, 3))
    everything = np.arange(5)
    assert frame.cells("weights", everything, everything) is frame.trace.weights
    np.testing.assert_array_equal(frame.cells("weights", everything[::-1], everything), frame.trace.weights[::-1])
    np.testing.assert_array_equal(
        frame.cells("scores", np.array([3, 0]), np.array([1, 1, 4])),
        [[frame.cell("scores", i, j) for j in (1, 1, 4)] for i in (3, 0)],
    )


def test_banned_cells_are_those_after_the_query(large):
    frame, whole = large
    banned = frame.banned(SOME, EVERY)
    np.testing.assert_array_equal(banned, np.isneginf(whole.masked[SOME]))


def test_causal_diagonal_ends_at_the_last_key():
    frame = compute(states.cross_state(3, 5, 2, mask="causal"))
    expected = [[False, False, False, True, True], [False, False, False, False, True], [False] * 5]
    np.testing.assert_array_equal(frame.banned(np.arange(3), np.arange(5)), expected)
    np.testing.assert_array_equal(frame.trace.weights == 0.0, expected)


def test_row_of_a_small_frame_is_the_whole_trace_of_that_query():
    frame = compute(states.random_state(7, 3, mask="causal"))
    row = frame.row(4)
    alone = attend(frame.q[4:5], frame.k, frame.v, allowed=causal_mask(7, 7)[4:5])
    for field in fields(AttentionTrace):
        if field.name != "options":
            np.testing.assert_allclose(getattr(row, field.name), getattr(alone, field.name), atol=1e-15)
    np.testing.assert_array_equal(row.options.allowed, alone.options.allowed)


def test_row_without_a_visible_key_sums_to_0():
    frame = compute(states.cross_state(5, 3, 2, mask="causal"))
    np.testing.assert_array_equal(frame.empty_rows, [True, True, False, False, False])
    np.testing.assert_allclose(frame.row_sums(np.arange(5)), [0, 0, 1, 1, 1], atol=1e-15)


def test_row_sums_of_a_large_frame_are_1(large):
    np.testing.assert_allclose(large[0].row_sums(SOME), 1.0, atol=1e-12)


@pytest.mark.parametrize("fields", [{}, {"scale": "custom", "custom_multiplier": -3.0}])
def test_limits_are_the_largest_magnitudes(fields):
    frame = compute(states.random_state(7, 3, **fields))
    for stage in ("scores", "scaled"):
        assert frame.limit(stage) == pytest.approx(np.abs(getattr(frame.trace, stage)).max(), rel=1e-15)
    assert frame.limit("masked") == frame.limit("scaled")
    assert frame.limit("weights") == frame.limit("exponentials") == 1.0


def test_colours_of_nothing_but_noughts_run_to_1_and_of_anything_else_to_the_largest():
    assert drawn_limit(0.0) == 1.0
    assert drawn_limit(0.25) == 0.25
    assert drawn_limit(1e-320) == 1e-300


def test_limits_of_a_large_frame_are_the_largest_magnitudes(large):
    frame, whole = large
    assert frame.limit("scores") == pytest.approx(np.abs(whole.scores).max(), rel=1e-12)


@pytest.mark.parametrize("x", [0.0, 5e-324, 1e-160, 1e-155, 3e-150])
def test_limits_of_scores_near_nought_leave_room_for_256_colours(x):
    frame = compute(State(sequence=TokenSequence(("a", "b"), [[x, 0.0], [0.0, x]])))
    assert all(np.isfinite(256.0 / frame.limit(stage)) for stage in ("scores", "scaled", "masked"))


@pytest.mark.parametrize("n", [2, 200])
def test_limit_of_nothing_but_noughts_is_1(n):
    frame = compute(states.random_state(n, 3, scale="custom", custom_multiplier=0.0))
    assert frame.limit("scaled") == 1.0


def test_largest_weight_of_the_start_up_scene_is_that_of_phone_on_itself():
    assert compute(states.cat_dog_phone()).largest_weight == pytest.approx(0.529348, abs=5e-7)


def test_largest_weight_of_a_large_frame_is_that_of_its_trace(large):
    frame, trace = large
    assert frame.largest_weight == pytest.approx(trace.weights.max(), rel=1e-12)


def test_custom_multiplier_acts_under_its_rule_alone():
    state = states.cat_dog_phone(custom_multiplier=0.25, temperature=2.0)
    assert compute(state).multiplier == pytest.approx(0.5 / 2**0.5)
    assert compute(replace(state, scale="custom")).multiplier == 0.125


@pytest.mark.parametrize("n", [3, 311])
def test_numbers_that_overflow_are_refused_in_one_sentence(n):
    state = states.random_state(n, 2)
    rows = np.array(state.sequence.embeddings)
    rows[0] = 1e200
    with pytest.raises(DocumentError, match=r"q k\^T must stay below 1\.8e308"):
        compute(replace(state, sequence=TokenSequence(state.sequence.tokens, rows)))


@pytest.mark.parametrize("n", [3, 311])
def test_projection_that_overflows_is_refused_in_one_sentence(n):
    state = states.random_state(n, 2, w_q=np.full((2, 2), 1e308), w_k=np.full((2, 2), 1e308))
    rows = np.array(state.sequence.embeddings)
    rows[0] = 9.0
    with pytest.raises(DocumentError, match="q must be finite"):
        compute(replace(state, sequence=TokenSequence(state.sequence.tokens, rows)))


def test_rows_without_a_visible_key_do_not_count_for_the_largest_weight():
    frame = compute(states.cross_state(n_query=5, n_key=3, mask="causal"))
    assert frame.empty_rows.any()
    assert frame.largest_weight == pytest.approx(frame.trace.weights.max(), rel=1e-12)


def test_frames_of_the_heads_of_a_layer_are_one_object_each():
    frame = compute(states.random_state(5, 4, n_heads=4))
    other = frame.at_head(2)
    assert frame.at_head(0) is frame
    assert (frame.at_head(2), other.at_head(2), other.at_head(0)) == (other, other, frame)
    third = other.at_head(3)
    assert frame.at_head(9) is third


def test_frame_that_nobody_holds_is_gone_without_the_garbage_collector():
    gc.disable()
    try:
        frame = compute(states.random_state(5, 4, n_heads=4))
        other = frame.at_head(2)
        other.row(1), frame.at_head(1).limit("scores")
        gone = weakref.ref(frame), weakref.ref(other), weakref.ref(frame.layer)
        del frame
        assert gone[0]() is None
        assert other.at_head(0).n_query == 5
        del other
        assert [one() for one in gone] == [None, None, None]
    finally:
        gc.enable()
