"""The session: one open document with its history and its current frame, and one signal for both."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import QObject, Signal

from attnviz.document.frame import Frame, compute
from attnviz.document.history import History
from attnviz.document.state import State


class Session(QObject):
    """An open document.

    Signals
    -------
    frame_changed : object
        Carries the current :class:`Frame`; sent after every change of the document, and after a save.
    """

    frame_changed = Signal(object)

    def __init__(self, state: State, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._compute_ms = 0.0
        self._head = 0
        self._frame = self._computed(state)
        self._history = History(state)
        self._path: Path | None = None

    @property
    def frame(self) -> Frame:
        """The frame of the present state."""
        return self._frame

    @property
    def state(self) -> State:
        """The present state."""
        return self._frame.state

    @property
    def path(self) -> Path | None:
        """The file the document was read from or saved to."""
        return self._path

    @property
    def compute_ms(self) -> float:
        """How long the engine took for the present frame, in milliseconds."""
        return self._compute_ms

    @property
    def is_modified(self) -> bool:
        """Whether the present state differs from the saved one."""
        return not self._history.is_clean

    @property
    def undo_label(self) -> str | None:
        """The name of the edit that undo would take back."""
        return self._history.undo_label

    @property
    def redo_label(self) -> str | None:
        """The name of the edit that redo would bring back."""
        return self._history.redo_label

    def apply(self, edit: Callable[..., State], *args: object, label: str, merge: Hashable | None = None) -> None:
        """Apply an edit to the present state.

        Parameters
        ----------
        edit : callable
            A function from the state and ``args`` to the next state.
        *args : object
            What the edit takes besides the state.
        label : str
            How Undo names it.
        merge : hashable, optional
            The gesture it belongs to: edits of one gesture make one entry.

        Raises
        ------
        DocumentError
            If the edit or its numbers are refused; the document is as before.
        """
        state = edit(self.state, *args)
        if state.is_same(self.state):
            return
        frame = self._computed(state)  # before the history: what cannot be computed must not be remembered
        self._history.push(state, label, merge)
        self._publish(frame)

    def take_back(self, merge: Hashable) -> None:
        """Undo an unfinished gesture as if it had not begun."""
        if self._history.take_back(merge):
            self._publish(self._computed(self._history.state))

    def undo(self) -> None:
        """Go one entry back."""
        if self._history.undo():
            self._publish(self._computed(self._history.state))

    def redo(self) -> None:
        """Go one entry forward."""
        if self._history.redo():
            self._publish(self._computed(self._history.state))

    def show_head(self, head: int) -> None:
        """Look at another head of the same frame; nothing is computed and no entry is made."""
        self._head = max(0, min(head, self._frame.n_heads - 1))
        if self._head != self._frame.head:
            self._publish(self._frame)

    def prepare(self, state: State) -> Frame:
        """Compute the frame of another document, to be shown later; the present one stays.

        Raises
        ------
        DocumentError
            If its numbers overflow.
        """
        return self._computed(state)

    def open(self, frame: Frame, path: Path | None, *, is_saved: bool = True) -> None:
        """Begin another document with a frame that :meth:`prepare` gave."""
        self._history = History(frame.state)
        if not is_saved:
            self._history.forget_saved()
        self._path = path
        self._head = 0
        self._publish(frame)

    def mark_saved(self, path: Path) -> None:
        """Remember that the present state was written to ``path``."""
        self._path = path
        self._history.mark_saved()
        self._publish(self._frame)

    def _computed(self, state: State) -> Frame:
        begin = perf_counter()
        frame = compute(state)
        self._compute_ms = 1e3 * (perf_counter() - begin)
        return frame

    def _publish(self, frame: Frame) -> None:
        self._frame = frame.at_head(self._head)
        self.frame_changed.emit(self._frame)
