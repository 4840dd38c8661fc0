"""Snapshots: states that are kept under a name, to compare the present one with, or to go back to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attnviz.document.errors import DocumentError

if TYPE_CHECKING:
    from attnviz.document.state import State

MAX_SNAPSHOTS = 50
MAX_NAME_LENGTH = 80


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """A state under a name.

    Parameters
    ----------
    name : str
        What the list shows: one line.
    state : State
        The state, without snapshots of its own.

    Raises
    ------
    DocumentError
        If the name is empty, too long or no single line, or the state has snapshots.
    """

    name: str
    state: State

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip() or not self.name.isprintable():
            raise DocumentError(f"a snapshot must have a name of one line, got {self.name!r:.60}")
        if len(self.name) > MAX_NAME_LENGTH:
            raise DocumentError(
                f"a snapshot's name must have at most {MAX_NAME_LENGTH} characters, got {len(self.name)}"
            )
        if self.state.snapshots:
            raise DocumentError("a snapshot must be a state without snapshots, got one with some")

    def is_same(self, other: Snapshot) -> bool:
        """Tell whether ``other`` has the same name, and the same state to the last bit."""
        return self is other or (self.name == other.name and self.state.is_same(other.state))


def check_snapshots(snapshots: tuple[Snapshot, ...]) -> None:
    """Refuse too many snapshots.

    Raises
    ------
    DocumentError
        If there are more than MAX_SNAPSHOTS.
    """
    if len(snapshots) > MAX_SNAPSHOTS:
        raise DocumentError(f"at most {MAX_SNAPSHOTS} snapshots can be kept, got {len(snapshots)}")
