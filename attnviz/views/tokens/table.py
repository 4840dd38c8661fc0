"""The table of tokens: one row each, with everything that mouse, keyboard and clipboard can do to rows."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenu, QWidget

from attnviz.views.tokens.model import Index
from attnviz.views.tokens.rows import NO_ROW, TokenRows

_NO_CELL = (NO_ROW, NO_ROW)


class TokenTable(TokenRows):
    """The rows of one list of tokens.

    Rows are dragged to another place, typed into, copied and pasted. What the user does leaves as a signal;
    the rows change when the document does.

    Signals
    -------
    row_chosen : int
        The row the user went to.
    cell_pointed : int, int
        The row and the column under the mouse, -1 for both when it has left.
    cell_reached : int, int
        The cell that was clicked or that the keyboard came to; after ``row_chosen``.
    row_moved : int, int
        A row and the place it is to have.
    rows_deleted : object
        A tuple of rows, ascending.
    insertion_asked : int
        The place a new row is to have.
    rows_pasted : int, str
        The place for the rows in the clipboard, and its whole text.
    import_asked
        Embeddings are to be read from a file.
    """

    row_chosen = Signal(int)
    cell_pointed = Signal(int, int)
    cell_reached = Signal(int, int)
    row_moved = Signal(int, int)
    rows_deleted = Signal(object)
    insertion_asked = Signal(int)
    rows_pasted = Signal(int, str)
    import_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hovered = _NO_CELL
        self._pressed_row = NO_ROW
        self._pressed_at = QPoint()
        self._gap = NO_ROW  # a dragged row would fall before this one
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)  # Tab leaves the table; the arrow keys go round in it
        trigger = QAbstractItemView.EditTrigger
        self.setEditTriggers(trigger.DoubleClicked | trigger.EditKeyPressed | trigger.AnyKeyPressed)
        self.menu = self._make_menu()

    def edit_name(self, row: int) -> None:
        """Open the name in a row for typing."""
        self.setCurrentIndex(self.rows.index(row, 0))
        self.edit_current()

    def selected_rows(self) -> tuple[int, ...]:
        """Give the selected rows in order; the current one if none is."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        current = self.currentIndex().row()
        return tuple(rows) or ((current,) if current >= 0 else ())

    def copy_rows(self) -> None:
        """Put the selected rows into the clipboard, every digit."""
        if rows := self.selected_rows():
            QGuiApplication.clipboard().setText(self.rows.rows_text(rows))

    def paste_rows(self) -> None:
        """Ask for the rows in the clipboard after the current one."""
        text = QGuiApplication.clipboard().text()
        if text.strip():
            self.rows_pasted.emit(self.currentIndex().row() + 1, text)

    def insert_above(self) -> None:
        """Ask for a new row before the current one."""
        self.insertion_asked.emit(max(self.currentIndex().row(), 0))

    def insert_below(self) -> None:
        """Ask for a new row after the current one."""
        self.insertion_asked.emit(self.currentIndex().row() + 1)

    def delete_rows(self) -> None:
        """Ask to delete the selected rows."""
        if rows := self.selected_rows():
            self.rows_deleted.emit(rows)

    def move_up(self) -> None:
        """Ask to move the current row one place up."""
        if (row := self.currentIndex().row()) > 0:
            self.row_moved.emit(row, row - 1)

    def move_down(self) -> None:
        """Ask to move the current row one place down."""
        if 0 <= (row := self.currentIndex().row()) < self.rows.rowCount() - 1:
            self.row_moved.emit(row, row + 1)

    def edit_current(self) -> None:
        """Open the current cell for typing; one that is open stays so."""
        current = self.currentIndex()
        if self.state() != QAbstractItemView.State.EditingState:
            if current.isValid():
                self.edit(current)
        elif (editor := self.indexWidget(current)) is not None:
            editor.setFocus()

    def event(self, event: QEvent) -> bool:
        """Claim the table's keys before a shortcut of the window gets them."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            is_cancel = event.key() == Qt.Key.Key_Escape and self._gap != NO_ROW
            if is_cancel or _keys_of(event) in _KEYS:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Do what the keys of the menu say; Esc takes a drag back."""
        command = _KEYS.get(_keys_of(event))
        if self.state() == QAbstractItemView.State.EditingState:
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Escape and self._gap != NO_ROW:
            self._end_drag()
        elif command is not None:
            getattr(self, command)()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu, beside the current row when a key asked for it."""
        place = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            place = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).bottomLeft())
        self.menu.popup(place)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a row, and remember it: it may be about to be dragged."""
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        if not index.isValid() or event.button() != Qt.MouseButton.LeftButton:
            return
        self.row_chosen.emit(index.row())
        self.cell_reached.emit(index.row(), index.column())
        if event.modifiers() == Qt.KeyboardModifier.NoModifier and self.state() != QAbstractItemView.State.EditingState:
            self._pressed_row = index.row()
            self._pressed_at = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Carry a pressed row along, or point at the row under the mouse."""
        place = event.position().toPoint()
        if self._pressed_row != NO_ROW and event.buttons() & Qt.MouseButton.LeftButton:
            if (place - self._pressed_at).manhattanLength() >= QApplication.startDragDistance() or self._gap != NO_ROW:
                self._drag_to(place.y())
            return
        super().mouseMoveEvent(event)
        if event.buttons() == Qt.MouseButton.NoButton:
            index = self.indexAt(place)
            self._point_at((self.rowAt(place.y()), index.column() if index.isValid() else NO_ROW))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let a dragged row fall."""
        row, gap = self._pressed_row, self._gap
        self._end_drag()
        super().mouseReleaseEvent(event)
        if gap != NO_ROW and gap not in (row, row + 1):
            self.row_moved.emit(row, gap if gap < row else gap - 1)

    def viewportEvent(self, event: QEvent) -> bool:
        """Stop pointing when the mouse leaves."""
        if event.type() == QEvent.Type.Leave:
            self._point_at(_NO_CELL)
        return super().viewportEvent(event)

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Tell which row and cell the user went to."""
        super().currentChanged(current, previous)
        if self._is_showing or not current.isValid():
            return
        if current.row() != previous.row():
            self.row_chosen.emit(current.row())
        if QApplication.mouseButtons() == Qt.MouseButton.NoButton:  # a press tells it itself
            self.cell_reached.emit(current.row(), current.column())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rows, and the line where a dragged row would fall."""
        super().paintEvent(event)
        if self._gap != NO_ROW:
            with QPainter(self.viewport()) as painter:  # ended in any case: Qt crashes on one that is left active
                painter.fillRect(QRectF(0, self._gap_y() - 1, self.viewport().width(), 2), QColor(self.theme.accent))

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        for text, keys, command in _COMMANDS:
            action = QAction(f"{text}\t{keys[0]}" if keys else text, menu)
            action.triggered.connect(getattr(self, command))
            menu.addAction(action)
        menu.addSeparator()
        importing = QAction("Import Embeddings…", menu)
        importing.triggered.connect(self.import_asked)
        menu.addAction(importing)
        return menu

    def _point_at(self, cell: tuple[int, int]) -> None:
        if cell != self._hovered:
            self._hovered = cell
            self.cell_pointed.emit(*cell)

    def _drag_to(self, y: int) -> None:
        bar, height = self.verticalScrollBar(), self.viewport().height()
        if not 0 <= y < height:
            bar.setValue(bar.value() + (bar.singleStep() if y >= height else -bar.singleStep()))
        row = self.rowAt(min(max(y, 0), height - 1))
        if row == NO_ROW:
            self._gap = self.rows.rowCount()
        else:
            is_lower_half = y > self.rowViewportPosition(row) + self.rowHeight(row) / 2
            self._gap = row + is_lower_half
        self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        self.viewport().update()

    def _gap_y(self) -> float:
        if self._gap < self.rows.rowCount():
            return max(1.0, self.rowViewportPosition(self._gap))
        last = self.rows.rowCount() - 1
        return self.rowViewportPosition(last) + self.rowHeight(last) - 1.0

    def _end_drag(self) -> None:
        self._pressed_row = NO_ROW
        if self._gap != NO_ROW:
            self._gap = NO_ROW
            self.viewport().unsetCursor()
            self.viewport().update()


# What the menu offers, the keys that do the same, and the method that does it.
_COMMANDS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("Edit Cell", ("F2", "Return", "Enter"), "edit_current"),
    ("Insert Row Above", ("Ins",), "insert_above"),
    ("Insert Row Below", ("Ctrl+Return", "Ctrl+Enter"), "insert_below"),
    ("Delete Rows", ("Del",), "delete_rows"),
    ("Move Up", ("Alt+Up",), "move_up"),
    ("Move Down", ("Alt+Down",), "move_down"),
    ("Copy Rows", ("Ctrl+C",), "copy_rows"),
    ("Paste Rows", ("Ctrl+V",), "paste_rows"),
)
_KEYS = {key: command for _, keys, command in _COMMANDS for key in keys}


def _keys_of(event: QKeyEvent) -> str:
    """Write a key with its modifiers as in the table above; whether it is on the keypad does not matter."""
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return QKeySequence(modifiers.value | event.key()).toString(QKeySequence.SequenceFormat.PortableText)
