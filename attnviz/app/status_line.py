"""The status bar: what is pointed at, in its place for a while what was done or refused, and the facts of the frame."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QStatusBar

from attnviz.document.frame import Frame
from attnviz.document.measures import MEASURES
from attnviz.document.number_ref import NumberRef
from attnviz.document.provenance import count_in_force
from attnviz.document.state import State
from attnviz.session import Session
from attnviz.views.cell_sentences import sentence
from attnviz.views.selection import Chosen, Selection
from attnviz.views.text_line import TextLine

_MESSAGE_MS = 8000
_SAID_WITH_THEIR_CELL = ("score", "scaled", "masked", "weight", "x", "context", *MEASURES)


class StatusLine(QObject):
    """Fills the status bar of a window with lines of text.

    Parameters
    ----------
    bar : QStatusBar
        Where they stand.
    session : Session
        The open document.
    selection : Selection
        What is chosen and pointed at.
    describe : callable
        Says which number it is and how large.
    parent : QObject
        Owns it.
    """

    def __init__(
        self,
        bar: QStatusBar,
        session: Session,
        selection: Selection,
        describe: Callable[[NumberRef], str],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bar, self._session, self._selection, self._describe = bar, session, selection, describe
        self._message_state: State | None = None
        self.sentence = _line(Qt.AlignmentFlag.AlignLeft, QPalette.ColorRole.PlaceholderText)
        self.message = _line(Qt.AlignmentFlag.AlignLeft, QPalette.ColorRole.BrightText)
        self.facts = _line(Qt.AlignmentFlag.AlignRight, QPalette.ColorRole.PlaceholderText)
        self.message.hide()
        self._message_timer = QTimer(self, singleShot=True, interval=_MESSAGE_MS)
        self._message_timer.timeout.connect(self._end_message)
        bar.setSizeGripEnabled(False)
        bar.addWidget(self.sentence, 3)
        bar.addWidget(self.message, 3)
        bar.addPermanentWidget(self.facts, 2)

    def show_frame(self, frame: Frame) -> None:
        """Follow the document: a message about an earlier state of it ends."""
        if self.message.text and frame.state is not self._message_state:
            self._end_message()
        self.facts.show_text(_facts(frame, self._session.compute_ms))
        self.show_chosen(self._selection.chosen)

    def show_chosen(self, chosen: Chosen) -> None:
        """Say what is chosen or pointed at."""
        ref = chosen.pointed_number
        said = "" if ref is None or ref.kind in _SAID_WITH_THEIR_CELL else self._describe(ref)
        self.sentence.show_text(said or sentence(self._session.frame, chosen))

    def tell(self, message: str) -> None:
        """Show why something was refused, for a while or until the document changes."""
        self._show_message(message, QPalette.ColorRole.BrightText)

    def announce(self, message: str) -> None:
        """Show what was done, for a while or until the document changes."""
        self._show_message(message, QPalette.ColorRole.WindowText)

    def _show_message(self, message: str, role: QPalette.ColorRole) -> None:
        self._bar.clearMessage()  # an action's tip must not stand over it
        self._message_state = self._session.state
        self.message.use_role(role)
        self.message.show_text(message)
        self.message.setVisible(bool(message))
        self.sentence.setVisible(not message)
        if message:
            self._message_timer.start()

    def _end_message(self) -> None:
        self.tell("")


def _line(alignment: Qt.AlignmentFlag, role: QPalette.ColorRole) -> TextLine:
    return TextLine(alignment, role, ground=QPalette.ColorRole.Window, margin=8)


def _facts(frame: Frame, compute_ms: float) -> str:
    state = frame.state
    n = str(frame.n_query) if state.context is None else f"{frame.n_query} × {frame.n_key}"
    heads = f"   head {frame.head + 1} of {frame.n_heads}" if frame.n_heads > 1 else ""
    sizes = f"n = {n}   d = {state.width}   d_k = {state.d_k}{heads}"
    in_force = count_in_force(state)
    waiting = len(state.interventions) - in_force
    pins = f"   {in_force:,} pinned" * bool(in_force) + f"   {waiting:,} waiting" * bool(waiting)
    return f"{sizes}   T = {state.temperature:g}   mask {state.mask}{pins}   {compute_ms:.1f} ms"
