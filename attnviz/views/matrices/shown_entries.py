"""A grid of numbers that scrolls: only the cells in sight are painted, in the colours of what the matrix is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QSizePolicy, QWidget

from attnviz.appearance import ENTRIES, LIGHT, Theme, ink_on
from attnviz.document.arrays import FloatArray
from attnviz.document.frame import drawn_limit
from attnviz.document.matrices import Role
from attnviz.document.matrix_edits import EDITABLE_MATRICES, EditableMatrix
from attnviz.document.numbers import SMALLEST
from attnviz.views.fonts import number_font, scaled
from attnviz.views.matrices.entry_geometry import EntryGeometry
from attnviz.views.number_marks import NumberMarks
from attnviz.views.numbers import exact_text, number_text, short_text
from attnviz.views.role_colours import signed_table

Place = tuple[int, int]

_USUAL_CHARACTERS, _MOST_CHARACTERS = 6, 8  # of a number: -0.707, -12.35; -123.4, -1.2e+05
_FIRST_LONG = 99.995
_PADDING = 5
_HEADING_SCALE = 0.9
_LEAST_ROWS, _LEAST_COLUMNS, _USUAL_COLUMNS = 2, 2, 4
_HALF = ENTRIES // 2
_MOST_LOOKED_AT = 1 << 16  # entries
_CENTRE = Qt.AlignmentFlag.AlignCenter


class ShownEntries(QAbstractScrollArea):
    """The entries of a matrix with the cursor of the keyboard.

    Parameters
    ----------
    name : str
        Which of the editable matrices it is.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.matrix: EditableMatrix = EDITABLE_MATRICES[name]
        self.array: FloatArray = np.zeros((1, 1))
        self.theme: Theme = LIGHT
        self.cursor_place: Place = (0, 0)
        self.tie = ""  # the matrix whose entries these are
        self._limit = 1.0
        self._write: Callable[[float], str] = short_text
        self._n_acting = 1
        self._n_characters = _USUAL_CHARACTERS
        self._lit: Place | None = None
        self._chosen: Place | None = None
        self._measured: EntryGeometry | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(f"{self.matrix.symbol}, {self.matrix.label}")
        self.viewport().setMouseTracking(True)

    def show_array(self, array: FloatArray, n_acting: int) -> None:
        """Show the entries, of which only the first columns act."""
        if array is self.array and n_acting == self._n_acting:
            return
        is_reshaped = array.shape != self.array.shape
        self.array, self._n_acting = array, n_acting
        self._limit = drawn_limit(max(float(array.max()), -float(array.min())))
        self._write = short_text if _is_short(array) else number_text
        characters = _characters(array)
        if is_reshaped or characters != self._n_characters:
            self._n_characters = characters
            self._measure_anew()
            self.cursor_place = (
                min(self.cursor_place[0], len(array) - 1),
                min(self.cursor_place[1], array.shape[1] - 1),
            )
        self.viewport().update()

    def show_marks(self, lit: Place | None, chosen: Place | None) -> None:
        """Light the cell that is pointed at, and frame the one that is chosen."""
        if (lit, chosen) != (self._lit, self._chosen):
            self._lit, self._chosen = lit, chosen
            self.viewport().update()

    @property
    def geometry_shown(self) -> EntryGeometry:
        """Where the cells lie now."""
        x, y = self.horizontalScrollBar().value(), self.verticalScrollBar().value()
        return replace(self._geometry(), scrolled_x=x, scrolled_y=y)

    def number(self, place: Place) -> float:
        """Give an entry."""
        return float(self.array[place])

    def is_acting(self, place: Place) -> bool:
        """Tell whether an entry acts."""
        return place[1] < self._n_acting

    def current_sentence(self) -> str:
        """Say the cell of the cursor."""
        row, column = self.cursor_place
        silent = "" if self.is_acting(self.cursor_place) else ", which does not act"
        silent = f", tied to {self.tie}" if self.tie else silent
        number = exact_text(self.number(self.cursor_place))
        return f"{self.matrix.symbol} row {row + 1}, column {column + 1}: {number}{silent}"

    def reveal(self, place: Place) -> None:
        """Scroll so that a cell is in sight."""
        shown, cell = self.geometry_shown, self.geometry_shown.cell(*place)
        width, height = self.viewport().width(), self.viewport().height()
        for bar, begin, end, first, last in (
            (self.horizontalScrollBar(), cell.left(), cell.right(), shown.left, width),
            (self.verticalScrollBar(), cell.top(), cell.bottom(), shown.top, height),
        ):
            if begin < first:
                bar.setValue(bar.value() - (first - begin))
            elif end >= last:
                bar.setValue(bar.value() + (end - last) + 1)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.theme = theme
        self.viewport().update()

    def sizeHint(self) -> QSize:
        """Give the room of all cells, of many for some of them."""
        shape = self._geometry()
        columns = min(shape.n_columns, _USUAL_COLUMNS)
        return QSize(shape.left + columns * shape.cell_width, min(shape.height, shape.top + 8 * shape.cell_height))

    def minimumSizeHint(self) -> QSize:
        """Give the room of two rows and two columns."""
        shape = self._geometry()
        bar = self.horizontalScrollBar().sizeHint().height()
        return QSize(
            shape.left + min(_LEAST_COLUMNS, shape.n_columns) * shape.cell_width + 2,
            shape.top + min(_LEAST_ROWS, shape.n_rows) * shape.cell_height + bar,
        )

    def changeEvent(self, event: QEvent) -> None:
        """Measure anew when the font changes."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._measure_anew()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the range of scrolling to the room."""
        super().resizeEvent(event)
        self._fit_bars()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint headings and the cells in sight."""
        shown, viewport = self.geometry_shown, self.viewport()
        rows, columns = shown.rows_in(viewport.height()), shown.columns_in(viewport.width())
        with QPainter(viewport) as painter:  # ended in any case: Qt crashes on one that is left active
            painter.fillRect(viewport.rect(), QColor(self.theme.panel))
            self._paint_headings(painter, shown, rows, columns)
            right, bottom = viewport.width() - shown.left, viewport.height() - shown.top
            painter.setClipRect(shown.left - 1, shown.top - 1, right + 1, bottom + 1)
            painter.setFont(number_font(self.font()))
            self._paint_cells(painter, shown, rows, columns)
            self._paint_marks(painter, shown)

    # -- helpers

    def _paint_headings(self, painter: QPainter, shown: EntryGeometry, rows: range, columns: range) -> None:
        painter.setFont(scaled(self.font(), _HEADING_SCALE))
        painter.setPen(QColor(self.theme.muted))
        width, height = self.viewport().width(), self.viewport().height()
        painter.setClipRect(shown.left, 0, width - shown.left, shown.top)
        for column in columns:
            cell = shown.cell(0, column)
            painter.drawText(QRect(cell.left(), 0, cell.width(), shown.top), _CENTRE, str(column + 1))
        painter.setClipRect(0, shown.top, shown.left, height - shown.top)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for row in rows:
            cell = shown.cell(row, 0)
            painter.drawText(QRect(0, cell.top(), shown.left - _PADDING, cell.height()), right, str(row + 1))

    def _paint_cells(self, painter: QPainter, shown: EntryGeometry, rows: range, columns: range) -> None:
        grounds, inks = cell_colours(self.theme, self.matrix.role)
        part = self.array[rows.start : rows.stop, columns.start : columns.stop]
        entries = (np.rint(part / self._limit * _HALF).astype(int) + _HALF).tolist()
        numbers, muted, inset = part.tolist(), QColor(self.theme.muted), QColor(self.theme.panel)
        edge = QColor(self.theme.grid)
        for row in rows:
            for column in columns:
                cell, is_acting = shown.cell(row, column), column < self._n_acting
                entry = entries[row - rows.start][column - columns.start]
                painter.fillRect(cell, grounds[entry] if is_acting else inset)
                if not is_acting:
                    painter.setPen(QPen(edge, 1.0))
                    painter.drawRect(cell.adjusted(0, 0, -1, -1))
                painter.setPen(inks[entry] if is_acting else muted)
                painter.drawText(cell, _CENTRE, self._write(numbers[row - rows.start][column - columns.start]))

    def _paint_marks(self, painter: QPainter, shown: EntryGeometry) -> None:
        for place, marks in (
            (self._chosen, NumberMarks(is_pinned=True, theme=self.theme)),
            (self._lit, NumberMarks(is_lit=True, theme=self.theme)),
        ):
            if place is not None:
                marks.paint(painter, QRectF(shown.cell(*place)))
        if self.hasFocus() or self.viewport().hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self.theme.accent), 2.0))
            painter.drawRoundedRect(QRectF(shown.cell(*self.cursor_place)).adjusted(0.5, 0.5, 0, 0), 3, 3)

    def _geometry(self) -> EntryGeometry:
        """Measure what does not depend on scrolling."""
        if self._measured is None:
            metrics, heading = QFontMetrics(number_font(self.font())), QFontMetrics(scaled(self.font(), _HEADING_SCALE))
            n_rows, n_columns = self.array.shape
            self._measured = EntryGeometry(
                n_rows,
                n_columns,
                cell_width=metrics.horizontalAdvance("0" * self._n_characters) + 2 * _PADDING,
                cell_height=metrics.height() + 2 * _PADDING + 4,
                left=heading.horizontalAdvance(str(n_rows)) + 2 * _PADDING,
                top=heading.height() + 2,
            )
        return self._measured

    def _measure_anew(self) -> None:
        self._measured = None
        shape, bar = self._geometry(), self.verticalScrollBar().sizeHint().width()
        self.setMaximumSize(shape.width + bar, shape.height + bar)  # no emptiness between it and what stands around
        self._fit_bars()
        self.updateGeometry()

    def _fit_bars(self) -> None:
        shape, viewport = self._geometry(), self.viewport()
        for bar, whole, room, step in (
            (self.horizontalScrollBar(), shape.width, viewport.width(), shape.cell_width),
            (self.verticalScrollBar(), shape.height, viewport.height(), shape.cell_height),
        ):
            bar.setRange(0, max(0, whole - room))
            bar.setPageStep(max(1, room))
            bar.setSingleStep(step)


def _characters(array: FloatArray) -> int:
    """Give the room that the longest number needs."""
    if array.size > _MOST_LOOKED_AT:
        return _MOST_CHARACTERS
    magnitudes = np.abs(array)
    is_long = (magnitudes >= _FIRST_LONG) | ((magnitudes > 0.0) & (magnitudes < SMALLEST))
    return _MOST_CHARACTERS if is_long.any() else _USUAL_CHARACTERS


def _is_short(array: FloatArray) -> bool:
    """Tell whether every entry has at most three decimals: then they are written as short as they can be."""
    if array.size > _MOST_LOOKED_AT:
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        thousandths = array * 1e3
        return bool((np.abs(thousandths - np.rint(thousandths)) < 1e-6).all())


@lru_cache(maxsize=16)
def cell_colours(theme: Theme, role: Role) -> tuple[tuple[QColor, ...], tuple[QColor, ...]]:
    """Give the grounds of the cells from the most negative to the most positive entry, and the ink on each."""
    table = signed_table(theme, role)
    grounds = tuple([QColor(*colour) for colour in table.tolist()])
    return grounds, tuple([QColor(*colour) for colour in ink_on(table).tolist()])
