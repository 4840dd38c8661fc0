"""Two columns of tokens, as they stand and as they are tried, with a line from each token's place to its new one."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.document.permutation import Order
from attnviz.views.matrix.lettering import shown_token

NOTHING_POINTED = -1
_GAP = 6.0
_NAME_SHARE = 0.3  # of the width, for each of the two columns
_TALLEST_ROW = 2.0  # lines of text
_STRONG, _FAINT = 2.0, 1.2
_LEAST_PITCH = 2.0  # pixels between lines
_ARROW = Qt.CursorShape.ArrowCursor
_FLAGS = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine


class OrderPicture(QWidget):
    """Draws an order; where names have no room one a row, only every second, third and so on is named.

    In the right column a token is dragged to another place; Up and Down go from place to place, with Alt they take the
    token along.

    Signals
    -------
    token_pointed : int
        The token under the mouse or the cursor, by its place in the document; -1 when it leaves.
    order_tried : object
        The order that the user makes by hand.
    """

    token_pointed = Signal(int)
    order_tried = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tokens: tuple[str, ...] = ()
        self._order: Order = ()
        self._first_colour = 0
        self._lit: int | None = None
        self._cursor = 0  # the place of the right column that the keyboard is at
        self._held: int | None = None  # the place whose token is dragged
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._theme: Theme = LIGHT
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Order of the tokens")
        self.setToolTip(
            "Left the tokens as they stand in the document, right as they are tried: drag one of these to another "
            "place, or move it with Alt+Up and Alt+Down"
        )

    def show_order(self, tokens: tuple[str, ...], order: Order, first_colour: int) -> None:
        """Draw another order; the colours of tokens are counted from ``first_colour``."""
        if (tokens, order, first_colour) != (self._tokens, self._order, self._first_colour):
            self._tokens, self._order, self._first_colour = tokens, order, first_colour
            self._cursor = min(self._cursor, max(0, len(order) - 1))
            if self._held is not None and self._held >= len(order):
                self._held = None
            self.setAccessibleDescription("now: " + ", ".join(shown_token(tokens[place]) for place in order))
            self.update()

    def show_lit(self, token: int | None) -> None:
        """Light up a token."""
        if token != self._lit:
            self._lit = token
            self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Ask for room for a few names."""
        line = self.fontMetrics().height()
        return QSize(14 * line, 8 * line)

    def minimumSizeHint(self) -> QSize:
        """Keep some names on both sides."""
        line = self.fontMetrics().height()
        return QSize(9 * line, 4 * line)

    def row_middle(self, row: int) -> float:
        """Give the height at which a row is drawn."""
        pitch = self._pitch
        return (row + 0.5) * pitch

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw lines, dots and names."""
        if not self._order:
            return
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            step = self._step
            for row in range(0, len(self._order), step):
                self._draw_line(painter, row, self._order[row])
            if self._lit in self._order:
                self._draw_line(painter, self._order.index(self._lit), self._lit)  # over the others
            if step > 1:
                self._draw_note(painter, f"1 of {step} lines drawn")
            for row, top in self._named_rows():
                self._draw_name(painter, top, row, is_left=True)
                self._draw_name(painter, top, self._order[row], is_left=False)

            if self.hasFocus():
                self._draw_cursor(painter)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of a token of the right column."""
        row = self._row_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and row is not None and self._is_right(event.position()):
            self._cursor = self._held = row
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the token that is held, or tell which one is under the mouse."""
        row = self._row_at(event.position())
        if self._held is not None and event.buttons() & Qt.MouseButton.LeftButton:
            last = len(self._order) - 1
            self._move(self._held, min(last, max(0, int(event.position().y() // self._pitch))))
            self._held = self._cursor
        elif row is None:
            self.token_pointed.emit(NOTHING_POINTED)
        else:
            self.setCursor(Qt.CursorShape.OpenHandCursor if self._is_right(event.position()) else _ARROW)
            self.token_pointed.emit(self._order[row] if self._is_right(event.position()) else row)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let the token go."""
        super().mouseReleaseEvent(event)
        self._held = None
        self.setCursor(_ARROW)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to another place, with Alt together with the token that is there."""
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step is None or not self._order:
            super().keyPressEvent(event)
            return
        to = min(len(self._order) - 1, max(0, self._cursor + step))
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self._move(self._cursor, to)
        else:
            self._cursor = to
            self.token_pointed.emit(self._order[to])
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the cursor."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the cursor."""
        super().focusOutEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Tell that nothing is under the mouse."""
        super().leaveEvent(event)
        self.token_pointed.emit(NOTHING_POINTED)

    @property
    def _pitch(self) -> float:
        return min(max(1.0, self._bottom) / max(1, len(self._order)), _TALLEST_ROW * self.fontMetrics().height())

    @property
    def _bottom(self) -> float:
        """Give where the rows end."""
        return self.height() - (self.fontMetrics().height() if self._step > 1 else 0)

    @property
    def _step(self) -> int:
        """Say of how many lines one is drawn: more than there are pixels would cost time and show nothing."""
        return max(1, int(-(-_LEAST_PITCH * len(self._order) // max(1, self.height()))))

    def _row_at(self, at: QPointF) -> int | None:
        row = int(at.y() // self._pitch) if self._order else NOTHING_POINTED
        return row if 0 <= row < len(self._order) else None

    def _is_right(self, at: QPointF) -> bool:
        return at.x() >= self.width() / 2

    def _move(self, start: int, to: int) -> None:
        """Ask for the order in which the token at a place stands at another one, the others close up."""
        self._cursor = to
        if to != start:
            order = [*self._order[:start], *self._order[start + 1 :]]
            order.insert(to, self._order[start])
            self.order_tried.emit(tuple(order))

    def _draw_cursor(self, painter: QPainter) -> None:
        line, width = QFontMetricsF(self.font()).height(), _NAME_SHARE * self.width()
        top = max(0.0, min(self.row_middle(self._cursor) - line / 2, self._bottom - line))
        painter.setPen(QPen(QColor(self._theme.accent), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.width() - width - 3, top + 1, width + 2, line - 2), 3, 3)

    def _named_rows(self) -> list[tuple[int, float]]:
        """Give the rows that have names, and the top of each: within the picture, and not over one another."""
        line = QFontMetricsF(self.font()).height()
        found: list[tuple[int, float]] = []
        for row in range(len(self._order)):
            top = max(0.0, min(self.row_middle(row) - line / 2, self._bottom - line))
            if not found or top >= found[-1][1] + line:
                found.append((row, top))
        return found

    def _colour(self, token: int) -> QColor:
        return QColor(self._theme.token(self._first_colour + token))

    def _draw_line(self, painter: QPainter, row: int, token: int) -> None:
        names = _NAME_SHARE * self.width()
        start = QPointF(names + _GAP, self.row_middle(token))
        end = QPointF(self.width() - names - _GAP, self.row_middle(row))
        is_lit = token == self._lit
        radius = min(3.0, max(1.0, 0.35 * self._pitch))
        painter.setPen(QPen(self._colour(token), _STRONG + 1.0 if is_lit else _STRONG if radius > 2 else _FAINT))
        painter.drawLine(start, end)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._colour(token))
        for dot in (start, end):
            painter.drawEllipse(dot, radius + is_lit, radius + is_lit)

    def _draw_note(self, painter: QPainter, text: str) -> None:
        painter.setFont(self.font())
        painter.setPen(QColor(self._theme.muted))
        height = self.fontMetrics().height()
        box = QRectF(0.0, self.height() - height, self.width(), height)
        painter.drawText(box, int(_FLAGS | Qt.AlignmentFlag.AlignHCenter), text)

    def _draw_name(self, painter: QPainter, top: float, token: int, *, is_left: bool) -> None:
        width = _NAME_SHARE * self.width()
        line = QFontMetricsF(self.font()).height()
        box = QRectF(0.0 if is_left else self.width() - width, top, width, line)
        font = self.font()
        font.setBold(token == self._lit)
        painter.setFont(font)
        name = QFontMetricsF(font).elidedText(shown_token(self._tokens[token]), Qt.TextElideMode.ElideRight, width)
        painter.setPen(self._colour(token))
        painter.drawText(
            box, int(_FLAGS | (Qt.AlignmentFlag.AlignRight if is_left else Qt.AlignmentFlag.AlignLeft)), name
        )
