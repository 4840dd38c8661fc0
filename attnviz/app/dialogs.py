"""The questions of the program as real dialogs; tests answer them with an object of their own."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from attnviz.app.documents import Answer

_MASK_FILES = "Masks (*.npy *.npz *.csv *.tsv *.txt);;All files (*)"
_VECTOR_FILES = "Word vectors (*.txt *.vec *.gz *.zip *.csv *.tsv *.npy *.npz);;All files (*)"


class QtPrompts:
    """Questions asked by Qt's dialogs.

    Parameters
    ----------
    window : QWidget
        The window they belong to.
    """

    def __init__(self, window: QWidget) -> None:
        self._window = window

    def ask_unsaved(self, name: str) -> Answer:
        """Ask what to do with unsaved changes: Save, Don't Save or Cancel."""
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("attnviz")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(f"Save the changes to {name}?")
        box.setInformativeText("What is not saved is lost.")
        save = box.addButton("&Save", QMessageBox.ButtonRole.AcceptRole)
        discard = box.addButton("&Don't Save", QMessageBox.ButtonRole.DestructiveRole)
        cancel = box.addButton("&Cancel", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(save)
        box.setEscapeButton(cancel)
        box.exec()
        if box.clickedButton() is save:
            return Answer.SAVE
        return Answer.DISCARD if box.clickedButton() is discard else Answer.CANCEL

    def ask_restore(self, names: list[str]) -> bool:
        """Ask whether documents left by a crash are to be opened again: Restore or Discard."""
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle("attnviz")
        box.setText("attnviz ended without saving: " + ", ".join(names))
        box.setInformativeText("Restore what was kept?")
        restore = box.addButton("&Restore", QMessageBox.ButtonRole.AcceptRole)
        box.addButton("&Discard", QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(restore)
        box.exec()
        return box.clickedButton() is restore

    def ask_open_path(self, folder: Path) -> Path | None:
        """Ask which document to open."""
        filters = "attnviz documents (*.attn);;All files (*)"
        name, _ = QFileDialog.getOpenFileName(self._window, "Open", str(folder), filters)
        return Path(name) if name else None

    def ask_import_path(self, folder: Path) -> Path | None:
        """Ask which file of word vectors to read."""
        name, _ = QFileDialog.getOpenFileName(self._window, "Import Embeddings", str(folder), _VECTOR_FILES)
        return Path(name) if name else None

    def ask_mask_path(self, folder: Path) -> Path | None:
        """Ask which file of a mask to read."""
        name, _ = QFileDialog.getOpenFileName(self._window, "Import Mask", str(folder), _MASK_FILES)
        return Path(name) if name else None

    def ask_save_path(self, suggestion: Path, filters: str) -> Path | None:
        """Ask under which name to save; a name without an ending gets that of the chosen kind."""
        dialog = SaveDialog(suggestion, filters, self._window)
        return Path(dialog.selectedFiles()[0]) if dialog.exec() else None


class SaveDialog(QFileDialog):
    """Asks for a name, completes it, and asks again before a file of the complete name is written over.

    Parameters
    ----------
    suggestion : Path
        The folder to begin in and the name to begin with.
    filters : str
        The kinds of file, as Qt writes them: "SVG (*.svg);;PNG (*.png)".
    """

    def __init__(self, suggestion: Path, filters: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, "Save", str(suggestion.parent), filters)
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setFileMode(QFileDialog.FileMode.AnyFile)
        self.filterSelected.connect(self._complete_with)
        self._complete_with(self.selectedNameFilter())
        self.selectFile(suggestion.name)

    def _complete_with(self, kind: str) -> None:
        self.setDefaultSuffix(kind.rpartition("*.")[2].rstrip(")"))
