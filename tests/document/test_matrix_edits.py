"""Edits of the matrices: one entry, a whole matrix, and the shapes that a command gives."""

import math
from dataclasses import dataclass

import numpy as np
import pytest

from attnviz.document import matrix_edits
from attnviz.document.arrays import identity
from attnviz.document.attn_file import decode, encode
from attnviz.document.edits import set_scalar
from attnviz.document.errors import DocumentError
from attnviz.document.frame import compute
from attnviz.document.matrix_edits import (
    EDITABLE_MATRICES,
    EditableMatrix,
    add_matrix,
    editable_matrices_of,
    remove_matrix,
    set_matrix,
    set_matrix_entry,
    shape_matrix,
    turn_matrix,
)
from attnviz.document.matrix_shapes import MATRIX_OPERATIONS, cosine_and_sine, needle_angle, rotation_angle
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from tests.document import states


def two_axes(**fields):
    return State(TokenSequence(("a", "b"), np.eye(2)), **fields)


def refusal(edit, *args):
    with pytest.raises(DocumentError) as caught:
        edit(*args)
    states.assert_one_sentence(caught.value)
    return str(caught.value)


# -- exercise E7: with W_Q = W_K two tokens cannot each prefer the other


def test_swapped_keys_let_each_of_two_tokens_prefer_the_other():
    swapped = shape_matrix(two_axes(), "w_k", "swap")
    assert swapped.w_k.tolist() == [[0.0, 1.0], [1.0, 0.0]]
    expected = [[0.330238, 0.669762], [0.669762, 0.330238]]
    np.testing.assert_allclose(compute(swapped).trace.weights, expected, atol=5e-7)
    both = shape_matrix(swapped, "w_q", "swap")  # tied again
    np.testing.assert_allclose(np.diagonal(compute(both).trace.weights), [0.669762, 0.669762], atol=5e-7)


@pytest.mark.parametrize("seed", range(20))
def test_with_alike_matrices_two_tokens_never_each_prefer_the_other(seed):
    state = states.random_state(2, 3, seed)
    for name in ("w_q", "w_k"):
        state = shape_matrix(state, name, "random", seed)
    scores = compute(state).trace.scores
    assert scores[0, 0] + scores[1, 1] >= 2.0 * scores[0, 1] - 1e-12


# -- entries and whole matrices


def test_one_entry_changes_and_nothing_else():
    state = states.random_state(3, 5)
    changed = set_matrix_entry(state, "w_v", 4, 1, -2.5)
    expected = np.eye(5)
    expected[4, 1] = -2.5
    np.testing.assert_array_equal(changed.w_v, expected)
    assert changed.w_q is state.w_q
    assert changed.w_k is state.w_k


def test_entry_that_makes_the_identity_again_leaves_it_out_of_the_file():
    state = states.cat_dog_phone()
    away = set_matrix_entry(state, "w_q", 0, 1, 3.0)
    assert b"w_q" in encode(away)
    back = set_matrix_entry(away, "w_q", 0, 1, -0.0)
    assert back.w_q is identity(2)
    assert encode(back) == encode(state)


@pytest.mark.parametrize(
    ("place", "value", "sentence"),
    [
        ((2, 0), 1.0, "a row of W_K must be 1 to 2, got 3"),
        ((0, -1), 1.0, "a column of W_K must be 1 to 2, got 0"),
        ((0, 0), math.nan, "an entry of W_K must be a finite number, got nan"),
        ((0, 0), -math.inf, "an entry of W_K must be a finite number, got -inf"),
    ],
)
def test_entry_that_cannot_be_is_refused(place, value, sentence):
    assert refusal(set_matrix_entry, two_axes(), "w_k", *place, value) == sentence


def test_value_matrix_may_get_other_columns():
    changed = set_matrix(two_axes(), "w_v", [[1, 2, 3], [4, 5, 6]])
    assert compute(changed).output.shape == (2, 3)
    assert decode(encode(changed), "f").is_same(changed)


def test_matrix_of_another_shape_than_its_twin_is_refused_with_both():
    sentence = refusal(set_matrix, two_axes(), "w_q", [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert sentence == "W_Q must keep the shape of W_K, (2, 2), got (2, 3)"


def test_matrix_with_a_wrong_number_of_rows_is_refused():
    sentence = refusal(set_matrix, two_axes(), "w_v", np.ones((3, 2)))
    assert sentence == "W_V must have 2 rows, one for each coordinate, got shape (3, 2)"


@pytest.mark.parametrize("entries", [[1.0, 2.0], [[1.0], [2.0, 3.0]], [["a", "b"], ["c", "d"]], [[np.inf, 0], [0, 1]]])
def test_what_is_no_matrix_of_finite_numbers_is_refused(entries):
    assert refusal(set_matrix, two_axes(), "w_q", entries).startswith("W_Q must")


def test_unknown_matrix_and_unknown_operation_are_refused():
    assert (
        refusal(shape_matrix, two_axes(), "w_x", "identity")
        == "a matrix must be one of w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o, got 'w_x'"
    )
    assert refusal(shape_matrix, two_axes(), "w_q", "cube").startswith("an operation must be one of identity, zeros")


def test_every_matrix_of_a_document_is_listed_with_how_many_columns_act():
    state = set_scalar(states.random_state(3, 5), "d_k", 2)
    found = editable_matrices_of(state)
    assert [(matrix.name, array.shape) for matrix, array in found] == [
        ("w_q", (5, 5)),
        ("w_k", (5, 5)),
        ("w_v", (5, 5)),
    ]
    assert [matrix.acting_columns(state, array.shape[1]) for matrix, array in found] == [2, 2, 5]
    wide = set_scalar(state, "d_k", 9)
    assert EDITABLE_MATRICES["w_k"].acting_columns(wide, 5) == 5


@dataclass(frozen=True)
class WithBias:
    """A document with a bias, and without W_O."""

    b_q: np.ndarray
    w_o: np.ndarray | None = None


def test_bias_is_a_matrix_of_one_row_by_one_row_of_the_table(monkeypatch):
    bias = EditableMatrix("b_q", "b_Q", "query bias", "query", "row", "d_k", is_vector=True)
    absent = EditableMatrix("w_o", "W_O", "output matrix", "output", "d_v", "d_out")
    monkeypatch.setattr(matrix_edits, "EDITABLE_MATRICES", {"b_q": bias, "w_o": absent})
    state = WithBias(np.array([1.0, 2.0, 3.0]))
    ((found, entries),) = editable_matrices_of(state)
    assert (found, entries.tolist()) == (bias, [[1.0, 2.0, 3.0]])
    assert set_matrix_entry(state, "b_q", 0, 2, -4.0).b_q.tolist() == [1.0, 2.0, -4.0]
    assert set_matrix(state, "b_q", [[5.0, 6.0, 7.0]]).b_q.tolist() == [5.0, 6.0, 7.0]
    assert set_matrix(state, "b_q", [[5.0], [6.0]]).b_q.tolist() == [5.0, 6.0]
    assert shape_matrix(state, "b_q", "zeros").b_q.tolist() == [0.0, 0.0, 0.0]
    assert refusal(shape_matrix, state, "w_o", "zeros") == (
        "a matrix to edit must be in the document, got W_O, which is not"
    )


# -- cells of heads


def grouped(**fields):
    """Four heads that read two heads of keys and values: d = 5, d_k = 3, d_v = 2."""
    sequence = TokenSequence(("a", "b"), np.ones((2, 5)))
    shapes = {"w_q": (5, 12), "w_k": (5, 12), "w_v": (5, 8), "w_o": (8, 7)}
    matrices = {name: np.zeros(shape) for name, shape in shapes.items()}
    biases = {"b_q": np.zeros(12), "b_k": np.zeros(12), "b_v": np.zeros(8), "b_o": np.zeros(7)}
    return State(sequence, **(matrices | biases | {"n_heads": 4, "n_kv_heads": 2} | fields))


@pytest.mark.parametrize(
    ("name", "cell", "indices"),
    [
        ("w_q", (4, 7), (4, 1)),  # the third head of queries has the columns 6, 7, 8
        ("w_k", (4, 4), (4, 1)),  # the second head of keys 3, 4, 5
        ("w_v", (4, 3), (4, 1)),  # and of values 2, 3
        ("w_o", (7, 6), (7, 6)),  # W_O is of no head
        ("b_q", (0, 8), (2,)),
        ("b_k", (0, 3), (0,)),
        ("b_v", (0, 2), (0,)),
        ("b_o", (0, 6), (6,)),
    ],
)
def test_cell_is_known_by_the_number_that_the_head_has_in_it(name, cell, indices):
    frame, matrix = compute(grouped()).at_head(2), EDITABLE_MATRICES[name]
    assert matrix.ref(frame, *cell) == NumberRef(name, indices)
    assert matrix.place(frame, NumberRef(name, indices)) == cell


@pytest.mark.parametrize(
    ("name", "column"), [("w_q", 5), ("w_q", 9), ("w_k", 2), ("w_k", 6), ("w_v", 1), ("w_v", 4), ("b_q", 0)]
)
def test_cell_of_another_head_has_no_number_of_this_one(name, column):
    frame = compute(grouped()).at_head(2)
    assert EDITABLE_MATRICES[name].ref(frame, 0, column) is None


def test_number_of_another_matrix_has_no_cell():
    frame = compute(grouped())
    assert EDITABLE_MATRICES["w_q"].place(frame, NumberRef("w_k", (0, 0))) is None


def test_columns_that_act_are_those_of_all_heads():
    acting = {
        matrix.name: matrix.acting_columns(grouped(), array.shape[1])
        for matrix, array in editable_matrices_of(grouped())
    }
    assert acting == {"w_q": 12, "w_k": 6, "w_v": 4, "w_o": 7, "b_q": 12, "b_k": 6, "b_v": 4, "b_o": 7}
    assert EDITABLE_MATRICES["w_k"].acting_columns(grouped(is_tied=True), 12) == 0


# -- a tied key matrix


def test_tied_key_matrix_shows_the_query_matrix_and_takes_no_edit():
    state = two_axes(w_q=[[1.0, 2.0], [3.0, 4.0]], is_tied=True)
    shown = {matrix.name: array.tolist() for matrix, array in editable_matrices_of(state)}
    assert shown["w_k"] == [[1.0, 2.0], [3.0, 4.0]]
    sentence = "W_K must be untied before it is changed, got one that is tied to W_Q"
    for edit, *what in (
        (set_matrix_entry, 0, 0, 5.0),
        (set_matrix, np.eye(2)),
        (shape_matrix, "zeros"),
        (turn_matrix, np.eye(2), 90),
    ):
        assert refusal(edit, state, "w_k", *what) == sentence
    assert set_matrix_entry(state, "w_q", 0, 0, 5.0).w_q[0, 0] == 5.0
    untied = set_scalar(state, "tie", False)
    assert EDITABLE_MATRICES["w_k"].shown(untied).tolist() == np.eye(2).tolist()


# -- parts that a layer may be without


def test_added_part_changes_nothing_yet_and_is_not_added_twice():
    plain = grouped(w_o=None, **dict.fromkeys(("b_q", "b_k", "b_v", "b_o")))
    state = plain
    for name in ("w_o", "b_q", "b_k", "b_v", "b_o"):
        state = add_matrix(state, name)
        assert add_matrix(state, name) is state
    assert state.w_o.tolist() == np.eye(8).tolist()
    assert [len(getattr(state, name)) for name in ("b_q", "b_k", "b_v", "b_o")] == [12, 12, 8, 8]
    np.testing.assert_array_equal(compute(state).layer_output, compute(plain).layer_output)


def test_bias_of_the_output_comes_after_w_o_and_goes_with_it():
    assert refusal(add_matrix, two_axes(), "b_o") == "b_O must be added to W_O, got a layer without one"
    without = remove_matrix(grouped(), "w_o")
    assert without.w_o is without.b_o is None
    without_bias = remove_matrix(grouped(), "b_o")
    assert without_bias.b_o is None
    assert without_bias.w_o is not None


@pytest.mark.parametrize("edit", [add_matrix, remove_matrix])
def test_matrix_that_a_layer_must_have_is_neither_added_nor_removed(edit):
    sentence = "a part of a layer must be one of w_o, b_q, b_k, b_v, b_o, got 'w_q'"
    assert refusal(edit, two_axes(), "w_q") == sentence


# -- operations


@pytest.mark.parametrize("name", list(MATRIX_OPERATIONS))
@pytest.mark.parametrize("shape", [(2, 2), (3, 5), (5, 3), (7, 1), (1, 1)])
def test_every_operation_keeps_the_shape_or_refuses_in_one_sentence(name, shape):
    matrix = np.random.default_rng(1).normal(size=shape)
    try:
        made = MATRIX_OPERATIONS[name].apply(matrix)
    except DocumentError as error:
        states.assert_one_sentence(error)
        assert min(shape) == 1
    else:
        assert made.shape == shape
        assert np.isfinite(made).all()
        assert not np.signbit(made[made == 0.0]).any()


@pytest.mark.parametrize("name", list(MATRIX_OPERATIONS))
def test_operations_leave_their_argument_alone_and_repeat_themselves(name):
    matrix = np.random.default_rng(2).normal(size=(4, 3))
    before = matrix.copy()
    first, second = (MATRIX_OPERATIONS[name].apply(matrix) for _ in range(2))
    np.testing.assert_array_equal(matrix, before)
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize(
    ("degrees", "expected"),
    [
        (0, [[1, 0], [0, 1]]),
        (90, [[0, 1], [-1, 0]]),
        (180, [[-1, 0], [0, -1]]),
        (-90, [[0, -1], [1, 0]]),
        (360, [[1, 0], [0, 1]]),
        (30, [[math.sqrt(3) / 2, 0.5], [-0.5, math.sqrt(3) / 2]]),
    ],
)
def test_rotation_turns_rows_counter_clockwise_and_is_exact(degrees, expected):
    state = shape_matrix(two_axes(), "w_v", "rotation", degrees)
    np.testing.assert_allclose(state.w_v, expected, rtol=0.0, atol=2.3e-16 if degrees == 30 else 0.0)


def test_rotation_of_a_point_by_a_quarter_turn():
    # x = (1, 0.5) turned by 90 degrees is (-0.5, 1): a row times the matrix
    turned = np.array([1.0, 0.5]) @ shape_matrix(two_axes(), "w_q", "rotation", 90).w_q
    assert turned.tolist() == [-0.5, 1.0]


def test_full_turn_is_the_identity_of_the_file():
    assert shape_matrix(two_axes(), "w_q", "rotation", 360).w_q is identity(2)
    eighth = shape_matrix(two_axes(), "w_q", "rotation", 45)
    assert shape_matrix(eighth, "w_q", "rotation", -45).w_q is identity(2)  # turns do not gather rounding


@pytest.mark.parametrize(
    ("degrees", "expected"),
    # by hand: a quarter turn takes a row (x, y) to (-y, x)
    [(90, [[-2, 1], [-4, 3]]), (180, [[-1, -2], [-3, -4]]), (-90, [[2, -1], [4, -3]]), (360, [[1, 2], [3, 4]])],
)
def test_matrix_is_turned_and_not_replaced(degrees, expected):
    state = set_matrix(two_axes(), "w_q", [[1, 2], [3, 4]])
    assert shape_matrix(state, "w_q", "rotation", degrees).w_q.tolist() == expected


def test_small_turn_is_the_product_with_a_rotation():
    state = shape_matrix(set_matrix(two_axes(), "w_q", [[1, 2], [3, 4]]), "w_q", "rotation", 30)
    # (1, 2) R = (cos 30 - 2 sin 30, sin 30 + 2 cos 30), and so (3, 4) R
    root = math.sqrt(3.0)
    expected = [[root / 2 - 1, 0.5 + root], [1.5 * root - 2, 1.5 + 2 * root]]
    np.testing.assert_allclose(state.w_q, expected, rtol=1e-15)


def test_wider_matrix_turns_the_first_two_axes_of_its_images():
    made = MATRIX_OPERATIONS["rotation"].apply(np.arange(12.0).reshape(4, 3), 90)
    assert made.tolist() == [[-1, 0, 2], [-4, 3, 5], [-7, 6, 8], [-10, 9, 11]]


def test_bias_is_turned_too():
    state = set_matrix(two_axes(b_q=np.zeros(2)), "b_q", [[1.0, 2.0]])
    assert shape_matrix(state, "b_q", "rotation", 90).b_q.tolist() == [-2.0, 1.0]


def test_turn_counts_from_where_the_gesture_began():
    state = set_matrix(two_axes(), "w_v", [[1, 2], [3, 4]])
    start = state.w_v
    for degrees in (17.0, 44.0, 90.0):
        state = turn_matrix(state, "w_v", start, degrees)
    assert state.w_v.tolist() == [[-2, 1], [-4, 3]]
    sentence = refusal(turn_matrix, state, "w_v", np.eye(3), 90)
    assert sentence == "W_V must keep its shape (2, 2) while it is turned, got (3, 3)"


def test_turn_that_leaves_the_range_of_floats_is_refused():
    state = set_matrix(two_axes(), "w_v", [[1.7e308, -1.7e308], [0.0, 1.0]])
    assert refusal(shape_matrix, state, "w_v", "rotation", 45).startswith("W_V must be finite numbers, got")


@pytest.mark.parametrize(
    ("matrix", "angle"),
    [
        ([[0, 1], [-1, 0]], 90.0),
        ([[1, 1], [5, 7]], 45.0),
        ([[-3, 0], [0, 1]], 180.0),
        ([[0, 0], [1, 1]], None),
        ([[1.0]], None),
        ([[0, -2, 7]], -90.0),
    ],
)
def test_needle_points_where_the_first_axis_goes(matrix, angle):
    assert needle_angle(np.array(matrix, float)) == angle


@pytest.mark.parametrize(
    ("shape", "impossible"),
    [
        ((2, 2), []),
        ((1, 2), []),
        ((2, 1), ["rotation", "swap"]),
        ((1025, 1025), ["orthogonal", "low_rank"]),
    ],
)
def test_operations_say_for_which_shapes_they_are_not(shape, impossible):
    assert [name for name, one in MATRIX_OPERATIONS.items() if one.reason_against(shape)] == impossible


@pytest.mark.parametrize("degrees", [0.0, 1.0, 44.0, 45.0, 89.5, 135.0, -120.0, 179.0, 33.25])
def test_angle_of_a_rotation_is_found_again(degrees):
    assert rotation_angle(MATRIX_OPERATIONS["rotation"].apply(np.eye(3), degrees)) == pytest.approx(degrees, abs=1e-12)


@pytest.mark.parametrize("matrix", [[[1, 1], [1, 1]], [[0, 0], [0, 0]], [[0, 1], [1, 0]], [[2, 0], [0, 2]], [[1]]])
def test_other_matrices_have_no_angle(matrix):
    assert rotation_angle(np.array(matrix, float)) is None


def test_of_a_very_large_matrix_only_the_shared_identity_has_an_angle():
    assert rotation_angle(identity(1025)) == 0.0
    assert rotation_angle(np.eye(1025)) is None
    assert rotation_angle(np.eye(1024)) == 0.0


@pytest.mark.parametrize(
    ("operation", "name"), [("orthogonal", "an orthogonal matrix"), ("low_rank", "a matrix to reduce")]
)
def test_matrix_too_large_to_be_decomposed_is_refused(operation, name):
    sentence = refusal(MATRIX_OPERATIONS[operation].apply, np.zeros((1025, 1026)))
    assert sentence == f"{name} must have at most 1,024 rows or columns, got shape (1025, 1026)"


def test_cosine_and_sine_are_those_of_the_library():
    for degrees in np.linspace(-360, 360, 97).tolist():
        expected = (math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))
        assert cosine_and_sine(degrees) == pytest.approx(expected, abs=1e-15)


def test_random_numbers_have_variance_one_over_d_and_follow_the_seed():
    matrix = np.zeros((200, 150))
    first, other = (MATRIX_OPERATIONS["random"].apply(matrix, seed) for seed in (1, 2))
    assert first.var() == pytest.approx(1 / 200, rel=0.03)  # of 30,000: 0.03 is more than three deviations
    assert first.mean() == pytest.approx(0.0, abs=0.002)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("shape", [(5, 5), (7, 3), (3, 7)])
def test_orthogonal_matrix_keeps_lengths(shape):
    made = MATRIX_OPERATIONS["orthogonal"].apply(np.zeros(shape), 3)
    gram = made.T @ made if shape[0] >= shape[1] else made @ made.T
    np.testing.assert_allclose(gram, np.eye(min(shape)), atol=1e-14)


def test_orthogonal_matrices_are_spread_evenly():
    # Of a uniformly distributed orthogonal 2 x 2 matrix the first entry is as often negative as positive, and every
    # second one is a mirror; without the fix of the signs each draw has R's signs instead.
    drawn = [MATRIX_OPERATIONS["orthogonal"].apply(np.zeros((2, 2)), seed) for seed in range(400)]
    positive = sum(matrix[0, 0] > 0 for matrix in drawn)
    mirrors = sum(np.linalg.det(matrix) < 0 for matrix in drawn)
    assert 150 < positive < 250
    assert 150 < mirrors < 250


def test_low_rank_is_the_nearest_matrix_of_that_rank():
    matrix = np.random.default_rng(4).normal(size=(7, 5))
    values = np.linalg.svd(matrix, compute_uv=False)
    for rank in range(1, 5):
        reduced = MATRIX_OPERATIONS["low_rank"].apply(matrix, rank)
        assert np.linalg.matrix_rank(reduced) == rank
        distance = np.linalg.norm(matrix - reduced)
        assert distance == pytest.approx(math.sqrt((values[rank:] ** 2).sum()))  # Eckart and Young 1936
    np.testing.assert_array_equal(MATRIX_OPERATIONS["low_rank"].apply(matrix, 5), matrix)


def test_low_rank_of_huge_and_tiny_numbers_does_not_overflow():
    for factor in (1e300, 1e-300):
        reduced = MATRIX_OPERATIONS["low_rank"].apply(np.diag([2.0, 1.0]) * factor, 1)
        np.testing.assert_allclose(reduced, np.diag([2.0, 0.0]) * factor)


@pytest.mark.parametrize(
    ("operation", "value", "sentence"),
    [
        ("low_rank", 3, "a rank must be 1 to 2 for a matrix of shape (2, 2), got 3"),
        ("low_rank", 0, "a rank must be 1 to 1,024, got 0"),
        ("low_rank", 1.5, "a rank must be a whole number, got 1.5"),
        ("random", -1, "a seed must be 0 to 2,147,483,647, got -1"),
        ("rotation", 361, "an angle must be -360 to 360, got 361"),
        ("rotation", math.nan, "an angle must be -360 to 360, got nan"),
        ("scaling", 1e13, "a factor must be within ±1e+12, got 1e+13"),
    ],
)
def test_number_that_cannot_be_is_refused(operation, value, sentence):
    assert refusal(shape_matrix, two_axes(), "w_q", operation, value) == sentence


def test_what_does_not_fit_a_narrow_matrix_is_refused():
    narrow = State(TokenSequence(("a", "b"), np.eye(2)), w_q=[[1.0], [0.0]], w_k=[[1.0], [0.0]])
    assert refusal(shape_matrix, narrow, "w_q", "rotation") == (
        "a rotation must have two axes to turn, got a matrix of shape (2, 1)"
    )
    assert refusal(shape_matrix, narrow, "w_q", "swap") == (
        "a matrix to swap must have at least two columns, got shape (2, 1)"
    )


def test_factor_that_leaves_the_range_of_floats_is_refused():
    state = set_matrix(two_axes(), "w_v", [[1e300, 0.0], [0.0, 1.0]])
    assert refusal(shape_matrix, state, "w_v", "scaling", 1e10).startswith("W_V must be finite numbers, got inf")


def test_every_operation_explains_itself():
    for operation in MATRIX_OPERATIONS.values():
        assert operation.label
        assert operation.help.endswith(".")
        if operation.parameter is not None:
            assert operation.parameter.help.endswith(".")
            assert operation.parameter.check(operation.parameter.first) == operation.parameter.first
