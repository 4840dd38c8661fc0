"""The matrices of a pass: their order, shapes, numbers and ranges."""

import numpy as np
import pytest

from attnviz.document.frame import Frame, compute
from attnviz.document.matrices import (
    MATRICES,
    MATRICES_BY_NAME,
    axis_colours,
    axis_labels,
    matrices_of,
)
from attnviz.document.number_ref import NumberRef
from attnviz.explanations import KINDS, explain
from tests.document.layers import random_layer
from tests.document.states import cat_dog_phone, cross_state, random_state
from tests.reference import attention

ALL = [matrix.name for matrix in MATRICES]


def whole(matrix, frame):
    rows, columns = matrix.shape(frame)
    return matrix.read(frame, np.arange(rows), np.arange(columns))


def test_self_attention_has_no_context() -> None:
    names = [matrix.name for matrix in matrices_of(compute(cat_dog_phone()))]
    assert names == [
        *("x", "w_q", "w_k", "w_v", "q", "k", "v"),
        *("score", "scaled", "masked", "exponential", "weight", "output"),
    ]


def test_cross_attention_shows_the_context_and_says_where_keys_come_from() -> None:
    frame = compute(cross_state())
    assert [matrix.name for matrix in matrices_of(frame)][:2] == ["x", "context"]
    assert MATRICES_BY_NAME["k"].formula_in(frame) == "K = C W_K"
    assert MATRICES_BY_NAME["q"].formula_in(frame) == "Q = X W_Q"


def test_several_heads_end_side_by_side_and_in_the_output_of_the_layer() -> None:
    frame = compute(random_state(3, 6, n_heads=3))
    assert [matrix.name for matrix in matrices_of(frame)][-3:] == ["output", "concatenated", "layer_output"]
    assert MATRICES_BY_NAME["output"].shape(frame) == (3, 2)
    assert MATRICES_BY_NAME["concatenated"].shape(frame) == (3, 6)
    assert MATRICES_BY_NAME["layer_output"].formula_in(frame) == "O = H, without W_O"


def test_output_matrix_stands_between_the_heads_and_the_output_of_the_layer() -> None:
    w_o = np.random.default_rng(0).normal(size=(6, 5))
    frame = compute(random_state(3, 6, n_heads=2, w_o=w_o))
    assert [matrix.name for matrix in matrices_of(frame)][-3:] == ["concatenated", "w_o", "layer_output"]
    assert whole(MATRICES_BY_NAME["w_o"], frame).tolist() == w_o.tolist()
    joined = np.hstack([frame.at_head(head).output for head in (0, 1)])
    assert whole(MATRICES_BY_NAME["concatenated"], frame).tolist() == joined.tolist()
    np.testing.assert_allclose(whole(MATRICES_BY_NAME["layer_output"], frame), joined @ w_o, atol=1e-12)
    assert MATRICES_BY_NAME["layer_output"].formula_in(frame) == "O = H W_O"
    biased = compute(random_state(3, 6, w_o=w_o, b_o=np.ones(5)))
    assert MATRICES_BY_NAME["layer_output"].formula_in(biased) == "O = H W_O + b_O"


def test_shapes_in_cross_attention() -> None:
    rng = np.random.default_rng(0)
    frame = compute(cross_state(3, 5, 7, w_v=rng.normal(size=(7, 2)), d_k=11))
    shapes = {matrix.name: matrix.shape(frame) for matrix in matrices_of(frame)}
    assert shapes == {
        **{"x": (3, 7), "context": (5, 7), "w_q": (7, 11), "w_k": (7, 11), "w_v": (7, 2)},
        **{"q": (3, 11), "k": (5, 11), "v": (5, 2), "output": (3, 2)},
        **dict.fromkeys(("score", "scaled", "masked", "exponential", "weight"), (3, 5)),
    }


def frame_with(name: str, **fields: object) -> Frame:
    """Give a frame that has a matrix."""
    fields |= {"positions": "alibi"} if name == "bias" else {}
    fields |= {"positions": "sinusoidal"} if name in ("position", "input", "context_position", "context_input") else {}
    fields |= {"dropout": 0.4} if name == "undropped" else {}
    w_o = np.random.default_rng(2).normal(size=(7, 2))
    fields |= {"w_o": w_o} if name in ("concatenated", "w_o", "layer_output") else {}
    return compute(cross_state(3, 5, 7, d_k=11, **fields))


@pytest.mark.parametrize("name", ALL)
def test_numbers_fill_the_shape_and_stay_within_the_limit(name: str) -> None:
    frame = frame_with(name, mask="causal")
    matrix = MATRICES_BY_NAME[name]
    numbers = whole(matrix, frame)
    assert numbers.shape == matrix.shape(frame)
    assert np.abs(numbers[np.isfinite(numbers)]).max() <= matrix.limit(frame)


@pytest.mark.parametrize("name", ALL)
def test_every_cell_can_be_explained(name: str) -> None:
    frame = frame_with(name)
    matrix = MATRICES_BY_NAME[name]
    assert matrix in matrices_of(frame)
    assert len(KINDS[name].axes) == 2
    assert explain(frame, matrix.ref(2, 1)).result == whole(matrix, frame)[2, 1]


@pytest.mark.parametrize("n", [3, 211])
def test_weights_and_outputs_are_those_of_the_slow_formula(n: int) -> None:
    frame = compute(random_state(n, 2, mask="causal"))
    allowed = np.tril(np.ones((n, n), dtype=bool))
    expected = attention(frame.q.tolist(), frame.k.tolist(), frame.v.tolist(), 2**-0.5, allowed)
    for name, numbers in zip(("weight", "output"), expected, strict=True):
        np.testing.assert_allclose(whole(MATRICES_BY_NAME[name], frame), numbers, atol=1e-12)


def test_part_of_a_matrix_comes_in_the_order_asked_for() -> None:
    frame = compute(cat_dog_phone())
    part = MATRICES_BY_NAME["x"].read(frame, np.array([2, 0]), np.array([1]))
    assert part.tolist() == [[1.0], [0.5]]


def test_axes_are_tokens_or_counted_coordinates() -> None:
    frame = compute(cross_state(3, 5, 7))
    assert axis_labels(frame, "query") == ("q0", "q1", "q2")
    assert axis_labels(frame, "key") == ("k0", "k1", "k2", "k3", "k4")
    assert axis_labels(frame, "coordinate") == ("1", "2", "3", "4", "5", "6", "7")
    assert axis_colours(frame, "key") == (3, 4, 5, 6, 7)
    assert axis_colours(frame, "query") == (0, 1, 2)
    assert axis_colours(frame, "d_v") is None


def test_colours_along_an_axis_stay_the_same_tuple_from_frame_to_frame() -> None:
    first, second = compute(cross_state()), compute(cross_state())
    assert axis_colours(first, "key") is axis_colours(second, "key")


def test_limit_of_a_matrix_of_zeros_is_above_zero() -> None:
    frame = compute(cat_dog_phone(w_v=np.zeros((2, 3))))
    assert MATRICES_BY_NAME["w_v"].limit(frame) > 0.0


def test_reference_of_a_cell() -> None:
    assert MATRICES_BY_NAME["score"].ref(0, 1) == NumberRef("score", (0, 1))


@pytest.mark.parametrize("seed", range(0, 120, 6))
def test_no_number_of_any_layer_is_beyond_the_limit_of_its_colours(seed: int) -> None:
    frame = compute(random_layer(seed, with_pins=True))
    for matrix in matrices_of(frame):
        numbers = whole(matrix, frame)
        seen = np.isfinite(numbers)
        if matrix.name == "masked" and frame.state.has_mask:  # banned cells may hold -1e9, which would drown the others
            seen &= ~frame.banned(np.arange(frame.n_query), np.arange(frame.n_key))
        assert np.abs(numbers[seen]).max(initial=0.0) <= matrix.limit(frame), matrix.name


def names_with(**fields: object) -> list[str]:
    plain = {matrix.name for matrix in matrices_of(compute(cat_dog_phone()))}
    return [matrix.name for matrix in matrices_of(compute(cat_dog_phone(**fields))) if matrix.name not in plain]


def test_positions_biases_and_weights_before_dropout_are_there_where_they_act() -> None:
    assert names_with(positions="sinusoidal") == ["position", "input"]
    assert names_with(positions="learned") == ["position", "input"]
    assert names_with(positions="rotary") == []
    assert names_with(positions="alibi") == names_with(positions="relative") == ["bias"]
    assert names_with(dropout=0.1) == ["undropped"]


@pytest.mark.parametrize(
    ("name", "fields", "formula"),
    [
        ("q", {}, "Q = X W_Q"),
        ("q", {"b_q": np.ones(2)}, "Q = X W_Q + b_Q"),
        ("q", {"positions": "sinusoidal"}, "Q = X′ W_Q"),
        ("k", {"positions": "rotary", "b_k": np.ones(2)}, "K = X W_K + b_K, turned by position"),
        ("v", {"positions": "rotary"}, "V = X W_V"),
        ("w_k", {"is_tied": True}, "W_K = W_Q, tied"),
        ("k", {"is_tied": True}, "K = X W_Q"),
        ("k", {"is_tied": True, "b_k": np.ones(2), "positions": "sinusoidal"}, "K = X′ W_Q + b_K"),
        ("v", {"is_tied": True}, "V = X W_V"),
        ("position", {"positions": "learned"}, "P: the learned row of each position"),
        ("position", {"positions": "sinusoidal"}, "P: sin, cos of position · base^(−2i/d)"),
        ("bias", {"positions": "relative"}, "B: the learned bias of each distance"),
        ("bias", {"positions": "alibi"}, "B = −slope · distance"),
        ("masked", {}, "Z′ = Z, −∞ where the mask bans"),
        ("masked", {"soft_cap": 5.0}, "Z′ = 5 · tanh(Z ÷ 5)"),
        ("masked", {"positions": "alibi", "mask": "causal"}, "Z′ = Z + B, −∞ where the mask bans"),
        ("masked", {"mask": "causal", "masking": "after"}, "Z′ = Z, the mask acts after the softmax"),
        ("exponential", {}, "E = exp(Z′ − row maximum)"),
        ("exponential", {"softmax": "columns"}, "E = exp(Z′ − column maximum)"),
        ("exponential", {"has_sink": True}, "E = exp(Z′ − maximum of row and sink)"),
        ("exponential", {"softmax": "plus_one"}, "E = exp(Z′ − maximum of row and 0)"),
        ("weight", {"softmax": "columns"}, "A = E ÷ column sum of E"),
        ("weight", {"softmax": "plus_one"}, "A = E ÷ row sum of E with one more unit"),
        ("weight", {"softmax": "plus_one", "has_sink": True}, "A = E ÷ row sum of E with one more unit and the sink"),
        ("weight", {"mask": "causal", "masking": "after"}, "A = E ÷ row sum of E, · 0 where the mask bans"),
        (
            "weight",
            {"mask": "causal", "masking": "after_renormalised"},
            "A = E ÷ row sum of E, · 0 where the mask bans, ÷ row sum of that",
        ),
        (
            "weight",
            {"mask": "causal", "masking": "after_renormalised", "softmax": "columns"},
            "A = E ÷ column sum of E, · 0 where the mask bans, ÷ what is left of the row sum",
        ),
        ("undropped", {"dropout": 0.1, "softmax": "columns"}, "A° = E ÷ column sum of E"),
        ("weight", {"dropout": 0.1}, "A = A° ÷ (1 − 0.1), or 0 where dropout strikes"),
    ],
)
def test_formula_names_what_acts(name: str, fields: dict[str, object], formula: str) -> None:
    frame = compute(cat_dog_phone(**fields))
    assert MATRICES_BY_NAME[name].formula_in(frame) == formula
