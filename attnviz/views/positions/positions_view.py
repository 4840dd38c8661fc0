"""The positions panel: how the model learns the order of tokens, and where each of them stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnviz.late import late
from attnviz.views.settings_panel import SettingsPanel

if TYPE_CHECKING:
    from attnviz.views.positions import positions_body
else:
    positions_body = late("attnviz.views.positions.positions_body")  # the panel is hidden when the window opens


class PositionsView(SettingsPanel):
    """The panel of the positions."""

    def make_body(self) -> positions_body.PositionsBody:
        """Make what is inside."""
        return positions_body.PositionsBody(self)
