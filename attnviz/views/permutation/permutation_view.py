"""The permutation panel: what another order of the tokens does to the outputs."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal

from attnviz.document.frame import Frame
from attnviz.late import late
from attnviz.views.late_panel import LatePanel
from attnviz.views.selection import Chosen

if TYPE_CHECKING:
    from attnviz.views.permutation import permutation_body
else:
    permutation_body = late("attnviz.views.permutation.permutation_body")  # hidden when the window opens


class PermutationView(LatePanel):
    """The panel of the permutation laboratory.

    Signals
    -------
    order_applied : str, object
        The tokens of this side are to stand in this order: a tuple with the token for each place.
    """

    order_applied = Signal(str, object)

    @cached_property
    def body(self) -> permutation_body.PermutationBody:
        """What is inside."""
        made = permutation_body.PermutationBody(self)
        made.order_applied.connect(self.order_applied)
        made.token_pointed.connect(self._point_at)
        self.take_in(made)
        return made

    def begin(self) -> None:
        """Forget the trial order: another document is coming."""
        if self.is_made:
            self.body.begin()

    def show_frame(self, frame: Frame) -> None:
        """Show a frame."""
        self.body.show_frame(frame)
        self.show_selection(self.selection.chosen)

    def show_selection(self, chosen: Chosen) -> None:
        """Light the token that is pointed at."""
        if self.is_made:
            self.body.show_pointed(chosen.pointed_query, chosen.pointed_key)

    def sizeHint(self) -> QSize:
        """Give room for the matrices of a few tokens."""
        line = self.fontMetrics().height()
        return QSize(26 * line, 26 * line)

    def minimumSizeHint(self) -> QSize:
        """Keep the buttons and a part of what is below; the rest scrolls."""
        line = self.fontMetrics().height()
        return QSize(14 * line, 6 * line)

    def _point_at(self, query: int | None, key: int | None) -> None:
        self.selection.point_at(query, key)
