"""The heads panel: how many there are, which key/value head each reads, and which one the other panels show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnviz.late import late
from attnviz.views.settings_panel import SettingsPanel

if TYPE_CHECKING:
    from attnviz.views.heads import heads_body
else:
    heads_body = late("attnviz.views.heads.heads_body")  # the panel is hidden when the window opens


class HeadsView(SettingsPanel):
    """The panel of the heads."""

    def make_body(self) -> heads_body.HeadsBody:
        """Make what is inside."""
        return heads_body.HeadsBody(self)
