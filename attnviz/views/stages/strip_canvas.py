"""What is seen of the strip: matrices from left to right in a widget that scrolls sideways, painted when it must be."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFocusEvent, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.views.matrix.lettering import PaintedText
from attnviz.views.matrix.picture import Highlight
from attnviz.views.stages.placed import REACH, Asked, StripLayout
from attnviz.views.stages.shown import Shown
from attnviz.views.stages.strip_fonts import StripFonts
from attnviz.views.stages.strip_layout import lay_out_strip, low_height, usual_height
from attnviz.views.stages.strip_painter import StripPainter

_SCROLL_STEP = 60
_NARROWEST = 200


class StripCanvas(QAbstractScrollArea):
    """Shows matrices side by side, and marks one as chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalScrollBar().setSingleStep(_SCROLL_STEP)
        self.horizontalScrollBar().setAccessibleName("Scroll the stages")
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._theme = LIGHT
        self._shown: tuple[Shown, ...] = ()
        self._asked: tuple[Asked, ...] = ()
        self._highlights: tuple[Highlight, ...] = ()
        self._current, self._is_open = 0, False
        self._fonts: StripFonts | None = None
        self._layout = StripLayout()
        self._painter: StripPainter | None = None
        self._changing = QRectF()
        self._ground = QImage()
        self._ground_key: tuple[object, ...] = ()

    # -- what is shown

    @property
    def current(self) -> str:
        """The name of the chosen matrix; empty before the first frame."""
        return self._asked[self._current].name if self._asked else ""

    def show_matrices(self, shown: Sequence[Shown]) -> None:
        """Draw these matrices from now on; everything stays where it is unless a shape is another."""
        self._shown, new = tuple(shown), tuple(one.asked for one in shown)
        if new == self._asked:
            self._update(self._changing)
            return
        name = self.current
        self._asked = new
        self._highlights = (Highlight(),) * len(new)
        self._current = max(0, next((i for i, each in enumerate(new) if each.name == name), 0))
        self._lay_out()

    def show_highlights(self, highlights: Sequence[Highlight]) -> None:
        """Light up what is pointed at and pinned, one entry a matrix."""
        new = tuple(highlights)
        pairs = zip(self._layout.matrices, self._highlights, new, strict=True)
        changed = QRectF()
        for placed, old, one in pairs:
            if one != old:
                changed = changed.united(placed.cells)
        self._highlights = new
        if not changed.isEmpty():
            self._update(changed.adjusted(-REACH, -REACH, REACH, REACH))

    def show_choice(self, name: str, *, is_open: bool) -> None:
        """Mark the chosen matrix, and scroll it into sight."""
        place = next((i for i, each in enumerate(self._asked) if each.name == name), self._current)
        if (place, is_open) != (self._current, self._is_open):
            self._current, self._is_open = place, is_open
            self.viewport().update()
        self._scroll_to(place)

    def apply_theme(self, theme: Theme) -> None:
        """Draw in these colours from now on."""
        self._theme = theme
        self._lay_out()

    def cell_rect(self, name: str, row: int, column: int) -> QRectF:
        """Give the rectangle of a cell in the viewport's coordinates."""
        box = self._layout.placed(name).cell_rect(row, column, self.devicePixelRatioF())
        return box.translated(-self._offset, 0.0)

    def stage_rect(self, name: str) -> QRectF:
        """Give the rectangle of a matrix with its texts in the viewport's coordinates."""
        return self._layout.placed(name).whole.translated(-self._offset, 0.0)

    def painted_texts(self) -> list[PaintedText]:
        """List every text in sight with its rectangle in the viewport's coordinates."""
        if self._painter is None:
            return []
        found = self._painter.texts(self._shown, self._seen())
        return [(text, box.translated(-self._offset, 0.0)) for text, box in found]

    # -- sizes

    def sizeHint(self) -> QSize:
        """Ask for cells that hold the numbers of three tokens."""
        return QSize(640, round(usual_height(self._prepared_fonts())))

    def minimumSizeHint(self) -> QSize:
        """Keep symbols and cells, and the scroll bar."""
        bar = self.horizontalScrollBar().sizeHint().height()
        return QSize(_NARROWEST, round(low_height(self._prepared_fonts())) + bar)

    # -- events

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out for another size."""
        super().resizeEvent(event)
        self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        """Lay out anew when the font changes."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fonts = None
            self._lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is exposed."""
        with QPainter(self.viewport()) as painter:  # ended in any case: Qt crashes on one that is left active
            if self._fonts is not None and self._fonts.ratio != self.devicePixelRatioF():
                self._lay_out()
            if self._painter is None:
                painter.fillRect(event.rect(), QColor(self._theme.panel))
                return
            part = event.rect()
            ratio = self.devicePixelRatioF()
            source = QRectF(part.x() * ratio, part.y() * ratio, part.width() * ratio, part.height() * ratio)
            painter.drawImage(QRectF(part), self._prepared_ground(self._painter), source)
            painter.translate(-self._offset, 0)
            exposed = QRectF(event.rect().translated(self._offset, 0))
            self._painter.paint(painter, self._shown, self._highlights, self._seen(), exposed)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Mark the chosen matrix."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Mark it no more."""
        super().focusOutEvent(event)
        self.viewport().update()

    # -- inside

    @property
    def _offset(self) -> int:
        return self.horizontalScrollBar().value()

    def _prepared_fonts(self) -> StripFonts:
        if self._fonts is None or self._fonts.ratio != self.devicePixelRatioF():
            self._fonts = StripFonts(self.font(), self.devicePixelRatioF())
        return self._fonts

    def _prepared_ground(self, painter: StripPainter) -> QImage:
        """Give what is behind the matrices as a picture of the viewport."""
        seen, choice = self._seen(), self._current if self._is_open or self.hasFocus() else None
        key = (seen, choice, self._is_open)
        if key != self._ground_key:
            self._ground_key = key
            self._ground = painter.ground(self._shown, seen, choice, is_open=self._is_open)
        return self._ground

    def _lay_out(self) -> None:
        """Lay out in the room without a scroll bar, or above it if it is needed."""
        if not self._asked:
            return
        fonts, room = self._prepared_fonts(), self.maximumViewportSize()
        layout = lay_out_strip(self._asked, room.width(), room.height(), fonts)
        bar = self.horizontalScrollBar()
        if layout.width > room.width():
            lower = room.height() - bar.sizeHint().height()
            layout = lay_out_strip(self._asked, room.width(), lower, fonts)
        self._layout = layout
        self._painter = StripPainter(self._shown, layout, fonts, self._theme)
        self._ground_key = ()
        self._changing = layout.changing()
        bar.setPageStep(room.width())
        bar.setRange(0, max(0, round(layout.width) - room.width()))
        if self._is_open or self.hasFocus():
            self._scroll_to(self._current)
        self.viewport().update()

    def _seen(self) -> QRectF:
        return QRectF(self._offset, 0, self.viewport().width(), self.viewport().height())

    def _update(self, box: QRectF) -> None:
        """Have a part of the strip painted anew: one rectangle, since many small ones cost more to clip to."""
        self.viewport().update(box.translated(-self._offset, 0.0).toAlignedRect())

    def _scroll_to(self, place: int) -> None:
        if place >= len(self._layout.matrices):
            return
        box, bar, width = self._layout.matrices[place].whole, self.horizontalScrollBar(), self.viewport().width()
        if box.left() < bar.value():
            bar.setValue(int(box.left()))
        elif box.right() > bar.value() + width:
            bar.setValue(round(box.right()) + 1 - width)
