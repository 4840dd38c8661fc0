"""One reading of a file on a thread of the pool, with progress and cancel; what it gives comes back by a signal."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QThreadPool, Signal

from attnviz.document.errors import DocumentError
from attnviz.sources import Cancelled
from attnviz.sources.cells import printable

STEPS = 1000


class Progress(Protocol):
    """Takes the share of a file that is read."""

    def __call__(self, share: float, /) -> None:
        """Take a share, 0 to 1."""


class IsCancelled(Protocol):
    """Tells whether to stop."""

    def __call__(self) -> bool:
        """Tell it."""


class Read(Protocol):
    """Reads the file."""

    def __call__(self, *, progress: Progress, is_cancelled: IsCancelled) -> object:
        """Give what is in it."""


class Reading(QObject):
    """One reading; it lives on the thread of the window.

    Parameters
    ----------
    path : Path
        The file, for messages.
    read : callable
        Reads it.

    Signals
    -------
    progressed : int
        Thousandths of the file.
    finished : object
        Carries what was read.
    failed : str
        One sentence.
    """

    progressed = Signal(int)
    finished = Signal(object)
    failed = Signal(str)

    def __init__(self, path: Path, read: Read, parent: QObject) -> None:
        super().__init__(parent)
        self._path, self._read = path, read
        self._cancelled = threading.Event()
        self._ended = threading.Event()

    def start(self) -> None:
        """Begin on the global pool."""
        QThreadPool.globalInstance().start(self._run)

    def cancel(self) -> None:
        """Ask the reading to stop, and wait until it has."""
        self._cancelled.set()
        self._ended.wait(5.0)

    def _run(self) -> None:
        try:
            found = self._read(progress=self._progress, is_cancelled=self._cancelled.is_set)
        except Cancelled:
            pass
        except DocumentError as error:
            self._send(self.failed, str(error))
        except MemoryError:
            self._send(self.failed, f"{self._path.name} must fit into memory, got too little of it")
        except Exception as error:  # noqa: BLE001  whatever it is, whoever waits is told
            reason = printable(str(error))
            what = f"{type(error).__name__} ({reason})" if reason else type(error).__name__
            self._send(self.failed, f"{self._path.name} must be a file that can be read, got {what}")
        else:
            self._send(self.finished, found)
        finally:
            self._ended.set()

    def _progress(self, share: float) -> None:
        self._send(self.progressed, round(share * STEPS))

    def _send(self, signal: object, value: object) -> None:
        if not self._cancelled.is_set():
            signal.emit(value)  # type: ignore[attr-defined]  # PySide6 types a bound signal as Signal
