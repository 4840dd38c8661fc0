"""The projections on the plane: where marks and grid lie, what they are called, and what cannot be drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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
        ("q = x W_Q", 3, 0),
        ("k = c W_K", 5, 3),
        ("v = c W_V", 5, 3),
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
    for place in ((0.3, 0.3), (-0.3, -0.3), (-0.3, 0.0)):
        assert has_nearly(LIGHT.query, colours_near(view, place, 2)), place
    assert not has_nearly(LIGHT.query, colours_near(view, (0.0, 0.3), 2))  # where the second axis was


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
        "q = x W_Q",
        "k = x W_K",
        "v = x W_V",
        "grid under W_K",
    ]
    view.resize(260, 540)
    QApplication.processEvents()
    assert [seen.text for seen in texts_painted_by(view.legend)] == ["q", "k", "v", "W_K"]
    assert view.legend.accessibleDescription() == "q = x W_Q; k = x W_K; v = x W_V; grid under W_K"


def test_what_has_not_two_coordinates_is_named_in_the_subtitle(shown: Shown) -> None:
    view = shown(set_scalar(apart(), "d_k", 5))
    assert view.subtitle == "q, k have 5 coordinates, not 2: not drawn"
    assert [seen.text for seen in texts_painted_by(view.legend)] == ["v = x W_V"]
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
