"""A check box that looks like a switch: its text on one side, a pill with a knob on the other."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QWidget

from attnviz.appearance import LIGHT, Theme

_GAP = 8
_RIM = 3


class ToggleSwitch(QCheckBox):
    """A switch; to keyboard and screen reader it is a check box.

    Parameters
    ----------
    label : str
        What is on or off.
    """

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(label.replace("&", "&&"), parent)
        self._label = label
        self._theme = LIGHT

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        """Give room for text and pill."""
        text = self.fontMetrics().size(Qt.TextFlag.TextSingleLine, self._label)
        pill = self._pill_size()
        return QSize(text.width() + _GAP + pill.width() + 2 * _RIM, max(text.height(), pill.height()) + 2 * _RIM)

    def minimumSizeHint(self) -> QSize:
        """Give the same: the text is not cut."""
        return self.sizeHint()

    def hitButton(self, position: QPoint) -> bool:
        """Take a press anywhere."""
        return self.rect().contains(position)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, the pill and the knob."""
        del event
        theme, is_on = self._theme, self.isChecked()
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            size = self._pill_size()
            top = (self.height() - size.height()) / 2
            is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            pill = QRectF(_RIM if is_mirrored else self.width() - size.width() - _RIM, top, size.width(), size.height())
            painter.setPen(QColor(theme.text if self.isEnabled() else theme.muted))
            beside = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading
            painter.drawText(self.rect(), beside, self._label)
            painter.setPen(QPen(QColor(theme.accent if is_on else theme.muted), 1.5))
            painter.setBrush(QColor(theme.accent if is_on else theme.inset))
            round_end = size.height() / 2
            painter.drawRoundedRect(pill, round_end, round_end)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.on_accent if is_on else theme.muted))
            is_right = is_on != is_mirrored
            knob = QPointF(pill.right() - round_end if is_right else pill.left() + round_end, pill.center().y())
            painter.drawEllipse(knob, round_end - 4, round_end - 4)
            if self.hasFocus():
                painter.setPen(QPen(QColor(theme.accent), 1.5))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(pill.adjusted(-2.5, -2.5, 2.5, 2.5), round_end + 2.5, round_end + 2.5)

    def _pill_size(self) -> QSize:
        height = max(16, round(1.1 * self.fontMetrics().height()))
        return QSize(round(1.8 * height), height)
