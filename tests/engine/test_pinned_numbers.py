"""Pinned scores and weights: what follows uses them, what stands before does not, and gradients stop there."""

import numpy as np
import pytest

from attnviz.engine import attend, attend_heads, backward, causal_mask
from tests.engine.test_gradients import assert_gradients_are_slopes, inputs
from tests.reference import mixture, scores_of, softmax_row

NAN = float("nan")
X = [[1.0, 0.5], [0.8, 0.6], [-0.5, 1.0]]


def pins(shape, *places):
    numbers = np.full(shape, NAN)
    for place, value in places:
        numbers[place] = value
    return numbers


def test_pinned_score_takes_the_place_of_the_dot_product_and_the_row_follows():
    trace = attend(X, X, X, pinned_scores=pins((3, 3), ((0, 1), 3.0)))
    scores = scores_of(X, X)
    scores[0][1] = 3.0
    weights = [softmax_row([s / 2**0.5 for s in row]) for row in scores]
    np.testing.assert_allclose(trace.scores, scores, atol=1e-12)
    np.testing.assert_allclose(trace.weights, weights, atol=1e-12)
    np.testing.assert_allclose(trace.output, mixture(weights, X), atol=1e-12)


def test_rows_without_a_pin_are_the_same_to_the_bit():
    plain, pinned = attend(X, X, X), attend(X, X, X, pinned_scores=pins((3, 3), ((0, 1), 3.0)))
    assert np.array_equal(plain.weights[1:], pinned.weights[1:])
    assert np.array_equal(plain.output[1:], pinned.output[1:])


def test_pinned_weight_reaches_the_output_alone():
    plain, pinned = attend(X, X, X), attend(X, X, X, pinned_weights=pins((3, 3), ((0, 2), 0.5)))
    assert np.array_equal(plain.exponentials, pinned.exponentials)
    assert np.array_equal(plain.weights[0, :2], pinned.weights[0, :2])
    assert pinned.weights[0, 2] == 0.5
    expected = plain.output[0] + (0.5 - plain.weights[0, 2]) * np.array(X[2])
    np.testing.assert_allclose(pinned.output[0], expected, atol=1e-12)


def test_pinned_score_of_a_banned_key_is_masked_all_the_same():
    trace = attend(X, X, X, allowed=causal_mask(3, 3), pinned_scores=pins((3, 3), ((0, 2), 9.0)))
    assert trace.scores[0, 2] == 9.0
    assert trace.weights[0].tolist() == [1.0, 0.0, 0.0]


def test_pinned_weight_of_a_row_without_a_visible_key_gives_an_output():
    allowed = np.array([[False, False, False], [True, True, True], [True, True, True]])
    trace = attend(X, X, X, allowed=allowed, pinned_weights=pins((3, 3), ((0, 1), 1.0)))
    assert trace.output[0].tolist() == [0.8, 0.6]


def test_nothing_pinned_is_the_same_to_the_bit():
    nothing = pins((3, 3))
    plain, pinned = attend(X, X, X), attend(X, X, X, pinned_scores=nothing, pinned_weights=nothing)
    for name in ("scores", "weights", "output"):
        assert np.array_equal(getattr(plain, name), getattr(pinned, name))


def test_huge_pinned_score_takes_the_whole_row_without_a_warning():
    trace = attend(X, X, X, temperature=1e-6, pinned_scores=pins((3, 3), ((1, 0), 1e308)))
    assert trace.weights[1].tolist() == [1.0, 0.0, 0.0]
    assert np.isfinite(trace.scaled).all()


def test_pins_broadcast_over_heads():
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(5, 4)), rng.normal(size=(4, 4))
    trace = attend_heads(x, w_q=w, w_k=w, w_v=w, n_heads=2, pinned_scores=pins((2, 5, 5), ((1, 3, 2), 7.0)))
    assert trace.heads.scores[1, 3, 2] == 7.0
    assert trace.heads.scores[0, 3, 2] != 7.0


@pytest.mark.parametrize("name", ["pinned_scores", "pinned_weights"])
def test_gradients_stop_at_pinned_numbers(name):
    numbers = pins((5, 7), ((1, 3), 0.7), ((4, 0), -0.2))
    assert_gradients_are_slopes(inputs(), **{name: numbers})


def test_gradient_by_a_pinned_score_is_its_slope():
    grad = np.ones((3, 2))
    step = 1e-6

    def trace(score):
        return attend(X, X, X, pinned_scores=pins((3, 3), ((0, 1), score)))

    slope = (trace(3.0 + step).output.sum() - trace(3.0 - step).output.sum()) / (2 * step)
    assert backward(trace(3.0), grad).scores[0, 1] == pytest.approx(slope, abs=1e-8)


@pytest.mark.parametrize("name", ["pinned_scores", "pinned_weights"])
@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        (np.zeros((3, 2)), "must have shape (3, 3), got (3, 2)"),
        (np.full((3, 3), np.inf), "got an infinite one"),
    ],
)
def test_pins_that_do_not_fit_are_refused(name, numbers, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(").replace(")", r"\)")):
        attend(X, X, X, **{name: numbers})
