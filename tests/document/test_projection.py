"""Columns act up to d_k; drawn ones follow the written ones, and come back the same."""

from dataclasses import replace

import numpy as np
import pytest

from attnviz.document import projection
from attnviz.document.edits import redraw, set_scalar
from attnviz.document.projection import (
    key_matrix,
    keys,
    learned_positions,
    position_table,
    queries,
    query_matrix,
    values,
)
from tests.document import states


def test_projection_is_the_identity_at_d_k_equal_to_d():
    state = states.cross_state(3, 5, 7)
    np.testing.assert_array_equal(query_matrix(state), np.eye(7))
    np.testing.assert_array_equal(queries(state, state.sequence.embeddings), state.sequence.embeddings)
    np.testing.assert_array_equal(keys(state, state.key_sequence.embeddings), state.context.embeddings)
    np.testing.assert_array_equal(values(state, state.key_sequence.embeddings), state.context.embeddings)


def test_lowering_d_k_keeps_the_first_columns():
    state = set_scalar(states.random_state(5, 7), "d_k", 3)
    np.testing.assert_array_equal(key_matrix(state), np.eye(7)[:, :3])
    np.testing.assert_array_equal(keys(state, state.key_sequence.embeddings), state.sequence.embeddings[:, :3])


def test_raising_lowering_and_raising_d_k_brings_the_same_bits_back():
    state = states.random_state(5, 2)
    raised = set_scalar(state, "d_k", 19)
    before = queries(raised, raised.sequence.embeddings).tobytes()
    set_scalar(raised, "d_k", 1)
    again = set_scalar(set_scalar(raised, "d_k", 1), "d_k", 19)
    assert queries(again, again.sequence.embeddings).tobytes() == before


@pytest.mark.parametrize("d_k", [3, 4, 5, 64, 65, 1024])
def test_wider_draw_begins_with_the_narrower_one(d_k):
    widest = query_matrix(set_scalar(states.random_state(5, 2), "d_k", 1024))
    np.testing.assert_array_equal(query_matrix(set_scalar(states.random_state(5, 2), "d_k", d_k)), widest[:, :d_k])


@pytest.mark.parametrize("d", [2, 13, 300])
def test_drawn_entries_have_mean_0_and_variance_1_over_d(d):
    drawn = query_matrix(set_scalar(states.random_state(1, d), "d_k", 1024))[:, d:]
    count = drawn.size
    assert abs(drawn.mean()) < 5 / np.sqrt(d * count)
    assert abs(drawn.var() * d - 1.0) < 5 * np.sqrt(2 / count)


def test_queries_and_keys_are_drawn_apart():
    state = set_scalar(states.random_state(5, 2), "d_k", 8)
    assert not np.array_equal(query_matrix(state)[:, 2:], key_matrix(state)[:, 2:])


def test_new_draw_changes_the_drawn_columns_alone():
    state = set_scalar(states.random_state(5, 2), "d_k", 8)
    other = redraw(state)
    np.testing.assert_array_equal(query_matrix(other)[:, :2], np.eye(2))
    assert not np.isin(query_matrix(other)[:, 2:], query_matrix(state)[:, 2:]).any()


def test_seed_runs_round_at_its_end():
    assert redraw(states.cat_dog_phone(seed=2**31 - 1)).seed == 0


@pytest.mark.parametrize("d_k", [1, 2, 3, 5, 31])
def test_projecting_part_by_part_is_one_product(d_k):
    rng = np.random.default_rng(3)
    w_q, w_k, w_v = rng.normal(size=(7, 3)), rng.normal(size=(7, 3)), rng.normal(size=(7, 2))
    state = replace(states.cross_state(3, 5, 7), w_q=w_q, w_k=w_k, w_v=w_v, d_k=d_k)
    np.testing.assert_array_equal(query_matrix(state)[:, : min(3, d_k)], w_q[:, :d_k])
    np.testing.assert_allclose(
        queries(state, state.sequence.embeddings), state.sequence.embeddings @ query_matrix(state), rtol=1e-13
    )
    np.testing.assert_allclose(
        keys(state, state.key_sequence.embeddings), state.context.embeddings @ key_matrix(state), rtol=1e-13
    )
    np.testing.assert_allclose(values(state, state.key_sequence.embeddings), state.context.embeddings @ w_v, rtol=1e-13)


@pytest.mark.parametrize("d_k", [1, 2, 3])
def test_projected_arrays_are_read_only(d_k):
    state = set_scalar(states.cat_dog_phone(w_v=[[1.0], [2.0]]), "d_k", d_k)
    for array in (
        queries(state, state.sequence.embeddings),
        keys(state, state.key_sequence.embeddings),
        values(state, state.key_sequence.embeddings),
    ):
        assert not array.flags.writeable


@pytest.mark.parametrize("n_written", [0, 3, 11])
def test_learned_positions_are_rows_of_the_table_that_is_written_and_then_drawn(n_written):
    written = np.random.default_rng(0).normal(size=(n_written, 5)) if n_written else None
    state = replace(states.random_state(3, 5), position_table=written)
    table = position_table(state, 11)
    drawn = np.random.default_rng([state.seed, 2]).standard_normal((11, 5)) / np.sqrt(5)
    np.testing.assert_array_equal(table[n_written:11], drawn[n_written:])
    if written is not None:
        np.testing.assert_array_equal(table[:n_written], written)
    places = np.array([10, 0, 2, 3, 10])
    np.testing.assert_array_equal(learned_positions(state, places), table[places])
    assert not table.flags.writeable
    again = position_table(replace(state, temperature=2.0), 11)
    assert np.shares_memory(again, table)  # not stacked again for every frame


def test_few_drawn_tables_are_remembered():
    for seed in range(9):
        position_table(replace(states.random_state(3, 5), seed=seed), 11)
        queries(set_scalar(states.random_state(3, 5, seed=seed), "d_k", 8), np.eye(5))
    caches = projection._draw, projection._draw_rows, projection._stacked
    assert [cache.cache_info().currsize <= most for cache, most in zip(caches, (6, 2, 2), strict=True)] == [True] * 3
