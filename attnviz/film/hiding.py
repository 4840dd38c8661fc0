"""What is said between the scaled scores and the softmax: soft cap, bias, which mask hides what, and how it does so."""

from __future__ import annotations

import numpy as np

from attnviz.document.arrays import FloatArray
from attnviz.document.positions import effect_of, key_positions, query_positions
from attnviz.document.state import State
from attnviz.engine import MASKING_METHODS, MASKS, POSITIONAL_ENCODINGS, alibi_slopes, relative_buckets
from attnviz.film.told import MOST_KEYS, Told
from attnviz.film.wording import entry, listed, number, vector

_RULES = {
    "window": "the window of {state.window:,}",
    "causal_window": "the causal window of {state.window:,}",
    "prefix": "the prefix mask of {state.prefix:,}",
    "block": "the mask of blocks of {state.block:,}",
    "custom": "the painted mask",
}
_PLAIN_RULES = ("none", "causal")
_BIASES = {"alibi": "ALiBi", "relative": "bucket bias"}
_UNBIASED = ("none", "sinusoidal", "learned", "rotary")
_METHODS = {
    "before": "leave before the softmax",
    "add_large_negative": "get −1,000,000,000 added to their score",
    "fill_large_negative": "get −1,000,000,000 as their score",
    "multiply_zero": "get their score times 0, and e^0 = 1 still takes a share",
    "after": "lose their weight only after the softmax",
    "after_renormalised": "lose their weight only after the softmax, and the rest is divided by the part that is left",
}
_MOST_KEYS_TWICE = 3
_ONE_OF_MANY = {"leave": "leaves", "get": "gets", "lose": "loses", "their": "its"}


def capped(told: Told) -> FloatArray:
    """Give the scaled scores of the row under the soft cap, shape (n_key,)."""
    scaled: FloatArray = told.trace.scaled[0]
    cap = told.state.soft_cap
    return cap * np.tanh(scaled / cap) if cap else scaled


def mask_caption(told: Told) -> str:
    """Say what becomes of the scaled scores of a step's rows."""
    changes = [*_cap(told), *_bias(told)]
    if len(told.step.rows) > 1:
        hiding = _several_rows(told, is_first=not changes)
    elif changes and not told.state.has_mask:
        hiding = f"no key is hidden from {told.query}"
    else:
        hiding = _one_row(told)
    sentence = ", then ".join([*changes, hiding])
    return f"{sentence[0].upper()}{sentence[1:]}."


def change_names(state: State) -> tuple[str, ...]:
    """List what is done to the scaled scores, in the fewest words."""
    bias = _BIASES.get(state.positions)
    if bias is None and state.positions not in _UNBIASED and effect_of(state).bias is not None:
        bias = f"bias {POSITIONAL_ENCODINGS[state.positions].label}"
    return (*(("soft cap",) if state.soft_cap else ()), *((bias,) if bias else ()))


def rule_name(state: State) -> str:
    """Name the rule of the mask within a sentence."""
    if state.mask in _PLAIN_RULES:
        return "the mask"
    rule = _RULES.get(state.mask)
    return f"the mask “{MASKS[state.mask].label}”" if rule is None else rule.format(state=state)


def method_words(state: State, count: int) -> str:
    """Say what becomes of so many keys that are hidden: ``leave before the softmax``."""
    words = _METHODS.get(state.masking)
    if words is None:
        return f"{'gets' if count == 1 else 'get'} the masking “{MASKING_METHODS[state.masking].label}”"
    if count != 1:
        return words
    return " ".join([_ONE_OF_MANY.get(word, word) for word in words.split(" ")])


def _cap(told: Told) -> list[str]:
    cap = told.state.soft_cap
    if not cap:
        return []
    formula = f"the soft cap {entry(cap)} · tanh(z ÷ {entry(cap)})"
    return [f"{formula} makes {vector(capped(told))}" if _has_room(told) else f"{formula} bends each score"]


def _bias(told: Told) -> list[str]:
    state, row = told.state, told.step.row
    whole = told.frame.layer.effect.bias
    if whole is None:
        return []
    is_told = _has_room(told)
    numbers = f": {vector(whole[told.frame.head, row])}" if is_told else ""
    if state.positions == "alibi":
        slope = float(alibi_slopes(state.n_heads)[told.frame.head])
        return [f"ALiBi adds {number(-slope)} · distance{numbers}"]
    if state.positions != "relative":
        return [f"{POSITIONAL_ENCODINGS[state.positions].label} adds the bias of its distance{numbers}"]
    if not is_told:
        return ["the learned bias of each distance's bucket is added"]
    buckets = relative_buckets(
        1,
        told.step.n_key,
        state.n_buckets,
        state.max_distance,
        is_bidirectional=state.is_bidirectional,
        query_positions=query_positions(state)[row : row + 1],
        key_positions=key_positions(state),
    )[0]
    return [f"the biases of the buckets {', '.join([str(bucket) for bucket in buckets.tolist()])} are added{numbers}"]


def _has_room(told: Told) -> bool:
    """Tell whether a sentence has room for a number of every key: for two of each only where there are few."""
    most = MOST_KEYS if len(change_names(told.state)) == 1 else _MOST_KEYS_TWICE
    return len(told.step.rows) == 1 and told.step.n_key <= most


def _several_rows(told: Told, *, is_first: bool) -> str:
    step, state = told.step, told.state
    count = int(told.frame.banned(np.asarray(step.rows), np.arange(step.n_key)).sum())
    cells = f"{count:,} of {len(step.rows) * step.n_key:,} cells {method_words(state, 2)}"
    who = _who(state).removeprefix("the ") if is_first else _who(state)
    return f"{who} {'of' if who.endswith('mask') else 'for'} {told.queries}: {cells}"


def _one_row(told: Told) -> str:
    state, step = told.state, told.step
    hidden = np.flatnonzero(told.banned)
    if len(hidden) == 0:
        seen = "its one key" if step.n_key == 1 else f"all {told.n_key} keys"
        return f"{_who(state)} {_verb(state)} nothing from {told.query}: it sees {seen}"
    if len(hidden) == step.n_key:
        end = "nothing is left to read" if state.masking == "before" else _count(told, len(hidden))
        return f"{_who(state)} {_verb(state)} every key from {told.query}: {end}"
    padded = [] if state.padding is None else np.flatnonzero(state.padding).tolist()
    by_rule = [key for key in hidden.tolist() if key not in set(padded)]
    said = []
    if by_rule:
        said.append(f"{rule_name(state)} hides {listed(told.frame.key_tokens, by_rule)} from {told.query}")
    if padded:
        said.append(f"padding hides {listed(told.frame.key_tokens, padded)} from every query")
    return f"{' and '.join(said)}: {_count(told, len(hidden))}"


def _count(told: Told, count: int) -> str:
    return f"{count:,} of {told.n_key} keys {method_words(told.state, count)}"


def _who(state: State) -> str:
    if state.padding is None:
        return rule_name(state)
    return "padding" if state.mask == "none" else f"{rule_name(state)} and padding"


def _verb(state: State) -> str:
    return "hide" if state.padding is not None and state.mask != "none" else "hides"
