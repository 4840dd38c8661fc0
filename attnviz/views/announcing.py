"""What a screen reader is told without being asked: where the cursor went, and what became of the cell under it.

An announcement waits a moment, so that a held key or a drag is told once, with what there is at its end. The text is
made only then.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6 import QtGui
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

MOVE_DELAY_MS = 60
CHANGE_DELAY_MS = 400


class Announcer(QObject):
    """Tells screen readers about one widget, which is its parent.

    Parameters
    ----------
    widget : QWidget
        What the announcements are about; nothing is announced while it is hidden.
    sentence : callable
        Gives what is to be said; an empty text is not.
    is_description : bool
        Whether the sentence is the widget's accessible description too.

    Signals
    -------
    announced : str
        What was just said.
    """

    announced = Signal(str)

    def __init__(self, widget: QWidget, sentence: Callable[[], str], *, is_description: bool = True) -> None:
        super().__init__(widget)
        self._widget, self._sentence, self._is_description = widget, sentence, is_description
        self._said = ""
        self._is_move = False
        self._waiting = QTimer(self, singleShot=True)
        self._waiting.timeout.connect(self._say)

    def tell_moved(self) -> None:
        """Announce the sentence soon: the user went somewhere."""
        self.describe()
        self._is_move = True
        self._waiting.start(MOVE_DELAY_MS)

    def tell_changed(self) -> None:
        """Announce the sentence, if it is another one, as soon as what it tells of stops changing."""
        if not (self._is_move and self._waiting.isActive()):
            self._is_move = False
            self._waiting.start(CHANGE_DELAY_MS)

    def describe(self) -> None:
        """Make the sentence the widget's description, without announcing it."""
        if self._is_description:
            self._widget.setAccessibleDescription(self._sentence())

    @property
    def is_waiting(self) -> bool:
        """Whether something is still to be said."""
        return self._waiting.isActive()

    def _say(self) -> None:
        if not self._widget.isVisible():
            return
        text = self._sentence()
        if self._is_description:
            self._widget.setAccessibleDescription(text)
        if not text or (text == self._said and not self._is_move):
            return
        self._said = text
        accessible = QtGui.QAccessible  # made by PySide when first asked for, which takes long: not by a start
        politeness = accessible.AnnouncementPoliteness
        event = QtGui.QAccessibleAnnouncementEvent(self._widget, text)
        event.setPoliteness(politeness.Assertive if self._is_move else politeness.Polite)
        accessible.updateAccessibility(event)
        self.announced.emit(text)
