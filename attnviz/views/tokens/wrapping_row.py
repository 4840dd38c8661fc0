"""A row of widgets that stand one over the other where there is no room for them side by side."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QWidget

_SPACING = 4


class WrappingRow(QWidget):
    """Widgets side by side, or one over the other where the row is too narrow for that.

    So a panel stays narrow even with large fonts or long translations. Where a button has a short text, they stay in
    one line and take their short texts instead.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._widgets: list[QWidget] = []
        self._texts: list[tuple[str, str]] = []  # of a button the usual one and the short one
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._line.setSpacing(_SPACING)
        self._line.addStretch()

    def add(self, widget: QWidget, short: str = "") -> None:
        """Put a widget at the end; a button may have a shorter text for where the row is too narrow for all of them."""
        self._widgets.append(widget)
        text = widget.text() if isinstance(widget, QAbstractButton) else ""
        self._texts.append((text, short or text))
        self._line.insertWidget(len(self._widgets) - 1, widget, 0, Qt.AlignmentFlag.AlignLeft)

    def minimumSizeHint(self) -> QSize:
        """Ask for the width of the widest button alone; with short texts, for that of one line of them."""
        widths = [min(widths) for widths in self._widths()]
        if not widths or not self._has_short_texts:
            return QSize(max(widths, default=0), super().minimumSizeHint().height())
        height = max(widget.sizeHint().height() for widget in self._widgets)
        return QSize(sum(widths) + (len(widths) - 1) * _SPACING, height)

    def event(self, event: QEvent) -> bool:
        """Choose anew when a widget asks for another size."""
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():  # before, it has no width to go by
            self._arrange()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Choose with the width it has; before it is shown it has none of its own."""
        super().showEvent(event)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Choose the direction in which they fit."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Put them side by side, with short texts if need be, or else one over the other."""
        usual, short = (sum(width + _SPACING for width in way) - _SPACING for way in zip(*self._widths(), strict=True))
        is_short = self.width() < usual and self._has_short_texts
        for widget, texts in zip(self._widgets, self._texts, strict=True):
            if isinstance(widget, QAbstractButton) and widget.text() != texts[is_short]:
                widget.setText(texts[is_short])
        ways = QBoxLayout.Direction
        is_stacked = short > self.width() and not self._has_short_texts
        self._line.setDirection(ways.TopToBottom if is_stacked else ways.LeftToRight)

    @property
    def _has_short_texts(self) -> bool:
        return any(usual != short for usual, short in self._texts)

    def _widths(self) -> list[tuple[int, int]]:
        """Give the width of each with its usual and with its short text."""
        found = []
        for widget, (usual, short) in zip(self._widgets, self._texts, strict=True):
            metrics = widget.fontMetrics()
            shown = widget.text() if isinstance(widget, QAbstractButton) else ""
            around = widget.sizeHint().width() - metrics.horizontalAdvance(_plain(shown))
            found.append(
                (around + metrics.horizontalAdvance(_plain(usual)), around + metrics.horizontalAdvance(_plain(short)))
            )
        return found


def _plain(text: str) -> str:
    return text.replace("&", "")
