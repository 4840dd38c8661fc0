"""The commands of the menu Edit: undo, tokens, the clipboard, the preferences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnviz.app.commands.group import CommandGroup
from attnviz.app.panes import focused_panel
from attnviz.late import late

if TYPE_CHECKING:
    from attnviz.app import preferences
else:
    preferences = late("attnviz.app.preferences")


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
        """Copy the weights as a table."""
        self._window.commands.file.output.copy_table()

    def copy_markdown(self) -> None:
        """Copy the weights as a Markdown table."""
        self._window.commands.file.output.copy_table_as("Markdown")

    def copy_latex(self) -> None:
        """Copy the weights as a LaTeX table."""
        self._window.commands.file.output.copy_table_as("LaTeX")

    def copy_numpy(self) -> None:
        """Copy the weights as NumPy code."""
        self._window.commands.file.output.copy_table_as("NumPy")

    def preferences(self) -> None:
        """Show the preferences."""
        preferences.Preferences(self._window.appearance, self._window).open()
