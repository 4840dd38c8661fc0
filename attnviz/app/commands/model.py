"""The commands of the menu Model: mask, temperature, the drawn columns."""

from __future__ import annotations

from attnviz.app.commands.group import CommandGroup


class ModelCommands(CommandGroup):
    """What the actions of the menu Model do."""

    def causal(self) -> None:
        """Switch the causal mask."""
        self._window.wiring.set_scalar("causal", not self._window.session.state.is_causal)

    def sweep(self) -> None:
        """Start or stop the sweep of the temperature."""
        self._window.controls.toggle_sweep()

    def temperature_up(self) -> None:
        """Raise the temperature by one step."""
        self._window.controls.step("temperature", 1)

    def temperature_down(self) -> None:
        """Lower the temperature by one step."""
        self._window.controls.step("temperature", -1)

    def key_width_up(self) -> None:
        """Raise the key width."""
        self._window.controls.step("d_k", 1)

    def key_width_down(self) -> None:
        """Lower the key width."""
        self._window.controls.step("d_k", -1)

    def reset_key_width(self) -> None:
        """Set the key width back."""
        self._window.controls.reset("d_k")

    def redraw(self) -> None:
        """Draw other columns."""
        self._window.wiring.redraw()

    def reset_controls(self) -> None:
        """Set the temperature back to 1."""
        self._window.wiring.set_scalar("temperature", 1.0)
