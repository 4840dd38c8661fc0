"""The worked scenes: figures computed by hand or taken from the curriculum, to the digits given there."""

import numpy as np

from attnviz.engine import attend, softmax

CAT_DOG_PHONE = [[1.0, 0.5], [0.8, 0.6], [-0.5, 1.0]]


def test_scene_1_scores():
    expected = [[1.25, 1.10, 0.00], [1.10, 1.00, 0.20], [0.00, 0.20, 1.25]]
    np.testing.assert_allclose(attend(*[CAT_DOG_PHONE] * 3).scores, expected, atol=1e-12)


def test_scene_1_scaled_scores():
    expected = [[0.884, 0.778, 0], [0.778, 0.707, 0.141], [0, 0.141, 0.884]]
    np.testing.assert_allclose(attend(*[CAT_DOG_PHONE] * 3).scaled, expected, atol=5e-4)


def test_scene_1_row_cat_exponentials_before_the_shift():
    trace = attend(*[CAT_DOG_PHONE] * 3)
    exponentials = trace.exponentials[0] * np.exp(trace.row_max[0])
    np.testing.assert_allclose(exponentials, [2.42, 2.18, 1.00], atol=5e-3)
    np.testing.assert_allclose(exponentials.sum(), 5.60, atol=5e-3)


def test_scene_1_weights():
    expected = [[0.432425, 0.388908, 0.178667], [0.406351, 0.378610, 0.215039], [0.218714, 0.251938, 0.529348]]
    np.testing.assert_allclose(attend(*[CAT_DOG_PHONE] * 3).weights, expected, atol=5e-7)


def test_scene_1_output():
    expected = [[0.654218, 0.628224], [0.601719, 0.645381], [0.155590, 0.789868]]
    np.testing.assert_allclose(attend(*[CAT_DOG_PHONE] * 3).output, expected, atol=5e-7)


def test_scene_2_row_sat():
    keys = [[0, 0], [1, 1], [1, 0], [0, 1]]
    trace = attend([[1, 2]], keys, keys)
    np.testing.assert_array_equal(trace.scores, [[0, 3, 1, 2]])
    np.testing.assert_allclose(trace.weights, [[0.06, 0.54, 0.13, 0.27]], atol=6e-3)


def test_scene_3_weights_at_temperature_1():
    weights = softmax([1.2, 3.8, 0.4, 2.1, 0.9])
    np.testing.assert_allclose(100 * weights, [5.5, 74.3, 2.5, 13.6, 4.1], atol=0.05)


def test_scene_3_low_temperature_sharpens_and_high_flattens():
    scores = [[1.2, 3.8, 0.4, 2.1, 0.9]]
    q, k = [[1.0]], np.transpose(scores)
    assert attend(q, k, k, scale="none", temperature=0.1).weights[0, 1] > 0.9999999
    np.testing.assert_allclose(attend(q, k, k, scale="none", temperature=1e6).weights, 0.2, atol=1e-6)


def test_scene_4_soft_look_up():
    keys = [[5.0], [2.0], [1.0]]
    trace = attend([[1.0]], keys, keys, scale="none")
    np.testing.assert_allclose(np.exp(trace.scaled[0]), [148.4, 7.39, 2.72], rtol=7e-4)
    np.testing.assert_allclose(trace.weights[0], [0.936, 0.047, 0.017], atol=5e-4)


def test_scene_5_three_dimensions():
    trace = attend([[1, 0, 1]], [[1, 0, 4], [0, 1, 2], [1, 1, 0]], [[10, 0], [0, 10], [5, 5]])
    np.testing.assert_allclose(trace.scaled[0], [2.887, 1.155, 0.577], atol=5e-4)
    np.testing.assert_allclose(trace.weights[0], [0.7836, 0.1386, 0.0778], atol=6e-5)
    np.testing.assert_allclose(trace.output[0], [8.225, 1.775], atol=5e-4)
