"""The heads of a layer against explicit loops: self, cross, grouped, with biases and W_O; how they come together."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from attnviz.document.attending import kv_head_of
from attnviz.document.edits import pin_number, set_scalar
from attnviz.document.errors import DocumentError
from attnviz.document.frame import compute, has_mixing
from attnviz.document.layer_views import (
    average_weights,
    averaged,
    contribution_cells,
    contribution_limit,
    contribution_norms,
)
from attnviz.document.number_ref import NumberRef
from attnviz.document.provenance import Provenance, pins_behind
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.engine import entropy
from tests.document.states import assert_one_sentence, cross_state, random_state
from tests.reference import multi_head, project

D, HEADS, D_OUT = 12, 4, 5


def written(make: Callable[..., State], *, kv_heads: int = HEADS, **fields: object) -> State:
    """A document with every matrix and bias written down, of which keys and values use what they need."""
    rng = np.random.default_rng(3)
    names = ("w_q", "w_k", "w_v")
    matrices = {name: rng.normal(size=(D, HEADS * 3)) for name in names}
    return make(d=D, **(matrices | {"n_heads": HEADS, "n_kv_heads": kv_heads, "d_k": 3} | fields))


def selfish(**fields: object) -> State:
    return random_state(7, **fields)


def crossing(**fields: object) -> State:
    return cross_state(3, 5, **fields)


def with_biases(state: State) -> State:
    rng = np.random.default_rng(5)
    biases = {name: rng.normal(size=12) for name in ("b_q", "b_k", "b_v")}
    return replace(state, **biases, w_o=rng.normal(size=(12, D_OUT)), b_o=rng.normal(size=D_OUT))


def expected(state: State) -> list[list[float]]:
    """The output of the layer by loops over Python floats."""
    g = state.n_kv_heads
    x, c = state.sequence.embeddings.tolist(), state.key_sequence.embeddings.tolist()

    def projected(rows: list[list[float]], name: str, width: int) -> list[list[float]]:
        bias = getattr(state, f"b_{name}")
        matrix = getattr(state, f"w_{name}")[:, :width].tolist()
        return project(rows, matrix, None if bias is None else bias[:width].tolist())

    q, k, v = projected(x, "q", 12), projected(c, "k", 3 * g), projected(c, "v", 3 * g)
    joined = multi_head(q, k, v, HEADS, g)
    if state.w_o is None:
        return joined
    return project(joined, state.w_o.tolist(), None if state.b_o is None else state.b_o.tolist())


@pytest.mark.parametrize("make", [selfish, crossing])
@pytest.mark.parametrize("kv_heads", [4, 2, 1])
@pytest.mark.parametrize("has_biases", [False, True])
def test_output_of_the_layer_is_that_of_the_loops(make: Callable[..., State], kv_heads: int, has_biases: bool) -> None:
    state = written(make, kv_heads=kv_heads)
    state = with_biases(state) if has_biases else state
    np.testing.assert_allclose(compute(state).layer_output, expected(state), atol=1e-12)


@pytest.mark.parametrize("has_biases", [False, True])
def test_contributions_of_the_heads_add_up_to_the_output(has_biases: bool) -> None:
    state = written(crossing, kv_heads=2)
    frame = compute(with_biases(state) if has_biases else state)
    total = sum(frame.layer.contribution(head) for head in range(HEADS))
    bias = 0.0 if frame.state.b_o is None else frame.state.b_o
    np.testing.assert_allclose(total + bias, frame.layer_output, atol=1e-12)
    rows, columns = np.arange(3), np.arange(frame.layer_output.shape[1])
    cells = [contribution_cells(frame, head, rows, columns) for head in range(HEADS)]
    np.testing.assert_allclose(sum(cells) + bias, frame.layer_output, atol=1e-12)
    largest = max(np.abs(array).max() for array in (*cells, frame.layer_output))
    assert contribution_limit(frame) == pytest.approx(largest, abs=1e-12)
    norms = [np.sqrt(sum(x * x for x in frame.layer.contribution(head)[2].tolist())) for head in range(HEADS)]
    np.testing.assert_allclose(contribution_norms(frame, 2), norms, rtol=1e-14)


def test_head_takes_its_own_channels() -> None:
    # x = arange(8).reshape(2, 4), two heads: head 0 must read [[0, 1], [4, 5]].
    frame = compute(State(TokenSequence(("a", "b"), np.arange(8.0).reshape(2, 4)), n_heads=2))
    assert frame.q.tolist() == [[0.0, 1.0], [4.0, 5.0]]
    assert frame.at_head(1).v.tolist() == [[2.0, 3.0], [6.0, 7.0]]


def test_query_heads_of_a_group_stand_together() -> None:
    state = random_state(3, 8, n_heads=4, n_kv_heads=2)
    assert [kv_head_of(state, head) for head in range(4)] == [0, 0, 1, 1]
    wide = random_state(2, 14, n_heads=14, n_kv_heads=2)
    assert [kv_head_of(wide, head) for head in range(14)] == [0] * 7 + [1] * 7


def one_hot_heads() -> State:
    """Two heads that each give all weight to another key: query (1, 1), keys (0, -1e3), (-1e3, 0)."""
    sequence = TokenSequence(("q",), [[1.0, 1.0, 0.0, 0.0]])
    context = TokenSequence(("a", "b"), [[0.0, -1e3, 1.0, 10.0], [-1e3, 0.0, 3.0, 20.0]])
    pick = np.eye(4)
    return State(sequence, context=context, w_q=pick[:, :2], w_k=pick[:, :2], w_v=pick[:, 2:], n_heads=2)


def test_average_of_two_one_hot_heads_is_what_no_head_does() -> None:
    frame = compute(one_hot_heads())
    assert [frame.at_head(head).row(0).weights.tolist() for head in (0, 1)] == [[[1.0, 0.0]], [[0.0, 1.0]]]
    mean = average_weights(frame, np.array([0]), np.arange(2))
    assert mean.tolist() == [[0.5, 0.5]]
    assert entropy(mean).item() == pytest.approx(0.693147, abs=5e-7)
    found = averaged(frame, 0)
    assert found.blended.tolist() == [2.0, 15.0]
    assert found.output.tolist() == [1.0, 20.0]
    assert found.difference == 5.0


@pytest.mark.parametrize(("b_o", "shift"), [(None, 0.0), ([100.0, 0.0], 100.0)])
def test_average_goes_through_w_o_as_the_output_does(b_o: list[float] | None, shift: float) -> None:
    frame = compute(replace(one_hot_heads(), w_o=[[1.0, 1.0], [1.0, 0.0]], b_o=b_o))
    found = averaged(frame, 0)
    assert found.blended.tolist() == [17.0 + shift, 2.0]
    assert found.output.tolist() == [21.0 + shift, 1.0]


def test_one_head_is_its_own_average() -> None:
    frame = compute(random_state(5, 3))
    assert averaged(frame, 1).difference == pytest.approx(0.0, abs=1e-15)
    assert not has_mixing(frame)
    assert has_mixing(compute(random_state(5, 2, n_heads=2)))
    assert has_mixing(compute(random_state(5, 2, w_o=np.eye(2))))


@pytest.mark.parametrize(
    ("state", "key", "value", "sentence"),
    [
        (random_state(3, 6), "heads", 4, "heads must divide the width of the queries, 6, got 4"),
        (
            random_state(3, 6, w_v=np.ones((6, 4))),
            "heads",
            3,
            "heads must divide the width of the values, 4, got 3",
        ),
        (random_state(3, 8, n_heads=4), "kv_heads", 3, "key/value heads must divide the heads, 4, got 3"),
        (random_state(3, 8), "heads", 17, "heads must be between 1 and 16, got 17"),
    ],
)
def test_heads_that_do_not_fit_are_refused(state: State, key: str, value: int, sentence: str) -> None:
    with pytest.raises(DocumentError) as caught:
        set_scalar(state, key, value)
    assert str(caught.value) == sentence
    assert_one_sentence(caught.value)


def test_pins_of_any_head_mark_the_heads_side_by_side_and_the_output() -> None:
    state = pin_number(random_state(3, 4, n_heads=2), NumberRef("weight", (1, 0)), 0.5, head=1)
    rows, columns = np.arange(3), np.arange(4)
    for w_o, marked in ((None, [False, False, True, True]), (np.ones((4, 4)), [True] * 4)):
        marks = Provenance(compute(replace(state, w_o=w_o))).affected("layer_output", rows, columns)
        assert marks.tolist() == [[False] * 4, marked, [False] * 4]
    frame = compute(state)
    assert Provenance(frame).affected_rows("concatenated").tolist() == [False, True, False]
    assert Provenance(frame).is_affected(NumberRef("concatenated", (1, 2)))
    assert not Provenance(frame).is_affected(NumberRef("concatenated", (1, 1)))


def test_pinned_key_of_a_group_reaches_the_output_through_all_its_heads() -> None:
    state = random_state(3, 8, n_heads=4, n_kv_heads=2, mask="causal")
    frame = compute(pin_number(state, NumberRef("v", (2, 1)), 9.0, head=1))
    marks = Provenance(frame).affected("concatenated", np.arange(3), np.arange(8))
    assert marks[2].tolist() == [False, True, False, True, False, False, False, False]
    assert not marks[:2].any()
    assert [one.ref for one in pins_behind(frame, NumberRef("layer_output", (2, 3)))] == [NumberRef("v", (2, 1))]
    assert pins_behind(frame, NumberRef("layer_output", (2, 5))) == ()
