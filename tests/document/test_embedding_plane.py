"""The plane is that of the principal components, and a move within it keeps the rest exactly."""

import numpy as np
import pytest

from attnviz.document.edits import move_point
from attnviz.document.errors import DocumentError
from attnviz.document.plane import Plane, fit_plane
from tests.document import states

PLANE = {"centre": [1.0, 2.0, 3.0], "axes": [[1.0, 0.0, 0.0], [0.0, 0.6, 0.8]], "explained": [0.7, 0.2]}


def test_projection_by_hand():
    plane = Plane(**PLANE)
    # (2, 2, 4) less the centre is (1, 0, 1): right 1, up 0.8.
    np.testing.assert_allclose(plane.project(np.array([[2.0, 2.0, 4.0]])), [[1.0, 0.8]], rtol=1e-15)


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("axes", [[1.0, 0.0], [0.0, 1.0]], r"the plane's axes must have shape \(2, 3\), got \(2, 2\)"),
        ("explained", [1.0], "the plane's explained variance must have 2 entries, got 1"),
        ("explained", [7.0, 0.0], "variance must be two shares of at most 1 together, got .7.0, 0.0."),
        ("explained", [0.5, -0.1], "variance must be two shares of at most 1 together, got .0.5, -0.1."),
        ("explained", [0.6, 0.6], "variance must be two shares of at most 1 together, got .0.6, 0.6."),
        ("axes", [[1.0, 0.0, 0.0], [0.0, 0.6, 0.81]], "the plane's axes must be orthonormal, got others"),
        ("axes", [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], "the plane's axes must be orthonormal, got others"),
        ("centre", [np.nan, 0.0, 0.0], "the plane's centre must be finite numbers, got nan"),
    ],
)
def test_plane_that_cannot_be_is_refused(field, value, sentence):
    with pytest.raises(DocumentError, match=sentence):
        Plane(**{**PLANE, field: value})


def test_huge_axes_are_refused_without_a_warning():
    with pytest.raises(DocumentError, match="orthonormal"):
        Plane(**{**PLANE, "axes": [[1e200, 0.0, 0.0], [0.0, 1e200, 0.0]]})


@pytest.mark.parametrize("width", [3, 7, 307])
def test_move_lands_on_the_target_and_keeps_what_lies_across(width):
    state = states.random_state(11, width)
    before = state.sequence.embeddings[4]
    after = move_point(state, "sequence", 4, 1.25, -3.5).sequence.embeddings[4]
    np.testing.assert_allclose(state.plane.project(after[np.newaxis])[0], [1.25, -3.5], atol=1e-12)
    change = after - before
    across = change - (change @ state.plane.axes.T) @ state.plane.axes
    np.testing.assert_allclose(across, 0.0, atol=1e-12)


def test_moving_leaves_the_plane_where_it_was():
    state = states.random_state(5, 3)
    assert move_point(state, "sequence", 0, 9.0, 9.0).plane is state.plane


def test_same_means_every_bit():
    plane = Plane(**PLANE)
    assert plane.is_same(Plane(**PLANE))
    assert not plane.is_same(None)
    for field, value in (("centre", [1.0, 2.0, 4.0]), ("explained", [0.7, 0.3])):
        assert not plane.is_same(Plane(**{**PLANE, field: value}))
    assert not plane.is_same(Plane(**{**PLANE, "axes": [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]}))


def test_fit_finds_the_directions_of_largest_spread():
    # Spread 4 along the third axis, 1 along the first, none along the second: variances 16 and 1.
    points = np.array([[1.0, 5.0, 4.0], [-1.0, 5.0, 4.0], [1.0, 5.0, -4.0], [-1.0, 5.0, -4.0]])
    plane = fit_plane(points)
    np.testing.assert_allclose(plane.centre, [0.0, 5.0, 0.0], atol=1e-15)
    np.testing.assert_allclose(plane.axes, [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], atol=1e-15)
    np.testing.assert_allclose(plane.explained, [16 / 17, 1 / 17], rtol=1e-14)


def test_largest_entry_of_an_axis_is_positive():
    for seed in range(20):
        axes = fit_plane(np.random.default_rng(seed).normal(size=(7, 5))).axes
        for axis in axes:
            assert axis[np.argmax(np.abs(axis))] > 0.0


@pytest.mark.parametrize("n", [1, 3])
def test_points_that_coincide_get_the_first_two_coordinates(n):
    plane = fit_plane(np.full((n, 3), 0.1))
    np.testing.assert_array_equal(plane.axes, [[1, 0, 0], [0, 1, 0]])
    np.testing.assert_array_equal(plane.explained, [0.0, 0.0])


def test_two_points_span_a_plane_too():
    plane = fit_plane(np.array([[0.0, 0.0, 0.0, 0.0], [3.0, 0.0, 4.0, 0.0]]))
    np.testing.assert_allclose(plane.axes @ plane.axes.T, np.eye(2), atol=1e-14)
    np.testing.assert_allclose(plane.explained, [1.0, 0.0], atol=1e-15)


@pytest.mark.parametrize("size", [1e308, 1e-300, 5e-324])
def test_fit_withstands_numbers_of_any_size(size):
    plane = fit_plane(np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]) * size)
    np.testing.assert_allclose(plane.axes @ plane.axes.T, np.eye(2), atol=1e-14)
    assert np.isfinite(plane.project(np.array([[size, 0.0, 0.0]]))).all()


def test_move_beyond_the_numbers_is_refused():
    state = states.random_state(3, 3)
    with pytest.raises(DocumentError, match="finite"):
        move_point(move_point(state, "sequence", 0, 1e308, 1e308), "sequence", 0, -1e308, -1e308)
