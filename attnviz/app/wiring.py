"""The wiring: what the user wants in a panel becomes an edit of the session; frames go back to every panel."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject

from attnviz.app.matrix_wiring import MatrixWiring
from attnviz.app.positions_wiring import PositionsWiring
from attnviz.app.sentence_typing import SentenceTyping
from attnviz.document import edits
from attnviz.document.errors import DocumentError
from attnviz.document.frame import Frame
from attnviz.document.interventions import PINNED_NAMES
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import Side, State, scalar_of
from attnviz.document.tokens import shortened
from attnviz.late import late
from attnviz.session import Session
from attnviz.views.controls.view import ControlsView
from attnviz.views.inspector.inspector_view import InspectorView
from attnviz.views.matrices.matrices_view import MatricesView
from attnviz.views.panel import Panel
from attnviz.views.plane.view import PlaneView
from attnviz.views.positions.positions_view import PositionsView
from attnviz.views.selection import Selection
from attnviz.views.settings_panel import SettingsPanel
from attnviz.views.tokens.view import TokensView

if TYPE_CHECKING:
    from attnviz import explanations, sources
else:
    explanations, sources = late("attnviz.explanations"), late("attnviz.sources")

_LONGEST_NAME = 20


class Wiring(QObject):
    """Connects the panels with one session.

    Parameters
    ----------
    session : Session
        The open document.
    selection : Selection
        The shared selection, kept inside the document's size.
    panels : mapping from name to Panel
        All panels.
    report : callable
        Shows one sentence to the user.
    """

    def __init__(
        self,
        session: Session,
        selection: Selection,
        panels: Mapping[str, Panel],
        report: Callable[[str], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.session, self.selection, self._report = session, selection, report
        self._panels = tuple(panels.values())
        self._plane = cast(PlaneView, panels["plane"])
        self._tokens = cast(TokensView, panels["tokens"])
        self._controls = cast(ControlsView, panels["controls"])
        for panel in self._panels:
            panel.refused.connect(report)
        self._connect_plane()
        self._typing = SentenceTyping()
        self._connect_tokens()
        self._inspector = cast(InspectorView, panels["inspector"])
        self._inspector.number_pinned.connect(self._pin_typed)
        self._inspector.number_released.connect(self.release_number)
        self._controls.scalar_changed.connect(self.set_scalar)
        for panel in self._panels:
            if isinstance(panel, SettingsPanel):
                panel.scalar_changed.connect(self.set_scalar)
        self._positions = PositionsWiring(session, cast(PositionsView, panels["positions"]), report, self)
        self._controls.redraw_requested.connect(self.redraw)
        self.matrices = MatrixWiring(session, cast(MatricesView, panels["matrices"]), report, self)
        session.frame_changed.connect(self.show_frame)

    def show_frame(self, frame: Frame) -> None:
        """Give a frame to every panel."""
        n_context = 0 if frame.state.context is None else len(frame.state.context)
        self.selection.fit_to(frame.n_query, frame.n_key, n_context)
        pointed = self.selection.chosen.pointed_number
        if pointed is not None and not explanations.exists(frame, pointed):
            self.selection.point_at(None, None)  # the mouse rests where a number was
        for panel in self._panels:
            panel.offer_frame(frame)

    def apply(self, edit: Callable[..., State], *args: object, label: str, merge: Hashable | None = None) -> bool:
        """Apply an edit; a refusal is told in one sentence. Says whether it was taken."""
        return self._apply(self._report, edit, *args, label=label, merge=merge)

    def apply_from_file(self, name: str, edit: Callable[..., State], *args: object, label: str) -> bool:
        """Apply an edit that takes what a file holds; a refusal names the file."""
        return self._apply(lambda sentence: self._report(f"{name}: {sentence}"), edit, *args, label=label, merge=None)

    def _apply_to_tokens(
        self, edit: Callable[..., State], *args: object, label: str, merge: Hashable | None = None
    ) -> bool:
        """Apply an edit asked for in the token editor, where a refusal is told beside what was typed."""
        return self._apply(self._tokens.show_message, edit, *args, label=label, merge=merge)

    def _apply(
        self,
        report: Callable[[str], None],
        edit: Callable[..., State],
        *args: object,
        label: str,
        merge: Hashable | None,
    ) -> bool:
        try:
            self.session.apply(edit, *args, label=label, merge=merge)
        except DocumentError as error:
            report(str(error))
            return False
        return True

    # -- plane

    def _connect_plane(self) -> None:
        self._plane.point_dragged.connect(self.move_point)
        self._plane.drag_cancelled.connect(self._cancel_drag)
        self._plane.point_added.connect(self.add_point)
        self._plane.tokens_deleted.connect(self.delete_tokens)
        self._plane.refit_requested.connect(self.refit)

    def move_point(self, side: Side, index: int, x: float, y: float, gesture: int) -> None:
        """Move a token on the plane."""
        merge = ("plane", gesture) if gesture >= 0 else None
        self.apply(edits.move_point, side, index, x, y, label=f"Move “{self._name(side, index)}”", merge=merge)

    def _cancel_drag(self, gesture: int) -> None:
        self.session.take_back(("plane", gesture))

    def add_point(self, x: float, y: float) -> None:
        """Add a token where the plane was double clicked, and choose it."""
        side = self.selection.chosen.side
        name = self._new_name(side)
        if self.apply(edits.add_point, side, name, x, y, label=f"Add “{name}”"):
            self._choose_last(side)

    def refit(self) -> None:
        """Fit the plane anew."""
        self._plane.fit_next()
        self.apply(edits.refit_plane, label="Refit the Plane")

    # -- tokens

    def _connect_tokens(self) -> None:
        self._tokens.sentence_edited.connect(self._set_sentence)
        self._tokens.sentence.typing_ended.connect(self._typing.end)
        self._tokens.token_renamed.connect(self._rename)
        self._tokens.coordinate_entered.connect(self._set_coordinate)
        self._tokens.token_inserted.connect(self.insert_token)
        self._tokens.tokens_deleted.connect(self.delete_tokens)
        self._tokens.token_moved.connect(self._move_token)
        self._tokens.rows_pasted.connect(self._paste)

    def _set_sentence(self, side: Side, sentence: str, gesture: int) -> None:
        base, merge = self._typing.base(side, self.session.state), ("sentence", gesture)
        self._apply_to_tokens(edits.set_sentence, side, sentence, base, label="Edit Sentence", merge=merge)
        self._typing.note(merge, self.session.state)

    def _rename(self, side: Side, index: int, token: str) -> None:
        self._apply_to_tokens(edits.rename_token, side, index, token, label=f"Rename “{self._name(side, index)}”")

    def _set_coordinate(self, side: Side, index: int, coordinate: int, value: float) -> None:
        label = f"Move “{self._name(side, index)}”"
        self._apply_to_tokens(edits.set_coordinate, side, index, coordinate, value, label=label)

    def insert_token(self, side: Side, at: int) -> None:
        """Insert a new token and choose it."""
        name = self._new_name(side)
        if self.apply(edits.insert_token, side, at, name, label=f"Add “{name}”"):
            self.selection.choose_token(side, at, is_query=side == "sequence")

    def delete_tokens(self, side: Side, indices: tuple[int, ...]) -> None:
        """Delete tokens of a side."""
        name = f"“{self._name(side, indices[0])}”" if len(indices) == 1 else f"{len(indices)} Tokens"
        self.apply(edits.delete_tokens, side, indices, label=f"Delete {name}")

    def _move_token(self, side: Side, index: int, to: int) -> None:
        if self.apply(edits.move_token, side, index, to, label=f"Reorder “{self._name(side, index)}”"):
            self.selection.choose_token(side, to, is_query=side == "sequence")

    def _paste(self, side: Side, at: int, text: str) -> None:
        try:
            rows = sources.parse_rows(text)
        except DocumentError as error:
            self._tokens.show_message(str(error))
            return
        self._apply_to_tokens(
            edits.paste_rows, side, at, rows, label="Paste 1 Row" if len(rows) == 1 else f"Paste {len(rows)} Rows"
        )

    # -- parameters

    def set_scalar(self, key: str, value: float | int | bool | str, gesture: int | None = None) -> None:
        """Set a parameter; one slider gesture is one entry of the history."""
        merge = None if gesture is None else ("scalar", key, gesture)
        label = scalar_of(key).undo_name
        refused: list[str] = []
        if not self._apply(refused.append, edits.set_scalar, key, value, label=label, merge=merge):
            self._report(refused[0])
            for panel in self._panels:
                panel.offer_frame(self.session.frame)  # a control may stand where the document does not
                if isinstance(panel, SettingsPanel):
                    panel.show_refusal(refused[0], of=key)

    def redraw(self) -> None:
        """Draw other columns beyond the written ones."""
        self.apply(edits.redraw, label="New Draw")

    # -- pinned numbers

    def pin_number(self, ref: NumberRef, value: float) -> None:
        """Pin a number in the middle; everything after it follows."""
        self.apply(edits.pin_number, ref, value, self.session.frame.head, label=f"Pin {_named(ref)}")

    def _pin_typed(self, ref: NumberRef, value: float) -> None:
        """Pin a number to what was typed; a refusal is told beside it too."""
        self._apply(
            self._refuse_pin,
            edits.pin_number,
            ref,
            value,
            self.session.frame.head,
            label=f"Pin {_named(ref)}",
            merge=None,
        )

    def _refuse_pin(self, sentence: str) -> None:
        self._report(sentence)
        self._inspector.refuse_pin(sentence)

    def release_number(self, ref: NumberRef) -> None:
        """Let a pinned number be computed again."""
        self.apply(edits.release_number, ref, self.session.frame.head, label=f"Release {_named(ref)}")

    def release_all(self) -> None:
        """Let every pinned number be computed again."""
        self.apply(edits.release_all, label="Release All Pins")

    # -- helpers

    def _name(self, side: Side, index: int) -> str:
        tokens = self.session.state.side(side).tokens
        return shortened(tokens[index], _LONGEST_NAME) if index < len(tokens) else ""

    def _new_name(self, side: Side) -> str:
        tokens = self.session.state.side(side).tokens
        return next(name for i in range(1, len(tokens) + 2) if (name := f"new{i}") not in tokens)

    def _choose_last(self, side: Side) -> None:
        last = len(self.session.state.side(side)) - 1
        self.selection.choose_token(side, last, is_query=side == "sequence")


def _named(ref: NumberRef) -> str:
    return PINNED_NAMES.get(ref.kind, "number").capitalize()
