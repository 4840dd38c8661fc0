"""The stages panel: what it shows and says, mouse and keys, what is linked, and that no text is cut or overlaps."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QHelpEvent, QImage, QMouseEvent, QPaintEvent, QRegion, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from attnviz.appearance import DARK, LIGHT, rgb
from attnviz.document.edits import set_scalar
from attnviz.document.frame import compute
from attnviz.document.matrices import MATRICES_BY_NAME, matrices_of
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.fonts import scaled
from attnviz.views.selection import Selection
from attnviz.views.stages.stages_view import StagesView
from tests.document.states import ODD_TOKENS, cross_state
from tests.views.overlapping import overlapping
from tests.views.panel_scenes import cat_dog_phone, cross_attention, forty_tokens

_NONE = Qt.MouseButton.NoButton
_NAMES = [matrix.name for matrix in matrices_of(compute(cat_dog_phone()))]


def tokens(n: int, width: int = 2, d_k: int = 2) -> State:
    embeddings = np.random.default_rng(n).normal(size=(n, width))
    return State(TokenSequence(tuple(f"token{i}" for i in range(n)), embeddings), d_k=d_k)


@pytest.fixture
def view(qtbot: QtBot) -> StagesView:
    view = StagesView(Selection())
    qtbot.addWidget(view)
    view.resize(1262, 154)
    view.show()
    view.offer_frame(compute(cat_dog_phone()))
    QApplication.processEvents()
    return view


def move(widget: QWidget, at: QPointF) -> None:
    event = QMouseEvent(QEvent.Type.MouseMove, at, widget.mapToGlobal(at), _NONE, _NONE, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(widget, event)


def point_in_strip(view: StagesView, name: str, row: int, column: int) -> None:
    strip = view.body.strip
    move(strip.viewport(), strip.cell_rect(name, row, column).center())


def click_stage(view: StagesView, name: str) -> None:
    strip = view.body.strip
    place = strip.stage_rect(name).center().toPoint()
    QTest.mouseClick(strip.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def focus_strip(view: StagesView) -> None:
    view.activateWindow()
    view.setFocus()
    assert view.body.strip.hasFocus()


def texts(view: StagesView) -> list[str]:
    return [text for text, _ in view.painted_texts()]


def shot(widget: QWidget) -> QImage:
    return widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


# What is shown


def test_a_size_has_the_same_colour_in_every_shape(view: StagesView) -> None:
    """Blue what asks, orange what answers, as queries and keys are: the nearest of the inks in each half of a shape."""
    view.offer_frame(compute(cross_state(3, 5, 2)))
    QApplication.processEvents()
    image = shot(view)
    shapes = [box for text, box in view.painted_texts() if text == "(3 × 5)"]
    assert len(shapes) >= 2
    for box in shapes:
        for share, colour in (((0.1, 0.4), LIGHT.query), ((0.6, 0.9), LIGHT.key)):
            left, right = (round(box.left() + part * box.width()) for part in share)
            across = [(x, y) for x in range(left, right) for y in range(round(box.top()), round(box.bottom()))]
            seen = np.array([rgb(image.pixelColor(*at).name()) for at in across], float)
            strongest = seen[np.ptp(seen, axis=1).argmax()]  # of thin letters
            inks = {ink: rgb(ink).astype(float) for ink in (LIGHT.query, LIGHT.key, LIGHT.value, LIGHT.muted)}
            hues = {ink: _direction(rgb(LIGHT.panel) - number) for ink, number in inks.items()}
            towards = _direction(rgb(LIGHT.panel) - strongest)
            assert max(hues, key=lambda ink: float(hues[ink] @ towards)) == colour


def _direction(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


def test_the_pass_is_in_sight_at_once_with_its_numbers(view: StagesView) -> None:
    shown = texts(view)
    symbols = ["X", "W_Q", "W_K", "W_V", "Q", "K", "V", "S", "Z", "Z′", "E", "A", "Y"]
    assert [text for text in shown if text in symbols] == symbols
    assert shown.count("(3 × 2)") == 5
    assert shown.count("(3 × 3)") == 5
    assert {"queries", "scaled scores", "±1.25", "0 – 1", "× 0.707", "exp"} <= set(shown)
    assert shown.count("0.39") == 1  # the weight of dog for cat
    assert view.body.strip.horizontalScrollBar().maximum() == 0


def test_row_0_is_on_top_and_a_matrix_has_the_colours_of_its_role(view: StagesView) -> None:
    strip = view.body.strip
    image = shot(strip.viewport())
    assert strip.cell_rect("q", 0, 0).bottom() <= strip.cell_rect("q", 1, 0).top()
    hues = {}
    for name in ("q", "k", "v"):
        corner = strip.cell_rect(name, 1, 0).topLeft() + QPointF(2.0, 2.0)
        hues[name] = image.pixelColor(corner.toPoint()).hue()
    assert abs(hues["q"] - 207) < 15  # blue, orange and green, as #0b66b0, #a34a00 and #12703a
    assert abs(hues["k"] - 27) < 15
    assert abs(hues["v"] - 145) < 20


def test_weights_have_the_darkest_colour_for_1(view: StagesView) -> None:
    view.offer_frame(compute(set_scalar(cat_dog_phone(), "temperature", 1e-4)))
    place = view.body.strip.cell_rect("weight", 0, 0).topLeft() + QPointF(2.0, 2.0)
    assert shot(view.body.strip.viewport()).pixelColor(place.toPoint()).name() == LIGHT.weight_map[-1]


def test_masked_cells_are_hatched_and_have_no_number(view: StagesView) -> None:
    view.offer_frame(compute(set_scalar(cat_dog_phone(), "causal", True)))
    strip = view.body.strip
    rect = strip.cell_rect("weight", 0, 2).adjusted(1.0, 1.0, -1.0, -1.0).toRect()
    image = shot(strip.viewport())
    seen = {
        image.pixelColor(x, y).name()
        for x in range(rect.left(), rect.right())
        for y in range(rect.top(), rect.bottom())
    }
    assert seen == {LIGHT.panel, LIGHT.hatch}
    inside = [text for text, box in strip.painted_texts() if strip.cell_rect("weight", 0, 2).contains(box)]
    assert inside == []


def test_context_stands_in_the_strip_in_cross_attention_only(view: StagesView) -> None:
    assert "C" not in texts(view)
    view.offer_frame(compute(cross_attention()))
    assert "C" in texts(view)
    assert "(1 × 3)" in texts(view)


def test_another_frame_shows_its_numbers_in_the_same_places(view: StagesView) -> None:
    place = view.body.strip.cell_rect("weight", 0, 1)
    view.offer_frame(compute(set_scalar(cat_dog_phone(), "temperature", 500.0)))
    assert view.body.strip.cell_rect("weight", 0, 1) == place
    assert texts(view).count("0.33") == 9
    assert "× 0.001" in texts(view)  # 1 / (500 √2) = 0.0014


def test_ranges_and_multiplier_of_other_lengths_move_nothing(view: StagesView) -> None:
    strip = view.body.strip
    places = [strip.stage_rect(name) for name in _NAMES]
    for factor, temperature in ((0.123, 1.0), (10.05, 0.05)):
        embeddings = cat_dog_phone().sequence.embeddings * factor
        state = State(TokenSequence(("cat", "dog", "phone"), embeddings), temperature=temperature)
        view.offer_frame(compute(state))
        assert [strip.stage_rect(name) for name in _NAMES] == places


def test_large_documents_show_every_shape(view: StagesView) -> None:
    view.offer_frame(compute(tokens(3, width=300, d_k=1024)))
    assert {"(3 × 300)", "(300 × 1,024)", "(3 × 1,024)"} <= set(texts(view))
    view.offer_frame(compute(tokens(600)))
    assert "(600 × 600)" in texts(view)
    assert view.body.strip.cell_rect("q", 599, 1).width() >= 8


@pytest.mark.qt_log_ignore("This plugin does not support raise", extend=True)
def test_tooltip_says_where_a_matrix_comes_from_and_what_is_left_out(view: StagesView) -> None:
    view.offer_frame(compute(tokens(600)))
    strip = view.body.strip
    place = strip.stage_rect("score").center().toPoint()
    viewport = strip.viewport()
    QApplication.sendEvent(viewport, QHelpEvent(QEvent.Type.ToolTip, place, viewport.mapToGlobal(place)))
    assert "scores, S = Q Kᵀ, 600 × 600" in QToolTip.text()
    assert re.search(r"1 of (\d) rows, 1 of \1 columns drawn", QToolTip.text())
    QToolTip.hideText()


# Linked


@pytest.mark.parametrize(
    ("name", "pointed"),
    [("q", (2, None)), ("x", (2, 2)), ("k", (None, 2)), ("weight", (2, 1)), ("w_v", (None, None))],
)
def test_pointing_at_a_small_cell_points_at_its_number_everywhere(
    view: StagesView, name: str, pointed: tuple[int | None, int | None]
) -> None:
    row = 1 if name == "w_v" else 2
    point_in_strip(view, name, row, 1)
    chosen = view.selection.chosen
    assert (chosen.pointed_query, chosen.pointed_key) == pointed
    assert chosen.pointed_number == NumberRef(name, (row, 1))
    QApplication.sendEvent(view.body.strip.viewport(), QEvent(QEvent.Type.Leave))
    chosen = view.selection.chosen
    assert (chosen.pointed_query, chosen.pointed_key, chosen.pointed_number) == (None, None, None)


def test_between_the_matrices_nothing_is_pointed_at(view: StagesView) -> None:
    point_in_strip(view, "q", 0, 0)
    move(view.body.strip.viewport(), view.body.strip.stage_rect("q").topLeft() + QPointF(8.0, 4.0))
    assert view.selection.chosen.pointed_number is None


def test_pointed_number_is_said_beside_the_title_wherever_it_is_pointed_at(view: StagesView) -> None:
    view.selection.point_at(0, None, NumberRef("q", (0, 1)))
    assert view.subtitle == "q of cat, coordinate 2: 0.500"
    view.selection.point_at(None, None)
    assert view.subtitle == "from embeddings to outputs; a click opens one"


def test_pointed_query_is_lit_in_its_matrices_alone(view: StagesView) -> None:
    view.selection.release()
    QApplication.processEvents()
    strip = view.body.strip
    before = shot(strip.viewport())
    view.selection.point_at(1, None)
    after = shot(strip.viewport())
    changed = {}
    for name in _NAMES:
        box = strip.stage_rect(name).toRect()
        changed[name] = before.copy(box) != after.copy(box)
    assert {name for name, is_changed in changed.items() if is_changed} == {
        "x", "q", "score", "scaled", "masked", "exponential", "weight", "output"
    }  # fmt: skip


def test_pointing_has_only_the_cells_painted_anew(view: StagesView) -> None:
    class Witness(QObject):
        painted = QRegion()

        def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
            if isinstance(event, QPaintEvent):
                self.painted += event.region()
            return False

    witness, strip = Witness(), view.body.strip
    QApplication.processEvents()
    strip.viewport().installEventFilter(witness)
    view.selection.point_at(1, 2)
    QApplication.processEvents()
    for name in ("q", "k", "v", "score", "weight", "output"):
        assert witness.painted.contains(strip.cell_rect(name, 1, 1).center().toPoint()), name
    assert witness.painted.boundingRect().height() < 0.75 * strip.height()


def test_small_matrices_of_a_large_document_name_the_cell_that_is_drawn(view: StagesView) -> None:
    view.offer_frame(compute(tokens(600)))
    strip = view.body.strip
    rect = strip.cell_rect("score", 300, 150)
    move(strip.viewport(), rect.center())
    chosen = view.selection.chosen
    assert chosen.pointed_number is not None
    row, column = chosen.pointed_number.indices
    assert abs(row - 300) <= 7
    assert abs(column - 150) <= 7


# One of them large


def test_click_opens_a_matrix_with_its_numbers_and_another_click_closes_it(view: StagesView) -> None:
    view.resize(1262, 420)
    click_stage(view, "weight")
    assert view.body.is_open
    assert view.body.large.isVisible()
    assert {"0.389", "cat", "phone", "A = E ÷ row sum of E   (3 × 3)"} <= set(texts(view))
    assert view.body.strip.height() < 100 < view.body.large.height()
    click_stage(view, "q")
    assert view.body.large.isVisible()
    assert "Q = X W_Q   (3 × 2)" in texts(view)
    click_stage(view, "q")
    assert not view.body.is_open
    assert not view.body.large.isVisible()
    assert view.body.strip.height() == 420


def test_in_a_low_panel_the_large_matrix_is_beside_the_strip(view: StagesView) -> None:
    view.body.toggle("output")
    large, strip = view.body.large.geometry(), view.body.strip.geometry()
    assert large.left() >= strip.right()
    assert large.height() == 154
    opened = view.body.strip.stage_rect("output")
    assert opened.right() <= view.body.strip.viewport().width()
    assert opened.left() >= 0


def test_keys_choose_open_and_close(view: StagesView) -> None:
    focus_strip(view)
    strip = view.body.strip
    for key, name in ((Qt.Key.Key_Right, "w_q"), (Qt.Key.Key_End, "output"), (Qt.Key.Key_Left, "weight")):
        QTest.keyClick(strip, key)
        assert view.body.current == name
    QTest.keyClick(strip, Qt.Key.Key_Return)
    assert view.body.large.matrix.hasFocus()
    QTest.keyClick(view.body.large.matrix, Qt.Key.Key_Escape)
    assert not view.body.is_open
    assert strip.hasFocus()
    QTest.keyClick(strip, Qt.Key.Key_Home)
    QTest.keyClick(strip, Qt.Key.Key_Space)
    assert (view.body.current, view.body.is_open) == ("x", True)


def test_arrows_in_the_large_matrix_move_the_cursor_and_say_the_number(view: StagesView) -> None:
    view.activateWindow()
    view.body.toggle("q")
    matrix = view.body.large.matrix
    assert matrix.hasFocus()
    QTest.keyClick(matrix, Qt.Key.Key_Right)
    assert matrix.accessibleDescription() == "q of cat, coordinate 2: 0.500"
    assert view.selection.chosen.pointed_number == NumberRef("q", (0, 1))
    QTest.keyClick(matrix, Qt.Key.Key_Down)
    assert matrix.accessibleDescription() == "q of dog, coordinate 2: 0.600"
    assert view.selection.chosen.pointed_query == 1
    QTest.keyClick(matrix, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert view.body.current == "k"
    assert matrix.accessibleDescription() == "k of dog, coordinate 2: 0.600"
    QTest.keyClick(matrix, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert view.body.current == "q"


def test_click_on_a_large_cell_pins_its_number(view: StagesView) -> None:
    view.resize(1262, 420)
    view.body.toggle("v")
    matrix = view.body.large.matrix
    place = matrix.cell_rect(2, 0).center().toPoint()
    QTest.mouseClick(matrix, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    chosen = view.selection.chosen
    assert chosen.number == NumberRef("v", (2, 0))
    assert (chosen.query, chosen.key) == (0, 2)


def test_close_button_closes(view: StagesView) -> None:
    view.body.toggle("k")
    QTest.mouseClick(view.body.large.close_button, Qt.MouseButton.LeftButton)
    assert not view.body.is_open


def test_open_matrix_that_is_gone_gives_its_place_to_the_first(view: StagesView) -> None:
    view.offer_frame(compute(cross_attention()))
    view.body.toggle("context")
    view.offer_frame(compute(cat_dog_phone()))
    assert (view.body.current, view.body.is_open) == ("x", True)
    assert "X: one row a token   (3 × 2)" in texts(view)


def test_wheel_scrolls_sideways_with_and_without_shift(view: StagesView) -> None:
    view.resize(500, 154)
    bar, viewport = view.body.strip.horizontalScrollBar(), view.body.strip.viewport()
    assert bar.maximum() > 0
    for turn, modifiers in (
        (QPoint(0, -120), Qt.KeyboardModifier.NoModifier),
        (QPoint(-120, 0), Qt.KeyboardModifier.ShiftModifier),
    ):
        before = bar.value()
        QApplication.sendEvent(
            viewport,
            QWheelEvent(
                QPointF(50, 50), QPointF(50, 50), QPoint(), turn, _NONE, modifiers, Qt.ScrollPhase.NoScrollPhase, False
            ),
        )
        assert bar.value() > before


def test_choosing_by_key_scrolls_the_matrix_into_sight(view: StagesView) -> None:
    view.resize(500, 154)
    focus_strip(view)
    QTest.keyClick(view.body.strip, Qt.Key.Key_End)
    box = view.body.strip.stage_rect("output")
    assert box.left() >= 0
    assert box.right() <= view.body.strip.viewport().width()


def test_strip_speaks_to_screen_readers(view: StagesView) -> None:
    focus_strip(view)
    QTest.keyClick(view.body.strip, Qt.Key.Key_Right)
    assert view.body.strip.accessibleName() == "Stages"
    assert view.body.strip.accessibleDescription() == (
        "query matrix, W_Q: from embeddings to queries, 2 × 2, colours ±1.0"
    )


def test_hidden_it_catches_up_with_the_selection(view: StagesView) -> None:
    view.hide()
    view.selection.point_at(0, None, NumberRef("k", (1, 0)))
    view.show()
    assert view.subtitle == "k of dog, coordinate 1: 0.800"


# Texts


@pytest.mark.parametrize("scale", [1.0, 1.5])
@pytest.mark.parametrize("width", [1262, 1902])  # of the panel in windows of 1280 x 800 and 1920 x 1080
@pytest.mark.parametrize("n", [3, 8, 16, 40])
def test_no_text_is_cut_and_none_lies_over_another(qtbot: QtBot, n: int, width: int, scale: float) -> None:
    view = StagesView(Selection())
    qtbot.addWidget(view)
    view.setFont(scaled(QFont(view.font()), scale))
    view.resize(width, round(154 * scale))
    view.show()
    view.offer_frame(compute(cat_dog_phone() if n == 3 else tokens(n)))
    QApplication.processEvents()
    assert_texts_are_whole(view)
    view.body.toggle("weight")
    QApplication.processEvents()
    assert_texts_are_whole(view)
    view.resize(width, 480)
    view.body.toggle("q")
    QApplication.processEvents()
    assert_texts_are_whole(view)


def assert_texts_are_whole(view: StagesView) -> None:
    found = view.painted_texts()
    whole = QRectF(view.rect()).adjusted(-1, -1, 1, 1)
    assert len(found) > 20
    assert [(text, box) for text, box in found if not whole.contains(box)] == []
    assert overlapping(found, 0.5) == []
    strip = view.body.strip
    cells = [strip.cell_rect(name, 0, 0).united(strip.cell_rect(name, *last)) for name, last in corners(view)]
    for text, box in strip.painted_texts():
        inner = box.adjusted(0.5, 0.5, -0.5, -0.5)
        assert all(not each.intersects(inner) or each.contains(inner) for each in cells), text


def test_texts_of_large_documents_are_whole_too(view: StagesView) -> None:
    for state in (tokens(1200), tokens(3, width=300, d_k=1024)):
        view.offer_frame(compute(state))
        assert overlapping(view.painted_texts(), 0.5) == []


def corners(view: StagesView) -> list[tuple[str, tuple[int, int]]]:
    frame = view.frame
    assert frame is not None
    shapes = {name: MATRICES_BY_NAME[name].shape(frame) for name in _NAMES}
    return [(name, (rows - 1, columns - 1)) for name, (rows, columns) in shapes.items()]


def test_odd_tokens_are_painted_as_plain_text_in_the_large_matrix(view: StagesView) -> None:
    state = State(TokenSequence(ODD_TOKENS, np.ones((len(ODD_TOKENS), 2))))
    view.resize(1262, 640)
    view.offer_frame(compute(state))
    view.body.toggle("k")
    assert overlapping(view.painted_texts(), 0.5) == []
    assert shot(view).width() == 1262


@pytest.mark.parametrize("state", [cat_dog_phone(), cross_attention(), forty_tokens()], ids=["3", "cross", "40"])
def test_it_is_painted_in_both_themes(view: StagesView, state: State) -> None:
    view.offer_frame(compute(state))
    for theme in (DARK, LIGHT):
        view.apply_theme(theme)
        image = shot(view)
        assert image.pixelColor(2, 2).name() == theme.panel
