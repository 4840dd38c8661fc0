"""The token editor: typing a sentence, editing rows, both lists, messages; with a real session behind it."""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QInputMethodEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from attnviz.appearance import DARK, LIGHT
from attnviz.document import edits
from attnviz.document.errors import DocumentError
from attnviz.document.frame import Frame, compute
from attnviz.document.state import Side, State
from attnviz.document.tokens import TokenSequence
from attnviz.session import Session
from attnviz.views.controls.view import ControlsView
from attnviz.views.selection import Selection
from attnviz.views.tokens.view import TokensView

ALT = Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
S1 = State(TokenSequence(("cat", "dog", "phone"), np.array([[1.0, 0.5], [0.8, 0.6], [-0.5, 1.0]])))
CROSS = State(S1.sequence, context=TokenSequence(("north", "south"), np.eye(2)))


class Desk(QWidget):
    """A token editor on a document, wired as the window wires it, and all that it asked for."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self.session = Session(state)
        self.view = TokensView(Selection(), self)
        self.view.setGeometry(0, 0, 268, 300)
        self.elsewhere = QLineEdit(self)
        self.elsewhere.setGeometry(0, 300, 100, 30)
        self.resize(280, 340)
        self.intents: list[tuple[object, ...]] = []
        view = self.view
        view.sentence_edited.connect(self.set_sentence)
        view.token_renamed.connect(self.rename)
        view.coordinate_entered.connect(self.set_coordinate)
        view.token_inserted.connect(self.insert)
        view.tokens_deleted.connect(self.delete)
        view.token_moved.connect(self.move_token)
        view.rows_pasted.connect(self.paste)
        view.import_requested.connect(self.ask_import)
        self.session.frame_changed.connect(self.show_frame)
        self.show()
        self.show_frame(self.session.frame)

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.session.state.side(self.view.side).tokens

    def show_frame(self, frame: Frame) -> None:
        context = frame.state.context
        self.view.selection.fit_to(frame.n_query, frame.n_key, 0 if context is None else len(context))
        self.view.offer_frame(frame)

    def open(self, state: State) -> None:
        self.session.open(self.session.prepare(state), None)

    def apply(self, *order: object, merge: object = None) -> None:
        try:
            self.session.apply(*order, label="Edit", merge=merge)  # type: ignore[arg-type]
        except DocumentError as error:
            self.view.show_message(str(error))

    def set_sentence(self, side: Side, text: str, gesture: int) -> None:
        self.intents.append(("sentence", side, text, gesture))
        self.apply(edits.set_sentence, side, text, merge=gesture)

    def rename(self, side: Side, index: int, text: str) -> None:
        self.intents.append(("rename", side, index, text))
        self.apply(edits.rename_token, side, index, text)

    def set_coordinate(self, side: Side, index: int, coordinate: int, value: float) -> None:
        self.intents.append(("coordinate", side, index, coordinate, value))
        self.apply(edits.set_coordinate, side, index, coordinate, value)

    def insert(self, side: Side, at: int) -> None:
        self.intents.append(("insert", side, at))
        self.apply(edits.insert_token, side, at, "new")

    def delete(self, side: Side, indices: tuple[int, ...]) -> None:
        self.intents.append(("delete", side, indices))
        self.apply(edits.delete_tokens, side, indices)

    def move_token(self, side: Side, index: int, to: int) -> None:
        self.intents.append(("move", side, index, to))
        self.apply(edits.move_token, side, index, to)

    def paste(self, side: Side, at: int, text: str) -> None:
        self.intents.append(("paste", side, at, text))

    def ask_import(self) -> None:
        self.intents.append(("import",))


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    return ready(Desk(S1), qtbot)


@pytest.fixture
def cross(qtbot: QtBot) -> Desk:
    return ready(Desk(CROSS), qtbot)


@pytest.fixture(autouse=True)
def empty_clipboard() -> Iterator[None]:
    yield
    QGuiApplication.clipboard().clear()


def ready(desk: Desk, qtbot: QtBot) -> Desk:
    qtbot.addWidget(desk)
    desk.activateWindow()
    desk.elsewhere.setFocus()
    qtbot.waitUntil(desk.elsewhere.hasFocus)
    return desk


def type_text(widget: QWidget, text: str) -> None:
    """Commit a text as an input method does; key events outside Latin-1 end the process."""
    event = QInputMethodEvent()
    event.setCommitString(text)
    QApplication.sendEvent(widget, event)


def commit(editor: QLineEdit) -> None:
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()


def cell_editor(desk: Desk) -> QLineEdit:
    """Give the open editor; one that was closed is a child until it is deleted."""
    editors = desk.view.table.viewport().findChildren(QLineEdit)
    return next(editor for editor in editors if editor.isVisible())


def has_colour(image: QImage, colour: str) -> bool:
    return any(image.pixelColor(x, y).name() == colour for x in range(image.width()) for y in range(image.height()))


def test_showing_frames_asks_for_nothing(desk: Desk) -> None:
    desk.view.offer_frame(compute(edits.set_sentence(S1, "sequence", "a b c d")))
    desk.view.offer_frame(compute(CROSS))
    desk.view.offer_frame(compute(S1))
    assert desk.intents == []


def test_sentence_line_and_subtitle_show_the_tokens(desk: Desk) -> None:
    assert desk.view.sentence.text() == "cat dog phone"
    assert desk.view.subtitle == "3 tokens, d = 2"


def test_typing_changes_the_tokens_with_every_key(desk: Desk) -> None:
    line = desk.view.sentence
    line.setFocus()
    line.end(False)
    QTest.keyClicks(line, " sat")
    assert [intent[2] for intent in desk.intents] == [
        "cat dog phone ", "cat dog phone s", "cat dog phone sa", "cat dog phone sat",
    ]  # fmt: skip
    assert desk.tokens == ("cat", "dog", "phone", "sat")
    assert desk.view.table.rows.rowCount() == 4


def test_text_is_not_rewritten_under_the_cursor(desk: Desk) -> None:
    line = desk.view.sentence
    line.setFocus()
    line.setCursorPosition(3)
    QTest.keyClicks(line, "  ")
    assert line.text() == "cat   dog phone"
    assert line.cursorPosition() == 5
    desk.apply(edits.move_point, "sequence", 0, 9.0, 9.0)
    assert (line.text(), line.cursorPosition()) == ("cat   dog phone", 5)
    QTest.keyClicks(line, "a")
    assert desk.tokens == ("cat", "a", "dog", "phone")
    assert (line.text(), line.cursorPosition()) == ("cat  a dog phone", 6)


def test_one_burst_of_typing_is_one_undo_entry(desk: Desk, qtbot: QtBot) -> None:
    line = desk.view.sentence
    line.setFocus()
    line.end(False)
    QTest.keyClicks(line, " is")
    desk.elsewhere.setFocus()
    line.setFocus()
    line.end(False)
    QTest.keyClicks(line, " up")
    assert len({intent[3] for intent in desk.intents}) == 2
    desk.session.undo()
    assert line.text() == "cat dog phone is"
    desk.session.undo()
    assert line.text() == "cat dog phone"


def test_pause_ends_a_burst_of_typing(desk: Desk, qtbot: QtBot) -> None:
    line = desk.view.sentence
    line.pause.setInterval(1)
    line.setFocus()
    QTest.keyClicks(line, "a")
    qtbot.waitUntil(lambda: not line.pause.isActive())
    QTest.keyClicks(line, "b")
    first, second = (intent[3] for intent in desk.intents)
    assert first != second


def test_burst_of_typing_lasts_one_and_a_half_seconds(desk: Desk) -> None:
    assert desk.view.sentence.pause.interval() == 1500


def test_empty_sentence_is_not_told_and_leaves_a_hint(desk: Desk) -> None:
    line = desk.view.sentence
    line.setFocus()
    line.selectAll()
    QTest.keyClick(line, Qt.Key.Key_Delete)
    assert desk.intents == []
    assert line.text() == ""
    assert line.placeholderText() == "Type at least one token"
    desk.apply(edits.move_point, "sequence", 0, 9.0, 9.0)
    assert line.text() == ""
    desk.show_frame(compute(State(TokenSequence((*S1.sequence.tokens[:2], "phone"), np.eye(3)))))
    assert line.text() == ""
    desk.elsewhere.setFocus()
    assert line.text() == "cat dog phone"


def test_escape_brings_the_tokens_back(desk: Desk) -> None:
    line = desk.view.sentence
    line.setFocus()
    line.selectAll()
    QTest.keyClick(line, Qt.Key.Key_Delete)
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert line.text() == "cat dog phone"


def test_sentence_line_leaves_undo_to_the_document(desk: Desk) -> None:
    line = desk.view.sentence
    line.setFocus()
    QTest.keyClicks(line, "a")
    event = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Z, CONTROL)
    QApplication.sendEvent(line, event)
    assert not event.isAccepted()


@pytest.mark.parametrize(
    "text", ["the the the", "<s> & </s>", "▁the Ġcat", "שלום עולם", "مرحبا بالعالم", "日本 語", "😀 👩\u200d👩\u200d👧"]
)
def test_every_kind_of_token_can_be_typed(desk: Desk, text: str) -> None:
    line = desk.view.sentence
    line.setFocus()
    line.selectAll()
    type_text(line, text)
    assert desk.tokens == tuple(text.split(" "))
    assert line.text() == text
    assert [desk.view.table.rows.token(r) for r in range(desk.view.table.rows.rowCount())] == text.split(" ")


def test_cell_edits_carry_side_place_and_value(desk: Desk) -> None:
    table = desk.view.table
    table.setFocus()
    table.setCurrentIndex(table.rows.index(1, 2))
    QTest.keyClick(table, Qt.Key.Key_F2)
    cell_editor(desk).selectAll()
    QTest.keyClicks(cell_editor(desk), "0,75")
    commit(cell_editor(desk))
    assert desk.intents == [("coordinate", "sequence", 1, 1, 0.75)]
    assert table.rows.cell_text(1, 2) == "0.75"
    table.setCurrentIndex(table.rows.index(1, 0))
    QTest.keyClick(table, Qt.Key.Key_F2)
    cell_editor(desk).selectAll()
    QTest.keyClicks(cell_editor(desk), "wolf")
    commit(cell_editor(desk))
    assert desk.intents[1:] == [("rename", "sequence", 1, "wolf")]
    assert desk.view.sentence.text() == "cat wolf phone"


def test_refused_cell_is_explained_in_the_panel_and_told(desk: Desk, qtbot: QtBot) -> None:
    table = desk.view.table
    table.setFocus()
    table.setCurrentIndex(table.rows.index(0, 1))
    QTest.keyClick(table, Qt.Key.Key_X)
    with qtbot.waitSignal(desk.view.refused) as told:
        QTest.keyClick(cell_editor(desk), Qt.Key.Key_Return)
    assert told.args == ["x must be a finite number such as 0.8, got 'x'"]
    assert desk.view.message == told.args[0]


def test_add_button_appends_a_row_and_opens_its_name(desk: Desk) -> None:
    QTest.mouseClick(desk.view.add_button, Qt.MouseButton.LeftButton)
    assert desk.intents == [("insert", "sequence", 3)]
    assert desk.view.selection.chosen.token == 3
    assert cell_editor(desk).text() == "new"


def test_deleting_goes_on_with_the_row_that_follows(desk: Desk) -> None:
    table = desk.view.table
    table.setFocus()
    table.go_to(0)
    QTest.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(table, Qt.Key.Key_Delete)
    assert desk.intents == [("delete", "sequence", (0, 1))]
    assert desk.tokens == ("phone",)
    assert (desk.view.selection.chosen.token, table.currentIndex().row()) == (0, 0)


def test_order_that_cannot_be_is_explained_and_changes_nothing(desk: Desk) -> None:
    table = desk.view.table
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_A, CONTROL)
    QTest.keyClick(table, Qt.Key.Key_Delete)
    assert desk.tokens == ("cat", "dog", "phone")
    assert desk.view.message == "at least one token must stay, got an order to delete them all"


def test_moved_row_stays_chosen(desk: Desk) -> None:
    table = desk.view.table
    table.setFocus()
    table.go_to(0)
    QTest.keyClick(table, Qt.Key.Key_Down, ALT)
    QTest.keyClick(table, Qt.Key.Key_Down, ALT)
    assert desk.tokens == ("dog", "phone", "cat")
    assert (desk.view.selection.chosen.token, table.currentIndex().row()) == (2, 2)


def test_paste_and_import_are_asked_for(desk: Desk) -> None:
    QGuiApplication.clipboard().setText("a\t1\t2\n")
    desk.view.table.setFocus()
    desk.view.table.go_to(2)
    QTest.keyClick(desk.view.table, Qt.Key.Key_V, CONTROL)
    QTest.mouseClick(desk.view.import_button, Qt.MouseButton.LeftButton)
    assert desk.intents == [("paste", "sequence", 3, "a\t1\t2\n"), ("import",)]


def test_clicked_row_becomes_the_token_and_the_query(desk: Desk) -> None:
    table = desk.view.table
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(table.rows.index(2, 0)).center())
    chosen = desk.view.selection.chosen
    assert (chosen.side, chosen.token, chosen.query) == ("sequence", 2, 2)


def test_choice_made_elsewhere_is_lit_and_asks_for_nothing(desk: Desk) -> None:
    desk.view.selection.choose_token("sequence", 2, is_query=True)
    assert desk.view.table.currentIndex().row() == 2
    assert desk.view.table.light_of(2) is not None
    assert desk.view.table.light_of(1) is None
    desk.view.selection.point_at(0, 1)
    assert desk.view.table.light_of(0) == desk.view.table.light_of(1) is not None
    assert desk.intents == []


def test_hovered_row_is_pointed_at_in_both_roles(desk: Desk) -> None:
    table = desk.view.table
    QTest.mouseMove(table.viewport(), table.visualRect(table.rows.index(1, 0)).center())
    assert (desk.view.selection.chosen.pointed_query, desk.view.selection.chosen.pointed_key) == (1, 1)
    QTest.mouseMove(table.viewport(), QPoint(100, table.viewport().height() - 2))
    assert (desk.view.selection.chosen.pointed_query, desk.view.selection.chosen.pointed_key) == (None, None)


def test_switch_is_there_in_cross_attention_only(desk: Desk) -> None:
    assert desk.view.side_switch.isHidden()
    desk.open(CROSS)
    assert desk.view.side_switch.isVisible()
    desk.open(S1)
    assert desk.view.side_switch.isHidden()


def test_switch_chooses_the_list_that_is_edited(cross: Desk) -> None:
    buttons = cross.view.side_switch.findChildren(QToolButton)
    assert [button.text() for button in buttons] == ["Queries", "Keys and values"]
    QTest.mouseClick(buttons[1], Qt.MouseButton.LeftButton)
    assert (cross.view.side, cross.view.selection.chosen.side) == ("context", "context")
    assert cross.view.sentence.text() == "north south"
    cross.view.sentence.setFocus()
    cross.view.sentence.end(False)
    QTest.keyClicks(cross.view.sentence, "!")
    assert cross.intents[0][:3] == ("sentence", "context", "north south!")
    QTest.mouseClick(buttons[0], Qt.MouseButton.LeftButton)
    assert cross.view.sentence.text() == "cat dog phone"


def test_key_chosen_elsewhere_turns_the_editor_to_the_keys(cross: Desk) -> None:
    cross.view.selection.choose_token("context", 1, is_query=False)
    assert cross.view.side == "context"
    assert cross.view.table.currentIndex().row() == 1
    assert cross.view.selection.chosen.query == 0


def test_hovered_key_is_pointed_at_as_a_key(cross: Desk) -> None:
    cross.view.selection.choose_token("context", 0, is_query=False)
    table = cross.view.table
    QTest.mouseMove(table.viewport(), table.visualRect(table.rows.index(1, 0)).center())
    assert (cross.view.selection.chosen.pointed_query, cross.view.selection.chosen.pointed_key) == (None, 1)


def test_message_stays_until_dismissed_or_the_document_changes(desk: Desk) -> None:
    desk.view.show_message("<b>row 2</b> must have 2 coordinates")
    desk.show_frame(desk.session.frame)
    assert desk.view.message == "<b>row 2</b> must have 2 coordinates"
    desk.apply(edits.move_point, "sequence", 0, 9.0, 9.0)
    assert desk.view.message == ""
    desk.view.show_message("again")
    dismiss = next(b for b in desk.view.findChildren(QToolButton) if b.accessibleName() == "Dismiss the message")
    QTest.mouseClick(dismiss, Qt.MouseButton.LeftButton)
    assert desk.view.message == ""
    assert not dismiss.isVisible()


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_dots_and_chosen_row_have_the_colours_of_the_theme(desk: Desk, theme: object) -> None:
    assert theme in (LIGHT, DARK)
    desk.view.apply_theme(theme)  # type: ignore[arg-type]
    desk.view.selection.choose_token("sequence", 1, is_query=True)
    image = desk.view.table.grab().toImage()
    for colour in (*theme.tokens[:3], theme.accent_soft):  # type: ignore[attr-defined]
        assert has_colour(image, colour)


def test_tokens_that_answer_have_squares_in_the_colours_that_follow_those_that_ask(cross: Desk) -> None:
    """As on the plane and along the columns of the matrices."""
    n_query, table = len(cross.session.state.sequence), cross.view.table
    for side, first, is_square in (("sequence", 0, False), ("context", n_query, True)):
        cross.view.selection.choose_token(side, 0, is_query=False)  # type: ignore[arg-type]
        image = table.viewport().grab(QRect(0, 0, 8 + table.fontMetrics().height(), table.rowHeight(0))).toImage()
        colour = QColor(LIGHT.token(first)).rgb()
        cells = [(x, y) for x in range(image.width()) for y in range(image.height()) if image.pixel(x, y) == colour]
        wide, high = (max(along) - min(along) + 1 for along in zip(*cells, strict=True))
        assert (len(cells) > 0.9 * wide * high) is is_square  # a dot fills pi / 4 of the box around it


def test_switch_asks_for_cross_attention_and_back(desk: Desk, qtbot: QtBot) -> None:
    switch = desk.view.cross_switch
    with qtbot.waitSignal(desk.view.cross_asked) as asked:
        QTest.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert asked.args == [True]
    with qtbot.waitSignal(desk.view.cross_asked) as asked:
        QTest.keyClick(switch, Qt.Key.Key_Space)
    assert asked.args == [False]


def test_switch_shows_which_attention_there_is(desk: Desk, cross: Desk) -> None:
    assert not desk.view.cross_switch.isChecked()
    assert cross.view.cross_switch.isChecked()
    assert cross.view.cross_switch.accessibleName() == "Cross-attention"


def test_every_control_has_a_name_and_a_tooltip(cross: Desk) -> None:
    view = cross.view
    buttons = (view.add_button, view.import_button, view.cross_switch)
    for control in (view.sentence, *buttons, *view.side_switch.findChildren(QToolButton)):
        assert control.accessibleName()
        assert control.toolTip()
    assert view.table.accessibleName()
    assert view.sentence_label.buddy() is view.sentence


def test_panel_stays_narrow_at_twice_the_font_size(desk: Desk) -> None:
    font = desk.view.font()
    font.setPointSizeF(2 * font.pointSizeF())
    desk.view.setFont(font)
    controls = ControlsView(Selection())  # which stand in the same column
    controls.setFont(font)
    assert desk.view.minimumSizeHint().width() <= controls.minimumSizeHint().width()


def test_frame_with_three_hundred_coordinates_is_shown(desk: Desk) -> None:
    embeddings = np.random.default_rng(3).normal(size=(40, 300))
    desk.open(State(TokenSequence(tuple(f"t{i}" for i in range(40)), embeddings)))
    assert desk.view.table.rows.columnCount() == 301
    assert desk.view.subtitle == "40 tokens, d = 300"
    assert not desk.view.grab().isNull()


def test_buttons_one_over_the_other_ask_for_no_more_height(qtbot: QtBot) -> None:
    # While the text grows the buttons stand so for a moment, and a window that became higher would stay so.
    host = QWidget()
    qtbot.addWidget(host)
    view = TokensView(Selection(), host)
    view.resize(400, 300)
    host.show()
    beside = view.minimumSizeHint().height()
    view.resize(view.minimumSizeHint().width(), 300)
    QApplication.processEvents()
    scroll_bar = view.table.horizontalScrollBar().sizeHint().height()  # so narrow a table may have one
    assert view.minimumSizeHint().height() <= beside + scroll_bar
