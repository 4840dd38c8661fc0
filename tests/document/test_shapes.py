"""The shapes of a pass: users ask that the output is n_query x d_v, and that n_key vanishes."""

import numpy as np

from attnviz.document.frame import compute
from attnviz.document.matrices import MATRICES
from attnviz.document.shapes import SIZE_OF_AXIS, products_of
from tests.document.states import cat_dog_phone, cross_state


def texts(state):
    return [product.text for product in products_of(compute(state))]


def test_three_queries_of_width_seven_read_five_keys():
    state = cross_state(3, 5, 7, w_q=np.ones((7, 2)), w_k=np.ones((7, 2)), w_v=np.ones((7, 11)))
    assert texts(state) == [
        "X 3×7 · W_Q 7×2 → Q 3×2",
        "C 5×7 · W_K 7×2 → K 5×2",
        "C 5×7 · W_V 7×11 → V 5×11",
        "Q 3×2 · Kᵀ 2×5 → S 3×5",
        "A 3×5 · V 5×11 → Y 3×11",
    ]


def test_self_attention_has_no_second_list():
    assert texts(cat_dog_phone())[1] == "X 3×2 · W_K 2×2 → K 3×2"


def test_shapes_are_those_of_the_shown_head():
    assert texts(cross_state(3, 5, 8, n_heads=4))[0] == "X 3×8 · W_Q 8×2 → Q 3×2"


def test_sizes_that_meet_are_equal_and_vanish():
    for product in products_of(compute(cross_state(3, 40, 7))):
        assert product.left.columns == product.right.rows
        assert (product.result.rows, product.result.columns) == (product.left.rows, product.right.columns)


def test_every_axis_of_a_matrix_has_a_size():
    axes = {axis for matrix in MATRICES for axis in (matrix.rows, matrix.columns)}
    assert axes == set(SIZE_OF_AXIS)
