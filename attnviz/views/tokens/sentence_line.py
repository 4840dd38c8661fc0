"""The line a sentence is typed into: every blank parts two tokens, at once and without an Enter."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from attnviz.document.sentence import join_sentence, split_sentence

_PAUSE_MS = 1_500
_LONGEST = 10_000_000  # characters: beyond the longest list of the longest tokens


class SentenceLine(QLineEdit):
    """A line that shows tokens with blanks between, and tells each change of it.

    The line is written anew only when other tokens come than its text stands for, so that it never changes
    under the cursor. An empty line is told to nobody; leaving it brings the tokens back.

    Signals
    -------
    sentence_typed : str, int
        The text, and the burst of typing it belongs to: a number that stays until the focus leaves or a
        pause of 1.5 seconds.
    typing_ended
        What was typed is settled: the focus left, Enter was pressed, or another list is edited. A pause does not
        settle it, since a word may be half typed.
    """

    sentence_typed = Signal(str, int)
    typing_ended = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tokens: tuple[str, ...] = ()
        self._gesture = 0
        self.pause = QTimer(self)
        self.pause.setSingleShot(True)
        self.pause.setInterval(_PAUSE_MS)
        self.setMaxLength(_LONGEST)
        self.setPlaceholderText("Type at least one token")
        self.textEdited.connect(self._tell)
        self.returnPressed.connect(self.end_gesture)

    def show_tokens(self, tokens: tuple[str, ...]) -> None:
        """Show tokens and emit nothing; a text that already stands for them stays as it is."""
        if tokens is self._tokens:
            return
        is_news = tokens != self._tokens
        self._tokens = tokens
        if is_news:
            self._write_if_other()

    def end_gesture(self) -> None:
        """Settle what was typed; what is typed next is a burst of its own."""
        self.pause.stop()
        self.typing_ended.emit()

    def event(self, event: QEvent) -> bool:
        """Claim Esc while there is something to bring back; leave Undo and Redo to the document."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape and self._is_other():
                event.accept()
                return True
            if event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo):
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Bring the tokens back on Esc."""
        if event.key() == Qt.Key.Key_Escape and self._is_other():
            self._write_if_other()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """End the burst of typing, and bring the tokens back if the text stands for others."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.end_gesture()
            self._write_if_other()

    def _tell(self, text: str) -> None:
        if not self.pause.isActive():
            self._gesture += 1
        self.pause.start()
        if split_sentence(text):
            self.sentence_typed.emit(text, self._gesture)

    def _is_other(self) -> bool:
        return split_sentence(self.text()) != self._tokens

    def _write_if_other(self) -> None:
        text = join_sentence(self._tokens)
        if self._is_other() and text != self.text():
            cursor = self.cursorPosition()
            self.setText(text)
            self.setCursorPosition(min(cursor, len(text)))
