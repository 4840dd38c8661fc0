"""What an action of the program is before it is made: its name, menu, words and shortcuts."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action of the program.

    Parameters
    ----------
    name : str
        Object name, and the key of its handler.
    menu : str
        The menu it stands in, as in ``"File"`` or ``"File/Export"``.
    text : str
        With a mnemonic; with an ellipsis only where input follows.
    tip : str
        One sentence for the status bar and the tooltip.
    keys : tuple of StandardKey or str
        Its shortcuts, the first one shown.
    checkable : bool
        Whether it is switched on and off.
    group : str
        Actions of one group exclude each other; empty for none.
    begins_section : bool
        Whether a separator stands above it.
    role : QAction.MenuRole
        Where macOS moves it; nowhere by default.
    """

    name: str
    menu: str
    text: str
    tip: str
    keys: tuple[QKeySequence.StandardKey | str, ...] = ()
    checkable: bool = False
    group: str = ""
    begins_section: bool = False
    role: QAction.MenuRole = QAction.MenuRole.NoRole
