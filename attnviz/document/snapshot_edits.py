"""The edits of snapshots: keep the present state under a name, go back to one, rename it, forget it."""

from __future__ import annotations

from dataclasses import replace

from attnviz.document.errors import DocumentError
from attnviz.document.snapshots import Snapshot
from attnviz.document.state import State


def take_snapshot(state: State, name: str) -> State:
    """Keep the present state under a name, at the end of the list."""
    return replace(state, snapshots=(*state.snapshots, Snapshot(name, replace(state, snapshots=()))))


def restore_snapshot(state: State, index: int) -> State:
    """Go back to a snapshot; the list of snapshots stays as it is."""
    return replace(_snapshot(state, index).state, snapshots=state.snapshots)


def rename_snapshot(state: State, index: int, name: str) -> State:
    """Give a snapshot another name."""
    renamed = Snapshot(name, _snapshot(state, index).state)
    return replace(state, snapshots=(*state.snapshots[:index], renamed, *state.snapshots[index + 1 :]))


def delete_snapshot(state: State, index: int) -> State:
    """Forget a snapshot."""
    _snapshot(state, index)
    return replace(state, snapshots=(*state.snapshots[:index], *state.snapshots[index + 1 :]))


def next_name(state: State) -> str:
    """Give a name that no snapshot has yet: a letter, or a number after all letters are taken."""
    taken = {snapshot.name for snapshot in state.snapshots}
    letters = (chr(ord("A") + i) for i in range(26))
    free = next((letter for letter in letters if letter not in taken), None)
    return free or next(name for i in range(1, len(taken) + 2) if (name := f"Snapshot {i}") not in taken)


def _snapshot(state: State, index: int) -> Snapshot:
    if not 0 <= index < len(state.snapshots):
        raise DocumentError(f"a snapshot must be one of 1 to {len(state.snapshots)}, got {index + 1}")
    return state.snapshots[index]
