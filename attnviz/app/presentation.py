"""Presenting: one panel or a pair fills the screen in large type, without the rest of the window, until Esc."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from attnviz.app.panes import first_stop, focused_panel
from attnviz.app.presentation_bar import PresentationBar
from attnviz.app.presented_views import USUAL_VIEW, View, ViewActions, presented_views
from attnviz.late import late

if TYPE_CHECKING:
    from attnviz.app import spotlight as late_spotlight
    from attnviz.app.window import MainWindow
else:
    late_spotlight = late("attnviz.app.spotlight")  # a window that presents nothing does without

_ONLY_OUTSIDE = ("maximise", "full_screen", "reset_layout")


@dataclass(frozen=True, slots=True)
class _Before:
    """What is put back at the end."""

    focus: QWidget | None
    window_state: Qt.WindowState
    bars: tuple[QWidget, ...]


class Presentation(QObject):
    """The presentation of one window.

    Parameters
    ----------
    window : MainWindow
        What is presented; its actions, docks and bars are there already.
    menu : QMenu
        Where the views are listed.
    """

    def __init__(self, window: MainWindow, menu: QMenu) -> None:
        super().__init__(window)
        self._window = window
        self._before: _Before | None = None
        self._views = {view.name: view for view in presented_views()}
        self._now = self._views[USUAL_VIEW]
        self._view_actions = ViewActions(self, menu)
        self._view_actions.triggered.connect(self._show_chosen)
        self.bar = PresentationBar(window, window.actions_by_name, menu)
        window.actions_by_name["end_presentation"].setEnabled(False)

    @property
    def is_on(self) -> bool:
        """Whether something is presented now."""
        return self._before is not None

    @property
    def view(self) -> View:
        """What is presented, or was last."""
        return self._now

    def toggle(self) -> None:
        """Present the panel that has the focus, or plane and weights if none has; or end."""
        if self.is_on:
            self.end()
        else:
            self.show_view(focused_panel(self._window.panels) or USUAL_VIEW)

    def show_view(self, name: str) -> None:
        """Present a view; begin if nothing is presented yet."""
        view = self._views[name]
        window = self._window
        window.setUpdatesEnabled(False)
        is_first = not self.is_on
        if is_first:
            self._begin()
        self._now = view
        window.layout_of_docks.presented.present(view.panels)
        self._view_actions.show_presented(name)
        self.bar.show_title(view.title)
        if is_first:
            self._dress()
        window.setUpdatesEnabled(True)
        first_stop(window.panels[view.panels[0]]).setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._follow_spotlight()

    def step(self, by: int) -> None:
        """Present the next view (1) or the one before (-1); begin if nothing is presented yet."""
        names = list(self._views)
        place = names.index(self._now.name) + by if self.is_on else names.index(self._now.name)
        self.show_view(names[place % len(names)])

    def bring_forward(self, name: str) -> None:
        """Show a panel: alone if something else is presented, in its place otherwise."""
        if not self.is_on:
            self._window.layout_of_docks.bring_forward(name)
        elif name not in self._now.panels:
            self.show_view(name)

    def toggle_spotlight(self) -> None:
        """Give this presentation a spotlight or take it away; outside of one, the next presentation."""
        self._follow_spotlight()
        if not self.is_on:
            is_wanted = self._window.actions_by_name["spotlight"].isChecked()
            self._window.announce(f"The next presentation has {'a' if is_wanted else 'no'} spotlight at the pointer.")

    def end(self) -> None:
        """Put everything back as it was before."""
        before = self._before
        if before is None:
            return
        window = self._window
        window.setUpdatesEnabled(False)
        self._before = None
        self.bar.hide()
        for bar in before.bars:
            bar.show()
        window.actions_by_name["spotlight"].setChecked(False)  # the next one begins without
        self._follow_spotlight()
        window.appearance.end_presenting()
        window.setWindowState(before.window_state)
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)  # the bars have their height again
        window.layout_of_docks.presented.put_back()
        window.setWindowState(before.window_state)  # a window that grew on the way has left the full screen
        self._mark(is_on=False)
        window.setUpdatesEnabled(True)
        for widget in window.findChildren(QWidget):  # what had the focus may be gone
            if widget is before.focus:
                widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def _begin(self) -> None:
        window = self._window
        bars = (window.menuBar(), window.tool_bar, window.statusBar())
        shown = tuple(bar for bar in bars if not bar.isHidden())
        self._before = _Before(QApplication.focusWidget(), window.windowState(), shown)
        self._mark(is_on=True)

    def _dress(self) -> None:
        """Hide the bars, enlarge the text, fill the screen: once the docks are written down as they were."""
        window = self._window
        if self._before is not None:
            for bar in self._before.bars:
                bar.hide()
        self.bar.show()
        window.appearance.begin_presenting()
        window.setWindowState(window.windowState() | Qt.WindowState.WindowFullScreen)

    def _mark(self, *, is_on: bool) -> None:
        actions = self._window.actions_by_name
        actions["present"].setChecked(is_on)
        actions["end_presentation"].setEnabled(is_on)
        for name in _ONLY_OUTSIDE:
            actions[name].setEnabled(not is_on)
        if not is_on:
            self._view_actions.show_presented("")

    def _follow_spotlight(self) -> None:
        is_wanted = self.is_on and self._window.actions_by_name["spotlight"].isChecked()
        if is_wanted:
            self.spotlight.begin(self._window.appearance.theme)
        elif "spotlight" in self.__dict__:
            self.spotlight.end()

    @cached_property
    def spotlight(self) -> late_spotlight.Spotlight:
        """The ring that follows the pointer; made when it is first wanted."""
        made = late_spotlight.Spotlight(self._window)
        self._window.appearance.changed.connect(made.apply_theme)
        return made

    def _show_chosen(self, action: QAction) -> None:
        self.show_view(str(action.data()))
