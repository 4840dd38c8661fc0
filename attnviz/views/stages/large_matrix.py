"""One matrix of the strip, large: a line that names it, a button that closes it, and the matrix with its numbers."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from attnviz.appearance import Theme
from attnviz.views.matrix.lettering import PaintedText
from attnviz.views.matrix.picture import Highlight
from attnviz.views.matrix.view import MatrixView
from attnviz.views.stages.shown import Shown
from attnviz.views.text_line import TextLine


class LargeMatrix(QWidget):
    """Shows one matrix.

    Signals
    -------
    closed : (nothing)
        The user wants to close it.
    """

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading = TextLine(is_bold=True, margin=4)
        self.close_button = QToolButton(self)
        self.close_button.setObjectName("title_button")
        self.close_button.setText("✕")
        self.close_button.setToolTip("Close it (Esc)")
        self.close_button.setAccessibleName("Close the large matrix")
        self.close_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.close_button.setAutoRaise(True)
        self.close_button.clicked.connect(self.closed)
        self.matrix = MatrixView(self)
        self.setFocusProxy(self.matrix)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.heading, 1)
        line.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 0, 8, 0)
        layout.setSpacing(0)
        layout.addLayout(line)
        layout.addWidget(self.matrix, 1)

    def show_matrix(self, shown: Shown) -> None:
        """Draw a matrix from now on."""
        self.heading.show_text(shown.heading)
        self.matrix.setAccessibleName(shown.spoken)
        self.matrix.show_picture(shown.picture)

    def show_highlight(self, highlight: Highlight) -> None:
        """Light up what is pointed at and pinned."""
        self.matrix.show_highlight(highlight)

    def painted_texts(self) -> list[PaintedText]:
        """List every text with its rectangle in this widget's coordinates."""
        corner = QPointF(self.matrix.pos())
        found = [(text, box.translated(corner)) for text, box in self.matrix.painted_texts()]
        return [(self.heading.text, QRectF(self.heading.geometry())), *found]

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.matrix.apply_theme(theme)
