"""Going from panel to panel with the keyboard: which one has the focus, and which is the next."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from attnviz.app.docks import PanelDock
from attnviz.views.panel import Panel


def focused_panel(panels: Mapping[str, Panel]) -> str:
    """Give the name of the panel that has the focus; empty if none has."""
    focus = QApplication.focusWidget()
    found = (name for name, panel in panels.items() if focus is panel or (focus and panel.isAncestorOf(focus)))
    return next(found, "")


def step_focus(docks: Mapping[str, PanelDock], by: int) -> None:
    """Move the focus to the next panel (1), or to the one before (-1); one behind others in its place comes forward."""
    panels = {name: dock.panel for name, dock in docks.items() if not dock.isHidden()}
    names = list(panels)
    if not names:
        return
    now = focused_panel(panels)
    place = names.index(now) + by if now in panels else (0 if by > 0 else -1)
    name = names[place % len(names)]
    docks[name].raise_()
    if docks[name].isFloating():
        docks[name].activateWindow()
    first_stop(panels[name]).setFocus(Qt.FocusReason.TabFocusReason)


def first_stop(panel: QWidget) -> QWidget:
    """Give what Tab would come to first in a panel, or the panel itself if that takes the keys."""
    if panel.focusProxy() is not None or panel.focusPolicy() & Qt.FocusPolicy.TabFocus:
        return panel
    widget = panel.nextInFocusChain()
    while widget is not None and panel.isAncestorOf(widget):
        if widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            return widget
        widget = widget.nextInFocusChain()
    return panel
