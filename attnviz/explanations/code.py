"""Python that computes numbers of a frame again, with NumPy alone: only the inputs it needs, to the last bit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from attnviz.document.arrays import FloatArray, every
from attnviz.document.masking import diagonal_of
from attnviz.engine import AttentionOptions
from attnviz.engine.masking import LARGE_NEGATIVE
from attnviz.engine.normalise import LOWEST_EXPONENT
from attnviz.explanations.rows import Budget
from attnviz.explanations.source import Source

RowStage: TypeAlias = Literal[
    "scaled", "masked", "row_max", "exponentials", "normaliser", "shares", "kept", "undropped", "weights"
]
_STAGES: tuple[RowStage, ...] = (
    *("scaled", "masked", "row_max", "exponentials", "normaliser"),
    *("shares", "kept", "undropped", "weights"),
)
_WIDTH = 100
_METHODS = {
    "before": "np.where(visible, {}, -np.inf)",
    "add_large_negative": f"np.where(visible, {{0}}, {{0}} + {LARGE_NEGATIVE!r})",
    "fill_large_negative": f"np.where(visible, {{}}, {LARGE_NEGATIVE!r})",
    "multiply_zero": "np.where(visible, {}, 0.0)",
}
AFTER, RENORMALISED = "after", "after_renormalised"


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """What a program is given of one row or column of the matrices."""

    scores: FloatArray
    bias: FloatArray | None
    visible: tuple[str, ...]
    title: str


def script(lines: Sequence[str]) -> str:
    """Make a whole program of lines that compute ``result``."""
    return "\n".join(["import numpy as np", "", *lines, "print(float(result))", ""])


def vector(name: str, numbers: Sequence[float], comment: str) -> tuple[str, ...]:
    """Assign an array, exact, with a comment before it."""
    texts = [repr(float(x)) for x in numbers]
    line = f"{name} = np.array([{', '.join(texts)}])"
    if len(line) <= _WIDTH:
        return (f"# {comment}", line)
    return (f"# {comment}", f"{name} = np.array([", *_filled(texts), "])")


def multiplier(source: Source) -> str:
    """Assign the multiplier as it is computed."""
    state = source.state
    if source.is_bounded:
        return f"multiplier = {source.frame.multiplier!r}  # lowered, so that nothing overflows"
    factors = {"none": "1.0", "sqrt_d_k": f"1.0 / np.sqrt({state.d_k})", "d_k": f"1.0 / {state.d_k}"}
    return f"multiplier = {factors.get(state.scale, repr(source.rule_factor))} / {state.temperature!r}"


def visible(source: Source, query: int) -> str:
    """Assign which keys a query sees."""
    n_key = source.frame.n_key
    state = source.state
    if not state.has_mask:
        return f"visible = np.ones({n_key}, dtype=bool)"
    offset = diagonal_of(state)
    if offset is not None and state.padding is None:
        return f"visible = np.arange({n_key}) <= {query + offset}  # the causal mask"
    seen = np.flatnonzero(~source.frame.banned(np.array([query]), every(n_key))[0])
    return f"visible = np.isin(np.arange({n_key}), {seen.tolist()})  # the keys that the mask leaves"


def masked_cell(source: Source, query: int, key: int, score: float, bias: float | None) -> tuple[str, ...]:
    """Compute one masked score from its raw score."""
    lines, name = _logit(source, None if bias is None else f"{bias!r}  # the bias of this distance")
    method = source.state.masking
    found = [f"score = {score!r}", multiplier(source)]
    if not lines and (method == "before" or not source.state.has_mask):
        return (*found, visible(source, query), f"result = score * multiplier if visible[{key}] else -np.inf")
    found += ["scaled = score * multiplier", *lines]
    if method not in _METHODS or not source.state.has_mask:
        return (*found, f"result = {name}")
    banned = {
        "before": "-np.inf",
        "add_large_negative": f"{name} + {LARGE_NEGATIVE!r}",
        "fill_large_negative": repr(LARGE_NEGATIVE),
        "multiply_zero": "0.0",
    }[method]
    return (*found, visible(source, query), f"result = {name} if visible[{key}] else {banned}")


def row(source: Source, query: int, last: RowStage) -> tuple[str, ...]:
    """Compute one row from its scores up to a stage, each stage under its own name."""
    numbers, options = source.row(query), _options_of(source, query)
    bias = None if options.bias is None else options.bias[0]
    line = _Line(numbers.scores, bias, (visible(source, query),), _meaning_of_scores(source, query))
    lines = _to_the_mask(source, line)
    if source.is_by_column:
        lines |= _shared_by_columns(source, query)
    else:
        lines |= _shared(source, source.budget(query))
    lines |= _weights(source, query)
    return _joined(line, lines, last)


def _meaning_of_scores(source: Source, query: int) -> str:
    """Say what the scores of a query are, and which of them somebody pinned to another value."""
    pins = [one for one in source.frame.pins.of("score") if one.row == query]
    pinned = ", ".join(f"{source.key(one.column).code} to {one.value!r}" for one in pins)
    return _with_pins(f"q·k of {source.query(query).code} with every key", pinned)


def _with_pins(meaning: str, pinned: str) -> str:
    return f"{meaning}, but pinned: {pinned}" if pinned else meaning


def budget(source: Source, index: int, last: RowStage) -> tuple[str, ...]:
    """Compute what one query shares out from its scores; under the columns' softmax what one key does."""
    if not source.is_by_column:
        return row(source, index, last)
    trace = source.frame.trace
    options = trace.options
    seen = np.ones(len(trace.scores), np.bool_) if options.allowed is None else options.allowed[:, index]
    bias = None if options.bias is None else options.bias[:, index]
    seeing = f"visible = np.isin(np.arange({len(seen)}), {np.flatnonzero(seen).tolist()})  # the queries that see it"
    line = _Line(trace.scores[:, index], bias, (seeing,), _meaning_of_column(source, index))
    return _joined(line, _to_the_mask(source, line) | _shared(source, source.budget(index)), last)


def _meaning_of_column(source: Source, key: int) -> str:
    """Say what the scores of a key are, and which of them somebody pinned to another value."""
    pins = [one for one in source.frame.pins.of("score") if one.column == key]
    pinned = ", ".join(f"{source.query(one.row).code} to {one.value!r}" for one in pins)
    return _with_pins(f"q·k of every query with {source.key(key).code}", pinned)


def _joined(line: _Line, lines: dict[RowStage, tuple[str, ...]], last: RowStage) -> tuple[str, ...]:
    found = list(vector("scores", line.scores.tolist(), line.title))
    for stage in _STAGES[: _STAGES.index(last) + 1]:
        found += lines[stage]
    return tuple(found)


def _to_the_mask(source: Source, line: _Line) -> dict[RowStage, tuple[str, ...]]:
    """Compute what enters the softmax."""
    state = source.state
    lines, name = _logit(source, None if line.bias is None else "bias")
    if line.bias is not None:
        lines = [*vector("bias", line.bias.tolist(), "the bias of each distance"), *lines]
    method = _METHODS.get(state.masking if state.has_mask else "before")
    if method is None:
        lines.append(f"masked = {name}  # the mask acts after the softmax")
    else:
        lines += [*line.visible, f"masked = {method.format(name)}"]
    return {"scaled": (multiplier(source), "scaled = scores * multiplier"), "masked": tuple(lines)}


def _logit(source: Source, bias: str | None) -> tuple[list[str], str]:
    """Compute from ``scaled`` what the mask finds, and tell under which name."""
    lines, name, cap = [], "scaled", source.state.soft_cap
    if cap:
        if source.frame.limit("scaled") / cap == np.inf:
            lines.append('np.seterr(over="ignore")  # the tanh of what is beyond floats is 1')
        lines.append(f"capped = {cap!r} * np.tanh(scaled / {cap!r})")
        name = "capped"
    if bias is not None:
        lines.append(f"biased = {name} + {bias}")
        name = "biased"
    return lines, name


def _shared(source: Source, numbers: Budget) -> dict[RowStage, tuple[str, ...]]:
    """Compute maximum, exponentials and their sum of what shares out one unit."""
    maximum: tuple[str, ...] = ("row_max = masked.max()",)
    total: tuple[str, ...] = ("normaliser = exponentials.sum()",)
    exponentials = f"exponentials = {_power(numbers.masked, numbers.largest)}"
    if numbers.others:
        maximum = (f"other = {_other(source)}", "row_max = max(masked.max(), other)")
        total = ("normaliser = exponentials.sum() + np.exp(other - row_max)",)
    elif numbers.is_silent:
        what = "query sees it" if source.is_by_column else "key is visible"
        maximum = (f"row_max = 0.0  # no {what}",)
        exponentials = f"exponentials = np.zeros({len(numbers.masked)})"
    return {"row_max": maximum, "exponentials": (exponentials,), "normaliser": total}


def _shared_by_columns(source: Source, query: int) -> dict[RowStage, tuple[str, ...]]:
    """Take maximum and sum of each column as given."""
    numbers = source.row(query)
    return {
        "row_max": vector("row_max", numbers.maxima.tolist(), "the largest masked score of each column"),
        "exponentials": (f"exponentials = {_power(numbers.masked, numbers.maxima)}",),
        "normaliser": vector("normaliser", numbers.totals.tolist(), "the sum of the exponentials of each column"),
    }


def _weights(source: Source, query: int) -> dict[RowStage, tuple[str, ...]]:
    """Compute the weights of a query from its exponentials."""
    numbers, state = source.row(query), source.state
    acts_later = state.has_mask and state.masking in (AFTER, RENORMALISED)
    first = "shares" if acts_later else "weights"
    total = "normaliser"
    if not (numbers.totals > 0.0).all():
        total = "np.where(normaliser > 0.0, normaliser, 1.0)"
    share = f"{first} = exponentials / {total}"
    if not source.is_by_column and source.budget(query).is_silent:
        share = f"{first} = np.zeros({source.frame.n_key})"
    kept: list[str] = []
    undropped: list[str] = []
    if acts_later:
        kept = [visible(source, query), "kept = shares * visible"]
        is_divided = state.masking == RENORMALISED and numbers.kept_shares > 0.0
        undropped = [f"weights = kept / {left_of_row(source, query)}" if is_divided else "weights = kept"]
    dropped: list[str] = []
    if state.dropout:
        places = np.flatnonzero(numbers.kept).tolist()
        dropped = [
            f"survivors = np.isin(np.arange({source.frame.n_key}), {places})  # by chance",
            f"weights = weights * survivors / (1.0 - {state.dropout!r})",
        ]
    return {
        "shares": (share,),
        "kept": tuple(kept),
        "undropped": tuple(undropped),
        "weights": (*dropped, *_pinned_weights(source, query)),
    }


def left_of_row(source: Source, query: int) -> str:
    """Write which part of the shares of a row a mask after the softmax leaves."""
    numbers = source.row(query)
    return "kept.sum()" if numbers.is_row_of_one or not numbers.kept_shares else "(kept.sum() / shares.sum())"


def _options_of(source: Source, query: int) -> AttentionOptions:
    found: AttentionOptions = source.frame.row(query).options
    return found


def _other(source: Source) -> str:
    """Give the logit of what takes attention and gives nothing."""
    if source.sink is None:
        return "0.0  # the one more unit"
    if source.state.softmax == "plus_one":
        return f"np.logaddexp(0.0, {source.sink!r})  # the one more unit, and the sink"
    return f"{source.sink!r}  # the sink"


def _power(masked: FloatArray, largest: FloatArray | float) -> str:
    """Write the exponentials; those too small to count are exactly 0."""
    is_there = masked != -np.inf
    if not (is_there & (masked < largest + LOWEST_EXPONENT)).any():
        return "np.exp(masked - row_max)"
    floor = f"row_max - {-LOWEST_EXPONENT}"
    return f"np.where(masked < {floor}, 0.0, np.exp(np.maximum(masked, {floor}) - row_max))"


def _pinned_weights(source: Source, query: int) -> tuple[str, ...]:
    pins = source.frame.pins.of("weight")
    return tuple(f"weights[{one.column}] = {one.value!r}  # pinned" for one in pins if one.row == query)


def _filled(texts: Sequence[str]) -> list[str]:
    lines, line = [], "   "
    for text in texts:
        if len(line) + len(text) + 2 > _WIDTH:
            lines.append(line)
            line = "   "
        line += f" {text},"
    return [*lines, line]
