"""Vectors before and after the positions: what is added to a token, or how a query and a key turn."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from attnviz.appearance import Theme
from attnviz.document.arrays import FloatArray
from attnviz.document.encoding_tables import ADDITIVE, BIASING, angles, before_and_after, pairs
from attnviz.document.frame import Frame
from attnviz.document.positions import key_positions, query_positions
from attnviz.document.state import Side
from attnviz.views.matrix.lettering import shown_token
from attnviz.views.matrix.view import MatrixView
from attnviz.views.positions.encoding_section import token_of
from attnviz.views.positions.pictures import picture_of_vectors
from attnviz.views.positions.section import Section, SideScroll
from attnviz.views.positions.turn_dials import Turn, TurnDials
from attnviz.views.positions.wording import bias_text
from attnviz.views.selection import Chosen

_MOST_WIDE = 64  # channels for which each column has room for its number; beyond them columns become narrower
_CHARACTERS = 5
_BESIDE = 120  # pixels of the legend and of gaps
_TURNED = "Thin: before the turn. Thick: after it, in the plane of one pair of channels."
_PINNED = "Pinned entries of q and k come after the turn, and are left out here."


class VectorsSection(Section):
    """What positions do to the vectors of what is chosen.

    Signals
    -------
    pair_chosen : int
        This pair of channels is to be shown.
    """

    pair_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        self.pair_list = QComboBox()
        super().__init__("Before and after", self.pair_list, parent)
        self.pair_list.setAccessibleName("Pair of channels")
        self.pair_list.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.pair_list.setToolTip("The pair of channels in whose plane the arrows are drawn")
        self.pair_list.activated.connect(self.pair_chosen)
        self.dials = TurnDials(self)
        self.dials.pair_stepped.connect(self._step)
        self.matrix = MatrixView()
        self.matrix.setAccessibleName("Vectors before and after")
        self.matrix.cell_tip = "An entry of the vector in this row"
        self._scroll = SideScroll(self.matrix, self)
        self.add(self.dials)
        self.add(self._scroll)
        self._pairs: tuple[tuple[int, int], ...] = ()
        self._pair = 0

    def show_chosen(self, frame: Frame, side: Side, chosen: Chosen, pair: int) -> None:
        """Show the vectors of what is chosen in a frame; emits nothing."""
        positions = frame.state.positions
        is_turned = positions == "rotary"
        self.setVisible(positions != "none")
        self.pair_list.setVisible(is_turned)
        self.dials.setVisible(is_turned)
        self._scroll.setVisible(is_turned or positions in ADDITIVE)
        if is_turned:
            self._show_turned(frame, chosen, pair)
        elif positions in ADDITIVE:
            self._show_added(frame, side, chosen)
        elif positions in BIASING:
            self.say(bias_text(frame, *_cell(frame, chosen)))

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self.matrix.apply_theme(theme)
        self.dials.apply_theme(theme)

    def _show_added(self, frame: Frame, side: Side, chosen: Chosen) -> None:
        sequence = frame.state.side(side)
        token = min(token_of(chosen, side), len(sequence) - 1)
        effect = frame.layer.effect
        added = effect.added if side == "sequence" else effect.context_added
        assert added is not None, "an additive encoding adds something"
        before = sequence.embeddings[token]
        self._show_rows(("x", "p", "x + p"), np.stack([before, added[token], before + added[token]]))
        lengths = [float(np.linalg.norm(row)) for row in (before, added[token])]
        self.say(f"{shown_token(sequence.tokens[token])}: length of x {lengths[0]:.3g}, of p {lengths[1]:.3g}")

    def _show_turned(self, frame: Frame, chosen: Chosen, pair: int) -> None:
        state = frame.state
        query, key = _cell(frame, chosen)
        q, k = before_and_after(frame, query, key)
        self._show_pairs(pairs(state), pair)
        first, second = self._pairs[self._pair]
        places = query_positions(state)[query], key_positions(state)[key]
        turned = angles(state)[query], angles(state, "sequence" if state.context is None else "context")[key]
        self.dials.show_turns(
            *[
                Turn(
                    symbol,
                    tokens[at],
                    (float(rows[0, first]), float(rows[0, second])),
                    (float(rows[1, first]), float(rows[1, second])),
                    float(place),
                    float(by[self._pair]),
                )
                for symbol, tokens, at, rows, place, by in (
                    ("q", frame.query_tokens, query, q, places[0], turned[0]),
                    ("k", frame.key_tokens, key, k, places[1], turned[1]),
                )
            ]
        )
        self._show_rows(("q before", "q after", "k before", "k after"), np.concatenate([q, k]))
        pinned = any(one.kind in ("q", "k") for one in frame.pins)
        self.say(f"{_TURNED} {_PINNED}" if pinned else _TURNED)

    def _show_pairs(self, found: tuple[tuple[int, int], ...], pair: int) -> None:
        self._pair = min(pair, len(found) - 1)
        if found != self._pairs:
            self._pairs = found
            self.pair_list.clear()
            self.pair_list.addItems([f"channels {first + 1} and {second + 1}" for first, second in found])
        if self.pair_list.currentIndex() != self._pair:
            self.pair_list.setCurrentIndex(self._pair)

    def _show_rows(self, names: tuple[str, ...], rows: FloatArray) -> None:
        self.matrix.show_picture(picture_of_vectors(names, rows))
        metrics = self.fontMetrics()
        wide = min(rows.shape[1], _MOST_WIDE) * _CHARACTERS * metrics.horizontalAdvance("0")
        labels = max(metrics.horizontalAdvance(name) for name in names) + _BESIDE
        self.matrix.setMinimumSize(wide + labels, round((len(names) * 1.7 + 3.2) * metrics.height()))

    def _step(self, count: int) -> None:
        if self._pairs:
            self.pair_chosen.emit(min(max(0, self._pair + count), len(self._pairs) - 1))


def _cell(frame: Frame, chosen: Chosen) -> tuple[int, int]:
    return min(chosen.shown_query, frame.n_query - 1), min(chosen.shown_key, frame.n_key - 1)
