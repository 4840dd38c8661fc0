"""The token table: what its cells say, how little it repaints, and what mouse, keys and clipboard ask for."""

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QMouseEvent
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from attnviz.document import edits
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.tokens.model import CELL_CHARACTERS, TokenModel, coordinate_text
from attnviz.views.tokens.table import TokenTable

ALT = Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ODD_TOKENS = ("<s>", "&", "▁the", "Ġcat", "שלום", "مرحبا", "日本", "😀", "the", "the", "a b")


def sequence(tokens: tuple[str, ...] = ("cat", "dog", "phone"), width: int = 2) -> TokenSequence:
    return TokenSequence(tokens, np.arange(len(tokens) * width, dtype=float).reshape(-1, width) / 8)


@pytest.fixture
def table(qtbot: QtBot) -> Iterator[TokenTable]:
    table = TokenTable()
    qtbot.addWidget(table)
    table.resize(300, 200)
    table.show_sequence(sequence())
    table.show()
    table.activateWindow()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    table.show_chosen(0, frozenset())
    yield table
    QGuiApplication.clipboard().clear()


def heard(signal: object) -> list[list[object]]:
    """Collect what a signal carries from now on."""
    calls: list[list[object]] = []
    signal.connect(lambda *values: calls.append(list(values)))  # type: ignore[attr-defined]
    return calls


def middle(table: TokenTable, row: int, column: int = 0) -> QPoint:
    return table.visualRect(table.rows.index(row, column)).center()


def editor_of(table: TokenTable) -> QLineEdit:
    """Give the open editor; one that was closed is a child until it is deleted."""
    return next(editor for editor in table.viewport().findChildren(QLineEdit) if editor.isVisible())


def commit(editor: QLineEdit) -> None:
    """Press Enter; Qt lets the editor see the key before the table takes the text."""
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()


def open_editor(table: TokenTable, row: int, column: int) -> QLineEdit:
    table.setCurrentIndex(table.rows.index(row, column))
    QTest.keyClick(table, Qt.Key.Key_F2)
    return editor_of(table)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.8, "0.80"), (1.0, "1.00"), (-0.5, "-0.50"), (0.125, "0.125"), (-0.0, "0.00"), (1 / 3, "0.3333"),
        (-1 / 3, "-0.3333"), (1e-5, "1e-05"), (-1.2345e-5, "-1e-05"), (1e300, "1e+300"), (-1e-300, "-1e-300"),
        (12345.0, "12345"), (1234.5, "1234.50"), (123456.7, "123457"), (-999_999.4, "-999999"), (-999_999.5, "-1e+06"),
        (-999.875, "-999.9"), (-123.456789, "-123.5"),
    ],
)  # fmt: skip
def test_coordinate_is_written_in_a_few_digits(number: float, text: str) -> None:
    assert coordinate_text(number) == text
    assert len(text) <= CELL_CHARACTERS


def test_headers_are_x_and_y_in_two_dimensions_and_counted_else() -> None:
    model = TokenModel()
    model.show_sequence(sequence())
    assert [model.column_title(c) for c in range(3)] == ["token", "x", "y"]
    model.show_sequence(sequence(width=3))
    assert [model.headerData(c, Qt.Orientation.Horizontal) for c in range(4)] == ["token", "x1", "x2", "x3"]


def test_cell_is_short_and_its_editor_and_tooltip_are_exact() -> None:
    model = TokenModel()
    model.show_sequence(TokenSequence(("<s>",), np.array([[1 / 3, 0.0]])))
    cell = model.index(0, 1)
    assert model.data(cell) == "0.3333"
    assert model.data(cell, Qt.ItemDataRole.EditRole) == "0.3333333333333333"
    assert "&lt;s&gt;: x = 0.3333333333333333" in str(model.data(cell, Qt.ItemDataRole.ToolTipRole))
    assert model.data(cell, Qt.ItemDataRole.AccessibleTextRole) == "<s>: x = 0.3333333333333333"


def test_model_keeps_the_rules_of_qt(qtbot: QtBot, qtmodeltester: object) -> None:
    model = TokenModel()
    model.show_sequence(sequence(ODD_TOKENS))
    qtmodeltester.check(model)  # type: ignore[attr-defined]


def test_only_the_changed_cells_are_announced() -> None:
    model = TokenModel()
    old = sequence()
    model.show_sequence(old)
    changed = heard(model.dataChanged)
    embeddings = old.embeddings.copy()
    embeddings[1, 1] = 9.0
    model.show_sequence(TokenSequence(old.tokens, embeddings))
    assert [(c[0].row(), c[0].column(), c[1].row(), c[1].column()) for c in changed] == [(1, 2, 1, 2)]  # type: ignore[attr-defined]
    model.show_sequence(TokenSequence(old.tokens, embeddings))
    assert len(changed) == 1


def test_many_changed_rows_are_announced_once() -> None:
    model = TokenModel()
    old = sequence(tuple(f"t{i}" for i in range(100)))
    model.show_sequence(old)
    changed = heard(model.dataChanged)
    model.show_sequence(TokenSequence(old.tokens, old.embeddings + 1.0))
    assert len(changed) == 1


@pytest.mark.parametrize(
    ("tokens", "signal", "rows"),
    [
        (("cat", "new", "dog", "phone"), "rowsInserted", (1, 1)),
        (("cat", "dog", "phone", "a", "b"), "rowsInserted", (3, 4)),
        (("phone",), "rowsRemoved", (0, 1)),
        (("cat", "phone"), "rowsRemoved", (1, 1)),
    ],
)
def test_rows_that_come_or_go_are_announced_as_such(
    tokens: tuple[str, ...], signal: str, rows: tuple[int, int]
) -> None:
    model = TokenModel()
    model.show_sequence(sequence())
    calls, resets = heard(getattr(model, signal)), heard(model.modelReset)
    model.show_sequence(sequence(tokens))
    assert [tuple(call[1:]) for call in calls] == [rows]
    assert resets == []
    assert [model.token(r) for r in range(model.rowCount())] == list(tokens)


def test_another_width_or_another_list_resets_the_model() -> None:
    model = TokenModel()
    model.show_sequence(sequence())
    resets = heard(model.modelReset)
    model.show_sequence(sequence(width=5))
    model.show_sequence(sequence(("x", "cat", "y", "z"), width=5))
    assert len(resets) == 2


def test_drag_frame_repaints_two_cells(table: TokenTable, monkeypatch: pytest.MonkeyPatch) -> None:
    QApplication.processEvents()
    painted: list[tuple[int, int]] = []
    cell_text = table.rows.cell_text

    def record(row: int, column: int) -> str:
        painted.append((row, column))
        return cell_text(row, column)

    monkeypatch.setattr(table.rows, "cell_text", record)
    embeddings = sequence().embeddings.copy()
    embeddings[1] = [7.0, 8.0]
    table.show_sequence(TokenSequence(("cat", "dog", "phone"), embeddings))
    QApplication.processEvents()
    assert sorted(set(painted)) == [(1, 1), (1, 2)]


def test_frame_costs_little_at_two_thousand_tokens() -> None:
    model = TokenModel()
    old = sequence(tuple(f"t{i}" for i in range(2048)))
    model.show_sequence(old)
    reads: list[int] = []
    model.data = lambda *_: reads.append(1)  # type: ignore[assignment, method-assign]
    embeddings = old.embeddings.copy()
    embeddings[5] = 0.0
    changed = heard(model.dataChanged)
    model.show_sequence(TokenSequence(old.tokens, embeddings))
    assert (len(changed), reads) == (1, [])


def test_click_chooses_a_row(table: TokenTable) -> None:
    chosen = heard(table.row_chosen)
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=middle(table, 2))
    assert chosen[-1] == [2]


def test_arrow_key_chooses_a_row(table: TokenTable) -> None:
    chosen = heard(table.row_chosen)
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert chosen == [[1]]


def test_showing_a_choice_tells_nothing(table: TokenTable) -> None:
    chosen = heard(table.row_chosen)
    table.show_chosen(2, frozenset({1}))
    assert table.currentIndex().row() == 2
    table.show_sequence(sequence(("cat", "dog")))
    table.show_chosen(0, frozenset())
    assert chosen == []


def test_mouse_points_at_a_cell_and_stops_when_it_leaves(table: TokenTable, qtbot: QtBot) -> None:
    pointed = heard(table.cell_pointed)
    QTest.mouseMove(table.viewport(), middle(table, 1))
    QTest.mouseMove(table.viewport(), middle(table, 1, 1))
    QTest.mouseMove(table.viewport(), QPoint(150, 190))
    assert pointed == [[1, 0], [1, 1], [-1, -1]]


def test_typing_a_name_tells_it(table: TokenTable) -> None:
    named = heard(table.rows.name_entered)
    editor = open_editor(table, 1, 0)
    assert editor.text() == "dog"
    editor.selectAll()
    QTest.keyClicks(editor, "<s>")
    commit(editor)
    assert named == [[1, "<s>"]]
    assert table.rows.token(1) == "dog"


def test_typing_into_a_cell_without_f2_replaces_its_text(table: TokenTable) -> None:
    entered = heard(table.rows.coordinate_entered)
    table.setCurrentIndex(table.rows.index(2, 2))
    QTest.keyClick(table, Qt.Key.Key_5)
    commit(editor_of(table))
    assert entered == [[2, 1, 5.0]]


def test_decimal_comma_is_taken(table: TokenTable) -> None:
    entered = heard(table.rows.coordinate_entered)
    editor = open_editor(table, 0, 1)
    editor.selectAll()
    QTest.keyClicks(editor, "0,8")
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert entered == [[0, 0, 0.8]]


def test_unchanged_cell_tells_nothing(table: TokenTable) -> None:
    named, entered = heard(table.rows.name_entered), heard(table.rows.coordinate_entered)
    for column in (0, 1):
        commit(open_editor(table, 0, column))
    assert (named, entered) == ([], [])


@pytest.mark.parametrize(
    ("column", "text", "reason"), [(1, "abc", "x must be a finite"), (0, " ", "a token must have")]
)
def test_text_that_cannot_be_keeps_the_cell_open(table: TokenTable, column: int, text: str, reason: str) -> None:
    refusals, entered = heard(table.cells.refused), heard(table.rows.coordinate_entered)
    editor = open_editor(table, 0, column)
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert str(refusals[0][0]).startswith(reason)
    assert editor.isVisible()
    assert editor.property("invalid") is True
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    QApplication.processEvents()
    assert table.state() == TokenTable.State.NoState
    assert entered == []


def test_leaving_a_cell_with_a_text_that_cannot_be_gives_it_up(table: TokenTable, qtbot: QtBot) -> None:
    refusals, entered = heard(table.cells.refused), heard(table.rows.coordinate_entered)
    editor = open_editor(table, 0, 1)
    editor.selectAll()
    QTest.keyClicks(editor, "abc")
    table.setFocus()
    assert len(refusals) == 1
    assert entered == []
    qtbot.waitUntil(lambda: table.state() == TokenTable.State.NoState)


def test_frame_does_not_overwrite_an_open_cell(table: TokenTable) -> None:
    editor = open_editor(table, 0, 1)
    editor.selectAll()
    QTest.keyClicks(editor, "12")
    table.show_sequence(TokenSequence(("cat", "dog", "phone"), sequence().embeddings + 1.0))
    QApplication.processEvents()
    assert editor.text() == "12"


@pytest.mark.parametrize(
    ("key", "modifier", "place"),
    [
        (Qt.Key.Key_Insert, Qt.KeyboardModifier.NoModifier, 1),
        (Qt.Key.Key_Return, CONTROL, 2),
        (Qt.Key.Key_Enter, CONTROL | Qt.KeyboardModifier.KeypadModifier, 2),
    ],
)
def test_keys_ask_for_a_row(table: TokenTable, key: Qt.Key, modifier: Qt.KeyboardModifier, place: int) -> None:
    asked = heard(table.insertion_asked)
    table.go_to(1)
    QTest.keyClick(table, key, modifier)
    assert asked == [[place]]


def test_delete_asks_for_every_selected_row(table: TokenTable) -> None:
    deleted = heard(table.rows_deleted)
    table.go_to(1)
    QTest.keyClick(table, Qt.Key.Key_Down, SHIFT)
    QTest.keyClick(table, Qt.Key.Key_Delete)
    assert deleted == [[(1, 2)]]


def test_alt_arrows_move_a_row_within_the_list(table: TokenTable) -> None:
    moved = heard(table.row_moved)
    QTest.keyClick(table, Qt.Key.Key_Up, ALT)
    QTest.keyClick(table, Qt.Key.Key_Down, ALT)
    table.go_to(2)
    QTest.keyClick(table, Qt.Key.Key_Down, ALT)
    QTest.keyClick(table, Qt.Key.Key_Up, ALT)
    assert moved == [[0, 1], [2, 1]]


def drag(table: TokenTable, row: int, to: QPoint, *, release: bool = True) -> None:
    viewport = table.viewport()
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=middle(table, row))
    for step in (1, 2, 3):
        place = middle(table, row) + (to - middle(table, row)) * step / 3
        move_pressed(table, place)
    if release:
        QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=to)


def move_pressed(table: TokenTable, place: QPoint) -> None:
    """QTest.mouseMove carries no button, so the event is built by hand."""
    viewport = table.viewport()
    event = QMouseEvent(
        QEvent.Type.MouseMove, QPointF(place), QPointF(viewport.mapToGlobal(place)),
        Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    QApplication.sendEvent(viewport, event)


@pytest.mark.parametrize(
    ("row", "target", "below", "expected"),
    [(0, 1, 8, [[0, 1]]), (0, 2, 8, [[0, 2]]), (2, 0, -8, [[2, 0]]), (1, 1, 8, []), (0, 1, -8, [])],
)
def test_dragged_row_falls_where_the_line_was(
    table: TokenTable, row: int, target: int, below: int, expected: list[list[int]]
) -> None:
    moved = heard(table.row_moved)
    drag(table, row, middle(table, target) + QPoint(0, below))
    assert moved == expected


def test_row_dragged_below_the_last_becomes_the_last(table: TokenTable) -> None:
    moved = heard(table.row_moved)
    drag(table, 0, QPoint(40, 190))
    assert moved == [[0, 2]]


def test_escape_takes_a_drag_back(table: TokenTable) -> None:
    moved = heard(table.row_moved)
    drag(table, 0, middle(table, 2) + QPoint(0, 8), release=False)
    table.grab()
    QTest.keyClick(table, Qt.Key.Key_Escape)
    QTest.mouseRelease(table.viewport(), Qt.MouseButton.LeftButton, pos=middle(table, 2))
    assert moved == []


def test_copied_rows_hold_names_and_every_digit(table: TokenTable) -> None:
    table.show_sequence(TokenSequence(("<s>", "a b", "c"), np.array([[1 / 3, -0.5], [1.0, 1e-300], [0.0, 0.0]])))
    table.show_chosen(0, frozenset())
    QTest.keyClick(table, Qt.Key.Key_Down, SHIFT)
    QTest.keyClick(table, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "<s>\t0.3333333333333333\t-0.5\na b\t1\t1e-300\n"


def test_paste_hands_on_the_whole_clipboard(table: TokenTable) -> None:
    pasted = heard(table.rows_pasted)
    QGuiApplication.clipboard().setText("x\t0,5\t1\r\ny\t2\t3\r\n")
    table.go_to(1)
    QTest.keyClick(table, Qt.Key.Key_V, CONTROL)
    assert pasted == [[2, "x\t0,5\t1\r\ny\t2\t3\r\n"]]
    QGuiApplication.clipboard().setText(" \n")
    QTest.keyClick(table, Qt.Key.Key_V, CONTROL)
    assert len(pasted) == 1


def test_menu_offers_everything_with_its_key(table: TokenTable) -> None:
    offered = [action.text() for action in table.menu.actions() if not action.isSeparator()]
    assert offered == [
        "Edit Cell\tF2", "Insert Row Above\tIns", "Insert Row Below\tCtrl+Return", "Delete Rows\tDel",
        "Move Up\tAlt+Up", "Move Down\tAlt+Down", "Copy Rows\tCtrl+C", "Paste Rows\tCtrl+V", "Import Embeddings…",
    ]  # fmt: skip
    spy, imports = QSignalSpy(table.rows_deleted), heard(table.import_asked)
    table.menu.actions()[3].trigger()
    table.menu.actions()[-1].trigger()
    assert (spy.count(), len(imports)) == (1, 1)


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.parametrize("reason", [QContextMenuEvent.Reason.Mouse, QContextMenuEvent.Reason.Keyboard])
def test_menu_opens_by_mouse_and_by_key(table: TokenTable, reason: QContextMenuEvent.Reason) -> None:
    QApplication.sendEvent(table.viewport(), QContextMenuEvent(reason, middle(table, 1), QPoint(5, 5)))
    assert table.menu.isVisible()
    table.menu.close()


def test_names_stay_beside_scrolled_columns(table: TokenTable) -> None:
    table.show_sequence(sequence(width=300))
    table.horizontalScrollBar().setValue(5)
    assert table.verticalHeader().isVisible()
    assert table.rows.headerData(1, Qt.Orientation.Vertical) == "dog"
    table.horizontalScrollBar().setValue(0)
    assert not table.verticalHeader().isVisible()


def test_two_coordinates_need_no_scroll_bar_in_a_narrow_panel(table: TokenTable) -> None:
    table.resize(252, 200)
    QApplication.processEvents()
    assert table.horizontalScrollBar().maximum() == 0


def test_table_takes_edits_of_odd_tokens(table: TokenTable) -> None:
    state = State(sequence(ODD_TOKENS))
    table.show_sequence(state.sequence)
    state = edits.move_token(state, "sequence", 7, 0)
    table.show_sequence(state.sequence)
    assert [table.rows.token(r) for r in range(len(ODD_TOKENS))] == ["😀", *ODD_TOKENS[:7], *ODD_TOKENS[8:]]
    assert not table.grab().toImage().isNull()
