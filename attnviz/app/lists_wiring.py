"""The wiring of what is done to whole lists of tokens: another order, and cross-attention on and off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import cast

from PySide6.QtCore import QObject

from attnviz.app.wiring import Wiring
from attnviz.document import cross_attention, edits
from attnviz.document.permutation import Order
from attnviz.document.state import Side
from attnviz.views.panel import Panel
from attnviz.views.permutation.permutation_view import PermutationView
from attnviz.views.tokens.view import TokensView

_COPIED = "The keys are a copy of the queries: edit either list, or import tokens that answer."
_BACK = "The keys are the second list again, as it was."
_ASIDE = "The queries are their own keys; the second list is kept aside."


class ListsWiring(QObject):
    """Makes edits of what the panels want to be done to a list.

    Parameters
    ----------
    wiring : Wiring
        Applies them.
    panels : mapping from name to Panel
        All panels.
    announce : callable
        Shows one sentence about what was done.
    """

    def __init__(
        self,
        wiring: Wiring,
        panels: Mapping[str, Panel],
        announce: Callable[[str], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._wiring, self._announce = wiring, announce
        cast(PermutationView, panels["permutation"]).order_applied.connect(self.reorder)
        cast(TokensView, panels["tokens"]).cross_asked.connect(self.set_cross)

    def reorder(self, side: Side, order: Order) -> None:
        """Let the tokens of a side stand in another order."""
        self._wiring.apply(edits.reorder_tokens, side, order, label="Reorder Tokens")

    def set_cross(self, is_cross: bool) -> None:
        """Turn self-attention into cross-attention or back, and show the list that is edited next."""
        had_spare = self._wiring.session.state.spare is not None
        edit = partial(cross_attention.set_cross, is_cross=is_cross)
        if not self._wiring.apply(edit, label="Cross-Attention" if is_cross else "Self-Attention"):
            return
        if is_cross:
            self._wiring.selection.choose_token("context", 0, is_query=False)
            self._announce(_BACK if had_spare else _COPIED)
        elif self._wiring.session.state.spare is not None:
            self._announce(_ASIDE)

    def toggle_cross(self) -> None:
        """Turn to the other one."""
        self.set_cross(self._wiring.session.state.context is None)
