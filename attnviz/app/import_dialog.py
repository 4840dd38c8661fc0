"""Importing embeddings: a look at the file, a sentence, progress with cancel, and the words that are not there."""

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
from attnviz.document.errors import DocumentError
from attnviz.document.sentence import split_sentence
from attnviz.sources import WordVectors, describe, read_word_vectors

_SHOWN_WORDS = 12


class ImportDialog(QDialog):
    """Asks for a sentence and reads its words from a file.

    Signals
    -------
    imported : object, str
        The :class:`WordVectors` and a title for the document.
    """

    imported = Signal(object, str)

    def __init__(self, path: Path, sentence: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Import Embeddings")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(520)
        self._path = path
        self._reading: Reading | None = None
        self._found: WordVectors | None = None
        self.summary = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.summary.setObjectName("muted")
        self.sentence = QLineEdit(sentence)
        self.sentence.setAccessibleName("Sentence")
        self.sentence.setToolTip("The words to keep, separated by blanks; empty keeps every row of a small file")
        label = QLabel("&Sentence")
        label.setBuddy(self.sentence)
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
        layout.addWidget(self.progress)
        layout.addWidget(self.message)
        layout.addLayout(buttons)
        self.progress.hide()
        self.message.hide()
        self.sentence.textEdited.connect(self._forget)
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
        if not summary.has_words:
            self.sentence.clear()

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
        self.imported.emit(found, self._path.name[:200])
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

    def _say(self, sentence: str) -> None:
        self.message.setText(sentence)
        self.message.show()
