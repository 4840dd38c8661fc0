"""What the panel of the positions shows of each encoding, and how it follows what is chosen."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from attnviz.document.frame import compute
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.positions.positions_body import MEASURE_DELAY_MS, NOT_YET_MEASURED
from attnviz.views.positions.positions_view import PositionsView
from attnviz.views.selection import Selection
from tests.views.panel_scenes import forty_tokens

OpenPanel = Callable[[State], PositionsView]


def scene(n: int = 3, d: int = 4, **fields: object) -> State:
    embeddings = np.random.default_rng(2).normal(size=(n, d))
    sequence = TokenSequence(("cat", "dog", "phone", "tree")[:n], embeddings)
    return State(sequence, **fields)  # type: ignore[arg-type]  # fields of a state, by name


@pytest.fixture
def open_panel(qtbot: QtBot) -> OpenPanel:
    opened: list[PositionsView] = []  # so that a test may keep a part of the panel alone

    def open_one(state: State) -> PositionsView:
        panel = PositionsView(Selection())
        opened.append(panel)
        qtbot.addWidget(panel)
        panel.resize(460, 640)
        panel.offer_frame(compute(state))
        panel.show()
        QTest.qWaitForWindowExposed(panel)
        return panel

    return open_one


@pytest.mark.parametrize(
    ("positions", "visible"),
    [
        ("none", set()),
        ("sinusoidal", {"encoding", "vectors", "parts"}),
        ("learned", {"encoding", "vectors", "parts"}),
        ("rotary", {"encoding", "vectors"}),
        ("alibi", {"encoding", "vectors"}),
        ("relative", {"encoding", "vectors"}),
    ],
)
def test_each_encoding_has_its_sections(open_panel: OpenPanel, positions: str, visible: set[str]) -> None:
    body = open_panel(scene(positions=positions)).body
    shown = {name for name in ("encoding", "vectors", "parts") if not getattr(body, name).isHidden()}
    assert shown == visible
    assert not body.ids.isHidden()
    assert body.does.text()


def test_halves_change_the_picture_alone(open_panel: OpenPanel) -> None:
    panel = open_panel(scene(positions="sinusoidal"))
    section = panel.body.encoding
    assert section.table is not None
    before = section.table
    button = section.layout_choice.findChildren(QToolButton)[1]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert section.layout_choice.choice == "halves"
    assert section.table is not None
    np.testing.assert_array_equal(section.table.values, before.values[:, [0, 2, 1, 3]])
    products = before.values @ before.values.T
    np.testing.assert_allclose(section.table.values @ section.table.values.T, products, atol=1e-15)
    panel.show_frame(compute(scene(positions="sinusoidal", base=50.0)))  # a view setting outlives the frame
    assert section.table.column_labels == ("1", "3", "2", "4")


def test_range_of_the_colours_is_said(open_panel: OpenPanel) -> None:
    body = open_panel(scene(positions="learned", position_table=np.full((3, 4), -2.5))).body
    assert body.encoding.note.text() == "colours from −2.5 to 2.5"


def test_parts_follow_the_selection(open_panel: OpenPanel) -> None:
    panel = open_panel(scene(positions="sinusoidal"))
    assert panel.body.parts.title.text() == "Parts of the score cat → dog"
    panel.selection.pin_cell(2, 0)
    assert panel.body.parts.title.text() == "Parts of the score phone → cat"
    panel.selection.point_at(1, 2)
    assert panel.body.parts.title.text() == "Parts of the score dog → phone"


def test_biases_and_pins_are_said_under_the_parts(open_panel: OpenPanel) -> None:
    body = open_panel(scene(positions="sinusoidal", b_q=np.ones(4))).body
    assert body.parts.note.text() == "Biases b_Q and b_K belong to the content."


def test_vectors_follow_the_chosen_token(open_panel: OpenPanel) -> None:
    panel = open_panel(scene(positions="sinusoidal"))
    panel.selection.choose_token("sequence", 2, is_query=True)
    assert panel.body.vectors.note.text().startswith("phone: length of x ")
    assert panel.body.vectors.matrix.cursor_sentence().startswith("x, channel 1: ")


def test_click_on_a_cell_of_the_angles_chooses_token_and_pair(open_panel: OpenPanel) -> None:
    panel = open_panel(scene(positions="rotary"))
    matrix = panel.body.encoding.picture.matrix
    place = matrix.cell_rect(2, 1).center().toPoint()
    QTest.mouseClick(matrix, Qt.MouseButton.LeftButton, pos=place)
    assert panel.selection.chosen.query == 2
    assert panel.body.vectors.pair_list.currentText() == "channels 2 and 4"
    assert "q of phone" in panel.body.vectors.dials.accessibleDescription()


def test_keys_on_the_dials_go_to_the_next_pair_and_stop_at_the_last(open_panel: OpenPanel) -> None:
    panel = open_panel(scene(positions="rotary", pairing="interleaved"))
    for _ in range(3):
        QTest.keyClick(panel.body.vectors.dials, Qt.Key.Key_Right)
    assert panel.body.vectors.pair_list.currentText() == "channels 3 and 4"


def test_click_on_a_bias_pins_its_cell(open_panel: OpenPanel) -> None:
    panel = open_panel(scene(positions="alibi"))
    matrix = panel.body.encoding.picture.matrix
    QTest.mouseClick(matrix, Qt.MouseButton.LeftButton, pos=matrix.cell_rect(2, 0).center().toPoint())
    assert (panel.selection.chosen.query, panel.selection.chosen.key) == (2, 0)
    assert panel.body.vectors.note.text().startswith("phone → cat: scaled score + bias = ")


def test_learned_number_is_typed_over(open_panel: OpenPanel) -> None:
    panel = open_panel(scene(positions="learned"))
    heard: list[tuple[int, int, float]] = []
    panel.entry_entered.connect(lambda row, column, value, _: heard.append((row, column, value)))
    picture = panel.body.encoding.picture
    QTest.mouseDClick(picture.matrix, Qt.MouseButton.LeftButton, pos=picture.matrix.cell_rect(1, 2).center().toPoint())
    assert picture.box.isVisible()
    QTest.keyClicks(picture.box, "1.5")
    QTest.keyClick(picture.box, Qt.Key.Key_Return)
    assert heard == [(1, 2, 1.5)]
    picture.matrix.setFocus()
    QTest.keyClick(picture.matrix, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(picture.matrix, Qt.Key.Key_Minus)
    QTest.keyClicks(picture.box, "3")
    QTest.keyClick(picture.box, Qt.Key.Key_Return)
    assert heard[1:] == [(0, 0, -3.0)]


def test_bias_of_a_bucket_is_stepped(open_panel: OpenPanel) -> None:
    panel = open_panel(scene(positions="relative", n_heads=2))
    heard: list[tuple[int, int, float]] = []
    panel.bias_entered.connect(lambda head, bucket, value, _: heard.append((head, bucket, round(value, 9))))
    buckets = panel.body.encoding.buckets
    QTest.mouseDClick(buckets.matrix, Qt.MouseButton.LeftButton, pos=buckets.matrix.cell_rect(1, 3).center().toPoint())
    was = buckets.box.number
    QTest.keyClick(buckets.box, Qt.Key.Key_Up)
    assert heard == [(1, 3, round(was + 0.1, 9))]


def test_buckets_are_drawn_instead_of_biases(open_panel: OpenPanel) -> None:
    section = open_panel(scene(positions="relative")).body.encoding
    QTest.mouseClick(section.relative_choice.findChildren(QToolButton)[1], Qt.MouseButton.LeftButton)
    assert section.table is not None
    assert section.table.values.tolist() == [[0, 5, 6], [1, 0, 5], [2, 1, 0]]
    assert section.note.text() == "colours from −7 to 7"


def test_what_is_computed_is_not_typed_over(open_panel: OpenPanel) -> None:
    picture = open_panel(scene(positions="sinusoidal")).body.encoding.picture
    picture.matrix.setFocus()
    QTest.keyClick(picture.matrix, Qt.Key.Key_5)
    assert not picture.box.isVisible()


def test_shift_is_measured_where_there_is_one(open_panel: OpenPanel, qtbot: QtBot) -> None:
    panel = open_panel(scene(positions="rotary"))
    assert panel.body.moved.isHidden()
    panel.show_frame(compute(scene(positions="rotary", shift=100)))
    assert panel.body.moved.text() == NOT_YET_MEASURED
    said = "Scores moved by 0 (rotary scores depend on distances alone)."
    qtbot.waitUntil(lambda: panel.body.moved.text() == said)
    assert panel.body.ids.note.text() == "Every id is shifted by 100."


def test_shift_is_measured_once_after_a_drag_and_never_during_it(
    open_panel: OpenPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, asked = open_panel(scene(positions="sinusoidal")), []
    monkeypatch.setattr("attnviz.views.positions.positions_body.shift_effect", asked.append)
    frames = [compute(scene(positions="sinusoidal", shift=2, temperature=1.0 + i / 10)) for i in range(5)]
    for frame in frames:
        panel.show_frame(frame)
        QApplication.processEvents()
        assert asked == []
    qtbot.waitUntil(lambda: len(asked) == 1)
    assert asked == [frames[-1].state]
    panel.show_frame(frames[-1])
    assert panel.body.moved.text() != NOT_YET_MEASURED
    panel.show_frame(frames[0])
    panel.show_frame(compute(scene(positions="sinusoidal")))
    assert panel.body.moved.isHidden()
    qtbot.wait(2 * MEASURE_DELAY_MS)
    assert len(asked) == 1


def test_buttons_of_the_ids_are_there_when_they_do_something(open_panel: OpenPanel) -> None:
    panel = open_panel(scene(positions="rotary"))
    ids = panel.body.ids
    assert not ids.reset_button.isEnabled()
    assert not ids.count_button.isEnabled()
    panel.show_frame(compute(scene(positions="rotary", padding=np.array([True, False, False]), shift=1)))
    assert ids.reset_button.isEnabled()
    assert ids.count_button.isEnabled()


def test_context_has_a_row_of_its_own(open_panel: OpenPanel) -> None:
    context = TokenSequence(("x", "y"), np.ones((2, 4)))
    panel = open_panel(scene(positions="sinusoidal", context=context, context_position_ids=np.array([3.0, 8.0])))
    ids = panel.body.ids
    assert ids.context_row.isVisibleTo(panel)
    assert ids.context_row.shown.ids == (3.0, 8.0)
    assert panel.body.encoding.table is not None
    assert panel.body.encoding.table.row_labels == ("cat", "dog", "phone")
    panel.selection.choose_token("context", 1, is_query=False)
    assert panel.body.encoding.table.row_labels == ("x", "y")
    assert panel.body.vectors.note.text().startswith("y: length of x 2,")


def test_row_of_forty_scrolls_to_where_the_keyboard_is(open_panel: OpenPanel) -> None:
    panel = open_panel(forty_tokens())
    row = panel.body.ids.sequence_row
    row.setFocus()
    QTest.keyClick(row, Qt.Key.Key_End)
    seen = row.visibleRegion().boundingRect()
    assert seen.contains(QPoint(row.field_rect(39).center().x(), row.field_rect(39).center().y()))


def test_settings_stand_beside_where_there_is_room(open_panel: OpenPanel) -> None:
    panel = open_panel(scene(positions="rotary"))
    body = panel.body
    assert body.encoding.mapTo(body, QPoint()).y() > body.rows.mapTo(body, QPoint()).y() + body.rows.height()
    panel.resize(1000, 640)
    QTest.qWait(1)
    assert body.encoding.mapTo(body, QPoint()).x() > body.rows.mapTo(body, QPoint()).x() + 300
