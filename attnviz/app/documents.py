"""The document on disk: new, open, recent, save, and the question before anything unsaved is dropped."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QSettings, Signal

from attnviz.document.attn_file import SUFFIX, read_file, write_file
from attnviz.document.errors import DocumentError, FileError
from attnviz.document.presets import load_preset
from attnviz.document.state import State
from attnviz.session import Session

MOST_RECENT = 10
START_SCENE = "s1-cat-dog-phone"


class Answer(Enum):
    """What the user wants done with unsaved changes."""

    SAVE = "save"
    DISCARD = "discard"
    CANCEL = "cancel"


class Prompts(Protocol):
    """The questions that documents ask; a test answers them without a dialog."""

    def ask_unsaved(self, name: str) -> Answer:
        """Ask what to do with the unsaved changes of the document ``name``."""

    def ask_restore(self, names: list[str]) -> bool:
        """Ask whether documents left by a crash are to be opened again."""

    def ask_open_path(self, folder: Path) -> Path | None:
        """Ask which document to open."""

    def ask_import_path(self, folder: Path) -> Path | None:
        """Ask which file of word vectors to read."""

    def ask_mask_path(self, folder: Path) -> Path | None:
        """Ask which file of a mask to read."""

    def ask_save_path(self, suggestion: Path, filters: str) -> Path | None:
        """Ask under which name to save."""


class Documents(QObject):
    """Opens and saves the session's document.

    Signals
    -------
    opened : (nothing)
        Another document is about to be shown.
    recent_changed : (nothing)
        The list of recent files changed.
    failed : str
        One sentence about what could not be read or written.
    saved : str
        One sentence about what was written.
    """

    opened = Signal()
    recent_changed = Signal()
    failed = Signal(str)
    saved = Signal(str)

    def __init__(self, session: Session, prompts: Prompts, settings: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session, self.prompts, self._settings = session, prompts, settings

    @property
    def name(self) -> str:
        """The name in the window's title: the file's, else the scene's."""
        if self.session.path is not None:
            return self.session.path.name
        return self.session.state.title or "untitled"

    def may_leave(self) -> bool:
        """Ask about unsaved changes; say whether the document may be dropped."""
        if not self.session.is_modified:
            return True
        answer = self.prompts.ask_unsaved(self.name)
        if answer is Answer.SAVE:
            return self.save()
        return answer is Answer.DISCARD

    def new(self) -> None:
        """Begin with the start-up scene."""
        self.open_preset(START_SCENE)

    def open_preset(self, name: str) -> bool:
        """Open a scene as a new document."""
        return self._open_when_free(partial(load_preset, name), None)

    def ask_and_open(self) -> None:
        """Ask for a file and open it."""
        path = self.prompts.ask_open_path(self.folder())
        if path is not None:
            self.open_path(path)

    def open_path(self, path: Path) -> bool:
        """Open a file; on failure the present document stays."""
        done = self._open_when_free(partial(read_file, path), path)
        if done:
            self._remember(path)
        return done

    def adopt(self, path: Path) -> None:
        """Take the present document as the one read from ``path``, and remember it."""
        self.session.mark_saved(path)
        self._remember(path)

    def open_state(self, state: State) -> bool:
        """Open a state that has no file yet, as an unsaved document."""
        return self._open_when_free(lambda: state, None, is_saved=False)

    def save(self) -> bool:
        """Save to the document's file, or ask for one."""
        if self.session.path is None:
            return self.save_as()
        return self._write(self.session.path)

    def save_as(self) -> bool:
        """Ask for a name and save there."""
        stem = (
            "".join(c if c.isalnum() or c in "-_,.() " else "-" for c in self.session.state.title).strip() or "untitled"
        )
        suggestion = self.session.path or self.folder() / (stem + SUFFIX)
        path = self.prompts.ask_save_path(suggestion, "attnviz documents (*.attn)")
        if path is None:
            return False
        if path.suffix.lower() != SUFFIX:
            path = path.with_name(path.name + SUFFIX)
            if path.exists():  # nobody was asked about this name
                self.failed.emit(f"a name without {SUFFIX} must be a new one, got that of {path.name}, which exists")
                return False
        return self._write(path)

    def recent(self) -> list[Path]:
        """Give the recent files, the newest first."""
        names = self._settings.value("recent", [], list)
        return [Path(str(name)) for name in names] if isinstance(names, list) else []

    def clear_recent(self) -> None:
        """Forget the recent files."""
        self._settings.setValue("recent", [])
        self.recent_changed.emit()

    def folder(self) -> Path:
        """Give the folder that file dialogs begin in."""
        if self.session.path is not None:
            return self.session.path.parent
        recent = self.recent()
        return recent[0].parent if recent else Path.home()

    def ask_mask_path(self) -> Path | None:
        """Ask which file of a mask to read."""
        return self.prompts.ask_mask_path(self.folder())

    def _open_when_free(self, read: Callable[[], State], path: Path | None, *, is_saved: bool = True) -> bool:
        try:
            frame = self.session.prepare(read())
        except FileError as error:
            self.failed.emit(str(error))
            return False
        except DocumentError as error:  # not about a file: its numbers overflow
            self.failed.emit(f"{path.name}: {error}" if path is not None else str(error))
            return False
        if not self.may_leave():
            return False
        self.opened.emit()
        self.session.open(frame, path, is_saved=is_saved)
        return True

    def _write(self, path: Path) -> bool:
        try:
            write_file(self.session.state, path)
        except DocumentError as error:
            self.failed.emit(str(error))
            return False
        self.session.mark_saved(path)
        self._remember(path)
        self.saved.emit(f"Saved {path.name}.")
        return True

    def _remember(self, path: Path) -> None:
        path = path.absolute()
        kept = [path, *(old for old in self.recent() if old != path)][:MOST_RECENT]
        self._settings.setValue("recent", [str(p) for p in kept])
        self.recent_changed.emit()
