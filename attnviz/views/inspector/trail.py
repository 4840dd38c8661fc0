"""The way somebody took from number to number: back, forward, and the numbers on it."""

from __future__ import annotations

from collections.abc import Callable

from attnviz.document.number_ref import NumberRef


class Trail:
    """Numbers in the order they were looked at, and which of them is shown.

    Parameters
    ----------
    start : NumberRef
        The first one.
    """

    def __init__(self, start: NumberRef) -> None:
        self._entries = [start]
        self._place = 0

    @property
    def current(self) -> NumberRef:
        """The number that is shown."""
        return self._entries[self._place]

    @property
    def behind(self) -> tuple[NumberRef, ...]:
        """The numbers before the shown one, in order."""
        return tuple(self._entries[: self._place])

    @property
    def can_go_back(self) -> bool:
        """Whether there is a number before."""
        return self._place > 0

    @property
    def can_go_forward(self) -> bool:
        """Whether there is a number that was gone back from."""
        return self._place + 1 < len(self._entries)

    def begin(self, ref: NumberRef) -> None:
        """Forget the way and begin a new one."""
        self._entries, self._place = [ref], 0

    def visit(self, ref: NumberRef) -> None:
        """Go on to another number; what was gone back from is forgotten."""
        if ref != self.current:
            self._entries = [*self._entries[: self._place + 1], ref]
            self._place += 1

    def keep(self, is_there: Callable[[NumberRef], bool]) -> bool:
        """Forget the numbers that are gone; say whether the shown one is still there."""
        is_kept = [is_there(ref) for ref in self._entries]
        if not is_kept[self._place]:
            return False
        self._place = sum(is_kept[: self._place])
        self._entries = [ref for ref, kept in zip(self._entries, is_kept, strict=True) if kept]
        return True

    def go_to(self, place: int) -> None:
        """Show the number at a place of the way, or the nearest there is."""
        self._place = max(0, min(place, len(self._entries) - 1))

    def back(self) -> None:
        """Show the number before."""
        self.go_to(self._place - 1)

    def forward(self) -> None:
        """Show the number that was gone back from."""
        self.go_to(self._place + 1)
