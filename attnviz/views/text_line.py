"""One line of plain text that changes often: painted without a layout, so that a new text costs no relayout.

A QLabel asks for a new layout of the whole window at every new text; in a window of docks that costs more than
painting everything in it.
"""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontDatabase, QFontMetrics, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QWidget


class TextLine(QWidget):
    """One line of plain text that elides where it does not fit.

    Parameters
    ----------
    alignment : Qt.AlignmentFlag
        Where the text stands.
    role : QPalette.ColorRole
        The palette's colour it is drawn in.
    is_bold, is_monospaced : bool
        How it differs from the widget's font.
    ground : QPalette.ColorRole
        The palette's colour it stands on.
    template : str
        A text as long as it is likely to get; the line asks for that much room.
    margin : int
        Free pixels at both ends.
    """

    def __init__(
        self,
        alignment: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
        role: QPalette.ColorRole = QPalette.ColorRole.WindowText,
        *,
        is_bold: bool = False,
        is_monospaced: bool = False,
        ground: QPalette.ColorRole = QPalette.ColorRole.Base,
        template: str = "",
        margin: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._text = ""
        self._alignment, self._role, self._margin = alignment, role, margin
        self._is_bold, self._is_monospaced, self._template = is_bold, is_monospaced, template
        self.setBackgroundRole(ground)
        self.setAutoFillBackground(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def text(self) -> str:
        """The text that is shown."""
        return self._text

    def show_text(self, text: str) -> None:
        """Show another text."""
        if text != self._text:
            self._text = text
            self.setAccessibleName(text)
            self.update()

    def sizeHint(self) -> QSize:
        """One line high, as wide as the template."""
        metrics = QFontMetrics(self._font_drawn())
        width = max(40, metrics.horizontalAdvance(self._template) + 2 * self._margin + 4)
        return QSize(width, metrics.height() + 4)

    def minimumSizeHint(self) -> QSize:
        """One line high, and as narrow as need be unless there is a template."""
        hint = self.sizeHint()
        return hint if self._template else QSize(16, hint.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the text, elided where it does not fit."""
        painter = QPainter(self)
        painter.setFont(self._font_drawn())
        painter.setPen(self.palette().color(self._role))
        area = self.rect().adjusted(self._margin, 0, -self._margin, 0)
        text = painter.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, int(self._alignment | Qt.AlignmentFlag.AlignVCenter), text)

    def _font_drawn(self) -> QFont:
        font = QFont(self.font())
        if self._is_monospaced:
            font.setFamilies([QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()])
        font.setBold(self._is_bold)
        return font
