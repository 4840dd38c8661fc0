"""One switch for each key token, drawn as a line of chips that wraps: a key that is padding is seen by no query."""

from __future__ import annotations

from bisect import bisect_right

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.document.frame import Frame
from attnviz.document.tokens import isolated, told_apart
from attnviz.views.announcing import Announcer
from attnviz.views.hints import plain_tooltip
from attnviz.views.matrix.lettering import shown_token

_GAP, _AROUND, _ROUND = 4.0, 8.0, 6.0
_WIDEST = 160.0


class PaddingStrip(QWidget):
    """The keys as chips, in the colours of their tokens; what is padding is dashed, muted and struck out.

    Arrow keys go from chip to chip, Space switches.

    Signals
    -------
    switched : int, bool
        The key of this index is to be padding, or a real token again.
    cursor_moved : QPoint
        The keyboard went to the chip around this place.
    wrapped : (nothing)
        The chips may take another height at the present width.
    """

    switched = Signal(int, bool)
    cursor_moved = Signal(QPoint)
    wrapped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._names: tuple[str, ...] = ()
        self._shown: tuple[str, ...] = ()
        self._first_colour = 0
        self._padding: tuple[bool, ...] = ()
        self._cursor = 0
        self._boxes: list[QRectF] = []
        self._tops: list[float] = []
        self._placed_width = -1
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName("Padding")
        self.announcer = Announcer(self, self.sentence)

    def show_frame(self, frame: Frame) -> None:
        """Show the keys of a frame, and which of them are padding."""
        state = frame.state
        padding = (False,) * frame.n_key if state.padding is None else tuple(state.padding.tolist())
        first = 0 if state.context is None else frame.n_query
        if frame.key_tokens != self._names or first != self._first_colour:
            self._names, self._first_colour = frame.key_tokens, first
            self._shown = tuple([isolated(shown_token(name)) for name in frame.key_tokens])
            self._cursor = min(self._cursor, frame.n_key - 1)
            self._forget_places()
        if padding != self._padding:
            self._padding = padding
            self.update()
            self.announcer.tell_changed()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def chip_box(self, key: int) -> QRectF:
        """Give where the chip of a key is drawn."""
        self._place()
        return self._boxes[key]

    def key_at(self, point: QPoint) -> int | None:
        """Give the key whose chip is at a point, or None between them."""
        self._place()
        line = bisect_right(self._tops, point.y()) - 1
        for key in range(*self._keys_of_line(line)) if line >= 0 else ():
            if self._boxes[key].contains(point):
                return key
        return None

    def sentence(self) -> str:
        """Say the chip that the keyboard is at."""
        if not self._names:
            return ""
        name = told_apart(self._names)[self._cursor]
        return f"{name}: {'padding, no query sees it' if self._padding[self._cursor] else 'a real token'}"

    def hasHeightForWidth(self) -> bool:
        """Say that a narrow strip is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Give the height of all lines."""
        boxes, _ = self._placed(width)
        return round(boxes[-1].bottom() + 3) if boxes else self.fontMetrics().height()

    def sizeHint(self) -> QSize:
        """Give the size at the present width."""
        width = max(160, self.width())
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """Give one line."""
        return QSize(80, self.fontMetrics().height() + 10)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap anew."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._forget_places()

    def changeEvent(self, event: QEvent) -> None:
        """Wrap anew when the font changes."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._forget_places()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the chips that are exposed."""
        self._place()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            exposed, font = QRectF(event.rect()), QFont(self.font())
            for key, box in enumerate(self._boxes):
                if box.bottom() < exposed.top():
                    continue
                if box.top() > exposed.bottom():
                    break
                self._paint_chip(painter, key, box, font)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Switch the chip that is clicked."""
        key = self.key_at(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton or key is None:
            event.ignore()
            return
        self._cursor = key
        self.update()
        self._switch()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show over a chip that it can be clicked."""
        is_over = self.key_at(event.position().toPoint()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if is_over else Qt.CursorShape.ArrowCursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to another chip, or switch this one."""
        key = event.key()
        if key in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._switch()
            return
        to = self._reached_by(key)
        if to is None:
            event.ignore()
            return
        self._cursor = to
        self.update()
        self.announcer.tell_moved()
        self.cursor_moved.emit(self._boxes[to].center().toPoint())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the cursor, and describe its chip."""
        super().focusInEvent(event)
        self.announcer.describe()
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the cursor."""
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        """Say over a chip what a click does."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            key = self.key_at(event.pos())
            if key is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), plain_tooltip(self._tip(key)), self)
            return True
        return super().event(event)

    def _tip(self, key: int) -> str:
        name = self._names[key]
        if self._padding[key]:
            return f"{name} is padding: no query sees it. Click or Space makes it a real token again."
        return f"{name} is a real token. Click or Space makes it padding: its column is banned for every query."

    def _switch(self) -> None:
        if self._names:
            self.switched.emit(self._cursor, not self._padding[self._cursor])

    def _reached_by(self, key: int) -> int | None:
        """Give the chip that a key goes to; up and down to the nearest one of the line above or below."""
        at, last = self._cursor, len(self._names) - 1
        steps: dict[int, int] = {
            Qt.Key.Key_Left: at - 1,
            Qt.Key.Key_Right: at + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        if key in steps:
            return min(max(0, steps[key]), last)
        if key not in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            return None
        self._place()
        box = self._boxes[at]
        line = bisect_right(self._tops, box.top()) - 1 + (1 if key == Qt.Key.Key_Down else -1)
        if not 0 <= line < len(self._tops):
            return at
        middle = box.center().x()
        found, least = at, float("inf")
        for other in range(*self._keys_of_line(line)):
            distance = abs(self._boxes[other].center().x() - middle)
            if distance < least:
                found, least = other, distance
        return found

    def _keys_of_line(self, line: int) -> tuple[int, int]:
        """Give the first key of a line and the one after its last."""
        tops = [self._tops[line]] if line + 1 >= len(self._tops) else self._tops[line : line + 2]
        first = bisect_right(self._boxes, tops[0] - 0.5, key=QRectF.top)
        end = len(self._boxes) if len(tops) == 1 else bisect_right(self._boxes, tops[1] - 0.5, key=QRectF.top)
        return first, end

    def _forget_places(self) -> None:
        self._placed_width = -1
        self.updateGeometry()
        self.update()
        self.wrapped.emit()

    def _place(self) -> None:
        if self._placed_width != self.width():
            self._placed_width = self.width()
            self._boxes, self._tops = self._placed(self._placed_width)

    def _placed(self, width: int) -> tuple[list[QRectF], list[float]]:
        """Wrap the chips into lines of a width."""
        metrics = QFontMetricsF(self.font())
        height, x, y = metrics.height() + 6.0, 3.0, 3.0
        boxes, tops = [], [y]
        for name in self._shown:
            wide = min(metrics.horizontalAdvance(name) + 2 * _AROUND, _WIDEST, max(24.0, width - 6.0))
            if x + wide > width - 3.0 and x > 3.0:
                x, y = 3.0, y + height + _GAP
                tops.append(y)
            boxes.append(QRectF(x, y, wide, height))
            x += wide + _GAP
        return boxes, tops

    def _paint_chip(self, painter: QPainter, key: int, box: QRectF, font: QFont) -> None:
        theme, is_padding = self._theme, self._padding[key]
        line = Qt.PenStyle.DashLine if is_padding else Qt.PenStyle.SolidLine
        colour = QColor(theme.token(self._first_colour + key))
        painter.setPen(QPen(QColor(theme.muted) if is_padding else colour, 1.0, line))
        painter.setBrush(Qt.BrushStyle.NoBrush if is_padding else QColor(theme.inset))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), _ROUND, _ROUND)
        font.setStrikeOut(is_padding)
        painter.setFont(font)
        painter.setPen(QColor(theme.muted) if is_padding else colour)
        room = box.width() - 2 * _AROUND + 1
        text = QFontMetricsF(font).elidedText(self._shown[key], Qt.TextElideMode.ElideRight, room + 1)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine, text)
        if key == self._cursor and self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(-1.5, -1.5, 1.5, 1.5), _ROUND + 1, _ROUND + 1)
