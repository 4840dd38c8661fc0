"""The commands of the menu Lab: the panels in which the layer is built, and the head that is shown."""

from __future__ import annotations

from PySide6.QtCore import Qt

from attnviz.app.commands.group import CommandGroup


class LabCommands(CommandGroup):
    """What the actions of the menu Lab do."""

    def matrices(self) -> None:
        """Show the matrices, and go there."""
        self._go_to("matrices")

    def mask_panel(self) -> None:
        """Show mask and softmax, and go there."""
        self._go_to("mask")

    def paint_mask(self) -> None:
        """Begin to paint the mask on a heatmap that is shown, or end it."""
        window = self._window
        is_on = not window.mask_wiring.is_painting
        if is_on and not (window.weights.isVisible() or window.scores.isVisible()):
            window.presentation.bring_forward("weights")
        window.mask_wiring.switch_painting(is_on)

    def invert_mask(self) -> None:
        """Invert the mask."""
        self._window.mask_wiring.invert()

    def clear_mask(self) -> None:
        """Take the mask away."""
        self._window.mask_wiring.clear()

    def import_mask(self) -> None:
        """Read a mask from a file."""
        self._window.mask_wiring.ask_and_import()

    def reroll(self) -> None:
        """Take the next seed of dropout."""
        self._window.mask_wiring.reroll()

    def heads_panel(self) -> None:
        """Show the heads, and go there."""
        self._go_to("heads")

    def positions_panel(self) -> None:
        """Show the positions, and go there."""
        self._go_to("positions")

    def compare_panel(self) -> None:
        """Show what is compared, and go there."""
        self._go_to("compare")

    def hold(self) -> None:
        """Keep the present state, and show it beside what follows."""
        self._window.comparing.hold()
        self._window.presentation.bring_forward("compare")

    def permutation_panel(self) -> None:
        """Show the permutation laboratory, and go there."""
        self._go_to("permutation")

    def shuffle(self) -> None:
        """Show the permutation laboratory with the next shuffled order."""
        self._go_to("permutation")
        self._window.permutation.body.shuffle()

    def cross(self) -> None:
        """Turn self-attention into cross-attention, or back."""
        self._window.lists.toggle_cross()

    def next_head(self) -> None:
        """Show the next head in every panel, after the last one the first."""
        self._show_head(1)

    def previous_head(self) -> None:
        """Show the head before in every panel."""
        self._show_head(-1)

    def _show_head(self, step: int) -> None:
        frame = self._window.session.frame
        if frame.n_heads == 1:
            self._window.tell("To show another head there must be at least two, got one.")
        else:
            self._window.session.show_head((frame.head + step) % frame.n_heads)

    def _go_to(self, name: str) -> None:
        window = self._window
        window.presentation.bring_forward(name)
        window.panels[name].setFocus(Qt.FocusReason.ShortcutFocusReason)
