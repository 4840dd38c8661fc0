"""How the rows of tokens are shown: lit, sized, and painted again only where something changed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QFrame, QTableView, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.document.tokens import TokenSequence
from attnviz.views.token_cells import CellDelegate
from attnviz.views.token_headers import NameHeader, TitleHeader
from attnviz.views.token_model import CELL_CHARACTERS, Index, TokenModel

NO_ROW = -1
_SELECT_ROW = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows


class TokenRows(QTableView):
    """One row per token with a coloured dot, the name and the coordinates, a chosen row and rows pointed at.

    When columns are scrolled away, the vertical header repeats dot and name, so that a row never loses them.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = TokenModel(self)
        self.cells = CellDelegate(self.rows, self)
        self.theme: Theme = LIGHT
        self._is_showing = False
        self._chosen_row = NO_ROW
        self._pointed_rows: frozenset[int] = frozenset()
        self._titles = TitleHeader(self.rows, self)
        self._names = _LitNames(self.rows, self)
        self.setModel(self.rows)
        self.setItemDelegate(self.cells)
        self.setHorizontalHeader(self._titles)
        self.setVerticalHeader(self._names)
        self._names.hide()
        self.setCornerButtonEnabled(False)
        for corner in self.findChildren(QAbstractButton):  # it has one, between the headers
            corner.installEventFilter(self._titles)
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.horizontalScrollBar().valueChanged.connect(self._show_names_beside)
        self._fit_sections()

    def light_of(self, row: int) -> QColor | None:
        """Give the colour behind a row; ``None`` for that of the panel."""
        if row == self._chosen_row or self.selectionModel().isRowSelected(row, QModelIndex()):
            return QColor(self.theme.accent_soft)
        if row in self._pointed_rows:
            soft = QColor(self.theme.accent_soft)
            soft.setAlphaF(0.5)
            return soft
        return None

    def show_sequence(self, sequence: TokenSequence) -> None:
        """Show these tokens; cells that did not change are not painted again."""
        width, count = self.rows.columnCount(), self.rows.rowCount()
        self._is_showing = True
        self.rows.show_sequence(sequence)
        self._is_showing = False
        if (self.rows.columnCount(), self.rows.rowCount()) != (width, count):
            self._fit_sections()

    def show_chosen(self, chosen_row: int | None, pointed_rows: frozenset[int]) -> None:
        """Light the chosen row and the rows pointed at, and go to the chosen one if it is another."""
        row = NO_ROW if chosen_row is None or chosen_row >= self.rows.rowCount() else chosen_row
        for stale in {self._chosen_row, row} if row != self._chosen_row else set():
            self._repaint_row(stale)
        for stale in self._pointed_rows ^ pointed_rows:
            self._repaint_row(stale)
        self._chosen_row, self._pointed_rows = row, pointed_rows
        if row not in (NO_ROW, self.currentIndex().row()):
            self.go_to(row)

    def go_to(self, row: int) -> None:
        """Make a row the current one and scroll to it, silently."""
        self._is_showing = True
        index = self.rows.index(row, max(self.currentIndex().column(), 0))
        self.selectionModel().setCurrentIndex(index, _SELECT_ROW)
        self.scrollTo(index)
        self._is_showing = False

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.theme = self._titles.theme = self._names.theme = theme
        self.cells.apply_theme(theme)
        palette = self.palette()
        for role, colour in (
            (QPalette.ColorRole.Base, theme.panel),
            (QPalette.ColorRole.Window, theme.panel),
            (QPalette.ColorRole.Text, theme.text),
            (QPalette.ColorRole.Highlight, "#00000000"),  # the light behind the rows is painted here
        ):
            palette.setColor(role, QColor(colour))
        self.setPalette(palette)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the light behind the rows, then the cells, then the frame of the current cell."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for row in self._rows_between(event.rect().top(), event.rect().bottom()):
            if colour := self.light_of(row):
                painter.setBrush(colour)
                painter.drawRoundedRect(self._row_rect(row), 4, 4)
        painter.end()
        super().paintEvent(event)
        if self.hasFocus() and self.currentIndex().isValid():
            painter = QPainter(self.viewport())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(self.theme.accent), 1.5))
            frame = QRectF(self.visualRect(self.currentIndex())).adjusted(1.5, 1.5, -1.5, -1.5)
            painter.drawRoundedRect(frame, 3, 3)
            painter.end()

    def dataChanged(self, top_left: Index, bottom_right: Index, roles: object = ()) -> None:  # noqa: ARG002
        """Paint the changed cells again and nothing else: an open editor keeps what is being typed."""
        if top_left.row() == bottom_right.row():
            changed = self.visualRect(top_left) | self.visualRect(bottom_right)
            self.viewport().update(changed & self.viewport().rect())
        else:
            self.viewport().update()
        if self._names.isVisible() and top_left.column() == 0:
            self._names.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the name what the numbers leave."""
        super().resizeEvent(event)
        self._fit_sections()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_sections()

    def _show_names_beside(self, scrolled: int) -> None:
        self._names.setVisible(scrolled > 0)

    def _fit_sections(self) -> None:
        """Fit rows and columns to the font; names take what the numbers leave, within bounds."""
        self.cells.apply_font(self.font())
        line = self.fontMetrics()
        number = self.cells.number_width(CELL_CHARACTERS)
        room = self.width() - 2 * self.frameWidth() - self._bar_width()
        left = room - (self.rows.columnCount() - 1) * number
        least, usual = (self.cells.dot_space() + letters * line.averageCharWidth() for letters in (6, 12))
        name = max(left, least) if left > 0 else usual
        self._titles.setDefaultSectionSize(number)
        if self._titles.count():
            self._titles.resizeSection(0, name)
        self._names.setFixedWidth(name)
        self._names.setDefaultSectionSize(line.height() + 12)

    def _rows_between(self, top: int, bottom: int) -> range:
        first, last = self.rowAt(max(top, 0)), self.rowAt(bottom)
        if first < 0:
            return range(0)
        return range(first, (last if last >= 0 else self.rows.rowCount() - 1) + 1)

    def _bar_width(self) -> int:
        bar = self.verticalScrollBar()
        return bar.width() if bar.isVisible() else 0

    def _repaint_row(self, row: int) -> None:
        if row != NO_ROW:
            self.viewport().update(self._row_rect(row).toAlignedRect())
            if self._names.isVisible():
                self._names.viewport().update()

    def _row_rect(self, row: int) -> QRectF:
        return QRectF(0, self.rowViewportPosition(row), self.viewport().width(), self.rowHeight(row))


class _LitNames(NameHeader):
    """The names beside scrolled columns, lit as the rows of the table are."""

    def light_of(self, row: int) -> QColor | None:
        """Ask the table."""
        table = self.parent()
        return table.light_of(row) if isinstance(table, TokenRows) else None
