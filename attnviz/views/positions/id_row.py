"""The row of position ids: one painted field a token, to type in, to step and to paste into."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFocusEvent,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.document.errors import DocumentError
from attnviz.views.announcing import Announcer
from attnviz.views.controls.gestures import Gestures
from attnviz.views.fonts import number_font
from attnviz.views.matrix.lettering import shown_token
from attnviz.views.number_box import compact_text, full_text, parse_number
from attnviz.views.positions.cell_box import CellBox, begins_number

_GAP = 4
_CHARACTERS = 5
_BETWEEN = re.compile(r"[\s;]+")
_STEPS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
_MOVES = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


@dataclass(frozen=True, slots=True)
class ShownIds:
    """What a row of ids shows.

    Parameters
    ----------
    tokens : tuple of str
        Whose ids they are.
    ids : tuple of float
        As written, without the shift.
    first_colour : int
        The place of the first token among the colours of tokens.
    padding : frozenset of int
        The places of padding tokens.
    """

    tokens: tuple[str, ...]
    ids: tuple[float, ...]
    first_colour: int = 0
    padding: frozenset[int] = frozenset()


class IdRow(QWidget):
    """Fields side by side, with the token above each.

    Left and Right go from field to field, Up and Down step, with Shift ten times as far; typing, Enter or a double
    click opens a box; Ctrl+V takes a list of numbers, Ctrl+C copies the row.

    Signals
    -------
    id_entered : int, float, int
        The token at this place is to stand at this position; the last number names the gesture.
    ids_pasted : object
        All tokens are to stand at these positions, a tuple of float.
    refused : str
        One sentence why what was typed or pasted was not taken.
    moved : int
        The cursor came to this place.
    """

    id_entered = Signal(int, float, int)
    ids_pasted = Signal(object)
    refused = Signal(str)
    moved = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = ShownIds(("",), (0.0,))
        self._theme = LIGHT
        self._cursor = 0
        self._gestures = Gestures(self)
        self.box = CellBox(1.0, self, name="a position id")
        self.box.number_entered.connect(self._enter)
        self.box.refused.connect(self.refused)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Position ids")
        self.setToolTip(
            "Where each token stands. Type a number, step with Up and Down (with Shift by ten), "
            "or paste a whole list with Ctrl+V."
        )
        self.announcer = Announcer(self, self.sentence)

    @property
    def shown(self) -> ShownIds:
        """What the row shows."""
        return self._shown

    @property
    def cursor_place(self) -> int:
        """The field that the keyboard is at, counted from 0."""
        return self._cursor

    def show_ids(self, shown: ShownIds) -> None:
        """Show ids; emits nothing."""
        if shown == self._shown:
            return
        if len(shown.ids) != len(self._shown.ids):
            self._cursor = min(self._cursor, len(shown.ids) - 1)
            self.updateGeometry()
        self._shown = shown
        if self.box.isVisible():
            self.box.show_number(shown.ids[self._cursor])
        self.update()
        if self.hasFocus():
            self.announcer.tell_changed()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def field_rect(self, place: int) -> QRect:
        """Give the rectangle of a field."""
        width, line = self._field_width(), self._line()
        return QRect(place * (width + _GAP) + 1, line + 2, width, line + 8)

    def sentence(self) -> str:
        """Say the field under the cursor, for a screen reader."""
        place = self._cursor
        note = ", padding" if place in self._shown.padding else ""
        return f"{shown_token(self._shown.tokens[place])}{note}: position {full_text(self._shown.ids[place])}"

    def sizeHint(self) -> QSize:
        """Give the room of all fields."""
        count, line = len(self._shown.ids), self._line()
        return QSize(count * (self._field_width() + _GAP) - _GAP + 2, 2 * line + 12)

    def minimumSizeHint(self) -> QSize:
        """Give the same: it is scrolled."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the fields that are in sight."""
        step = self._field_width() + _GAP
        first = max(0, event.rect().left() // step)
        last = min(len(self._shown.ids) - 1, event.rect().right() // step)
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for place in range(first, last + 1):
                self._paint_field(painter, place)

    def _paint_field(self, painter: QPainter, place: int) -> None:
        theme, shown, rect = self._theme, self._shown, self.field_rect(place)
        is_padding = place in shown.padding
        painter.setFont(self.font())
        metrics = QFontMetrics(self.font())
        above = QRect(rect.left(), 0, rect.width(), self._line())
        name = metrics.elidedText(shown_token(shown.tokens[place]), Qt.TextElideMode.ElideRight, rect.width())
        painter.setPen(QColor(theme.muted if is_padding else theme.token(shown.first_colour + place)))
        painter.drawText(above, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine, name)
        is_cursor = self.hasFocus() and place == self._cursor
        painter.setPen(QPen(QColor(theme.accent if is_cursor else theme.border), 2.0 if is_cursor else 1.0))
        box = QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setBrush(QColor(theme.panel))
        painter.drawRoundedRect(box, 6.0, 6.0)
        if is_padding:
            painter.setBrush(QBrush(QColor(theme.grid), Qt.BrushStyle.BDiagPattern))
            painter.drawRoundedRect(box, 6.0, 6.0)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setFont(number_font(self.font()))
        painter.setPen(QColor(theme.muted if is_padding else theme.text))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self._number_text(shown.ids[place]))

    def event(self, event: QEvent) -> bool:
        """Claim copying, pasting and the keys of the row before a shortcut of the window gets them."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            is_clipboard = event.matches(QKeySequence.StandardKey.Paste) or event.matches(QKeySequence.StandardKey.Copy)
            if is_clipboard or begins_number(event):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, step, open the box, copy and paste."""
        key = event.key()
        if event.matches(QKeySequence.StandardKey.Paste):
            self._paste(QGuiApplication.clipboard().text())
        elif event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(ids_text(self._shown.ids))
        elif key in _STEPS:
            far = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            self._step(_STEPS[Qt.Key(key)] * far)
        elif key in _MOVES:
            self._go_to(self._cursor + _MOVES[Qt.Key(key)])
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._go_to(0 if key == Qt.Key.Key_Home else len(self._shown.ids) - 1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2):
            self._open()
        elif begins_number(event):
            self._open(event.text())
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the field under the mouse."""
        place = self._place_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and place is not None:
            self._go_to(place)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the box."""
        if event.button() == Qt.MouseButton.LeftButton and self._place_at(event.position()) is not None:
            self._open()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the cursor."""
        super().focusInEvent(event)
        self.announcer.describe()
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the cursor."""
        super().focusOutEvent(event)
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        """Ask for another size in another font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()

    def _go_to(self, place: int) -> None:
        self._cursor = min(max(0, place), len(self._shown.ids) - 1)
        self.update()
        self.moved.emit(self._cursor)
        self.announcer.tell_moved()

    def _open(self, typed: str = "") -> None:
        self.moved.emit(self._cursor)
        self.box.open_over(self.field_rect(self._cursor), self._shown.ids[self._cursor], typed)

    def _step(self, count: int) -> None:
        gesture = self._gestures.burst(f"id {self._cursor}")
        self.id_entered.emit(self._cursor, self._shown.ids[self._cursor] + count, gesture)

    def _enter(self, number: float) -> None:
        self.id_entered.emit(self._cursor, number, self._gestures.begin())

    def _paste(self, text: str) -> None:
        try:
            numbers = parse_ids(text)
        except DocumentError as error:
            self.refused.emit(str(error))
        else:
            self.ids_pasted.emit(numbers)

    def _place_at(self, point: QPointF) -> int | None:
        place = int(point.x()) // (self._field_width() + _GAP)
        return place if 0 <= place < len(self._shown.ids) else None

    def _number_text(self, number: float) -> str:
        text = compact_text(number)
        return text if len(text) <= _CHARACTERS + 1 else f"{number:.0e}".replace("e+0", "e").replace("e+", "e")

    def _field_width(self) -> int:
        return QFontMetrics(number_font(self.font())).horizontalAdvance("0") * _CHARACTERS + 14

    def _line(self) -> int:
        return QFontMetrics(self.font()).height()


def parse_ids(text: str) -> tuple[float, ...]:
    r"""Read a list of numbers: between blanks, tabs, line ends or semicolons, else between commas.

    Raises
    ------
    DocumentError
        If an entry is no finite number, or there is none.

    Examples
    --------
    >>> parse_ids("0 0 1"), parse_ids("[0, 1, 2]"), parse_ids("0,5\t1,5")
    ((0.0, 0.0, 1.0), (0.0, 1.0, 2.0), (0.5, 1.5))
    """
    written = text.strip().strip("[]()").strip()
    entries = [entry for entry in _BETWEEN.split(written) if entry]
    if "," in written and (len(entries) < 2 or any(entry.endswith(",") for entry in entries)):
        entries = [entry for entry in re.split(r"[\s,;]+", written) if entry]
    return tuple([parse_number(entry, "a position id") for entry in entries or [""]])


def ids_text(ids: Sequence[float]) -> str:
    """Write ids as they can be pasted again."""
    return " ".join([full_text(number) for number in ids])
