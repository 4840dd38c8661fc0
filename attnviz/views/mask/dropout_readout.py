"""Dropout seen: another roll of the dice, what the shown row adds up to now, and what it does on average."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from attnviz.document.frame import Frame
from attnviz.document.rolls import MANY, sums_of_rolls
from attnviz.document.tokens import isolated, shortened, told_apart
from attnviz.views.numbers import number_text
from attnviz.views.text_line import TextLine

_LONGEST_NAME = 12


class DropoutReadout(QWidget):
    """A button for the next seed, and two lines: the row sum now, and the mean over many rolls.

    Signals
    -------
    reroll_requested : (nothing)
        The next seed is wanted.
    """

    reroll_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.button = QPushButton("&Re-roll")
        self.button.setToolTip("Drop other weights: the next seed")
        self.button.setAccessibleDescription("Takes the next seed of dropout")
        self.now = TextLine()
        self.mean = TextLine(role=QPalette.ColorRole.PlaceholderText)
        for line, name in ((self.now, "Row sum now"), (self.mean, "Mean row sum")):
            line.setAccessibleName(name)
        line_of_both = QHBoxLayout()
        line_of_both.setSpacing(8)
        line_of_both.addWidget(self.button)
        line_of_both.addWidget(self.now, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(line_of_both)
        column.addWidget(self.mean)
        self.button.clicked.connect(self.reroll_requested)

    def show_row(self, frame: Frame, query: int) -> None:
        """Show the sums of a row of a frame with dropout."""
        query = min(query, frame.n_query - 1)
        name = isolated(shortened(told_apart(frame.query_tokens)[query], _LONGEST_NAME))
        undropped = float(frame.row(query).undropped[0].sum())
        now = float(frame.row(query).weights[0].sum())
        mean = float(sums_of_rolls(frame, query).mean())
        self._say(self.now, f"Σ {name} = {number_text(now)} with seed {frame.state.dropout_seed}")
        self._say(self.mean, f"mean of {MANY} rolls {number_text(mean)}, without dropout {number_text(undropped)}")

    def _say(self, line: TextLine, text: str) -> None:
        line.show_text(text)
        line.setToolTip(text)
        line.setAccessibleDescription(text)
