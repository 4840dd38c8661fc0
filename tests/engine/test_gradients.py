"""The backward pass against finite differences of the forward pass, and against hand figures."""

import numpy as np
import pytest

from attnviz.engine import MASKING_METHODS, SOFTMAX_VARIANTS, attend, backward, causal_mask, softmax, softmax_jacobian

STEP = 1e-6


def inputs(leading_q=(), leading_k=(), leading_v=(), seed=0):
    rng = np.random.default_rng(seed)
    return [
        rng.normal(size=(*leading_q, 5, 3)),
        rng.normal(size=(*leading_k, 7, 3)),
        rng.normal(size=(*leading_v, 7, 2)),
    ]


def slope(loss, array):
    """Central differences of a loss by every entry of an array."""
    result = np.empty_like(array)
    for place in np.ndindex(array.shape):
        up, down = array.copy(), array.copy()
        up[place] += STEP
        down[place] -= STEP
        result[place] = (loss(up) - loss(down)) / (2 * STEP)
    return result


def assert_gradients_are_slopes(arrays, **options):
    trace = attend(*arrays, **options)
    grad = np.random.default_rng(9).normal(size=trace.output.shape)
    gradients = backward(trace, grad)
    for index, name in enumerate(("query", "key", "value")):

        def loss(array, index=index):
            return float((attend(*arrays[:index], array, *arrays[index + 1 :], **options).output * grad).sum())

        np.testing.assert_allclose(getattr(gradients, name), slope(loss, arrays[index]), atol=2e-8, err_msg=name)


def mask_with_an_empty_row():
    allowed = causal_mask(5, 7)
    allowed[2] = False
    return allowed


def test_gradients_are_the_slopes_of_the_loss():
    assert_gradients_are_slopes(inputs(), temperature=0.7)


@pytest.mark.parametrize("masking", MASKING_METHODS)
@pytest.mark.parametrize("softmax", SOFTMAX_VARIANTS)
def test_gradients_are_right_under_every_mask_and_softmax(masking, softmax):
    # Beside -1e9 a float64 has steps of 1e-7: too coarse for differences in a row of nothing else.
    allowed = causal_mask(5, 7) if masking == "add_large_negative" else mask_with_an_empty_row()
    assert_gradients_are_slopes(inputs(), masking=masking, softmax=softmax, allowed=allowed)


@pytest.mark.parametrize("masking", MASKING_METHODS)
def test_gradients_are_right_without_a_mask_whatever_the_method(masking):
    assert_gradients_are_slopes(inputs(), masking=masking)


def test_gradients_are_right_where_a_row_is_brought_back_to_its_sum_beside_a_sink():
    choices = {"masking": "after_renormalised", "softmax": "plus_one", "sink": 0.7}
    assert_gradients_are_slopes(inputs(), **choices, allowed=mask_with_an_empty_row())


def test_gradients_are_right_with_bias_sink_dropout_and_soft_cap():
    rng = np.random.default_rng(3)
    assert_gradients_are_slopes(
        inputs(),
        bias=rng.normal(size=(5, 7)),
        sink=rng.normal(size=5),
        dropout=(rng.random((5, 7)) < 0.8, 0.2),
        soft_cap=1.5,
        scale=-0.8,
    )


@pytest.mark.parametrize(
    "leading", [((2,), (2,), (2,)), ((2, 1), (3,), ()), ((), (), (2,)), ((), (2,), ()), ((1,), (2,), ())]
)
def test_gradients_are_summed_over_broadcast_axes(leading):
    assert_gradients_are_slopes(inputs(*leading))


def test_gradients_are_right_when_only_the_mask_has_a_batch_axis():
    assert_gradients_are_slopes(inputs(), allowed=np.random.default_rng(5).random((2, 5, 7)) < 0.6, soft_cap=2.0)


def test_gradients_of_the_stages_are_slopes_too():
    q, k, v = inputs()
    trace = attend(q, k, v, soft_cap=2.0)
    grad = np.random.default_rng(9).normal(size=(5, 2))
    gradients = backward(trace, grad)

    def after_scaled(scaled):
        return float((softmax(2 * np.tanh(scaled / 2)) @ v * grad).sum())

    np.testing.assert_allclose(gradients.scaled, slope(after_scaled, trace.scaled), atol=1e-8)
    np.testing.assert_allclose(gradients.scores, gradients.scaled * trace.multiplier, rtol=1e-14)
    np.testing.assert_allclose(
        gradients.logits,
        slope(lambda bias: float((softmax(trace.masked + bias) @ v * grad).sum()), np.zeros((5, 7))),
        atol=1e-8,
    )
    np.testing.assert_allclose(gradients.weights, grad @ v.T, rtol=1e-14)


def test_two_keys_by_hand():
    trace = attend([[0.0]], [[1.0], [-1.0]], [[1.0], [0.0]])
    gradients = backward(trace, [[1.0]])
    np.testing.assert_array_equal(gradients.value, [[0.5], [0.5]])
    np.testing.assert_array_equal(gradients.scores, [[0.25, -0.25]])
    np.testing.assert_array_equal(gradients.query, [[0.5]])
    np.testing.assert_array_equal(gradients.key, [[0.0], [0.0]])


def test_empty_row_and_banned_cells_have_gradient_zero():
    trace = attend(*inputs(), allowed=mask_with_an_empty_row())
    gradients = backward(trace, np.ones((5, 2)))
    np.testing.assert_array_equal(gradients.query[2], 0)
    np.testing.assert_array_equal(gradients.scores[~mask_with_an_empty_row()], 0)


def test_saturated_row_learns_nothing():
    k = np.array([[100.0], [0.0], [-100.0]])
    gradients = backward(attend([[10.0]], k, [[1.0], [2.0], [3.0]]), [[1.0]])
    np.testing.assert_array_equal(gradients.query, [[0.0]])


def test_gradients_are_read_only_and_without_negative_zero():
    gradients = backward(attend(*inputs()), -np.zeros((5, 2)))
    for name in ("query", "key", "value", "scores", "scaled", "logits", "weights"):
        assert not getattr(gradients, name).flags.writeable
        assert not np.signbit(getattr(gradients, name)).any()


@pytest.mark.parametrize(
    ("grad", "message"),
    [
        (np.ones((2, 5)), r"grad_output must have shape \(5, 2\), got \(2, 5\)"),
        (np.full((5, 2), np.nan), r"grad_output must be finite, got nan at \(0, 0\)"),
        (
            np.full((5, 2), 1.7e308),
            "gradients must stay below 1.8e308 in magnitude, got an overflow in that by the weights",
        ),
    ],
)
def test_impossible_output_gradients_are_refused(grad, message):
    q, k, v = inputs()
    with pytest.raises(ValueError, match=message):
        backward(attend(q, k, v * 10), grad)


@pytest.mark.parametrize(("logits", "norm"), [([0.3, 0.4], 0.498752), ([30.0, 40.0], 9.07916e-5)])
def test_jacobian_collapses_as_the_softmax_saturates(logits, norm):
    assert np.linalg.norm(softmax_jacobian(softmax(logits))) == pytest.approx(norm, rel=2e-6)


def test_jacobian_entries_are_slopes_of_the_softmax():
    logits = np.random.default_rng(0).normal(size=(2, 5))
    jacobian = softmax_jacobian(softmax(logits))
    assert jacobian.shape == (2, 5, 5)
    for j in range(5):
        step = STEP * np.eye(5)[j]
        expected = (softmax(logits + step) - softmax(logits - step)) / (2 * STEP)
        np.testing.assert_allclose(jacobian[:, :, j], expected, atol=1e-9)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (0.5, "p must have an axis of keys"),
        ([np.nan, 1], "p must lie between 0 and 1"),
        ([1.5, 0], "p must lie between 0 and 1"),
    ],
)
def test_jacobian_of_something_else_is_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        softmax_jacobian(weights)
