"""How the panels of the first layout share its columns and rows: as at first, or as somebody dragged their borders."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QMainWindow

from attnviz.app.docks import PanelDock

_COLUMNS = (("tokens", "controls"), ("plane", "inspector"), ("scores", "weights"))  # from above to below
_WIDTHS = (268, 452, 528)
_SHARES = ((9, 11), (1, 1), (1, 1))  # the controls need more height than a short list of tokens
_NEAR = 3  # pixels by which borders may miss each other


class Shares:
    """The sizes of the panels above the bottom.

    Parameters
    ----------
    window : QMainWindow
        Whose panels they are.
    docks : mapping from name to PanelDock
        All panels.

    Attributes
    ----------
    given : dict from name to (int, int)
        Width and height of the panels whose borders somebody dragged.
    """

    def __init__(self, window: QMainWindow, docks: Mapping[str, PanelDock]) -> None:
        self._window, self._docks = window, docks
        self.given: dict[str, tuple[int, int]] = {}  # width and height

    def begin_again(self) -> None:
        """Forget every size that was given."""
        self.given.clear()

    def sizes(self) -> dict[str, tuple[int, int]]:
        """Give width and height of each panel that stands in its column."""
        return {name: (place.width(), place.height()) for column in self._places() for name, place in column.items()}

    def note_dragged(self, before: Mapping[str, tuple[int, int]]) -> None:
        """Keep the sizes that somebody gave to the panels, if they are other ones than before."""
        now = self.sizes()
        if now != before:
            self.given |= now

    def share_out(self) -> None:
        """Give the panels the sizes they were given, or those of the first layout."""
        columns = [[name for name in column if self._is_there(name)] for column in _COLUMNS]
        for names, shares in zip(columns, _SHARES, strict=True):
            if len(names) > 1:
                heights = [self.given[name][1] if name in self.given else 0 for name in names]
                self._resize(names, heights if all(heights) else list(shares), Qt.Orientation.Vertical)
        if all(columns):
            first = [names[0] for names in columns]
            widths = [self.given[name][0] if name in self.given else 0 for name in first]
            self._resize(first, widths if all(widths) else list(_WIDTHS), Qt.Orientation.Horizontal)

    @property
    def are_as_at_first(self) -> bool:
        """Whether the columns stand where the first layout puts them, side by side; panels may be hidden."""
        columns = [list(column.values()) for column in self._places()]
        if not all(columns):
            return False
        tops = [column[0].top() for column in columns]
        is_row = max(tops) - min(tops) <= _NEAR
        is_row &= all(left[0].right() < right[0].left() for left, right in pairwise(columns))
        for column in columns:
            is_row &= all(above.bottom() < below.top() for above, below in pairwise(column))
            is_row &= all(abs(place.left() - column[0].left()) <= _NEAR for place in column)
        return is_row

    def _places(self) -> list[dict[str, QRect]]:
        return [{name: self._front(name).geometry() for name in column if self._is_there(name)} for column in _COLUMNS]

    def _is_there(self, name: str) -> bool:
        """Say whether a panel is shown in the window and does not share the place of one that heads a column."""
        dock = self._docks[name]
        heads = [self._docks[column[0]] for column in _COLUMNS]
        is_behind = any(other in heads for other in self._window.tabifiedDockWidgets(dock))
        return not (dock.isHidden() or dock.isFloating() or is_behind)

    def _front(self, name: str) -> PanelDock:
        """Give the dock that is in front where this one is: of those behind, Qt knows an old place only."""
        tabs = self._window.tabifiedDockWidgets(self._docks[name])
        shown = [dock for dock in self._docks.values() if dock in tabs and dock.is_in_front]
        return shown[0] if shown else self._docks[name]

    def _resize(self, names: list[str], sizes: list[int], orientation: Qt.Orientation) -> None:
        self._window.resizeDocks([self._docks[name] for name in names], sizes, orientation)
