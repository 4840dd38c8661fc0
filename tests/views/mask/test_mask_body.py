"""The panel of the mask by itself: its switches, tools, boxes and what it says of the rows."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox
from pytestqt.qtbot import QtBot

from attnviz.document import edits, layer_edits
from attnviz.document.frame import compute
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.mask.mask_body import MaskBody
from attnviz.views.selection import Chosen
from tests.app.mouse import click, move
from tests.views.panel_scenes import cat_dog_phone, cross_attention, forty_tokens


@pytest.fixture
def body(qtbot: QtBot) -> MaskBody:
    body = MaskBody()
    body.resize(320, 700)
    qtbot.addWidget(body)
    body.show()
    show(body, cat_dog_phone())
    return body


def show(body: MaskBody, state: State) -> None:
    body.show_frame(compute(state))
    QApplication.processEvents()


def told(signal: object) -> list[object]:
    heard: list[object] = []

    def hear(*values: object) -> None:
        heard.append(values)

    signal.connect(hear)  # type: ignore[attr-defined]  # a signal
    return heard


def middle(body: MaskBody, key: int) -> QPointF:
    return body.strip.chip_box(key).center()


# Padding


def test_a_click_on_a_chip_asks_for_padding_and_another_for_a_real_token(body: MaskBody) -> None:
    heard = told(body.padding_switched)
    click(body.strip, middle(body, 1))
    show(body, layer_edits.set_padding(cat_dog_phone(), 1, is_padding=True))
    click(body.strip, middle(body, 1))
    click(body.strip, body.strip.chip_box(2).topRight() + QPointF(2.0, 3.0))  # between two chips
    assert heard == [(1, True), (1, False)]


def test_arrow_keys_go_from_chip_to_chip_and_space_switches(body: MaskBody) -> None:
    heard = told(body.padding_switched)
    body.strip.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Space, Qt.Key.Key_Home):
        QTest.keyClick(body.strip, key)
    QTest.keyClick(body.strip, Qt.Key.Key_Return)
    QTest.keyClick(body.strip, Qt.Key.Key_End)
    assert heard == [(2, True), (0, True)]
    assert body.strip.accessibleDescription() == "phone: a real token"


def test_the_strip_says_what_is_padding(body: MaskBody) -> None:
    body.strip.setFocus()
    show(body, layer_edits.set_padding(cat_dog_phone(), 0, is_padding=True))
    assert body.strip.sentence() == "cat: padding, no query sees it"


def test_forty_chips_wrap_and_are_walked_through_line_by_line(body: MaskBody) -> None:
    names = tuple(f"token{i}" for i in range(40))
    show(body, State(TokenSequence(names, forty_tokens().sequence.embeddings)))
    boxes = [body.strip.chip_box(key) for key in range(40)]
    assert all(box.right() <= body.strip.width() for box in boxes)
    assert not any(a.intersects(b) for a in boxes for b in boxes if a is not b)
    assert body.chips.height() < body.strip.height()
    body.strip.setFocus()
    tops = sorted({box.top() for box in boxes})
    for _ in range(len(tops) + 1):
        QTest.keyClick(body.strip, Qt.Key.Key_Down)
    heard = told(body.padding_switched)
    QTest.keyClick(body.strip, Qt.Key.Key_Space)
    ((key, _),) = heard
    assert boxes[key].top() == tops[-1]
    seen = body.strip.mapTo(body.chips, boxes[key].center().toPoint())
    assert body.chips.viewport().geometry().contains(seen)
    QTest.keyClick(body.strip, Qt.Key.Key_Up)
    QTest.keyClick(body.strip, Qt.Key.Key_Space)
    assert boxes[heard[-1][0]].top() == tops[-2]


def test_the_hand_shows_over_chips_only(body: MaskBody) -> None:
    move(body.strip, middle(body, 0), is_pressed=False)
    assert body.strip.cursor().shape() == Qt.CursorShape.PointingHandCursor
    move(body.strip, QPointF(1.0, 1.0), is_pressed=False)
    assert body.strip.cursor().shape() == Qt.CursorShape.ArrowCursor
    assert body.strip.key_at(QPoint(1, 1)) is None


# Tools


def test_every_tool_asks_for_what_it_says(body: MaskBody) -> None:
    signals = (body.painting_switched, body.invert_requested, body.clear_requested, body.import_requested)
    buttons = (body.paint_button, body.invert_button, body.clear_button, body.import_button)
    heard = [told(signal) for signal in signals]
    for button in buttons:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert heard == [[(True,)], [()], [()], [()]]
    assert body.paint_button.isChecked()
    body.show_painting(False)
    assert not body.paint_button.isChecked()
    assert len(heard[0]) == 1


def test_tab_goes_from_top_to_bottom(body: MaskBody) -> None:
    show(body, layer_edits.set_sink(edits.set_scalar(cat_dog_phone(), "dropout", 0.2), 0, 1.0))
    body.activateWindow()
    first = body.rows.rows["mask"].findChild(QComboBox)
    assert first is not None
    first.setFocus()
    places = []
    for _ in range(15):
        now = QApplication.focusWidget()
        assert now is not None
        places.append(now.mapTo(body, QPoint(0, now.height() // 2)).y())
        QTest.keyClick(now, Qt.Key.Key_Tab)
    assert len(set(places)) >= 8
    assert all(after >= before - 8 for before, after in pairwise(places))
    assert body.sinks.boxes[0].mapTo(body, QPoint(0, body.sinks.boxes[0].height() // 2)).y() in places


# Sinks and dropout


def test_sink_boxes_are_there_for_each_head_while_sinks_act(body: MaskBody) -> None:
    assert body.sinks.isHidden()
    state = edits.set_scalar(State(TokenSequence(("a", "b"), np.eye(2, 4))), "heads", 2)
    show(body, layer_edits.set_sink(state, 1, 2.5))
    assert not body.sinks.isHidden()
    assert [box.number for box in body.sinks.boxes] == [0.0, 2.5]
    heard = told(body.sink_entered)
    box = body.sinks.boxes[0]
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "1,5")
    QTest.keyClick(box, Qt.Key.Key_Return)
    show(body, layer_edits.set_sink(state, 0, 1.5))
    QTest.keyClick(box, Qt.Key.Key_Up)
    assert [values[:2] for values in heard] == [(0, 1.5), (0, 1.6)]
    show(body, layer_edits.set_sink(cat_dog_phone(), 0, 1.0))
    assert [box.isHidden() for box in body.sinks.boxes] == [False, True]


def test_a_sink_that_is_no_number_is_refused_beside_it(body: MaskBody) -> None:
    show(body, layer_edits.set_sink(cat_dog_phone(), 0, 1.0))
    heard = told(body.refused)
    box = body.sinks.boxes[0]
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "much")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert heard == [("a sink logit must be a finite number such as 0.8, got 'much'",)]
    assert box.is_invalid


def test_dropout_says_the_sum_now_and_the_mean_of_many_rolls(body: MaskBody) -> None:
    seed = body.rows.rows["dropout_seed"]
    assert body.dropout.isHidden()
    assert seed.isHidden()
    show(body, edits.set_scalar(cat_dog_phone(), "dropout", 0.2))
    assert not body.dropout.isHidden()
    assert not seed.isHidden()
    frame = compute(edits.set_scalar(cat_dog_phone(), "dropout", 0.2))
    assert body.dropout.now.text == f"Σ cat = {frame.trace.weights[0].sum():.3f} with seed 0"
    body.show_selection(Chosen(query=2))
    assert body.dropout.now.text.startswith(f"Σ phone = {frame.trace.weights[2].sum():.3f}")
    mean = float(body.dropout.mean.text.split()[4].rstrip(","))
    assert abs(mean - 1.0) < 0.1
    assert body.dropout.mean.text.endswith("without dropout 1.000")
    heard = told(body.reroll_requested)
    QTest.mouseClick(body.dropout.button, Qt.MouseButton.LeftButton)
    assert heard == [()]


# What follows


def test_rows_without_a_key_and_other_sums_are_named(body: MaskBody) -> None:
    assert body.remarks.isHidden()
    show(body, cross_attention())
    assert not body.remarks.isHidden()
    assert body.remarks.sentences == ("No visible key: a, b; weights and output are 0.",)
    show(body, edits.set_scalar(cat_dog_phone(), "softmax", "plus_one"))
    assert body.remarks.sentences == ("Weights do not sum to 1 (plus one): cat, dog, phone.",)
    show(body, cat_dog_phone())
    assert body.remarks.isHidden()


def test_banned_keys_with_weight_are_named_by_row(body: MaskBody) -> None:
    show(body, edits.set_scalar(edits.set_scalar(cat_dog_phone(), "causal", True), "masking", "multiply_zero"))
    # cat: (1 + 1) of e^(1.25/√2) + 1 + 1; dog: 1 of e^(1.1/√2) + e^(1/√2) + 1
    assert body.remarks.sentences == ("Banned keys have weight (Multiply by 0), by row: cat 0.452, dog 0.192.",)


def test_warnings_take_two_lines_at_most_and_the_tooltip_has_the_whole(body: MaskBody) -> None:
    body.resize(240, 400)
    names = tuple(f"a-long-name-{i}" for i in range(40))
    several = edits.set_scalar(State(TokenSequence(names, np.eye(40, 5))), "softmax", "plus_one")
    three_sentences = edits.set_scalar(layer_edits.invert_mask(several), "masking", "multiply_zero")
    for state, n_sentences in ((several, 1), (three_sentences, 3)):
        show(body, state)
        assert len(body.remarks.sentences) == n_sentences
        whole = "\n".join(body.remarks.sentences)
        shown = body.remarks.text().split("\n")
        assert len(shown) == 2
        assert shown[-1].endswith("…")
        room, widths = body.remarks.contentsRect(), [body.remarks.fontMetrics().horizontalAdvance(x) for x in shown]
        assert max(widths) <= room.width()
        assert room.height() >= 2 * body.remarks.fontMetrics().lineSpacing()
        assert body.remarks.accessibleDescription() == whole
        assert "a-long-name-5" in body.remarks.toolTip()
    body.resize(1200, 400)
    show(body, edits.set_scalar(cat_dog_phone(), "softmax", "plus_one"))
    assert body.remarks.text() == "Weights do not sum to 1 (plus one): cat, dog, phone."


def test_the_offset_of_the_diagonal_is_said_where_sizes_differ(body: MaskBody) -> None:
    show(body, edits.set_scalar(cat_dog_phone(), "causal", True))
    assert body.offset.isHidden()
    show(body, cross_attention())
    assert body.offset.text() == "Query i sees the keys up to place i − 2 (offset 1 keys − 3 queries = −2)."
    show(body, edits.set_scalar(cross_attention(), "align", "top_left"))
    assert body.offset.text() == "Query i sees the keys up to place i (offset 0)."
