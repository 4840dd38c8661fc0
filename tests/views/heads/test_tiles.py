"""What the small multiples say of the heads: names, one scale, sums over the heads, and sentences."""

from __future__ import annotations

import numpy as np
import pytest

from attnviz.document.edits import pin_number
from attnviz.document.frame import Frame, compute
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.heads.tiles import head_sentence, names_of_head, notes_of, tiles_of
from tests.document.states import random_state


def plain_values() -> Frame:
    """Two heads whose scores are all 0, so that every output is the mean of the values: (2, 15)."""
    sequence = TokenSequence(("a", "b"), [[1.0, 10.0], [3.0, 20.0]])
    zeros = np.zeros((2, 2))
    return compute(State(sequence, w_q=zeros, w_k=zeros, n_heads=2, w_o=[[1.0, 0.0], [2.0, -1.0]], b_o=[0.5, 0.25]))


def test_heads_are_named_with_their_key_value_head_where_several_share_one() -> None:
    assert names_of_head(compute(random_state(2, 4, n_heads=2)), 1)[0] == "head 2"
    grouped = compute(random_state(2, 8, n_heads=4, n_kv_heads=2))
    assert [names_of_head(grouped, head)[0] for head in range(4)] == [
        *("head 1 · kv 1", "head 2 · kv 1", "head 3 · kv 2", "head 4 · kv 2"),
    ]


def test_there_is_a_small_matrix_of_each_head_with_its_weights() -> None:
    frame = compute(random_state(3, 6, n_heads=3))
    tiles = tiles_of(frame, "weights", 0)
    assert [tile.head for tile in tiles] == [0, 1, 2]
    every = np.arange(3)
    for tile in tiles:
        assert tile.picture.cells(every, every).tolist() == frame.at_head(tile.head or 0).trace.weights.tolist()


def test_one_colour_is_one_weight_in_all_heads() -> None:
    state = pin_number(random_state(3, 4, n_heads=2), NumberRef("weight", (0, 0)), 2.0, head=1)
    assert [tile.picture.limits for tile in tiles_of(compute(state), "weights", 0)] == [(0.0, 2.0)] * 2


def test_contributions_stand_with_their_signs_and_lengths() -> None:
    tiles = tiles_of(plain_values(), "contribution", 0)
    # head 1: 2 · (1, 0); head 2: 15 · (2, -1); b_O (0.5, 0.25); output (32.5, -14.75), of length 35.69.
    assert [(tile.sign, tile.titles[0], tile.measure) for tile in tiles] == [
        ("", "head 1", "2.000"),
        ("+", "head 2", "33.54"),
        ("+", "b_O", "0.559"),
        ("=", "output", "35.69"),
    ]
    assert [tile.share for tile in tiles] == pytest.approx(
        [2 / 35.691, 33.541 / 35.691, 0.55902 / 35.691, 1.0], abs=1e-4
    )
    every = np.arange(2)
    cells = [tile.picture.cells(every, every) for tile in tiles]
    np.testing.assert_allclose(sum(cells[:-1]), cells[-1], atol=1e-12)
    assert cells[1].tolist() == [[30.0, -15.0]] * 2
    assert len({tile.picture.limits for tile in tiles}) == 1


def test_sum_over_the_heads_is_written_out() -> None:
    assert notes_of(plain_values(), "contribution", 1, 1) == (
        "output of b, coordinate 2:",
        "0.000 + (-15.00) + b_O 0.250 = -14.75",
    )


def test_long_sum_leaves_out_its_middle() -> None:
    text = notes_of(compute(random_state(2, 16, n_heads=16)), "contribution", 0, 0)[1]
    assert "… 12 more …" in text
    assert text.count(" + ") == 4


def test_average_is_compared_with_the_output_in_numbers() -> None:
    sequence = TokenSequence(("q",), [[1.0, 1.0, 0.0, 0.0]])
    context = TokenSequence(("a", "b"), [[0.0, -1e3, 1.0, 10.0], [-1e3, 0.0, 3.0, 20.0]])
    pick = np.eye(4)
    state = State(sequence, context=context, w_q=pick[:, :2], w_k=pick[:, :2], w_v=pick[:, 2:], n_heads=2)
    frame = compute(state)
    (tile,) = tiles_of(frame, "average", 0)
    assert tile.titles[0] == "mean of 2 heads"
    assert tile.picture.cells(np.array([0]), np.arange(2)).tolist() == [[0.5, 0.5]]
    assert notes_of(frame, "average", 0, 0) == (
        "q: average · V = (2.000, 15.00)",
        "output = (1.000, 20.00): off by up to 5.000",
    )


def test_average_shows_the_coordinate_that_its_note_is_about() -> None:
    sequence = TokenSequence(("q",), [[1.0, 1.0, 0.0, 0.0, 0.0, 0.0]])
    context = TokenSequence(("a", "b"), [[0.0, -1e3, 1.0, 2.0, 3.0, 10.0], [-1e3, 0.0, 1.0, 2.0, 3.0, 20.0]])
    pick = np.eye(6)
    state = State(sequence, context=context, w_q=pick[:, :2], w_k=pick[:, :2], w_v=pick[:, 2:], n_heads=2)
    # head 1 reads a, head 2 reads b: only coordinate 4 tells the two apart
    assert notes_of(compute(state), "average", 0, 0) == (
        "q: average · V = (1.000, 2.000, …, 15.00)",
        "output = (1.000, 2.000, …, 20.00): off by up to 5.000, at coordinate 4",
    )


def test_head_is_said_with_what_it_reads_and_where_it_looks() -> None:
    frame = compute(random_state(3, 8, n_heads=4, n_kv_heads=2, mask="causal"))
    assert head_sentence(frame, 3, 0) == "head 4 of 4, key/value head 2, query t0 gives most to t0, 1.00"
    assert head_sentence(frame, 0, 0) == (
        "head 1 of 4, key/value head 1, shown by every panel, query t0 gives most to t0, 1.00"
    )
    padded = compute(random_state(2, 2, padding=[True, True]))
    assert head_sentence(padded, 0, 1).endswith("query t1 gives nothing to any key")
