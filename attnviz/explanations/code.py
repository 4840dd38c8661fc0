"""Python that computes numbers of a frame again, with NumPy alone: only the inputs it needs, to the last bit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from attnviz.document.arrays import every
from attnviz.document.masking import diagonal_of
from attnviz.engine.normalise import LOWEST_EXPONENT
from attnviz.explanations.source import Source

RowStage: TypeAlias = Literal["scaled", "masked", "row_max", "exponentials", "normaliser", "weights"]
_STAGES: tuple[RowStage, ...] = ("scaled", "masked", "row_max", "exponentials", "normaliser", "weights")
_WIDTH = 100


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


def row(source: Source, query: int, last: RowStage) -> tuple[str, ...]:
    """Compute one row from its scores up to a stage, each stage under its own name."""
    numbers = source.row(query)
    n_key = source.frame.n_key
    power = "np.exp(masked - row_max)"
    if (numbers.masked[numbers.visible] < numbers.row_max + LOWEST_EXPONENT).any():
        floor = f"row_max - {-LOWEST_EXPONENT}"
        power = f"np.where(masked < {floor}, 0.0, np.exp(np.maximum(masked, {floor}) - row_max))"
    lines: dict[RowStage, tuple[str, ...]] = {
        "scaled": (multiplier(source), "scaled = scores * multiplier"),
        "masked": (visible(source, query), "masked = np.where(visible, scaled, -np.inf)"),
        "row_max": ("row_max = masked.max()",),
        "exponentials": (f"exponentials = {power}",),
        "normaliser": ("normaliser = exponentials.sum()",),
        "weights": ("weights = exponentials / normaliser", *_pinned_weights(source, query)),
    }
    if numbers.is_empty:
        lines |= {
            "row_max": ("row_max = 0.0  # no key is visible",),
            "exponentials": (f"exponentials = np.zeros({n_key})",),
            "weights": (f"weights = np.zeros({n_key})", *_pinned_weights(source, query)),
        }
    found = list(vector("scores", numbers.scores.tolist(), _meaning_of_scores(source, query)))
    for stage in _STAGES[: _STAGES.index(last) + 1]:
        found += lines[stage]
    return tuple(found)


def _meaning_of_scores(source: Source, query: int) -> str:
    """Say what the scores of a query are, and which of them somebody pinned to another value."""
    pins = [one for one in source.frame.pins.of("score") if one.row == query]
    pinned = ", ".join(f"{source.key(one.column).code} to {one.value!r}" for one in pins)
    meaning = f"q·k of {source.query(query).code} with every key"
    return f"{meaning}, but pinned: {pinned}" if pinned else meaning


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
