"""Entropy in nats and effective keys."""

import numpy as np
import pytest

from attnviz.engine import effective_keys, entropy


@pytest.mark.parametrize("n", [1, 2, 7, 1000])
def test_uniform_row_has_entropy_ln_n_and_n_effective_keys(n):
    assert entropy(np.full(n, 1 / n)) == pytest.approx(np.log(n), abs=1e-12)
    assert effective_keys(np.full(n, 1 / n)) == pytest.approx(n, rel=1e-12)


def test_one_hot_row_has_entropy_zero_without_a_sign_and_one_effective_key():
    assert entropy([0.0, 1.0, 0.0]) == 0
    assert not np.signbit(entropy([0.0, 1.0, 0.0]))
    assert effective_keys([0.0, 1.0, 0.0]) == 1


def test_empty_row_has_entropy_zero_and_no_effective_key():
    np.testing.assert_array_equal(entropy([[0.0, 0.0], [0.5, 0.5]]), [0, np.log(2)])
    np.testing.assert_allclose(effective_keys([[0.0, 0.0], [0.5, 0.5]]), [0, 2])


def test_average_of_two_one_hot_heads_has_entropy_ln_2():
    assert entropy([0.5, 0.5]) == pytest.approx(0.693147, abs=5e-7)


def test_measures_run_over_the_last_axis():
    assert entropy(np.full((2, 3, 5), 0.2)).shape == effective_keys(np.full((2, 3, 5), 0.2)).shape == (2, 3)


@pytest.mark.parametrize("weights", [[-0.1, 1.1], [np.nan, 1.0], [np.inf, 0.0]])
def test_negative_or_infinite_weights_are_refused(weights):
    with pytest.raises(ValueError, match="weights must be finite and not negative"):
        entropy(weights)


def test_single_number_is_refused():
    with pytest.raises(ValueError, match="weights must have an axis of keys, got a single number"):
        effective_keys(1.0)
