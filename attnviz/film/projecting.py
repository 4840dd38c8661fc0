"""How queries, keys and values are made: what is multiplied by which columns, what is added, and what is turned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from attnviz.document.arrays import FloatArray
from attnviz.document.frame import Frame
from attnviz.document.positions import key_positions, query_positions
from attnviz.document.projection import bias_of
from attnviz.film.steps import Part
from attnviz.film.told import Told
from attnviz.film.wording import entry, name, quoted, several, vector

Symbol: TypeAlias = Literal["q", "k", "v"]
SYMBOLS: dict[Part, Symbol] = {"query": "q", "key": "k", "value": "v"}
_PURPOSES: dict[Symbol, str] = {
    "q": "what {} looks for",
    "k": "how {} can be found",
    "v": "what {} hands over",
}
_MADE = {"q": "queries", "k": "keys", "v": "values"}


@dataclass(frozen=True, slots=True, eq=False)
class Projection:
    """One of the three projections of the head that is shown.

    Parameters
    ----------
    symbol : str
        "q", "k" or "v".
    tokens : tuple of str
        Whose vectors are projected.
    embeddings, inputs : (n, d) array
        Their embeddings, and what is projected: embeddings with their positions added, if there are some.
    matrix : (d, m) array
        The columns that this head has.
    matrix_name : str
        What it is called: ``W_K``, ``W_Q`` where both are tied, ``W_K[3–4]`` with several heads.
    bias : (m,) array or None
        What is added to every result.
    bias_name : str
        What that is called.
    plain : (n, m) array or None
        The results before positions turn them; ``None`` where nothing is turned.
    made : (n, m) array
        The results as they are read.
    places : (n,) array
        Where the tokens stand.
    """

    symbol: Symbol
    tokens: tuple[str, ...]
    embeddings: FloatArray
    inputs: FloatArray
    matrix: FloatArray
    matrix_name: str
    bias: FloatArray | None
    bias_name: str
    plain: FloatArray | None
    made: FloatArray
    places: FloatArray

    @property
    def has_positions(self) -> bool:
        """Whether positions are added before the product."""
        return self.inputs is not self.embeddings

    def input_name(self, row: int) -> str:
        """Name what is multiplied for a token: ``x_cat``, or ``(x_cat + p)`` with its position added."""
        x = f"x_{name(self.tokens[row])}"
        return f"({x} + p)" if self.has_positions else x

    def product(self, row: int) -> str:
        """Write what is computed for a token: ``x_cat · W_Q + b_Q``."""
        plus = "" if self.bias is None else f" + {self.bias_name}"
        return f"{self.input_name(row)} · {self.matrix_name}{plus}"

    def place(self, row: int) -> str:
        """Write where a token stands."""
        position = float(self.places[row])
        return f"{position:,.0f}" if position == np.floor(position) else entry(position)

    def turn(self, row: int) -> str:
        """Say by which position a token's vector is turned, or nothing."""
        return "" if self.plain is None else f", turned by position {self.place(row)}"


def projection_of(frame: Frame, symbol: Symbol) -> Projection:
    """Give one of the three projections of a frame's head."""
    state, layer = frame.state, frame.layer
    is_query = symbol == "q"
    head = frame.head if is_query else frame.kv_head
    made, matrix = {"q": (frame.q, frame.w_q), "k": (frame.k, frame.w_k), "v": (frame.v, frame.w_v)}[symbol]
    first, width = head * made.shape[1], made.shape[1]
    n_heads = state.n_heads if is_query else state.n_kv_heads
    span = f"[{column_span(first, width)}]" if state.n_heads > 1 else ""
    letter = "Q" if symbol == "k" and state.is_tied else symbol.upper()
    bias = bias_of(state, f"b_{symbol}", n_heads * width)
    plain = None
    if symbol != "v" and layer.effect.rotary is not None:
        plain = layer.plain_qk(frame.head)[0 if is_query else 1]
    return Projection(
        symbol=symbol,
        tokens=frame.query_tokens if is_query else frame.key_tokens,
        embeddings=(state.sequence if is_query else state.key_sequence).embeddings,
        inputs=layer.inputs if is_query else layer.context_inputs,
        matrix=matrix,
        matrix_name=f"W_{letter}{span}",
        bias=None if bias is None else bias[first : first + width],
        bias_name=f"b_{symbol.upper()}{span}",
        plain=plain,
        made=made,
        places=query_positions(state) if is_query else key_positions(state),
    )


def projection_caption(told: Told) -> str:
    """Say how the vectors of a step are made."""
    frame, step = told.frame, told.step
    one = projection_of(frame, SYMBOLS[step.part])
    rows = step.rows if one.symbol == "q" else step.columns
    who = head_name(frame, of_keys=one.symbol != "q")
    if len(rows) > 1:
        return who + _several_sentence(one, rows)
    row = rows[0]
    sentence = f"{one.symbol}_{name(one.tokens[row])} = {one.product(row)}"
    if one.has_positions:
        sentence = f"x_{name(one.tokens[row])} + p = {vector(one.inputs[row], entry)}, and {sentence}"
    if one.plain is not None:
        sentence += f" = {vector(one.plain[row], entry)}{one.turn(row)} to {vector(one.made[row], entry)}"
    else:
        sentence += f" = {vector(one.made[row], entry)}"
    tied = "; W_K is tied to W_Q" if one.symbol == "k" and told.state.is_tied else ""
    return f"{who}{sentence}: {_PURPOSES[one.symbol].format(quoted(one.tokens[row]))}{tied}."


def head_name(frame: Frame, *, of_keys: bool = False) -> str:
    """Begin a sentence with the head that it is about: ``Head 2 of 4: ``; nothing where there is one alone."""
    if frame.n_heads == 1:
        return ""
    shared = ""
    if of_keys and frame.state.n_kv_heads < frame.n_heads:
        shared = f", which reads key/value head {frame.kv_head + 1} of {frame.state.n_kv_heads}"
    return f"Head {frame.head + 1} of {frame.n_heads}{shared}: "


def column_span(first: int, width: int) -> str:
    """Write which columns or rows of a matrix a head has, counted from 1.

    Examples
    --------
    >>> column_span(2, 2), column_span(3, 1)
    ('3–4', '4')
    """
    return f"{first + 1:,}–{first + width:,}" if width > 1 else f"{first + 1:,}"


def _several_sentence(one: Projection, rows: range) -> str:
    what = "embeddings plus positions" if one.has_positions else "embeddings"
    plus = "" if one.bias is None else f" plus {one.bias_name}"
    turned = "" if one.plain is None else ", turned by their positions"
    start = f"The {what} of {several(one.tokens, rows)} times {one.matrix_name}{plus}"
    return f"{start} make {len(rows):,} {_MADE[one.symbol]}{turned}."
