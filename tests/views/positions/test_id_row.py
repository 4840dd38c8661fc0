"""The row of position ids: typing, stepping, pasting, and what is refused."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from attnviz.document.errors import DocumentError
from attnviz.views.positions.id_row import IdRow, ShownIds, parse_ids

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class Desk(QWidget):
    """A row of ids, and what it has told."""

    def __init__(self, n: int = 5) -> None:
        super().__init__()
        self.row = IdRow()
        layout = QVBoxLayout(self)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)  # the offscreen platform warns of them
        layout.addWidget(self.row)
        self.show_counted(n)
        self.entered: list[tuple[int, float]] = []
        self.gestures: list[int] = []
        self.pasted: list[tuple[float, ...]] = []
        self.refusals: list[str] = []
        self.row.id_entered.connect(self.take)
        self.row.ids_pasted.connect(self.pasted.append)
        self.row.refused.connect(self.refusals.append)

    def show_counted(self, n: int) -> None:
        self.row.show_ids(ShownIds(tuple(f"t{i}" for i in range(n)), tuple(float(i) for i in range(n))))

    def take(self, index: int, position: float, gesture: int) -> None:
        """Do as the document does."""
        self.entered.append((index, position))
        self.gestures.append(gesture)
        ids = list(self.row.shown.ids)
        ids[index] = position
        self.row.show_ids(ShownIds(self.row.shown.tokens, tuple(ids)))


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    desk = Desk()
    qtbot.addWidget(desk)
    desk.show()
    desk.row.setFocus()
    QTest.qWaitForWindowExposed(desk)
    return desk


def middle(row: IdRow, place: int) -> QPoint:
    return row.field_rect(place).center()


def test_click_chooses_a_field_and_typing_opens_its_box(desk: Desk) -> None:
    QTest.mouseClick(desk.row, Qt.MouseButton.LeftButton, pos=middle(desk.row, 2))
    QTest.keyClick(desk.row, Qt.Key.Key_7)
    assert desk.row.box.isVisible()
    QTest.keyClicks(desk.row.box, ".5")
    QTest.keyClick(desk.row.box, Qt.Key.Key_Return)
    assert desk.entered == [(2, 7.5)]
    assert not desk.row.box.isVisible()
    assert desk.row.hasFocus()


def test_double_click_opens_the_box_with_its_number_to_be_replaced(desk: Desk) -> None:
    QTest.mouseClick(desk.row, Qt.MouseButton.LeftButton, pos=middle(desk.row, 3))
    QTest.mouseDClick(desk.row, Qt.MouseButton.LeftButton, pos=middle(desk.row, 3))
    assert desk.row.box.selectedText() == "3"
    QTest.keyClicks(desk.row.box, "-2")
    QTest.keyClick(desk.row.box, Qt.Key.Key_Return)
    assert desk.entered == [(3, -2.0)]


def test_escape_leaves_the_number_as_it_was(desk: Desk) -> None:
    QTest.keyClick(desk.row, Qt.Key.Key_Return)
    QTest.keyClicks(desk.row.box, "9")
    QTest.keyClick(desk.row.box, Qt.Key.Key_Escape)
    assert desk.entered == []
    assert not desk.row.box.isVisible()
    assert desk.row.hasFocus()


def test_arrows_step_and_go_from_field_to_field(desk: Desk) -> None:
    for key, modifier in (
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Up, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Up, SHIFT),
        (Qt.Key.Key_End, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Down, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Home, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier),
    ):
        QTest.keyClick(desk.row, key, modifier)
    assert desk.entered == [(1, 2.0), (1, 12.0), (4, 3.0)]
    assert desk.gestures[0] == desk.gestures[1] != desk.gestures[2]  # one burst is one entry of the history
    assert desk.row.cursor_place == 0


def test_text_that_is_no_number_is_refused_and_stays_to_be_mended(desk: Desk) -> None:
    QTest.keyClick(desk.row, Qt.Key.Key_F2)
    QTest.keyClicks(desk.row.box, "two")
    QTest.keyClick(desk.row.box, Qt.Key.Key_Return)
    assert desk.refusals == ["a position id must be a finite number such as 0.8, got 'two'"]
    assert desk.row.box.isVisible()
    assert desk.entered == []


def test_pasted_list_is_told_whole(desk: Desk) -> None:
    QGuiApplication.clipboard().setText("0 0 1 2 3")
    QTest.keyClick(desk.row, Qt.Key.Key_V, CTRL)
    assert desk.pasted == [(0.0, 0.0, 1.0, 2.0, 3.0)]


def test_copied_row_can_be_pasted(desk: Desk) -> None:
    QTest.keyClick(desk.row, Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == "0 1 2 3 4"


def test_pasted_words_are_refused(desk: Desk) -> None:
    QGuiApplication.clipboard().setText("0 one 2")
    QTest.keyClick(desk.row, Qt.Key.Key_V, CTRL)
    assert desk.refusals == ["a position id must be a finite number such as 0.8, got 'one'"]
    assert desk.pasted == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0 0 1", (0, 0, 1)),
        ("0,1,2", (0, 1, 2)),
        ("0, 1, 2", (0, 1, 2)),
        ("[0, 1.5, -2]", (0, 1.5, -2)),
        ("0\t1\t2\n", (0, 1, 2)),
        ("0\n1\n2", (0, 1, 2)),
        ("0,5\t1,5", (0.5, 1.5)),
        ("0;1;2", (0, 1, 2)),
        ("7", (7,)),
    ],
)
def test_list_is_read_however_it_is_written(text: str, expected: tuple[float, ...]) -> None:
    assert parse_ids(text) == expected


@pytest.mark.parametrize("text", ["", "  ", "1 x", "nan"])
def test_what_is_no_list_of_numbers_is_refused(text: str) -> None:
    with pytest.raises(DocumentError, match="a position id must be a finite number"):
        parse_ids(text)


def test_forty_fields_are_as_wide_as_they_need_and_the_last_can_be_reached(qtbot: QtBot) -> None:
    desk = Desk(40)
    qtbot.addWidget(desk)
    desk.show()
    moved: list[int] = []
    desk.row.moved.connect(moved.append)
    desk.row.setFocus()
    QTest.keyClick(desk.row, Qt.Key.Key_End)
    QTest.keyClick(desk.row, Qt.Key.Key_Up)
    assert desk.entered == [(39, 40.0)]
    assert moved[-1] == 39
    assert desk.row.sizeHint().width() >= desk.row.field_rect(39).right()


def test_cursor_stays_inside_fewer_fields(desk: Desk) -> None:
    QTest.keyClick(desk.row, Qt.Key.Key_End)
    desk.show_counted(2)
    assert desk.row.cursor_place == 1
    assert desk.row.sentence() == "t1: position 1"


def test_padding_is_said(desk: Desk) -> None:
    desk.row.show_ids(ShownIds(("<pad>", "a"), (0.0, 0.0), padding=frozenset({0})))
    assert desk.row.sentence() == "<pad>, padding: position 0"
