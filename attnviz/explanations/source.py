"""What explanations read: the numbers of a frame by kind and place, and the names of its tokens as they are written."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray, every
from attnviz.document.attending import scale_of
from attnviz.document.frame import Frame
from attnviz.document.state import State
from attnviz.document.tokens import isolated, shortened
from attnviz.engine import SCALE_RULES, AttentionTrace, full_multiplier

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


class Row:
    """The numbers of one query, each of shape (n_key,) or a single float."""

    def __init__(self, trace: AttentionTrace, at: int) -> None:
        self.scores: FloatArray = trace.scores[at]
        self.scaled: FloatArray = trace.scaled[at]
        self.masked: FloatArray = trace.masked[at]
        self.row_max = float(trace.row_max[at])
        self.exponentials: FloatArray = trace.exponentials[at]
        self.normaliser = float(trace.normaliser[at])
        self.weights: FloatArray = trace.weights[at]
        self.output: FloatArray = trace.output[at]
        self.is_empty = bool(trace.empty_rows[at])

    @cached_property
    def visible(self) -> list[int]:
        """The keys that the mask leaves."""
        return [int(key) for key in np.flatnonzero(self.masked != -np.inf)]

    @cached_property
    def weighing(self) -> list[int]:
        """The keys that may have a weight: those that the mask leaves, and those with a pinned one."""
        return [int(key) for key in np.flatnonzero((self.masked != -np.inf) | (self.weights != 0.0))]

    @property
    def is_silent(self) -> bool:
        """Whether the row sees no key and no weight of it is pinned."""
        return self.is_empty and not self.weighing


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
            "coordinate": state.width,
            "d_k": state.d_k,
            "d_v": state.d_v,
            "channel": state.n_heads * state.d_v,
            "d_out": self.frame.layer_output.shape[1],
            "column of W_O": 0 if state.w_o is None else state.w_o.shape[1],
            "entry of b_O": 0 if state.b_o is None else len(state.b_o),
        }

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
