"""How the rows of tokens are shown: lit, sized, and painted again only where something changed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QFrame, QTableView, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.document.tokens import TokenSequence
from attnviz.views.tokens.cells import CellDelegate, TokenMark
from attnviz.views.tokens.headers import NameHeader, TitleHeader
from attnviz.views.tokens.model import CELL_CHARACTERS, Index, TokenModel

NO_ROW = -1
_MOST_PICTURES = 8
_SMOOTH = QPainter.RenderHint.Antialiasing
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
        self._take_lights(LIGHT)
        self._is_showing = False
        self._chosen_row = NO_ROW
        self._pointed_rows: frozenset[int] = frozenset()
        self._lit_cell: tuple[int, int] | None = None
        self._pinned_cell: tuple[int, int] | None = None
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
            return self._light
        return self._soft_light if row in self._pointed_rows else None

    def show_sequence(self, sequence: TokenSequence) -> None:
        """Show these tokens; cells that did not change are not painted again."""
        self._is_showing = True
        is_resized = self.rows.show_sequence(sequence)
        self._is_showing = False
        if is_resized:
            self._fit_sections()

    def show_mark(self, mark: TokenMark) -> None:
        """Mark the tokens so: with these colours, and with dots or squares."""
        if mark != self.cells.mark:
            self.cells.mark = self._names.mark = mark
            self.viewport().update()
            self._names.viewport().update()

    def show_chosen(self, chosen_row: int | None, pointed_rows: frozenset[int]) -> None:
        """Light the chosen row and the rows pointed at, and go to the chosen one if it is another."""
        row = NO_ROW if chosen_row is None or chosen_row >= self.rows.rowCount() else chosen_row
        stale = set(self._pointed_rows ^ pointed_rows)
        if row != self._chosen_row:
            stale |= {self._chosen_row, row}
        for other in stale:
            self._repaint_row(other)
        self._chosen_row, self._pointed_rows = row, pointed_rows
        if row not in (NO_ROW, self.currentIndex().row()):
            self.go_to(row)

    @property
    def lit_cell(self) -> tuple[int, int] | None:
        """The row and the column of the number that is pointed at, here or elsewhere."""
        return self._lit_cell

    @property
    def pointed_rows(self) -> frozenset[int]:
        """The rows that are pointed at, here or elsewhere."""
        return self._pointed_rows

    def show_cells(self, lit: tuple[int, int] | None, pinned: tuple[int, int] | None) -> None:
        """Mark the number that is pointed at with a line, and the pinned one with a frame."""
        before, now = (self._lit_cell, self._pinned_cell), (lit, pinned)
        if before != now:
            self._lit_cell, self._pinned_cell = now
            for cell in {*before, *now}:
                if cell is not None:
                    self._repaint_row(cell[0])

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
        self._take_lights(theme)
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
        """Paint the light behind the rows, then the cells, then the frame of the current cell.

        The cells are painted here and not by Qt, which asks model and delegate some twenty things for each of them.
        """
        area = event.rect()
        rows = self._rows_between(area.top(), area.bottom())
        painter = QPainter(self.viewport())
        self._paint_lights(painter, rows)
        for column in self._columns_between(area.left(), area.right()):
            self.cells.begin_column(painter, column)
            for row in rows:
                self.cells.paint_cell(painter, self._cell_rect(row, column), row, column)
        self._paint_marks(painter)
        if self.hasFocus() and self.currentIndex().isValid():
            painter.setRenderHint(_SMOOTH)
            painter.setPen(QPen(QColor(self.theme.accent), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            frame = QRectF(self.visualRect(self.currentIndex())).adjusted(1.5, 1.5, -1.5, -1.5)
            painter.drawRoundedRect(frame, 3, 3)
        painter.end()

    def dataChanged(self, top_left: Index, bottom_right: Index, roles: object = ()) -> None:  # noqa: ARG002
        """Paint the changed cells again and nothing else: an open editor keeps what is being typed."""
        row = top_left.row()
        if row == bottom_right.row():
            first, last = top_left.column(), bottom_right.column()
            left, right = self.columnViewportPosition(first), self.columnViewportPosition(last)
            if left > right:  # columns run from right to left
                left, right, last = right, left, first
            width = right - left + self.columnWidth(last)
            self.viewport().update(left, self._row_top(row), width, self._row_height)
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
        self._row_height = line.height() + 12
        self._names.setDefaultSectionSize(self._row_height)

    def _take_lights(self, theme: Theme) -> None:
        self._light, self._soft_light = QColor(theme.accent_soft), QColor(theme.accent_soft)
        self._soft_light.setAlphaF(0.5)
        self._light_pictures: dict[tuple[bool, int, int, float], QPixmap] = {}

    def _paint_lights(self, painter: QPainter, rows: range) -> None:
        for row in rows:
            if light := self.light_of(row):
                picture = self._light_picture(light, self.viewport().width(), self.devicePixelRatio())
                painter.drawPixmap(QPoint(0, self._row_top(row)), picture)

    def _paint_marks(self, painter: QPainter) -> None:
        """Outline the rows that are pointed at, underline the number that is, and frame the pinned one."""
        if not self._pointed_rows and self._lit_cell is None and self._pinned_cell is None:
            return
        painter.setRenderHint(_SMOOTH)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(self.theme.text), 1.0))
        for row in self._pointed_rows:
            outline = QRectF(0, self._row_top(row), self.viewport().width(), self._row_height)
            painter.drawRoundedRect(outline.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        for cell, is_pinned in ((self._pinned_cell, True), (self._lit_cell, False)):
            if cell is None or not (cell[0] < self.rows.rowCount() and cell[1] < self.rows.columnCount()):
                continue
            box = QRectF(self._cell_rect(*cell)).adjusted(3, 3, -3, -3)
            if is_pinned:
                painter.setPen(QPen(QColor(self.theme.accent), 1.5))
                painter.drawRoundedRect(box, 3, 3)
            else:
                width = min(box.width(), self.cells.number_width(5))
                painter.fillRect(
                    QRectF(box.right() - width, box.bottom() - 2, width, 2), QColor(self.theme.accent_text)
                )

    def _light_picture(self, light: QColor, width: int, ratio: float) -> QPixmap:
        """Give the light behind a row on the table's ground: laying it costs less than a smooth rounded rectangle."""
        key = light is self._light, width, self._row_height, ratio
        if key not in self._light_pictures:
            picture = QPixmap(round(width * ratio), round(self._row_height * ratio))
            picture.setDevicePixelRatio(ratio)
            picture.fill(QColor(self.theme.panel))
            painter = QPainter(picture)
            painter.setRenderHint(_SMOOTH)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(light)
            painter.drawRoundedRect(QRectF(0, 0, width, self._row_height), 4, 4)
            painter.end()
            if len(self._light_pictures) >= _MOST_PICTURES:
                self._light_pictures.clear()
            self._light_pictures[key] = picture
        return self._light_pictures[key]

    def _rows_between(self, top: int, bottom: int) -> range:
        above = self._names.offset()
        first, last = (max(top, 0) + above) // self._row_height, (bottom + above) // self._row_height
        return range(first, min(last + 1, self.rows.rowCount()))

    def _row_top(self, row: int) -> int:
        return row * self._row_height - self._names.offset()

    def _columns_between(self, left: int, right: int) -> range:
        if self.isRightToLeft():
            left, right = right, left
        first, last = self.columnAt(left), self.columnAt(right)  # -1 is beyond the last column
        if first < 0:
            return range(0)
        return range(first, (last if last >= 0 else self.rows.columnCount() - 1) + 1)

    def _cell_rect(self, row: int, column: int) -> QRect:
        left, width = self.columnViewportPosition(column), self.columnWidth(column)
        return QRect(left, self._row_top(row), width, self._row_height)

    def _bar_width(self) -> int:
        bar = self.verticalScrollBar()
        return bar.width() if bar.isVisible() else 0

    def _repaint_row(self, row: int) -> None:
        if row != NO_ROW:
            self.viewport().update(0, self._row_top(row), self.viewport().width(), self._row_height)
            if self._names.isVisible():
                self._names.viewport().update()


class _LitNames(NameHeader):
    """The names beside scrolled columns, lit as the rows of the table are."""

    def light_of(self, row: int) -> QColor | None:
        """Ask the table."""
        table = self.parent()
        return table.light_of(row) if isinstance(table, TokenRows) else None
