"""What stands in the place of a card of the derivation, and where its tooltip goes."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QLabel, QToolTip, QWidget

_BESIDE = 4
_STYLED = 16  # what a style sheet may add to a tooltip's height
_BELOW_MOUSE = 16  # how far under the given place Qt puts a tooltip


class Card(QWidget):
    """The place of a card: it paints nothing, but takes the focus and speaks to screen readers.

    Signals
    -------
    entered : int
        The card of this number has the focus.
    left : (nothing)
        It has lost it.
    """

    entered = Signal(int)
    left = Signal()

    def __init__(self, index: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._index = index
        self.setUpdatesEnabled(False)  # the strip paints it: in a drag, to paint nothing six times a frame adds up
        self.setMouseTracking(True)  # the strip below is told where the mouse is
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell that it has the focus."""
        super().focusInEvent(event)
        self.entered.emit(self._index)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell that it has lost it."""
        super().focusOutEvent(event)
        self.left.emit()


def tooltip_place(area: QRect, text: str, widget: QWidget) -> QPoint:
    """Choose where a tooltip goes so that it covers nothing of ``area``: below it, or above where the screen ends.

    Parameters
    ----------
    area : QRect
        What stays in sight, in coordinates of the screen.
    text : str
        Rich text.
    widget : QWidget
        Whose screen it is.

    Returns
    -------
    QPoint
        What :meth:`QToolTip.showText` is to be given; the tooltip stands below that place, as if a mouse were there.
    """
    probe = QLabel(text)
    probe.setFont(QToolTip.font())
    probe.setWordWrap(True)
    height = probe.sizeHint().height() + 4 * _BESIDE + _STYLED
    screen = widget.screen().geometry()
    below = area.bottom() + _BESIDE
    top = below if below + height <= screen.bottom() else area.top() - height
    return QPoint(area.left(), top - _BELOW_MOUSE)
