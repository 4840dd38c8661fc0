"""Score, scaled score and weight of one cell, one below the other, as they stand beside a small matrix."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviz.document.frame import Frame
from attnviz.document.number_ref import NumberRef
from attnviz.document.tokens import shortened
from attnviz.views.linked_number import NumberLine
from attnviz.views.numbers import number_text
from attnviz.views.pinning import pin_words
from attnviz.views.selection import Chosen
from attnviz.views.text_line import TextLine

READOUT_KINDS = ("score", "scaled", "weight")
_PIN_SIGNS = {"": " ", "pinned": "◥", "follows from a pinned number": "↳"}  # as the matrices mark them
_LONGEST_NAME = 10


class CellReadout(QWidget):
    """The numbers of the cell that is pointed at or chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = TextLine(is_bold=True, margin=3)  # in line with the numbers
        self.numbers = [NumberLine(template="weight  0.0e+00") for _ in READOUT_KINDS]
        self.lines = [title, *self.numbers]
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 8, 0, 0)
        layout.setSpacing(4)
        for line in self.lines:
            layout.addWidget(line)

    def show_cell(self, frame: Frame, chosen: Chosen) -> tuple[int, int]:
        """Show the numbers of the shown cell, and say which it is."""
        query, key = min(chosen.shown_query, frame.n_query - 1), min(chosen.shown_key, frame.n_key - 1)
        row = frame.row(query)
        texts = (
            " → ".join(shortened(name, _LONGEST_NAME) for name in (frame.query_tokens[query], frame.key_tokens[key])),
            *(
                f"{name} {_PIN_SIGNS[pin_words(frame, NumberRef(kind, (query, key)))]}{number_text(numbers[0, key])}"
                for name, kind, numbers in (
                    ("q·k   ", "score", row.scores),
                    ("scaled", "scaled", row.scaled),
                    ("weight", "weight", row.weights),
                )
            ),
        )
        for line, text in zip(self.lines, texts, strict=True):
            line.show_text(text)
        return query, key
