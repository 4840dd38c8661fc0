"""What every panel is: a widget that shows frames and tells what the user wants, and no more."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QPalette, QShowEvent
from PySide6.QtWidgets import QWidget

from attnviz.appearance import LIGHT, Theme
from attnviz.document.frame import Frame
from attnviz.document.number_ref import NumberRef
from attnviz.late import late
from attnviz.views.numbers import number_text
from attnviz.views.pinning import in_brackets, pin_words
from attnviz.views.selection import NOTHING, Chosen, Opening, Selection

if TYPE_CHECKING:
    from attnviz import explanations
    from attnviz.views import painted
else:
    explanations = late("attnviz.explanations")  # a window that nobody points at does without
    painted = late("attnviz.views.painted")  # asked for by tests, and by nothing that is on the way to a window


class Panel(QWidget):
    """A panel of the window.

    A panel is offered every frame; while it is hidden it keeps the newest and shows it when it appears.
    Showing sets widgets and emits nothing. What the user does leaves as intent signals of the subclasses.

    Parameters
    ----------
    selection : Selection
        The shared selection; the panel listens to it and may set it.

    Signals
    -------
    subtitle_changed : str
        The muted line beside the panel's title.
    refused : str
        One sentence why a typed value was not taken, for the status bar.
    number_menu_requested : QPoint
        The number that was just chosen wants its menu, at this place of the screen.
    """

    subtitle_changed = Signal(str)
    refused = Signal(str)
    number_menu_requested = Signal(QPoint)
    is_of_one_head = False  # whether its numbers are those of the shown head, which the subtitle then says

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.selection = selection
        self.theme: Theme = LIGHT
        self.frame: Frame | None = None
        self.tools: QWidget | None = None  # what stands at the right end of the title bar
        self._is_stale = self._is_dark = False  # an older frame, or an older selection, is shown
        self._subtitle = self._said = ""  # with the head, and without
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)  # opaque, so that what lies behind is not painted with every change
        selection.changed.connect(self._light)

    @property
    def subtitle(self) -> str:
        """The muted line beside the panel's title."""
        return self._subtitle

    def offer_frame(self, frame: Frame) -> None:
        """Take a frame: show it at once if the panel is visible, else when it becomes so."""
        self.frame = frame
        self._say_subtitle()
        if self.isVisible():
            self.show_frame(frame)
        else:
            self._is_stale = True

    def show_frame(self, frame: Frame) -> None:
        """Draw a frame; to be overridden."""

    def show_selection(self, chosen: Chosen) -> None:
        """Light what is chosen; to be overridden. Called only with a frame at hand."""

    def focused_number(self) -> NumberRef | None:
        """Give the number that the keyboard is at in this panel, if there is one; to be overridden."""
        return None

    def number_at(self, place: QPoint) -> NumberRef | None:  # noqa: ARG002  an override looks at it
        """Give the number that is drawn at a place of this panel; to be overridden."""
        return None

    def point_at_number(self, ref: NumberRef | None) -> None:
        """Point at a number and the row and column it belongs to; ``None`` for nothing."""
        if ref is None or self.frame is None:
            self.selection.point_at(None, None)
        else:
            self.selection.point_at(*explanations.place_of(self.frame, ref), ref)

    def lit_numbers(self, refs: Collection[NumberRef]) -> frozenset[NumberRef]:
        """Choose which of the numbers that are written in this panel are lit by what is pointed at."""
        chosen = self.selection.chosen
        if self.frame is None or chosen.pointed == NOTHING:
            return frozenset()
        return explanations.lit_among(self.frame, refs, *chosen.pointed)

    def describe_number(self, ref: NumberRef) -> str:
        """Say which number it is and how large, in one line; nothing of a number that is gone."""
        if self.frame is None or not explanations.exists(self.frame, ref):
            return ""
        shown = explanations.explain(self.frame, ref)
        return f"{shown.title}: {number_text(shown.result)}{in_brackets(pin_words(self.frame, ref))}"

    def pin_number(self, ref: NumberRef, *, opening: Opening = "may") -> None:
        """Pin a number with the row and column it belongs to, as after a click on it."""
        if self.frame is not None:
            query, key = explanations.place_of(self.frame, ref)
            # A coordinate of a token that asks and answers leaves the column: its look at itself explains least.
            self.selection.pin_number(ref, query, None if ref.kind == "x" else key, opening=opening)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme; an override calls this first."""
        self.theme = theme
        self._light()  # the marks of what is lit have the theme's colours, too
        self.update()

    def set_subtitle(self, text: str) -> None:
        """Change the muted line beside the title, if it differs; the shown head of several goes before it."""
        self._said = text
        self._say_subtitle()

    def _say_subtitle(self) -> None:
        frame, text = self.frame, self._said
        if self.is_of_one_head and frame is not None and frame.n_heads > 1:
            head = f"head {frame.head + 1} of {frame.n_heads}"
            text = f"{head}, {text}" if text else head
        if text != self._subtitle:
            self._subtitle = text
            self.subtitle_changed.emit(text)

    def painted_texts(self) -> list[tuple[str, QRectF]]:
        """List every text that is seen on the panel, with its box in the panel's coordinates.

        Returns
        -------
        list of (str, QRectF)
        """
        return [(seen.text, seen.box) for seen in painted.texts_painted_by(self)]

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Pin the number under the mouse, or the one the keyboard is at, and ask for its menu."""
        is_by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        ref = self.focused_number() if is_by_key else self.number_at(event.pos())
        if ref is None:
            event.ignore()
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.pin_number(ref, opening="never")
        self.number_menu_requested.emit(event.globalPos())

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with the newest frame and the selection."""
        super().showEvent(event)
        if self._is_stale and self.frame is not None:
            self._is_stale = False
            self.show_frame(self.frame)
        if self._is_dark:
            self._light()

    def _light(self) -> None:
        """Show the selection, if hidden as soon as the panel appears."""
        self._is_dark = not self.isVisible()
        if self.frame is not None and not self._is_dark:
            self.show_selection(self.selection.chosen)
