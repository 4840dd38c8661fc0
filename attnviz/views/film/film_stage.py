"""The stage of the film: a card with the caption, and under it the picture of the step."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.document.number_ref import NumberRef
from attnviz.film import Block, FilmPicture, number_in
from attnviz.views.film.linked_cells import Links, draw_links, number_at
from attnviz.views.film.stage_painter import StagePainter

_MARGIN = 16.0
_PADDING = 12.0
_LINES, _LINES_WHEN_NARROW = 2, 3
_NARROW, _WIDE = 480, 960


class FilmStage(QWidget):
    """Paints the pictures of the film; it takes the focus, so that the keys of the film reach the panel.

    Signals
    -------
    number_pointed : object
        Names the number under the mouse; None when there is none.
    number_clicked, number_double_clicked : object
        Names the number that was pressed.
    """

    number_pointed = Signal(object)
    number_clicked = Signal(object)
    number_double_clicked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: FilmPicture | None = None
        self._theme: Theme = LIGHT
        self._links: Links | None = None
        self._hovered: NumberRef | None = None
        self._painter = StagePainter(self.font())
        self.setMouseTracking(True)
        self.setToolTip("Click a number to see where it comes from (Enter: the number that this step makes)")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAccessibleName("Film of one forward pass")

    @property
    def picture(self) -> FilmPicture | None:
        """What is shown."""
        return self._picture

    @property
    def placed(self) -> list[tuple[Block, QRectF]]:
        """The blocks that were painted last, and where."""
        return self._painter.blocks.placed

    @property
    def links(self) -> Links | None:
        """What is lit."""
        return self._links

    @property
    def made_number(self) -> NumberRef | None:
        """The number that the step makes, if it has a name."""
        shown = self._picture
        if shown is None:
            return None
        parts = (*shown.equation, *shown.then)
        blocks = [*(part for part in parts if isinstance(part, Block)), *shown.terms, *shown.gathered]
        lit = ((block, block.lit) for block in blocks if block.lit is not None)
        found = (number_in(block, at.rows[-1], at.columns[-1]) for block, at in lit if at.rows and at.columns)
        return next((ref for ref in found if ref is not None), None)

    def show_links(self, links: Links) -> None:
        """Light what is pointed at and pinned."""
        if links != self._links:
            self._links = links
            self.update()

    def show_picture(self, picture: FilmPicture, *, is_new_frame: bool) -> None:
        """Show a step.

        Parameters
        ----------
        picture : FilmPicture
            What is drawn.
        is_new_frame : bool
            Whether its numbers are others than those of the step before.
        """
        self._picture = picture
        if is_new_frame:
            self._painter.blocks.forget()
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self._painter.blocks.apply_theme(theme)
        self.update()

    def sizeHint(self) -> QSize:
        """Ask for room for the caption and a picture."""
        return QSize(480, 360)

    def minimumSizeHint(self) -> QSize:
        """Ask for the caption and a few rows at least."""
        return QSize(240, round(self._card_height() + 120))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point at the number under the mouse."""
        self._point_at(number_at(self.placed, event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Point at nothing."""
        super().leaveEvent(event)
        self._point_at(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the number under the mouse."""
        self._press(event, self.number_clicked)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Choose the number under the mouse more strongly."""
        self._press(event, self.number_double_clicked)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._painter.blocks.take_font(self.font())
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the card and the picture."""
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.panel))
        if self._picture is not None:
            height = self._card_height()
            self._paint_card(painter, self._picture, QRectF(_MARGIN, 4.0, self.width() - 2 * _MARGIN, height))
            top = height + 12.0
            area = QRectF(0.0, top, self.width(), max(1.0, self.height() - top))
            self._painter.paint(painter, self._picture, area)
            if self._links is not None:
                draw_links(painter, self.placed, self._links, self._theme)
        painter.end()

    def _press(self, event: QMouseEvent, signal: SignalInstance) -> None:
        ref = number_at(self.placed, event.position())
        if event.button() == Qt.MouseButton.LeftButton and ref is not None:
            signal.emit(ref)
        else:
            event.ignore()

    def _point_at(self, ref: NumberRef | None) -> None:
        if ref != self._hovered:
            self._hovered = ref
            self.setCursor(Qt.CursorShape.ArrowCursor if ref is None else Qt.CursorShape.PointingHandCursor)
            self.number_pointed.emit(ref)

    def _card_height(self) -> float:
        return float((self._n_lines() + 1) * round(QFontMetricsF(self.font()).height()) + 2 * _PADDING)

    def _n_lines(self) -> int:
        lines = _LINES if self.width() >= _NARROW else _LINES_WHEN_NARROW
        needs_more = self._picture is not None and self._picture.is_wordy and self.width() < _WIDE
        return lines + needs_more

    def _paint_card(self, painter: QPainter, picture: FilmPicture, box: QRectF) -> None:
        """Paint the name of the stage and, under it, what happens."""
        theme = self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        has_focus = self.hasFocus()
        painter.setPen(QPen(QColor(theme.accent if has_focus else theme.border), 1.5 if has_focus else 1.0))
        painter.setBrush(QColor(theme.inset))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        inner = box.adjusted(_PADDING, _PADDING - 2, -_PADDING, 0)
        metrics = QFontMetricsF(self.font())
        bold = QFont(self.font())
        bold.setBold(True)
        wide = QFontMetricsF(bold)
        title = wide.elidedText(picture.title, Qt.TextElideMode.ElideRight, inner.width())
        used = wide.horizontalAdvance(title) + 12
        painter.setFont(bold)
        painter.setPen(QColor(theme.accent_text))
        line = QRectF(inner.left(), inner.top(), inner.width(), metrics.height())
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(line, left, title)
        painter.setFont(self.font())
        painter.setPen(QColor(theme.muted))
        symbols = metrics.elidedText(picture.symbols, Qt.TextElideMode.ElideRight, max(0.0, inner.width() - used))
        painter.drawText(line.adjusted(used, 0, 0, 0), left, symbols)
        painter.setPen(QColor(theme.text))
        self._paint_caption(painter, picture.caption, inner.adjusted(0, metrics.height() + 4, 0, 0))

    def _paint_caption(self, painter: QPainter, text: str, box: QRectF) -> None:
        """Paint two lines, or three in a narrow panel; what is left of a longer sentence is elided."""
        metrics, n_lines = QFontMetricsF(self.font()), self._n_lines()
        layout = QTextLayout(text, self.font())
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        starts: list[int] = []
        while len(starts) <= n_lines:
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(max(1.0, box.width()))
            starts.append(line.textStart())
        layout.endLayout()
        for i, start in enumerate(starts[:n_lines]):
            stop = starts[i + 1] if i + 1 < len(starts) else len(text)
            shown = text[start:] if i == n_lines - 1 else text[start:stop]
            shown = metrics.elidedText(shown.rstrip(), Qt.TextElideMode.ElideRight, box.width() + 1)
            at = QRectF(box.left(), box.top() + i * metrics.height(), box.width() + 2, metrics.height())
            painter.drawText(at, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
