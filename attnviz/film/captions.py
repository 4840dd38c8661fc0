"""What the film says at each step: one sentence, with the real numbers of the frame it is shown for."""

from __future__ import annotations

from collections.abc import Callable

from attnviz.document.frame import Frame
from attnviz.engine import SCALE_RULES
from attnviz.film.budget import is_dropped
from attnviz.film.gathering import GATHERING
from attnviz.film.hiding import mask_caption
from attnviz.film.pins import caption_with_pins
from attnviz.film.projecting import projection_caption
from attnviz.film.sharing import divide_caption, exponentiate_caption, subtract_caption, sum_caption
from attnviz.film.steps import Part, Step
from attnviz.film.told import MOST_KEYS, Told
from attnviz.film.wording import entry, factor, number, quoted, vector


def caption(frame: Frame, step: Step) -> str:
    """Say what happens in a step.

    Parameters
    ----------
    frame : Frame
        The numbers.
    step : Step
        A step of a script of this frame's size.

    Returns
    -------
    str
        One sentence.
    """
    return caption_with_pins(frame, step, _SENTENCES[step.part](Told(frame, step)))


def multiplier_text(frame: Frame) -> str:
    """Write where the multiplier comes from: ``1/(T·√d_k) = 1/(1.0·√2) = 0.707``."""
    state = frame.state
    temperature, result = entry(state.temperature), number(frame.multiplier)
    d_k = f"{state.d_k:,}"
    known = {
        "sqrt_d_k": f"1/(T·√d_k) = 1/({temperature}·√{d_k})",
        "d_k": f"1/(T·d_k) = 1/({temperature}·{d_k})",
        "none": f"1/T = 1/{temperature}",
        "custom": f"{entry(state.custom_multiplier)}/T = {entry(state.custom_multiplier)}/{temperature}",
    }
    return f"{known.get(state.scale) or f'“{SCALE_RULES[state.scale].label}” ÷ {temperature}'} = {result}"


def _dot(told: Told) -> str:
    step, frame = told.step, told.frame
    if len(step.rows) > 1:
        return f"The scores of {told.queries} with all {told.n_key} keys: {len(step.rows) * step.n_key:,} dot products."
    if len(step.columns) > 1:
        scores = told.trace.scores[0, step.columns.start : step.columns.stop]
        best = step.columns[int(scores.argmax())]
        sentence = f"{told.query} with {told.keys}: {len(step.columns):,} dot products"
        return f"{sentence}, the largest with {quoted(frame.key_tokens[best])}, {number(float(scores.max()))}."
    key = step.columns[0]
    q, k = frame.q[step.row], frame.k[key]
    pair = f"{told.q} · k_{told.key}"
    score = number(float(told.trace.scores[0, key]))
    places = range(len(q)) if len(q) <= MOST_KEYS else (0, 1, len(q) - 1)
    if step.term is not None and step.term < step.n_terms - 1:
        at = step.term
        product = f"{entry(q[at])}·{factor(entry(k[at]))} = {number(float(q[at] * k[at]))}"
        so_far = f", so far {number(float(q[: at + 1] @ k[: at + 1]))}" if at else ""
        return f"{pair}, term {at + 1} of {step.n_terms}: {product}{so_far}."
    products = [f"{entry(q[i])}·{factor(entry(k[i]))}" for i in places]
    if len(places) < len(q):
        products.insert(2, "…")
    return f"{pair} = {' + '.join(products)} = {score}."


def _scale(told: Told) -> str:
    step = told.step
    way = multiplier_text(told.frame)
    if len(step.rows) > 1 or step.n_key > MOST_KEYS:
        return f"All {told.n_key} scores of {told.queries} times {way}."
    trace = told.trace
    pairs = [f"{number(a)} → {number(b)}" for a, b in zip(trace.scores[0], trace.scaled[0], strict=True)]
    return f"The scores of {told.query} times {way}: {', '.join(pairs)}."


def _mix(told: Told) -> str:
    if told.is_silent:
        return f"{told.query} sees no key and reads nothing{told.more}."
    trace, columns = told.trace, told.step.columns
    weights = trace.weights[0]
    if len(columns) > 1:
        count = "" if len(columns) == told.step.n_key else f"{len(columns):,} of "
        return f"{count}{told.n_key} values of {told.query}, each times its weight, are laid head to tail{told.more}."
    key = columns[0]
    if told.banned[key] and not weights[key]:
        return f"{told.keys} is masked: its weight is 0 and its value adds nothing."
    if is_dropped(trace, key) and not weights[key]:
        return f"{told.keys} is dropped: its weight is 0 and its value adds nothing."
    weight, value = float(weights[key]), told.frame.v[key]
    so_far = weights[: key + 1] @ told.frame.v[: key + 1]
    start = f"{number(weight)} · v_{told.key} = {number(weight)} · {vector(value, entry)} = {vector(weight * value)}"
    return f"{start}." if key == 0 else f"{start}, which brings the sum to {vector(so_far)}."


def _arrive(told: Told) -> str:
    output = vector(told.frame.output[told.step.row])
    if told.is_silent:
        return f"y{told.q[1:]} = {output}: no key is visible, so the output is 0{told.more}."
    if not told.trace.weights[0].any():
        return f"y{told.q[1:]} = {output}: no weight of {told.query} is left, so the output is 0{told.more}."
    return f"y{told.q[1:]} = {output}: the values, blended by the weights of {told.query}{told.more}."


_SENTENCES: dict[Part, Callable[[Told], str]] = {
    "query": projection_caption,
    "key": projection_caption,
    "value": projection_caption,
    "dot": _dot,
    "scale": _scale,
    "mask": mask_caption,
    "subtract": subtract_caption,
    "exponentiate": exponentiate_caption,
    "sum": sum_caption,
    "divide": divide_caption,
    "mix": _mix,
    "arrive": _arrive,
    **GATHERING,
}
