"""Heads cost no parameters: the counts of matrices and biases as they act, against the sums of the papers."""

from dataclasses import replace

import numpy as np
import pytest

from attnviz.document.edits import set_scalar
from attnviz.document.head_edits import use_w_o
from attnviz.document.parameter_count import parameter_count
from tests.document.states import cat_dog_phone, random_state


def test_first_scene_has_twelve() -> None:
    count = parameter_count(cat_dog_phone())
    assert count.total == 12
    assert count.text == "W_Q 4 + W_K 4 + W_V 4 = 12"


@pytest.mark.parametrize("heads", [1, 2, 4])
def test_number_of_heads_changes_nothing(heads: int) -> None:
    state = set_scalar(use_w_o(random_state(3, 8), "random", 0), "heads", heads)
    assert parameter_count(state).text == "W_Q 64 + W_K 64 + W_V 64 + W_O 64 = 256"


def test_fewer_key_value_heads_have_fewer() -> None:
    state = set_scalar(random_state(3, 8, n_heads=4), "kv_heads", 1)
    assert parameter_count(state).text == "W_Q 64 + W_K 16 + W_V 16 = 96"


@pytest.mark.parametrize("heads", [1, 12, 16])
def test_layer_of_width_768(heads: int) -> None:
    state = use_w_o(random_state(1, 768, n_heads=heads), "identity", 0)
    count = parameter_count(replace(state, **{name: np.zeros(768) for name in ("b_q", "b_k", "b_v", "b_o")}))
    assert count.matrices == 2_359_296
    assert count.total - count.matrices == 3_072
    assert count.text.endswith("+ b_Q 768 + b_K 768 + b_V 768 + b_O 768 = 2,362,368")


def test_drawn_columns_count_and_tied_keys_do_not() -> None:
    assert parameter_count(cat_dog_phone(d_k=5)).text == "W_Q 10 + W_K 10 + W_V 4 = 24"
    assert parameter_count(cat_dog_phone(is_tied=True)).text == "W_Q 4 + W_V 4 = 8"
