"""The picture of a projection: vectors times the columns of their head, plus bias, turned by their positions."""

from __future__ import annotations

from functools import partial

import numpy as np

from attnviz.document.arrays import FloatArray
from attnviz.film.blocks import Source, part_of
from attnviz.film.projecting import SYMBOLS, Projection, Symbol, projection_of
from attnviz.film.records import Block, FilmPicture, Origin, Role

_ROLES: dict[Symbol, Role] = {"q": "query", "k": "key", "v": "value"}


def project_scene(source: Source) -> FilmPicture:
    """Show how queries, keys or values are made, and all three as far as they are known."""
    frame, step = source.frame, source.step
    gathered = (
        source.projected("Q", "query", frame.q, "query"),
        source.projected("K", "key", frame.k, "key"),
        source.projected("V", "value", frame.v, "value"),
    )
    one = projection_of(frame, SYMBOLS[step.part])
    role = _ROLES[one.symbol]
    places = step.rows if one.symbol == "q" else step.columns
    operand = source.vectors(
        "x + p" if one.has_positions else "x", "embedding", one.inputs, places, one.tokens, _kind(source, one)
    )
    origin = Origin(f"w_{one.symbol}")
    matrix = one.matrix
    weights = Block(one.matrix_name, role, matrix.shape, partial(part_of, matrix), ("W", one.symbol), origin=origin)
    plus: tuple[Block | str, ...] = () if one.bias is None else ("+", _bias(one, one.bias, role))
    result = source.vectors(one.symbol, role, one.made, places, one.tokens)
    if one.plain is None:
        return FilmPicture(step, source.caption, (operand, "·", weights, *plus, "=", result), gathered=gathered)
    plain = source.vectors(one.symbol, role, one.plain, places, one.tokens, None)
    sign = f"turned by position {one.place(places[0])} =" if len(places) == 1 else "turned by their positions ="
    return FilmPicture(
        step,
        source.caption,
        (operand, "·", weights, *plus, "=", plain),
        then=(plain, sign, result),
        gathered=gathered,
    )


def _kind(source: Source, one: Projection) -> str:
    """Give the kind of what is multiplied: embeddings, or their sums with positions, of one side."""
    is_context = one.symbol != "q" and source.frame.state.context is not None
    if one.has_positions:
        return "context_input" if is_context else "input"
    return "context" if is_context else "x"


def _bias(one: Projection, bias: FloatArray, role: Role) -> Block:
    row = bias[np.newaxis]
    return Block(one.bias_name, role, row.shape, partial(part_of, row), ("b", one.symbol))
