"""The blocks that a frame and a step are drawn with: operands, and the matrices that fill."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray, IntArray
from attnviz.document.frame import Frame, Stage, drawn_limit
from attnviz.film.captions import caption
from attnviz.film.links import origin_in
from attnviz.film.records import Area, Axis, Block, Levels, Origin, Role
from attnviz.film.steps import Part, Reach, Step
from attnviz.film.wording import name

_MOST_KEYS_TO_ONE = 8
# Methods of masking that put a number at banned cells beside which all others vanish.
_FAR_METHODS, _FAR = ("add_large_negative", "fill_large_negative"), -1e8
KIND_OF_STAGE: dict[Stage, str] = {
    "scores": "score",
    "scaled": "scaled",
    "masked": "masked",
    "exponentials": "exponential",
    "weights": "weight",
}


class Source:
    """The blocks that a frame and a step can be drawn with.

    Parameters
    ----------
    frame : Frame
        The numbers.
    step : Step
        The step, which says how much is known.
    """

    def __init__(self, frame: Frame, step: Step) -> None:
        self.frame, self.step = frame, step
        first_key = 0 if frame.state.context is None else frame.n_query
        self.keys = Axis(frame.key_tokens, first_key)
        self.queries = Axis(frame.query_tokens[step.all_rows.start : step.all_rows.stop], step.all_rows.start)
        self.query = name(frame.query_tokens[step.row])
        self.caption = caption(frame, step)

    def vectors(
        self, symbol: str, role: Role, array: FloatArray, places: range, tokens: tuple[str, ...], kind: str | None = ""
    ) -> Block:
        """Give one row of a matrix of vectors, or several, as a block of its own.

        The symbol names its kind, unless another is given; ``None`` for numbers without a derivation of their own.
        """
        part = array[places.start : places.stop]
        one = len(places) == 1
        label = symbol.upper() if len(places) == len(array) else f"{symbol.upper()}[{_span(places)}]"
        if one:
            first, plus, rest = symbol.partition(" ")  # x + p: the token stands at the first
            label = f"{first}_{name(tokens[places[0]])}{plus}{rest}"
        return Block(
            label,
            role,
            part.shape,
            partial(part_of, part),
            (symbol, kind, places),
            limit=largest_of(array),
            origin=None if kind is None else origin_in(kind or symbol, places.start),
        )

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
            origin=None if block.origin is None else replace(block.origin, is_turned=True),
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
            partial(part_of, shown),
            (symbol, "all", places),
            reach=_rows_known(known, shown.shape[1]),
            lit=lit,
            limit=largest_of(array),
            rows=axis,
            origin=Origin(symbol.lower(), places.start),
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
            partial(grid_cells, frame, stage, step.all_rows.start),
            (stage, step.all_rows),
            reach=step.reach(part),
            lit=area,
            limit=_share_limit(frame, stage) if is_share else frame.limit(stage),
            rows=self.queries,
            columns=self.keys,
            banned=partial(grid_banned, frame, step.all_rows.start) if frame.shows_mask(stage) else None,
            origin=Origin(KIND_OF_STAGE[stage], step.all_rows.start),
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
        hidden = frame.banned(rows, keys)[0] if stage == "masked" and frame.shows_mask(stage) else None
        numbers = frame.cells(stage, rows, keys)[0]
        if hidden is not None:
            numbers = np.where(hidden, frame.cells("scaled", rows, keys)[0], numbers)
        far = numbers <= _FAR if frame.state.masking in _FAR_METHODS and stage == "masked" else np.zeros(1, np.bool_)
        return Levels(
            numbers=numbers,
            before=None if before is None else frame.cells(before, rows, keys)[0],
            heights=_within_reach(numbers, far) if far.any() else None,
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
        cells = partial(part_of, shown)
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
            limit=largest_of(frame.output),
            rows=self.queries,
            origin=Origin("output", rows.start, running=first if 0 < reach.columns < n_key else None),
        )


def _within_reach(numbers: FloatArray, far: BoolArray) -> FloatArray:
    """Give the numbers with those far below at twice the size of the others."""
    near = np.abs(numbers[~far])
    return np.where(far, -2.0 * max(1.0, float(near.max()) if near.size else 0.0), numbers)


def part_of(array: FloatArray, rows: IntArray, columns: IntArray) -> FloatArray:
    """Give some rows and columns of an array; the array itself for all of them."""
    if len(rows) == array.shape[0] and len(columns) == array.shape[1]:
        return array
    part: FloatArray = array[np.ix_(rows, columns)]
    return part


def _with_row(array: FloatArray, row: int, numbers: FloatArray, rows: IntArray, columns: IntArray) -> FloatArray:
    changed = array.copy()
    changed[row] = numbers
    return part_of(changed, rows, columns)


def _turned(cells: Callable[[IntArray, IntArray], FloatArray], rows: IntArray, columns: IntArray) -> FloatArray:
    return cells(columns, rows).T


def grid_cells(frame: Frame, stage: Stage, first: int, rows: IntArray, columns: IntArray) -> FloatArray:
    """Give cells of a stage, with rows counted from the first one of the film."""
    return frame.cells(stage, rows + first, columns)


def grid_banned(frame: Frame, first: int, rows: IntArray, columns: IntArray) -> BoolArray:
    """Tell which of these cells the mask bans."""
    return frame.banned(rows + first, columns)


def score_cells(frame: Frame, rows: range, keys: range, some: IntArray, columns: IntArray) -> FloatArray:
    """Give scores of some queries with some keys, counted from the first of each."""
    return frame.cells("scores", some + rows.start, columns + keys.start)


def _share_limit(frame: Frame, stage: Stage) -> float:
    """Give the share that has the strongest colour: 1, or the largest weight where all of many weights are small.

    Dropout makes some weights larger than 1.
    """
    if stage != "weights":
        return 1.0
    largest = frame.largest_weight if frame.n_key > _MOST_KEYS_TO_ONE or frame.state.dropout else 1.0
    return largest if frame.n_key > _MOST_KEYS_TO_ONE else max(1.0, largest)


def _rows_known(count: int, width: int) -> Reach:
    return Reach(count, count, width)


def largest_of(array: FloatArray) -> float:
    """Give the magnitude of the strongest colour of an array."""
    return drawn_limit(max(float(array.max()), -float(array.min())))


def _span(places: range) -> str:
    return f"{places.start + 1:,}–{places.stop:,}"


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
