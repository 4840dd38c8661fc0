"""The matrix on screen: one widget that paints cells, numbers and labels, and says what is pointed at and chosen."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.views.announcing import Announcer
from attnviz.views.hints import plain_tooltip
from attnviz.views.matrix.colours import CellColours
from attnviz.views.matrix.lettering import Lettering, PaintedText, logical, shown_token
from attnviz.views.matrix.picture import Highlight, MatrixPicture
from attnviz.views.matrix.stage import MatrixStage, stage_key
from attnviz.views.numbers import number_text

_PAGE = 10
_NOWHERE = (-1, -1)


class MatrixView(QWidget):
    """Shows a :class:`MatrixPicture`.

    Signals
    -------
    cell_pointed : int, int
        Row and column under the mouse or the keyboard cursor; (row, -1) on a row label, (-1, column) on a column
        label, (-1, -1) when it leaves.
    cell_chosen : int, int
        The cell was clicked, or Enter or Space was pressed on it.
    """

    cell_pointed = Signal(int, int)
    cell_chosen = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Matrix")
        self._theme = LIGHT
        self._picture: MatrixPicture | None = None
        self._key: tuple[object, ...] = ()
        self._highlight = Highlight()
        self._cursor = (0, 0)
        self._pointed = _NOWHERE
        self._letterings: dict[float, Lettering] = {}
        self._colours: dict[tuple[str, bool], CellColours] = {}
        self._stage: MatrixStage | None = None
        self._is_stale = True
        self.announcer = Announcer(self, self.cursor_sentence)

    def show_picture(self, picture: MatrixPicture) -> None:
        """Draw this matrix from now on."""
        self._picture = picture
        self._key = stage_key(picture)
        rows, columns = picture.shape
        self._cursor = (min(self._cursor[0], rows - 1), min(self._cursor[1], columns - 1))
        self._is_stale = True
        if self.hasFocus():
            self.announcer.tell_changed()
        stage = self._stage
        if stage is None or stage.key != self._key:
            self.update()
        else:
            self.update(stage.changing(picture))

    def show_highlight(self, highlight: Highlight) -> None:
        """Light up a row, a column and a pinned cell."""
        if highlight != self._highlight:
            self._highlight = highlight
            self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Draw in these colours from now on."""
        self._theme = theme
        self._forget_layout()

    def cell_rect(self, row: int, column: int) -> QRectF:
        """Give the rectangle of a cell in the widget's coordinates.

        Parameters
        ----------
        row, column
            A cell of the shown picture.

        Returns
        -------
        QRectF
            Null without a picture.
        """
        stage = self._prepared()
        return QRectF() if stage is None else logical(stage.layout.cell(row, column), stage.layout.ratio)

    def cell_at(self, point: QPointF | QPoint) -> tuple[int, int] | None:
        """Give the cell drawn at a point of the widget, or None beside the cells."""
        row, column = self._under(QPointF(point))
        return None if row < 0 or column < 0 else (row, column)

    def painted_texts(self) -> list[PaintedText]:
        """List every text on screen with its rectangle.

        Returns
        -------
        list of (str, QRectF)
        """
        stage, picture = self._prepared(), self._picture
        if stage is None or picture is None:
            return []
        return stage.texts(picture, self._highlight)

    def cursor_sentence(self) -> str:
        """Say the cell under the cursor, for a screen reader; empty without a picture."""
        picture, (row, column) = self._picture, self._cursor
        if picture is None:
            return ""
        if picture.sentence is not None:
            return picture.sentence(row, column)
        number = picture.cells(np.array([row]), np.array([column]))[0, 0]
        return f"row {picture.row_labels[row]}, column {picture.column_labels[column]}, {number_text(float(number))}"

    def sizeHint(self) -> QSize:
        """Ask for room for a few cells with their labels."""
        return QSize(420, 320)

    def minimumSizeHint(self) -> QSize:
        """Keep the labels and some cells."""
        return QSize(200, 140)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Copy the frame and the cells, and draw what is lit up over them."""
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            stage, picture = self._prepared(), self._picture
            if stage is None or picture is None:
                painter.fillRect(self.rect(), QColor(self._theme.panel))
                return
            if self._is_stale:
                self._is_stale = False
                stage.cells.draw(picture)
            has_labels = stage.paint(painter, picture, event.rect())
            cursor = self._cursor if self.hasFocus() else None
            stage.overlay.draw(painter, picture, self._highlight, cursor, has_labels)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell which cell or label the mouse is over, once each time it changes."""
        self._point_at(self._under(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the clicked cell."""
        cell = self.cell_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and cell is not None:
            self._cursor = cell
            self.update()
            self.announcer.describe()
            self.cell_chosen.emit(*cell)
        else:
            event.ignore()

    def leaveEvent(self, event: QEvent) -> None:
        """Tell that nothing is pointed at any more."""
        self._point_at(_NOWHERE)
        super().leaveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the cursor, and describe its cell."""
        super().focusInEvent(event)
        self.announcer.describe()
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the cursor."""
        super().focusOutEvent(event)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the cursor, choose its cell, or let go of it."""
        if self._picture is None:
            event.ignore()
            return
        key = event.key()
        moved = _moved(self._cursor, self._picture.shape, key, event.modifiers())
        if moved is not None:
            self._cursor = moved
            self.update()
            self._point_at(moved)
            self.announcer.tell_moved()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.cell_chosen.emit(*self._cursor)
        elif key == Qt.Key.Key_Escape and self._pointed != _NOWHERE:
            self._point_at(_NOWHERE)
        else:
            event.ignore()

    def event(self, event: QEvent) -> bool:
        """Show the whole token over its label, as plain text."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            text = self._tip_at(QPointF(event.pos()))
            if text:
                QToolTip.showText(event.globalPos(), plain_tooltip(text), self)
                return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Lay out anew when the font changes."""
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            self._letterings.clear()
            self._forget_layout()
        super().changeEvent(event)

    def _point_at(self, place: tuple[int, int]) -> None:
        if place != self._pointed:
            self._pointed = place
            self.cell_pointed.emit(*place)

    def _forget_layout(self) -> None:
        self._stage = None
        self.update()

    def _under(self, point: QPointF) -> tuple[int, int]:
        stage = self._prepared()
        if stage is None:
            return _NOWHERE
        layout = stage.layout
        x, y = point.x() * layout.ratio, point.y() * layout.ratio
        row, column = layout.rows.index_at(y), layout.columns.index_at(x)
        is_row_label = layout.row_labels.x <= x < layout.columns.origin
        is_column_label = layout.column_labels.y <= y < layout.rows.origin
        if row is not None and (column is not None or is_row_label):
            return row, -1 if column is None else column
        return (-1, column) if column is not None and is_column_label else _NOWHERE

    def _tip_at(self, point: QPointF) -> str:
        picture, (row, column) = self._picture, self._under(point)
        stage = self._stage
        if picture is None or stage is None:
            return ""
        if row >= 0 and column < 0:
            return shown_token(picture.row_labels[row])
        if column >= 0 and row < 0:
            return shown_token(picture.column_labels[column])
        note = stage.layout.note
        return stage.note if note is not None and logical(note, stage.layout.ratio).contains(point) else ""

    def _prepared(self) -> MatrixStage | None:
        picture = self._picture
        if picture is None:
            return None
        key, size, ratio = self._key, self.size(), self.devicePixelRatioF()
        stage = self._stage
        if stage is None or stage.key != key or stage.size != size or stage.lettering.ratio != ratio:
            stage = MatrixStage(picture, key, size, self._lettering_in, self._theme, self._colours_for(picture))
            self._stage = stage
            self._is_stale = True
        return stage

    def _lettering_in(self, scale: float) -> Lettering:
        found, ratio = self._letterings.get(scale), self.devicePixelRatioF()
        if found is None or found.ratio != ratio:
            found = self._letterings[scale] = Lettering(self.font(), ratio, scale)
        return found

    def _colours_for(self, picture: MatrixPicture) -> CellColours:
        is_diverging = picture.scale == "diverging"
        key = (self._theme.name, is_diverging)
        if key not in self._colours:
            self._colours[key] = CellColours.of(self._theme, is_diverging)
        return self._colours[key]


def _moved(
    cursor: tuple[int, int], shape: tuple[int, int], key: int, modifiers: Qt.KeyboardModifier
) -> tuple[int, int] | None:
    """Give the cell a key moves the cursor to, or None for another key."""
    (row, column), (rows, columns) = cursor, shape
    is_far = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
    down, right = (rows, columns) if is_far else (1, 1)
    steps: dict[int, tuple[int, int]] = {
        Qt.Key.Key_Up: (-down, 0),
        Qt.Key.Key_Down: (down, 0),
        Qt.Key.Key_Left: (0, -right),
        Qt.Key.Key_Right: (0, right),
        Qt.Key.Key_PageUp: (-_PAGE, 0),
        Qt.Key.Key_PageDown: (_PAGE, 0),
        Qt.Key.Key_Home: (-rows if is_far else 0, -columns),
        Qt.Key.Key_End: (rows if is_far else 0, columns),
    }
    step = steps.get(key)
    if step is None:
        return None
    return min(max(0, row + step[0]), rows - 1), min(max(0, column + step[1]), columns - 1)
