"""What is inside the inspector: the way, the explanation with its links, the buttons; made when it is first shown."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from attnviz.appearance import Theme
from attnviz.document.frame import Frame
from attnviz.document.number_ref import NumberRef
from attnviz.explanations import Explanation, Writer, exists, explain, lit_among, place_of
from attnviz.views.inspector.copy_bar import CopyBar
from attnviz.views.inspector.pages import ALL_TERMS, explanation_blocks
from attnviz.views.inspector.pin_bar import PinBar
from attnviz.views.inspector.sheet import Sheet
from attnviz.views.inspector.trail import Trail
from attnviz.views.inspector.trail_bar import TrailBar
from attnviz.views.late_panel import PanelBody
from attnviz.views.numbers import exact_text, number_text
from attnviz.views.selection import NOTHING, Chosen, Pointed, Selection

_SAID = {"value": "Value copied.", "latex": "Derivation copied as LaTeX.", "python": "Program copied."}
_GAP = 8


class InspectorBody(PanelBody):
    """The explanation of one number, and the way to those of its operands.

    It follows the cell that the selection shows until a link is followed; back at that cell it follows again, and
    a newly chosen cell begins anew.

    Parameters
    ----------
    selection : Selection
        The shared selection.

    Signals
    -------
    copied : str
        One sentence for the status bar: what is now on the clipboard.
    number_pinned : object, float
        The number, a :class:`NumberRef`, is to have this value.
    number_released : object
        The number is to be computed again.
    """

    copied = Signal(str)
    number_pinned = Signal(object, float)
    number_released = Signal(object)

    def __init__(self, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selection = selection
        selection.number_asked.connect(self._show_asked)
        self._frame: Frame | None = None
        self._explanation: Explanation | None = None
        self._trail = Trail(NumberRef("weight", (0, 0)))
        self._pinned: tuple[object, ...] | None = None
        self._shown: tuple[object, ...] = ()
        self._follows = self._began_at_cell = True
        self._is_pointing = False  # at an operand: what is pointed at from here must not change what is shown here
        self._before: Pointed = NOTHING
        self._is_short = True
        self._shows_all = False
        self.trail_bar = TrailBar(self)
        self.sheet = Sheet(self._sentence, self)
        self.scroll_area = QScrollArea(self)
        self.pin_bar = PinBar(self)
        self.copy_bar = CopyBar(self)
        self._lay_out()
        self.trail_bar.place_chosen.connect(self._go_to)
        self.sheet.link_followed.connect(self._follow)
        self.sheet.link_reached.connect(self._scroll_to)
        self.sheet.link_pointed.connect(self._point_at)
        self.copy_bar.copy_requested.connect(self.copy)
        self.pin_bar.number_pinned.connect(self.number_pinned)
        self.pin_bar.number_released.connect(self.number_released)
        self.pin_bar.refused.connect(self.refused)
        for keys, slot in (
            ("Backspace", self.go_back),
            ("Alt+Left", self.go_back),
            ("Alt+Right", self.go_forward),
            ("Ctrl+C", self.copy_value),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)  # a scroll area would take the arrow keys first
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(slot)

    @property
    def explanation(self) -> Explanation | None:
        """What is shown; ``None`` before the first frame."""
        return self._explanation

    def show_number(self, ref: NumberRef) -> None:
        """Explain a number, and leave the selection alone until another cell is pinned.

        Raises
        ------
        ValueError
            If there is no such number in the document.
        """
        if self._frame is not None:
            explain(self._frame, ref)
        self._follows = self._began_at_cell = False
        self._pinned = _pinned_cell(self._selection.chosen)
        self._begin(ref)
        self._refresh()

    def show_chosen(self) -> None:
        """Explain the weight of the cell that the selection shows, and follow the selection again."""
        self._follows = True
        self.show_selection(self._selection.chosen)

    def _show_asked(self, _ref: NumberRef) -> None:
        """Explain a number that was clicked, also where a link has led away from it."""
        self._follows = True
        if self.isVisible():
            self.show_selection(self._selection.chosen)

    def show_frame(self, frame: Frame) -> None:
        """Explain the same number of another frame, or the chosen cell where that number is gone."""
        self._frame = frame
        if not self._trail.keep(partial(exists, frame)):
            self._follows = True
        self.show_selection(self._selection.chosen)

    def show_selection(self, chosen: Chosen) -> None:
        """Follow the selection, unless a link was followed and the chosen cell is the same."""
        if self._is_pointing and chosen.pointed_number is None:
            self._is_pointing = False  # it was let go of
        pinned = _pinned_cell(chosen)
        if pinned != self._pinned:
            self._pinned, self._follows = pinned, True
        if self._follows and not self._is_pointing and self._frame is not None:
            self._began_at_cell = True
            followed = _followed(chosen, self._frame)
            if followed != self._trail.current:
                self._begin(followed)
        self._refresh()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for part in (self.trail_bar, self.sheet, self.pin_bar, self.copy_bar):
            part.apply_theme(theme)

    def choose_digits(self, name: str) -> None:
        """Write about three digits of each number ("short"), or all of them ("full")."""
        self._is_short = name == "short"
        self._refresh()

    def copy(self, form: str) -> None:
        """Put the shown number on the clipboard.

        Parameters
        ----------
        form : {"value", "latex", "python"}
            With every digit; its derivation with the digits shown; a program that computes it.
        """
        shown = self._explanation
        if shown is None:
            return
        if form == "latex":
            text = shown.latex(self._write)
        else:
            text = shown.python() if form == "python" else exact_text(shown.result)
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(_SAID[form])

    def edit_pin(self) -> None:
        """Put the cursor into the box for a pinned value, if the shown number can be pinned."""
        if self.pin_bar.isVisibleTo(self):
            self.pin_bar.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.pin_bar.box.end(False)
            self.pin_bar.box.home(True)  # all selected, with the first digits in sight

    def go_back(self) -> None:
        """Show the number before, if there is one."""
        self._go_to(len(self._trail.behind) - 1)

    def go_forward(self) -> None:
        """Show the number that was gone back from, if there is one."""
        self._go_to(len(self._trail.behind) + 1)

    def copy_value(self) -> None:
        """Put the number on the clipboard with every digit."""
        self.copy("value")

    @property
    def _write(self) -> Writer:
        return number_text if self._is_short else exact_text

    def _lay_out(self) -> None:
        self.scroll_area.setWidgetResizable(True)
        self.scroll_area.setFrameShape(QFrame.Shape.NoFrame)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll_area.setWidget(self.sheet)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_GAP)
        top = QHBoxLayout()
        top.setSpacing(_GAP)
        top.addWidget(self.trail_bar, 1)
        top.addWidget(self.pin_bar, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(top)
        column.addWidget(self.scroll_area, 1)
        column.addWidget(self.copy_bar)
        self.setFocusProxy(self.sheet)

    def _begin(self, ref: NumberRef) -> None:
        self._shows_all = False
        self._trail.begin(ref)

    def _follow(self, link: object) -> None:
        if isinstance(link, NumberRef):
            self._follows, self._shows_all = False, False
            self._trail.visit(link)
        else:
            self._shows_all = link == ALL_TERMS
        self._refresh()

    def _point_at(self, link: object) -> None:
        """Light an operand in every panel."""
        chosen, was_pointing = self._selection.chosen, self._is_pointing
        self._is_pointing = isinstance(link, NumberRef)
        if not was_pointing:  # a cell that the keyboard is at stays the explained one
            self._before = chosen.pointed
        if isinstance(link, NumberRef) and self._frame is not None:
            self._selection.point_at(*place_of(self._frame, link), link)
        elif was_pointing:
            self._selection.point_at(*self._before)

    def _light(self) -> None:
        """Light the words that stand for what is pointed at."""
        chosen, frame = self._selection.chosen, self._frame
        if frame is not None:
            marks = [mark for mark in self.sheet.marks if isinstance(mark, NumberRef)]
            self.sheet.show_lit(frozenset(lit_among(frame, marks, *chosen.pointed)))

    def _go_to(self, place: int) -> None:
        self._shows_all = False
        self._trail.go_to(place)
        self._follows = self._began_at_cell and not self._trail.can_go_back
        self._refresh()

    def _scroll_to(self, place: QRect) -> None:
        self.scroll_area.ensureVisible(place.center().x(), place.center().y(), 0, place.height())

    def _sentence(self, link: object) -> str:
        if self._frame is None or not isinstance(link, NumberRef):
            return "Show all terms of the sum"
        shown = explain(self._frame, link)
        return f"{shown.title}: {self._write(shown.result)}"

    def _refresh(self) -> None:
        if self._frame is None:
            return
        shown = (self._frame, self._trail.current, self._trail.behind, self._is_short, self._shows_all)
        if shown != self._shown:
            self._shown = shown
            self._explanation = explain(self._frame, self._trail.current)
            self.sheet.show_blocks(explanation_blocks(self._explanation, self._write, shows_all=self._shows_all))
            self.trail_bar.show_trail(self._trail, self._frame.state)
            self.pin_bar.show_explanation(self._explanation)
        self._light()
        self.subtitle_changed.emit(self._said_of_following())

    def _said_of_following(self) -> str:
        if not self._follows:
            return "stays here"
        return "the chosen cell" if self._selection.chosen.number is None else "the clicked number"


def _pinned_cell(chosen: Chosen) -> tuple[object, ...]:
    return chosen.query, chosen.key, chosen.number


def _followed(chosen: Chosen, frame: Frame) -> NumberRef:
    """Give the number that the selection shows: the pinned one, else the weight of the shown cell."""
    if chosen.number is not None and exists(frame, chosen.number):
        return chosen.number
    return NumberRef("weight", (min(chosen.shown_query, frame.n_query - 1), min(chosen.shown_key, frame.n_key - 1)))
