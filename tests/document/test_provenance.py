"""What follows from pinned numbers under every setting: compared with a document that was computed without the pin."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from attnviz.document.edits import pin_number
from attnviz.document.frame import Frame, compute
from attnviz.document.interventions import Intervention, Interventions
from attnviz.document.matrices import matrices_of
from attnviz.document.number_ref import NumberRef
from attnviz.document.provenance import Provenance, count_in_force, pins_behind, shown_pins
from attnviz.document.state import State
from attnviz.engine import effective_keys, entropy
from tests.document.layers import pinned, random_layer
from tests.document.states import cat_dog_phone, random_state


def read(frame: Frame) -> dict[str, np.ndarray]:
    """All numbers that may follow from a pin, as the frame has them."""
    found = {}
    for matrix in matrices_of(frame):
        rows, columns = matrix.shape(frame)
        found[matrix.name] = matrix.read(frame, np.arange(rows), np.arange(columns))
    trace = frame.trace
    weights = trace.weights
    return found | {
        "row_max": trace.row_max,
        "normaliser": trace.normaliser,
        "row_sum": weights.sum(axis=1),
        "column_sum": weights.sum(axis=0),
        "entropy": entropy(weights),
        "effective_keys": effective_keys(weights),
        "largest_weight": weights.max(axis=1),
    }


def check_against_recomputing(state: State, frame: Frame, pins: Interventions, others: list[Intervention]) -> None:
    """Whatever is another number without some pins counts as following from them."""
    without = compute(replace(state, interventions=Interventions(others))).at_head(frame.head)
    provenance = Provenance(frame, pins)
    plain, mine = read(without), read(frame)
    assert set(plain) == set(mine)
    for name, numbers in mine.items():
        changed = numbers != plain[name]
        for place in map(tuple, np.argwhere(changed).tolist()):
            assert provenance.is_affected(NumberRef(name, place)), (name, place)
        if numbers.ndim == 2:
            rows, columns = (np.arange(size) for size in numbers.shape)
            affected = provenance.affected(name, rows, columns)
            assert not (changed & ~affected).any(), name
            assert np.array_equal(provenance.affected_rows(name), affected.any(axis=1)), name


def check_layer(seed: int) -> int:
    """Check all pins of a random document together, and each of them alone."""
    rng = np.random.default_rng(seed)
    state = pinned(random_layer(seed), rng)
    frame = compute(state).at_head(int(rng.integers(state.n_heads)))
    if not frame.pins:
        return 0
    of_others = [pin for pin in state.interventions if not any(_is_that(frame, pin, one) for one in frame.pins)]
    check_against_recomputing(state, frame, frame.pins, of_others)
    for one in frame.pins:
        others = [pin for pin in state.interventions if not _is_that(frame, pin, one)]
        check_against_recomputing(state, frame, Interventions([one]), others)
    return len(frame.pins)


def _is_that(frame: Frame, pin: Intervention, one: Intervention) -> bool:
    head = frame.kv_head if pin.kind in ("k", "v") else frame.head
    return pin.head == head and pin.ref == one.ref


def test_what_another_number_comes_of_is_marked_under_every_setting() -> None:
    assert sum(check_layer(seed) for seed in range(60)) > 60


@pytest.mark.long
def test_what_another_number_comes_of_is_marked_in_thousands_of_documents() -> None:
    assert sum(check_layer(seed) for seed in range(60, 3000)) > 3000


def with_pin(kind: str, row: int, column: int, value: float = 9.0, **fields: object) -> Frame:
    state = cat_dog_phone(**fields)
    return compute(pin_number(state, NumberRef(kind, (row, column)), value))


EVERY = np.arange(3)


def test_under_the_softmax_of_columns_a_score_changes_its_whole_column_and_no_other() -> None:
    frame = with_pin("score", 1, 2, softmax="columns")
    provenance = Provenance(frame)
    column = np.array([[False, False, True]] * 3)
    assert np.array_equal(provenance.affected("weight", EVERY, EVERY), column)
    assert provenance.affected_rows("output").all()
    assert [provenance.is_affected(NumberRef("normaliser", (key,))) for key in range(3)] == [False, False, True]
    assert [one.column for one in pins_behind(frame, NumberRef("weight", (0, 2)))] == [2]
    assert pins_behind(frame, NumberRef("score", (0, 2))) == ()


@pytest.mark.parametrize("masking", ["add_large_negative", "after", "after_renormalised"])
def test_banned_score_that_the_softmax_reads_changes_its_row(masking: str) -> None:
    frame = with_pin("score", 1, 2, mask="causal", masking=masking)
    assert Provenance(frame).affected_rows("weight").tolist() == [False, True, False]
    assert [one.column for one in shown_pins(frame, "masked")] == [2]


@pytest.mark.parametrize("masking", ["before", "fill_large_negative", "multiply_zero"])
def test_banned_score_that_the_mask_writes_over_changes_no_weight(masking: str) -> None:
    frame = with_pin("score", 1, 2, mask="causal", masking=masking)
    assert not Provenance(frame).affected_rows("weight").any()
    assert shown_pins(frame, "masked") == ()


def test_weight_that_was_dropped_follows_from_nothing() -> None:
    frame = with_pin("score", 1, 2, dropout=0.5, dropout_seed=1)
    kept = np.random.default_rng([1, 0]).random((3, 3)) >= 0.5
    assert np.array_equal(Provenance(frame).affected("weight", EVERY, EVERY)[1], kept[1])
    assert Provenance(frame).is_affected(NumberRef("undropped", (1, 0)))


@pytest.mark.parametrize("column", [1, 2])  # which the mask leaves, and which it bans
@pytest.mark.parametrize("masking", ["after", "after_renormalised"])
def test_sum_of_what_a_late_mask_keeps_follows_from_every_score_of_its_row(masking: str, column: int) -> None:
    provenance = Provenance(with_pin("score", 1, column, mask="causal", masking=masking))
    assert [provenance.is_affected(NumberRef("kept_sum", (row,))) for row in range(3)] == [False, True, False]


def test_nothing_in_the_output_of_a_layer_follows_from_pins_where_there_is_none() -> None:
    provenance = Provenance(compute(cat_dog_phone(w_o=np.ones((2, 5)))))
    assert not provenance.affected("layer_output", EVERY, np.arange(5)).any()
    assert not provenance.affected_rows("concatenated").any()


def test_pins_of_heads_and_columns_that_are_not_there_do_not_count() -> None:
    pins = [
        Intervention("q", 0, 1, 1.0, head=3),
        Intervention("q", 0, 2, 1.0, head=3),  # beyond d_k = 2
        Intervention("k", 0, 1, 1.0, head=1),
        Intervention("k", 0, 1, 1.0, head=2),  # of two key/value heads
        Intervention("v", 0, 1, 1.0, head=1),
        Intervention("v", 0, 1, 1.0, head=3),  # the same
        Intervention("score", 0, 2, 1.0, head=3),
        Intervention("weight", 0, 2, 1.0, head=4),  # of four heads
    ]
    state = random_state(3, 8, n_heads=4, n_kv_heads=2, interventions=Interventions(pins))
    assert count_in_force(state) == 4
