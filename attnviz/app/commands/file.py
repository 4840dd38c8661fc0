"""The commands of the menu File: documents, scenes, embeddings from files, figures and numbers into files."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from attnviz.app.commands.group import CommandGroup
from attnviz.document import cross_attention, edits
from attnviz.late import late

if TYPE_CHECKING:
    from attnviz.app import gallery, import_dialog, output
    from attnviz.sources import WordVectors
else:
    gallery, import_dialog, output = (late(f"attnviz.app.{name}") for name in ("gallery", "import_dialog", "output"))


class FileCommands(CommandGroup):
    """What the actions of the menu File do."""

    def new(self) -> None:
        """Begin a new document."""
        self._window.documents.new()

    def gallery(self) -> None:
        """Show the gallery of scenes."""
        dialog = gallery.Gallery(self._window.appearance.theme, self._window)
        dialog.scene_chosen.connect(self._window.documents.open_preset)
        dialog.open()

    def open(self) -> None:
        """Ask for a document."""
        self._window.documents.ask_and_open()

    def import_embeddings(self) -> None:
        """Ask for a file of word vectors."""
        path = self._window.documents.prompts.ask_import_path(self._window.documents.folder())
        if path is not None:
            self.import_file(path)

    def import_file(self, path: Path) -> None:
        """Read word vectors from a file."""
        dialog = import_dialog.ImportDialog(path, self._window.session.state, self._window)
        dialog.imported.connect(self._take_vectors)
        dialog.open()

    def save(self) -> None:
        """Save the document."""
        self._window.documents.save()

    def save_as(self) -> None:
        """Save the document under another name."""
        self._window.documents.save_as()

    def export_figure(self) -> None:
        """Save the heatmaps."""
        self.output.export_figure(self._window.scores.stage, self._window.appearance.theme)

    def export_numbers(self) -> None:
        """Save every number."""
        self.output.export_numbers()

    def close(self) -> None:
        """Close the window."""
        self._window.close()

    def quit(self) -> None:
        """Close every window, and with the last one the program."""
        QApplication.closeAllWindows()

    @cached_property
    def output(self) -> output.Output:
        """What writes figures and numbers, and copies them."""
        return output.Output(self._window.session, self._window.documents.prompts, self._window, self)

    def _take_vectors(self, vectors: WordVectors, title: str, role: str) -> None:
        window = self._window
        window.plane.fit_next()
        words, rows = vectors.words, vectors.vectors
        apply = partial(window.wiring.apply_from_file, title, label="Import Embeddings")
        if role == import_dialog.START_OVER:
            apply(partial(edits.replace_embeddings, title=title), words, rows)
        else:
            apply(cross_attention.replace_list, role, words, rows)
