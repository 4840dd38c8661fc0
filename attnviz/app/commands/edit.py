"""The commands of the menu Edit: undo, tokens, the clipboard, the preferences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnviz.app.commands.group import CommandGroup
from attnviz.app.panes import focused_panel
from attnviz.document.interventions import PINNED_KINDS
from attnviz.document.labelled import LabelledMatrix
from attnviz.document.number_ref import NumberRef
from attnviz.late import late

if TYPE_CHECKING:
    from attnviz import explanations
    from attnviz.app import preferences
else:
    preferences, explanations = late("attnviz.app.preferences"), late("attnviz.explanations")

_PINNABLE = "q, k, v, the scores or the weights"
_SCORE_STAGES = ("scaled", "masked")


class EditCommands(CommandGroup):
    """What the actions of the menu Edit do."""

    def undo(self) -> None:
        """Take the last edit back."""
        self._window.session.undo()

    def redo(self) -> None:
        """Do again what was taken back."""
        self._window.session.redo()

    def add_token(self) -> None:
        """Add a token at the end of the chosen side."""
        side = self._window.selection.chosen.side
        self._window.wiring.insert_token(side, len(self._window.session.state.side(side)))

    def delete_token(self) -> None:
        """Delete the chosen token."""
        self._window.wiring.delete_tokens(self._window.selection.chosen.side, (self._window.selection.chosen.token,))

    def pin_number(self) -> None:
        """Ask in the inspector what the chosen number shall be."""
        window, asked = self._window, self._number_asked_for()
        ref = _to_pin(asked)
        if ref is None:
            window.tell(f"To pin a number choose an entry of {_PINNABLE}, got none of these.")
            return
        window.selection.pin_number(ref, *explanations.place_of(window.session.frame, ref), opening="must")
        window.inspector.edit_pin()
        if asked.kind in _SCORE_STAGES:
            window.announce("Scores are pinned before they are scaled: multiplier and mask still act on the number.")

    def release_number(self) -> None:
        """Let the chosen number be computed again."""
        ref = _to_pin(self._number_asked_for())
        if ref is None or self._window.session.frame.pins.at(ref) is None:
            self._window.tell("To release a number choose a pinned one, got one that is computed.")
        else:
            self._window.wiring.release_number(ref)

    def release_all(self) -> None:
        """Let every pinned number be computed again."""
        self._window.wiring.release_all()

    def explain_pin(self, ref: NumberRef) -> None:
        """Show a pinned number in the inspector, as after a click on it."""
        window = self._window
        window.selection.pin_number(ref, *explanations.place_of(window.session.frame, ref), opening="must")

    def _number_asked_for(self) -> NumberRef:
        """Give the number under the focus, else the chosen one."""
        window = self._window
        panel = window.panels.get(focused_panel(window.panels) or "")
        chosen = window.selection.chosen
        ref = (None if panel is None else panel.focused_number()) or chosen.number
        if ref is None or not explanations.exists(window.session.frame, ref):
            return NumberRef("weight", (chosen.query, chosen.key))
        return ref

    def rename_token(self) -> None:
        """Type another name for the chosen token."""
        window = self._window
        window.presentation.bring_forward("tokens")
        window.tokens.table.setFocus()
        window.tokens.table.edit_name(window.selection.chosen.token)

    def token_up(self) -> None:
        """Let the chosen token change places with the one before."""
        self._window.tokens.move_chosen(-1)

    def token_down(self) -> None:
        """Let the chosen token change places with the one after."""
        self._window.tokens.move_chosen(1)

    def other_list(self) -> None:
        """Edit the other list of tokens, if there are two."""
        if not self._window.tokens.switch_side():
            self._window.tell("This document has one list of tokens: its queries are its keys.")

    def copy_tokens(self) -> None:
        """Copy the marked rows of the token table."""
        self._window.tokens.table.copy_rows()

    def paste_tokens(self) -> None:
        """Put the rows in the clipboard after the chosen token."""
        self._window.tokens.table.paste_rows()

    def copy_derivation(self) -> None:
        """Copy every step of the chosen weight."""
        self._window.derivation.copy_derivation()
        self._window.announce("Derivation copied.")

    def copy_image(self) -> None:
        """Copy the focused panel as a picture."""
        self._window.commands.file.output.copy_image(
            self._window.panels[focused_panel(self._window.panels) or "weights"]
        )

    def copy_table(self) -> None:
        """Copy the weights, or what is selected in the table that has the focus, as a table."""
        self._copy("TSV")

    def copy_csv(self) -> None:
        """Copy the same as comma-separated values."""
        self._copy("CSV")

    def copy_markdown(self) -> None:
        """Copy the same as a Markdown table."""
        self._copy("Markdown")

    def copy_latex(self) -> None:
        """Copy the same as a LaTeX table."""
        self._copy("LaTeX")

    def copy_numpy(self) -> None:
        """Copy the same as NumPy code."""
        self._copy("NumPy")

    def copy_block(self, language: str, block: LabelledMatrix) -> None:
        """Copy what the table asks to have copied."""
        self._window.commands.file.output.copy_block(language, block)

    def _copy(self, language: str) -> None:
        if focused_panel(self._window.panels) == "table":
            self._window.table.ask_to_copy(language)
        else:
            self._window.commands.file.output.copy_weights(language)

    def preferences(self) -> None:
        """Show the preferences."""
        preferences.Preferences(self._window.appearance, self._window).open()


def _to_pin(ref: NumberRef) -> NumberRef | None:
    """Give what is pinned in the place of a number: of a stage of the scores the score itself."""
    if ref.kind in _SCORE_STAGES:
        return NumberRef("score", ref.indices)
    return ref if ref.kind in PINNED_KINDS else None
