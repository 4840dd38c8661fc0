"""The panel of the heads: small multiples by mouse and keys, what is lit, what is said, and what is painted anew."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from attnviz.appearance import DARK, LIGHT, contrast, rgb
from attnviz.document.edits import set_coordinate
from attnviz.document.frame import compute
from attnviz.document.head_edits import use_w_o
from attnviz.document.state import State
from attnviz.views.heads.heads_body import NOT_COMPUTED
from attnviz.views.heads.heads_view import HeadsView
from attnviz.views.heads.tiles import tiles_of
from attnviz.views.selection import Selection
from tests.app.mouse import click, double_click, move
from tests.document.states import random_state
from tests.views.overlapping import overlapping


def four_heads(**fields: object) -> State:
    return random_state(3, 8, n_heads=4, **fields)


@pytest.fixture
def view(qtbot: QtBot) -> HeadsView:
    view = HeadsView(Selection())
    qtbot.addWidget(view)
    view.resize(450, 500)
    view.show()
    view.activateWindow()
    view.offer_frame(compute(four_heads()))
    QApplication.processEvents()
    return view


class Paints(QObject):
    """Counts the paint events of a widget."""

    def __init__(self, view: HeadsView) -> None:
        super().__init__()
        self.count = 0
        view.body.grid.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


# Choosing


def test_click_on_a_small_matrix_chooses_its_head(view: HeadsView, qtbot: QtBot) -> None:
    grid = view.body.grid
    with qtbot.waitSignal(view.head_chosen) as chosen:
        click(grid, grid.tile_rect(2).center())
    assert chosen.args == [2]


def test_double_click_opens_the_head(view: HeadsView, qtbot: QtBot) -> None:
    grid = view.body.grid
    with qtbot.waitSignal(view.head_opened) as opened:
        double_click(grid, grid.tile_rect(1).center())
    assert opened.args == [1]


def test_arrow_keys_go_from_head_to_head_and_enter_chooses(view: HeadsView, qtbot: QtBot) -> None:
    grid = view.body.grid
    grid.setFocus()
    columns = grid._layout.columns
    assert columns == 2
    for key, place in (
        (Qt.Key.Key_Right, 1),
        (Qt.Key.Key_Down, 3),
        (Qt.Key.Key_Down, 3),
        (Qt.Key.Key_Left, 2),
        (Qt.Key.Key_Up, 0),
        (Qt.Key.Key_Up, 0),
        (Qt.Key.Key_End, 3),
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_End, 3),
    ):
        QTest.keyClick(grid, key)
        assert grid.current == place
    with qtbot.waitSignal(view.head_chosen) as chosen:
        QTest.keyClick(grid, Qt.Key.Key_Return)
    assert chosen.args == [3]


def test_cursor_goes_to_the_head_that_is_shown(view: HeadsView) -> None:
    assert view.frame is not None
    view.offer_frame(view.frame.at_head(2))
    assert view.body.grid.current == 2


def test_the_average_has_no_head_to_choose(view: HeadsView, qtbot: QtBot) -> None:
    view.body.choose_view("average")
    with qtbot.assertNotEmitted(view.head_chosen, wait=1):
        click(view.body.grid, view.body.grid.tile_rect(0).center())


# What is shown


def test_shown_head_is_framed_in_the_accent_colour(view: HeadsView) -> None:
    assert view.frame is not None
    for head in (0, 3):
        view.offer_frame(view.frame.at_head(head))
        image = view.body.grid.grab().toImage()
        for place in range(4):
            box = view.body.grid.tile_rect(place)
            colour = image.pixelColor(QPointF(box.left() + 1.0, box.center().y()).toPoint()).name()
            assert (colour == LIGHT.accent) == (place == head)


def test_masked_cells_are_hatched_in_every_head(view: HeadsView) -> None:
    view.offer_frame(compute(four_heads(mask="causal")))
    grid = view.body.grid
    image = grid.grab().toImage()
    for place in range(4):
        box = grid.cell_rect(place, 0, 2).toAlignedRect().adjusted(2, 2, -2, -2)
        colours = {
            image.pixelColor(x, y).name()
            for x in range(box.left(), box.right())
            for y in range(box.top(), box.bottom())
        }
        assert {LIGHT.panel, LIGHT.hatch} <= colours


def test_pointed_cell_is_lit_in_all_heads_and_told_to_the_other_panels(view: HeadsView) -> None:
    grid = view.body.grid
    move(grid, grid.cell_rect(2, 1, 0).center(), is_pressed=False)
    chosen = view.selection.chosen
    assert (chosen.pointed_query, chosen.pointed_key) == (1, 0)
    assert chosen.pointed_number is None  # another head's weight is no number of the other panels
    assert {(lit.row, lit.column) for lit in grid._lit} == {(1, 0)}
    move(grid, grid.cell_rect(0, 1, 2).center(), is_pressed=False)
    number = view.selection.chosen.pointed_number
    assert number is not None
    assert (number.kind, number.indices) == ("weight", (1, 2))
    QApplication.sendEvent(grid, QEvent(QEvent.Type.Leave))
    assert view.selection.chosen.pointed_query is None


def test_contribution_view_shows_the_sum_for_the_shown_query(view: HeadsView) -> None:
    body = view.body
    body.choose_view("contribution")
    texts = [text for text, _ in body.grid.painted_texts()]
    assert {"head 1", "head 4", "output", "+", "="} <= set(texts)
    assert body.notes[0].text == "output of t0, coordinate 1:"
    move(body.grid, body.grid.cell_rect(1, 2, 5).center(), is_pressed=False)
    assert body.notes[0].text == "output of t2, coordinate 6:"
    number = view.selection.chosen.pointed_number
    assert number is not None
    assert (number.kind, number.indices) == ("layer_output", (2, 5))


def test_average_is_marked_as_not_computed_by_a_model(view: HeadsView) -> None:
    body = view.body
    assert body.warning.isHidden()
    body.choose_view("average")
    assert body.warning.isVisible()
    assert body.warning.text() == NOT_COMPUTED
    assert "off by up to" in body.notes[1].text
    for theme in (LIGHT, DARK):
        assert contrast(rgb(theme.warning), rgb(theme.panel)) >= 4.5


def test_segments_choose_the_view_by_click(view: HeadsView) -> None:
    button = next(b for b in view.body.views.findChildren(QToolButton) if b.text() == "Contribution")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert view.body.view == "contribution"


def test_parameters_are_counted(view: HeadsView) -> None:
    assert view.body.count.text() == "Parameters: W_Q 64 + W_K 64 + W_V 64 = 192"
    view.offer_frame(compute(random_state(3, 8, n_heads=2)))
    assert view.body.count.text() == "Parameters: W_Q 64 + W_K 64 + W_V 64 = 192"
    view.offer_frame(compute(random_state(3, 8, n_heads=4, n_kv_heads=1)))
    assert view.body.count.text() == "Parameters: W_Q 64 + W_K 16 + W_V 16 = 96"


def test_choice_of_w_o_is_shown_and_asked_for(view: HeadsView, qtbot: QtBot) -> None:
    body = view.body
    assert body.w_o.choice == "none"
    button = next(b for b in body.w_o.findChildren(QToolButton) if b.text() == "Random")
    with qtbot.waitSignal(view.w_o_chosen) as chosen:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert chosen.args == ["random"]
    view.offer_frame(compute(use_w_o(four_heads(), "identity", 0)))
    assert body.w_o.choice == "identity"
    view.offer_frame(compute(four_heads(w_o=np.ones((8, 2)))))
    assert not any(b.isChecked() for b in body.w_o.findChildren(QToolButton))
    view.offer_frame(compute(four_heads()))
    assert body.w_o.choice == "none"


def test_wiring_of_grouped_queries_is_drawn_and_said(view: HeadsView) -> None:
    lines = view.body.lines
    assert lines.isHidden()
    view.offer_frame(compute(four_heads(n_kv_heads=2)))
    assert lines.isVisible()
    assert lines.reads == (0, 0, 1, 1)
    assert lines.accessibleDescription() == (
        "query heads 1 to 2 read key/value head 1; query heads 3 to 4 read key/value head 2"
    )
    image = lines.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert {LIGHT.token(0), LIGHT.token(1)} <= colours
    view.offer_frame(compute(four_heads()))
    assert lines.isHidden()


# What a screen reader hears


def test_each_head_is_said_as_the_keyboard_goes_there(view: HeadsView, qtbot: QtBot) -> None:
    grid = view.body.grid
    grid.setFocus()
    with qtbot.waitSignal(grid._announcer.announced, timeout=2000) as said:
        QTest.keyClick(grid, Qt.Key.Key_Right)
    assert said.args[0].startswith("head 2 of 4, query t0 gives most to ")
    assert grid.accessibleName() == "Heads"


# What is painted anew


def test_frame_that_looks_the_same_paints_nothing(view: HeadsView) -> None:
    view.body.grid.grab()
    QApplication.processEvents()
    paints = Paints(view)
    view.offer_frame(compute(four_heads()))
    QApplication.processEvents()
    assert paints.count == 0
    view.offer_frame(compute(set_coordinate(four_heads(), "sequence", 0, 0, 3.0)))
    QApplication.processEvents()
    assert paints.count == 1


def test_only_the_heads_that_change_are_painted(view: HeadsView) -> None:
    painter = view.body.grid._painter
    assert painter is not None
    moved = compute(set_coordinate(four_heads(), "sequence", 0, 7, 3.0))  # channel 8 belongs to the last head
    assert painter.take(tiles_of(moved, "weights", 0)) == [3]
    assert painter.take(tiles_of(moved, "weights", 0)) == []


@pytest.mark.parametrize("heads", [1, 4, 16])
@pytest.mark.parametrize("size", [(450, 500), (900, 500), (300, 700)])
@pytest.mark.parametrize("name", ["weights", "contribution", "average"])
def test_no_text_of_the_small_matrices_lies_over_another(
    view: HeadsView, heads: int, size: tuple[int, int], name: str
) -> None:
    view.resize(*size)
    view.offer_frame(compute(random_state(3, 16, n_heads=heads, n_kv_heads=max(1, heads // 2))))
    view.body.choose_view(name)
    QApplication.processEvents()
    texts = view.body.grid.painted_texts()
    assert texts
    assert overlapping(texts, 1.0) == []
    room = view.body.grid.rect()
    for text, box in texts:
        assert room.contains(box.toAlignedRect().adjusted(1, 1, -1, -1)), text
