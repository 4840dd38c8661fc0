"""Where the docks stand: the first layout, maximising one of them, and remembering all that between starts."""

from __future__ import annotations

import re
from collections.abc import Mapping

from PySide6.QtCore import QByteArray, QEvent, QObject, QSettings, QSize, Qt
from PySide6.QtWidgets import QApplication, QMainWindow, QTabBar

from attnviz.app.bottom_area import BottomArea, held_at
from attnviz.app.docks import PanelDock
from attnviz.app.presented_docks import LAYOUT_VERSION, PresentedDocks, arrangement_of
from attnviz.app.shares import Shares

_LINES_FOR_INSPECTOR, _LINES_FOR_FILM_TOO = 44, 60  # of text in the window's height: inspector below plane, below film
_STRIPS = ("stages", "matrices")  # along the bottom, and higher than Why?, whose place they share
# What shares another's place once it appears.
_BEHIND = {
    "film": "plane",
    "table": "weights",
    "stages": "derivation",
    "matrices": "derivation",
    "mask": "controls",
    "heads": "plane",
    "positions": "plane",
    "compare": "scores",  # the plane shows its outputs beside it
    "permutation": "plane",
}
_DRAGGED = re.compile(r"([a-z ]+)=(\d{1,5})x(\d{1,5})")  # as sizes are remembered


class Layout(QObject):
    """The arrangement of the docks of one window."""

    def __init__(self, window: QMainWindow, docks: Mapping[str, PanelDock], settings: QSettings) -> None:
        super().__init__(window)
        self._window, self._docks, self._settings = window, docks, settings
        self._before_maximise: QByteArray | None = None
        self._maximised: str | None = None
        self.presented = PresentedDocks(window, docks)
        self._bottom, self._shares = BottomArea(window, docks), Shares(window, docks)
        self._line = 0  # the height of a line of text that the docks were last arranged for
        self._before_growth: tuple[QSize, QSize] | None = None  # the window's sizes before and after
        self._before_drag: tuple[int, dict[str, tuple[int, int]]] | None = None
        for dock in docks.values():
            dock.maximise_requested.connect(self.toggle_maximised)
            dock.visibilityChanged.connect(self._hidden_while_maximised)
            dock.visibilityChanged.connect(self._name_tabs)
            dock.toggleViewAction().triggered.connect(dock.raise_)  # it may share its place with others
        self._inspector_has_room = False
        self._placed: set[str] = set()
        for name in _BEHIND:
            docks[name].about_to_appear.connect(self._place_behind)
        docks["inspector"].about_to_appear.connect(self._place_inspector)
        for name in _STRIPS:
            docks[name].about_to_appear.connect(self._leave_why)
            # Once the dock is hidden for good: the program may be on the way to another arrangement.
            docks[name].visibilityChanged.connect(self.settle_bottom, Qt.ConnectionType.QueuedConnection)
        self.presented.ended.connect(self._settle_after_presentation)
        window.installEventFilter(self)
        docks["inspector"].visibilityChanged.connect(self._give_inspector_room)

    @property
    def maximised(self) -> str | None:
        """The name of the panel that fills the window, if one does."""
        return self._maximised

    def reset(self) -> None:
        """Put every dock back in its first place."""
        docks, window = self._docks, self._window
        self._maximised, self._before_maximise = None, None
        self._note_arranged(True)  # nothing is to be arranged while docks come and go
        for dock in docks.values():
            dock.setFloating(False)
            window.removeDockWidget(dock)
        horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        window.addDockWidget(Qt.DockWidgetArea.TopDockWidgetArea, docks["tokens"])
        window.splitDockWidget(docks["tokens"], docks["derivation"], vertical)
        window.splitDockWidget(docks["tokens"], docks["plane"], horizontal)
        window.splitDockWidget(docks["plane"], docks["scores"], horizontal)
        window.splitDockWidget(docks["tokens"], docks["controls"], vertical)
        window.splitDockWidget(docks["scores"], docks["weights"], vertical)
        window.splitDockWidget(docks["plane"], docks["inspector"], vertical)
        for name, other in _BEHIND.items():
            window.splitDockWidget(docks[other], docks[name], vertical)
        for dock in docks.values():
            if window.dockWidgetArea(dock) == Qt.DockWidgetArea.NoDockWidgetArea:  # new to the list of panels
                window.tabifyDockWidget(docks["weights"], dock)
            dock.setVisible(dock.spec.is_shown_first)
        docks["weights"].raise_()
        self._note_arranged(False)
        self._bottom.begin_again()
        self._shares.begin_again()
        self.share_out()

    def share_out(self) -> None:
        """Give the docks the sizes of the first layout, or those that somebody gave them."""
        dock, self._line = self._bottom.dock, self._window.fontMetrics().height()
        if dock is None:
            self._shares.share_out()
            return
        with held_at(self._window, dock, self._bottom.height):
            self._shares.share_out()

    def follow_text(self) -> None:
        """Share the room out again when the size of text is another one: what had to grow for it shrinks again."""
        is_new = self._window.fontMetrics().height() != self._line
        if not is_new or self._is_out_of_order or not self._window.isVisible():
            return
        size = self._window.size()
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)  # every panel says how much it needs now
        for dock in self._docks.values():
            dock.ask_again()
        self._follow_growth(size)
        if self._shares.are_as_at_first:
            self.share_out()
        else:  # somebody moved panels: their columns stay as they are
            self._line = self._window.fontMetrics().height()
            self._bottom.take_height()

    def _follow_growth(self, size: QSize) -> None:
        """Let a window that grew for larger text become as small again as it was, unless somebody resized it since."""
        window, before = self._window, self._before_growth
        arrangement = window.layout()
        if arrangement is not None:
            arrangement.activate()
        if window.size() != size:
            self._before_growth = (size if before is None else before[0]), window.size()
        elif before is not None:
            if size == before[1] and not (window.isMaximized() or window.isFullScreen()):
                window.resize(before[0].expandedTo(window.minimumSizeHint()))
            self._before_growth = None if window.size() in {before[0], size} else (before[0], window.size())

    def give_stages_room(self, is_open: bool) -> None:
        """Let the stages grow while one of them is large, if there is room for that, and shrink again."""
        self._bottom.open_stage(is_open=is_open)
        self.settle_bottom()

    def settle_bottom(self) -> None:
        """Give the bottom the height for what it holds, if that changed."""
        if not self._is_out_of_order:
            self._bottom.settle()

    def _settle_after_presentation(self) -> None:
        """Settle the bottom when the window has its size again: what it holds may have changed on the way."""
        if not self.presented.is_waiting:
            self.settle_bottom()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice which borders between docks somebody drags: the window itself gets the mouse there."""
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress and not self._is_out_of_order:
            dock = self._bottom.dock
            self._before_drag = dock.height() if dock is not None else 0, self._shares.sizes()
        elif kind == QEvent.Type.MouseButtonRelease and self._before_drag is not None:
            (height, sizes), self._before_drag = self._before_drag, None
            self._bottom.note_dragged(height)
            self._shares.note_dragged(sizes)
        return super().eventFilter(watched, event)

    def toggle_maximised(self, name: str) -> None:
        """Let one panel fill the window, or put it back where it was."""
        if self._is_presenting:
            return
        if self._maximised is not None:
            was = self._maximised
            self._bring_back()
            if was == name:
                return
        self._before_maximise = self._window.saveState(LAYOUT_VERSION)
        for other, dock in self._docks.items():
            dock.setVisible(other == name)
        self._maximised = name

    def bring_forward(self, name: str) -> None:
        """Show a panel; another one that fills the window goes back first."""
        if self._maximised not in {None, name}:
            self.toggle_maximised(self._maximised)
        self._docks[name].show()
        self._docks[name].raise_()

    def save(self) -> None:
        """Remember size and arrangement; those before a presentation, or before one panel filled the window."""
        if self._maximised is not None and not self._is_presenting:
            self._bring_back()
        now = self.presented.before or arrangement_of(self._window)
        docks = now.state if self._before_maximise is None else self._before_maximise
        self._settings.setValue("window/geometry", now.geometry)
        self._settings.setValue("window/size", now.size)
        self._settings.setValue("window/state", docks)
        dragged = {name: (0, height) for name, height in self._bottom.dragged.items()} | self._shares.given
        written = [f"{name}={width}x{height}" for name, (width, height) in dragged.items()]
        self._settings.setValue("window/dragged", "; ".join(written))

    @property
    def is_remembered(self) -> bool:
        """Whether an arrangement was saved."""
        return not self._saved("window/state").isEmpty()

    def restore_geometry(self) -> QSize | None:
        """Bring back the window's place, before it is shown.

        Returns
        -------
        QSize or None
            The size it had, kept on the screen that is there; None where nothing was remembered. The window
            cannot take it yet: before the style sheet reaches the panels they want more room.
        """
        geometry, size = self._saved("window/geometry"), self._settings.value("window/size", QSize(), QSize)
        if geometry.isEmpty() or not self._window.restoreGeometry(geometry):
            return None
        self._clamp()
        if not isinstance(size, QSize) or size.isEmpty():
            return None
        return size.boundedTo(self._window.screen().availableSize())

    def restore_docks(self) -> bool:
        """Bring back the arrangement, once the window is shown.

        Returns
        -------
        bool
            Whether it could be read; one of another version cannot, and the first layout takes its place.
        """
        self._docks["derivation"].setMinimumHeight(0)  # Qt has set it for the width before the window was shown
        self._note_arranged(True)
        if self._window.restoreState(self._saved("window/state"), LAYOUT_VERSION):
            self._line = self._window.fontMetrics().height()
            self._restore_dragged()
            return True
        self._note_arranged(False)
        self.share_out()
        return False

    def _restore_dragged(self) -> None:
        """Remember again which sizes somebody gave to panels; what cannot be read counts as not given."""
        written = _DRAGGED.findall(str(self._settings.value("window/dragged", "", str)))
        sizes = {name: (int(width), int(height)) for name, width, height in written}
        self._shares.given = {name: size for name, size in sizes.items() if name in self._docks and min(size) > 0}
        self._bottom.take_dragged({name: height for name, (width, height) in sizes.items() if width == 0 < height})

    def _saved(self, key: str) -> QByteArray:
        value = self._settings.value(key, QByteArray(), QByteArray)
        return value if isinstance(value, QByteArray) else QByteArray()

    def _place_inspector(self, name: str) -> None:
        """Let the inspector share a place, as a tab, where it would not fit below the plane or the film.

        With the film it takes the place of the scores, which the film shows too, else that of the plane.
        """
        if self._inspector_has_room or self._is_out_of_order:
            return
        has_film = not self._docks["film"].isHidden()
        if self._has_fewer_lines(_LINES_FOR_FILM_TOO if has_film else _LINES_FOR_INSPECTOR):
            self._inspector_has_room = True
            self._window.tabifyDockWidget(self._docks["scores" if has_film else "plane"], self._docks[name])

    def _place_behind(self, name: str) -> None:
        """Let a panel share the place of another one before it first appears.

        Apart both would not fit into a low window, which would become higher even if it were for a moment.
        """
        if name not in self._placed and not self._is_out_of_order:
            self._placed.add(name)
            self._window.tabifyDockWidget(self._docks[_BEHIND[name]], self._docks[name])
            if name == "film" and self._has_fewer_lines(_LINES_FOR_FILM_TOO):
                self._make_way_for_film()

    def _make_way_for_film(self) -> None:
        """Move an inspector that stands below the plane, which the film replaces: half the height is too low for it."""
        inspector = self._docks["inspector"]
        if not inspector.isHidden() and not inspector.isFloating():
            self._window.tabifyDockWidget(self._docks["scores"], inspector)
            inspector.raise_()

    def _has_fewer_lines(self, count: int) -> bool:
        """Say whether the window is too low for so many lines of text."""
        return self._window.height() < count * self._window.fontMetrics().height()

    def _leave_why(self) -> None:
        if not self._is_out_of_order:
            self._bottom.leave_why()

    def _note_arranged(self, is_arranged: bool) -> None:
        """Note of the panels that are hidden at first whether they have the place they appear in."""
        self._inspector_has_room = is_arranged
        self._placed = set(_BEHIND) if is_arranged else set()

    def _name_tabs(self, is_visible: bool) -> None:
        """Name the bars of tabs, which Qt makes when a panel appears; what is hidden at the window's end makes none."""
        if is_visible:
            for bar in self._window.findChildren(QTabBar):
                bar.setAccessibleName("Panels in one place")

    def _give_inspector_room(self, is_visible: bool) -> None:
        """Let the inspector share the height of the plane when it first appears; later it keeps what it is given."""
        if not is_visible or self._inspector_has_room or self._is_out_of_order:
            return
        self._inspector_has_room = True
        dock, pair = self._bottom.dock, [self._docks["plane"], self._docks["inspector"]]
        if dock is None:
            self._window.resizeDocks(pair, [1, 1], Qt.Orientation.Vertical)
            return
        with held_at(self._window, dock, dock.height()):  # it would take the room of the whole row, as in share_out
            self._window.resizeDocks(pair, [1, 1], Qt.Orientation.Vertical)

    def _hidden_while_maximised(self, is_visible: bool) -> None:
        """Bring the others back when the one panel that fills the window is hidden: it was not meant to be empty."""
        name = self._maximised
        if is_visible or name is None or self._is_presenting or not self._docks[name].isHidden():
            return
        self._bring_back()
        self._docks[name].hide()

    @property
    def _is_presenting(self) -> bool:
        return self.presented.before is not None

    @property
    def _is_out_of_order(self) -> bool:
        return self._maximised is not None or self._is_presenting

    def _bring_back(self) -> None:
        before, self._before_maximise, self._maximised = self._before_maximise, None, None
        if before is not None:
            self._window.restoreState(before, LAYOUT_VERSION)
            self.follow_text()
            self.settle_bottom()

    def _clamp(self) -> None:
        """Keep the window on a screen that is there."""
        screen = self._window.screen()
        if screen is None:
            return
        area, frame = screen.availableGeometry(), self._window.geometry()
        frame.setSize(frame.size().boundedTo(area.size()))
        frame.moveLeft(max(area.left(), min(frame.left(), area.right() - frame.width() + 1)))
        frame.moveTop(max(area.top(), min(frame.top(), area.bottom() - frame.height() + 1)))
        self._window.setGeometry(frame)
