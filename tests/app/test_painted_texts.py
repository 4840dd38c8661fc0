"""No text in any panel lies over another or is cut off: measured on what the panels truly paint."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QHeaderView, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from attnviz.app.window import MainWindow
from attnviz.document.frame import compute
from attnviz.document.measures import MEASURES
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.painted import SeenText, texts_painted_by
from attnviz.views.panels import PANELS

COUNTS = (3, 8, 16, 40)
PERCENTS = (100, 150)
WINDOWS = ((1280, 800), (1920, 1080))
WORDS = ("the", "cat", "internationalisation", "on", "a", "mat", "<s>", "שלום", "barked", "at", "▁the", "dog")
_LEEWAY = 1.0  # pixels: ink is blurred over that much


def state_of(n: int) -> State:
    words = tuple(WORDS[i % len(WORDS)] for i in range(n))
    return State(TokenSequence(words, np.random.default_rng(n).normal(size=(n, 2))))


def overlapping(texts: list[SeenText]) -> list[str]:
    """Name the pairs of texts of which what is seen lies over each other."""
    seen = [text for text in texts if text.visible.width() > 0 and text.visible.height() > 0]
    edges = np.array([text.visible.getCoords() for text in seen]).reshape(-1, 4)
    left, top, right, bottom = (edges + np.array([1, 1, -1, -1]) * _LEEWAY).T
    is_over = (left[:, None] < right) & (left < right[:, None]) & (top[:, None] < bottom) & (top < bottom[:, None])
    return [told(seen[i], seen[j]) for i, j in np.argwhere(np.triu(is_over, 1)).tolist()]


def cut(texts: list[SeenText]) -> list[str]:
    """Name the texts of which something is missing that cannot be scrolled to."""
    return [told(text) for text in texts if is_cut(text)]


def is_cut(text: SeenText) -> bool:
    can_scroll = [isinstance(text.widget, QLineEdit), False]  # that one follows its cursor
    for area in scroll_areas_of(text.widget):
        for place, bar in enumerate((area.horizontalScrollBar(), area.verticalScrollBar())):
            can_scroll[place] |= bar.maximum() > bar.minimum()
    if text.visible.isEmpty():
        return not any(can_scroll)
    lost_x = text.box.width() - text.visible.width()
    lost_y = text.box.height() - text.visible.height()
    return (lost_x > _LEEWAY and not can_scroll[0]) or (lost_y > _LEEWAY and not can_scroll[1])


def scroll_areas_of(widget: QWidget | None) -> Iterator[QAbstractScrollArea]:
    """Give the areas that a widget is scrolled by, from the innermost on; a header goes along with its table."""
    while widget is not None:
        if isinstance(widget, QAbstractScrollArea) and not isinstance(widget, QHeaderView):
            yield widget
        widget = widget.parentWidget()


def told(*texts: SeenText) -> str:
    return " | ".join(
        f"{text.text!r} {tuple(round(x, 1) for x in text.box.getRect())} on {type(text.widget).__name__}"
        for text in texts
    )


def faults(window: MainWindow) -> list[str]:
    """Name what is wrong with the texts of every panel that is shown, with its title."""
    found = []
    for name, dock in window.docks.items():
        if dock.isVisible() and not dock.visibleRegion().isEmpty():
            texts = texts_painted_by(dock)
            assert texts, name
            found += [f"{name}: cut: {text}" for text in cut(texts)]
            found += [f"{name}: over each other: {pair}" for pair in overlapping(texts)]
    return found


def settle() -> None:
    for _ in range(4):
        QApplication.processEvents()


def show(window: MainWindow, n: int, percent: int, size: tuple[int, int]) -> None:
    """Show a document of ``n`` tokens in a size of text and of the window, with every measure beside the weights."""
    window.session.open(compute(state_of(n)), None)
    window.weights.show_measures(MEASURES)
    if window.appearance.percent != percent:
        window.appearance.use_font(percent)
    window.resize(*size)
    settle()


def check_every_panel(window: MainWindow, n: int, percent: int, size: tuple[int, int]) -> None:
    """Look at the panels of the first layout, and then at each of the others beside them."""
    show(window, n, percent, size)
    hidden = [spec.name for spec in PANELS if not spec.is_shown_first]
    shown = {name for name, dock in window.docks.items() if dock.isVisible()}
    assert faults(window) == []
    for name in hidden:
        window.docks[name].show()
        window.docks[name].raise_()
        settle()
        shown.add(name)
        assert faults(window) == []
        window.docks[name].hide()
        settle()
    assert shown == {spec.name for spec in PANELS}


@pytest.mark.parametrize(
    ("n", "percent", "size"), [(3, 150, (1280, 800)), (16, 100, (1280, 800)), (40, 150, (1920, 1080))]
)
def test_no_text_is_cut_or_over_another(window: MainWindow, n: int, percent: int, size: tuple[int, int]) -> None:
    check_every_panel(window, n, percent, size)


@pytest.mark.long
@pytest.mark.parametrize("size", WINDOWS)
@pytest.mark.parametrize("percent", PERCENTS)
@pytest.mark.parametrize("n", COUNTS)
def test_no_text_is_cut_or_over_another_in_any_size(
    window: MainWindow, n: int, percent: int, size: tuple[int, int]
) -> None:
    check_every_panel(window, n, percent, size)


@pytest.mark.parametrize("name", [spec.name for spec in PANELS])
def test_each_panel_tells_the_texts_on_it(window: MainWindow, name: str) -> None:
    # What each must say of the first scene: a name, a number or a word of its own.
    expected = {
        "tokens": "phone",
        "controls": "d_k",
        "plane": "phone",
        "scores": "0.884",
        "weights": "0.389",
        "derivation": "dot product q·k",
        "film": "x_cat",
        "inspector": "Copy value",
        "stages": "exponentials",
        "table": "query ╲ key",
        "mask": "Mask",
        "compare": "weights",
        "heads": "Heads",
        "positions": "Shift all by",
        "matrices": "W_Q",
        "permutation": "as it is → as it is tried",
    }
    window.docks[name].show()
    window.docks[name].raise_()
    settle()
    panel = window.panels[name]
    texts = dict(panel.painted_texts())
    assert expected[name] in texts
    whole = QRectF(panel.rect()).adjusted(-1, -1, 1, 1)
    assert whole.contains(texts[expected[name]])


# -- that the measure measures


@pytest.fixture
def board(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(300, 200)
    widget.show()
    return widget


def label_on(board: QWidget, text: str, x: int, y: int, width: int = 200, height: int = 30) -> QLabel:
    label = QLabel(text, board)
    label.setGeometry(x, y, width, height)
    label.show()
    return label


def test_text_is_told_as_it_is_drawn_and_where(board: QWidget) -> None:
    label = label_on(board, "Weights", 40, 50)
    (seen,) = texts_painted_by(board)
    assert (seen.text, seen.widget) == ("Weights", label)
    assert seen.box.left() == 40
    assert seen.box.width() == pytest.approx(label.fontMetrics().horizontalAdvance("Weights"), abs=1)
    assert 50 < seen.box.top() < seen.box.bottom() < 80
    assert seen.visible == seen.box


def test_text_that_is_wider_than_its_label_is_cut(board: QWidget) -> None:
    label_on(board, "effective keys", 10, 10, width=40)
    (fault,) = cut(texts_painted_by(board))
    assert "'effective keys'" in fault


def test_text_that_is_lower_than_its_ink_is_cut(board: QWidget) -> None:
    label_on(board, "effective keys", 10, 10, height=6)
    assert len(cut(texts_painted_by(board))) == 1


def test_texts_over_each_other_are_found_and_beside_each_other_are_not(board: QWidget) -> None:
    label_on(board, "row sum", 10, 10)
    label_on(board, "entropy", 10, 60)
    assert overlapping(texts_painted_by(board)) == []
    label_on(board, "received", 20, 12)
    (pair,) = overlapping(texts_painted_by(board))
    assert "'row sum'" in pair
    assert "'received'" in pair


def test_buttons_tell_their_texts(board: QWidget) -> None:
    button = QPushButton("Copy", board)
    button.setGeometry(10, 10, 120, 40)
    button.show()
    assert "Copy" in "".join(seen.text for seen in texts_painted_by(board))
