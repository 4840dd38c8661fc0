"""What each action of the table does: one method an action, named as the action is."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QWhatsThis, QWidget

from attnviz.document import edits
from attnviz.document.sentence import join_sentence
from attnviz.document.state import Side
from attnviz.late import late

if TYPE_CHECKING:
    from attnviz.app import gallery, help_pages, import_dialog, output, preferences
    from attnviz.app.window import MainWindow
    from attnviz.sources import WordVectors
else:
    gallery, help_pages, import_dialog, output, preferences = (
        late(f"attnviz.app.{name}") for name in ("gallery", "help_pages", "import_dialog", "output", "preferences")
    )


class Commands(QObject):
    """The handlers of all actions of one window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    # -- File

    def new(self) -> None:
        """Begin a new document."""
        self._window.documents.new()

    def gallery(self) -> None:
        """Show the gallery of scenes."""
        dialog = gallery.Gallery(self._window.appearance.theme, self._window)
        dialog.scene_chosen.connect(self._window.documents.open_preset)
        dialog.open()

    def open(self) -> None:
        """Ask for a document."""
        self._window.documents.ask_and_open()

    def import_embeddings(self) -> None:
        """Ask for a file of word vectors."""
        path = self._window.documents.prompts.ask_import_path(self._window.documents.folder())
        if path is not None:
            self.import_file(path)

    def import_file(self, path: Path) -> None:
        """Read word vectors from a file."""
        dialog = import_dialog.ImportDialog(
            path, join_sentence(self._window.session.state.sequence.tokens), self._window
        )
        dialog.imported.connect(self._take_vectors)
        dialog.open()

    def save(self) -> None:
        """Save the document."""
        self._window.documents.save()

    def save_as(self) -> None:
        """Save the document under another name."""
        self._window.documents.save_as()

    def export_figure(self) -> None:
        """Save the heatmaps."""
        self._output.export_figure(self._window.scores.stage, self._window.appearance.theme)

    def export_numbers(self) -> None:
        """Save every number."""
        self._output.export_numbers()

    def close(self) -> None:
        """Close the window."""
        self._window.close()

    def quit(self) -> None:
        """Close every window, and with the last one the program."""
        QApplication.closeAllWindows()

    # -- Edit

    def undo(self) -> None:
        """Take the last edit back."""
        self._window.session.undo()

    def redo(self) -> None:
        """Do again what was taken back."""
        self._window.session.redo()

    def add_token(self) -> None:
        """Add a token at the end of the chosen side."""
        side = self._side()
        self._window.wiring.insert_token(side, len(self._window.session.state.side(side)))

    def delete_token(self) -> None:
        """Delete the chosen token."""
        self._window.wiring.delete_tokens(self._side(), (self._window.selection.chosen.token,))

    def copy_image(self) -> None:
        """Copy the focused panel as a picture."""
        self._output.copy_image(self._window.panels[self._focused_panel_name() or "weights"])

    def copy_table(self) -> None:
        """Copy the weights as a table."""
        self._output.copy_table()

    def copy_markdown(self) -> None:
        """Copy the weights as a Markdown table."""
        self._output.copy_table_as("Markdown")

    def copy_latex(self) -> None:
        """Copy the weights as a LaTeX table."""
        self._output.copy_table_as("LaTeX")

    def copy_numpy(self) -> None:
        """Copy the weights as NumPy code."""
        self._output.copy_table_as("NumPy")

    def preferences(self) -> None:
        """Show the preferences."""
        preferences.Preferences(self._window.appearance, self._window).open()

    # -- View

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
        panel = window.panels.get(self._focused_panel_name())
        ref = None if panel is None else panel.focused_number()
        if panel is not None and ref is not None:
            panel.pin_number(ref, opening="never")
        window.inspecting.open()
        window.inspector.show_chosen()
        window.inspector.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def release(self) -> None:
        """Do what Esc means where nothing nearer claims it, as an open editor does.

        First a drag on the plane is taken back; then What's This ends; then a panel that fills the window goes back;
        then what is pinned and pointed at is let go of.
        """
        layout = self._window.layout_of_docks
        if self._window.plane.take_drag_back():
            return
        if QWhatsThis.inWhatsThisMode():
            QWhatsThis.leaveWhatsThisMode()
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
        layout.toggle_maximised(layout.maximised or self._focused_panel_name() or "plane")

    def next_pane(self) -> None:
        """Move the focus to the next panel."""
        self._step_focus(1)

    def previous_pane(self) -> None:
        """Move the focus to the panel before."""
        self._step_focus(-1)

    def film(self) -> None:
        """Show the film and play it; pause it if it plays."""
        window = self._window
        if window.layout_of_docks.maximised not in {None, "film"}:
            window.layout_of_docks.toggle_maximised(window.layout_of_docks.maximised)
        window.docks["film"].show()
        window.docks["film"].raise_()
        window.film.setFocus(Qt.FocusReason.ShortcutFocusReason)
        window.film.toggle_playing()

    def full_screen(self) -> None:
        """Fill the screen, or go back."""
        window = self._window
        window.showNormal() if window.isFullScreen() else window.showFullScreen()
        window.actions_by_name["full_screen"].setChecked(window.isFullScreen())

    def reset_layout(self) -> None:
        """Put every panel back."""
        self._window.layout_of_docks.reset()

    # -- Model

    def causal(self) -> None:
        """Switch the causal mask."""
        self._window.wiring.set_scalar("causal", not self._window.session.state.is_causal)

    def sweep(self) -> None:
        """Start or stop the sweep of the temperature."""
        self._window.controls.toggle_sweep()

    def redraw(self) -> None:
        """Draw other columns."""
        self._window.wiring.redraw()

    def reset_controls(self) -> None:
        """Set the temperature back to 1."""
        self._window.wiring.set_scalar("temperature", 1.0)

    # -- Help

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

    # -- helpers

    @cached_property
    def _output(self) -> output.Output:
        return output.Output(self._window.session, self._window.documents.prompts, self._window, self)

    def _side(self) -> Side:
        return self._window.selection.chosen.side

    def _take_vectors(self, vectors: WordVectors, title: str) -> None:
        window = self._window
        window.plane.fit_next()
        edit = partial(edits.replace_embeddings, title=title)
        window.wiring.apply_from_file(title, edit, vectors.words, vectors.vectors, label="Import Embeddings")

    def _focused_panel_name(self) -> str:
        focus = QApplication.focusWidget()
        panels = self._window.panels.items()
        return next((name for name, panel in panels if focus is panel or (focus and panel.isAncestorOf(focus))), "")

    def _step_focus(self, by: int) -> None:
        shown = [name for name, panel in self._window.panels.items() if panel.isVisible()]
        if not shown:
            return
        now = self._focused_panel_name()
        place = shown.index(now) + by if now in shown else (0 if by > 0 else -1)
        _first_stop(self._window.panels[shown[place % len(shown)]]).setFocus(Qt.FocusReason.TabFocusReason)


def _first_stop(panel: QWidget) -> QWidget:
    """Give what Tab would come to first in a panel, or the panel itself if that takes the keys."""
    if panel.focusProxy() is not None or panel.focusPolicy() & Qt.FocusPolicy.TabFocus:
        return panel
    widget = panel.nextInFocusChain()
    while widget is not None and panel.isAncestorOf(widget):
        if widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            return widget
        widget = widget.nextInFocusChain()
    return panel
