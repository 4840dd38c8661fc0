"""The commands of the menu Help: pages, What's This, what a report needs."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QWhatsThis

from attnviz.app.commands.group import CommandGroup
from attnviz.app.palette_entries import entries_of
from attnviz.late import late

if TYPE_CHECKING:
    from attnviz.app import command_palette, help_pages
else:
    command_palette, help_pages = (late(f"attnviz.app.{name}") for name in ("command_palette", "help_pages"))


class HelpCommands(CommandGroup):
    """What the actions of the menu Help do."""

    def palette(self) -> None:
        """Show the command palette, or close it."""
        if self.command_palette.isVisible():
            self.command_palette.close_again()
        else:
            self.command_palette.open_for(self._window.appearance.theme)

    def contents(self) -> None:
        """Show how to use the program."""
        help_pages.show_contents(self._window)

    def shortcuts(self) -> None:
        """Show every shortcut."""
        help_pages.show_shortcuts(self._window, entries_of(self._window.menuBar()))

    def whats_this(self) -> None:
        """Wait for a click on what is to be explained."""
        QWhatsThis.enterWhatsThisMode()

    def report(self) -> None:
        """Copy versions and system."""
        QApplication.clipboard().setText(help_pages.details())
        self._window.announce("Details copied to the clipboard.")

    def about(self) -> None:
        """Show version and licences."""
        help_pages.show_about(self._window)

    @cached_property
    def command_palette(self) -> command_palette.CommandPalette:
        """The command palette; made when it is first asked for."""
        made = command_palette.CommandPalette(self._window)
        self._window.appearance.changed.connect(made.apply_theme)
        return made
