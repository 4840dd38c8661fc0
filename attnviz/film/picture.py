"""From a frame and a step to what is drawn: operands, the matrices that fill, bars and vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray
from attnviz.document.frame import Frame, Stage
from attnviz.film.blocks import KIND_OF_STAGE, Source, grid_banned, grid_cells, part_of, score_cells
from attnviz.film.budget import further_exponentials, is_by_column, maxima, shares
from attnviz.film.captions import multiplier_text
from attnviz.film.headings import budget_text, is_wordy, maximum_text, symbols_of, title_of
from attnviz.film.hiding import change_names
from attnviz.film.layer_scenes import LAYER_SCENES
from attnviz.film.pins import with_pins
from attnviz.film.project_scene import project_scene
from attnviz.film.records import Area, Arrows, Bars, Block, FilmPicture, Levels, Origin
from attnviz.film.steps import Part, Reach, Step
from attnviz.film.wording import name, number

# Methods of masking that leave the numbers of a row as they are before the softmax, or take them away.
_LEAVING = ("before", "after", "after_renormalised")


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
    made = with_pins(frame, _SCENES[step.part](Source(frame, step)))
    return replace(made, title=title_of(frame, step), symbols=symbols_of(frame, step), is_wordy=is_wordy(frame))


def _dot(source: Source) -> FilmPicture:
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
            partial(score_cells, frame, *area),
            ("part", *area),
            limit=frame.limit("scores"),
            origin=Origin("score", step.rows.start, step.columns.start),
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
        partial(part_of, products[np.newaxis]),
        ("products", step.rows, step.columns),
        reach=Reach(0, 1, n_known),
        lit=Area(range(1), lit),
    )
    whole = float(frame.row(step.row).scores[0, step.columns[0]])
    running = whole if n_known > last else float(products[:n_known].sum())
    return FilmPicture(step, source.caption, terms=(q, k, made), running=running, levels=levels, gathered=gathered)


def _scale(source: Source) -> FilmPicture:
    factor = multiplier_text(source.frame)
    levels = source.levels("scaled", "scores", f"score × {factor}")
    return _row_by_row(source, "scores", "scaled", f"× {number(source.frame.multiplier)}", levels)


def _mask(source: Source) -> FilmPicture:
    state = source.frame.state
    changes = change_names(state)
    if not changes and (not state.has_mask or state.masking in _LEAVING):
        return _row_by_row(source, "scaled", "masked", "mask", source.levels("masked", None, "what the mask leaves"))
    done = ", ".join([*changes, *(["mask"] if state.has_mask else [])])
    return _row_by_row(source, "scaled", "masked", done, source.levels("masked", "scaled", f"after {done}"))


def _row_by_row(source: Source, before: Stage, after: Stage, sign: str, levels: Levels) -> FilmPicture:
    """Show a row before and after; in a film of one query both stand among what is gathered already."""
    step = source.step
    if step.is_single:
        return FilmPicture(step, source.caption, levels=levels, gathered=source.grids())
    rows = tuple(
        Block(
            f"{'score' if stage == 'scores' else stage}_{source.query}",
            "score",
            (1, step.n_key),
            partial(grid_cells, source.frame, stage, step.row),
            (stage, "row", step.row),
            limit=source.frame.limit(stage),
            columns=source.keys,
            banned=partial(grid_banned, source.frame, step.row) if source.frame.shows_mask(stage) else None,
            origin=Origin(KIND_OF_STAGE[stage], step.row),
        )
        for stage in (before, after)
    )
    return FilmPicture(step, source.caption, (rows[0], sign, rows[1]), levels=levels, gathered=source.grids())


def _softmax(source: Source) -> FilmPicture:
    step = source.step
    row = source.frame.row(step.row)
    further = further_exponentials(row) if not is_by_column(row) else {}
    total = float(row.normaliser[0])
    has_total, n_weights = step.reach("sum").columns > 0, step.reach("divide").columns
    bars = Bars(
        shifted=row.masked[0] - maxima(row),
        exponentials=row.exponentials[0],
        weights=row.weights[0],
        n_exponentials=step.reach("exponentiate").columns,
        n_weights=n_weights,
        shares=shares(row),
        total=total,
        has_total=has_total,
        lit=step.columns,
        keys=source.keys,
        query=source.query,
        maximum=maximum_text(row),
        budget=budget_text(row, has_total=has_total, has_weights=n_weights > 0),
        rest=tuple([(what, size / total) for what, size in further.items()]),
        hidden=_hidden_weights(source),
        is_by_column=is_by_column(row),
    )
    return FilmPicture(step, source.caption, bars=bars, gathered=source.grids())


def _hidden_weights(source: Source) -> BoolArray | None:
    """Give the keys of the row whose weight the mask takes away after the softmax."""
    frame, step = source.frame, source.step
    if not frame.shows_mask("weights") or frame.shows_mask("masked"):
        return None
    hidden: BoolArray = frame.banned(np.array([step.row]), np.arange(step.n_key))[0]
    return hidden


def _output(source: Source) -> FilmPicture:
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
        added = Block(
            label, "output", share.shape, partial(part_of, share), ("share", step.row, key), limit=value.limit
        )
        equation = (number(float(weights[key])), "·", value, "=", added)
    gathered = source.grids() if step.is_single else (*source.grids(), source.outputs())
    return FilmPicture(step, source.caption, equation, arrows=arrows, gathered=gathered)


_SCENES: dict[Part, Callable[[Source], FilmPicture]] = {
    "query": project_scene,
    "key": project_scene,
    "value": project_scene,
    "dot": _dot,
    "scale": _scale,
    "mask": _mask,
    "subtract": _softmax,
    "exponentiate": _softmax,
    "sum": _softmax,
    "divide": _softmax,
    "mix": _output,
    "arrive": _output,
    **LAYER_SCENES,
}


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
