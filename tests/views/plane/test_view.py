"""The plane as drawn: dots, names and lines where the numbers say."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPointF
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from attnviz.appearance import DARK, LIGHT, Theme
from attnviz.document.frame import compute
from attnviz.document.presets import load_preset
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.plane.view import PlaneView
from attnviz.views.selection import Selection

Shown = Callable[[State], PlaneView]


@pytest.fixture
def shown(qapp: QApplication) -> Iterator[Shown]:
    """Show views one after the other; all are gone at the end, so that none catches another test's mouse."""
    views: list[PlaneView] = []

    def show(state: State, theme: Theme = LIGHT) -> PlaneView:
        view = PlaneView(Selection())
        views.append(view)
        view.apply_theme(theme)
        view.resize(440, 540)
        view.show()
        view.offer_frame(compute(state))
        assert view.canvas.isVisible()
        qapp.processEvents()
        return view

    yield show
    for view in views:
        view.close()
        view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def pixel(view: PlaneView, at: QPointF) -> QColor:
    image = QImage(view.canvas.viewport().grab().toImage())
    return image.pixelColor(at.toPoint())


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_each_dot_has_its_tokens_colour_at_its_place(shown: Shown, theme: Theme) -> None:
    state = load_preset("s1")
    view = shown(state, theme)
    for i, (x, y) in enumerate(view.canvas.window_shown().to_pixels(state.sequence.embeddings).tolist()):
        assert pixel(view, QPointF(x, y)).name() == theme.token(i)


def test_output_is_hollow_where_the_engine_puts_it(shown: Shown) -> None:
    state = load_preset("s1")
    view = shown(state)
    at = view.canvas.window_shown().to_pixels(np.array([[0.155590, 0.789868]]))[0]  # y of "phone", curriculum S1
    assert pixel(view, QPointF(*at.tolist())).name() == LIGHT.panel
    ring = pixel(view, QPointF(at[0] + 6.0, at[1]))
    token = QColor(LIGHT.token(2))
    assert abs(ring.red() - token.red()) + abs(ring.green() - token.green()) + abs(ring.blue() - token.blue()) < 60


def test_fit_shows_every_token_every_output_and_the_origin(shown: Shown) -> None:
    points = np.array([[5.0, 5.0], [7.0, -3.0], [6.0, 40.0]])
    view = shown(State(TokenSequence(("a", "b", "c"), points)))
    window = view.canvas.window_shown()
    every = window.to_pixels(np.vstack([points, [[0.0, 0.0]]]))
    assert (every > 0.0).all()
    assert (every < (window.width, window.height)).all()


@pytest.mark.parametrize(("names", "y", "fits"), [(("a", "x"), 1.0, False), (("x", "a"), 9.0, True)])
def test_view_makes_room_for_another_token_but_not_for_another_name(
    shown: Shown, names: tuple[str, str], y: float, fits: bool
) -> None:
    view = shown(State(TokenSequence(("a", "b"), [[1.0, 0.0], [0.0, 1.0]])))
    view.canvas.zoom(4.0)
    assert not view.canvas.shows_every_token()
    view.offer_frame(compute(State(TokenSequence(names, [[1.0, 0.0], [0.0, y]]))))
    assert view.canvas.shows_every_token() == fits


def test_scale_is_the_same_on_both_axes(shown: Shown) -> None:
    view = shown(load_preset("s1"))
    right, up = view.canvas.window_shown().to_pixels(
        np.array([[1.0, 0.0], [0.0, 1.0]])
    ) - view.canvas.window_shown().to_pixels(np.zeros((1, 2)))
    assert right[0] == pytest.approx(-up[1], rel=1e-6)


@pytest.mark.parametrize("n", [3, 8, 16, 40, 200])
def test_no_two_names_overlap(shown: Shown, n: int) -> None:
    points = np.random.default_rng(n).normal(size=(n, 2))
    view = shown(State(TokenSequence(tuple(f"token{i}" for i in range(n)), points)))
    texts = view.canvas.tokens.texts
    assert texts
    for i, (_, first) in enumerate(texts):
        for _, second in texts[i + 1 :]:
            assert not first.intersects(second)


def test_outputs_of_another_width_are_named_and_not_drawn(shown: Shown) -> None:
    view = shown(load_preset("s5"))
    scene = view.canvas.tokens.scene
    assert scene is not None
    assert scene.outputs is None
    assert "outputs have 2 coordinates, embeddings 3" in scene.note


def test_title_says_the_explained_variance_above_two_dimensions(shown: Shown) -> None:
    view = shown(load_preset("s5"))
    assert view.subtitle.startswith("● ask, ■ answer — PC 1 ")
    assert view.subtitle.endswith("of the variance")


def test_line_to_the_heavier_key_is_wider(shown: Shown) -> None:
    state = load_preset("s4")
    view = shown(state)
    scene = view.canvas.tokens.scene
    assert scene is not None
    np.testing.assert_allclose(scene.weights, [0.936, 0.047, 0.017], atol=5e-4)  # curriculum S4


@pytest.mark.parametrize("n", [2, 12])
@pytest.mark.parametrize("width", [1, 2, 3])
@pytest.mark.parametrize("size", [1e150, 1.7e308])
def test_embeddings_near_the_largest_float_are_drawn(shown: Shown, n: int, width: int, size: float) -> None:
    points = size * np.random.default_rng(3).uniform(-1.0, 1.0, (n, width))
    small = 1e-200 * np.eye(width)  # keeps the scores below the largest float
    view = shown(State(TokenSequence(tuple(f"t{i}" for i in range(n)), points), w_q=small, w_k=small))
    assert not view.canvas.viewport().grab().isNull()
    assert [name for name, _ in view.canvas.tokens.texts]


@pytest.mark.parametrize("factor", [1e6, 1e-6])
def test_zoom_ends_before_numbers_do(shown: Shown, qapp: QApplication, factor: float) -> None:
    view = shown(load_preset("s1"))
    view.canvas.fit()
    beginning = view.canvas.window_shown().pixels_per_unit
    for _ in range(60):
        view.canvas.zoom(factor)
        qapp.processEvents()
    window = view.canvas.window_shown()
    assert 0.0 < window.pixels_per_unit < np.inf
    assert np.isfinite(window.to_plane(3.0, 5.0)).all()
    view.canvas.fit()
    assert view.canvas.window_shown().pixels_per_unit == pytest.approx(beginning)


@pytest.mark.parametrize("n", [8, 40, 200])
def test_pointing_at_a_token_moves_no_other_name(shown: Shown, n: int, qapp: QApplication) -> None:
    points = np.random.default_rng(n).normal(size=(n, 2))
    view = shown(State(TokenSequence(tuple(f"token{i}" for i in range(n)), points)))
    before = dict(view.canvas.tokens.texts)
    for token in range(1, n, max(1, n // 8)):
        view.selection.point_at(token, None)
        view.canvas.viewport().repaint()
        texts = view.canvas.tokens.texts
        assert f"token{token}" in dict(texts)
        moved = [name for name, place in texts if name != f"token{token}" and before[name] != place]
        assert moved == []
        for i, (_, first) in enumerate(texts):
            assert not [name for name, second in texts[i + 1 :] if first.intersects(second)]
    view.selection.point_at(None, None)
    view.canvas.viewport().repaint()
    assert dict(view.canvas.tokens.texts) == before


@pytest.mark.parametrize("n", [3, 40, 100])
def test_what_is_kept_while_the_mouse_moves_looks_as_if_drawn_anew(shown: Shown, n: int) -> None:
    points = np.random.default_rng(n).normal(size=(n, 2))
    state = State(TokenSequence(tuple(f"token{i}" for i in range(n)), points))
    view = shown(state)
    for key in (1, 2, None):
        view.selection.point_at(key, None)
        kept = view.canvas.viewport().grab().toImage()
    fresh = shown(state).canvas.viewport().grab().toImage()
    assert kept == fresh


def test_numbers_of_the_axes_give_way_to_names(shown: Shown) -> None:
    view = shown(State(TokenSequence(("here", "far"), np.array([[1.0, 0.02], [3.0, 3.0]]))))
    numbers, names = view.canvas.grid.texts, view.canvas.tokens.texts
    assert numbers
    for _, place in numbers:
        assert not [name for name, other in names if place.intersects(other)]
    assert {text for text, _ in view.canvas.painted_texts()} == {text for text, _ in [*numbers, *names]}
