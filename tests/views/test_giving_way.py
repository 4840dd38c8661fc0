"""Controls side by side: where it is narrow the first one gets its least width before the second one gives any."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from attnviz.views.giving_way import GivingWayRow

GAP = 6


class Control(QWidget):
    def __init__(self, usual: int, least: int) -> None:
        super().__init__()
        self.usual, self.least = usual, least

    def sizeHint(self) -> QSize:
        return QSize(self.usual, 20)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.least, 20)


@pytest.fixture
def row(qtbot: QtBot) -> Iterator[GivingWayRow]:
    host = QWidget()
    qtbot.addWidget(host)
    made = GivingWayRow(Control(90, 40), Control(130, 80), parent=host)
    host.show()
    yield made
    host.close()


def widths(row: GivingWayRow) -> list[int]:
    return [child.width() for child in row.findChildren(Control)]


@pytest.mark.parametrize(
    ("room", "expected"), [(226, [90, 130]), (225, [40, 130]), (176, [40, 130]), (175, [40, 80]), (126, [40, 80])]
)
def test_first_control_gives_way_before_the_second(row: GivingWayRow, room: int, expected: list[int]) -> None:
    row.resize(room, 30)
    assert widths(row) == expected
    first, second = row.findChildren(Control)
    assert second.geometry().right() == room - 1
    assert second.x() - first.geometry().right() - 1 == GAP
    assert first.y() == 5


def test_it_asks_for_the_room_of_all_and_needs_that_of_the_least(row: GivingWayRow) -> None:
    assert row.sizeHint() == QSize(226, 20)
    assert row.minimumSizeHint() == QSize(126, 20)


def test_it_follows_a_control_that_asks_for_more(row: GivingWayRow) -> None:
    row.resize(226, 30)
    first = row.findChildren(Control)[0]
    first.usual = 91
    first.updateGeometry()
    QApplication.processEvents()
    assert widths(row) == [40, 130]
