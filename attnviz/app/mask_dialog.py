"""Importing a mask: it is read beside the window, and both readings of True are shown before one is taken."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from attnviz.app.reading import STEPS, Reading
from attnviz.appearance import Theme
from attnviz.document.arrays import BoolArray
from attnviz.sources import MaskFile, read_mask
from attnviz.views.mask.mask_picture import MaskPicture, mask_sentence

_FLAGS = "What does True (or 1) mean in it? Programs disagree. Coloured cells may be attended to, others not."
_ADDED = "Numbers to be added to the scores: 0 lets a query see a key, a very negative number bans the key."


class _Card(QWidget):
    """One reading of a mask: its button, its picture, and what it leaves."""

    def __init__(self, text: str, tip: str, theme: Theme) -> None:
        super().__init__()
        self.button = QRadioButton(text)
        self.button.setToolTip(tip)
        self.button.setAccessibleDescription(tip)
        self.picture = MaskPicture(theme)
        self.note = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.note.setObjectName("muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for widget in (self.button, self.picture, self.note):
            column.addWidget(widget)
        column.addStretch(1)

    def show_mask(self, allowed: BoolArray) -> None:
        """Show what this reading allows."""
        self.picture.show_mask(allowed)
        self.note.setText(mask_sentence(allowed))


class MaskDialog(QDialog):
    """Reads a mask from a file and asks what True means in it.

    Parameters
    ----------
    path : Path
        The file.
    shape : (int, int)
        Queries and keys of the document.
    theme : Theme
        The colours of the pictures.

    Signals
    -------
    imported : object, str
        The mask, True = may attend, and the name of the file.
    """

    imported = Signal(object, str)

    def __init__(self, path: Path, shape: tuple[int, int], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Import Mask")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(480)
        self._path = path
        self._found: MaskFile | None = None
        name = QLabel(path.name, textFormat=Qt.TextFormat.PlainText)
        self.summary = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.summary.setObjectName("muted")
        self.progress = QProgressBar(maximum=STEPS, textVisible=False)
        self.progress.setAccessibleName("Progress")
        self.message = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.message.setObjectName("warning")
        self.keeps = _Card("True = &may attend", "True lets the query see the key, as attnviz stores masks", theme)
        self.bans = _Card("True = &banned", "True hides the key from the query", theme)
        self._group = QButtonGroup(self)
        self._cards = QWidget()
        line = QHBoxLayout(self._cards)
        line.setContentsMargins(0, 8, 0, 8)
        line.setSpacing(24)
        for card in (self.keeps, self.bans):
            self._group.addButton(card.button)
            line.addWidget(card, 1)
        self.keeps.button.setChecked(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(8)
        for widget in (name, self.summary, self._cards, self.progress, self.message):
            layout.addWidget(widget)
        layout.addLayout(self._buttons())
        for widget in (self.summary, self._cards, self.message):
            widget.hide()
        self._reading: Reading | None = Reading(path, partial(read_mask, path, shape), self)
        self._reading.progressed.connect(self.progress.setValue)
        self._reading.finished.connect(self._take)
        self._reading.failed.connect(self._fail)
        self._reading.start()

    def reject(self) -> None:
        """Stop the reading, and close."""
        self._stop()
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the reading before the dialog goes."""
        self._stop()
        super().closeEvent(event)

    def _buttons(self) -> QHBoxLayout:
        self.import_button, self.cancel_button = QPushButton("&Import"), QPushButton("Cancel")
        self.import_button.setDefault(True)
        self.import_button.setEnabled(False)
        self.cancel_button.setAutoDefault(False)
        self.import_button.clicked.connect(self._import)
        self.cancel_button.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.import_button)
        return buttons

    def _take(self, found: object) -> None:
        if self._reading is None:
            return
        self._end()
        self._found = mask = cast(MaskFile, found)
        n_query, n_key = mask.flags.shape
        self.summary.setText(f"{n_query:,} queries × {n_key:,} keys. {_ADDED if mask.is_additive else _FLAGS}")
        self.keeps.show_mask(mask.flags)
        if mask.is_additive:
            self.keeps.button.setText("0 = &may attend")
        else:
            self.bans.show_mask(~mask.flags)
        self.bans.setVisible(not mask.is_additive)
        self._cards.show()
        self.summary.show()
        self.adjustSize()
        self.import_button.setEnabled(True)
        self.keeps.button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _fail(self, sentence: str) -> None:
        if self._reading is None:
            return
        self._end()
        self.message.setText(sentence)
        self.message.show()

    def _import(self) -> None:
        if self._found is not None:
            flags = self._found.flags
            self.imported.emit(flags if self.keeps.button.isChecked() else ~flags, self._path.name)
            self.accept()

    def _stop(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._end()

    def _end(self) -> None:
        if self._reading is not None:
            self._reading.deleteLater()
        self._reading = None
        self.progress.hide()
