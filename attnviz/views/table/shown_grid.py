"""What the table shows and how it is painted: only cells in sight are read, written and drawn."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QEvent, QItemSelectionModel, QItemSelectionRange, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTableView, QWidget

from attnviz.appearance import Theme
from attnviz.document.frame import Frame
from attnviz.document.matrices import Matrix, axis_colours
from attnviz.views.table.cells import EXACT_CHARACTERS, SHORT_CHARACTERS, CellPainter, Lights
from attnviz.views.table.corner import Corner
from attnviz.views.table.header import PADDING, AxisHeader, arrow_width
from attnviz.views.table.model import MatrixModel
from attnviz.views.table.order import NAMES

_LONGEST_ROW, _LONGEST_COLUMN = 16, 11  # names in average letters; longer ones are elided


class ShownGrid(QTableView):
    """A table of one matrix, painted here and not by Qt, which asks the model some twenty things for each cell."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.matrix_model = MatrixModel(self)
        self.lights = Lights()
        self.columns_header = AxisHeader(Qt.Orientation.Horizontal, self)
        self.rows_header = AxisHeader(Qt.Orientation.Vertical, self)
        self._cells = CellPainter()
        self._is_showing = False
        self._fitted: tuple[object, ...] = ()
        self.setModel(self.matrix_model)
        self.setHorizontalHeader(self.columns_header)
        self.setVerticalHeader(self.rows_header)
        self.corner = Corner(self)
        self.setAccessibleName("Table")
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrap(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def show_matrix(self, frame: Frame, matrix: Matrix) -> None:
        """Show a matrix of a frame; where it has the same size, selection, cursor and order are kept."""
        self._is_showing = True
        current = self.currentIndex()
        if self.matrix_model.show_matrix(frame, matrix):
            rows, columns = self.matrix_model.rowCount(), self.matrix_model.columnCount()
            row, column = min(max(current.row(), 0), rows - 1), min(max(current.column(), 0), columns - 1)
            index = self.matrix_model.index(row, column)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.corner.show_text(f"{matrix.rows} ╲ {matrix.columns}")
        self.columns_header.colours = axis_colours(frame, matrix.columns)
        self.rows_header.colours = axis_colours(frame, matrix.rows)
        self._mark_order()
        self.fit_sections()
        self.matrix_model.tell_changed(*self.visible_cells())
        self._is_showing = False

    def show_lights(self, lights: Lights) -> None:
        """Light a row, a column and the chosen cell; only what differs is painted again."""
        old, self.lights = self.lights, lights
        if lights == old:
            return
        area = self.viewport().rect()
        for some in (old, lights):
            if some.row is not None:
                rect = self.cell_rect(some.row, 0)
                self.viewport().update(QRect(0, rect.top(), area.width(), rect.height()))
            if some.column is not None:
                rect = self.cell_rect(0, some.column)
                self.viewport().update(QRect(rect.left(), 0, rect.width(), area.height()))
            if some.pinned is not None:
                self.viewport().update(self.cell_rect(*some.pinned))

    def choose_digits(self, *, is_exact: bool) -> None:
        """Write all digits, or about three."""
        self.matrix_model.is_exact = is_exact
        self.fit_sections()
        self.viewport().update()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._cells.apply_theme(theme)
        palette = self.palette()
        for role in (QPalette.ColorRole.Base, QPalette.ColorRole.Window, QPalette.ColorRole.Button):
            palette.setColor(role, QColor(theme.panel))
        self.setPalette(palette)
        for header in (self.columns_header, self.rows_header):
            header.theme = theme
            header.viewport().update()
        self.corner.theme = theme
        self.viewport().update()

    def visible_cells(self) -> tuple[range, range]:
        """Give the rows and columns of the table that are at least partly in sight."""
        return self._cells_in(self.viewport().rect())

    def cell_rect(self, row: int, column: int) -> QRect:
        """Give the rectangle of a cell of the document, in the viewport; a null one where there is no such cell."""
        model = self.matrix_model
        if row >= model.rowCount() or column >= model.columnCount():
            return QRect()
        shown = model.row_of(row)
        return self._rect(shown, shown, column, column)

    def selected_areas(self) -> list[QItemSelectionRange]:
        """Give the rectangles that make up the selection; a whole table is one of them."""
        areas = self.selectionModel().selection()
        return [areas.at(place) for place in range(areas.size())]

    def fit_sections(self) -> None:
        """Fit rows and columns to font, digits and names."""
        model = self.matrix_model
        state = (model.row_names, model.column_names, model.is_exact, self.font())
        if state == self._fitted:
            return
        self._fitted = state
        self._cells.apply_font(self.font())
        metrics = self.fontMetrics()
        number = self._cells.width(EXACT_CHARACTERS if model.is_exact else SHORT_CHARACTERS)
        arrow = arrow_width(metrics)
        name = _widest(model.column_names, metrics, _LONGEST_COLUMN) + arrow
        self.columns_header.setDefaultSectionSize(max(number, self._cells.advance * ceil(name / self._cells.advance)))
        self.columns_header.setFixedHeight(metrics.height() + 12)
        self.rows_header.setFixedWidth(_widest((*model.row_names, self.corner.text), metrics, _LONGEST_ROW) + arrow)
        self.rows_header.setDefaultSectionSize(metrics.height() + 8)
        self.updateGeometries()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is selected and lit, the numbers over it, and the frames of cursor and chosen cell."""
        with QPainter(self.viewport()) as painter:  # ended in any case: Qt crashes on one that is left active
            for area in event.region():  # type: ignore[attr-defined]  # the stubs do not know that it can be iterated
                painter.setClipRect(area)
                painter.fillRect(area, self._cells.ground)
                rows, columns = self._cells_in(area)
                if rows and columns:
                    self._paint_lights(painter, rows, columns)
                    self._paint_rows(painter, rows, columns)
                    self._paint_marks(painter, rows)
                    self._paint_frames(painter)

    def _paint_rows(self, painter: QPainter, rows: range, columns: range) -> None:
        model = self.matrix_model
        shown = columns[::-1] if self.isRightToLeft() else columns
        for row in rows:
            rect = self._rect(row, row, columns[0], columns[-1])
            self._cells.paint_line(painter, rect)
            texts = [(model.cell_text(row, column), model.is_masked(row, column)) for column in shown]
            self._cells.paint_row(painter, texts, rect)

    def _paint_marks(self, painter: QPainter, rows: range) -> None:
        """Paint a corner on each pinned cell, and a bar at each row that follows from one."""
        marks = self.matrix_model.marks
        if marks is None:
            return
        for row in rows:
            if marks.rows[self.matrix_model.place(row)]:
                self._cells.paint_pin_bar(painter, self._rect(row, row, 0, 0))
        for cell in marks.cells:
            if (rect := self.cell_rect(*cell)).isValid():
                self._cells.paint_pin(painter, rect)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.fit_sections()

    def _paint_lights(self, painter: QPainter, rows: range, columns: range) -> None:
        model, lights = self.matrix_model, self.lights
        if lights.row is not None and lights.row < model.rowCount():
            row = model.row_of(lights.row)
            painter.fillRect(self._rect(row, row, columns[0], columns[-1]), self._cells.lit)
        if lights.column is not None and lights.column < model.columnCount():
            painter.fillRect(self._rect(rows[0], rows[-1], lights.column, lights.column), self._cells.lit)
        for area in self.selected_areas():
            top, bottom = max(area.top(), rows[0]), min(area.bottom(), rows[-1])
            left, right = max(area.left(), columns[0]), min(area.right(), columns[-1])
            if top <= bottom and left <= right:
                painter.fillRect(self._rect(top, bottom, left, right), self._cells.selected)

    def _paint_frames(self, painter: QPainter) -> None:
        lights, current = self.lights, self.currentIndex()
        if lights.pinned is not None and (rect := self.cell_rect(*lights.pinned)).isValid():
            self._cells.paint_pinned(painter, rect)
        if lights.row is None or lights.column is None:
            pass
        elif (rect := self.cell_rect(lights.row, lights.column)).isValid():
            self._cells.paint_lit(painter, rect)
        if self.hasFocus() and current.isValid():
            self._cells.paint_cursor(painter, self.visualRect(current))

    def _rect(self, top: int, bottom: int, left: int, right: int) -> QRect:
        """Give the rectangle of some rows and columns of the table, both ends included."""
        y, height = self.rowViewportPosition(top), (bottom - top + 1) * self.rowHeight(0)
        ends = sorted((self.columnViewportPosition(left), self.columnViewportPosition(right)))
        return QRect(ends[0], y, ends[1] - ends[0] + self.columnWidth(0), height)

    def _cells_in(self, area: QRect) -> tuple[range, range]:
        rows, columns = self.matrix_model.rowCount(), self.matrix_model.columnCount()
        left, right = (area.right(), area.left()) if self.isRightToLeft() else (area.left(), area.right())
        return (
            _between(self.rowAt(area.top()), self.rowAt(area.bottom()), rows),
            _between(self.columnAt(left), self.columnAt(right), columns),
        )

    def _mark_order(self) -> None:
        model = self.matrix_model
        order = model.order
        is_by_name = order.column == NAMES
        self.columns_header.show_sorted(None if is_by_name else order.column, order.is_descending)
        self.corner.show_sorted(order.is_descending if is_by_name else None)
        places = None if order.column is None else model.places.tolist()
        if places != self.rows_header.places:
            self.rows_header.places = places
            self.rows_header.viewport().update()


def _between(first: int, last: int, count: int) -> range:
    """Give the sections from one place to another; -1 is a place beyond the last section."""
    return range(first, (last if last >= 0 else count - 1) + 1) if first >= 0 else range(0)


def _widest(names: tuple[str, ...], metrics: QFontMetrics, most: int) -> int:
    longest = max(map(metrics.horizontalAdvance, names), default=0)
    return min(longest, most * metrics.averageCharWidth()) + 2 * PADDING
