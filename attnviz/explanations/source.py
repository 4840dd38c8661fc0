"""What explanations read: the numbers of a frame by kind and place, and the names of its tokens as they are written."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray, every
from attnviz.document.attending import scale_of, sink_of
from attnviz.document.frame import Frame
from attnviz.document.state import State
from attnviz.document.tokens import isolated, shortened
from attnviz.engine import PAIRINGS, SCALE_RULES, AttentionTrace, full_multiplier
from attnviz.explanations.rows import Budget, Row

_LONGEST_NAME = 24
_ESCAPES = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
} | {character: "\\" + character for character in "{}$&#_%"}


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a token in an explanation.

    Parameters
    ----------
    plain : str
        As it is written on screen: not too long, and told apart from tokens of the same name.
    latex : str
        As text inside a formula, escaped.
    code : str
        As a Python string.
    """

    plain: str
    latex: str
    code: str


class Source:
    """The numbers of one frame, as explanations read them.

    Parameters
    ----------
    frame : Frame
        The frame.
    """

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self._rows: dict[int, Row] = {}
        self._columns: dict[int, FloatArray] = {}
        self._budgets: dict[int, Budget] = {}

    @property
    def state(self) -> State:
        """The document."""
        return self.frame.state

    @cached_property
    def sizes(self) -> dict[str, int]:
        """How far the indices along each axis go."""
        state = self.state
        return {
            "query": self.frame.n_query,
            "key": self.frame.n_key,
            "context": 0 if state.context is None else len(state.context),
            "budget": self.frame.n_key if self.is_by_column else self.frame.n_query,
            "coordinate": state.width,
            "d_k": state.d_k,
            "d_v": state.d_v,
            "pair": self.turned_channels // 2,
            "bucket": state.n_buckets if state.positions == "relative" else 0,
            "channel": state.n_heads * state.d_v,
            "d_out": self.frame.layer_output.shape[1],
            "column of W_O": 0 if state.w_o is None else state.w_o.shape[1],
            "entry of b_O": 0 if state.b_o is None else len(state.b_o),
        }

    @property
    def is_by_column(self) -> bool:
        """Whether the softmax runs down the columns."""
        return self.state.softmax == "columns"

    @property
    def is_position_added(self) -> bool:
        """Whether positions are added to the embeddings."""
        return self.frame.layer.effect.added is not None

    @property
    def turned_channels(self) -> int:
        """How many channels of queries and keys their positions turn."""
        return (self.state.rotary_width or self.state.d_k) if self.state.positions == "rotary" else 0

    @cached_property
    def sink(self) -> float | None:
        """The sink logit of the head; ``None`` where there is none."""
        return sink_of(self.state, self.frame.head)

    @property
    def others(self) -> tuple[float, ...]:
        """The logits that take attention and give nothing."""
        one = (0.0,) if self.state.softmax == "plus_one" else ()
        return one if self.sink is None else (*one, self.sink)

    def in_head(self, scope: str) -> str:
        """Say in which head, where there are several: of queries, or of keys and values."""
        frame = self.frame
        if frame.n_heads == 1 or scope == "layer":
            return ""
        if scope == "query" or self.state.n_kv_heads == frame.n_heads:
            return f" in head {frame.head + 1}"
        return f" in key/value head {frame.kv_head + 1}"

    def query(self, index: int) -> Name:
        """Name a query."""
        return name_of(self.frame.query_tokens, index)

    def key(self, index: int) -> Name:
        """Name a key."""
        return name_of(self.frame.key_tokens, index)

    def row(self, query: int) -> Row:
        """Give the numbers of one query: of the whole trace where that is kept, else computed for it alone."""
        if query not in self._rows:
            whole = self.frame.attention
            trace, at = (whole, query) if isinstance(whole, AttentionTrace) else (self.frame.row(query), 0)
            self._rows[query] = Row(trace, at)
        return self._rows[query]

    def budget(self, index: int) -> Budget:
        """Give what one query shares out, or under the columns' softmax one key."""
        if index not in self._budgets:
            if self.is_by_column:
                trace = self.frame.trace
                masked, exponentials = trace.masked[:, index], trace.exponentials[:, index]
                largest, total = float(trace.row_max[index]), float(trace.normaliser[index])
            else:
                row = self.row(index)
                masked, exponentials = row.masked, row.exponentials
                largest, total = float(row.maxima[0]), float(row.totals[0])
            self._budgets[index] = Budget(masked, exponentials, largest, total, self.others)
        return self._budgets[index]

    def budget_of(self, query: int, key: int) -> int:
        """Give the place of what a cell has its share of: its query, or under the columns' softmax its key."""
        return key if self.is_by_column else query

    def budget_name(self, index: int) -> Name:
        """Name what shares out its attention."""
        return self.key(index) if self.is_by_column else self.query(index)

    def is_banned(self, query: int, key: int) -> bool:
        """Tell whether the mask bans a cell, wherever it acts."""
        return not self.row(query).allowed[key]

    def keeps(self, query: int, key: int) -> bool:
        """Tell whether dropout keeps a weight."""
        return bool(self.row(query).kept[key])

    def weights_of_key(self, key: int) -> FloatArray:
        """Give what each query gives to one key, shape (n_query,)."""
        if key not in self._columns:
            self._columns[key] = self.frame.cells("weights", every(self.frame.n_query), np.array([key]))[:, 0]
        return self._columns[key]

    def weighed_by(self, key: int) -> list[int]:
        """List the queries that may give a key weight: those that see it, and those with a pinned weight."""
        banned: BoolArray = self.frame.banned(every(self.frame.n_query), np.array([key]))[:, 0]
        return [int(query) for query in np.flatnonzero(~banned | (self.weights_of_key(key) != 0.0))]

    @property
    def scale(self) -> str | float:
        """The scale rule's name, or the factor that was typed."""
        return scale_of(self.state)

    @property
    def is_bounded(self) -> bool:
        """Whether the engine lowered the multiplier so that no scaled score overflows."""
        return self.frame.multiplier != full_multiplier(self.scale, self.state.temperature, self.state.d_k)

    @property
    def rule_factor(self) -> float:
        """The factor of the scale rule, without the temperature."""
        if self.state.scale == "custom":
            return self.state.custom_multiplier
        return SCALE_RULES[self.state.scale].function(self.state.d_k)

    def weight_matrix_entry(self, name: str, row: int, column: int) -> float:
        """Give an entry of "w_q", "w_k" or "w_v" as it acts in this head."""
        return float(self.weight_matrix_column(name, column)[row])

    def weight_matrix_column(self, name: str, column: int) -> FloatArray:
        """Give a column of "w_q", "w_k" or "w_v" as it acts in this head, shape (d,)."""
        written, place = self.written(name, column)
        if place < written.shape[1]:
            return written[:, place]
        acting: FloatArray = getattr(self.frame, name)
        return acting[:, column]

    def bias_entry(self, name: str, column: int) -> float:
        """Give an entry of "b_q", "b_k" or "b_v" as it acts in this head; 0 beyond the written ones."""
        written: FloatArray | None = getattr(self.state, name)
        _, place = self.written(f"w_{name[-1]}", column)
        return 0.0 if written is None or place >= len(written) else float(written[place])

    def pair_of(self, column: int) -> tuple[int, int, bool] | None:
        """Give the pair of channels that one belongs to, the other channel of it, and whether it is its first.

        ``None`` for a channel that no position turns.
        """
        if column >= self.turned_channels:
            return None
        first, second = PAIRINGS[self.state.pairing].function(self.turned_channels)
        is_first = bool((first == column).any())
        own, other = (first, second) if is_first else (second, first)
        pair = int(np.flatnonzero(own == column)[0])
        return pair, int(other[pair]), is_first

    def written(self, name: str, column: int) -> tuple[FloatArray, int]:
        """Give the matrix written down for "w_q", "w_k" or "w_v", and which of its columns one of this head is."""
        state, frame = self.state, self.frame
        head = frame.head if name == "w_q" else frame.kv_head
        width = state.d_v if name == "w_v" else state.d_k
        written: FloatArray = getattr(state, "w_q" if name == "w_k" and state.is_tied else name)
        return written, head * width + column


def name_of(tokens: tuple[str, ...], index: int) -> Name:
    """Name the token at a place; one of several with the same name gets its place, counted from 1."""
    token = tokens[index]
    plain = shortened(token, _LONGEST_NAME)
    place = f" #{index + 1}" if tokens.count(token) > 1 else ""
    return Name(isolated(plain) + place, rf"\text{{{_escaped(plain + place)}}}", repr(token))


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in text)
