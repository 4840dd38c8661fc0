"""The matrix on screen: its pixels, its texts, its mouse and its keys."""

import os
import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QHelpEvent, QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from attnviz.appearance import DARK, LIGHT, colour_table, contrast
from attnviz.views.matrix.picture import Gutter, Highlight, MatrixPicture
from attnviz.views.matrix.view import MatrixView
from tests.views.overlapping import overlapping

PANELS = [(320, 220), (500, 272), (510, 234), (560, 520), (785, 374), (900, 900)]
SHAPES = [(1, 1), (3, 3), (5, 5), (8, 8), (16, 16), (40, 40), (41, 41), (200, 200), (1000, 1000)]
SHAPES += [(1, 5), (3, 40), (40, 3)]
ODD = (
    "<s>",
    "&",
    "internationalisation of everything",
    "שלום",
    "مرحبا",
    "日本語",
    "👩‍👩‍👧",
    "▁the",
    " ",
    "\n",
    "a&b <b>x</b>",
)


def picture_of(values, *, labels=None, allowed=None, limits=(0.0, 1.0), role="share", gutters=(), feet=()):
    values = np.asarray(values, float)
    rows, columns = values.shape
    names = labels or tuple(f"w{i}" for i in range(max(rows, columns)))
    return MatrixPicture(
        shape=(rows, columns),
        cells=lambda r, c: values[np.ix_(r, c)],
        limits=limits,
        role=role,
        row_labels=tuple(names[:rows]),
        column_labels=tuple(names[:columns]),
        row_colours=tuple(range(rows)),
        column_colours=tuple(range(columns)),
        banned=None if allowed is None else lambda r, c: ~allowed[np.ix_(r, c)],
        empty_rows=None if allowed is None else lambda r: ~allowed[r].any(axis=1),
        gutters=gutters,
        feet=feet,
    )


def weights(rows, columns):
    return np.random.default_rng(rows).dirichlet(np.ones(columns), rows)


def sums_of(values):
    return Gutter("", lambda r: values[r].sum(axis=1), "Σ {}", 3, lambda found: np.abs(found - 1) > 1e-9)


@pytest.fixture
def view(qtbot):
    widget = MatrixView()
    qtbot.addWidget(widget)
    widget.resize(560, 520)
    widget.apply_theme(LIGHT)
    widget.show()
    return widget


def shot(view) -> QImage:
    return view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def colour_at(image: QImage, point: QPointF) -> QColor:
    return image.pixelColor(point.toPoint())


def corner_of(rect: QRectF) -> QPointF:
    """A point of a cell that no number covers."""
    return QPointF(rect.center().x(), rect.top() + 4)


def move(view, point: QPointF) -> None:
    place = QPointF(point)
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        place,
        view.mapToGlobal(place),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view, event)


def test_row_zero_is_on_top_and_a_cell_has_the_colour_of_its_number(view):
    values = np.array([[0.0, 1.0, 0.5], [0.25, 0.75, 0.125], [0.0, 0.0, 1.0]])
    view.show_picture(picture_of(values))
    image, table = shot(view), colour_table(LIGHT.weight_map)
    for row in range(3):
        for column in range(3):
            found = colour_at(image, corner_of(view.cell_rect(row, column)))
            expected = table[int(values[row, column] * 254 + 0.5)]
            assert (found.red(), found.green(), found.blue()) == tuple(expected)
    assert view.cell_rect(0, 0).bottom() <= view.cell_rect(1, 0).top()


def test_zero_of_scores_has_the_middle_colour(view):
    view.show_picture(picture_of([[0.0, -2.0], [1.0, 2.0]], limits=(-2.0, 2.0), role="score"))
    assert colour_at(shot(view), corner_of(view.cell_rect(0, 0))) == QColor(LIGHT.score_map[2])
    assert colour_at(shot(view), corner_of(view.cell_rect(0, 1))) == QColor(LIGHT.score_map[0])


def test_new_numbers_are_painted_without_a_new_layout(view):
    view.show_picture(picture_of(np.zeros((3, 3))))
    shot(view)
    view.show_picture(picture_of(np.ones((3, 3))))
    assert colour_at(shot(view), corner_of(view.cell_rect(1, 1))) == QColor(LIGHT.weight_map[-1])


@pytest.mark.parametrize("n", [3, 16])
def test_masked_cell_is_hatched_in_no_colour_of_the_map_and_has_no_number(view, n):
    allowed = np.tril(np.ones((n, n), bool))
    view.show_picture(picture_of(np.full((n, n), 0.6), allowed=allowed))
    image, rect = shot(view), view.cell_rect(0, n - 1)
    inside = rect.adjusted(5, 5, -5, -5).toRect()
    seen = {
        image.pixelColor(x, y).name()
        for x in range(inside.left(), inside.right())
        for y in range(inside.top(), inside.bottom())
    }
    assert seen == {LIGHT.panel, LIGHT.hatch}
    numbers = [text for text, _ in view.painted_texts() if text.startswith("0.6")]
    assert len(numbers) == (n * (n + 1) // 2)


def test_row_without_a_visible_key_is_hatched_whole_and_named(view):
    allowed = np.ones((3, 3), bool)
    allowed[1] = False
    view.show_picture(picture_of(np.full((3, 3), 0.25), allowed=allowed))
    texts = [text for text, _ in view.painted_texts()]
    assert texts.count("no visible key") == 1
    assert texts.count("0.250") == 6
    assert colour_at(shot(view), corner_of(view.cell_rect(1, 0))).name() in (LIGHT.panel, LIGHT.hatch)


def test_rows_too_low_for_words_are_named_in_the_note(view):
    allowed = np.ones((40, 40), bool)
    allowed[[3, 9]] = False
    view.show_picture(picture_of(np.zeros((40, 40)), allowed=allowed))
    assert any("2 rows have no visible key" in text for text, _ in view.painted_texts())


def test_cells_show_the_weights_of_the_textbook_scene(view):
    # softmax of the scaled scores of cat (1, 0.5), dog (0.8, 0.6) and phone (-0.5, 1).
    values = np.array([[0.4319, 0.3886, 0.1795], [0.4057, 0.3780, 0.2163], [0.2188, 0.2526, 0.5286]])
    view.show_picture(picture_of(values, gutters=(sums_of(values / values.sum(axis=1, keepdims=True)),)))
    texts = [text for text, _ in view.painted_texts()]
    for expected in ("0.432", "0.389", "0.179", "Σ 1.000", "query (from)", "key (to)"):
        assert expected in texts


def test_legend_says_the_drawn_range_after_every_change(view):
    for peak, text in ((1.25, "1.25"), (3.5, "3.5"), (1e9, "1e+09")):
        view.show_picture(picture_of(np.zeros((3, 3)), limits=(-peak, peak), role="score"))
        texts = [text for text, _ in view.painted_texts()]
        assert text in texts
        assert "−" + text in texts


def test_row_that_does_not_sum_to_one_is_in_the_warning_colour(view):
    values = np.array([[0.5, 0.5], [0.5, 0.25]])
    view.show_picture(picture_of(values, gutters=(sums_of(values),)))
    image = shot(view)
    boxes = {text: box for text, box in view.painted_texts() if text.startswith("Σ")}

    def colours(box):
        area = box.toRect()
        return {
            image.pixelColor(x, y).name()
            for x in range(area.left(), area.right() + 1)
            for y in range(area.top(), area.bottom() + 1)
        }

    assert LIGHT.warning in colours(boxes["Σ 0.750"])
    assert LIGHT.warning not in colours(boxes["Σ 1.000"])
    assert LIGHT.muted in colours(boxes["Σ 1.000"])


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_no_text_overlaps_another_or_leaves_the_widget(view, panel, shape, scale):
    font = view.font()
    font.setPointSizeF(font.pointSizeF() * scale)
    view.setFont(font)
    view.resize(*panel)
    values = weights(*shape)
    labels = tuple(ODD[i % len(ODD)] for i in range(max(shape)))
    keys = Gutter("effective keys", lambda rows: values[rows].max(axis=1), "{} of " + str(shape[1]), 2)
    view.show_picture(picture_of(values, labels=labels, gutters=(sums_of(values), keys)))
    texts = view.painted_texts()
    whole = QRectF(view.rect()).adjusted(-0.5, -0.5, 0.5, 0.5)
    assert texts
    for text, box in texts:
        assert text
        assert whole.contains(box), (text, box)
    assert overlapping(texts, 1.0) == []


@pytest.mark.parametrize("panel", [(510, 234), (1240, 590)])
@pytest.mark.parametrize("n", [3, 6, 8, 16])
@pytest.mark.parametrize("percent", [100, 150, 200])
def test_numbers_beside_each_other_have_a_gap_of_most_of_a_character(view, panel, n, percent):
    font = view.font()
    font.setPointSizeF(font.pointSizeF() * percent / 100)
    view.setFont(font)
    view.resize(*panel)
    values = np.random.default_rng(n).uniform(-9, 9, (n, n))
    view.show_picture(picture_of(values, limits=(-9.0, 9.0), role="score", gutters=(sums_of(weights(n, n)),) * 2))
    numbers = [(text, box) for text, box in view.painted_texts() if "." in text]
    for (text, box), (_, other) in combinations(numbers, 2):
        if box.top() < other.bottom() and other.top() < box.bottom():
            between = max(other.left() - box.right(), box.left() - other.right())
            assert between >= 0.8 * box.width() / len(text), text


@pytest.mark.parametrize(("panel", "percent"), [((340, 205), 150), ((494, 205), 150), ((416, 190), 200)])
def test_three_tokens_keep_their_numbers_and_level_names_in_larger_letters(view, panel, percent):
    font = view.font()
    font.setPointSizeF(font.pointSizeF() * percent / 100)
    view.setFont(font)
    view.resize(*panel)
    values = np.full((3, 3), 0.25)
    sums = sums_of(np.full((3, 3), 1 / 3))
    view.show_picture(picture_of(values, labels=("cat", "dog", "phone"), gutters=(sums, sums)))
    texts = view.painted_texts()
    assert [text for text, _ in texts].count("0.250") == 9
    assert view.cell_rect(0, 0).width() >= 40 - 2
    above = [box for text, box in texts if text in ("cat", "dog") and box.bottom() < view.cell_rect(0, 0).top()]
    assert len(above) == 2
    for box in above:
        assert box.width() > box.height()


@pytest.mark.parametrize(
    ("panel", "cell", "scale"), [((510, 234), 60, 1), ((1240, 590), 145, 2.25), ((1900, 930), 198, 2.5)]
)
def test_numbers_and_names_grow_with_the_cells(view, panel, cell, scale):
    values = np.full((3, 3), 0.25)
    picture = picture_of(values, labels=("cat", "dog", "phone"))
    view.resize(510, 234)
    view.show_picture(picture)
    usual = {text: box.height() for text, box in view.painted_texts()}
    view.resize(*panel)
    assert view.cell_rect(0, 0).width() == pytest.approx(cell, abs=3)
    for text, box in view.painted_texts():
        if text in ("0.250", "cat"):
            assert box.height() == pytest.approx(usual[text] * scale, rel=0.1)


def test_names_cut_alike_are_cut_in_their_middle(view):
    view.resize(360, 300)
    labels = ("internationalisation", "internationality", "on", "cat")
    view.show_picture(picture_of(weights(4, 4), labels=labels))
    found = [text for text, _ in view.painted_texts() if text.startswith("inter") or "…" in text]
    assert any("…" in text for text in found)
    assert all(not text.endswith("…") or len(text) < 5 for text in found)


def test_painted_texts_are_where_ink_is(view):
    values = weights(5, 5)
    view.show_picture(picture_of(values, gutters=(sums_of(values),)))
    image = shot(view)
    for text, box in view.painted_texts():
        area = box.toAlignedRect()
        seen = {
            image.pixel(x, y)
            for x in range(area.left(), area.right() + 1)
            for y in range(area.top(), area.bottom() + 1)
        }
        assert len(seen) > 3, text


def test_text_of_a_gutter_begins_and_ends_where_its_box_does(view):
    numbers = np.array([9.25, 12.5, 3.75])
    keys = Gutter("", lambda rows: numbers[rows], "{} of 16", 2)
    view.show_picture(picture_of(weights(3, 3), gutters=(sums_of(weights(3, 3)), keys)))
    image = shot(view)
    for text, box in view.painted_texts():
        if text.startswith("Σ") or "of" in text:
            area = box.toAlignedRect().adjusted(-6, 0, 6, 0)
            inked = [
                x
                for x in range(area.left(), area.right() + 1)
                if any(image.pixelColor(x, y) != QColor(LIGHT.panel) for y in range(area.top(), area.bottom() + 1))
            ]
            blank = (len(text) - len(text.lstrip())) * box.width() / len(text)
            assert box.left() + blank <= inked[0] <= box.left() + blank + 2
            assert box.right() - 3 <= inked[-1] < box.right()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_number_is_drawn_in_a_colour_that_stands_out_from_its_cell(view, theme):
    view.apply_theme(theme)
    for value in np.linspace(0, 1, 12):
        view.show_picture(picture_of(np.full((1, 1), value)))
        image, rect = shot(view), view.cell_rect(0, 0)
        ground = np.array(colour_at(image, corner_of(rect)).getRgb()[:3])
        area = rect.adjusted(8, 8, -8, -8).toRect()
        inks = [
            image.pixelColor(x, y).getRgb()[:3]
            for x in range(area.left(), area.right())
            for y in range(area.top(), area.bottom())
        ]
        assert contrast(ground, np.array(inks)).max() >= 4.5


def test_theme_changes_the_whole_picture(view):
    view.show_picture(picture_of(np.zeros((3, 3))))
    view.apply_theme(DARK)
    assert shot(view).pixelColor(1, 1) == QColor(DARK.panel)


@pytest.mark.parametrize("n", [1, 3, 16])
def test_all_sides_of_the_cells_have_an_outline(view, n):
    view.resize(510, 234)
    values = weights(n, n)
    view.show_picture(picture_of(np.zeros((n, n)), gutters=(sums_of(values),)))
    image = shot(view)
    first, last = view.cell_rect(0, 0), view.cell_rect(n - 1, n - 1)
    outside = 0 if n < 16 else 1  # small cells share one outline, large ones have their own
    for x, y in (
        (first.left() - outside, first.center().y()),
        (first.center().x(), first.top() - outside),
        (last.right() - 1 + outside, last.center().y()),
        (last.center().x(), last.bottom() - 1 + outside),
    ):
        assert colour_at(image, QPointF(x, y)) == QColor(LIGHT.border)


def test_sixteen_tokens_have_numbers_in_a_large_window(view):
    view.resize(785, 374)
    view.show_picture(picture_of(weights(16, 16), labels=("the", "cat", "sat", "barked") * 4))
    texts = [text for text, _ in view.painted_texts()]
    assert sum("." in text for text in texts) == 256


def test_whole_names_of_both_axes_are_in_the_corner_of_a_large_matrix(view):
    view.resize(510, 234)
    view.show_picture(picture_of(weights(40, 40)))
    texts = [text for text, _ in view.painted_texts()]
    assert "key (to) →" in texts
    assert any(text.startswith("query (from)") for text in texts)


def test_odd_tokens_are_shown_as_they_are(view):
    view.resize(900, 900)
    view.show_picture(picture_of(weights(11, 11), labels=ODD))
    texts = [text for text, _ in view.painted_texts()]
    for token in ("<s>", "&", "a&b <b>x</b>", "שלום", "␣", "⏎"):
        assert token in texts


def test_right_to_left_token_ends_beside_its_row(view):
    view.show_picture(picture_of(weights(3, 3), labels=("a", "שלום", "internationalisation")))
    rows = {text: box for text, box in view.painted_texts() if box.right() < view.cell_rect(0, 0).left()}
    assert rows["שלום"].right() == pytest.approx(rows["a"].right(), abs=0.5)


def test_mouse_tells_the_cell_once_and_where_it_leaves(view, qtbot):
    view.show_picture(picture_of(weights(5, 5)))
    heard = []
    view.cell_pointed.connect(lambda row, column: heard.append((row, column)))
    move(view, view.cell_rect(1, 3).center())
    move(view, view.cell_rect(1, 3).center() + QPointF(2, 2))
    move(view, view.cell_rect(4, 0).center())
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert heard == [(1, 3), (4, 0), (-1, -1)]


def test_mouse_over_a_label_tells_its_row_or_column(view):
    view.show_picture(picture_of(weights(5, 5)))
    heard = []
    view.cell_pointed.connect(lambda row, column: heard.append((row, column)))
    first = view.cell_rect(0, 0)
    move(view, QPointF(first.left() - 12, view.cell_rect(3, 0).center().y()))
    move(view, QPointF(view.cell_rect(0, 2).center().x(), first.top() - 12))
    assert heard == [(3, -1), (-1, 2)]


@pytest.mark.parametrize("n", [3, 16, 40, 200, 2048])
def test_cell_at_is_the_inverse_of_cell_rect(view, n):
    view.show_picture(picture_of(np.zeros((n, n))))
    for row, column in ((0, 0), (n // 2, n // 3), (n - 1, n - 1)):
        found = view.cell_at(view.cell_rect(row, column).center())
        assert found is not None
        assert view.cell_rect(*found) == view.cell_rect(row, column)


def test_click_chooses_the_cell(view):
    view.show_picture(picture_of(weights(5, 5)))
    heard = []
    view.cell_chosen.connect(lambda row, column: heard.append((row, column)))
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=view.cell_rect(2, 4).center().toPoint())
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert heard == [(2, 4)]


def test_keys_move_the_cursor_and_choose(view):
    view.show_picture(picture_of(weights(5, 7)))
    pointed, chosen = [], []
    view.cell_pointed.connect(lambda row, column: pointed.append((row, column)))
    view.cell_chosen.connect(lambda row, column: chosen.append((row, column)))
    control = Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Return)
    QTest.keyClick(view, Qt.Key.Key_End)
    QTest.keyClick(view, Qt.Key.Key_PageDown)
    QTest.keyClick(view, Qt.Key.Key_Space)
    QTest.keyClick(view, Qt.Key.Key_Up, control)
    QTest.keyClick(view, Qt.Key.Key_Left, control)
    QTest.keyClick(view, Qt.Key.Key_End, control)
    QTest.keyClick(view, Qt.Key.Key_Home)
    QTest.keyClick(view, Qt.Key.Key_PageUp)
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert pointed == [(1, 0), (1, 1), (1, 6), (4, 6), (0, 6), (0, 0), (4, 6), (4, 0), (0, 0), (-1, -1)]
    assert chosen == [(1, 1), (4, 6)]


def test_cursor_stays_inside_of_a_smaller_matrix(view):
    view.show_picture(picture_of(weights(5, 5)))
    QTest.keyClick(view, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    view.show_picture(picture_of(weights(2, 3)))
    chosen = []
    view.cell_chosen.connect(lambda row, column: chosen.append((row, column)))
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert chosen == [(1, 2)]


def test_setting_emits_nothing(view):
    heard = []
    view.cell_pointed.connect(lambda *cell: heard.append(cell))
    view.cell_chosen.connect(lambda *cell: heard.append(cell))
    view.show_picture(picture_of(weights(3, 3)))
    view.show_highlight(Highlight(pinned=(1, 1), row=0, column=2))
    view.apply_theme(DARK)
    shot(view)
    assert heard == []


def test_pinned_cell_has_the_accent_frame_and_keeps_its_colour(view):
    view.show_picture(picture_of(np.full((3, 3), 0.5)))
    view.clearFocus()
    before = shot(view)
    view.show_highlight(Highlight(pinned=(1, 2)))
    after, rect = shot(view), view.cell_rect(1, 2)
    assert colour_at(after, QPointF(rect.left(), rect.center().y())) == QColor(LIGHT.accent)
    assert colour_at(after, corner_of(rect)) == colour_at(before, corner_of(rect))
    assert colour_at(after, corner_of(view.cell_rect(0, 0))) == colour_at(before, corner_of(view.cell_rect(0, 0)))


def test_lit_row_shows_its_whole_label_where_labels_are_thinned_out(view):
    labels = tuple(f"token{i}" for i in range(200))
    view.show_picture(picture_of(weights(200, 200), labels=labels))
    assert "token123" not in [text for text, _ in view.painted_texts()]
    view.show_highlight(Highlight(row=123, column=71))
    texts = [text for text, _ in view.painted_texts()]
    assert "token123" in texts
    assert "token71" in texts


def test_focus_shows_a_ring(view):
    view.show_picture(picture_of(weights(3, 3)))
    view.clearFocus()
    without = shot(view)
    view.setFocus()
    with_focus = shot(view)
    if view.hasFocus():
        assert without.pixelColor(view.width() // 2, 1) != with_focus.pixelColor(view.width() // 2, 1)


def test_tool_tip_is_the_whole_token_as_plain_text(view, monkeypatch):
    shown = []
    monkeypatch.setattr(QToolTip, "showText", lambda *arguments: shown.append(arguments[1]))
    view.show_picture(picture_of(weights(3, 3), labels=("<b>bold</b>", "b", "c")))
    place = QPoint(int(view.cell_rect(0, 0).left()) - 12, int(view.cell_rect(0, 0).center().y()))
    QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, place, view.mapToGlobal(place)))
    assert len(shown) == 1
    assert "&lt;b&gt;bold&lt;/b&gt;" in shown[0]


def test_view_without_a_picture_paints_its_ground_and_hears_keys_and_mouse(view):
    move(view, QPointF(50, 50))
    QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton)
    assert view.painted_texts() == []
    assert view.cell_rect(0, 0).isNull()
    assert shot(view).pixelColor(9, 9) == QColor(LIGHT.panel)


def test_infinite_and_missing_numbers_are_painted_and_named(view):
    view.show_picture(picture_of([[np.nan, np.inf, -np.inf], [0.5, 0.25, 0.125], [1e300, -1e300, 0.0]]))
    shot(view)
    texts = [text.strip() for text, _ in view.painted_texts()]
    for expected in ("nan", "inf", "-inf", "0.500"):
        assert expected in texts


def test_only_cells_under_pixels_are_asked_for(view):
    asked = []

    def cells(rows, columns):
        asked.append(len(rows) * len(columns))
        return np.zeros((len(rows), len(columns)))

    names, colours = tuple("t" * 2048), tuple(range(2048))
    view.show_picture(MatrixPicture((2048, 2048), cells, (0.0, 1.0), "share", names, names, colours, colours))
    shot(view)
    assert 0 < max(asked) <= view.width() * view.height()


@pytest.mark.parametrize("factor", ["1.25", "1.5", "2"])
def test_fractional_device_pixels_paint_every_cell_in_its_colour(factor):
    code = """
import numpy as np
from PySide6.QtWidgets import QApplication
from attnviz.views.matrix.picture import MatrixPicture
from attnviz.views.matrix.view import MatrixView
from attnviz.appearance import DARK, LIGHT, colour_table, contrast
app = QApplication([])
values = np.arange(25).reshape(5, 5) / 24
names = tuple("abcde")
view = MatrixView()
view.resize(401, 333)
view.apply_theme(LIGHT)
view.show_picture(MatrixPicture((5, 5), lambda r, c: values[np.ix_(r, c)], (0.0, 1.0), "share",
                                names, names, tuple(range(5)), tuple(range(5))))
image, ratio, table = view.grab().toImage(), view.devicePixelRatioF(), colour_table(LIGHT.weight_map)
for row in range(5):
    for column in range(5):
        rect = view.cell_rect(row, column)
        found = image.pixelColor(int(rect.center().x() * ratio), int((rect.top() + 4) * ratio))
        assert found.getRgb()[:3] == tuple(table[int(values[row, column] * 254 + 0.5)]), (row, column)
        assert view.cell_at(rect.center()) == (row, column)
        assert (rect.left() * ratio) % 1 < 1e-6 or (rect.left() * ratio) % 1 > 1 - 1e-6
print(ratio)
"""
    environment = {**os.environ, "QT_SCALE_FACTOR": factor, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) == float(factor)


def scores_to(peak):
    return picture_of(np.full((5, 5), 0.25), limits=(-peak, peak), role="score")


class WatchedView(MatrixView):
    regions = ()

    def paintEvent(self, event):
        self.regions = (*self.regions, event.region())
        super().paintEvent(event)


def test_new_numbers_repaint_the_cells_and_the_legend_but_no_label(qtbot):
    view = WatchedView()
    qtbot.addWidget(view)
    view.resize(560, 520)
    view.show()
    view.show_picture(scores_to(1.0))
    QTest.qWaitForWindowExposed(view)
    QApplication.processEvents()
    view.regions = ()
    view.show_picture(scores_to(2.0))
    QApplication.processEvents()
    (region,) = view.regions
    boxes = {text: box.toRect() for text, box in view.painted_texts()}
    for text in ("2", "−2", "0.250"):
        assert region.contains(boxes[text])
    for text in ("w0", "query (from)", "key (to)"):
        assert not region.intersects(boxes[text])


def test_what_is_repainted_in_part_is_what_is_painted_whole(view):
    view.show_picture(scores_to(1.0))
    view.show_highlight(Highlight(pinned=(1, 1), row=2, column=3))
    QTest.qWaitForWindowExposed(view)
    QApplication.processEvents()
    view.show_picture(scores_to(3.0))
    QApplication.processEvents()
    on_screen = view.screen().grabWindow(view.winId()).toImage().convertToFormat(QImage.Format.Format_RGB32)
    assert on_screen.size() == view.size()
    assert on_screen == shot(view)


def test_words_of_an_empty_row_are_drawn(view):
    allowed = np.ones((3, 3), bool)
    allowed[1] = False
    view.show_picture(picture_of(np.full((3, 3), 0.25), allowed=allowed))
    image = shot(view)
    area = next(box for text, box in view.painted_texts() if text == "no visible key").toRect()
    seen = {
        image.pixelColor(x, y).name()
        for x in range(area.left(), area.right())
        for y in range(area.top(), area.bottom())
    }
    assert LIGHT.muted in seen
    assert LIGHT.hatch not in seen


def test_number_looks_the_same_whatever_is_in_other_cells(view):
    def cell_of(values):
        view.show_picture(picture_of(values, limits=(-1.0, 1.0), role="score"))
        return shot(view).copy(view.cell_rect(0, 0).toRect())

    alone = cell_of([[0.5, 0.5], [0.5, 0.5]])
    assert cell_of([[0.5, -0.5], [-0.25, 0.5]]) == alone
    assert cell_of([[-0.5, 0.5], [0.5, 0.5]]) != alone
