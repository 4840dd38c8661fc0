"""Importing embeddings: a look at the file, what its rows are to be, progress with cancel, and missing words."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from attnviz.app.reading import STEPS, Reading
from attnviz.document.cross_attention import width_mismatch
from attnviz.document.errors import DocumentError
from attnviz.document.sentence import join_sentence, split_sentence
from attnviz.document.state import Side, State
from attnviz.sources import WordVectors, describe, lacks_all, read_word_vectors
from attnviz.views.segments import Segments

_SHOWN_WORDS = 12
START_OVER = "start"
_ROLES = (
    (START_OVER, "Start over", "Begin with these tokens alone: one list, every matrix the identity"),
    ("sequence", "Tokens that ask", "Put them in the place of the tokens that ask; the rest of the document stays"),
    ("context", "Tokens that answer", "Let them be keys and values of cross-attention; the rest of the document stays"),
)


class ImportDialog(QDialog):
    """Asks for a sentence and reads its words from a file.

    Signals
    -------
    imported : object, str, str
        The :class:`WordVectors`, a title for the document, and what they are to be: "start" for a document of their
        own, or the side whose place they take.
    """

    imported = Signal(object, str, str)

    def __init__(self, path: Path, state: State, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Import Embeddings")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(520)
        self._path, self._state = path, state
        self._width: int | None = None  # of the rows in the file
        self._reading: Reading | None = None
        self._found: WordVectors | None = None
        self.summary = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.summary.setObjectName("muted")
        self.sentence = QLineEdit(join_sentence(state.sequence.tokens))
        self.sentence.setAccessibleName("Sentence")
        self.sentence.setToolTip("The words to keep, separated by blanks; empty keeps every row of a small file")
        self.sentence.setPlaceholderText("Words to keep; empty keeps every row of a small file")
        label = QLabel("&Sentence")
        label.setBuddy(self.sentence)
        self.role = Segments(_ROLES)
        self.role.setAccessibleName("What the tokens are to be")
        self.role.show_choice(START_OVER)
        self.widths = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.widths.setObjectName("muted")
        self.progress = QProgressBar(maximum=STEPS, textVisible=False)
        self.progress.setAccessibleName("Progress")
        self.message = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.message.setObjectName("warning")
        self.import_button, self.cancel_button = QPushButton("&Import"), QPushButton("Cancel")
        self.import_button.setDefault(True)
        self.cancel_button.setAutoDefault(False)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.import_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(8)
        for widget in (QLabel(path.name, textFormat=Qt.TextFormat.PlainText), self.summary, label, self.sentence):
            layout.addWidget(widget)
        layout.addWidget(self.role)
        layout.addWidget(self.widths)
        layout.addWidget(self.progress)
        layout.addWidget(self.message)
        layout.addLayout(buttons)
        self.progress.hide()
        self.message.hide()
        self.sentence.textEdited.connect(self._forget)
        self.role.chosen.connect(self._compare_widths)
        self.import_button.clicked.connect(self._import)
        self.cancel_button.clicked.connect(self.reject)
        self._look()

    def reject(self) -> None:
        """Stop a reading; without one, close."""
        if self._reading is not None:
            self._stop()
            self._say("Cancelled; nothing was changed.")
            return
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop a reading before the dialog goes."""
        self._stop()
        super().closeEvent(event)

    def _look(self) -> None:
        try:
            summary = describe(self._path)
        except DocumentError as error:
            self._say(str(error))
            self.import_button.setEnabled(False)
            return
        rows = "" if summary.row_count is None else f"{summary.row_count:,} rows, "
        words = ", ".join(summary.first_words[:6])
        self.summary.setText(f"{summary.format}, {rows}{summary.dimension} numbers each; it begins with {words}")
        if not summary.has_words or lacks_all(self._path, self._state.sequence.tokens):
            self.sentence.clear()
        self._width = summary.dimension
        self._compare_widths()

    def _compare_widths(self) -> None:
        """Say both widths before anything is read, and refuse here what could not be taken."""
        if self._width is None:
            return
        role, own = self.role.choice, self._state.width
        sizes = f"The file has {self._width:,} numbers a token, the document {own:,}"
        refusal = "" if role == START_OVER else width_mismatch(self._state, _side(role), self._width)
        if refusal:
            said = f"{sizes}: {refusal}."
        elif role == START_OVER:
            said = f"{sizes}. It begins again with these tokens alone."
        else:
            said = f"{sizes}: they fit."
        self.widths.setText(said)
        style = "warning" if refusal else "muted"
        if self.widths.objectName() != style:
            self.widths.setObjectName(style)
            self.widths.style().polish(self.widths)
        self.import_button.setEnabled(not refusal and self._reading is None)

    def _import(self) -> None:
        if self._found is not None:
            self._finish(self._found)
            return
        words = split_sentence(self.sentence.text()) or None
        self._reading = Reading(self._path, partial(read_word_vectors, self._path, words), self)
        self._reading.progressed.connect(self.progress.setValue)
        self._reading.finished.connect(self._take)
        self._reading.failed.connect(self._fail)
        self.progress.setValue(0)
        self.progress.show()
        self.message.hide()
        self.import_button.setEnabled(False)
        self.sentence.setEnabled(False)
        self.role.setEnabled(False)
        self._reading.start()

    def _take(self, found: WordVectors) -> None:
        if self._is_late():
            return
        self._end()
        if not found.missing:
            self._finish(found)
            return
        listed = ", ".join(found.missing[:_SHOWN_WORDS]) + (" …" if len(found.missing) > _SHOWN_WORDS else "")
        if not found.words:
            self._say(f"None of these words is in the file: {listed}")
            return
        self._found = found
        self._say(f"Not in the file: {listed}")
        self.import_button.setText("&Drop them and import")

    def _fail(self, sentence: str) -> None:
        if self._is_late():
            return
        self._end()
        self._say(sentence)

    def _finish(self, found: WordVectors) -> None:
        self.imported.emit(found, self._path.name[:200], self.role.choice)
        self.accept()

    def _forget(self) -> None:
        self._found = None
        self.import_button.setText("&Import")

    def _stop(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._end()

    def _is_late(self) -> bool:
        """Say whether a result comes from a reading that was cancelled while the result was on its way."""
        return self._reading is None or self.sender() is not self._reading

    def _end(self) -> None:
        if self._reading is not None:
            self._reading.deleteLater()
        self._reading = None
        self.progress.hide()
        self.import_button.setEnabled(True)
        self.sentence.setEnabled(True)
        self.role.setEnabled(True)

    def _say(self, sentence: str) -> None:
        self.message.setText(sentence)
        self.message.show()


def _side(role: str) -> Side:
    return "context" if role == "context" else "sequence"
