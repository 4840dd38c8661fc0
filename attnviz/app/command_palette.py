"""The command palette: a few letters find any action of the menus, Enter runs it; it lies lightly over the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent, QMouseEvent, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QMainWindow,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from attnviz.app.matching import ranked
from attnviz.app.palette_entries import UNAVAILABLE, Entry, entries_of
from attnviz.app.palette_rows import Index, PaletteRows, RowPainter, row_height
from attnviz.appearance import Theme
from attnviz.views.text_line import TextLine

_WIDTH_IN_LETTERS, _FEWEST_ROWS, _MOST_ROWS, _MARGIN = 80, 6, 14, 16
_PAGE = 8


class CommandPalette(QFrame):
    """A search line over a list of actions, as a child of the window and no dialog of its own.

    Up and Down, Tab and Page keys go through the list, Enter or a click runs, Esc or a click beside it closes. Focus
    goes back to where it was before an action runs, so that what depends on the focus works as from the menu.
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._entries: tuple[Entry, ...] = ()
        self._focus_before: QWidget | None = None
        self.setObjectName("command_palette")
        self.setAccessibleName("Command palette")
        self.line = PaletteLine(self)
        self.rows = PaletteRows(self)
        self.view = QListView(self)
        self.empty = QLabel(self)
        self.tip = TextLine(role=QPalette.ColorRole.PlaceholderText, margin=12, parent=self)
        self._painter = RowPainter(self.rows, self)
        self._build()
        self.hide()

    def open_for(self, theme: Theme) -> None:
        """Show every action as it is now, in the colours of a theme, and take the focus."""
        self._entries = entries_of(self._window.menuBar())
        self._focus_before = QApplication.focusWidget()
        self.apply_theme(theme)
        self.line.clear()
        self._search("")
        self.show()
        self.raise_()
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)
        _application().installEventFilter(self)

    def close_again(self) -> None:
        """Hide, and give the focus back."""
        if self.isHidden():
            return
        _application().removeEventFilter(self)
        self.line.clearFocus()
        self.hide()
        for widget in self._window.findChildren(QWidget):  # what had the focus may be gone
            if widget is self._focus_before:
                widget.setFocus(Qt.FocusReason.PopupFocusReason)
        self._focus_before = None

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._painter.apply_theme(theme)
        self.update()

    @property
    def current(self) -> Entry | None:
        """The entry that Enter would run."""
        row = self.view.currentIndex().row()
        return self.rows.rows[row][0] if 0 <= row < len(self.rows.rows) else None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close at a click beside it; follow the size of the window."""
        if event.type() == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            place = self.mapFromGlobal(event.globalPosition().toPoint())
            if isinstance(watched, QWidget) and not self.rect().contains(place):
                self.close_again()
        elif event.type() in (QEvent.Type.Resize, QEvent.Type.ApplicationFontChange) and watched is self._window:
            self._place()
        return False

    # -- building

    def _build(self) -> None:
        self.line.setPlaceholderText("Type a few letters of an action")
        self.line.setAccessibleName("Action to look for")
        self.line.setToolTip("A few letters of the name or the menu; Up and Down choose, Enter runs, Esc closes")
        self.line.setAcceptDrops(False)  # a file that falls on it is opened, not written into it
        self.view.setModel(self.rows)
        self.view.setItemDelegate(self._painter)
        self.view.setAccessibleName("Actions found")
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setUniformItemSizes(True)
        self.view.setMouseTracking(True)
        self.empty.setObjectName("muted")
        self.empty.setTextFormat(Qt.TextFormat.PlainText)
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(24, 16, 24, 16)
        self._stack = QStackedLayout()
        self._stack.addWidget(self.view)
        self._stack.addWidget(self.empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 12, 8, 8)
        column.setSpacing(8)
        column.addWidget(self.line)
        column.addLayout(self._stack, 1)
        column.addWidget(self.tip)
        self.line.textEdited.connect(self._search)
        self.line.stepped.connect(self._step)
        self.line.ran.connect(self.run_current)
        self.line.cancelled.connect(self.close_again)
        self.view.entered.connect(self.view.setCurrentIndex)
        self.view.clicked.connect(self._run_clicked)
        self.view.selectionModel().currentChanged.connect(self._tell_current)

    def _place(self) -> None:
        """Lie over the upper middle of the window, inside it at any size of text."""
        metrics, window = self.fontMetrics(), self._window.rect()
        width = min(_WIDTH_IN_LETTERS * metrics.averageCharWidth() + 48, window.width() - 2 * _MARGIN)
        around = self.line.sizeHint().height() + self.tip.sizeHint().height() + 36
        rows = max(_FEWEST_ROWS, min(len(self.rows.rows), _MOST_ROWS)) * row_height(metrics) + 4
        top = min(window.height() // 10, 96)
        height = min(around + rows, window.height() - top - _MARGIN)
        self.setGeometry(QRect((window.width() - width) // 2, top, width, height))

    # -- searching and running

    def _search(self, typed: str) -> None:
        found = ranked(typed, [entry.name for entry in self._entries], [entry.tip for entry in self._entries])
        self.rows.show_rows([(self._entries[place], frozenset(match.places)) for place, match in found])
        self._place()
        if found:
            self._stack.setCurrentWidget(self.view)
            self.view.setCurrentIndex(self.rows.index(0))
            self.view.scrollToTop()
            return
        self.empty.setText(
            f"No action has “{typed.strip()}” in its name.\n\n"
            "A few letters are enough, of the name or of its menu: “vtd” finds Dark in View › Theme."
        )
        self._stack.setCurrentWidget(self.empty)
        self.tip.show_text("")
        self._announce("Nothing found")

    def _step(self, by: int) -> None:
        count = len(self.rows.rows)
        if count:
            row = self.view.currentIndex().row() + by
            row = row % count if abs(by) == 1 else max(0, min(row, count - 1))
            self.view.setCurrentIndex(self.rows.index(row))

    def run_current(self) -> None:
        """Close and run the current entry; one that is not available now stays and says so."""
        entry = self.current
        if entry is None:
            return
        if not entry.action.isEnabled():
            self.tip.show_text(f"{entry.text} is {UNAVAILABLE}.")
            self._announce(self.tip.text)
            return
        self.close_again()
        entry.action.trigger()

    def _run_clicked(self, index: Index) -> None:
        self.view.setCurrentIndex(index)
        self.run_current()

    def _tell_current(self) -> None:
        entry = self.current
        if entry is not None:
            self.tip.show_text(entry.tip)
            self.line.setAccessibleDescription(entry.sentence)
            self._announce(entry.sentence)

    def _announce(self, sentence: str) -> None:
        """Say something to a screen reader, whose attention is on the line and not on the list."""
        if QAccessible.isActive() and self.isVisible():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.line, sentence))


def _application() -> QCoreApplication:
    application = QApplication.instance()
    if application is None:
        raise RuntimeError("a widget needs an application, got none")
    return application


class PaletteLine(QLineEdit):
    """The search line, which leaves the keys of the list to the palette.

    Signals
    -------
    stepped : int
        So many rows down, or up.
    ran : (nothing)
        The current row is to be run.
    cancelled : (nothing)
        The palette is to be closed.
    """

    stepped = Signal(int)
    ran = Signal()
    cancelled = Signal()

    def event(self, event: QEvent) -> bool:
        """Claim Esc before a shortcut of the window gets it, and Tab before the focus moves on."""
        if isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress and event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
                self.stepped.emit(1 if event.key() == Qt.Key.Key_Tab else -1)
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go through the list, run, close; anything else is typing."""
        key = event.key()
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: _PAGE, Qt.Key.Key_PageUp: -_PAGE}
        if key in steps:
            self.stepped.emit(steps[Qt.Key(key)])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.ran.emit()
        elif key == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)
