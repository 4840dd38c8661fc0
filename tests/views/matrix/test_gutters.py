"""Numbers beside and below a matrix: where they are, how they are pointed at, chosen and explained."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from attnviz.appearance import DARK, LIGHT, contrast
from attnviz.views.matrix.picture import Gutter
from attnviz.views.matrix.view import MatrixView
from tests.views.matrix.test_view import PANELS, move, picture_of, shot, weights
from tests.views.overlapping import overlapping


def beside(values):
    """Three gutters of the rows and one of the columns, as the weights have them."""
    rows = (
        Gutter(
            "row sum",
            lambda r: values[r].sum(axis=1),
            "Σ {}",
            3,
            lambda s: np.abs(s - 1) > 1e-9,
            "sum",
            "R(i)\nAll added up.",
        ),
        Gutter("largest", lambda r: values[r].max(axis=1), "{}", 3, None, "largest", "max a\nThe most."),
    )
    columns = (
        Gutter("received", lambda c: values[:, c].sum(axis=0), "{}", 3, None, "received", "C(j)\nWhat it gets."),
    )
    return rows, columns


def shown(values, **fields):
    rows, columns = beside(values)
    return picture_of(values, gutters=rows, feet=columns, **fields)


@pytest.fixture
def view(qtbot):
    widget = MatrixView()
    qtbot.addWidget(widget)
    widget.resize(560, 420)
    widget.apply_theme(LIGHT)
    widget.show()
    return widget


VALUES = np.array([[0.5, 0.25, 0.25], [0.125, 0.625, 0.25], [0.0, 0.0, 0.75]])


def test_sum_of_each_column_stands_below_its_column(view):
    view.show_picture(shown(VALUES))
    boxes = dict(view.painted_texts())
    for column, text in enumerate(("0.625", "0.875", "1.250")):
        cell = view.cell_rect(2, column)
        below = [box for each, box in view.painted_texts() if each == text and box.top() > cell.bottom()]
        assert len(below) == 1
        assert abs(below[0].center().x() - cell.center().x()) <= 1
    assert boxes["received"].right() <= view.cell_rect(2, 0).left()
    assert boxes["received"].center().y() == pytest.approx(boxes["1.250"].center().y(), abs=2)


@pytest.mark.parametrize("n", [3, 8])
def test_numbers_below_have_ink_where_they_are_said_to_be(view, n):
    view.resize(560, 420) if n == 3 else view.resize(360, 320)
    values = weights(n, n)
    view.show_picture(shown(values))
    image = shot(view)
    floor = view.cell_rect(n - 1, 0).bottom()
    below = [(text, box) for text, box in view.painted_texts() if box.top() > floor and text[0].isdigit()]
    assert len(below) == n
    is_upright = {box.height() > box.width() for _, box in below}
    assert is_upright == {n == 8}
    for text, box in below:
        area = box.toAlignedRect()
        inked = {
            (x, y)
            for x in range(area.left() - 4, area.right() + 5)
            for y in range(area.top() - 4, area.bottom() + 5)
            if image.pixelColor(x, y).name() != LIGHT.panel
        }
        outside = [(x, y) for x, y in inked if not box.adjusted(-1.5, -1.5, 1.5, 1.5).contains(QPointF(x, y))]
        assert len(inked) > 20, text
        assert outside == [], text


def test_new_numbers_below_are_painted_and_the_cells_keep_their_outline(view):
    view.resize(420, 320)
    view.show_picture(shown(weights(16, 16)))
    first, last = shot(view), view.cell_rect(15, 3)
    assert first.pixelColor(QPointF(last.center().x(), last.bottom()).toPoint()).name() == LIGHT.border
    view.show_picture(shown(weights(16, 16)[::-1] ** 2))
    assert shot(view) != first


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("shape", [(3, 3), (8, 8), (16, 16), (40, 40), (3, 40)])
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_no_text_overlaps_another_where_there_are_gutters(view, panel, shape, scale):
    font = view.font()
    font.setPointSizeF(font.pointSizeF() * scale)
    view.setFont(font)
    view.resize(*panel)
    view.show_picture(shown(weights(*shape)))
    texts = view.painted_texts()
    whole = QRectF(view.rect()).adjusted(-0.5, -0.5, 0.5, 0.5)
    for text, box in texts:
        assert whole.contains(box), (text, box)
    assert overlapping(texts, 1.0) == []


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_numbers_beside_the_cells_stand_out_from_their_ground(view, theme):
    view.apply_theme(theme)
    view.show_picture(shown(VALUES))
    image = shot(view)
    texts = [("Σ 1.000", theme.muted), ("Σ 0.750", theme.warning), ("1.250", theme.muted), ("0.875", theme.muted)]
    boxes = dict(view.painted_texts())
    for text, expected in texts:
        area = boxes[text].toRect()
        colours = {
            image.pixelColor(x, y).name()
            for x in range(area.left(), area.right() + 1)
            for y in range(area.top(), area.bottom() + 1)
        }
        assert expected in colours, text
        ink, ground = (np.array([int(c[i : i + 2], 16) for i in (1, 3, 5)]) for c in (expected, theme.panel))
        assert float(contrast(ink, ground)) >= 4.5


def heard_of(view):
    heard = []
    view.cell_pointed.connect(lambda *cell: heard.append(cell))
    view.gutter_pointed.connect(lambda *number: heard.append(number))
    view.cell_chosen.connect(lambda *cell: heard.append(("cell", *cell)))
    view.gutter_chosen.connect(lambda *number: heard.append(("number", *number)))
    return heard


def test_mouse_tells_the_number_it_is_over_and_where_it_leaves(view):
    view.show_picture(shown(VALUES))
    heard = heard_of(view)
    move(view, view.gutter_rect("sum", 1).center())
    move(view, view.gutter_rect("largest", 1).center())
    move(view, view.gutter_rect("received", 2).center())
    move(view, view.cell_rect(0, 2).center())
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert heard == [("sum", 1), ("largest", 1), ("received", 2), (0, 2), (-1, -1)]


def test_name_of_a_gutter_is_no_number(view):
    view.show_picture(shown(VALUES))
    heard = heard_of(view)
    names = {text: box.center() for text, box in view.painted_texts()}
    move(view, names["received"])
    move(view, names["largest"])
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=names["received"].toPoint())
    assert heard == []


def test_click_on_a_number_chooses_it_and_takes_the_cursor_there(view):
    view.show_picture(shown(VALUES))
    heard = heard_of(view)
    for name, index in (("largest", 2), ("received", 0)):
        place = view.gutter_rect(name, index).center().toPoint()
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=place)
        QTest.keyClick(view, Qt.Key.Key_Return)
    chosen = [each for each in heard if each[0] == "number"]
    assert chosen == [("number", "largest", 2)] * 2 + [("number", "received", 0)] * 2
    assert not [each for each in heard if each[0] == "cell"]


def test_keys_go_past_the_last_cell_into_the_gutters_and_back(view):
    view.show_picture(shown(VALUES))
    heard = heard_of(view)
    right, down, left, up = Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Up
    keys = (Qt.Key.Key_End, right, right, right, down, Qt.Key.Key_Space, left, left, down, down, left, up)
    for key in keys:
        QTest.keyClick(view, key)
    assert heard == [
        (0, 2),
        ("sum", 0),
        ("largest", 0),
        ("largest", 1),
        ("number", "largest", 1),
        ("sum", 1),
        (1, 2),
        (2, 2),
        ("received", 2),
        ("received", 1),
        (2, 1),
    ]


def test_jumps_end_at_the_last_cell(view):
    view.show_picture(shown(VALUES))
    heard = heard_of(view)
    control = Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(view, Qt.Key.Key_End, control)
    QTest.keyClick(view, Qt.Key.Key_PageDown)
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert heard == [(2, 2), ("sum", 2), (2, 0)]


def test_cursor_in_a_gutter_that_goes_is_in_a_cell(view):
    view.show_picture(shown(VALUES))
    for key in (Qt.Key.Key_End, Qt.Key.Key_Right, Qt.Key.Key_Right):
        QTest.keyClick(view, key)
    view.show_picture(picture_of(VALUES))
    heard = heard_of(view)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert heard == [("cell", 0, 2)]


def test_tooltip_of_a_number_has_every_digit_and_what_it_means(view, monkeypatch):
    said = []
    monkeypatch.setattr(QToolTip, "showText", lambda *arguments: said.append(arguments[1]))
    view.show_picture(shown(VALUES / 3, labels=("<b>", "dog", "phone")))
    names = {text: box.center().toPoint() for text, box in view.painted_texts()}
    places = [view.gutter_rect("sum", 0).center().toPoint(), view.gutter_rect("received", 0).center().toPoint()]
    for place in (*places, names["received"]):
        QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, QPoint(place), view.mapToGlobal(place)))
    assert "&lt;b&gt;: row sum 0.3333333333333333\nR(i)\nAll added up." in said[0]
    assert "&lt;b&gt;: received 0.20833333333333331\nC(j)\nWhat it gets." in said[1]
    assert "C(j)\nWhat it gets." in said[2]
    assert "0.208" not in said[2]


def test_numbers_below_are_not_asked_for_where_they_are_not_drawn(view):
    asked = []

    def sums(columns):
        asked.append(len(columns))
        return np.zeros(len(columns))

    values = weights(512, 512)
    picture = picture_of(values, feet=(Gutter("received", sums, "{}", 3, None, "received"),))
    view.show_picture(picture)
    shot(view)
    assert asked == []
    assert view.gutter_rect("received", 3).isNull()


def test_setting_gutters_emits_nothing(view):
    heard = heard_of(view)
    view.show_picture(shown(VALUES))
    view.show_picture(picture_of(VALUES))
    shot(view)
    assert heard == []
