"""What the user does in the table: keys and mouse go from cell to cell, select, sort, choose and copy."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QWidget

from attnviz.document.labelled import LabelledMatrix
from attnviz.document.number_ref import NumberRef
from attnviz.views.table.order import NAMES
from attnviz.views.table.shown_grid import ShownGrid

_Flag = QItemSelectionModel.SelectionFlag
_Action = QAbstractItemView.CursorAction
_CONTROL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_MOVING = {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End}
_STEPS = {
    _Action.MoveUp: (-1, 0),
    _Action.MoveDown: (1, 0),
    _Action.MoveLeft: (0, -1),
    _Action.MoveRight: (0, 1),
}


class MatrixGrid(ShownGrid):
    """The table of a matrix with its gestures.

    Signals
    -------
    cell_pointed : int, int
        Row and column of the document under the mouse or the cursor; (-1, -1) when it leaves.
    cell_chosen : int, int
        The cell was clicked, or Enter or Space was pressed on it.
    copy_asked
        What is selected is to be copied.
    sorted_anew
        The user had the rows sorted.
    """

    cell_pointed = Signal(int, int)
    cell_chosen = Signal(int, int)
    copy_asked = Signal()
    sorted_anew = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)  # Tab leaves the table; the arrow keys go round in it
        self.columns_header.sort_asked.connect(self.sort_by)
        self.corner.sort_asked.connect(self.sort_by_names)

    def sort_by(self, column: int) -> None:
        """Sort by a column, or by names: ascending, then descending, then as in the document."""
        self._is_showing = True
        self.matrix_model.sort_by(self.matrix_model.order.after(column))
        self._mark_order()
        self._is_showing = False
        self.viewport().update()
        if self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())
        self.sorted_anew.emit()

    def sort_by_column(self) -> None:
        """Sort by the column of the cursor."""
        self.sort_by(max(self.currentIndex().column(), 0))

    def sort_by_names(self) -> None:
        """Sort by the names of the rows."""
        self.sort_by(NAMES)

    def order_sentence(self) -> str:
        """Say how the rows are sorted."""
        order = self.matrix_model.order
        if order.column is None:
            return "Rows as in the document."
        by = "row name" if order.column == NAMES else self.matrix_model.column_said(order.column)
        return f"Rows sorted by {by}, {'descending' if order.is_descending else 'ascending'}."

    def current_number(self) -> NumberRef | None:
        """Name the number in the cell of the cursor."""
        current = self.currentIndex()
        return self.matrix_model.ref(current.row(), current.column()) if current.isValid() else None

    def current_sentence(self) -> str:
        """Say the cell of the cursor."""
        index = self.currentIndex()
        return self.matrix_model.sentence(index.row(), index.column()) if index.isValid() else ""

    def selected_block(self) -> LabelledMatrix | None:
        """Give the crossing of all rows and columns with a selected cell, or everything if none is selected.

        Raises
        ------
        DocumentError
            If there are too many cells to be copied.
        """
        is_row = np.zeros(self.matrix_model.rowCount(), np.bool_)
        is_column = np.zeros(self.matrix_model.columnCount(), np.bool_)
        areas = self.selected_areas()
        for area in areas:
            is_row[area.top() : area.bottom() + 1] = True
            is_column[area.left() : area.right() + 1] = True
        if not areas:
            is_row[:] = is_column[:] = True
        return self.matrix_model.block(np.flatnonzero(is_row), np.flatnonzero(is_column))

    def select_current_row(self) -> None:
        """Select the row of the cursor."""
        self.selectRow(max(self.currentIndex().row(), 0))

    def select_current_column(self) -> None:
        """Select the column of the cursor."""
        self.selectColumn(max(self.currentIndex().column(), 0))

    def currentChanged(
        self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Tell where the cursor went."""
        super().currentChanged(current, previous)
        if not self._is_showing and current.isValid():
            self._point_at(current)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell which cell the mouse is over."""
        super().mouseMoveEvent(event)
        if not event.buttons():
            self._point_at(self.indexAt(event.position().toPoint()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose the cell that was clicked, unless several were selected."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        is_plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
        if is_plain and index.isValid() and index == self.currentIndex() and self._has_one_selected():
            self._choose()

    def leaveEvent(self, event: QEvent) -> None:
        """Tell that nothing is pointed at any more."""
        super().leaveEvent(event)
        self.cell_pointed.emit(-1, -1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose the cell, copy, select a row or column, let go; everything else is Qt's."""
        key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key in _ENTER and not modifiers:
            self._choose()
        elif key == Qt.Key.Key_Space and modifiers == _SHIFT:
            self.select_current_row()
        elif key == Qt.Key.Key_Space and modifiers == _SHIFT | _CONTROL:
            self.select_current_column()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_asked.emit()
        elif key == Qt.Key.Key_Escape:
            self.clearSelection()
            self.cell_pointed.emit(-1, -1)
            event.ignore()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Do nothing at a letter: Qt would write every cell of a column to compare it."""

    def moveCursor(self, cursor_action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Go to the edge with Ctrl and an arrow key; everything else is Qt's."""
        step, current = _STEPS.get(cursor_action), self.currentIndex()
        if step is None or not modifiers & _CONTROL or not current.isValid():
            return super().moveCursor(cursor_action, modifiers)
        rows, columns = self.matrix_model.rowCount(), self.matrix_model.columnCount()
        row = min(max(current.row() + step[0] * rows, 0), rows - 1)
        column = min(max(current.column() + step[1] * columns, 0), columns - 1)
        return self.matrix_model.index(row, column)

    def selectionCommand(
        self, index: QModelIndex | QPersistentModelIndex, event: QEvent | None = None
    ) -> QItemSelectionModel.SelectionFlag:
        """Select the cell that Ctrl and a key go to, where Qt would only move the cursor."""
        if not isinstance(event, QKeyEvent) or event.key() not in _MOVING or not event.modifiers() & _CONTROL:
            return super().selectionCommand(index, event)
        return _Flag.SelectCurrent if event.modifiers() & _SHIFT else _Flag.ClearAndSelect

    def _point_at(self, index: QModelIndex | QPersistentModelIndex) -> None:
        if index.isValid():
            self.cell_pointed.emit(self.matrix_model.place(index.row()), index.column())
        else:
            self.cell_pointed.emit(-1, -1)

    def _choose(self) -> None:
        index = self.currentIndex()
        if index.isValid():
            self.cell_chosen.emit(self.matrix_model.place(index.row()), index.column())

    def _has_one_selected(self) -> bool:
        areas = self.selected_areas()
        return len(areas) == 1 and areas[0].width() == areas[0].height() == 1
