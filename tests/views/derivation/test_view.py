"""The derivation strip on screen: what it says, how it is gone through, and that nothing is cut."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QGuiApplication
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from attnviz.appearance import DARK
from attnviz.document.frame import compute
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.derivation.card_layout import CardLayout, CardMetrics, Need, lay_out, needed_height
from attnviz.views.derivation.needs import YIELDING
from attnviz.views.derivation.view import DerivationView, tooltip_place
from attnviz.views.fonts import number_font
from attnviz.views.selection import Selection
from tests.views.panel_scenes import cat_dog_phone, forty_tokens

METRICS = CardMetrics(name=14.0, formula=15.0, result=17.0, narrowest=100.0)
LONG = "".join(f"<p>{'a tooltip of several lines ' * 8}</p>" for _ in range(3))


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
    masked = compute(replace(cat_dog_phone(), mask="causal"))
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
    assert placed(1248, 200).columns == 6


def test_two_lines_of_cards_where_one_would_be_too_narrow() -> None:
    # 6 cards of 124 + 5 gaps of 16 + margins of 32 = 856 px
    assert placed(856, 200).rows == 1
    assert placed(849, 200).rows == 2


def test_formulas_leave_where_the_strip_is_too_low() -> None:
    for n_lines in (1, 2):
        height = needed_height(6, 1248, METRICS, n_lines)
        assert placed(1248, height, ideal=500.0).n_lines == n_lines
        assert placed(1248, height - 1, ideal=500.0).n_lines == n_lines - 1


def test_second_line_is_made_only_where_one_does_not_suffice() -> None:
    assert placed(1248, 400).n_lines == 1


def test_cards_are_as_wide_as_their_texts_need() -> None:
    needs = [Need(100.0, 250.0)] + [Need(100.0, 100.0)] * 5
    widths = lay_out(1248, 200, METRICS, lambda _: needs, YIELDING).widths
    # 1248 - 32 - 5 * 16 - 6 * 24 = 992 px for text, of which 750 are needed; the rest goes to all alike
    assert widths == (250 + 40 + 24, *[100 + 40 + 24] * 5)


def test_card_whose_text_can_be_shorter_yields_before_the_others() -> None:
    needs = [Need(200.0, 400.0)] + [Need(140.0, 140.0)] * 5
    widths = lay_out(1248, 200, METRICS, lambda _: needs, YIELDING).widths
    assert widths == (992 - 700 + 24, *[140 + 24] * 5)


def test_short_texts_stay_whole_where_all_cannot() -> None:
    needs = [Need(900.0, 900.0)] + [Need(90.0, 90.0)] * 5
    widths = lay_out(1248, 200, METRICS, lambda _: needs, YIELDING).widths
    assert min(widths[1:]) == 90 + 24


@pytest.mark.parametrize("width", [2, 3])
@pytest.mark.parametrize("n_key", [3, 5])
def test_all_terms_of_negative_numbers_show_in_a_window_of_1280(strip: DerivationView, width: int, n_key: int) -> None:
    rows = -0.132 - 0.111 * np.arange(n_key)[:, None] - 0.013 * np.arange(width)
    strip.resize(1262, 98)
    strip.offer_frame(compute(State(TokenSequence(tuple("abcde"[:n_key]), rows))))
    strip.selection.pin_cell(0, 1)
    cards = texts(strip)
    assert cards[0][1].count("·") == width
    assert cards[3][1].count("0.") + cards[3][1].split().count("1") == n_key
    assert "…" not in "".join(line for card in cards for line in card)
    assert cards[0][2] == f"{sum(rows[0] * rows[1]):.3f}"


@pytest.mark.parametrize("size", [0.8, 1.0, 1.25, 1.5, 2.0])
@pytest.mark.parametrize("width", [200, 620, 1262, 1902])
def test_no_text_leaves_its_card(strip: DerivationView, size: float, width: int) -> None:
    font = strip.font()
    font.setPointSizeF(font.pointSizeF() * size)
    strip.setFont(font)
    strip.resize(max(width, strip.minimumSizeHint().width()), 900)
    strip.offer_frame(compute(forty_tokens()))
    strip.selection.pin_cell(3, 17)
    formula, result = QFontMetricsF(number_font(strip.font())), QFont(number_font(strip.font(), 1.15))
    result.setBold(True)
    rooms = [strip.childAt(card).width() - 24 for card in places(strip)]
    for card, room in zip(strip.shown_texts, rooms, strict=True):
        assert (
            max(formula.horizontalAdvance(card[1]), formula.horizontalAdvance(card[2])) <= room + 1
        )  # glyphs are set between pixels
        assert QFontMetricsF(result).horizontalAdvance(card[3]) <= room


def test_widths_stay_when_a_number_changes_its_sign(strip: DerivationView) -> None:
    before = places(strip)
    state = cat_dog_phone()
    strip.offer_frame(
        compute(replace(state, sequence=TokenSequence(state.sequence.tokens, -state.sequence.embeddings)))
    )
    assert places(strip) == before


def test_every_card_has_its_concept(strip: DerivationView) -> None:
    explained = [strip.childAt(place).whatsThis() for place in places(strip)]
    assert len(set(explained)) == 6
    assert all(len(text) > 80 for text in explained)


def test_concept_of_the_exponential_has_the_numbers_of_the_frame(strip: DerivationView, qtbot: QtBot) -> None:
    card = strip.childAt(places(strip)[2])
    qtbot.waitUntil(lambda: "0.884" in card.whatsThis())


@pytest.mark.qt_log_ignore("This plugin does not support raise")
@pytest.mark.parametrize("top", [0, 500, 10_000])
def test_tooltip_covers_nothing_of_its_card(strip: DerivationView, top: int) -> None:
    screen = strip.screen().geometry()
    area = QRect(40, min(top, screen.bottom() - 90), 190, 64)
    QToolTip.showText(tooltip_place(area, LONG, strip), LONG, strip)
    tips = [w for w in QApplication.topLevelWidgets() if w.metaObject().className() == "QTipLabel" and w.isVisible()]
    assert len(tips) == 1
    assert not tips[0].geometry().intersects(area)
    QToolTip.hideText()


def placed(width: int, height: int, ideal: float = 110.0) -> CardLayout:
    return lay_out(width, height, METRICS, lambda _: [Need(100.0, ideal)] * 6, YIELDING)


def places(strip: DerivationView) -> list[QPoint]:
    return [child.geometry().center() for child in strip.children() if hasattr(child, "geometry")]


def texts(strip: DerivationView) -> list[tuple[str, str, str]]:
    """Heading, formula and result of each card."""
    return [(name, f"{first} {second}".strip(), result) for name, first, second, result in strip.shown_texts]
