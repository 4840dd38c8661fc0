"""The derivation strip on screen: what it says, how it is gone through, and that nothing is cut."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from attnviz.appearance import DARK
from attnviz.document.frame import compute
from attnviz.views.derivation.card_layout import CardMetrics, lay_out, needed_height
from attnviz.views.derivation.view import DerivationView
from attnviz.views.selection import Selection
from tests.views.panel_scenes import cat_dog_phone, forty_tokens

METRICS = CardMetrics(name=14.0, formula=15.0, result=17.0, narrowest=100.0)


class Paints(QObject):
    """Counts how often the watched widget is painted."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: ARG002  Qt names it and calls it
        self.count += event.type() == QEvent.Type.Paint
        return False


@pytest.fixture
def strip(qtbot: QtBot) -> DerivationView:
    selection = Selection()
    selection.pin_cell(0, 1)
    view = DerivationView(selection)
    qtbot.addWidget(view)
    view.resize(780, 200)
    view.show()
    view.offer_frame(compute(cat_dog_phone()))
    return view


def test_title_asks_for_the_chosen_weight(strip: DerivationView) -> None:
    assert strip.title == "Why 0.389?"
    assert strip.subtitle == "cat → dog, step by step"


def test_title_follows_the_selection(strip: DerivationView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(strip.title_changed) as heard:
        strip.selection.point_at(2, 2)
    assert heard.args == ["Why 0.529?"]
    assert strip.subtitle == "phone → phone, step by step"


def test_equal_frame_is_not_announced_again(strip: DerivationView, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(strip.title_changed), qtbot.assertNotEmitted(strip.subtitle_changed):
        strip.offer_frame(compute(cat_dog_phone()))


def test_equal_frame_is_not_drawn_again(strip: DerivationView, qtbot: QtBot) -> None:
    strip.grab()
    QApplication.processEvents()
    paints = Paints()
    strip.installEventFilter(paints)
    strip.offer_frame(compute(cat_dog_phone()))
    QApplication.processEvents()
    assert paints.count == 0
    strip.offer_frame(compute(replace(cat_dog_phone(), temperature=2.0)))
    qtbot.waitUntil(lambda: paints.count > 0)


def test_title_that_stays_is_not_announced_again(strip: DerivationView, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(strip.title_changed):
        strip.offer_frame(compute(replace(cat_dog_phone(), w_v=2.0 * np.eye(2))))


def test_drawing_depends_on_the_frame_alone(strip: DerivationView, qtbot: QtBot) -> None:
    masked = compute(replace(cat_dog_phone(), is_causal=True))
    strip.grab()
    strip.offer_frame(masked)
    fresh = DerivationView(strip.selection)
    qtbot.addWidget(fresh)
    fresh.resize(strip.size())
    fresh.frame = masked
    fresh.show_frame(masked)
    strip.clearFocus()
    strip.setFocus()
    assert strip.grab().toImage() == fresh.grab().toImage()


def test_selection_beyond_a_smaller_document_is_clamped(strip: DerivationView) -> None:
    strip.selection.pin_cell(39, 39)
    assert strip.title == "Why 0.529?"


def test_arrow_keys_go_from_card_to_card(strip: DerivationView, qtbot: QtBot) -> None:
    first = strip.childAt(QPoint(40, 40))
    first.setFocus()
    with qtbot.waitSignal(strip.step_explained) as heard:
        qtbot.keyClick(first, Qt.Key.Key_Right)
    assert heard.args == ["scale: 1.1 × 0.7071067811865475 = 0.7778174593052023"]
    with qtbot.waitSignal(strip.step_explained) as heard:
        qtbot.keyClick(QGuiApplication.focusObject(), Qt.Key.Key_End)
    assert heard.args[0].startswith("adds to y")


def test_card_under_focus_speaks(strip: DerivationView, qtbot: QtBot) -> None:
    card = strip.childAt(QPoint(40, 40))
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    assert card.hasFocus()
    assert card.accessibleName() == "dot product q·k: 1.0·0.8 + 0.5·0.6 = 1.100"


def test_strip_has_one_tab_stop(strip: DerivationView, qtbot: QtBot) -> None:
    qtbot.mouseClick(strip.childAt(QPoint(40, 40)), Qt.MouseButton.LeftButton)
    qtbot.keyClick(QGuiApplication.focusObject(), Qt.Key.Key_Right)
    stops = [child for child in strip.children() if getattr(child, "focusPolicy", None) is not None]
    assert [card.focusPolicy() == Qt.FocusPolicy.StrongFocus for card in stops] == [False, True] + [False] * 4


def test_control_c_copies_every_digit(strip: DerivationView, qtbot: QtBot) -> None:
    qtbot.mouseClick(strip.childAt(QPoint(40, 40)), Qt.MouseButton.LeftButton)
    qtbot.keyClick(QGuiApplication.focusObject(), Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    text = QGuiApplication.clipboard().text()
    assert text.splitlines()[0] == "cat → dog"
    assert "0.7071067811865475" in text


@pytest.mark.parametrize("width", [200, 380, 620, 790])
@pytest.mark.parametrize("size", [0.8, 1.0, 2.0])
def test_cards_neither_overlap_nor_leave_the_strip(strip: DerivationView, width: int, size: float) -> None:
    font = strip.font()
    font.setPointSizeF(font.pointSizeF() * size)
    strip.setFont(font)
    width = max(width, strip.minimumSizeHint().width())
    strip.resize(width, 10)
    strip.resize(width, strip.minimumSizeHint().height())
    places = [child.geometry() for child in strip.children() if hasattr(child, "geometry")]
    assert len(places) == 6
    assert all(strip.rect().contains(place) for place in places)
    assert not any(a.intersects(b) for i, a in enumerate(places) for b in places[:i])


def test_drawing_differs_with_the_number_and_the_theme(strip: DerivationView) -> None:
    before = strip.grab().toImage()
    strip.offer_frame(compute(replace(cat_dog_phone(), temperature=2.0)))
    changed = strip.grab().toImage()
    strip.apply_theme(DARK)
    dark = strip.grab().toImage()
    assert before != changed
    assert dark.pixelColor(2, 2).name() == DARK.panel


def test_long_document_is_drawn(strip: DerivationView) -> None:
    strip.offer_frame(compute(forty_tokens()))
    strip.selection.pin_cell(3, 17)
    assert strip.subtitle == "t3 → t17, step by step"
    assert not strip.grab().isNull()


def test_one_line_of_cards_where_they_are_wide_enough() -> None:
    assert lay_out(6, 1248, 200, METRICS).columns == 6


def test_two_lines_of_cards_where_one_would_be_too_narrow() -> None:
    # 6 cards of 124 + 5 gaps of 16 + margins of 32 = 856 px
    assert lay_out(6, 856, 200, METRICS).rows == 1
    assert lay_out(6, 849, 200, METRICS).rows == 2


def test_formulas_leave_where_the_strip_is_too_low() -> None:
    assert lay_out(6, 1248, needed_height(6, 1248, METRICS, has_formula=True), METRICS).has_formula
    assert not lay_out(6, 1248, needed_height(6, 1248, METRICS, has_formula=True) - 1, METRICS).has_formula
