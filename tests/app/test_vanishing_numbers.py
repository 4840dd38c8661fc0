"""Numbers that are pointed at or explained while an edit takes them away."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviz.app.window import MainWindow
from attnviz.document.edits import set_scalar
from attnviz.document.frame import compute
from attnviz.document.layer_edits import invert_mask
from attnviz.document.number_ref import NumberRef
from tests.app.mouse import cell_place, move
from tests.document.states import random_state


def show(window: MainWindow, name: str) -> None:
    window.docks[name].show()
    window.docks[name].raise_()
    QApplication.processEvents()


def are_all_of_now(window: MainWindow) -> bool:
    return all(panel.frame is window.session.frame for panel in window.panels.values())


def test_token_of_the_cell_under_the_mouse_is_deleted_with_the_stages_open(window: MainWindow) -> None:
    show(window, "stages")
    move(window.weights.matrix, cell_place(window.weights.matrix, 2, 2), is_pressed=False)
    window.wiring.delete_tokens("sequence", (2,))
    assert are_all_of_now(window)
    assert window.selection.chosen.pointed_number is None


@pytest.mark.parametrize(
    ("ref", "key", "value"), [(NumberRef("q", (1, 1)), "d_k", 1), (NumberRef("v", (0, 1)), "heads", 2)]
)
def test_coordinate_under_the_mouse_goes_with_its_channel(
    window: MainWindow, ref: NumberRef, key: str, value: int
) -> None:
    show(window, "stages")
    window.stages.point_at_number(ref)
    window.wiring.set_scalar(key, value)
    assert are_all_of_now(window)


def test_explained_number_goes_while_an_operand_of_it_is_lit(window: MainWindow) -> None:
    window.wiring.insert_token("sequence", 3)
    show(window, "inspector")
    window.inspector.show_number(NumberRef("weight", (3, 3)))
    sheet = window.inspector.body.sheet
    sheet.setFocus()
    QTest.keyClick(sheet, Qt.Key.Key_Tab)
    window.actions_by_name["undo"].trigger()
    assert are_all_of_now(window)
    assert window.session.frame.n_query == 3


@pytest.mark.parametrize("positions", ["alibi", "relative"])
def test_biases_of_distances_are_shown_while_a_token_that_answers_is_chosen(window: MainWindow, positions: str) -> None:
    show(window, "positions")
    window.lists.toggle_cross()
    window.wiring.delete_tokens("sequence", (2,))
    window.wiring.set_scalar("positions", positions)
    assert window.selection.chosen.side == "context"
    assert are_all_of_now(window)


def test_largest_weight_of_a_large_document_in_which_everything_is_banned_is_drawn_as_1() -> None:
    frame = compute(invert_mask(set_scalar(random_state(200, 2), "mask", "none")))
    assert frame.empty_rows.all()
    assert frame.largest_weight == 1.0
