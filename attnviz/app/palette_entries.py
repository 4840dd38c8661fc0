"""What the command palette offers: every entry of every menu, read off the menu bar when the palette opens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

BETWEEN = " › "
UNAVAILABLE = "not available now"


@dataclass(frozen=True, slots=True)
class Entry:
    """One action, as it was when the palette opened; all texts are plain.

    Parameters
    ----------
    path : str
        The menus it stands in, as in ``"View › Theme"``.
    text : str
        Its name, without mnemonic.
    tip : str
        One sentence what it does.
    keys : str
        Its first shortcut as the desktop writes it; empty without one.
    is_enabled, is_checked : bool
        Whether it can be run, and whether it is switched on.
    action : QAction
        What is triggered.
    """

    path: str
    text: str
    tip: str
    keys: str
    is_enabled: bool
    is_checked: bool
    action: QAction

    @property
    def name(self) -> str:
        """Path and text, in which is searched."""
        return f"{self.path}{BETWEEN}{self.text}"

    @property
    def text_at(self) -> int:
        """Where the text begins in the name."""
        return len(self.path) + len(BETWEEN)

    @property
    def sentence(self) -> str:
        """All of it in words, for screen readers."""
        state = "" if self.is_enabled else f", {UNAVAILABLE}"
        marks = ", switched on" if self.is_checked else ""
        return f"{self.text}, {self.path}{marks}{state}" + (f", {self.keys}" if self.keys else "")


def entries_of(bar: QMenuBar) -> tuple[Entry, ...]:
    """Give every entry of the menus of a menu bar, in their order."""
    return tuple(entry for top in bar.actions() for entry in _entries(top, ""))


def plain(text: str) -> str:
    """Take the mnemonic out of a text.

    Examples
    --------
    >>> plain("Save &As…"), plain("Q && A")
    ('Save As…', 'Q & A')
    """
    return "&".join(part.replace("&", "") for part in text.split("&&"))


def _entries(action: QAction, path: str) -> Iterator[Entry]:
    menu = action.menu()
    if isinstance(menu, QMenu):
        inside = plain(menu.title())
        for inner in menu.actions():
            yield from _entries(inner, f"{path}{BETWEEN}{inside}" if path else inside)
    elif not action.isSeparator():
        yield Entry(
            path=path,
            text=plain(action.text()),
            tip=action.statusTip(),
            keys=action.shortcut().toString(QKeySequence.SequenceFormat.NativeText),
            is_enabled=action.isEnabled(),
            is_checked=action.isCheckable() and action.isChecked(),
            action=action,
        )
