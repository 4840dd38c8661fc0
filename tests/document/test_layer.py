"""The layer of a document: every setting reaches the engine, heads are cut and put together, and all of it is saved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviz.document import edits
from attnviz.document.arrays import every
from attnviz.document.attending import EAGER_CELLS, kept_weights
from attnviz.document.attn_file import decode, encode
from attnviz.document.errors import DocumentError
from attnviz.document.frame import STAGES, Frame, compute
from attnviz.document.masking import allowed_cells
from attnviz.document.projection import (
    bias_of,
    bucket_table,
    key_matrix,
    position_table,
    query_matrix,
    value_matrix,
)
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.engine import POSITIONAL_ENCODINGS, AttentionTrace, HeadsTrace, PositionRequest, attend_heads
from tests.document.layers import random_layer
from tests.document.states import assert_one_sentence, cat_dog_phone, cross_state, random_state

SEEDS = st.integers(0, 2**32 - 1)


def by_the_engine(state: State) -> HeadsTrace:
    """Compute a layer by the engine's own function for whole layers, which the slow loops check."""
    n_query, n_key, heads = len(state.sequence), len(state.key_sequence), state.n_heads
    queries = np.arange(n_query) if state.position_ids is None else state.position_ids
    keys = queries if state.context is None else np.arange(n_key)
    keys = keys if state.context_position_ids is None else state.context_position_ids
    queries, keys = queries + state.shift, keys + state.shift
    table = {
        "learned": lambda: position_table(state, int(max(queries.max(), keys.max())) + 1),
        "relative": lambda: bucket_table(state),
    }.get(state.positions, lambda: None)()
    effect = POSITIONAL_ENCODINGS[state.positions].function(
        PositionRequest(
            *(queries, keys, state.width, state.width, heads, state.base, state.pairing, state.rotary_width or None),
            *(table, state.max_distance, state.is_bidirectional),
        )
    )
    x, context = state.sequence.embeddings, state.key_sequence.embeddings
    added, context_added = effect.added, effect.context_added
    rows = every(n_query)
    keep = np.stack([kept_weights(state, head, rows) for head in range(heads)])
    sinks = np.zeros(heads)
    if state.sinks is not None:
        sinks[: len(state.sinks)] = state.sinks[:heads]
    matrices = {"q": query_matrix(state), "k": key_matrix(state), "v": value_matrix(state)}
    return attend_heads(
        x if added is None else x + added,
        context if context_added is None else context + context_added,
        **{f"w_{name}": matrix for name, matrix in matrices.items()},
        **{f"b_{name}": bias_of(state, f"b_{name}", matrix.shape[1]) for name, matrix in matrices.items()},
        w_o=state.w_o,
        b_o=state.b_o,
        n_heads=heads,
        n_kv_heads=state.n_kv_heads,
        rotary=effect.rotary,
        scale=state.custom_multiplier if state.scale == "custom" else state.scale,
        temperature=state.temperature,
        allowed=allowed_cells(state),
        bias=effect.bias,
        masking=state.masking,
        softmax=state.softmax,
        sink=sinks if state.has_sink else None,
        dropout=(keep, state.dropout) if state.dropout else None,
        soft_cap=state.soft_cap or None,
    )


def check_layer(seed: int) -> None:
    state = random_layer(seed)
    frame, expected = compute(state), by_the_engine(state)
    for head in range(state.n_heads):
        trace = frame.at_head(head).trace
        for stage in ("q", "k", "v", *STAGES, "output"):
            shown, whole = getattr(trace, stage), getattr(expected.heads, stage)
            np.testing.assert_allclose(shown, whole[head], rtol=0, atol=1e-12, err_msg=f"{stage} of head {head}")
    np.testing.assert_allclose(frame.layer_output, expected.output, rtol=0, atol=1e-12)
    parts = sum(frame.layer.contribution(head) for head in range(state.n_heads))
    np.testing.assert_allclose(parts + (0.0 if state.b_o is None else state.b_o), expected.output, rtol=0, atol=1e-12)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(seed=SEEDS)
def test_every_setting_reaches_the_engine(seed: int) -> None:
    check_layer(seed)


@pytest.mark.long
@settings(max_examples=10_000, deadline=None, derandomize=True)
@given(seed=SEEDS)
def test_every_setting_reaches_the_engine_in_many_documents(seed: int) -> None:
    check_layer(seed)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(seed=SEEDS)
def test_every_document_is_saved_to_the_last_bit(seed: int) -> None:
    state = random_layer(seed, with_pins=True)
    again = decode(encode(state), "f")
    assert again.is_same(state)
    assert encode(again) == encode(state)


# Heads


def eight_channels(**fields: object) -> State:
    return random_state(5, 8, **fields)


def test_heads_share_the_channels_that_are_there() -> None:
    state = edits.set_scalar(eight_channels(), "heads", 4)
    assert (state.n_heads, state.n_kv_heads, state.d_k, state.d_v) == (4, 4, 2, 2)
    assert edits.set_scalar(state, "heads", 1).is_same(eight_channels())


@pytest.mark.parametrize("head", range(4))
def test_head_takes_its_own_channels(head: int) -> None:
    state = edits.set_scalar(eight_channels(), "heads", 4)
    frame = compute(state).at_head(head)
    own = slice(2 * head, 2 * head + 2)
    np.testing.assert_array_equal(frame.q, state.sequence.embeddings[:, own])
    np.testing.assert_array_equal(frame.w_v, np.eye(8)[:, own])
    np.testing.assert_array_equal(frame.layer_output[:, own], frame.output)


def test_grouped_heads_read_neighbouring_keys_and_values() -> None:
    state = edits.set_scalar(edits.set_scalar(eight_channels(), "heads", 4), "kv_heads", 2)
    frame = compute(state)
    assert [frame.at_head(head).kv_head for head in range(4)] == [0, 0, 1, 1]
    np.testing.assert_array_equal(frame.at_head(2).k, state.sequence.embeddings[:, 2:4])


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("heads", 3, "heads must divide the width of the queries, 8, got 3"),
        ("heads", 17, "heads must be between 1 and 16, got 17"),
        ("kv_heads", 3, "key/value heads must divide the heads, 4, got 3"),
        ("kv_heads", 8, "key/value heads must divide the heads, 4, got 8"),
    ],
)
def test_heads_that_do_not_fit_are_refused(key: str, value: int, sentence: str) -> None:
    state = edits.set_scalar(eight_channels(), "heads", 4)
    with pytest.raises(DocumentError) as caught:
        edits.set_scalar(state, key, value)
    assert str(caught.value) == sentence


def test_heads_that_do_not_divide_the_values_are_refused() -> None:
    with pytest.raises(DocumentError, match="heads must divide the width of the values, 3, got 2"):
        edits.set_scalar(eight_channels(w_v=np.ones((8, 3))), "heads", 2)


def test_frame_of_a_head_is_the_same_object_each_time() -> None:
    frame = compute(edits.set_scalar(eight_channels(), "heads", 4))
    other = frame.at_head(2)
    assert other is frame.at_head(2)
    assert other.at_head(0) is frame
    assert frame.at_head(9).head == 3


def test_tied_keys_are_made_by_the_query_matrix() -> None:
    swap = [[0.0, 1.0], [1.0, 0.0]]  # users can each prefer the other only where W_Q and W_K differ
    untied = State(cat_dog_phone().sequence, w_k=swap)
    tied = edits.set_scalar(untied, "tie", True)
    np.testing.assert_array_equal(compute(tied).k, compute(tied).q)
    assert edits.set_scalar(tied, "tie", False).is_same(untied)


# Sizes


@pytest.mark.parametrize("fields", [{}, {"mask": "window"}, {"mask": "causal", "align": "top_left"}])
def test_large_heads_are_streamed_to_the_same_numbers(fields: dict) -> None:
    state = random_state(EAGER_CELLS // 100, 4, n_heads=2, padding=np.arange(256) % 7 == 3, **fields)
    frame = compute(state).at_head(1)
    rows, columns = np.array([0, 3, 255]), np.array([2, 3, 200])
    whole = by_the_engine(state).heads.weights[1]
    np.testing.assert_allclose(frame.cells("weights", rows, columns), whole[np.ix_(rows, columns)], atol=1e-13)
    np.testing.assert_array_equal(frame.banned(rows, columns), ~allowed_cells(state)[np.ix_(rows, columns)])


def test_what_cannot_be_streamed_is_refused_where_it_is_too_large() -> None:
    with pytest.raises(DocumentError) as caught:
        compute(random_state(2200, 8, softmax="plus_one", n_heads=8))
    assert_one_sentence(caught.value)
    assert "38,720,000" in str(caught.value)


def test_what_cannot_be_streamed_is_kept_whole_where_it_is_not() -> None:
    state = State(TokenSequence(tuple(f"t{i}" for i in range(161)), np.zeros((161, 2))), softmax="plus_one")
    frame = compute(state)
    assert isinstance(frame.attention, AttentionTrace)
    np.testing.assert_allclose(frame.trace.weights, 1 / 162, rtol=1e-14)  # 161 equal scores of 0, and one more unit


@pytest.mark.parametrize(
    ("x", "fields", "sentence"),
    [
        (1e10, {"w_o": [[1e300]]}, "the product with W_O must stay below 1.8e308 in magnitude, got one that overflows"),
        (
            1.0,
            {"w_o": [[1.7e308]], "b_o": [1.7e308]},
            "the product with W_O must stay below 1.8e308 in magnitude, got one that overflows",
        ),
        (1.7e308, {"positions": "learned", "position_table": [[1.7e308]]}, "q must be finite, got inf at (0, 0)"),
    ],
)
def test_sum_or_product_that_overflows_is_refused_without_a_warning(x: float, fields: dict, sentence: str) -> None:
    with pytest.raises(DocumentError) as caught:
        compute(State(TokenSequence(("a",), [[x]]), **fields))
    assert str(caught.value) == sentence


# What goes with tokens


def masked_state() -> State:
    visible = np.ones((3, 5), dtype=bool)
    visible[1, 4] = False
    return cross_state(
        *(3, 5, 2),
        mask="custom",
        visible=visible,
        padding=np.array([False, True, False, False, False]),
        position_ids=np.array([4.0, 5.0, 9.0]),
    )


def test_padding_goes_with_its_token_and_the_painted_cell_stays_at_its_place() -> None:
    moved = edits.move_token(masked_state(), "context", 1, 3)
    assert moved.padding.tolist() == [False, False, False, True, False]
    assert not moved.visible[1, 4]
    assert moved.visible.sum() == 14


def test_new_place_is_seen_and_follows_the_one_before() -> None:
    added = edits.insert_token(masked_state(), "sequence", 1, "new")
    assert added.position_ids.tolist() == [4.0, 5.0, 5.0, 9.0]
    assert added.visible.shape == (4, 5)
    assert added.visible[1].all()
    assert not added.visible[2, 4]
    gone = edits.delete_tokens(masked_state(), "context", [1])
    assert gone.padding is None
    assert gone.visible.shape == (3, 4)
    assert not gone.visible[1, 3]


def test_other_embeddings_begin_without_what_belonged_to_the_old_ones() -> None:
    fresh = edits.replace_embeddings(masked_state(), ["a"], np.ones((1, 4)), "new")
    assert fresh.mask == "none"
    assert fresh.visible is fresh.padding is fresh.position_ids is None


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"w_o": np.ones((3, 2))}, "w_o must have shape (8, 2), got (3, 2)"),
        ({"w_o": np.ones((8, 0))}, "w_o must have shape (8, 1), got (8, 0)"),
        ({"w_o": np.ones((8, 16_385))}, "w_o must have 1 to 16,384 columns, got 16,385"),
        ({"sinks": np.ones(0)}, "sinks must have shape (1,), got (0,)"),
        ({"b_q": np.ones(3)}, "b_q must have shape (8,), got (3,)"),
        ({"b_o": np.ones(3)}, "b_o must be left out where w_o is, got a bias"),
        ({"position_ids": np.ones(4)}, "position_ids must have shape (5,), got (4,)"),
        ({"context_position_ids": np.ones(5)}, "positions of a context must be left out where there is none, got some"),
        ({"visible": np.ones((7, 5), dtype=bool)}, "visible must be true or false in shape (5, 5), got shape (7, 5)"),
        ({"padding": np.ones(5)}, "padding must be true or false in shape (5,), got something else"),
        ({"position_table": np.ones((5, 3))}, "position_table must have shape (5, 8), got (5, 3)"),
        ({"n_heads": 3}, "heads must divide the width of the values, 8, got 3"),
        ({"has_sink": True, "softmax": "columns"}, "the softmax must be along rows where there is a sink"),
        ({"n_heads": 8, "d_k": 1000}, "heads times d_k must be at most 1,024, got 8 · 1,000"),
    ],
)
def test_layer_that_does_not_fit_is_refused(fields: dict, sentence: str) -> None:
    with pytest.raises(DocumentError) as caught:
        eight_channels(**fields)
    assert_one_sentence(caught.value)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"positions": "rotary", "d_k": 3}, "even"),
        ({"positions": "rotary", "rotary_width": 12}, "12"),
        ({"positions": "learned", "position_ids": [-1.0, 0, 1, 2, 3]}, "whole numbers"),
        ({"positions": "relative", "max_distance": 4}, "farthest distance"),
    ],
)
def test_positions_that_do_not_fit_are_refused_in_one_sentence(fields: dict, sentence: str) -> None:
    with pytest.raises(DocumentError, match=sentence) as caught:
        compute(eight_channels(**fields))
    assert_one_sentence(caught.value)


def test_pins_of_a_head_are_its_own() -> None:
    state = edits.set_scalar(eight_channels(), "heads", 4)
    state = replace(state, n_kv_heads=2)
    ref = edits.NumberRef("k", (0, 1))
    state = edits.pin_number(state, ref, 5.0, head=3)
    frame = compute(state)
    assert [bool(frame.at_head(head).pins) for head in range(4)] == [False, False, True, True]
    assert frame.at_head(2).k[0, 1] == 5.0
    assert isinstance(frame, Frame)
    assert edits.release_number(state, ref, head=2).is_same(replace(state, interventions=edits.NO_INTERVENTIONS))
