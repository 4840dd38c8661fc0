"""The strip of padding switches, as high as its chips need up to some lines, and scrolled beyond."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from attnviz.views.mask.padding_strip import PaddingStrip

_MOST_LINES = 5.6  # half a line tells that there is more


class ScrolledStrip(QScrollArea):
    """Scrolls a strip up and down, and follows its keyboard.

    Parameters
    ----------
    strip : PaddingStrip
        The switches.
    """

    def __init__(self, strip: PaddingStrip, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._strip = strip
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(strip)
        for transparent in (self.viewport(), strip):
            transparent.setAutoFillBackground(False)
        strip.cursor_moved.connect(self._keep_in_view)
        strip.wrapped.connect(self._fit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the height of the chips at the new width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        most = round(_MOST_LINES * self._strip.minimumSizeHint().height())
        height = min(self._strip.heightForWidth(self.viewport().width()), most)
        if height != self.height():
            self.setFixedHeight(height)

    def _keep_in_view(self, place: QPoint) -> None:
        self.ensureVisible(place.x(), place.y(), 8, 24)
