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
