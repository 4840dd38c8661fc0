"""The rows of the token table as a Qt model: names and coordinates read straight from the document's arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from attnviz.document.arrays import BoolArray, FloatArray
from attnviz.document.tokens import TokenSequence
from attnviz.views.hints import plain_tooltip
from attnviz.views.number_box import full_text

Index: TypeAlias = QModelIndex | QPersistentModelIndex
CELL_CHARACTERS = 7  # the longest text of a coordinate in the table

_MOST_SINGLE_CELLS = 64  # above this many changed cells one signal names them all
_Role = Qt.ItemDataRole
_ROOT = QModelIndex()
_Flag = Qt.ItemFlag
_CELL = _Flag.ItemIsSelectable | _Flag.ItemIsEnabled | _Flag.ItemIsEditable | _Flag.ItemNeverHasChildren
_NOTHING = _Flag.NoItemFlags


class TokenModel(QAbstractTableModel):
    """One row per token: its name, then its coordinates. It holds what it is shown and changes nothing itself.

    Signals
    -------
    name_entered : int, str
        The row and the name the user typed into it.
    coordinate_entered : int, int, float
        The row, the coordinate counted from 0, and the number the user typed.
    """

    name_entered = Signal(int, str)
    coordinate_entered = Signal(int, int, float)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tokens: tuple[str, ...] = ()
        self._embeddings: FloatArray = np.empty((0, 1))

    def show_sequence(self, sequence: TokenSequence) -> bool:
        """Show these tokens, announce only what differs from those shown, and tell whether the table's size does."""
        tokens, embeddings = sequence.tokens, sequence.embeddings
        if tokens is self._tokens and embeddings is self._embeddings:
            return False
        if embeddings.shape == self._embeddings.shape:
            self._replace(tokens, embeddings)
            return False
        if embeddings.shape[1] == self._embeddings.shape[1] and self._tokens:
            self._resize(tokens, embeddings)
        else:
            self.beginResetModel()
            self._tokens, self._embeddings = tokens, embeddings
            self.endResetModel()
        return True

    def token(self, row: int) -> str:
        """Give the name in a row."""
        return self._tokens[row]

    def coordinate(self, row: int, coordinate: int) -> float:
        """Give one coordinate, counted from 0, in full."""
        return float(self._embeddings[row, coordinate])

    def cell_text(self, row: int, column: int) -> str:
        """Give what a cell shows: the name in column 0, else a coordinate in at most 7 characters."""
        return self._tokens[row] if column == 0 else coordinate_text(float(self._embeddings[row, column - 1]))

    def edit_text(self, row: int, column: int) -> str:
        """Give what a cell shows while it is edited: every digit."""
        return self._tokens[row] if column == 0 else full_text(float(self._embeddings[row, column - 1]))

    def rows_text(self, rows: Sequence[int]) -> str:
        """Write rows for the clipboard: name and exact coordinates between tabs, one line a row."""
        lines = ("\t".join([self._tokens[r], *map(full_text, self._embeddings[r].tolist())]) for r in rows)
        return "".join(f"{line}\n" for line in lines)

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Give the number of tokens."""
        return 0 if parent.isValid() else len(self._tokens)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Give one more than the width of the embeddings."""
        return 0 if parent.isValid() else 1 + int(self._embeddings.shape[1])

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Say that every cell can be selected and edited."""
        return _CELL if index.isValid() else _NOTHING

    def data(self, index: Index, role: int = _Role.DisplayRole) -> object:
        """Give a cell's text, its text while editing, its tooltip or what a screen reader says."""
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        if role == _Role.DisplayRole:
            return self.cell_text(row, column)
        if role == _Role.EditRole:
            return self.edit_text(row, column)
        if role == _Role.ToolTipRole:
            return plain_tooltip(self._sentence(row, column))
        if role == _Role.AccessibleTextRole:
            return self._sentence(row, column)
        if role == _Role.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> object:
        """Give the title of a column, or the name in a row."""
        if role != _Role.DisplayRole:
            return None
        if orientation == Qt.Orientation.Vertical:
            return self._tokens[section]
        return self.column_title(section)

    def setData(self, index: Index, value: object, role: int = _Role.EditRole) -> bool:
        """Tell what the user entered; the cell changes when the document does."""
        if not index.isValid() or role != _Role.EditRole:
            return False
        if index.column() == 0 and isinstance(value, str):
            self.name_entered.emit(index.row(), value)
        elif index.column() > 0 and isinstance(value, float):
            self.coordinate_entered.emit(index.row(), index.column() - 1, value)
        return False

    def column_title(self, column: int) -> str:
        """Give the title of a column: token, then x and y, or x1, x2 and so on."""
        if column == 0:
            return "token"
        return "xy"[column - 1] if self._embeddings.shape[1] == 2 else f"x{column}"

    def _sentence(self, row: int, column: int) -> str:
        if column == 0:
            return f"{self._tokens[row]}\ntoken {row + 1} of {len(self._tokens)}"
        return f"{self._tokens[row]}: {self.column_title(column)} = {self.edit_text(row, column)}"

    def _replace(self, tokens: tuple[str, ...], embeddings: FloatArray) -> None:
        changed = embeddings != self._embeddings
        renamed: set[int] = set()
        if tokens is not self._tokens and tokens != self._tokens:
            renamed = {i for i, (old, new) in enumerate(zip(self._tokens, tokens, strict=True)) if old != new}
        self._tokens, self._embeddings = tokens, embeddings
        self._announce(changed, renamed)

    def _announce(self, changed: BoolArray, renamed: set[int]) -> None:
        count = np.count_nonzero(changed)
        if count + len(renamed) > _MOST_SINGLE_CELLS:
            rows = sorted(renamed.union(np.flatnonzero(changed.any(axis=1)).tolist()))
            self._announce_block(rows[0], 0, rows[-1], self.columnCount() - 1)
            return
        columns: dict[int, list[int]] = {row: [0] for row in renamed}
        for row, column in np.argwhere(changed).tolist() if count else ():
            columns.setdefault(row, []).append(column + 1)
        for row in sorted(columns):
            self._announce_block(row, columns[row][0], row, columns[row][-1])

    def _announce_block(self, top: int, left: int, bottom: int, right: int) -> None:
        # Unlike index(), createIndex() does not ask for the number of rows and columns each time.
        self.dataChanged.emit(self.createIndex(top, left), self.createIndex(bottom, right))

    def _resize(self, tokens: tuple[str, ...], embeddings: FloatArray) -> None:
        old, more = self._tokens, len(tokens) - len(self._tokens)
        start, tail = _shared_ends(old, tokens)
        is_one_block = start + tail >= min(len(old), len(tokens))
        if not is_one_block:
            self.beginResetModel()
        elif more > 0:
            self.beginInsertRows(QModelIndex(), start, start + more - 1)
        else:
            self.beginRemoveRows(QModelIndex(), start, start - more - 1)
        self._tokens, self._embeddings = tokens, embeddings
        if not is_one_block:
            self.endResetModel()
            return
        if more > 0:
            self.endInsertRows()
        else:
            self.endRemoveRows()
        self._announce_block(0, 0, len(tokens) - 1, self.columnCount() - 1)


def coordinate_text(number: float) -> str:
    """Write a coordinate in at most 7 characters: 2 or 3 decimals where they are exact, else 4 digits or fewer."""
    number = float(number) + 0.0
    magnitude = abs(number)
    if 1e3 <= magnitude < 999_999.5:
        exact = f"{number:.2f}"
        return exact if float(exact) == number and len(exact) <= CELL_CHARACTERS else f"{number:.0f}"
    if magnitude < 1e3:
        for decimals in (2, 3):
            text = f"{number:.{decimals}f}"
            if float(text) == number and len(text) <= CELL_CHARACTERS:
                return text
    for digits in (4, 3, 2):
        text = f"{number:.{digits}g}"
        if len(text) <= CELL_CHARACTERS:
            return text
    return f"{number:.0e}"


def _shared_ends(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[int, int]:
    """Count the tokens that two lists share from the front, and those that they share from the back."""
    shortest = min(len(old), len(new))
    start = next((i for i in range(shortest) if old[i] != new[i]), shortest)
    tail = next((i for i in range(shortest) if old[-1 - i] != new[-1 - i]), shortest)
    return start, tail
