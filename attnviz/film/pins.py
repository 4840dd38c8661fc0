"""Pinned numbers in the film: what is said of them, and which cells of a block carry their mark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from attnviz.document.frame import Frame
from attnviz.document.interventions import Intervention
from attnviz.document.provenance import pins_in_force, provenance_of, shown_pins
from attnviz.film.budget import totals, unpinned_weight
from attnviz.film.links import cells_within
from attnviz.film.projecting import SYMBOLS, head_name, projection_of
from attnviz.film.records import Block, FilmPicture
from attnviz.film.steps import Part, Step
from attnviz.film.wording import entry, exponential, factor, name, number, vector

# The matrix whose numbers a step makes.
_MADE: dict[Part, str] = {
    **SYMBOLS,
    "dot": "score",
    "scale": "scaled",
    "mask": "masked",
    "subtract": "exponential",
    "exponentiate": "exponential",
    "sum": "exponential",
    "divide": "weight",
    "mix": "output",
    "arrive": "output",
}


def caption_with_pins(frame: Frame, step: Step, sentence: str) -> str:
    """Tell of pinned numbers what the sentence of a step does not know.

    Parameters
    ----------
    frame : Frame
        The numbers.
    step : Step
        The step.
    sentence : str
        What is said where nothing is pinned.

    Returns
    -------
    str
        Another sentence where the step makes a pinned number; more is said where what it makes follows from one.
    """
    if step.is_of_layer:
        return f"{sentence[:-1]}, after pinned numbers." if _is_after_pins(frame, step) else sentence
    if not frame.pins or not _is_made(step):
        return sentence
    made = _MADE[step.part]
    pinned = [one for one in pins_in_force(frame) if one.kind == made and _is_in(one, step)]
    if len(pinned) == 1 and _makes_one(step):
        return _SENTENCES[step.part](frame, step, pinned[0])
    if pinned and step.part in SYMBOLS and len(_vectors(step)) == 1:
        return _vector_sentence(frame, step, pinned)
    if pinned:
        return f"{sentence[:-1]}; {len(pinned):,} of these numbers {'is' if len(pinned) == 1 else 'are'} pinned."
    if step.part not in SYMBOLS and provenance_of(frame).affected_rows(made)[step.rows.start : step.rows.stop].any():
        return f"{sentence[:-1]}, after pinned numbers."
    return sentence


def with_pins(frame: Frame, picture: FilmPicture) -> FilmPicture:
    """Mark the pinned cells of all blocks of a picture; the same picture where nothing is pinned."""
    if not frame.pins:
        return picture
    return replace(
        picture,
        equation=tuple(_marked(frame, part) if isinstance(part, Block) else part for part in picture.equation),
        then=tuple(_marked(frame, part) if isinstance(part, Block) else part for part in picture.then),
        terms=tuple(_marked(frame, block) for block in picture.terms),
        gathered=tuple(_marked(frame, block) for block in picture.gathered),
    )


def _marked(frame: Frame, block: Block) -> Block:
    origin = block.origin
    if origin is None:
        return block
    areas = (cells_within(block, origin, one.row, one.column) for one in shown_pins(frame, origin.kind))
    pinned = tuple((area.rows.start, area.columns.start) for area in areas if area is not None)
    return replace(block, pinned=pinned) if pinned else block


def _is_after_pins(frame: Frame, step: Step) -> bool:
    """Tell whether an output that a step reads, of any head, follows from a pinned number."""
    heads = (frame.at_head(head) for head in step.heads) if frame.state.interventions else ()
    return any(
        provenance_of(one).affected_rows("output")[step.rows.start : step.rows.stop].any() for one in heads if one.pins
    )


def _is_made(step: Step) -> bool:
    """Tell whether a step completes its numbers: a dot product is not complete before its last term."""
    return step.part != "dot" or step.term is None or step.term == step.n_terms - 1


def _makes_one(step: Step) -> bool:
    return step.part in _SENTENCES and len(step.rows) == 1 and len(step.columns) == 1


def _vectors(step: Step) -> range:
    return step.rows if step.part == "query" else step.columns


def _is_in(one: Intervention, step: Step) -> bool:
    if step.part in SYMBOLS:
        return one.row in _vectors(step)
    return one.row in step.rows and (not step.columns or one.column in step.columns)


def _vector_sentence(frame: Frame, step: Step, pinned: list[Intervention]) -> str:
    one, row = projection_of(frame, SYMBOLS[step.part]), _vectors(step)[0]
    made = vector(one.made[row], entry)
    which = f"entry {pinned[0].column + 1} is" if len(pinned) == 1 else f"{len(pinned):,} entries are"
    vector_name = f"{head_name(frame, of_keys=one.symbol != 'q')}{one.symbol}_{name(one.tokens[row])}"
    return f"{vector_name} = {made}: {which} pinned, the rest is {one.product(row)}{one.turn(row)}."


def _score_sentence(frame: Frame, step: Step, one: Intervention) -> str:
    query, key = step.row, step.columns[0]
    pair = f"q_{name(frame.query_tokens[query])} · k_{name(frame.key_tokens[key])}"
    computed = number(float(frame.q[query] @ frame.k[key]))
    return f"{pair} would be {computed}, but this score is pinned to {number(one.value)}."


def _weight_sentence(frame: Frame, step: Step, one: Intervention) -> str:
    trace, key = frame.row(step.row), step.columns[0]
    e, total = float(trace.exponentials[0, key]), float(totals(trace)[key])
    computed = number(unpinned_weight(trace, key)) if total else "0"
    share = f"{exponential(e)} ÷ {factor(number(total))} would be {computed}"
    return f"{share}, but the weight of {name(frame.key_tokens[key])} is pinned to {number(one.value)}."


_SENTENCES: dict[Part, Callable[[Frame, Step, Intervention], str]] = {
    "dot": _score_sentence,
    "divide": _weight_sentence,
}
