"""The commands of the menu View: the plane, what the heatmaps show, the look, the panels."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWhatsThis

from attnviz.app.commands.group import CommandGroup
from attnviz.app.panes import focused_panel, step_focus
from attnviz.views.plane.projections import PROJECTIONS


class ViewCommands(CommandGroup):
    """What the actions of the menu View do."""

    def fit(self) -> None:
        """Show every token on the plane."""
        self._window.plane.canvas.fit()

    def zoom_in(self) -> None:
        """Magnify the plane."""
        self._window.plane.canvas.zoom(1.25)

    def zoom_out(self) -> None:
        """Show more of the plane."""
        self._window.plane.canvas.zoom(0.8)

    def refit(self) -> None:
        """Fit the plane anew."""
        self._window.wiring.refit()

    def projections(self) -> None:
        """Show queries, keys and values on the plane, or no more."""
        plane = self._window.plane
        plane.show_projections(not plane.shows_projections, plane.deforming)

    def next_grid(self) -> None:
        """Let the next matrix deform the grid of the plane, or none."""
        plane = self._window.plane
        names = ("", *PROJECTIONS)
        following = names[(names.index(plane.deforming) + 1) % len(names)]
        plane.show_projections(plane.shows_projections, following)

    def scores_raw(self) -> None:
        """Show the dot products."""
        self._window.scores.choose_stage("scores")

    def scores_scaled(self) -> None:
        """Show the scaled scores."""
        self._window.scores.choose_stage("scaled")

    def scores_masked(self) -> None:
        """Show the masked scores."""
        self._window.scores.choose_stage("masked")

    def weights_unit(self) -> None:
        """Let the colours of the weights run to 1."""
        self._window.weights.choose_range("unit")

    def weights_largest(self) -> None:
        """Let the colours of the weights run to the largest."""
        self._window.weights.choose_range("largest")

    def explain_number(self) -> None:
        """Show the inspector with the number under the focus, or with the chosen one, and go there."""
        window = self._window
        panel = window.panels.get(focused_panel(window.panels) or "")
        ref = None if panel is None else panel.focused_number()
        if panel is not None and ref is not None:
            panel.pin_number(ref, opening="never")
        window.inspecting.open()
        window.inspector.show_chosen()
        window.inspector.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def release(self) -> None:
        """Do what Esc means where nothing nearer claims it, as an open editor does.

        First a drag on the plane is taken back; then What's This ends; then a presentation; then a panel that fills
        the window goes back; then what is pinned and pointed at is let go of.
        """
        layout = self._window.layout_of_docks
        if self._window.plane.take_drag_back():
            return
        if QWhatsThis.inWhatsThisMode():
            QWhatsThis.leaveWhatsThisMode()
        elif self._window.presentation.is_on:
            self._window.presentation.end()
        elif layout.maximised is not None:
            layout.toggle_maximised(layout.maximised)
        else:
            self._window.selection.release()

    def theme_system(self) -> None:
        """Follow the desktop."""
        self._window.appearance.use_theme("system")

    def theme_light(self) -> None:
        """Dress light."""
        self._window.appearance.use_theme("light")

    def theme_dark(self) -> None:
        """Dress dark."""
        self._window.appearance.use_theme("dark")

    def font_larger(self) -> None:
        """Enlarge all text."""
        self._window.appearance.step_font(1)

    def font_smaller(self) -> None:
        """Reduce all text."""
        self._window.appearance.step_font(-1)

    def font_reset(self) -> None:
        """Give all text its normal size."""
        self._window.appearance.step_font(0)

    def maximise(self) -> None:
        """Let the focused panel fill the window, or put it back."""
        layout = self._window.layout_of_docks
        layout.toggle_maximised(layout.maximised or focused_panel(self._window.panels) or "plane")

    def next_pane(self) -> None:
        """Move the focus to the next panel."""
        step_focus(self._window.docks, 1)

    def previous_pane(self) -> None:
        """Move the focus to the panel before."""
        step_focus(self._window.docks, -1)

    def film(self) -> None:
        """Show the film and play it; pause it if it plays."""
        window = self._window
        window.presentation.bring_forward("film")
        window.film.setFocus(Qt.FocusReason.ShortcutFocusReason)
        window.film.toggle_playing()

    def stages(self) -> None:
        """Show the strip of all matrices, and go there; close it if it can be seen already."""
        self._toggle("stages")

    def table(self) -> None:
        """Show the table, and go there; close it if it can be seen already."""
        self._toggle("table")

    def sort_column(self) -> None:
        """Sort the table by the column of its cursor: ascending, descending, as in the document."""
        self._show("table")
        self._window.table.sort_by_column()

    def sort_names(self) -> None:
        """Sort the table by the names of its rows: ascending, descending, as in the document."""
        self._show("table")
        self._window.table.sort_by_names()

    def present(self) -> None:
        """Present the focused panel, or end."""
        self._window.presentation.toggle()

    def next_view(self) -> None:
        """Present the next view."""
        self._window.presentation.step(1)

    def previous_view(self) -> None:
        """Present the view before."""
        self._window.presentation.step(-1)

    def spotlight(self) -> None:
        """Switch the spotlight."""
        self._window.presentation.toggle_spotlight()

    def end_presentation(self) -> None:
        """Put the window back as it was."""
        self._window.presentation.end()

    def full_screen(self) -> None:
        """Fill the screen, or go back."""
        window = self._window
        window.showNormal() if window.isFullScreen() else window.showFullScreen()
        window.actions_by_name["full_screen"].setChecked(window.isFullScreen())

    def reset_layout(self) -> None:
        """Put every panel back."""
        self._window.layout_of_docks.reset()

    def _toggle(self, name: str) -> None:
        """Show a panel and go there, or close it; a presentation closes nothing."""
        dock = self._window.docks[name]
        if dock.is_in_front and not self._window.presentation.is_on:
            dock.close()
        else:
            self._show(name)

    def _show(self, name: str) -> None:
        self._window.presentation.bring_forward(name)
        self._window.panels[name].setFocus(Qt.FocusReason.ShortcutFocusReason)
