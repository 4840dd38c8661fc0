"""Undo and redo as a list of states: exact to the last bit, because nothing is ever computed back."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from attnviz.document.state import State

MAX_ENTRIES = 1_000


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One state of the history, with the name of the edit that led to it and the gesture it belongs to."""

    state: State
    label: str
    gesture: Hashable | None


class History:
    """The states of one document, the place in them, and which of them was saved.

    The newest ``MAX_ENTRIES`` edits are remembered.

    Parameters
    ----------
    state : State
        The first state; it counts as saved.
    """

    def __init__(self, state: State) -> None:
        self._entries = [Entry(state, "", None)]
        self._place = 0
        self._saved: Entry | None = self._entries[0]
        self._cut: list[Entry] = []  # what redo held before the gesture at the end began

    @property
    def state(self) -> State:
        """The state at the present place."""
        return self._entries[self._place].state

    @property
    def undo_label(self) -> str | None:
        """The name of the edit that undo would take back, or None."""
        return self._entries[self._place].label if self._place > 0 else None

    @property
    def redo_label(self) -> str | None:
        """The name of the edit that redo would bring back, or None."""
        return self._entries[self._place + 1].label if self._place + 1 < len(self._entries) else None

    @property
    def is_clean(self) -> bool:
        """Whether the present state is the saved one."""
        return self._saved is not None and self._saved.state.is_same(self.state)

    def push(self, state: State, label: str, gesture: Hashable | None = None) -> bool:
        """Make ``state`` the present one.

        States of one gesture make one entry. A gesture that ends where it began leaves no entry.

        Returns
        -------
        bool
            Whether the present state changed.
        """
        if state.is_same(self.state):
            return False
        if self._continues(gesture):
            before = self._entries[self._place - 1]
            if state.is_same(before.state):
                return self._drop_last()
            self._entries[self._place] = Entry(state, label, gesture)
            return True
        self._cut = self._entries[self._place + 1 :]
        self._entries[self._place + 1 :] = [Entry(state, label, gesture)]
        self._place += 1
        if self._place > MAX_ENTRIES:
            del self._entries[0]
            self._place -= 1
        return True

    def take_back(self, gesture: Hashable) -> bool:
        """Remove the entry of an unfinished gesture, as if it had not begun; tell whether there was one."""
        return self._continues(gesture) and self._drop_last()

    def undo(self) -> bool:
        """Go one entry back; tell whether there was one."""
        if self._place == 0:
            return False
        self._place -= 1
        return True

    def redo(self) -> bool:
        """Go one entry forward; tell whether there was one."""
        if self._place + 1 == len(self._entries):
            return False
        self._place += 1
        return True

    def mark_saved(self) -> None:
        """Remember the present state as the saved one."""
        self._saved = self._entries[self._place]

    def forget_saved(self) -> None:
        """Count every state as unsaved (a recovered or imported document)."""
        self._saved = None

    def _continues(self, gesture: Hashable | None) -> bool:
        is_last = self._place == len(self._entries) - 1
        return gesture is not None and is_last and self._place > 0 and self._entries[-1].gesture == gesture

    def _drop_last(self) -> bool:
        self._entries[self._place :] = self._cut
        self._cut = []
        self._place -= 1
        return True
