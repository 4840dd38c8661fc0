"""The projections on the plane: where marks and grid lie, what they are called, and what cannot be drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPointF
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from attnviz.appearance import DARK, LIGHT, Theme
from attnviz.document.edits import set_scalar
from attnviz.document.frame import compute
from attnviz.document.matrix_edits import set_matrix, shape_matrix
from attnviz.document.presets import load_preset
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.painted import texts_painted_by
from attnviz.views.plane.geometry import Viewport, clipped_lines
from attnviz.views.plane.projections import NOTHING_PROJECTED, projection_scene
from attnviz.views.plane.view import PlaneView
from attnviz.views.selection import Selection
from tests.document.states import cross_state, random_state

Shown = Callable[..., PlaneView]


@pytest.fixture
def shown(qapp: QApplication) -> Iterator[Shown]:
    """Show views one after the other; all are gone at the end."""
    views: list[PlaneView] = []

    def show(state: State, *, has_images: bool = True, deforming: str = "", theme: Theme = LIGHT) -> PlaneView:
        view = PlaneView(Selection())
        views.append(view)
        view.apply_theme(theme)
        view.resize(600, 540)
        view.show()
        view.offer_frame(compute(state))
        assert view.canvas.isVisible()
        view.show_projections(has_images, deforming)
        view.fit()
        qapp.processEvents()
        return view

    yield show
    for view in views:
        view.close()
        view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def apart() -> State:
    """Cat, dog, phone with three projections whose images lie apart."""
    state = shape_matrix(load_preset("s1"), "w_q", "rotation", 90)
    state = set_matrix(state, "w_k", [[0.0, -1.0], [1.0, 0.0]])
    return shape_matrix(state, "w_v", "scaling", 2.0)


def colours_near(view: PlaneView, place: tuple[float, float], radius: int = 7) -> set[str]:
    """Name the colours around a place of the plane."""
    x, y = view.canvas.window_shown().to_pixels(np.array([place]))[0].tolist()
    image = view.canvas.viewport().grab().toImage()
    around = range(-radius, radius + 1)
    return {image.pixelColor(QPointF(x + right, y + down).toPoint()).name() for right in around for down in around}


def has_nearly(colour: str, colours: set[str]) -> bool:
    """Tell whether a colour is among others, as smooth lines draw it."""
    wanted = np.array(QColor(colour).getRgb())
    return any(np.abs(wanted - np.array(QColor(other).getRgb())).max() <= 4 for other in colours)


# -- the marks


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_each_image_has_the_colour_of_its_role_and_its_tokens_inside(shown: Shown, theme: Theme) -> None:
    view = shown(apart(), theme=theme)
    # cat (1, 0.5) and phone (-0.5, 1), by hand: q turns left, k turns right, v is twice as far
    for place, role, token in (
        ((-0.5, 1.0), theme.query, 0),
        ((0.5, -1.0), theme.key, 0),
        ((2.0, 1.0), theme.value, 0),
        ((-1.0, -0.5), theme.query, 2),
        ((1.0, 0.5), theme.key, 2),
        ((-1.0, 2.0), theme.value, 2),
    ):
        seen = colours_near(view, place)
        assert {role, theme.token(token)} <= seen, (place, seen)


def test_without_them_the_plane_is_as_it_was(shown: Shown) -> None:
    view = shown(apart(), has_images=False)
    before = view.canvas.viewport().grab().toImage()
    view.show_projections(True, "w_k")
    assert view.canvas.viewport().grab().toImage() != before
    assert view.legend.isVisible()
    view.show_projections(False, "")
    QApplication.processEvents()
    view.fit()
    assert view.canvas.viewport().grab().toImage() == before
    assert not view.legend.isVisible()


def test_fit_shows_the_images_too(shown: Shown) -> None:
    view = shown(shape_matrix(load_preset("s1"), "w_q", "scaling", 10.0))
    window = view.canvas.window_shown()
    places = window.to_pixels(10.0 * load_preset("s1").sequence.embeddings)
    assert ((places > 0.0) & (places < (window.width, window.height))).all()


def test_keys_and_values_of_cross_attention_are_the_contexts(shown: Shown) -> None:
    state = cross_state(3, 5, 2)
    scene = projection_scene(compute(state), has_images=True, deforming="")
    assert [(one.formula, len(one.points), one.first) for one in scene.images] == [
        ("Q = X W_Q", 3, 0),
        ("K = C W_K", 5, 3),
        ("V = C W_V", 5, 3),
    ]
    assert state.context is not None
    np.testing.assert_array_equal(scene.images[1].points, state.context.embeddings)
    view = shown(state)
    view.selection.choose_token("context", 4, is_query=False)
    QApplication.processEvents()


# -- the grid


def test_grid_goes_where_the_matrix_takes_it(shown: Shown) -> None:
    sheared = set_matrix(load_preset("s1"), "w_q", [[1.0, 0.0], [1.0, 1.0]])  # the second axis goes to (1, 1)
    view = shown(sheared, has_images=False, deforming="w_q")
    for place in ((0.3, 0.3), (-0.15, -0.15), (-0.15, 0.0)):  # well inside, whatever the size of the legend
        assert has_nearly(LIGHT.query, colours_near(view, place, 5)), place
    assert not has_nearly(LIGHT.query, colours_near(view, (0.0, 0.3), 2))  # where the second axis was


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    "matrix", [[[0.0, 1.0], [1.0, 0.0]], [[-1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [-1.0, 0.0]]]
)  # the swap, a mirror, a quarter turn: the same set of lines as those of the plane
def test_axes_of_a_grid_are_told_apart(shown: Shown, theme: Theme, matrix: list[list[float]]) -> None:
    view = shown(load_preset("s1"), has_images=False, deforming="w_q", theme=theme)
    plain = view.canvas.projections
    plain_picture = view.canvas.viewport().grab().toImage()
    view.offer_frame(compute(set_matrix(load_preset("s1"), "w_q", matrix)))
    QApplication.processEvents()
    assert view.canvas.viewport().grab().toImage() != plain_picture
    assert plain.scene.matrix is not None
    covered = [covered_along(view, axis, theme.query) for axis in matrix]
    assert covered[0] > 0.95  # solid
    assert 0.4 < covered[1] < 0.9  # dashed


def covered_along(view: PlaneView, axis: list[float], colour: str) -> float:
    """Say how much of the way from the origin to near the tip of an axis has a colour."""
    ways = np.linspace(0.05, 0.4, 200)[:, np.newaxis] * np.array([axis])
    image = view.canvas.viewport().grab().toImage()
    places = view.canvas.window_shown().to_pixels(ways).tolist()
    seen = [image.pixelColor(QPointF(x, y).toPoint()).name() for x, y in places]
    return sum(has_nearly(colour, {one}) for one in seen) / len(seen)


def test_grid_under_nothing_at_all_and_under_huge_numbers_is_drawn_without_harm(shown: Shown) -> None:
    for matrix in (np.zeros((2, 2)), np.full((2, 2), 1e100), np.diag([1e-200, 1e200])):
        state = set_matrix(load_preset("s1"), "w_v", matrix)
        assert shown(state, deforming="w_v").canvas.isVisible()


def test_lines_are_clipped_to_the_view() -> None:
    view = Viewport(0.0, 1.0, 0.0, 1.0, 100.0, 80.0)
    lines = np.array(
        [
            [10.0, 10.0, 90.0, 70.0],  # inside
            [-50.0, 40.0, 150.0, 40.0],  # across
            [50.0, -1e9, 50.0, 1e9],  # upright, from far away
            [-10.0, 0.0, -10.0, 80.0],  # beside
            [-20.0, 40.0, 10.0, -30.0],  # past a corner
            [5.0, 5.0, 5.0, 5.0],  # a point
            [np.nan, 0.0, 1.0, 1.0],
        ]
    )
    expected = [[10.0, 10.0, 90.0, 70.0], [0.0, 40.0, 100.0, 40.0], [50.0, 0.0, 50.0, 80.0]]
    np.testing.assert_allclose(clipped_lines(lines, view), expected, atol=1e-5)


# -- words


def test_legend_names_what_is_shown_and_shortens_where_it_is_narrow(shown: Shown) -> None:
    view = shown(apart(), deforming="w_k")
    assert [seen.text for seen in texts_painted_by(view.legend)] == [
        "Q = X W_Q",
        "K = X W_K",
        "V = X W_V",
        "grid under W_K",
    ]
    view.resize(260, 540)
    QApplication.processEvents()
    assert [seen.text for seen in texts_painted_by(view.legend)] == ["Q", "K", "V", "W_K"]
    assert view.legend.accessibleDescription() == (
        "Q = X W_Q; K = X W_K; V = X W_V; grid under W_K, where e1 (solid) and e2 (dashed) are the images of the axes"
    )


def test_legend_says_everything_that_acts(shown: Shown) -> None:
    layer = replace(load_preset("s1"), b_q=np.ones(2), b_k=np.ones(2), is_tied=True, positions="rotary")
    view = shown(layer)
    view.resize(1200, 540)
    QApplication.processEvents()
    assert [seen.text for seen in texts_painted_by(view.legend)] == [
        "Q = X W_Q + b_Q, turned by position",
        "K = X W_Q + b_K, turned by position",
        "V = X W_V",
    ]
    added = projection_scene(compute(set_scalar(layer, "positions", "sinusoidal")), has_images=True, deforming="")
    assert added.images[2].formula == "V = X′ W_V"


def test_what_has_not_two_coordinates_is_named_in_the_subtitle(shown: Shown) -> None:
    view = shown(set_scalar(apart(), "d_k", 5))
    assert view.subtitle == "q, k have 5 coordinates, not 2: not drawn"
    assert [seen.text for seen in texts_painted_by(view.legend)] == ["V = X W_V"]
    view.show_projections(True, "w_q")
    assert view.subtitle.endswith("W_Q is 2 × 5: only a 2 × 2 matrix deforms a plane's grid")
    view.show_projections(False, "")
    assert view.subtitle == "drag a token — outlines are the outputs"


def test_images_in_another_space_say_so(shown: Shown) -> None:
    scene = projection_scene(compute(set_scalar(random_state(3, 5), "d_k", 2)), has_images=True, deforming="")
    assert [one.projection.letter for one in scene.images] == ["q", "k"]
    assert scene.notes == (
        "v has 5 coordinates, not 2: not drawn",
        "q, k lie by their own two coordinates, in another space than the dots",
    )
    line = State(TokenSequence(("a", "b"), [[1.0], [2.0]]))
    assert projection_scene(compute(line), has_images=True, deforming="").notes == (
        "q, k, v have 1 coordinate, not 2: not drawn",
    )


def test_nothing_is_computed_while_nothing_is_shown() -> None:
    assert projection_scene(compute(load_preset("s1")), has_images=False, deforming="") is NOTHING_PROJECTED


def test_marks_differ_in_shape_as_well_as_in_colour() -> None:
    from attnviz.views.plane import sprites

    shapes = [
        sprites.mark(role, "#000000", "#000000", "#ffffff", 8.0, 1.0).toImage() for role in ("query", "key", "value")
    ]
    black = QColor("#000000")
    covered = [
        {(x, y) for x in range(one.width()) for y in range(one.height()) if one.pixelColor(x, y) == black}
        for one in shapes
    ]
    for i in range(3):
        for j in range(i):
            assert len(covered[i] ^ covered[j]) > 30
