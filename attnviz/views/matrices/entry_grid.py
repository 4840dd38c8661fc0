"""What the user does with the numbers of a matrix: scrub one by dragging, type, step and walk from cell to cell."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QWidget

from attnviz.document.arrays import FloatArray
from attnviz.views.announcing import Announcer
from attnviz.views.controls.gestures import Gestures
from attnviz.views.hints import plain_tooltip
from attnviz.views.matrices.coalescer import Coalescer
from attnviz.views.matrices.entry_editor import EntryEditor
from attnviz.views.matrices.scrub import Scrub, stepped
from attnviz.views.matrices.shown_entries import Place, ShownEntries

_KEY_STEP, _BIG_KEY_STEP = "0.1", "1"
_PAGE = 10
_TYPED_CHARACTERS = 12
_NONE, _SHIFT, _CONTROL, _ALT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)
_MOVES = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_PageUp: (-_PAGE, 0),
    Qt.Key.Key_PageDown: (_PAGE, 0),
}
_FAR = 1 << 30
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_TIP = (
    "Drag a number sideways to change it: Shift fine, Ctrl coarse, Esc takes it back. Type to replace it. "
    "Alt+Up and Alt+Down step by 0.1, with Ctrl by 1. Delete sets 0. Ctrl+C copies, Ctrl+V pastes."
)


class EntryGrid(ShownEntries):
    """The entries of a matrix with their gestures.

    Parameters
    ----------
    name : str
        Which of the editable matrices it is.
    gestures : Gestures
        Numbers the gestures of the whole panel.

    Signals
    -------
    entry_changed : int, int, float, int
        The entry in a row and a column is to be a number; the last one names the gesture.
    gesture_cancelled : int
        The gesture is to be taken back.
    cell_pointed : object
        Row and column of the cell under mouse or cursor, a tuple; None when it leaves.
    cursor_moved : (nothing)
        The cursor is in another cell, or came or went.
    copy_asked, paste_asked : (nothing)
        The matrix is to be copied, or to be replaced by what is in the clipboard.
    refused : str
        One sentence why a typed text is no number, or why no number can be typed.
    """

    entry_changed = Signal(int, int, float, int)
    gesture_cancelled = Signal(int)
    cell_pointed = Signal(object)
    cursor_moved = Signal()
    copy_asked = Signal()
    paste_asked = Signal()
    refused = Signal(str)

    _scrub: Scrub | None = None  # of the class: Qt still hides the grid when Python has taken it apart

    def __init__(self, name: str, gestures: Gestures, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._gestures = gestures
        self._refusal = ""
        self._editor: EntryEditor | None = None
        self._edited: Place = (0, 0)
        self._moves = Coalescer(self)
        self._moves.due.connect(self._send)
        self._announcer = Announcer(self, self.current_sentence)
        self.setToolTip(_TIP)
        self.viewport().setCursor(Qt.CursorShape.SizeHorCursor)
        for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
            bar.valueChanged.connect(self._end_editing)

    @property
    def is_scrubbing(self) -> bool:
        """Whether a number is held by the mouse."""
        return self._scrub is not None

    @property
    def editor(self) -> EntryEditor | None:
        """The box in which a number is typed, while it is open."""
        return self._editor

    def show_array(self, array: FloatArray, n_acting: int) -> None:
        """Show the entries; a held number is let go when anything but it has changed."""
        scrub = self._scrub
        if scrub is not None and not scrub.explains(array, self.array):
            self.let_go()
        if array.shape != self.array.shape and self._editor is not None:
            self._editor.setModified(False)  # what was typed was meant for another matrix
            self._end_editing()
        super().show_array(array, n_acting)
        if self._editor is not None:
            self._editor.show_number(self.number(self._edited))
        if self.hasFocus():
            self._announcer.tell_changed()

    def show_tie(self, tie: str, refusal: str) -> None:
        """Take no edit while the entries are another matrix': say so in the cells and in one sentence of refusal."""
        if refusal == self._refusal:
            return
        self.tie, self._refusal = tie, refusal
        if refusal:
            self.let_go()
            if self._editor is not None:
                self._editor.setModified(False)
                self._end_editing()
        self.setToolTip(plain_tooltip(f"{refusal}. Ctrl+C copies.") if refusal else _TIP)
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor if refusal else Qt.CursorShape.SizeHorCursor)

    def let_go(self) -> None:
        """End a scrub where the number is."""
        self._scrub = None
        self._moves.drop()

    def edit(self, text: str = "") -> None:
        """Open a box in the cell of the cursor; a text takes the number's place at once."""
        self._end_editing()
        if self._is_refused():
            return
        self.reveal(self.cursor_place)
        box = EntryEditor(f"an entry of {self.matrix.symbol}", self.viewport())
        box.setAccessibleName(self.current_sentence())
        self._editor, self._edited = box, self.cursor_place
        box.show_number(self.number(self._edited))
        box.setGeometry(self._place_of_box(box))
        box.number_entered.connect(self._enter)
        box.refused.connect(self.refused)
        box.editingFinished.connect(self._editing_finished)
        box.left.connect(self._end_editing)
        box.next_wanted.connect(self._edit_next)
        box.show()
        box.setFocus(Qt.FocusReason.OtherFocusReason)
        box.selectAll()
        if text:
            box.insert(text)

    # -- the mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the cell, and hold its number."""
        place = self._place_at(event)
        if event.button() != Qt.MouseButton.LeftButton or place is None:
            super().mousePressEvent(event)
            return
        event.accept()
        self._end_editing()
        self._go_to(place)
        if not self._refusal:
            value, x = self.number(place), event.position().x()
            self._scrub = Scrub(place, self._gestures.begin(), value, x, event.modifiers(), value)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Change the held number with the way to the side, or say which cell the mouse is over."""
        if not event.buttons() & Qt.MouseButton.LeftButton and self._scrub is not None:
            self.let_go()  # the button was released where the grid could not know, as under a dialog
        scrub, x = self._scrub, event.position().x()
        if scrub is None:
            if not event.buttons():
                self.cell_pointed.emit(self._place_at(event))
            return
        event.accept()
        wanted = scrub.moved_to(x, event.modifiers(), self._moves.wanted)
        if wanted is not None:
            self._moves.ask(wanted)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let the number go."""
        if self._scrub is None or event.button() != Qt.MouseButton.LeftButton:
            super().mouseReleaseEvent(event)
            return
        event.accept()
        self._moves.flush()
        self.let_go()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open a box in the cell."""
        place = self._place_at(event)
        if event.button() == Qt.MouseButton.LeftButton and place is not None:
            event.accept()
            self.let_go()
            self._go_to(place)
            self.edit()

    def leaveEvent(self, event: QEvent) -> None:
        """Point at nothing."""
        super().leaveEvent(event)
        self.cell_pointed.emit(None)

    def hideEvent(self, event: QHideEvent) -> None:
        """Let a held number go: nobody sees it any more."""
        super().hideEvent(event)
        if self._scrub is not None:
            self.let_go()

    # -- the keyboard

    def event(self, event: QEvent) -> bool:
        """Claim Esc while a number is held, before a shortcut of the window gets it."""
        is_key = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride
        if is_key and self._scrub is not None and cast(QKeyEvent, event).key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk, step, type, set 0, copy, paste, or take a scrub back."""
        key, modifiers = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_asked.emit()
        elif event.matches(QKeySequence.StandardKey.Paste):
            if not self._is_refused():
                self.paste_asked.emit()
        elif key == Qt.Key.Key_Escape and self._scrub is not None:
            gesture = self._scrub.gesture
            self.let_go()
            self.gesture_cancelled.emit(gesture)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and modifiers in (_ALT, _CONTROL):
            self._step(1 if key == Qt.Key.Key_Up else -1, _KEY_STEP if modifiers == _ALT else _BIG_KEY_STEP)
        elif key in _MOVES and modifiers in (_NONE, _CONTROL):
            self._move(*_MOVES[key], is_far=modifiers == _CONTROL)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End) and modifiers in (_NONE, _CONTROL):
            way = _FAR if key == Qt.Key.Key_End else -_FAR
            self._move(way if modifiers == _CONTROL else 0, way, is_far=False)
        elif key in _ENTER and modifiers == _NONE:
            self.edit()
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and modifiers == _NONE:
            if not self._is_refused():
                self.entry_changed.emit(*self.cursor_place, 0.0, self._gestures.begin())
        elif modifiers in (_NONE, _SHIFT) and event.text() and event.text() in "0123456789.,-+":
            self.edit(event.text())
        else:
            event.ignore()
            return
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show where the cursor is."""
        super().focusInEvent(event)
        self._announcer.describe()
        self.viewport().update()
        self.cursor_moved.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show no cursor."""
        super().focusOutEvent(event)
        self.viewport().update()
        self.cursor_moved.emit()

    # -- helpers

    def _place_at(self, event: QMouseEvent) -> Place | None:
        at = event.position()
        return self.geometry_shown.at(at.x(), at.y())

    def place_at(self, at: QPoint) -> Place | None:
        """Give the cell at a place of the grid."""
        inside = self.viewport().mapFrom(self, at)
        return self.geometry_shown.at(inside.x(), inside.y())

    def _is_refused(self) -> bool:
        """Tell whether no number can be changed now, and say why."""
        if self._refusal:
            self.refused.emit(self._refusal)
        return bool(self._refusal)

    def _send(self, number: float) -> None:
        if self._scrub is not None:
            self._scrub.sent = number
            self.entry_changed.emit(*self._scrub.place, number, self._scrub.gesture)

    def _step(self, count: int, step: str) -> None:
        if self._is_refused():
            return
        value = stepped(self.number(self.cursor_place), count, step)
        row, column = self.cursor_place
        self.entry_changed.emit(row, column, value, self._gestures.burst(f"{self.matrix.name} {row} {column}"))

    def _move(self, down: int, right: int, *, is_far: bool) -> None:
        factor = _FAR if is_far else 1
        rows, columns = self.array.shape
        row, column = self.cursor_place
        place = min(max(row + down * factor, 0), rows - 1), min(max(column + right * factor, 0), columns - 1)
        self._go_to(place)
        self.cell_pointed.emit(place)

    def _go_to(self, place: Place) -> None:
        if place != self.cursor_place:
            self.cursor_place = place
            self.viewport().update()
            self.cursor_moved.emit()
        self.reveal(place)
        self._announcer.tell_moved()

    def _enter(self, number: float) -> None:
        self.entry_changed.emit(*self._edited, number, self._gestures.begin())

    def _editing_finished(self) -> None:
        """Close the box, unless what is in it was refused and can still be mended."""
        box = self._editor
        if box is not None and not (box.is_invalid and box.hasFocus()):
            self._end_editing()

    def _edit_next(self, is_next: bool) -> None:
        """Take what was typed and open the next entry, row by row; nothing is open after the last."""
        self._end_editing()
        rows, columns = self.array.shape
        place = self._edited[0] * columns + self._edited[1] + (1 if is_next else -1)
        if 0 <= place < rows * columns:
            self._go_to(divmod(place, columns))
            self.edit()

    def _place_of_box(self, box: EntryEditor) -> QRect:
        """Give the place of the box: over its cell, and beyond it where a number with all its digits is wider."""
        place = self.geometry_shown.cell(*self._edited).adjusted(-1, -1, 2, 2)
        wanted = box.fontMetrics().horizontalAdvance("0" * _TYPED_CHARACTERS)
        place.setWidth(min(max(place.width(), wanted), self.viewport().width()))
        place.moveRight(min(place.right(), self.viewport().width() - 1))
        return place

    def _end_editing(self) -> None:
        box, self._editor = self._editor, None
        if box is None:
            return
        if box.hasFocus():
            self.setFocus(Qt.FocusReason.OtherFocusReason)  # before it goes: the box takes what was typed with this
        box.hide()
        box.deleteLater()
