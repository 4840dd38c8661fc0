"""From a frame and a step to what is drawn: operands, the matrices that fill, bars and vectors."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray, IntArray
from attnviz.document.frame import Frame, Stage
from attnviz.document.projection import key_matrix, query_matrix
from attnviz.film.captions import caption, multiplier_text
from attnviz.film.records import Area, Arrows, Axis, Bars, Block, FilmPicture, Levels, Role
from attnviz.film.steps import Part, Reach, Step
from attnviz.film.wording import name, number

_MOST_KEYS_TO_ONE = 8


def picture(frame: Frame, step: Step) -> FilmPicture:
    """Make what is drawn at a step.

    Parameters
    ----------
    frame : Frame
        The numbers.
    step : Step
        A step of a script of this frame's size.

    Returns
    -------
    FilmPicture
        Numbers are read from the frame, nothing is computed anew except sums that are not complete yet.
    """
    return _SCENES[step.part](_Source(frame, step))


class _Source:
    """The blocks that a frame and a step can be drawn with."""

    def __init__(self, frame: Frame, step: Step) -> None:
        self.frame, self.step = frame, step
        first_key = 0 if frame.state.context is None else frame.n_query
        self.keys = Axis(frame.key_tokens, first_key)
        self.queries = Axis(frame.query_tokens[step.all_rows.start : step.all_rows.stop], step.all_rows.start)
        self.query = name(frame.query_tokens[step.row])
        self.caption = caption(frame, step)

    def vectors(self, symbol: str, role: Role, array: FloatArray, places: range, tokens: tuple[str, ...]) -> Block:
        """Give one row of a matrix of vectors, or several, as a block of its own."""
        part = array[places.start : places.stop]
        one = len(places) == 1
        label = symbol.upper() if len(places) == len(array) else f"{symbol.upper()}[{_span(places)}]"
        label = f"{symbol}_{name(tokens[places[0]])}" if one else label
        return Block(label, role, part.shape, partial(_part, part), (symbol, places), limit=_largest(array))

    def transposed(self, block: Block) -> Block:
        """Give a vector upright."""
        return Block(
            f"{block.name}ᵀ",
            block.role,
            (block.shape[1], block.shape[0]),
            partial(_turned, block.cells),
            (block.key, "T"),
            limit=block.limit,
            is_tall=True,
        )

    def projected(self, symbol: str, role: Role, array: FloatArray, part: Part) -> Block:
        """Give all queries, keys or values as far as they are made."""
        step, is_query = self.step, part == "query"
        axis = self.queries if is_query else self.keys
        places = step.all_rows if is_query else range(len(array))
        shown = array[places.start : places.stop]
        reach = step.reach(part)
        known = reach.whole_rows(1) if is_query else reach.columns
        now = step.rows if is_query else step.columns
        lit = None
        if part == step.part:
            first = now.start - places.start
            lit = Area(range(first, first + len(now)), range(shown.shape[1]))
        single = is_query and step.is_single
        return Block(
            f"{symbol.lower()}_{name(axis.names[0])}" if single else symbol,
            role,
            shown.shape,
            partial(_part, shown),
            (symbol, "all", places),
            reach=_rows_known(known, shown.shape[1]),
            lit=lit,
            limit=_largest(array),
            rows=axis,
        )

    def grid(self, label: str, stage: Stage, part: Part, *, lit: bool = False) -> Block:
        """Give one of the matrices of queries by keys, or its row in a film of one query."""
        frame, step = self.frame, self.step
        is_share = stage in ("exponentials", "weights")
        area = None
        if lit:
            first = step.rows.start - step.all_rows.start
            columns = step.columns or range(step.n_key)
            area = Area(range(first, first + len(step.rows)), columns)
        shown = f"{label}_{self.query}" if step.is_single else label
        return Block(
            shown,
            "share" if is_share else "score",
            (len(step.all_rows), step.n_key),
            partial(_grid_cells, frame, stage, step.all_rows.start),
            (stage, step.all_rows),
            reach=step.reach(part),
            lit=area,
            limit=_share_limit(frame, stage) if is_share else frame.limit(stage),
            rows=self.queries,
            columns=self.keys,
            banned=partial(_grid_banned, frame, step.all_rows.start) if _shows_mask(frame, stage) else None,
        )

    def grids(self) -> tuple[Block, ...]:
        """Give the matrices of scores and weights: in a film of one query all its rows, else the newest one alone."""
        step = self.step
        grids = [
            self.grid(label, stage, part, lit=step.part in _LIT_IN[part])
            for label, stage, part in _GRIDS
            if step.is_single or step.reach(part).below > 0
        ]
        return (*grids, self.outputs()) if step.is_single else tuple(grids[-1:])

    def levels(self, stage: Stage, before: Stage | None, label: str) -> Levels:
        """Give one row of scores as bars, as far as it is known."""
        frame, step = self.frame, self.step
        keys = np.arange(step.n_key)
        rows = np.array([step.row])
        hidden = frame.banned(rows, keys)[0] if stage == "masked" else None
        return Levels(
            numbers=frame.cells("scaled" if stage == "masked" else stage, rows, keys)[0],
            before=None if before is None else frame.cells(before, rows, keys)[0],
            n_known=step.reach("dot").columns,
            banned=hidden if hidden is not None and hidden.any() else None,
            lit=step.columns,
            keys=self.keys,
            label=label,
        )

    def outputs(self) -> Block:
        """Give the outputs as far as they are known, with the sum so far in the row that is being made."""
        frame, step = self.frame, self.step
        rows = step.all_rows
        shown = frame.output[rows.start : rows.stop]
        reach, n_key = step.reach("mix"), step.n_key
        first = step.rows.start - rows.start
        cells = partial(_part, shown)
        key: tuple[object, ...] = ("y", rows)
        if 0 < reach.columns < n_key:
            weights = frame.row(step.row).weights[0, : reach.columns]
            running = weights @ frame.v[: reach.columns]  # (c,) @ (c, d_v) -> (d_v,)
            cells = partial(_with_row, shown, first, running)
            key = ("y", rows, first, reach.columns)
        return Block(
            f"y_{self.query}" if step.is_single else "Y",
            "output",
            shown.shape,
            cells,
            key,
            reach=_rows_known(reach.below, shown.shape[1]),
            lit=Area(range(first, first + len(step.rows)), range(shown.shape[1])) if step.stage == "output" else None,
            limit=_largest(frame.output),
            rows=self.queries,
        )


def _query_parts(frame: Frame) -> tuple[str, Role, FloatArray, FloatArray]:
    return "q", "query", query_matrix(frame.state), frame.q


def _key_parts(frame: Frame) -> tuple[str, Role, FloatArray, FloatArray]:
    return "k", "key", key_matrix(frame.state), frame.k


def _value_parts(frame: Frame) -> tuple[str, Role, FloatArray, FloatArray]:
    return "v", "value", frame.state.w_v, frame.v


def _project(source: _Source) -> FilmPicture:
    frame, step = source.frame, source.step
    state = frame.state
    gathered = (
        source.projected("Q", "query", frame.q, "query"),
        source.projected("K", "key", frame.k, "key"),
        source.projected("V", "value", frame.v, "value"),
    )
    is_query = step.part == "query"
    symbol, role, matrix, made = _PROJECTIONS[step.part](frame)
    places = step.rows if is_query else step.columns
    tokens = frame.query_tokens if is_query else frame.key_tokens
    x = (state.sequence if is_query else state.key_sequence).embeddings
    operand = source.vectors("x", "embedding", x, places, tokens)
    weights = Block(f"W_{symbol.upper()}", role, matrix.shape, partial(_part, matrix), ("W", symbol))
    result = source.vectors(symbol, role, made, places, tokens)
    return FilmPicture(step, source.caption, (operand, "·", weights, "=", result), gathered=gathered)


def _dot(source: _Source) -> FilmPicture:
    frame, step = source.frame, source.step
    q = source.vectors("q", "query", frame.q, step.rows, frame.query_tokens)
    k = source.vectors("k", "key", frame.k, step.columns, frame.key_tokens)
    gathered = source.grids()
    levels = source.levels("scores", None, f"scores of {source.query} so far") if step.is_single else None
    if len(step.rows) > 1 or len(step.columns) > 1:
        area = step.rows, step.columns
        label = "scores" if len(step.rows) > 1 else f"score_{source.query}"
        scores = Block(
            label,
            "score",
            (len(step.rows), len(step.columns)),
            partial(_shifted_cells, frame, *area),
            ("part", *area),
            limit=frame.limit("scores"),
        )
        return FilmPicture(
            step, source.caption, (q, "·", source.transposed(k), "=", scores), levels=levels, gathered=gathered
        )
    products = frame.q[step.row] * frame.k[step.columns[0]]
    n_known = len(products) if step.term is None else step.term + 1
    last = len(products) - 1
    lit = range(len(products)) if step.term is None else range(step.term, step.term + 1)
    made = Block(
        "products",
        "score",
        (1, len(products)),
        partial(_part, products[np.newaxis]),
        ("products", step.rows, step.columns),
        reach=_columns_known(n_known),
        lit=Area(range(1), lit),
    )
    whole = float(frame.row(step.row).scores[0, step.columns[0]])
    running = whole if n_known > last else float(products[:n_known].sum())
    return FilmPicture(step, source.caption, terms=(q, k, made), running=running, levels=levels, gathered=gathered)


def _scale(source: _Source) -> FilmPicture:
    factor = multiplier_text(source.frame)
    levels = source.levels("scaled", "scores", f"score × {factor}")
    return _row_by_row(source, "scores", "scaled", f"× {number(source.frame.multiplier)}", levels)


def _mask(source: _Source) -> FilmPicture:
    return _row_by_row(source, "scaled", "masked", "mask", source.levels("masked", None, "what the mask leaves"))


def _row_by_row(source: _Source, before: Stage, after: Stage, sign: str, levels: Levels) -> FilmPicture:
    """Show a row before and after; in a film of one query both stand among what is gathered already."""
    step = source.step
    if step.is_single:
        return FilmPicture(step, source.caption, levels=levels, gathered=source.grids())
    rows = tuple(
        Block(
            f"{'score' if stage == 'scores' else stage}_{source.query}",
            "score",
            (1, step.n_key),
            partial(_grid_cells, source.frame, stage, step.row),
            (stage, "row", step.row),
            limit=source.frame.limit(stage),
            columns=source.keys,
            banned=partial(_grid_banned, source.frame, step.row) if _shows_mask(source.frame, stage) else None,
        )
        for stage in (before, after)
    )
    return FilmPicture(step, source.caption, (rows[0], sign, rows[1]), levels=levels, gathered=source.grids())


def _softmax(source: _Source) -> FilmPicture:
    step = source.step
    row = source.frame.row(step.row)
    largest = float(row.row_max[0])
    bars = Bars(
        shifted=row.masked[0] - largest,
        exponentials=row.exponentials[0],
        weights=row.weights[0],
        n_exponentials=step.reach("exponentiate").columns,
        n_weights=step.reach("divide").columns,
        largest=largest,
        total=float(row.normaliser[0]),
        has_total=step.reach("sum").columns > 0,
        lit=step.columns,
        keys=source.keys,
        query=source.query,
    )
    return FilmPicture(step, source.caption, bars=bars, gathered=source.grids())


def _output(source: _Source) -> FilmPicture:
    frame, step = source.frame, source.step
    row = frame.row(step.row)
    weights, axes = row.weights[0], _axes(frame)
    flat = frame.v @ axes.T  # (n_key, d_v) @ (d_v, 2) -> (n_key, 2)
    tips = np.vstack([np.zeros((1, 2)), np.cumsum(weights[:, np.newaxis] * flat, axis=0)])
    tips[-1] = frame.output[step.row] @ axes.T
    arrows = Arrows(
        tips=tips,
        values=flat,
        weights=weights,
        known=step.reach("mix").columns,
        lit=step.columns if step.part == "mix" else range(0),
        has_arrived=step.part == "arrive",
        keys=source.keys,
        query=source.query,
        query_colour=step.row,
        axes=_axis_names(frame),
    )
    equation: tuple[Block | str, ...] = ()
    if step.part == "mix" and len(step.columns) == 1:
        key = step.columns[0]
        value = source.vectors("v", "value", frame.v, step.columns, frame.key_tokens)
        share = weights[key] * frame.v[key : key + 1]
        label = f"share of {name(frame.key_tokens[key])}"
        added = Block(label, "output", share.shape, partial(_part, share), ("share", step.row, key), limit=value.limit)
        equation = (number(float(weights[key])), "·", value, "=", added)
    gathered = source.grids() if step.is_single else (*source.grids(), source.outputs())
    return FilmPicture(step, source.caption, equation, arrows=arrows, gathered=gathered)


_SCENES: dict[Part, Callable[[_Source], FilmPicture]] = {
    "query": _project,
    "key": _project,
    "value": _project,
    "dot": _dot,
    "scale": _scale,
    "mask": _mask,
    "subtract": _softmax,
    "exponentiate": _softmax,
    "sum": _softmax,
    "divide": _softmax,
    "mix": _output,
    "arrive": _output,
}
_PROJECTIONS: dict[Part, Callable[[Frame], tuple[str, Role, FloatArray, FloatArray]]] = {
    "query": _query_parts,
    "key": _key_parts,
    "value": _value_parts,
}
_GRIDS: tuple[tuple[str, Stage, Part], ...] = (
    ("score", "scores", "dot"),
    ("scaled", "scaled", "scale"),
    ("masked", "masked", "mask"),
    ("exp", "exponentials", "exponentiate"),
    ("weight", "weights", "divide"),
)
# At which parts the cells of a grid are those that the step is about.
_LIT_IN: dict[Part, tuple[Part, ...]] = {
    "dot": ("dot",),
    "scale": ("scale",),
    "mask": ("mask", "subtract"),
    "exponentiate": ("exponentiate", "sum"),
    "divide": ("divide", "mix"),
}


def _part(array: FloatArray, rows: IntArray, columns: IntArray) -> FloatArray:
    if len(rows) == array.shape[0] and len(columns) == array.shape[1]:
        return array
    part: FloatArray = array[np.ix_(rows, columns)]
    return part


def _with_row(array: FloatArray, row: int, numbers: FloatArray, rows: IntArray, columns: IntArray) -> FloatArray:
    changed = array.copy()
    changed[row] = numbers
    return _part(changed, rows, columns)


def _turned(cells: Callable[[IntArray, IntArray], FloatArray], rows: IntArray, columns: IntArray) -> FloatArray:
    return cells(columns, rows).T


def _grid_cells(frame: Frame, stage: Stage, first: int, rows: IntArray, columns: IntArray) -> FloatArray:
    return frame.cells(stage, rows + first, columns)


def _grid_banned(frame: Frame, first: int, rows: IntArray, columns: IntArray) -> BoolArray:
    return frame.banned(rows + first, columns)


def _shifted_cells(frame: Frame, rows: range, keys: range, some: IntArray, columns: IntArray) -> FloatArray:
    return frame.cells("scores", some + rows.start, columns + keys.start)


def _axes(frame: Frame) -> FloatArray:
    """Give the two directions of value space that are drawn, shape (2, d_v)."""
    d_v = frame.v.shape[1]
    plane = frame.state.plane
    if plane is not None and plane.width == d_v:
        return plane.axes
    axes = np.zeros((2, d_v))
    for i, channel in enumerate(_channels(frame)):
        axes[i, channel] = 1.0
    return axes


def _channels(frame: Frame) -> tuple[int, ...]:
    """Give the two channels of the values that differ most, in their order."""
    d_v = frame.v.shape[1]
    if d_v <= 2:
        return tuple(range(d_v))
    with np.errstate(over="ignore", invalid="ignore"):
        spread = np.nan_to_num(np.ptp(frame.v, axis=0))
    return tuple(sorted(int(i) for i in np.argsort(-spread, kind="stable")[:2]))


def _axis_names(frame: Frame) -> tuple[str, str]:
    d_v = frame.v.shape[1]
    if frame.state.plane is not None and frame.state.plane.width == d_v:
        return "first axis of the plane", "second axis of the plane"
    names = [f"v[{channel + 1}]" for channel in _channels(frame)]
    return names[0], names[1] if len(names) > 1 else ""


def _share_limit(frame: Frame, stage: Stage) -> float:
    """Give the share that has the strongest colour: 1, or the largest weight where all of many weights are small."""
    return frame.largest_weight if stage == "weights" and frame.n_key > _MOST_KEYS_TO_ONE else 1.0


def _shows_mask(frame: Frame, stage: Stage) -> bool:
    return frame.state.is_causal and stage in ("masked", "exponentials", "weights")


def _rows_known(count: int, width: int) -> Reach:
    return Reach(count, count, width)


def _columns_known(count: int) -> Reach:
    return Reach(0, 1, count)


def _largest(array: FloatArray) -> float:
    return max(float(array.max()), -float(array.min()), float(np.finfo(np.float64).tiny))


def _span(places: range) -> str:
    return f"{places.start + 1:,}–{places.stop:,}"
