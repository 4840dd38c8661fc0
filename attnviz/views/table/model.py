"""One matrix of the pass as a Qt model: names as headers, numbers read and written only where they are looked at."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from attnviz.document.arrays import IntArray
from attnviz.document.frame import Frame
from attnviz.document.labelled import LabelledMatrix, labelled
from attnviz.document.matrices import AxisName, Matrix, axis_labels
from attnviz.document.number_ref import NumberRef
from attnviz.document.tokens import told_apart
from attnviz.explanations import KINDS
from attnviz.views.hints import plain_tooltip
from attnviz.views.matrix.pin_marks import PinMarks
from attnviz.views.numbers import exact_text, number_text
from attnviz.views.pinning import pin_marks, pin_words
from attnviz.views.table.blocks import Blocks
from attnviz.views.table.order import Order

Index: TypeAlias = QModelIndex | QPersistentModelIndex

_Role = Qt.ItemDataRole
_HEADER_ROLES = (_Role.DisplayRole, _Role.ToolTipRole, _Role.AccessibleTextRole)
_ROOT = QModelIndex()
_CELL = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
# Whole rows move: the selection then remembers one index a row, and not one a cell.
_BY_ROWS = QAbstractTableModel.LayoutChangeHint.VerticalSortHint
_LAYOUT = "QList<QPersistentModelIndex>,QAbstractItemModel::LayoutChangeHint"


class MatrixModel(QAbstractTableModel):
    """The matrix that the table shows, its rows in some order.

    Rows and columns of the model are those of the table; :meth:`ref` and :meth:`place` lead back to the document.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.order = Order()
        self.is_exact = False
        self.row_names: tuple[str, ...] = ()
        self.column_names: tuple[str, ...] = ()
        self._frame: Frame | None = None
        self._matrix: Matrix | None = None
        self._places: IntArray = np.empty(0, np.intp)
        self._blocks: Blocks | None = None
        self.marks: PinMarks | None = None  # of pinned numbers, in rows of the document

    @property
    def matrix(self) -> Matrix | None:
        """The matrix that is shown."""
        return self._matrix

    def show_matrix(self, frame: Frame, matrix: Matrix) -> bool:
        """Show a matrix of a frame, sorted as before; say whether the table is another one.

        Where it has the same size and name as the one before, nothing is announced but rows that change places;
        the view says which cells it shows, see :meth:`tell_changed`.
        """
        is_other = self._frame is None or matrix is not self._matrix or matrix.shape(frame) != self._shape()
        if is_other:
            self.beginResetModel()
            if matrix is not self._matrix or (self.order.column or 0) >= matrix.shape(frame)[1]:
                self.order = Order()
            self._take(frame, matrix, self.order.places(frame, matrix))
            self.endResetModel()
        else:
            self._arrange(frame, matrix, self.order)
        return is_other

    def sort_by(self, order: Order) -> None:
        """Put the rows into another order; names, selection and cursor go with them."""
        self.order = order
        if self._frame is not None and self._matrix is not None:
            self._arrange(self._frame, self._matrix, order)

    def tell_changed(self, rows: range, columns: range) -> None:
        """Announce that cells have other texts."""
        if rows and columns:
            self.dataChanged.emit(self.createIndex(rows[0], columns[0]), self.createIndex(rows[-1], columns[-1]))

    @property
    def places(self) -> IntArray:
        """The row of the document for each row of the table."""
        return self._places

    def place(self, row: int) -> int:
        """Give the row of the document that stands in a row of the table."""
        return int(self._places[row])

    def row_of(self, place: int) -> int:
        """Give the row of the table in which a row of the document stands."""
        return place if self.order.column is None else int(np.flatnonzero(self._places == place)[0])

    def ref(self, row: int, column: int) -> NumberRef | None:
        """Name the number in a cell."""
        return None if self._matrix is None else self._matrix.ref(self.place(row), column)

    def block(self, rows: IntArray, columns: IntArray) -> LabelledMatrix | None:
        """Give the numbers where rows and columns of the table cross, in its order, with their names.

        Raises
        ------
        DocumentError
            If there are too many to be copied.
        """
        if self._frame is None or self._matrix is None:
            return None
        return labelled(self._frame, self._matrix, self._places[rows], columns)

    def is_masked(self, row: int, column: int) -> bool:
        """Tell whether the mask bans a cell of the matrix that is shown."""
        return self._blocks is not None and self._blocks.is_masked(row, column)

    def cell_text(self, row: int, column: int) -> str:
        """Write a cell: its number, or "masked" where the mask makes it nought."""
        if self._blocks is None:
            return ""
        value = self._blocks.value(row, column)
        if value == 0.0 and self._blocks.is_masked(row, column):
            return "masked"
        return _written(value, self.is_exact)

    def sentence(self, row: int, column: int, *, is_exact: bool = False) -> str:
        """Say a cell: "query cat, key dog: weight 0.389"."""
        if self._matrix is None or self._blocks is None:
            return ""
        names = f"{_said(self._matrix.rows, self.row_name(row))}, {self.column_said(column)}"
        label = KINDS[self._matrix.name].label
        note = "masked, " if self.is_masked(row, column) and not label.startswith("masked") else ""
        number = _written(self._blocks.value(row, column), self.is_exact or is_exact)
        words = pin_words(self._frame, self._matrix.ref(self.place(row), column)) if self._frame is not None else ""
        return f"{names}: {note}{label} {number}{f', {words}' if words else ''}"

    def row_name(self, row: int) -> str:
        """Name a row of the table."""
        return self.row_names[self.place(row)]

    def column_said(self, column: int) -> str:
        """Say what a column is: "key dog"."""
        return "" if self._matrix is None else _said(self._matrix.columns, self.column_names[column])

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Give the number of rows."""
        return 0 if parent.isValid() else self._shape()[0]

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Give the number of columns."""
        return 0 if parent.isValid() else self._shape()[1]

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Say that every cell can be selected."""
        return _CELL if index.isValid() else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = _Role.DisplayRole) -> object:
        """Give what a cell shows, its tooltip with every digit, or what a screen reader says."""
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        if role == _Role.DisplayRole:
            return self.cell_text(row, column)
        if role == _Role.AccessibleTextRole:
            return self.sentence(row, column)
        if role == _Role.AccessibleDescriptionRole:
            n_rows, n_columns = self._shape()
            return f"row {row + 1} of {n_rows}, column {column + 1} of {n_columns}"
        if role == _Role.ToolTipRole:
            return plain_tooltip(self.sentence(row, column, is_exact=True))
        return _RIGHT if role == _Role.TextAlignmentRole else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> object:
        """Give the name of a row or column, and how a screen reader says it."""
        if self._matrix is None or role not in _HEADER_ROLES:
            return None
        is_row = orientation == Qt.Orientation.Vertical
        if section >= self._shape()[0 if is_row else 1]:  # a header asks so while the other one takes a new size
            return None
        name = self.row_name(section) if is_row else self.column_names[section]
        if role == _Role.DisplayRole:
            return name
        said = _said(self._matrix.rows if is_row else self._matrix.columns, name)
        return plain_tooltip(said) if role == _Role.ToolTipRole else said

    def _shape(self) -> tuple[int, int]:
        return (0, 0) if self._frame is None or self._matrix is None else self._matrix.shape(self._frame)

    def _take(self, frame: Frame, matrix: Matrix, places: IntArray) -> None:
        self._frame, self._matrix, self._places = frame, matrix, places
        self._blocks = Blocks(frame, matrix, places)
        self.marks = pin_marks(frame, matrix.name)
        self.row_names = told_apart(axis_labels(frame, matrix.rows))
        self.column_names = told_apart(axis_labels(frame, matrix.columns))

    def _arrange(self, frame: Frame, matrix: Matrix, order: Order) -> None:
        """Take a frame of the same size; rows that stand elsewhere now take cursor and selection with them."""
        places, names = order.places(frame, matrix), (self.row_names, self.column_names)
        if np.array_equal(places, self._places):
            self._take(frame, matrix, places)
        else:
            self.layoutAboutToBeChanged[_LAYOUT].emit([], _BY_ROWS)  # type: ignore[index]  # the stubs know one form
            before = self.persistentIndexList()
            rows = np.argsort(places)[self._places]  # of the table now, for each row of the table before
            self._take(frame, matrix, places)
            after = [self.createIndex(int(rows[index.row()]), index.column()) for index in before]
            self.changePersistentIndexList(before, after)
            self.layoutChanged[_LAYOUT].emit([], _BY_ROWS)  # type: ignore[index]  # as above
        if names != (self.row_names, self.column_names):
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, len(self.row_names) - 1)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.column_names) - 1)


def _said(axis: AxisName, name: str) -> str:
    return f"{axis} {name}"


def _written(value: float, is_exact: bool) -> str:
    return exact_text(value) if is_exact and np.isfinite(value) else number_text(value)
