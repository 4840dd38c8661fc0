"""What a typed sentence is compared with: the document as it was when the typing began, not as the last key left it.

Words compared with the last key's would be drawn at their first letter and renamed from then on, and a word that
is typed over and again would not find its embedding.
"""

from __future__ import annotations

from collections.abc import Hashable

from attnviz.document.state import Side, State


class SentenceTyping:
    """Remembers where the typing into the sentence line began, over pauses and over undo of what was typed.

    It ends when it is told to, and where the present state is none that the typing led through: then another edit
    came in between.
    """

    def __init__(self) -> None:
        self._side: Side = "sequence"
        self._base: State | None = None
        self._typed: dict[Hashable, State] = {}  # the last state of each burst: undo and redo lead to these

    def base(self, side: Side, present: State) -> State:
        """Give the state that a sentence typed now is compared with: where the typing began, or the present one."""
        if self._base is None or side != self._side or not self._led_through(present):
            self.end()
            self._side, self._base = side, present
        return self._base

    def note(self, burst: Hashable, state: State) -> None:
        """Remember the state that a burst of typing led to."""
        self._typed[burst] = state

    def end(self) -> None:
        """Let what is typed next be compared with the state that is present then."""
        self._base = None
        self._typed.clear()

    def _led_through(self, present: State) -> bool:
        known = (*reversed(self._typed.values()), self._base)
        return any(state is not None and state.is_same(present) for state in known)
