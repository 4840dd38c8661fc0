"""Recovery: a copy of unsaved work beside the program's data, offered again after a crash."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QStandardPaths, QTimer

from attnviz.app.documents import Documents, Prompts
from attnviz.document.attn_file import SUFFIX, read_file, write_file
from attnviz.document.errors import DocumentError
from attnviz.document.state import State
from attnviz.session import Session

INTERVAL_MS = 30_000


def recovery_folder() -> Path:
    """Give the folder that copies are kept in."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation)) / "autosave"


class Recovery(QObject):
    """Keeps a copy of one window's unsaved document.

    Parameters
    ----------
    session : Session
        The document.
    documents : Documents
        Opens what is restored.
    folder : Path
        Where copies are kept; a lock beside each says that its program still runs.
    """

    def __init__(self, session: Session, documents: Documents, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._documents, self._folder = session, documents, folder
        self._path = folder / f"{os.getpid()}-{id(self)}{SUFFIX}"
        self._lock: QLockFile | None = None
        self._kept: State | None = None
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self.keep)
        self._timer.start()

    def keep(self) -> None:
        """Write a copy if there is unsaved work that the last copy does not hold; failures are silent."""
        state = self._session.state
        if not self._session.is_modified:
            self.forget()
        elif state is not self._kept:
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                self._take_lock()
                write_file(state, self._path)
                self._kept = state
            except (OSError, DocumentError):
                self._kept = None

    def forget(self) -> None:
        """Remove the copy: everything is saved, or was given up knowingly."""
        self._kept = None
        self._path.unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def stop(self) -> None:
        """Keep nothing any more: the window was closed in order."""
        self._timer.stop()
        self.forget()

    def offer(self, prompts: Prompts) -> None:
        """Offer the newest copy that a crash has left; the others stay for other windows."""
        left = left_behind(self._folder)
        if not left:
            return
        newest = left[0]
        try:
            state = read_file(newest)
        except DocumentError:
            newest.unlink(missing_ok=True)
            return
        is_wanted = prompts.ask_restore([state.title or "untitled"])
        if not is_wanted or self._documents.open_state(state):
            newest.unlink(missing_ok=True)

    def _take_lock(self) -> None:
        if self._lock is None:
            self._lock = QLockFile(str(self._path) + ".lock")
            self._lock.setStaleLockTime(0)
            self._lock.tryLock(0)


def left_behind(folder: Path) -> list[Path]:
    """Give the copies whose program no longer runs, the newest first."""
    left = []
    for path in folder.glob(f"*{SUFFIX}"):
        lock = QLockFile(str(path) + ".lock")
        lock.setStaleLockTime(0)
        if lock.tryLock(0):  # a lock whose process is gone is broken by this
            lock.unlock()
            left.append(path)
    return sorted(left, key=lambda path: path.stat().st_mtime, reverse=True)
