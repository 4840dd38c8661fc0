"""The pictures of the layer: the outputs of all heads side by side, and what W_O makes of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from attnviz.document.arrays import FloatArray
from attnviz.film.blocks import Source, largest_of, part_of
from attnviz.film.gathering import head_output, rows_of_w_o, sum_of_heads
from attnviz.film.links import origin_in
from attnviz.film.records import Area, Block, FilmPicture, Origin
from attnviz.film.steps import Part, Reach

_MOST_HEADS = 4  # side by side; of more, the one of the step alone is shown


def _join(source: Source) -> FilmPicture:
    frame, step = source.frame, source.step
    heads = range(frame.n_heads) if frame.n_heads <= _MOST_HEADS else step.heads
    line: list[Block | str] = []
    for head in heads:
        line += [*(["and"] if line else []), _of_head(source, head, is_lit=head in step.heads)]
    return FilmPicture(step, source.caption, tuple(line), gathered=(_side_by_side(source),))


def _contribute(source: Source) -> FilmPicture:
    frame, step = source.frame, source.step
    head = step.heads[0]
    w_o = frame.state.w_o
    assert w_o is not None, "only where there is a W_O does the film have this step"
    own = w_o[head * frame.state.d_v : (head + 1) * frame.state.d_v]
    origin = origin_in("w_o", head * frame.state.d_v)
    weights = Block(rows_of_w_o(frame, head), "output", own.shape, partial(part_of, own), ("W_O", head), origin=origin)
    equation = (_of_head(source, head, is_lit=False), "·", weights, "=", _contribution(source, head))
    rows = step.all_rows
    so_far = sum_of_heads(frame, head + 1, rows)
    made = _rows_block(source, "out", so_far, ("so far", head), largest_of(frame.layer_output), is_lit=True)
    return FilmPicture(step, source.caption, equation, gathered=(_side_by_side(source), made))


def _complete(source: Source) -> FilmPicture:
    """Show what is added up: one row under the other in a film of one query, else an equation of whole matrices."""
    frame, step = source.frame, source.step
    rows = step.all_rows
    output = frame.layer_output[rows.start : rows.stop]
    limit, origin = largest_of(frame.layer_output), origin_in("layer_output", rows.start)
    made = _rows_block(source, "out", output, ("out",), limit, origin=origin)
    lit = Area(range(len(output)), range(output.shape[1]))
    gathered = (_side_by_side(source), replace(made, lit=lit))
    if step.is_single or frame.n_heads <= _MOST_HEADS:
        parts = [_contribution(source, head) for head in range(frame.n_heads)]
    else:
        whole = sum_of_heads(frame, frame.n_heads, rows)
        parts = [_rows_block(source, "sum", whole, ("so far", frame.n_heads - 1), largest_of(whole))]
    if frame.state.b_o is not None:
        row = frame.state.b_o[np.newaxis]
        parts.append(Block("b_O", "output", row.shape, partial(part_of, row), ("b_O",), limit=limit))
    if step.is_single:
        return FilmPicture(step, source.caption, terms=(*parts, made), gathered=gathered)
    equation: list[Block | str] = []
    for part in parts:
        equation += [*(["+"] if equation else []), part]
    return FilmPicture(step, source.caption, (*equation, "=", made), gathered=gathered)


LAYER_SCENES: dict[Part, Callable[[Source], FilmPicture]] = {
    "join": _join,
    "contribute": _contribute,
    "complete": _complete,
}


def _of_head(source: Source, head: int, *, is_lit: bool) -> Block:
    """Give the outputs of one head; those of the head that is shown can be asked where they come from."""
    frame, rows = source.frame, source.step.all_rows
    shown = head_output(frame, head)[rows.start : rows.stop]
    symbol = "y" if frame.n_heads == 1 else f"head {head + 1}: y"
    origin = Origin("output", rows.start) if head == frame.head else None
    limit = largest_of(frame.layer.concatenated)
    return _rows_block(source, symbol, shown, ("head", head), limit, is_lit=is_lit, origin=origin)


def _contribution(source: Source, head: int) -> Block:
    frame, rows = source.frame, source.step.all_rows
    made = frame.layer.contribution(head)
    limit = max(largest_of(made), largest_of(frame.layer_output))
    symbol = "share" if frame.n_heads == 1 else f"head {head + 1}: share"
    return _rows_block(source, symbol, made[rows.start : rows.stop], ("contribution", head), limit)


def _side_by_side(source: Source) -> Block:
    """Give all heads in one matrix, as far as they are put there; the channels of the step's heads are lit."""
    frame, step = source.frame, source.step
    rows, width = step.all_rows, frame.state.d_v
    whole = frame.layer.concatenated
    n_known = step.reach("join").columns * width if step.part == "join" else whole.shape[1]
    is_one = step.part != "complete"
    lit = Area(range(len(rows)), range(step.heads.start * width, step.heads.stop * width)) if is_one else None
    symbol = "y" if frame.n_heads == 1 else "heads"
    shown = whole[rows.start : rows.stop]
    block = _rows_block(source, symbol, shown, ("side by side",), largest_of(whole))
    return replace(block, origin=origin_in("concatenated", rows.start), reach=Reach(0, len(rows), n_known), lit=lit)


def _rows_block(
    source: Source,
    symbol: str,
    shown: FloatArray,
    key: tuple[object, ...],
    limit: float,
    *,
    is_lit: bool = False,
    origin: Origin | None = None,
) -> Block:
    """Give the rows of the film as a block; its name has the token where there is one."""
    step = source.step
    return Block(
        f"{symbol}_{source.query}" if step.is_single else _upper(symbol),
        "output",
        shown.shape,
        partial(part_of, shown),
        (*key, step.all_rows),
        lit=Area(range(len(shown)), range(shown.shape[1])) if is_lit else None,
        limit=limit,
        rows=source.queries,
        origin=origin,
    )


def _upper(symbol: str) -> str:
    """Write the name of a whole matrix with a capital: ``head 2: Y``."""
    start, space, last = symbol.rpartition(" ")
    return f"{start}{space}{last[0].upper()}{last[1:]}"
