"""The commands of the menu Help: pages, What's This, what a report needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QWhatsThis

from attnviz.app.commands.group import CommandGroup
from attnviz.late import late

if TYPE_CHECKING:
    from attnviz.app import help_pages
else:
    help_pages = late("attnviz.app.help_pages")


class HelpCommands(CommandGroup):
    """What the actions of the menu Help do."""

    def contents(self) -> None:
        """Show how to use the program."""
        help_pages.show_contents(self._window)

    def shortcuts(self) -> None:
        """Show every shortcut."""
        help_pages.show_shortcuts(self._window, self._window.actions_by_name)

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
