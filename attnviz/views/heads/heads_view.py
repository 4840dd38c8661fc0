"""The heads panel: how many there are, which key/value head each reads, and which one the other panels show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal

from attnviz.late import late
from attnviz.views.selection import Chosen
from attnviz.views.settings_panel import SettingsPanel

if TYPE_CHECKING:
    from attnviz.views.heads import heads_body
else:
    heads_body = late("attnviz.views.heads.heads_body")  # the panel is hidden when the window opens


class HeadsView(SettingsPanel):
    """The panel of the heads.

    Signals
    -------
    head_chosen : int
        Every panel is to show this head.
    head_opened : int
        It is to be shown large.
    w_o_chosen : str
        The output matrix is to be of this kind.
    """

    head_chosen = Signal(int)
    head_opened = Signal(int)
    w_o_chosen = Signal(str)

    def make_body(self) -> heads_body.HeadsBody:
        """Make what is inside."""
        made = heads_body.HeadsBody(self.selection, self)
        made.head_chosen.connect(self.head_chosen)
        made.head_opened.connect(self.head_opened)
        made.w_o_chosen.connect(self.w_o_chosen)
        return made

    @property
    def body(self) -> heads_body.HeadsBody:
        """What is inside."""
        inside = self.settings_body
        assert isinstance(inside, heads_body.HeadsBody), "this panel makes no other"
        return inside

    def show_selection(self, chosen: Chosen) -> None:
        """Light what is pointed at in every head."""
        if self.is_made:
            self.body.show_selection(chosen)

    def sizeHint(self) -> QSize:
        """Give room for settings and small matrices; asked for before there is anything inside."""
        line = self.fontMetrics().height()
        return QSize(24 * line, 28 * line)
