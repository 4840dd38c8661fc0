"""In the window, layers with everything: numbers on the cards and in the stages are explained, and their operands."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviz.app.window import MainWindow
from attnviz.document.matrices import matrices_of
from attnviz.explanations import Explanation
from attnviz.views.selection import Chosen
from tests.app.mouse import click, move
from tests.document.layers import random_layer

SEEDS = [3, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(20, 60))]  # all kinds of layers


def explained(window: MainWindow) -> Explanation:
    explanation = window.inspector.explanation
    assert explanation is not None
    return explanation


def open_layer(window: MainWindow, seed: int) -> None:
    """Show the last head of a random layer, with the inspector beside it."""
    window.session.open(window.session.prepare(random_layer(seed, with_pins=True)), None)
    window.session.show_head(window.session.frame.n_heads - 1)
    window.docks["inspector"].show()
    QApplication.processEvents()


@pytest.mark.parametrize("seed", SEEDS)
def test_each_number_on_the_cards_is_explained_and_its_first_operand_too(window: MainWindow, seed: int) -> None:
    open_layer(window, seed)
    count = len(window.derivation.spots)
    assert count
    for place in range(count):
        window.selection.choose(Chosen())
        spot = window.derivation.spots[place]
        move(window.derivation, spot.box.center(), is_pressed=False)
        click(window.derivation, spot.box.center())
        shown = explained(window)
        assert shown.ref == spot.ref
        assert shown.result == -np.inf or shown.recombined() == pytest.approx(shown.result, rel=1e-9, abs=1e-9)
        move(window.derivation, QPointF(0.0, 0.0), is_pressed=False)
    sheet = window.inspector.body.sheet
    QTest.mouseClick(
        *(sheet, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier),
        sheet.link_rectangle(0).center(),
    )
    assert explained(window).ref != shown.ref


@pytest.mark.parametrize("seed", SEEDS)
def test_every_matrix_of_the_stages_opens_and_its_numbers_are_explained(window: MainWindow, seed: int) -> None:
    open_layer(window, seed)
    window.actions_by_name["stages"].trigger()
    QApplication.processEvents()
    for matrix in matrices_of(window.session.frame):
        window.stages.body.toggle(matrix.name)
        QApplication.processEvents()
        assert window.stages.body.current == matrix.name
        window.stages.body.pin_number(matrix.ref(0, 0))
        assert explained(window).ref == matrix.ref(0, 0)
