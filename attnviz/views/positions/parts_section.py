"""The four parts of the chosen score under vectors that are added."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from attnviz.appearance import Theme
from attnviz.document.encoding_tables import ADDITIVE
from attnviz.document.errors import DocumentError
from attnviz.document.frame import Frame
from attnviz.document.position_parts import parts_of
from attnviz.views.matrix.lettering import shown_token
from attnviz.views.positions.parts_bar import PartsBar
from attnviz.views.positions.section import Section
from attnviz.views.selection import Chosen

_PINNED = "A pinned number takes part in the score, which the parts leave out."


class PartsSection(Section):
    """The bar of the parts, named after the score."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Parts of the score", parent=parent)
        self.bar = PartsBar(self)
        self.add(self.bar)

    def show_chosen(self, frame: Frame, chosen: Chosen) -> None:
        """Show the parts of what is chosen in a frame."""
        self.setVisible(frame.state.positions in ADDITIVE)
        if frame.state.positions not in ADDITIVE:
            return
        query, key = min(chosen.shown_query, frame.n_query - 1), min(chosen.shown_key, frame.n_key - 1)
        names = f"{shown_token(frame.query_tokens[query])} → {shown_token(frame.key_tokens[key])}"
        self.title.setText(f"Parts of the score {names}")
        try:
            parts = parts_of(frame, query, key)
        except DocumentError as error:
            self.bar.hide()
            self.say(str(error))
            return
        self.bar.show()
        self.bar.show_parts(parts, names)
        has_bias = frame.state.b_q is not None or frame.state.b_k is not None
        notes = ["Biases b_Q and b_K belong to the content."] if has_bias else []
        self.say(" ".join([*notes, _PINNED] if parts.is_pinned else notes))

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.bar.apply_theme(theme)
