"""All commands of a window: finds for each action of the table the method that does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attnviz.app.action_spec import ActionSpec
from attnviz.app.commands.edit import EditCommands
from attnviz.app.commands.file import FileCommands
from attnviz.app.commands.film import FilmCommands
from attnviz.app.commands.group import CommandGroup
from attnviz.app.commands.help import HelpCommands
from attnviz.app.commands.inspector import InspectorCommands
from attnviz.app.commands.lab import LabCommands
from attnviz.app.commands.model import ModelCommands
from attnviz.app.commands.view import ViewCommands

if TYPE_CHECKING:
    from attnviz.app.window import MainWindow


class Commands:
    """The commands of one window, by the menu that they stand in."""

    def __init__(self, window: MainWindow) -> None:
        self.file, self.edit, self.view = FileCommands(window), EditCommands(window), ViewCommands(window)
        self.model, self.lab, self.help = ModelCommands(window), LabCommands(window), HelpCommands(window)
        self.film, self.inspector = FilmCommands(window), InspectorCommands(window)

    def handler(self, spec: ActionSpec) -> Callable[[], object]:
        """Give the method of an action: named as it is, in the group of its menu.

        Raises
        ------
        AttributeError
            If nobody wrote it.
        """
        found: Callable[[], object] = getattr(self._group(spec), spec.name)
        return found

    def _group(self, spec: ActionSpec) -> CommandGroup:
        groups: dict[str, CommandGroup] = {
            "File": self.file,
            "Edit": self.edit,
            "Edit/CopyNumber": self.inspector,
            "View": self.view,
            "View/Film": self.film,
            "View/Inspector": self.inspector,
            "Model": self.model,
            "Lab": self.lab,
            "Help": self.help,
        }
        return groups.get(spec.menu) or groups[spec.menu.partition("/")[0]]
