"""A painted sheet of paragraphs with links in them, for mouse, keyboard and screen reader.

One widget paints everything: a new number costs no layout of the window, and a sum of a thousand linked terms no
thousand widgets.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontDatabase,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.views.inspector.sheet_layout import Block, Font, Run, lay_out, links_of

_NARROWEST = 120
_EDGE = 3  # room for the ring around a link at the rim


class Sheet(QWidget):
    """Paragraphs with links; Tab goes from link to link, Enter follows.

    Parameters
    ----------
    describe : callable
        Gives the sentence for a link: for its tooltip and for screen readers.

    Signals
    -------
    link_followed : object
        The user followed the link that leads here.
    link_reached : object
        The keyboard came to a link; carries its rectangle, so that it can be scrolled into view.
    link_pointed : object
        Where the link leads that the mouse is over or that the keyboard came to; None when that is left.
    """

    link_followed = Signal(object)
    link_pointed = Signal(object)
    link_reached = Signal(object)

    def __init__(self, describe: Callable[[object], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._describe_link = describe
        self._blocks: tuple[Block, ...] = ()
        self._links: tuple[object, ...] = ()
        self._current: int | None = None
        self._hovered: int | None = None
        self._lit: frozenset[object] = frozenset()
        self._theme = LIGHT
        self._placed: tuple[int, tuple[Run, ...], int] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def links(self) -> tuple[object, ...]:
        """Where the links lead, in order."""
        return self._links

    @property
    def current_link(self) -> object | None:
        """Where the link leads that the keyboard is at."""
        return None if self._current is None else self._links[self._current]

    @property
    def text(self) -> str:
        """All text, a line for each paragraph."""
        return "\n".join("".join(word.text for word in block.words) for block in self._blocks)

    def show_blocks(self, blocks: tuple[Block, ...]) -> None:
        """Show other paragraphs; the keyboard stays at the same place among the links, if there is one."""
        if blocks == self._blocks:
            return
        before = links_of(self._blocks)
        self._blocks, self._links = blocks, links_of(blocks)
        if self._links != before:
            self._current = 0 if self._links and self.hasFocus() else None
            if self._hovered is not None:
                self._hovered = None
                self.link_pointed.emit(None)  # the mouse stands still, but what it was over is gone
        old_height = 0 if self._placed is None else self._placed[2]
        self._placed = None
        if self._layout[2] != old_height:
            self.updateGeometry()
        self._speak()
        self.update()

    @property
    def marks(self) -> frozenset[object]:
        """What the words stand for: where links lead, and the marks of other words."""
        return frozenset(run.mark for run in self._layout[1] if run.mark is not None)

    @property
    def lit(self) -> frozenset[object]:
        """What is lit now."""
        return self._lit

    def show_lit(self, marks: frozenset[object]) -> None:
        """Light the words that stand for these."""
        if marks != self._lit:
            self._lit = marks
            self.update()

    def text_rectangles(self) -> list[tuple[str, QRect]]:
        """List what is written and where."""
        return [(run.text, self._rectangle(run)) for run in self._layout[1]]

    def link_rectangle(self, link: int) -> QRect:
        """Give the rectangle of the first piece of a link."""
        return next(self._rectangle(run) for run in self._layout[1] if run.link == link)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Give the height that the text needs at the width it has."""
        width = max(self.width(), _NARROWEST)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Give the narrowest width, and the height at the width it has."""
        return QSize(_NARROWEST, self.heightForWidth(max(self.width(), _NARROWEST)))

    def heightForWidth(self, width: int) -> int:
        """Give the height that the text needs at a width."""
        if self._placed is not None and self._placed[0] == width:
            return self._placed[2]
        return self._laid_out(width)[2]

    def focusNextPrevChild(self, is_next: bool) -> bool:
        """Go to the next link, or out of the sheet after the last one."""
        place = (0 if is_next else -1) if self._current is None else self._current + (1 if is_next else -1)
        if not 0 <= place < len(self._links):
            return super().focusNextPrevChild(is_next)
        self._reach(place)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from link to link, or follow the one the keyboard is at."""
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}
        if self._current is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self.link_followed.emit(self._links[self._current])
        elif event.key() in steps:
            self._reach(max(0, min(self._current + steps[Qt.Key(event.key())], len(self._links) - 1)))
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin at the first link, or at the last one when the focus comes from behind."""
        super().focusInEvent(event)
        if self._links and event.reason() != Qt.FocusReason.MouseFocusReason:
            is_behind = event.reason() == Qt.FocusReason.BacktabFocusReason
            self._reach(len(self._links) - 1 if is_behind else (self._current or 0))
        self._speak()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leave the links."""
        super().focusOutEvent(event)
        if self._current is not None:
            self._current = None
            self.link_pointed.emit(None)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Light the link under the mouse."""
        self._hover(self._link_at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        """Put the light out."""
        super().leaveEvent(event)
        self._hover(None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Follow the link under the mouse."""
        link = self._link_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and link is not None:
            self.link_followed.emit(self._links[link])

    def event(self, event: QEvent) -> bool:
        """Explain the link under the mouse."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            link = self._link_at(event.pos())
            if link is not None:
                text = self._describe_link(self._links[link]).replace("&", "&amp;").replace("<", "&lt;")
                QToolTip.showText(event.globalPos(), f"<p>{text}</p>", self, self.link_rectangle(link))
            return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the font of the window."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self.__dict__.pop("_fonts", None)
            self._placed = None
            self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines anew."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._placed = None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, and mark its links."""
        painter = QPainter(self)
        theme, clip = self._theme, event.rect()
        for run in self._layout[1]:
            place = self._rectangle(run)
            if not place.intersects(clip):
                continue
            font, metrics = self._fonts[run.font]
            if run.link is not None:
                self._mark(painter, run.link, place, metrics)
            if run.mark is not None and run.mark in self._lit:
                self._light(painter, place, metrics)
            painter.setFont(font)
            painter.setPen(QColor(getattr(theme, run.colour)))
            painter.drawText(place.x(), place.y() + metrics.ascent() + 1, run.text)
        painter.end()

    def _light(self, painter: QPainter, place: QRect, metrics: QFontMetrics) -> None:
        """Draw what shows that a word stands for what is pointed at in any panel: a ground and a thick line below."""
        painter.fillRect(place, QColor(self._theme.accent_soft))
        below = QRect(place.x(), place.y() + metrics.ascent() + 3, place.width(), 2)
        painter.fillRect(below, QColor(self._theme.accent_text))

    def _mark(self, painter: QPainter, link: int, place: QRect, metrics: QFontMetrics) -> None:
        """Draw what shows that a number leads on, and whether mouse or keyboard are at it."""
        theme = self._theme
        if link == self._hovered:
            painter.fillRect(place, QColor(theme.accent_soft))
        if link == self._current and self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.drawRect(place.adjusted(-2, 0, 1, -1))
        painter.setPen(QPen(QColor(theme.accent), 1, Qt.PenStyle.DotLine))
        below = place.y() + metrics.ascent() + 3
        painter.drawLine(place.x(), below, place.right(), below)

    def _rectangle(self, run: Run) -> QRect:
        return QRect(run.x + _EDGE, run.y, run.width, run.height)

    def _reach(self, link: int) -> None:
        self._current = link
        self.link_reached.emit(self.link_rectangle(link))
        self.link_pointed.emit(self._links[link])
        self._speak()
        self.update()

    def _speak(self) -> None:
        """Tell screen readers the link the keyboard is at, else the whole text."""
        if not self.hasFocus():
            return
        if self._current is None:
            self.setAccessibleName(self.text)
            return
        place = f"link {self._current + 1} of {len(self._links)}"
        self.setAccessibleName(f"{self._describe_link(self._links[self._current])}, {place}")

    def _hover(self, link: int | None) -> None:
        if link != self._hovered:
            self._hovered = link
            self.link_pointed.emit(None if link is None else self._links[link])
            self.setCursor(Qt.CursorShape.ArrowCursor if link is None else Qt.CursorShape.PointingHandCursor)
            self.update()

    def _link_at(self, point: QPoint) -> int | None:
        return next((run.link for run in self._layout[1] if self._rectangle(run).contains(point)), None)

    @property
    def _layout(self) -> tuple[int, tuple[Run, ...], int]:
        if self._placed is None or self._placed[0] != self.width():
            self._placed = self._laid_out(self.width())
        return self._placed

    def _laid_out(self, width: int) -> tuple[int, tuple[Run, ...], int]:
        heights: dict[Font, int] = {name: metrics.height() + 4 for name, (_, metrics) in self._fonts.items()}
        room = max(width, _NARROWEST) - 2 * _EDGE
        runs, height = lay_out(self._blocks, room, self._measure, heights)
        return width, runs, height

    def _measure(self, font: Font, text: str) -> int:
        return self._fonts[font][1].horizontalAdvance(text)

    @cached_property
    def _fonts(self) -> dict[Font, tuple[QFont, QFontMetrics]]:
        text, title, mono, result = (QFont(self.font()) for _ in range(4))
        title.setBold(True)
        for font in (mono, result):
            font.setFamilies([QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()])
        result.setBold(True)
        result.setPointSizeF(1.15 * result.pointSizeF())
        fonts: dict[Font, QFont] = {"text": text, "title": title, "mono": mono, "result": result}
        return {name: (font, QFontMetrics(font)) for name, font in fonts.items()}
