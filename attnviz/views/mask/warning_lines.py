"""Warnings at the foot of a panel: two lines at most, whatever there is to say; the whole is in the tooltip."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from attnviz.views.hints import plain_tooltip

_BESIDE, _AROUND = 16, 4


class WarningLines(QLabel):
    """Sentences in the colour of warnings, as high as two lines; hidden while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sentences: tuple[str, ...] = ()
        self.setObjectName("warning")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.setContentsMargins(_BESIDE, _AROUND, _BESIDE, _AROUND)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Warnings")
        self.hide()

    def show_sentences(self, sentences: tuple[str, ...]) -> None:
        """Show other sentences."""
        if sentences == self.sentences:
            return
        self.sentences = sentences
        whole = "\n".join(sentences)
        self.setToolTip(plain_tooltip(whole) if whole else "")
        self.setAccessibleDescription(whole)
        self.setVisible(bool(sentences))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take as many words as the new width has room for."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Take the height of two lines in another font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        height = 2 * (self.fontMetrics().lineSpacing() + _AROUND)
        if height != self.minimumHeight():
            self.setFixedHeight(height)
        text = "\n".join(self._lines(self.contentsRect().width()))
        if text != self.text():
            self.setText(text)

    def _lines(self, width: int) -> list[str]:
        """Break a single sentence in two lines; several have the lines among them, each elided at its end."""
        first, rest = self.sentences[:1], self.sentences[1:]
        lines = [*first, *([" ".join(rest)] if rest else [])]
        if len(lines) == 1:
            at = self._end_of_line(lines[0], width)
            lines = [part for part in (lines[0][:at].rstrip(), lines[0][at:]) if part]
        return [self.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, width) for line in lines]

    def _end_of_line(self, text: str, width: int) -> int:
        """Give where the first line of a text ends that is wrapped between words."""
        layout = QTextLayout(text, self.font())
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(max(1, width))
        layout.endLayout()
        return line.textLength()
