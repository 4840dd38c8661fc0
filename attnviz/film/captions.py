"""What the film says at each step: one sentence, with the real numbers of the frame it is shown for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from attnviz.document.frame import Frame
from attnviz.engine import AttentionTrace
from attnviz.film.pins import caption_with_pins
from attnviz.film.steps import Part, Step
from attnviz.film.wording import (
    entry,
    exponential,
    factor,
    listed,
    name,
    number,
    quoted,
    several,
    two_places,
    vector,
)

_MOST_KEYS = 6
_LARGEST_PLAIN = 12.0  # e to this power still has few digits


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
    return caption_with_pins(frame, step, _SENTENCES[step.part](_Told(frame, step)))


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
    return f"{known[state.scale]} = {result}" if state.scale in known else result


class _Told:
    """A step with what its sentence needs, read from the frame when asked for."""

    def __init__(self, frame: Frame, step: Step) -> None:
        self.frame, self.step = frame, step
        self.queries = several(frame.query_tokens, step.rows)
        self.q = f"q_{name(frame.query_tokens[step.row])}"
        self.query = quoted(frame.query_tokens[step.row])
        self.key = name(frame.key_tokens[step.columns[0]]) if step.columns else ""
        self.keys = several(frame.key_tokens, step.columns) if step.columns else ""
        self.n_key = f"{step.n_key:,}"

    @property
    def trace(self) -> AttentionTrace:
        return self.frame.row(self.step.row)

    @property
    def is_empty(self) -> bool:
        return bool(self.frame.empty_rows[self.step.row])

    @property
    def is_silent(self) -> bool:
        """Whether the row sees no key, and no weight of it is pinned to anything."""
        return self.is_empty and not self.trace.weights[0].any()

    @property
    def more(self) -> str:
        """What is said of the other rows of a step that covers several."""
        n = len(self.step.rows)
        return "" if n == 1 else f" (and {n - 1:,} rows before it)"


def _query(told: _Told) -> str:
    rows = told.step.rows
    if len(rows) > 1:
        return f"The embeddings of {told.queries} times W_Q make {len(rows):,} queries."
    made = vector(told.frame.q[rows[0]], entry)
    return f"{told.q} = x{told.q[1:]} · W_Q = {made}: what {told.query} looks for."


def _key(told: _Told) -> str:
    columns = told.step.columns
    if len(columns) > 1:
        return f"The embeddings of {told.keys} times W_K make {len(columns):,} keys."
    made = vector(told.frame.k[columns[0]], entry)
    return f"k_{told.key} = x_{told.key} · W_K = {made}: how {told.keys} can be found."


def _value(told: _Told) -> str:
    columns = told.step.columns
    if len(columns) > 1:
        return f"The embeddings of {told.keys} times W_V make {len(columns):,} values."
    made = vector(told.frame.v[columns[0]], entry)
    return f"v_{told.key} = x_{told.key} · W_V = {made}: what {told.keys} hands over."


def _dot(told: _Told) -> str:
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
    places = range(len(q)) if len(q) <= _MOST_KEYS else (0, 1, len(q) - 1)
    if step.term is not None and step.term < step.n_terms - 1:
        at = step.term
        product = f"{entry(q[at])}·{factor(entry(k[at]))} = {number(float(q[at] * k[at]))}"
        so_far = f", so far {number(float(q[: at + 1] @ k[: at + 1]))}" if at else ""
        return f"{pair}, term {at + 1} of {step.n_terms}: {product}{so_far}."
    products = [f"{entry(q[i])}·{factor(entry(k[i]))}" for i in places]
    if len(places) < len(q):
        products.insert(2, "…")
    return f"{pair} = {' + '.join(products)} = {score}."


def _scale(told: _Told) -> str:
    step = told.step
    way = multiplier_text(told.frame)
    if len(step.rows) > 1 or step.n_key > _MOST_KEYS:
        return f"All {told.n_key} scores of {told.queries} times {way}."
    trace = told.trace
    pairs = [f"{number(a)} → {number(b)}" for a, b in zip(trace.scores[0], trace.scaled[0], strict=True)]
    return f"The scores of {told.query} times {way}: {', '.join(pairs)}."


def _mask(told: _Told) -> str:
    step, frame = told.step, told.frame
    if len(step.rows) > 1:
        count = int(frame.banned(np.asarray(step.rows), np.arange(step.n_key)).sum())
        whole = len(step.rows) * step.n_key
        return f"Mask of {told.queries}: {count:,} of {whole:,} cells leave before the softmax."
    hidden = np.flatnonzero(told.trace.masked[0] == -np.inf)
    if len(hidden) == 0:
        seen = "its one key" if step.n_key == 1 else f"all {told.n_key} keys"
        return f"The mask hides nothing from {told.query}: it sees {seen}."
    if told.is_empty:
        return f"The mask hides every key from {told.query}: nothing is left to read."
    names = listed(frame.key_tokens, hidden.tolist())
    verb = "leaves" if len(hidden) == 1 else "leave"
    return f"The mask hides {names} from {told.query}: {len(hidden):,} of {told.n_key} keys {verb} before the softmax."


def _subtract(told: _Told) -> str:
    if told.is_empty:
        return f"{told.query} sees no key: there is no maximum to subtract{told.more}."
    trace = told.trace
    masked, largest = trace.masked[0], float(trace.row_max[0])
    best = quoted(told.frame.key_tokens[int(masked.argmax())])
    start = f"The largest score of {told.query} is {number(largest)} ({best})"
    if told.step.n_key > _MOST_KEYS:
        return f"{start}; it is subtracted from each{told.more}."
    rest = vector([x for x in masked - largest if x != -np.inf])
    return f"{start}; subtracted from each it leaves {rest}."


def _exponentiate(told: _Told) -> str:
    if told.is_empty:
        return f"{told.query} sees no key: every exponential is 0{told.more}."
    trace, columns = told.trace, told.step.columns
    largest = float(trace.row_max[0])
    if len(columns) > 1:
        count = "" if len(columns) == told.step.n_key else f"{len(columns):,} of "
        if not count and told.step.n_key <= _MOST_KEYS:
            made = vector(trace.exponentials[0].tolist(), exponential)
            return f"e^(score − {factor(number(largest))}) for each key of {told.query}: {made}{told.more}."
        least = float(trace.exponentials[0, columns.start : columns.stop].min())
        power = f"e^(score − {factor(number(largest))})"
        return f"{power} for {count}{told.n_key} keys of {told.query}: from {number(least)} on{told.more}."
    score, e = float(trace.masked[0, columns[0]]), float(trace.exponentials[0, columns[0]])
    if score == -np.inf:
        return f"e^(−∞) = 0: {told.keys} is masked and takes no part."
    plain = f" (without the subtraction {two_places(float(np.exp(score)))})" if _is_plain(largest) else ""
    return f"e^({number(score)} − {factor(number(largest))}) = {exponential(e)} for {told.keys}{plain}."


def _sum(told: _Told) -> str:
    if told.is_empty:
        return f"{told.query} sees no key: the sum is 0{told.more}."
    trace = told.trace
    largest, total = float(trace.row_max[0]), number(float(trace.normaliser[0]))
    seen = trace.masked[0] != -np.inf
    if told.step.n_key > _MOST_KEYS:
        return f"The {int(seen.sum()):,} exponentials of {told.query} add up to {total}: one budget for all{told.more}."
    terms = " + ".join([exponential(x) for x in trace.exponentials[0][seen]])
    plain = np.exp(trace.masked[0][seen]) if _is_plain(largest) else np.empty(0)
    said = " + ".join([two_places(x) for x in plain])
    without = f" (without the subtraction {said} = {two_places(float(plain.sum()))})" if plain.size > 1 else ""
    return f"{terms} = {total}: one budget for all keys{without}."


def _divide(told: _Told) -> str:
    if told.is_empty:
        return f"{told.query} sees no key: all its weights are 0{told.more}."
    trace, columns = told.trace, told.step.columns
    total = number(float(trace.normaliser[0]))
    if len(columns) > 1:
        weights = trace.weights[0, columns.start : columns.stop]
        best = quoted(told.frame.key_tokens[columns[int(weights.argmax())]])
        start = f"Each exponential of {told.query} ÷ {total}"
        if len(columns) == told.step.n_key <= _MOST_KEYS:
            return f"{start} = {vector(weights.tolist())}: its weights{told.more}."
        return f"{start}: the largest weight goes to {best}, {number(float(weights.max()))}{told.more}."
    made, weight = float(trace.exponentials[0, columns[0]]), float(trace.weights[0, columns[0]])
    share = f"{100.0 * weight:.1f} % of the attention of {told.query} goes to {told.keys}"
    return f"{exponential(made)} ÷ {total} = {number(weight)}: {share}."


def _mix(told: _Told) -> str:
    if told.is_silent:
        return f"{told.query} sees no key and reads nothing{told.more}."
    trace, columns = told.trace, told.step.columns
    weights = trace.weights[0]
    if len(columns) > 1:
        count = "" if len(columns) == told.step.n_key else f"{len(columns):,} of "
        return f"{count}{told.n_key} values of {told.query}, each times its weight, are laid head to tail{told.more}."
    key = columns[0]
    if trace.masked[0, key] == -np.inf and not weights[key]:
        return f"{told.keys} is masked: its weight is 0 and its value adds nothing."
    weight, value = float(weights[key]), told.frame.v[key]
    so_far = weights[: key + 1] @ told.frame.v[: key + 1]
    start = f"{number(weight)} · v_{told.key} = {number(weight)} · {vector(value, entry)} = {vector(weight * value)}"
    return f"{start}." if key == 0 else f"{start}, which brings the sum to {vector(so_far)}."


def _arrive(told: _Told) -> str:
    output = vector(told.frame.output[told.step.row])
    if told.is_silent:
        return f"y{told.q[1:]} = {output}: no key is visible, so the output is 0{told.more}."
    return f"y{told.q[1:]} = {output}: the values, blended by the weights of {told.query}{told.more}."


def _is_plain(largest: float) -> bool:
    """Tell whether exponentials without the subtraction are numbers a person can read."""
    return largest != 0.0 and abs(largest) <= _LARGEST_PLAIN


_SENTENCES: dict[Part, Callable[[_Told], str]] = {
    "query": _query,
    "key": _key,
    "value": _value,
    "dot": _dot,
    "scale": _scale,
    "mask": _mask,
    "subtract": _subtract,
    "exponentiate": _exponentiate,
    "sum": _sum,
    "divide": _divide,
    "mix": _mix,
    "arrive": _arrive,
}
