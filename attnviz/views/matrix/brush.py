"""Painting on a matrix: while it is on, the mouse and some keys paint cells instead of choosing them.

It listens to the matrix as an event filter, which is there only while somebody paints: a matrix that nobody paints on
does nothing for it.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip

from attnviz.views.hints import plain_tooltip
from attnviz.views.matrix.view import MatrixView

KEYS_TIP = "X switches the cell at the cursor, Shift with arrow keys paints along, Esc ends painting"
_TIP = f"Press and drag to ban cells, or to allow them if the first one is banned.\n{KEYS_TIP}."
_ARROWS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right)
_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)

Cell = tuple[int, int]


class Brush(QObject):
    """Paints on one matrix.

    Parameters
    ----------
    matrix : MatrixView
        What is painted on.
    is_banned : callable
        Tells whether the mask bans a cell now; None for a cell that cannot be painted.

    Signals
    -------
    painted : object, bool, int
        These cells, a tuple of (row, column), are to be allowed (True) or banned; the last number names the gesture.
    taken_back : int
        The gesture of this number is to be undone as if it had not begun.
    ended : (nothing)
        The user wants to paint no more.
    """

    painted = Signal(object, bool, int)
    taken_back = Signal(int)
    ended = Signal()

    def __init__(self, matrix: MatrixView, is_banned: Callable[[int, int], bool | None], parent: QObject) -> None:
        super().__init__(parent)
        self._matrix, self._is_banned = matrix, is_banned
        self._is_on = False
        self._gesture = 0
        self._allows: bool | None = None  # None: no gesture is running
        self._last: Cell | None = None
        self._left: tuple[Cell, bool] | None = None  # where the last gesture ended, and whether it allowed
        self._waiting: dict[Cell, None] = {}
        self._sender = QTimer(self, singleShot=True, interval=0)
        self._sender.timeout.connect(self._send)

    @property
    def is_on(self) -> bool:
        """Whether the matrix is painted on."""
        return self._is_on

    def switch(self, is_on: bool) -> None:
        """Begin to listen to the matrix, or stop."""
        if is_on == self._is_on:
            return
        self._is_on = is_on
        if is_on:
            self._matrix.installEventFilter(self)
        else:
            self._end_gesture()
            self._left = None
            self._matrix.removeEventFilter(self)
            self._matrix.unsetCursor()

    def drop_stroke(self) -> None:
        """End a stroke where it is, as its cells may be others from now on; what was painted stays."""
        self._waiting.clear()
        self._sender.stop()
        self._allows = self._last = self._left = None

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Take the mouse and the keys of painting; everything else goes on to the matrix."""
        if isinstance(event, QMouseEvent):
            return self._take_mouse(event)
        if isinstance(event, QKeyEvent):
            return self._take_key(event)
        if isinstance(event, QFocusEvent) and event.type() == QEvent.Type.FocusOut:
            self._end_gesture()
        return isinstance(event, QHelpEvent) and self._tell(event)

    def _tell(self, event: QHelpEvent) -> bool:
        """Say over a cell how to paint."""
        is_over = event.type() == QEvent.Type.ToolTip and self._matrix.cell_at(event.pos()) is not None
        if is_over:
            QToolTip.showText(event.globalPos(), plain_tooltip(_TIP), self._matrix)
        return is_over

    def _take_mouse(self, event: QMouseEvent) -> bool:
        kind, is_left = event.type(), event.button() == Qt.MouseButton.LeftButton
        if kind in _PRESSES and is_left:
            cell = self._matrix.cell_at(event.position())
            if cell is None:
                return False
            self._matrix.setFocus(Qt.FocusReason.MouseFocusReason)
            self._matrix.go_to(*cell)
            self._begin(cell)
            return True
        if kind == QEvent.Type.MouseMove:
            self._matrix.mouseMoveEvent(event)
            self._matrix.setCursor(self._cursor_over(event.position()))
            if event.buttons() & Qt.MouseButton.LeftButton and self._allows is not None:
                self._go_on(self._matrix.cell_at(event.position()))
            return True
        if kind == QEvent.Type.MouseButtonRelease and is_left and self._allows is not None:
            self._end_gesture()
            return True
        return False

    def _cursor_over(self, point: QPointF) -> Qt.CursorShape:
        is_cell = self._matrix.cell_at(point) is not None
        return Qt.CursorShape.CrossCursor if is_cell else Qt.CursorShape.ArrowCursor

    def _take_key(self, event: QKeyEvent) -> bool:
        key, kind = event.key(), event.type()
        is_shifted = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.ShiftModifier
        is_painting = key == Qt.Key.Key_X and event.modifiers() == Qt.KeyboardModifier.NoModifier
        is_along = is_shifted and key in _ARROWS
        if kind == QEvent.Type.ShortcutOverride and (key == Qt.Key.Key_Escape or is_painting or is_along):
            event.accept()  # else a shortcut of the window gets it
            return True
        if kind == QEvent.Type.KeyRelease and key == Qt.Key.Key_Shift:
            self._end_gesture()
        if kind != QEvent.Type.KeyPress:
            return False
        if key == Qt.Key.Key_Escape:
            self._give_up()
        elif is_painting:
            self._paint_at_cursor()
        elif is_along:
            self._paint_along(event)
        else:
            return False
        return True

    def _paint_at_cursor(self) -> None:
        """Switch the cell that the keyboard is at, as a gesture of its own."""
        cell = self._matrix.cursor_cell
        if cell is not None:
            self._begin(cell)
            self._end_gesture()

    def _paint_along(self, event: QKeyEvent) -> None:
        """Go to the next cell and paint it; the first step paints the one it leaves, too.

        From the cell where the last gesture ended it goes on with what that one did.
        """
        cell = self._matrix.cursor_cell
        if self._allows is None and cell is not None:
            self._begin(cell, goes_on=True)
        self._matrix.keyPressEvent(event)
        if self._allows is not None:
            self._go_on(self._matrix.cursor_cell)

    def _begin(self, cell: Cell, *, goes_on: bool = False) -> None:
        """Begin a gesture: the first cell says whether it allows or bans, or the gesture that it goes on with."""
        self._end_gesture()
        is_banned = self._is_banned(*cell)
        if is_banned is None:
            return
        self._gesture += 1
        left = self._left if goes_on else None
        self._allows = left[1] if left is not None and left[0] == cell else is_banned
        self._last = cell
        if self._allows == is_banned:
            self._waiting[cell] = None
            self._sender.start()

    def _go_on(self, cell: Cell | None) -> None:
        """Paint on to a cell, and every cell on the way from the one before."""
        before = self._last
        if cell is None or cell == before or before is None:
            return
        for between in cells_between(before, cell):
            if self._is_banned(*between) is not None:
                self._waiting[between] = None
        self._last = cell
        self._sender.start()

    def _send(self) -> None:
        """Tell the cells painted since the last time, together."""
        self._sender.stop()
        cells, self._waiting = tuple(self._waiting), {}
        if cells and self._allows is not None:
            self.painted.emit(cells, self._allows, self._gesture)

    def _end_gesture(self) -> None:
        if self._allows is not None and self._last is not None:
            self._send()
            self._left = self._last, self._allows
        self._allows = self._last = None

    def _give_up(self) -> None:
        """Take a running gesture back; without one, end painting."""
        if self._allows is None:
            self.ended.emit()
            return
        self.drop_stroke()
        self.taken_back.emit(self._gesture)


def cells_between(start: Cell, end: Cell) -> list[Cell]:
    """Give the cells on the straight way from one cell to another, without the first: a fast mouse leaves no gaps.

    Examples
    --------
    >>> cells_between((0, 0), (2, 4))
    [(0, 1), (1, 2), (2, 3), (2, 4)]
    """
    down, right = end[0] - start[0], end[1] - start[1]
    count = max(abs(down), abs(right))
    return [
        (start[0] + round(down * step / count), start[1] + round(right * step / count)) for step in range(1, count + 1)
    ]
