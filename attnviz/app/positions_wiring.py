"""The wiring of the panel of the positions: what the user wants there becomes an edit of the session."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from PySide6.QtCore import QObject

from attnviz.document import layer_edits, position_edits
from attnviz.document.errors import DocumentError
from attnviz.document.state import Side, State
from attnviz.session import Session
from attnviz.views.positions.positions_view import PositionsView


class PositionsWiring(QObject):
    """Connects the panel of the positions with one session.

    Parameters
    ----------
    session : Session
        The open document.
    view : PositionsView
        The panel; a refusal is told in it, too.
    report : callable
        Shows one sentence to the user.
    """

    def __init__(
        self, session: Session, view: PositionsView, report: Callable[[str], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._view, self._report = session, view, report
        view.id_entered.connect(self._set_id)
        view.ids_entered.connect(self._set_ids)
        view.reset_wanted.connect(self._reset)
        view.count_wanted.connect(self._count)
        view.tables_forgotten.connect(self._forget_tables)
        view.entry_entered.connect(self._set_entry)
        view.bias_entered.connect(self._set_bias)

    def _set_id(self, side: Side, index: int, position: float, gesture: int) -> None:
        token = self._session.state.side(side).tokens[index]
        merge = ("position", side, index, gesture)
        self._apply(layer_edits.set_position, side, index, position, label=f"Place “{token}”", merge=merge)

    def _set_ids(self, side: Side, ids: tuple[float, ...]) -> None:
        self._apply(position_edits.set_position_ids, side, ids, label="Set Position Ids")

    def _reset(self) -> None:
        self._apply(layer_edits.reset_positions, label="Reset Position Ids")

    def _count(self) -> None:
        self._apply(position_edits.count_real_tokens, label="Count Real Tokens Only")

    def _forget_tables(self) -> None:
        self._apply(position_edits.forget_tables, label="Draw Learned Numbers Again")

    def _set_entry(self, position: int, channel: int, value: float, gesture: int) -> None:
        merge = ("position table", position, channel, gesture)
        label = "Set Learned Position"
        self._apply(position_edits.set_table_entry, position, channel, value, label=label, merge=merge)

    def _set_bias(self, head: int, bucket: int, value: float, gesture: int) -> None:
        merge = ("bucket", head, bucket, gesture)
        self._apply(position_edits.set_bucket_bias, head, bucket, value, label="Set Learned Bias", merge=merge)

    def _apply(self, edit: Callable[..., State], *args: object, label: str, merge: Hashable | None = None) -> None:
        try:
            self._session.apply(edit, *args, label=label, merge=merge)
        except DocumentError as error:
            self._report(str(error))
            self._view.show_refusal(str(error))
