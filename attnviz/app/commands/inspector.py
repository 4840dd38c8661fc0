"""The commands of the menu View > Inspector, and of Edit > Copy Number As: what its buttons do, from anywhere."""

from __future__ import annotations

from attnviz.app.commands.group import CommandGroup
from attnviz.views.inspector.inspector_view import InspectorView


class InspectorCommands(CommandGroup):
    """What the actions of the inspector do; each brings it to sight first."""

    def inspector_back(self) -> None:
        """Show the number before."""
        self._shown.body.go_back()

    def inspector_forward(self) -> None:
        """Show the number that was gone back from."""
        self._shown.body.go_forward()

    def inspector_digits(self) -> None:
        """Write all digits, or about three."""
        shown = self._shown
        shown.choose_digits("full" if shown.digits.choice == "short" else "short")

    def number_value(self) -> None:
        """Copy the explained number."""
        self._shown.body.copy("value")

    def number_latex(self) -> None:
        """Copy its derivation as LaTeX."""
        self._shown.body.copy("latex")

    def number_python(self) -> None:
        """Copy a program that computes it."""
        self._shown.body.copy("python")

    @property
    def _shown(self) -> InspectorView:
        self._window.presentation.bring_forward("inspector")
        return self._window.inspector
