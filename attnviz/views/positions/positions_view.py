"""The positions panel: how the model learns the order of tokens, and where each of them stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Signal

from attnviz.late import late
from attnviz.views.selection import Chosen
from attnviz.views.settings_panel import SettingsPanel

if TYPE_CHECKING:
    from attnviz.views.positions import positions_body
else:
    positions_body = late("attnviz.views.positions.positions_body")  # the panel is hidden when the window opens


class PositionsView(SettingsPanel):
    """The panel of the positions.

    Signals
    -------
    id_entered : str, int, float, int
        The token of this side at this place is to stand at this position; the last number names the gesture.
    ids_entered : str, object
        All tokens of this side are to stand at these positions.
    reset_wanted, count_wanted : (nothing)
        Ids are to be counted from 0 again; or over the real tokens alone.
    tables_forgotten : (nothing)
        Learned numbers are to be drawn again.
    entry_entered, bias_entered : int, int, float, int
        A learned number is to change: position and channel, or head and bucket; the last number names the gesture.
    """

    id_entered = Signal(str, int, float, int)
    ids_entered = Signal(str, object)
    reset_wanted = Signal()
    tables_forgotten = Signal()
    count_wanted = Signal()
    entry_entered = Signal(int, int, float, int)
    bias_entered = Signal(int, int, float, int)

    @property
    def body(self) -> positions_body.PositionsBody:
        """What is inside."""
        return cast("positions_body.PositionsBody", self.settings_body)

    def make_body(self) -> positions_body.PositionsBody:
        """Make what is inside."""
        made = positions_body.PositionsBody(self.selection, self)
        made.id_entered.connect(self.id_entered)
        made.ids_entered.connect(self.ids_entered)
        made.reset_wanted.connect(self.reset_wanted)
        made.count_wanted.connect(self.count_wanted)
        made.tables_forgotten.connect(self.tables_forgotten)
        made.entry_entered.connect(self.entry_entered)
        made.bias_entered.connect(self.bias_entered)
        return made

    def show_selection(self, chosen: Chosen) -> None:
        """Show what is chosen."""
        self.body.show_selection(chosen)
