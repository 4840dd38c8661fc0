"""The output matrix: none, the identity, which changes nothing, or one drawn with a seed."""

import numpy as np
import pytest

from attnviz.document.edits import set_scalar
from attnviz.document.errors import DocumentError
from attnviz.document.frame import compute
from attnviz.document.head_edits import kind_of_w_o, possible_heads, possible_kv_heads, use_w_o
from tests.document.states import assert_one_sentence, random_state


def test_identity_changes_no_output() -> None:
    state = random_state(5, 6, n_heads=3)
    mixed = use_w_o(state, "identity", 0)
    assert mixed.w_o.tolist() == np.eye(6).tolist()
    assert compute(mixed).layer_output.tolist() == compute(state).layer_output.tolist()


def test_drawn_matrix_leads_to_the_width_of_the_embeddings() -> None:
    state = random_state(5, 7, w_v=np.ones((7, 6)), n_heads=3, d_k=2)
    drawn = use_w_o(state, "random", 11)
    assert drawn.w_o.shape == (6, 7)
    assert drawn.is_same(use_w_o(state, "random", 11))
    assert not drawn.is_same(use_w_o(state, "random", 12))


def test_drawn_entries_have_mean_0_and_variance_1_over_the_channels() -> None:
    w_o = use_w_o(random_state(1, 128), "random", 0).w_o
    assert abs(w_o.mean()) < 5 / 128**1.5
    assert abs(w_o.var() * 128 - 1.0) < 5 * np.sqrt(2 / w_o.size)


def test_bias_goes_with_its_matrix() -> None:
    state = random_state(3, 2, w_o=np.ones((2, 2)), b_o=[1.0, 2.0])
    assert use_w_o(state, "random", 0).b_o.tolist() == [1.0, 2.0]
    assert use_w_o(state, "none", 0).b_o is None
    wider = random_state(3, 2, w_o=np.ones((2, 3)), b_o=[1.0, 2.0, 3.0])
    assert use_w_o(wider, "identity", 0).b_o is None


@pytest.mark.parametrize("kind", ["none", "identity", "random"])
def test_kind_is_known_again(kind: str) -> None:
    assert kind_of_w_o(use_w_o(random_state(3, 4, seed=3), kind, 0)) == kind


def test_written_matrix_is_of_no_kind() -> None:
    assert kind_of_w_o(random_state(3, 2, w_o=np.ones((2, 2)))) is None


@pytest.mark.parametrize(("kind", "seed"), [("mean", 0), ("random", -1)])
def test_other_kinds_and_seeds_are_refused(kind: str, seed: int) -> None:
    with pytest.raises(DocumentError) as caught:
        use_w_o(random_state(3, 2), kind, seed)
    assert_one_sentence(caught.value)


@pytest.mark.parametrize(
    ("fields", "heads"),
    [
        ({}, {1, 2, 3, 4, 6, 12}),
        ({"n_heads": 4, "n_kv_heads": 2}, {2, 4, 6, 12}),
        ({"w_v": np.ones((12, 8))}, {1, 2, 4}),
    ],
)
def test_possible_heads_are_those_that_are_not_refused(fields: dict[str, object], heads: set[int]) -> None:
    state = random_state(2, 12, **fields)
    assert set(possible_heads(state)) == heads
    taken = set()
    for number in range(1, 17):
        try:
            taken.add(set_scalar(state, "heads", number).n_heads)
        except DocumentError:
            continue
    assert taken == heads


def test_possible_key_value_heads_divide_the_heads() -> None:
    assert possible_kv_heads(random_state(2, 12, n_heads=6)) == (1, 2, 3, 6)
