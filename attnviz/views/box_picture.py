"""The look of a line edit without the cursor in it: its style is asked once, not in every frame of a drag."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontInfo, QFontMetricsF, QPainter, QPalette, QPen, QPixmap
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionFrame

_TEXT_MARGIN = 4  # pixels that QLineEdit leaves at the right of its text: a margin, and room for the cursor
_ORIGIN = QPoint(0, 0)


class BoxPicture:
    """A picture of an empty box, and where a text at its right end stands.

    A style sheet makes a line edit ten times as dear to paint as its text is.

    Parameters
    ----------
    box : QLineEdit
        The box; its text is aligned to the right.
    """

    def __init__(self, box: QLineEdit) -> None:
        self._box = box
        self._picture: QPixmap | None = None
        self._pen = QPen()
        self._inner = QRect()
        self._is_fixed = False
        self._advance = 0.0
        self._right = 0
        self._baseline = 0

    def forget(self) -> None:
        """Draw the picture anew at the next paint: size, style, font, colours or state have changed."""
        self._picture = None

    def paint(self, text: str) -> bool:
        """Paint box and text and tell so; not if the characters are not all equally wide, which is Qt's to place."""
        box = self._box
        picture = self._picture
        if picture is None or picture.devicePixelRatio() != box.devicePixelRatio():
            picture = self._drawn()
        if not self._is_fixed or not text.isascii():
            return False
        width = round(self._advance * len(text))
        painter = QPainter(box)
        painter.drawPixmap(_ORIGIN, picture)
        painter.setPen(self._pen)
        left = self._right - width
        if left <= self._inner.left():  # too long: QLineEdit shows its end, without room for the cursor
            painter.setClipRect(self._inner)
            left += 1
        painter.drawText(left, self._baseline, text)
        painter.end()
        return True

    def _drawn(self) -> QPixmap:
        """Draw the picture, and find where a line edit sets its text."""
        box, ratio = self._box, self._box.devicePixelRatio()
        option = QStyleOptionFrame()
        box.initStyleOption(option)
        picture = QPixmap(box.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        box.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, box)
        painter.end()
        inner: QRect = box.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, box)
        metrics = box.fontMetrics()
        self._picture, self._inner = picture, inner
        self._pen = QPen(box.palette().color(QPalette.ColorRole.Text))
        self._is_fixed = QFontInfo(box.font()).fixedPitch()
        self._advance = QFontMetricsF(box.font()).horizontalAdvance("0")
        self._right = inner.right() + 1 - _TEXT_MARGIN
        self._baseline = inner.top() + (inner.height() - metrics.height() + 1) // 2 + metrics.ascent()
        return picture
