"""The inspector: what it shows, how it is gone through by key and mouse, and that nothing overlaps or is cut."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from attnviz.appearance import DARK
from attnviz.document.frame import compute
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.inspector.copy_bar import CopyBar
from attnviz.views.inspector.inspector_view import InspectorView
from attnviz.views.selection import Selection
from tests.document.states import ODD_TOKENS
from tests.views.panel_scenes import cat_dog_phone, cross_attention, forty_tokens

_WEIGHT = ["weight of dog for query cat", "a(cat, dog) = E(cat, dog) ÷ Z(cat)", "= 0.899 ÷ 2.313", "= 0.389"]


@pytest.fixture
def view(qtbot: QtBot) -> InspectorView:
    view = InspectorView(Selection())
    qtbot.addWidget(view)
    qtbot.addWidget(view.digits)
    view.resize(440, 320)
    view.show()
    view.offer_frame(compute(cat_dog_phone()))
    QApplication.processEvents()
    return view


def lines(view: InspectorView) -> list[str]:
    return view.body.sheet.text.splitlines()


def ref(view: InspectorView) -> NumberRef:
    assert view.explanation is not None
    return view.explanation.ref


def crumbs(view: InspectorView) -> str:
    return view.body.trail_bar.crumbs.text


def click(view: InspectorView, link: int) -> None:
    place = view.body.sheet.link_rectangle(link).center()
    QTest.mouseClick(view.body.sheet, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def focus(view: InspectorView) -> None:
    view.activateWindow()
    view.body.sheet.setFocus(Qt.FocusReason.TabFocusReason)
    assert view.body.sheet.hasFocus()


def test_it_explains_the_weight_of_the_chosen_cell(view: InspectorView) -> None:
    assert lines(view)[:4] == _WEIGHT
    assert lines(view)[4] == "The numbers shown are rounded; put together as shown they give 0.389 too."


def test_it_follows_the_mouse_until_a_link_is_followed(view: InspectorView) -> None:
    view.selection.point_at(2, 1)
    assert ref(view) == NumberRef("weight", (2, 1))
    click(view, 1)
    assert ref(view) == NumberRef("normaliser", (2,))
    view.selection.point_at(0, 0)
    assert ref(view) == NumberRef("normaliser", (2,))
    view.selection.pin_cell(1, 1)
    assert ref(view) == NumberRef("weight", (1, 1))


def test_back_at_the_cell_it_follows_again(view: InspectorView) -> None:
    click(view, 0)
    view.body.trail_bar.back_button.click()
    assert ref(view) == NumberRef("weight", (0, 1))
    assert view.subtitle == "the chosen cell"
    view.selection.point_at(2, 2)
    assert ref(view) == NumberRef("weight", (2, 2))


def hover(view: InspectorView, link: int | None) -> None:
    sheet = view.body.sheet
    QTest.mouseMove(sheet, QPoint(1, 1) if link is None else sheet.link_rectangle(link).center())


def test_operand_under_the_mouse_is_pointed_at_and_what_is_explained_stays(view: InspectorView) -> None:
    view.selection.point_at(2, 0)  # as the keyboard does in a heatmap
    hover(view, 1)
    assert view.selection.chosen.pointed == (2, None, NumberRef("normaliser", (2,)))
    assert ref(view) == NumberRef("weight", (2, 0))
    hover(view, None)
    assert view.selection.chosen.pointed == (2, 0, None)
    assert ref(view) == NumberRef("weight", (2, 0))


def test_what_was_let_go_of_does_not_come_back(view: InspectorView) -> None:
    view.selection.point_at(2, 0)
    hover(view, 1)
    view.selection.release()
    hover(view, None)
    assert view.selection.chosen.pointed == (None, None, None)
    assert ref(view) == NumberRef("weight", (0, 1))


def test_pinned_number_is_explained_while_cells_are_pointed_at(view: InspectorView) -> None:
    view.selection.pin_number(NumberRef("scaled", (0, 1)), 0, 1)
    assert view.subtitle == "the clicked number"
    view.selection.point_at(2, 1, NumberRef("weight", (2, 1)))
    assert ref(view) == NumberRef("scaled", (0, 1))
    view.selection.release()
    view.selection.point_at(2, 1, NumberRef("weight", (2, 1)))
    assert ref(view) == NumberRef("weight", (2, 1))


def test_tab_goes_through_the_operands_and_enter_follows(view: InspectorView) -> None:
    focus(view)
    assert view.body.sheet.current_link == NumberRef("exponential", (0, 1))
    QTest.keyClick(view.body.sheet, Qt.Key.Key_Tab)
    assert view.body.sheet.current_link == NumberRef("normaliser", (0,))
    QTest.keyClick(view.body.sheet, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert view.body.sheet.current_link == NumberRef("exponential", (0, 1))
    QTest.keyClick(view.body.sheet, Qt.Key.Key_Return)
    assert ref(view) == NumberRef("exponential", (0, 1))
    assert view.body.sheet.current_link == NumberRef("masked", (0, 1))


def test_tab_leaves_after_the_last_operand(view: InspectorView) -> None:
    focus(view)
    for _ in range(2):
        QTest.keyClick(view.body.sheet, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is view.body.pin_bar.box
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert view.body.sheet.current_link == NumberRef("normaliser", (0,))


def test_backspace_goes_back_and_alt_right_forward(view: InspectorView) -> None:
    focus(view)
    QTest.keyClick(view.body.sheet, Qt.Key.Key_Space)
    QTest.keyClick(view.body.sheet, Qt.Key.Key_Right)
    QTest.keyClick(view.body.sheet, Qt.Key.Key_Enter)
    assert ref(view) == NumberRef("row_max", (0,))
    assert crumbs(view) == "weight › exponential › row maximum"
    QTest.keyClick(view.body.sheet, Qt.Key.Key_Backspace)
    QTest.keyClick(view.body.sheet, Qt.Key.Key_Backspace)
    assert ref(view) == NumberRef("weight", (0, 1))
    QTest.keyClick(view.body.sheet, Qt.Key.Key_Backspace)
    assert ref(view) == NumberRef("weight", (0, 1))
    QTest.keyClick(view.body.sheet, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert ref(view) == NumberRef("exponential", (0, 1))


def test_breadcrumb_leads_back(view: InspectorView) -> None:
    for _ in range(3):
        click(view, 0)
    assert crumbs(view) == "weight › exponential › masked score › scaled score"
    bar = view.body.trail_bar.crumbs
    place = bar.link_rectangle(1).center()
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert ref(view) == NumberRef("exponential", (0, 1))
    assert view.body.trail_bar.forward_button.isEnabled()


def test_long_way_shows_its_end(view: InspectorView) -> None:
    for _ in range(6):
        click(view, 0)
    assert crumbs(view) == "… › masked score › scaled score › score › query › embedding"
    assert lines(view)[-1].startswith("You typed this number")
    assert view.body.sheet.links == ()


def test_link_speaks_to_screen_readers(view: InspectorView) -> None:
    focus(view)
    assert view.body.sheet.accessibleName() == "exponential of dog for query cat: 0.899, link 1 of 2"


def test_all_digits_on_request(view: InspectorView) -> None:
    buttons = view.digits.findChildren(QToolButton)
    buttons[1].click()
    assert lines(view)[2:] == ["= 0.8993652725587742 ÷ 2.312540508263636", "= 0.388907899924339"]
    buttons[0].click()
    assert lines(view)[:4] == _WEIGHT


def test_long_sum_is_shown_whole_on_request(view: InspectorView) -> None:
    view.resize(300, 240)
    view.offer_frame(compute(forty_tokens()))
    view.show_number(NumberRef("normaliser", (0,)))
    assert "… 32 more …" in view.body.sheet.text
    click(view, 4)
    assert "more" not in lines(view)[2]
    assert lines(view)[2].count(" + ") == 39
    QApplication.processEvents()
    assert view.body.sheet.height() > view.body.scroll_area.viewport().height()
    focus(view)
    for _ in range(39):
        QTest.keyClick(view.body.sheet, Qt.Key.Key_Tab)
    seen = view.body.sheet.visibleRegion().boundingRect()
    assert seen.contains(view.body.sheet.link_rectangle(39))


def test_buttons_copy_value_latex_and_program(view: InspectorView, qtbot: QtBot) -> None:
    clipboard = QGuiApplication.clipboard()
    texts = {}
    for name, button in view.body.copy_bar.buttons.items():
        with qtbot.waitSignal(view.copied):
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        texts[name] = clipboard.text()
    assert texts["value"] == "0.388907899924339"
    assert r"&\approx \frac{0.899}{2.313}" in texts["latex"]
    assert texts["python"].startswith("import numpy as np\n")


def test_control_c_copies_the_value(view: InspectorView) -> None:
    focus(view)
    QTest.keyClick(view.body.sheet, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "0.388907899924339"


def test_new_frame_shows_the_same_number_anew(view: InspectorView) -> None:
    view.show_number(NumberRef("multiplier"))
    view.offer_frame(compute(replace(cat_dog_phone(), temperature=2.0)))
    assert lines(view)[2:4] == ["= 1 ÷ (2.000 · √2)", "= 0.354"]


def test_number_that_is_gone_gives_way_to_the_chosen_cell(view: InspectorView) -> None:
    view.show_number(NumberRef("score", (2, 2)))
    view.offer_frame(compute(State(TokenSequence(("cat", "dog"), np.eye(2)))))
    assert ref(view) == NumberRef("weight", (0, 1))


def test_way_leads_back_only_to_what_is_still_there(view: InspectorView) -> None:
    view.show_number(NumberRef("column_sum", (0,)))
    click(view, 2)
    assert ref(view) == NumberRef("weight", (2, 0))
    view.body.sheet.link_followed.emit(NumberRef("multiplier"))
    view.offer_frame(compute(State(TokenSequence(("cat", "dog"), np.eye(2)))))
    assert ref(view) == NumberRef("multiplier")
    assert crumbs(view) == "attention received › multiplier"


def test_number_that_is_not_there_is_refused(view: InspectorView) -> None:
    with pytest.raises(ValueError, match="key must lie between 0 and 2, got 3"):
        view.show_number(NumberRef("weight", (0, 3)))
    assert ref(view) == NumberRef("weight", (0, 1))


def test_selection_that_went_on_while_it_was_hidden_is_caught_up_with(view: InspectorView) -> None:
    view.hide()
    view.selection.pin_cell(2, 2)
    view.show()
    assert ref(view) == NumberRef("weight", (2, 2))


def test_markup_in_a_token_is_plain_text(view: InspectorView) -> None:
    view.offer_frame(compute(State(TokenSequence(("<s>", "a&b"), np.eye(2)))))
    assert lines(view)[0] == "weight of a&b for query <s>"


@pytest.mark.parametrize("width", [220, 300, 440, 900])
@pytest.mark.parametrize("size", [0.8, 1.0, 1.5, 2.0])
def test_texts_neither_overlap_nor_leave_the_sheet(view: InspectorView, width: int, size: float) -> None:
    font = view.font()
    font.setPointSizeF(font.pointSizeF() * size)
    view.setFont(font)
    view.resize(width, 320)
    for state in (cat_dog_phone(), cross_attention(), forty_tokens(), State(TokenSequence(ODD_TOKENS, np.eye(13)))):
        view.offer_frame(compute(state))
        for name in ("short", "full"):
            view.digits.chosen.emit(name)
            for shown in (NumberRef("output", (0, 0)), NumberRef("entropy", (0,)), NumberRef("weight", (0, 0))):
                view.show_number(shown)
                QApplication.processEvents()
                for sheet in (view.body.sheet, view.body.trail_bar.crumbs):
                    places = [place for _, place in sheet.text_rectangles()]
                    assert all(sheet.rect().contains(place) for place in places)
                    assert not any(a.intersects(b) for i, a in enumerate(places) for b in places[:i])
    assert view.body.sheet.width() <= view.body.scroll_area.viewport().width()


def test_links_are_lit_under_the_mouse(view: InspectorView) -> None:
    place = view.body.sheet.link_rectangle(0).center()
    before = view.body.sheet.grab().toImage()
    QTest.mouseMove(view.body.sheet, place)
    assert view.body.sheet.cursor().shape() == Qt.CursorShape.PointingHandCursor
    assert view.body.sheet.grab().toImage() != before
    QTest.mouseMove(view.body.sheet, QPoint(1, view.body.sheet.height() - 1))
    assert view.body.sheet.cursor().shape() == Qt.CursorShape.ArrowCursor


def test_dark_theme_draws_on_the_dark_ground(view: InspectorView) -> None:
    before = view.body.sheet.grab().toImage()
    view.apply_theme(DARK)
    assert view.body.sheet.grab().toImage() != before


def test_going_back_by_mouse_from_the_first_operand_shows_the_cell_whole(view: InspectorView) -> None:
    # The button goes off under the mouse and the focus moves on, to the crumbs that are shortened just then.
    view.body.sheet.link_followed.emit(NumberRef("normaliser", (0,)))
    bar = view.body.trail_bar
    QTest.mouseClick(bar.back_button, Qt.MouseButton.LeftButton)
    assert view.explanation is not None
    assert view.explanation.ref.kind == "weight"
    assert not bar.crumbs.links
    assert not bar.back_button.isEnabled()
    assert bar.forward_button.isEnabled()
    assert view.body.pin_bar.isVisibleTo(view)
    assert view.subtitle == "the chosen cell"


def test_copy_buttons_have_short_texts_where_the_panel_is_narrow(qtbot: QtBot) -> None:
    host = QWidget()  # a window of its own would not become narrower than its layout
    qtbot.addWidget(host)
    bar = CopyBar(host)
    bar.resize(600, 40)
    host.show()
    assert [button.text() for button in bar.buttons.values()] == ["Copy value", "Copy as LaTeX", "Copy as Python"]
    bar.resize(sum(button.sizeHint().width() for button in bar.buttons.values()), 40)  # no room for the gaps
    assert [button.text() for button in bar.buttons.values()] == ["Copy", "LaTeX", "Python"]
    assert bar.buttons["latex"].accessibleName() == "Copy as LaTeX"


def test_breadcrumb_under_the_softmax_of_columns_speaks_of_columns(view: InspectorView) -> None:
    view.offer_frame(compute(replace(cat_dog_phone(), softmax="columns")))
    view.show_number(NumberRef("normaliser", (2,)))
    QApplication.processEvents()
    assert crumbs(view).endswith("column's sum")
