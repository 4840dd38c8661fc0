"""The bottom of the window, the place of Why?, stages and matrices: as high as what is in it needs, or was given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from PySide6.QtWidgets import QMainWindow

from attnviz.app.docks import PanelDock

_WHY, _STAGES, _LARGE, _MATRICES = "why", "stages", "large stage", "matrices"  # what it can hold
_SHARE_OF_LARGE_STAGE, _WORTH_GROWING = 0.5, 1.4
_OVER_FULL_WIDTH = 0.9  # of the window, from which on a panel is at its bottom and in no column
_NEAR = 3  # pixels by which Qt may miss a height
NO_LIMIT = 16_777_215  # Qt's QWIDGETSIZE_MAX


@contextmanager
def held_at(window: QMainWindow, dock: PanelDock, height: int) -> Iterator[None]:
    """Hold a dock at a height while others are resized; ``resizeDocks`` does not reach across nested splits."""
    dock.setFixedHeight(height)
    yield
    arrangement = window.layout()
    if arrangement is not None:
        arrangement.activate()
    dock.setMinimumHeight(0)
    dock.setMaximumHeight(NO_LIMIT)


class BottomArea:
    """The place that Why?, the stages and the matrices share over the full width.

    Each of the things it can hold has a height of its own: the one it needs with the present size of text, until
    somebody drags the border above it while it is there.

    Parameters
    ----------
    window : QMainWindow
        Whose bottom it is.
    docks : mapping from name to PanelDock
        All panels; "derivation" is Why?.
    """

    def __init__(self, window: QMainWindow, docks: Mapping[str, PanelDock]) -> None:
        self._window, self._why = window, docks["derivation"]
        self._strips = {name: docks[name] for name in (_STAGES, _MATRICES)}
        self._is_stage_large = False
        self._dragged: dict[str, int] = {}
        self._left: tuple[int, int] | None = None  # how high Why? was before the stages came, and a line of text
        self._settled = _WHY

    @property
    def dock(self) -> PanelDock | None:
        """The dock that decides about the height; None while there is none at the bottom."""
        dock = self._strips.get(self._strip, self._why)
        is_there = not (dock.isHidden() or dock.isFloating())
        if dock is self._why and is_there:  # the stages may grow in a column too
            is_there = dock.width() > _OVER_FULL_WIDTH * self._window.width()
        return dock if is_there else None

    @property
    def height(self) -> int:
        """How high what is in it should be."""
        holds, dock = self._holds, self._strips.get(self._strip, self._why)
        return min(self._dragged.get(holds) or self._needed(holds), self._highest(dock))

    def begin_again(self) -> None:
        """Forget every height that was given."""
        self._dragged.clear()
        self._left = None
        self._settled = self._holds

    def open_stage(self, *, is_open: bool) -> None:
        """Make room for a large stage, or take it back when it is closed."""
        self._is_stage_large = is_open

    def leave_why(self) -> None:
        """Write down how high Why? is before the stages come."""
        if self._holds == _WHY and self.dock is not None:
            self._left = self._why.height(), self._line

    def settle(self) -> None:
        """Take the height for what it holds, if that is something else than before."""
        if self._settled != self._holds:
            self._settled = self._holds
            self.take_height()

    def take_height(self) -> None:
        """Take the height for what it holds."""
        arrangement, dock = self._window.layout(), self.dock
        if dock is None or arrangement is None:
            return
        arrangement.activate()
        with held_at(self._window, dock, self.height):
            pass

    def note_dragged(self, before: int) -> None:
        """Keep the height that somebody gave it, if it is another one than before."""
        dock = self.dock
        if dock is not None and abs(dock.height() - before) > _NEAR:
            self._dragged[self._holds] = dock.height()

    @property
    def dragged(self) -> dict[str, int]:
        """The heights that somebody gave it, by what it held."""
        return dict(self._dragged)

    def take_dragged(self, heights: Mapping[str, int]) -> None:
        """Take heights that somebody gave it before the window was last closed."""
        self.begin_again()
        self._dragged.update(heights)

    @property
    def _holds(self) -> str:
        strip = self._strip
        return _LARGE if strip == _STAGES and self._is_stage_large else strip

    @property
    def _strip(self) -> str:
        """The strip that decides: the one in front, if any of them is shown."""
        shown = [name for name, dock in self._strips.items() if not dock.isHidden()]
        in_front = [name for name in shown if not self._strips[name].visibleRegion().isEmpty()]
        return next(iter(in_front + shown), _WHY)

    @property
    def _line(self) -> int:
        return self._window.fontMetrics().height()

    def _needed(self, holds: str) -> int:
        """Give the height of Why? with all lines, of the stages with or without a large one, or of the matrices."""
        if holds == _WHY:
            if self._left is not None and self._left[1] == self._line:
                return self._left[0]
            return round(5.25 * self._line) + 64  # a second line for long formulas included
        if holds == _MATRICES:
            return self._strips[_MATRICES].sizeHint().height()
        strip = self._dragged.get(_STAGES) or self._strips[_STAGES].sizeHint().height()
        large = round(_SHARE_OF_LARGE_STAGE * self._window.height())
        return large if holds == _LARGE and large > _WORTH_GROWING * strip else strip

    def _highest(self, dock: PanelDock) -> int:
        """Say how high a dock over the full width can be without making the window higher."""
        spare = self._window.height() - self._window.minimumSizeHint().height()
        return dock.minimumSizeHint().height() + max(0, spare)
