"""The matrix on screen: one widget that paints cells, numbers and labels, and says what is pointed at and chosen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.views.announcing import Announcer
from attnviz.views.hints import plain_tooltip
from attnviz.views.matrix.colours import colours_of
from attnviz.views.matrix.ghost_painter import paint_ghosts
from attnviz.views.matrix.lettering import Lettering, PaintedText, logical
from attnviz.views.matrix.picture import Highlight, MatrixPicture
from attnviz.views.matrix.pin_painter import paint_marks
from attnviz.views.matrix.places import NOWHERE, Cursor, Place, box_of, place_at
from attnviz.views.matrix.stage import MatrixStage, stage_key
from attnviz.views.matrix.words import CELL_TIP, gutter_at, sentence_at, tip_at


class MatrixView(QWidget):
    """Shows a :class:`MatrixPicture`.

    Signals
    -------
    cell_pointed : int, int
        Row and column under the mouse or the keyboard cursor; (row, -1) on a row label, (-1, column) on a column
        label, (-1, -1) when it leaves.
    cell_chosen : int, int
        The cell was clicked, or Enter or Space was pressed on it.
    cell_opened : int, int
        The cell was double clicked, or Enter or Space was pressed on it while it was pinned.
    gutter_pointed : str, int
        The name of the gutter whose number is under the mouse or the cursor, and its row or column; what comes
        next, another number or a cell or nothing, says that it left.
    gutter_chosen : str, int
        The number of a gutter was clicked, or Enter or Space was pressed on it.
    """

    cell_pointed = Signal(int, int)
    cell_chosen = Signal(int, int)
    cell_opened = Signal(int, int)
    gutter_pointed = Signal(str, int)
    gutter_chosen = Signal(str, int)

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
        self._cursor = Cursor(0, 0)
        self._pointed = NOWHERE
        self.cell_tip = CELL_TIP  # what a click on a cell does
        self._letterings: dict[float, Lettering] = {}
        self._stage: MatrixStage | None = None
        self._is_stale = True
        self.announcer = Announcer(self, self.cursor_sentence)

    def show_picture(self, picture: MatrixPicture) -> None:
        """Draw this matrix from now on."""
        before, self._picture = self._picture, picture
        self._key = stage_key(picture)
        rows, columns = picture.shape
        if before is None or before.shape != picture.shape:
            self._cursor = Cursor(min(self._cursor.row, rows - 1), min(self._cursor.column, columns - 1))
        if before is None or (self._pointed.is_beside and _beside(before) != _beside(picture)):
            self._pointed = NOWHERE  # its number may be another one now
        self._is_stale = True
        stage = self._stage
        if stage is None or stage.key != self._key:
            self.update()
        else:
            self.update(stage.changing(picture))
        if self.hasFocus():
            self.announcer.describe()
            self.announcer.tell_changed()

    def show_highlight(self, highlight: Highlight) -> None:
        """Light up a row, a column and a chosen cell."""
        if highlight != self._highlight:
            self._highlight = highlight
            self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Draw in these colours from now on."""
        self._theme = theme
        self._forget_layout()

    @property
    def cursor_cell(self) -> tuple[int, int] | None:
        """The row and column that the keyboard is at; None where it is in a gutter, and without a picture."""
        place = self._cursor_place()
        return (place.row, place.column) if place.is_cell else None

    @property
    def cursor_gutter(self) -> tuple[str, int] | None:
        """The name of the gutter that the keyboard is in, and its row or column; None where it is at a cell."""
        place = self._cursor_place()
        gutter = gutter_at(self._picture, place)
        return None if gutter is None else (gutter.name, place.line)

    def go_to(self, row: int, column: int) -> None:
        """Put the keyboard at a cell."""
        self._cursor = Cursor(row, column)
        self.update()
        self.announcer.describe()

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
        place = self._under(QPointF(point))
        return (place.row, place.column) if place.is_cell else None

    def has_number_at(self, point: QPointF | QPoint) -> bool:
        """Tell whether a cell or a gutter's number is drawn at a point of the widget."""
        place = self._under(QPointF(point))
        return place.is_cell or (place.is_beside and not place.is_title)

    def gutter_rect(self, name: str, index: int) -> QRectF:
        """Give the rectangle of a gutter's number in the widget's coordinates; null where it is not drawn.

        Parameters
        ----------
        name
            The gutter's name.
        index
            The row, or the column of a gutter below the cells.
        """
        stage, picture = self._prepared(), self._picture
        if stage is None or picture is None:
            return QRectF()
        places = [Place(row=index, gutter=at) for at, gutter in enumerate(picture.gutters) if gutter.name == name]
        places += [Place(column=index, foot=at) for at, foot in enumerate(picture.feet) if foot.name == name]
        boxes = [box_of(stage.layout, place) for place in places]
        return QRectF() if not boxes or boxes[0] is None else logical(boxes[0], stage.layout.ratio)

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
        return "" if self._picture is None else sentence_at(self._picture, self._cursor_place())

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
            if picture.marks is not None:
                paint_marks(painter, picture.marks, stage.layout, self._theme)
            if picture.n_ghosts:
                paint_ghosts(painter, picture.n_ghosts, stage.layout, self._theme)
            cursor = box_of(stage.layout, self._cursor.place(stage.layout)) if self.hasFocus() else None
            stage.overlay.draw(painter, picture, self._highlight, cursor, has_labels)
            beside = box_of(stage.layout, self._pointed) if self._pointed.is_beside else None
            if beside is not None and beside != cursor:
                stage.overlay.draw_pointed(painter, beside)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell which cell or label the mouse is over, once each time it changes."""
        self._point_at(self._under(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the clicked cell; the right button goes there too, for the menu that it opens."""
        place, stage = self._under(event.position()), self._stage
        is_number = self.has_number_at(event.position())
        if stage is not None and is_number:
            self._cursor = Cursor.on(stage.layout, place)
            self.update()
            self.announcer.describe()
        if event.button() == Qt.MouseButton.LeftButton and is_number:
            self._choose(place)
        else:
            event.ignore()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the cell."""
        cell = self.cell_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and cell is not None:
            self.cell_opened.emit(*cell)
        else:
            event.ignore()

    def leaveEvent(self, event: QEvent) -> None:
        """Tell that nothing is pointed at any more."""
        self._point_at(NOWHERE)
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
        """Move the cursor, choose its cell or number, or let go of it."""
        stage = self._prepared()
        if stage is None:
            event.ignore()
            return
        key = event.key()
        moved = Cursor.on(stage.layout, self._cursor.place(stage.layout)).moved(stage.layout, key, event.modifiers())
        if moved is not None:
            self._cursor = moved
            self.update()
            self._point_at(moved.place(stage.layout))
            self.announcer.tell_moved()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._choose(self._cursor.place(stage.layout), is_by_key=True)
        elif key == Qt.Key.Key_Escape and self._pointed != NOWHERE:
            self._point_at(NOWHERE)
        else:
            event.ignore()

    def event(self, event: QEvent) -> bool:
        """Show the whole token over its label, and over a cell what a click does, as plain text."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            text = self._tip_at(QPointF(event.pos()))
            if text:
                cell = self.cell_at(event.pos())
                place = QRect() if cell is None else self.cell_rect(*cell).toAlignedRect()
                QToolTip.showText(event.globalPos(), plain_tooltip(text), self, place)
                return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Lay out anew when the font changes."""
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            self._letterings.clear()
            self._forget_layout()
        super().changeEvent(event)

    def _point_at(self, place: Place) -> None:
        before = self._pointed
        if place == before:
            return
        self._pointed = place
        if before.is_beside or place.is_beside:
            self.update()
        is_number = place.is_cell or (place.is_beside and not place.is_title)
        self.setCursor(Qt.CursorShape.PointingHandCursor if is_number else Qt.CursorShape.ArrowCursor)
        gutter = gutter_at(self._picture, place) if place.line >= 0 else None
        if gutter is not None:
            self.gutter_pointed.emit(gutter.name, place.line)
        elif not (place.is_title and (before.is_title or before == NOWHERE)):
            self.cell_pointed.emit(place.row, place.column)

    def _choose(self, place: Place, *, is_by_key: bool = False) -> None:
        gutter = gutter_at(self._picture, place)
        if gutter is None:
            is_pinned = is_by_key and self._highlight.pinned == (place.row, place.column)
            (self.cell_opened if is_pinned else self.cell_chosen).emit(place.row, place.column)
        else:
            self.gutter_chosen.emit(gutter.name, place.line)

    def _forget_layout(self) -> None:
        self._stage = None
        self.update()

    def _cursor_place(self) -> Place:
        stage = self._prepared()
        return NOWHERE if stage is None else self._cursor.place(stage.layout)

    def _under(self, point: QPointF) -> Place:
        stage = self._prepared()
        if stage is None:
            return NOWHERE
        ratio = stage.layout.ratio
        return place_at(stage.layout, point.x() * ratio, point.y() * ratio)

    def _tip_at(self, point: QPointF) -> str:
        picture, place, stage = self._picture, self._under(point), self._stage
        if picture is None or stage is None:
            return ""
        tip, note = self.cell_tip if place.is_cell else tip_at(picture, place), stage.layout.note
        is_note = not tip and note is not None and logical(note, stage.layout.ratio).contains(point)
        return stage.note if is_note else tip

    def _prepared(self) -> MatrixStage | None:
        picture = self._picture
        if picture is None:
            return None
        key, size, ratio = self._key, self.size(), self.devicePixelRatioF()
        stage = self._stage
        if stage is None or stage.key != key or stage.size != size or stage.lettering.ratio != ratio:
            stage = MatrixStage(
                picture, key, size, self._lettering_in, self._theme, colours_of(self._theme, picture.role)
            )
            self._stage = stage
            self._is_stale = True
        return stage

    def _lettering_in(self, scale: float) -> Lettering:
        found, ratio = self._letterings.get(scale), self.devicePixelRatioF()
        if found is None or found.ratio != ratio:
            found = self._letterings[scale] = Lettering(self.font(), ratio, scale)
        return found


def _beside(picture: MatrixPicture) -> tuple[object, ...]:
    return picture.shape, *[gutter.name for gutter in (*picture.gutters, *picture.feet)]
