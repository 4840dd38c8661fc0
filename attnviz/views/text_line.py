"""One line of plain text that changes often: painted without a layout, so that a new text costs no relayout.

A QLabel asks for a new layout of the whole window at every new text; in a window of docks that costs more than
painting everything in it.
"""

from __future__ import annotations

from functools import cached_property

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviz.views.fonts import monospaced


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
        self._flags = int(alignment | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
        self._role, self._margin = role, margin
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
            self.update()

    def use_role(self, role: QPalette.ColorRole) -> None:
        """Draw in another colour of the palette."""
        if role != self._role:
            self._role = role
            self.update()

    def sizeHint(self) -> QSize:
        """One line high, as wide as the template."""
        metrics = self._drawn[1]
        width = max(40, metrics.horizontalAdvance(self._template) + 2 * self._margin + 4)
        return QSize(width, metrics.height() + 4)

    def minimumSizeHint(self) -> QSize:
        """One line high, and as narrow as need be unless there is a template."""
        hint = self.sizeHint()
        return hint if self._template else QSize(16, hint.height())

    def changeEvent(self, event: QEvent) -> None:
        """Forget the font when it changes."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.__dict__.pop("_drawn", None)
            self.updateGeometry()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the text, elided where it does not fit."""
        font, metrics = self._drawn
        with QPainter(self) as painter:  # ended in any case: Qt crashes on one that is left active
            painter.setFont(font)
            painter.setPen(self.palette().color(self._role))
            area = self.rect().adjusted(self._margin, 0, -self._margin, 0)
            text = self._text
            if metrics.horizontalAdvance(text) > area.width():
                text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(area, self._flags, text)

    @cached_property
    def _drawn(self) -> tuple[QFont, QFontMetrics]:
        font = QFont(self.font())
        if self._is_monospaced:
            font.setFamilies(monospaced().families())
        font.setBold(self._is_bold)
        return font, QFontMetrics(font)
