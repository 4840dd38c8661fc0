"""The window onto the plane, its grid and hulls."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviz.views.plane.geometry import FARTHEST, Viewport, convex_hull, multiples, round_step, within_reach

VIEW = Viewport(left=-1.0, right=3.0, bottom=-2.0, top=2.0, width=400.0, height=400.0)


def test_pixels_grow_to_the_right_and_downward() -> None:
    np.testing.assert_allclose(
        VIEW.to_pixels(np.array([[-1.0, 2.0], [3.0, -2.0], [0.0, 0.0]])), [[0, 0], [400, 400], [100, 200]]
    )


@given(st.floats(-500, 900), st.floats(-500, 900))
def test_pixel_to_plane_and_back_is_the_same_pixel(x: float, y: float) -> None:
    np.testing.assert_allclose(VIEW.to_pixels(np.array([VIEW.to_plane(x, y)]))[0], (x, y), atol=1e-9)


@pytest.mark.parametrize(
    ("units", "step"),
    [
        (0.3, 0.5),
        (0.5, 0.5),
        (0.51, 1.0),
        (1.2, 2.0),
        (2.1, 2.5),
        (3.0, 5.0),
        (7.0, 10.0),
        (0.0021, 0.0025),
        (4e7, 5e7),
    ],
)
def test_grid_step_is_the_next_round_number(units: float, step: float) -> None:
    assert round_step(units) == pytest.approx(step, rel=1e-12)


@pytest.mark.parametrize("units", [0.0, -1.0, float("inf"), float("nan")])
def test_grid_step_of_nonsense_is_one(units: float) -> None:
    assert round_step(units) == 1.0


def test_multiples_include_both_ends_and_write_zero_without_a_sign() -> None:
    assert multiples(-1.0, 1.0, 0.5) == [-1.0, -0.5, 0.0, 0.5, 1.0]
    assert str(multiples(-0.1, 0.1, 1.0)[0]) == "0.0"


def test_multiples_stay_few_when_the_step_is_far_too_small() -> None:
    assert len(multiples(0.0, 1e9, 1.0)) == 400


def test_hull_of_a_square_with_points_inside_is_its_corners() -> None:
    square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    hull = convex_hull(np.array([*square, (0.5, 0.5), (0.2, 0.7)]))
    assert sorted(map(tuple, hull.tolist())) == sorted(square)


@pytest.mark.parametrize(
    ("points", "count"),
    [([(1.0, 2.0)] * 5, 1), ([(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)], 2), ([(0.0, 0.0), (3.0, 1.0)], 2)],
)
def test_hull_of_points_on_a_line_is_its_ends(points: list[tuple[float, float]], count: int) -> None:
    assert len(convex_hull(np.array(points))) == count


@given(st.integers(0, 2**32 - 1), st.integers(1, 400))
def test_every_point_lies_left_of_every_edge_of_the_hull(seed: int, n: int) -> None:
    points = np.random.default_rng(seed).normal(size=(n, 2))
    hull = convex_hull(points)
    assert {tuple(corner) for corner in hull.tolist()} <= {tuple(point) for point in points.tolist()}
    if len(hull) < 3:
        return
    edges = np.roll(hull, -1, axis=0) - hull
    for corner, (dx, dy) in zip(hull, edges, strict=True):
        across = dx * (points[:, 1] - corner[1]) - dy * (points[:, 0] - corner[0])
        assert across.min() >= -1e-9


def test_points_that_can_be_drawn_are_the_same_array() -> None:
    points = np.array([[1e140, -3.0], [0.0, 1e-300]])
    assert within_reach(points) is points


def test_points_beyond_reach_come_nearer_and_the_others_stay() -> None:
    points = np.array([[1e308, -np.inf], [np.nan, 2.5]])
    np.testing.assert_array_equal(within_reach(points), [[FARTHEST, -FARTHEST], [0.0, 2.5]])
