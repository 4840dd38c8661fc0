"""The small multiples as a widget: one matrix a head, chosen by click or by arrow keys and Enter."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.views.announcing import Announcer
from attnviz.views.heads.grid_layout import GridLayout, asked_of, lay_out_grid, least_height
from attnviz.views.heads.grid_painter import GridPainter
from attnviz.views.heads.tiles import Tile
from attnviz.views.hints import plain_tooltip
from attnviz.views.matrix.lettering import PaintedText
from attnviz.views.matrix.picture import Highlight
from attnviz.views.stages.strip_fonts import StripFonts

_LEAST_LINES_WIDE = 6
_CHOOSING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class HeadGrid(QWidget):
    """A grid of small matrices.

    Parameters
    ----------
    sentence : callable
        Says the tile at a place, for screen readers and tooltips.

    Signals
    -------
    tile_chosen : int
        The tile at this place was clicked, or Enter pressed on it.
    tile_opened : int
        It was double clicked.
    cell_pointed : int, int, int
        The mouse is over this row and column of the tile at a place; -1 for beside.
    """

    tile_chosen = Signal(int)
    tile_opened = Signal(int)
    cell_pointed = Signal(int, int, int)

    def __init__(self, sentence: Callable[[int], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sentence = sentence
        self._theme: Theme = LIGHT
        self._tiles: tuple[Tile, ...] = ()
        self._lit: tuple[Highlight, ...] = ()
        self._asked: tuple[object, ...] = ()
        self._shown: int | None = None
        self._cursor = 0
        self._pointed = (-1, -1, -1)
        self._fonts: StripFonts | None = None
        self._layout = GridLayout()
        self._painter: GridPainter | None = None
        self._ground = QImage()
        self._ground_key: tuple[int | None, int] | None = None
        self._announcer = Announcer(self, self._cursor_sentence)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Heads")

    # -- what is shown

    @property
    def current(self) -> int:
        """The place of the tile that the keyboard is at."""
        return self._cursor

    def show_tiles(self, tiles: Sequence[Tile], shown: int | None) -> None:
        """Draw these tiles, one of them as shown; only what changes is painted anew."""
        self._tiles, asked = tuple(tiles), asked_of(tiles)
        if shown != self._shown:
            self._shown = shown
            self._cursor = self._cursor if shown is None else shown
            self._redraw_ground()
        if asked != self._asked or self._painter is None:
            self._asked = asked
            self._cursor = min(self._cursor, len(tiles) - 1)
            self._lit = (Highlight(),) * len(tiles)
            self._lay_out()
            self.updateGeometry()
            return
        changed = QRectF()
        for place in self._painter.take(self._tiles):
            changed = changed.united(self._layout.tiles[place].whole)
        if not changed.isEmpty():
            self.update(changed.toAlignedRect())
        if self.hasFocus():
            self._announcer.tell_changed()

    def show_lit(self, lit: Highlight) -> None:
        """Light the same row and column in every tile."""
        new = (lit,) * len(self._tiles)
        if new != self._lit:
            self._lit = new
            self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._lay_out()

    def tile_rect(self, place: int) -> QRectF:
        """Give where a tile is."""
        return QRectF(self._layout.tiles[place].whole)

    def cell_rect(self, place: int, row: int, column: int) -> QRectF:
        """Give where a cell is."""
        return self._layout.tiles[place].cell_rect(row, column, self.devicePixelRatioF())

    def painted_texts(self) -> list[PaintedText]:
        """List every text with its box."""
        return [] if self._painter is None else self._painter.texts(self._tiles)

    # -- sizes

    def sizeHint(self) -> QSize:
        """Ask for some lines of text; what there is more goes to the cells."""
        line = self.fontMetrics().height()
        return QSize(16 * line, max(10 * line, self.minimumSizeHint().height()))

    def minimumSizeHint(self) -> QSize:
        """Keep a few pixels of each matrix."""
        line = self.fontMetrics().height()
        if not self._tiles:
            return QSize(_LEAST_LINES_WIDE * line, 5 * line)
        has_bars = self._tiles[0].share is not None
        width = max(float(self.width()), _LEAST_LINES_WIDE * line)
        return QSize(
            _LEAST_LINES_WIDE * line,
            round(least_height(len(self._tiles), width, self._prepared_fonts(), has_bars=has_bars)),
        )

    # -- events

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is exposed."""
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            if self._fonts is not None and self._fonts.ratio != self.devicePixelRatioF():
                self._lay_out()
            if self._painter is None:
                painter.fillRect(event.rect(), QColor(self._theme.panel))
                return
            part, ratio = event.rect(), self.devicePixelRatioF()
            source = QRectF(part.x() * ratio, part.y() * ratio, part.width() * ratio, part.height() * ratio)
            painter.drawImage(QRectF(part), self._prepared_ground(self._painter), source)
            self._painter.paint(painter, self._tiles, self._lit, QRectF(part))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out for another size."""
        super().resizeEvent(event)
        self._lay_out()
        if event.oldSize().width() != event.size().width():
            self.updateGeometry()

    def changeEvent(self, event: QEvent) -> None:
        """Lay out anew when the font changes."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fonts = None
            self._lay_out()

    def event(self, event: QEvent) -> bool:
        """Tell what the tile under the mouse is."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            place = self._layout.tile_at(event.pos().x(), event.pos().y())
            if place is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), plain_tooltip(self._sentence(place)), self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the tile under the mouse."""
        place = self._layout.tile_at(event.position().x(), event.position().y())
        if event.button() != Qt.MouseButton.LeftButton or place is None:
            event.ignore()
            return
        self._go_to(place)
        self.tile_chosen.emit(place)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the tile under the mouse."""
        place = self._layout.tile_at(event.position().x(), event.position().y())
        if event.button() == Qt.MouseButton.LeftButton and place is not None:
            self.tile_opened.emit(place)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell which cell the mouse is over."""
        place = self._layout.tile_at(event.position().x(), event.position().y())
        cell = None if place is None else self._layout.tiles[place].cell_at(event.position(), self.devicePixelRatioF())
        self._point_at((-1, -1, -1) if place is None or cell is None else (place, *cell))

    def leaveEvent(self, event: QEvent) -> None:
        """Point at nothing."""
        super().leaveEvent(event)
        self._point_at((-1, -1, -1))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from tile to tile, and choose one."""
        columns, last = self._layout.columns, len(self._tiles) - 1
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -columns,
            Qt.Key.Key_Down: columns,
            Qt.Key.Key_Home: -last,
            Qt.Key.Key_End: last,
        }
        key = Qt.Key(event.key())
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif key in steps:
            place = self._cursor + steps[key]
            is_jump = key in (Qt.Key.Key_Home, Qt.Key.Key_End)
            if is_jump or 0 <= place <= last:
                self._go_to(max(0, min(place, last)))
        elif key in _CHOOSING:
            self.tile_chosen.emit(self._cursor)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Mark the tile that the keyboard is at, and say it."""
        super().focusInEvent(event)
        self._redraw_ground()
        self._announcer.tell_moved()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Mark it no more."""
        super().focusOutEvent(event)
        self._redraw_ground()

    # -- inside

    def _go_to(self, place: int) -> None:
        if place != self._cursor:
            self._cursor = place
            self._redraw_ground()
            self._announcer.tell_moved()

    def _cursor_sentence(self) -> str:
        return self._sentence(self._cursor) if self._tiles else ""

    def _point_at(self, pointed: tuple[int, int, int]) -> None:
        if pointed != self._pointed:
            self._pointed = pointed
            self.cell_pointed.emit(*pointed)

    def _redraw_ground(self) -> None:
        self._ground_key = None
        self.update()

    def _prepared_fonts(self) -> StripFonts:
        if self._fonts is None or self._fonts.ratio != self.devicePixelRatioF():
            self._fonts = StripFonts(self.font(), self.devicePixelRatioF())
        return self._fonts

    def _prepared_ground(self, painter: GridPainter) -> QImage:
        key = (self._shown, self._cursor if self.hasFocus() else -1)
        if key != self._ground_key:
            self._ground_key = key
            self._ground = painter.ground(self._tiles, QRectF(self.rect()), *key)
        return self._ground

    def _lay_out(self) -> None:
        if not self._tiles:
            return
        fonts = self._prepared_fonts()
        self._layout = lay_out_grid(self._tiles, self.width(), self.height(), fonts)
        self._painter = GridPainter(self._layout, fonts, self._theme)
        self._redraw_ground()
