"""What the user wants in the heads panel: another head in every panel, one of them large, another output matrix."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from attnviz.app.wiring import Wiring
from attnviz.document.head_edits import use_w_o
from attnviz.views.heads.heads_view import HeadsView


class HeadsWiring(QObject):
    """Connects the heads panel with the session.

    Parameters
    ----------
    wiring : Wiring
        Applies edits and knows the session.
    view : HeadsView
        The panel.

    Signals
    -------
    panel_wanted : str
        The panel of this name is to be in front.
    """

    panel_wanted = Signal(str)

    def __init__(self, wiring: Wiring, view: HeadsView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wiring = wiring
        view.head_chosen.connect(self.show_head)
        view.head_opened.connect(self.open_head)
        view.w_o_chosen.connect(self.use_w_o)

    def show_head(self, head: int) -> None:
        """Let every panel show a head."""
        self._wiring.session.show_head(head)

    def open_head(self, head: int) -> None:
        """Let every panel show a head, the weights in front."""
        self.show_head(head)
        self.panel_wanted.emit("weights")

    def use_w_o(self, kind: str) -> None:
        """Take an output matrix: none, the identity, or a drawn one."""
        self._wiring.apply(use_w_o, kind, self._wiring.session.state.seed, label="Set W_O")
