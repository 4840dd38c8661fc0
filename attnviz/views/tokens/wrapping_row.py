"""A row of buttons that stand one over the other where there is no room for them side by side."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QWidget

_SPACING = 4


class WrappingRow(QWidget):
    """Buttons side by side, or one over the other where the row is too narrow for that.

    So a panel stays narrow even with large fonts or long translations.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._widgets: list[QAbstractButton] = []
        self._texts: list[tuple[str, str]] = []  # the usual one and the short one
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(_SPACING)
        self._line.addStretch()

    def add(self, widget: QAbstractButton, short: str = "") -> None:
        """Put a button at the end, with a shorter text where the row is too narrow for all of them."""
        self._widgets.append(widget)
        self._texts.append((widget.text(), short or widget.text()))
        self._line.insertWidget(len(self._widgets) - 1, widget, 0, Qt.AlignmentFlag.AlignLeft)

    def minimumSizeHint(self) -> QSize:
        """Ask for the width of the widest widget alone."""
        widest = max((min(widths) for widths in self._widths()), default=0)
        return QSize(widest, super().minimumSizeHint().height())

    def event(self, event: QEvent) -> bool:
        """Choose anew when a widget asks for another size."""
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():  # before, it has no width to go by
            self._arrange()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Choose the direction in which they fit."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Put them side by side, with short texts if need be, or else one over the other."""
        usual, short = (sum(width + _SPACING for width in way) - _SPACING for way in zip(*self._widths(), strict=True))
        is_short = short <= self.width() < usual
        for widget, texts in zip(self._widgets, self._texts, strict=True):
            if widget.text() != texts[is_short]:
                widget.setText(texts[is_short])
        ways = QBoxLayout.Direction
        self._line.setDirection(ways.LeftToRight if short <= self.width() else ways.TopToBottom)

    def _widths(self) -> list[tuple[int, int]]:
        """Give the width of each with its usual and with its short text."""
        found = []
        for widget, (usual, short) in zip(self._widgets, self._texts, strict=True):
            metrics = widget.fontMetrics()
            around = widget.sizeHint().width() - metrics.horizontalAdvance(_plain(widget.text()))
            found.append(
                (around + metrics.horizontalAdvance(_plain(usual)), around + metrics.horizontalAdvance(_plain(short)))
            )
        return found


def _plain(text: str) -> str:
    return text.replace("&", "")
