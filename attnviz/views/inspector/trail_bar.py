"""The head of the inspector: back, forward, and the numbers on the way as links."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from attnviz.appearance import Theme
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import State
from attnviz.explanations import KINDS
from attnviz.views.inspector.sheet import Sheet
from attnviz.views.inspector.sheet_layout import Block, Word
from attnviz.views.inspector.trail import Trail
from attnviz.views.tokens.message_line import quiet_style

_MOST_CRUMBS = 4
_BUTTONS = (
    ("←", "Back", "Show the number before (Backspace)"),
    ("→", "Forward", "Show the number that was gone back from (Alt+Right)"),
)


class TrailBar(QWidget):
    """Two buttons and a breadcrumb.

    Signals
    -------
    place_chosen : int
        The number at this place of the way is to be shown.
    """

    place_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._place = 0
        self._behind: tuple[NumberRef, ...] = ()
        self._state: State | None = None
        self.back_button, self.forward_button = (_button(*texts, self) for texts in _BUTTONS)
        self.crumbs = Sheet(self._sentence, self)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        line.addWidget(self.back_button, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self.forward_button, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self.crumbs, 1, Qt.AlignmentFlag.AlignVCenter)
        self.back_button.clicked.connect(self._go_back)
        self.forward_button.clicked.connect(self._go_forward)
        self.crumbs.link_followed.connect(self._go_to)

    def show_trail(self, trail: Trail, state: State) -> None:
        """Show the way to the current number of a document."""
        self._state = state
        self._behind = trail.behind
        self._place = len(self._behind)
        self.crumbs.show_blocks(_blocks(self._behind, trail.current, state))
        is_stop = bool(self.crumbs.links)
        self.crumbs.setFocusPolicy(Qt.FocusPolicy.StrongFocus if is_stop else Qt.FocusPolicy.NoFocus)
        # Last, since a button that goes off passes the focus on, and whoever gets it must know the new way.
        self.forward_button.setEnabled(trail.can_go_forward)
        self.back_button.setEnabled(trail.can_go_back)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.crumbs.apply_theme(theme)
        for button in (self.back_button, self.forward_button):
            button.setStyleSheet(quiet_style(theme))

    def _sentence(self, place: object) -> str:
        if not isinstance(place, int) or self._state is None:
            return ""
        return f"Back to {_label(self._behind[place], self._state)}"

    def _go_back(self) -> None:
        self.place_chosen.emit(self._place - 1)

    def _go_forward(self) -> None:
        self.place_chosen.emit(self._place + 1)

    def _go_to(self, place: object) -> None:
        if isinstance(place, int):
            self.place_chosen.emit(place)


def _blocks(behind: tuple[NumberRef, ...], current: NumberRef, state: State) -> tuple[Block, ...]:
    first = max(0, len(behind) - _MOST_CRUMBS)
    words = [Word("…", first - 1, "muted"), Word(" › ", colour="muted")] if first else []
    for place in range(first, len(behind)):
        words += [Word(_label(behind[place], state), place), Word(" › ", colour="muted")]
    return (Block((*words, Word(_label(current, state), colour="muted"))),)


def _label(ref: NumberRef, state: State) -> str:
    return KINDS[ref.kind].label_in(state)


def _button(sign: str, name: str, tip: str, parent: QWidget) -> QToolButton:
    button = QToolButton(parent)
    button.setText(sign)
    button.setAccessibleName(name)
    button.setToolTip(tip)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button
