"""What is measured of the weights: the hand's numbers, and sums over columns that need no whole matrix."""

from __future__ import annotations

import math

import numpy as np
import pytest

from attnviz.document import edits
from attnviz.document.frame import compute
from attnviz.document.measures import MEASURES, SHOWN_FIRST
from attnviz.document.presets import load_preset
from attnviz.document.state import State
from attnviz.engine import StreamedAttention
from tests.document.layers import random_layer
from tests.document.states import cat_dog_phone, cross_state, random_state

# The weights of the first scene to six places, as the curriculum has them.
WEIGHTS = [(0.432425, 0.388908, 0.178667), (0.406351, 0.378610, 0.215039), (0.218714, 0.251938, 0.529348)]


def by_hand(name: str) -> list[float]:
    of_row = {
        "row_sum": sum,
        "entropy": lambda row: -sum(w * math.log(w) for w in row),
        "effective_keys": lambda row: math.exp(-sum(w * math.log(w) for w in row)),
        "largest_weight": max,
    }
    if name in of_row:
        return [of_row[name](row) for row in WEIGHTS]
    return [sum(row[key] for row in WEIGHTS) for key in range(3)]


@pytest.mark.parametrize("name", list(MEASURES))
def test_measures_of_the_first_scene_are_those_computed_by_hand(name: str) -> None:
    found = MEASURES[name].values(compute(load_preset("s1")), np.arange(3))
    assert found.tolist() == pytest.approx(by_hand(name), abs=2e-6)


def test_measures_are_the_five_that_are_named() -> None:
    assert list(MEASURES) == ["row_sum", "effective_keys", "entropy", "largest_weight", "column_sum"]
    assert set(SHOWN_FIRST) <= set(MEASURES)
    assert [name for name, measure in MEASURES.items() if measure.axis == "key"] == ["column_sum"]


@pytest.mark.parametrize("is_causal", [False, True])
def test_gutters_write_sums_and_how_many_keys_there_are(is_causal: bool) -> None:
    frame = compute(cat_dog_phone(mask="causal" if is_causal else "none"))
    templates = {name: measure.template(frame) for name, measure in MEASURES.items()}
    plain = "{}" if is_causal else "{} of 3"
    assert templates == {
        "row_sum": "Σ {}",
        "effective_keys": plain,
        "entropy": "{}",
        "largest_weight": "{}",
        "column_sum": templates["column_sum"],
    }
    assert "{}" in templates["column_sum"]


@pytest.mark.parametrize("name", list(MEASURES))
def test_each_measure_says_its_formula_and_its_meaning(name: str) -> None:
    formula, meaning = MEASURES[name].tip.split("\n")
    assert formula == MEASURES[name].formula
    assert meaning.endswith(".")


def test_row_without_a_visible_key_has_nothing_to_measure() -> None:
    frame = compute(cross_state(5, 3, 2, mask="causal"))
    empty = np.flatnonzero(frame.empty_rows)
    assert empty.tolist() == [0, 1]
    for name, measure in MEASURES.items():
        if measure.axis == "query":
            assert measure.values(frame, empty).tolist() == [0.0, 0.0], name


def test_only_sums_that_are_not_one_alarm() -> None:
    is_alarm = MEASURES["row_sum"].is_alarm
    assert is_alarm is not None
    assert is_alarm(np.array([1.0, 1.0 - 1e-12, 0.0, 0.75, 1.0001])).tolist() == [False, False, True, True, True]
    assert [name for name, measure in MEASURES.items() if measure.is_alarm] == ["row_sum"]


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize(
    ("state", "is_streamed"),
    [(random_state(40, 3), False), (random_state(203, 3), True), (cross_state(190, 201, 3), True)],
    ids=["kept", "streamed", "streamed cross"],
)
def test_column_sums_are_the_plain_sums_of_the_whole_matrix(state: State, is_streamed: bool, is_causal: bool) -> None:
    frame = compute(edits.set_scalar(state, "causal", is_causal))
    assert isinstance(frame.attention, StreamedAttention) == is_streamed
    columns = np.array([frame.n_key - 1, 0, 7])
    expected = [math.fsum(frame.trace.weights[:, column]) for column in columns]
    np.testing.assert_allclose(frame.column_sums(columns), expected, rtol=1e-13)


def test_column_sums_are_computed_once_and_only_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = compute(random_state(203, 3))
    asked: list[int] = []
    cells = StreamedAttention.cells

    def counted(self: StreamedAttention, stage: str, rows: object, columns: object) -> object:
        asked.append(len(np.atleast_1d(rows)))
        return cells(self, stage, rows, columns)

    monkeypatch.setattr(StreamedAttention, "cells", counted)
    frame.row_sums(np.array([3]))
    assert sum(asked) == 1
    frame.column_sums(np.array([5]))
    frame.column_sums(np.arange(203))
    assert sum(asked) == 1 + 203
    assert max(asked) < 203  # never the whole matrix at once


@pytest.mark.parametrize("seed", range(0, 200, 8))
def test_measures_of_any_layer_are_those_of_its_weights_and_finite(seed: int) -> None:
    frame = compute(random_layer(seed, with_pins=True))
    weights = frame.trace.weights.tolist()
    columns = [list(column) for column in zip(*weights, strict=True)]
    entropies = [-sum(w * math.log(w) for w in row if w > 0.0) for row in weights]
    expected = {
        "row_sum": [sum(row) for row in weights],
        "effective_keys": [math.exp(h) if any(row) else 0.0 for h, row in zip(entropies, weights, strict=True)],
        "entropy": entropies,
        "largest_weight": [max(row) for row in weights],
        "column_sum": [sum(column) for column in columns],
    }
    for name, numbers in expected.items():
        count = frame.n_key if name == "column_sum" else frame.n_query
        assert MEASURES[name].values(frame, np.arange(count)).tolist() == pytest.approx(numbers, abs=1e-12)


def test_entropy_beyond_what_an_exponential_can_hold_gives_a_finite_number_of_keys() -> None:
    state = cross_state(2, 5_000, 3, softmax="columns", temperature=1e6)  # each of two queries gets half of every key
    keys = MEASURES["effective_keys"].values(compute(state), np.arange(2))
    assert (keys == math.exp(709.0)).all()
    assert MEASURES["effective_keys"].template(compute(state)) == "{}"
