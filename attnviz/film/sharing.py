"""What is said of the softmax: what is subtracted, what the exponentials are, their sum, and who gets how much."""

from __future__ import annotations

import numpy as np

from attnviz.film.budget import (
    further_exponentials,
    further_logits,
    is_by_column,
    is_dropped,
    kept_sum,
    maxima,
    sharers,
    shares,
    totals,
)
from attnviz.film.told import Told
from attnviz.film.wording import entry, exponential, factor, number, quoted, two_places, vector

_LARGEST_PLAIN = 12.0  # e to this power still has few digits


def subtract_caption(told: Told) -> str:
    """Say what is subtracted from the scores."""
    trace = told.trace
    masked = trace.masked[0]
    seen = masked != -np.inf
    if is_by_column(trace):
        start = "The largest score of each key's column is subtracted"
        if not told.is_short or not seen.any():
            return f"{start}, not that of the row of {told.query}{told.more}."
        rest = vector((masked - maxima(trace))[seen])
        return f"{start}, {vector(maxima(trace)[seen])}; that leaves {rest} for {told.query}."
    further, largest = further_logits(trace), float(trace.row_max[0])
    if told.is_empty:
        if further:
            start = f"{told.query} sees no key: the largest logit is {number(largest)}"
            return f"{start}, that of {_together(further)}{told.more}."
        return f"{told.query} sees no key: there is no maximum to subtract{told.more}."
    if float(masked.max()) == largest:
        best = quoted(told.frame.key_tokens[int(masked.argmax())])
        start = f"The largest score of {told.query} is {number(largest)} ({best})"
    elif further:
        start = f"The largest logit of {told.query} is {number(largest)}, that of {_together(further)}"
    else:  # of a softmax that is registered from elsewhere, and does more to the scores than subtract
        start = f"The softmax takes {number(largest)} for the largest logit of {told.query}"
        return f"{start}; it is subtracted from each{told.more}."
    if not told.is_short:
        return f"{start}; it is subtracted from each{told.more}."
    return f"{start}; subtracted from each it leaves {vector((masked - largest)[seen])}."


def exponentiate_caption(told: Told) -> str:
    """Say what the exponentials are."""
    if told.is_empty:
        return f"{told.query} sees no key: every exponential is 0{told.more}."
    trace, columns = told.trace, told.step.columns
    by_column = is_by_column(trace)
    if len(columns) > 1:
        largest = "its column's maximum" if by_column else factor(number(float(trace.row_max[0])))
        power = f"e^(score − {largest})"
        count = "" if len(columns) == told.step.n_key else f"{len(columns):,} of "
        if not count and told.is_short:
            made = vector(trace.exponentials[0].tolist(), exponential)
            return f"{power} for each key of {told.query}: {made}{told.more}."
        least = float(trace.exponentials[0, columns.start : columns.stop].min())
        return f"{power} for {count}{told.n_key} keys of {told.query}: from {number(least)} on{told.more}."
    key = columns[0]
    score, e, largest_here = float(trace.masked[0, key]), float(trace.exponentials[0, key]), float(maxima(trace)[key])
    if score == -np.inf:
        return f"e^(−∞) = 0: {told.keys} is masked and takes no part."
    power = f"e^({number(score)} − {factor(number(largest_here))}) = {exponential(e)}"
    if told.banned[key] and told.state.masking == "multiply_zero":
        return f"{power} for {told.keys}: its score was multiplied by 0, and it still takes a share."
    if told.banned[key]:
        return f"{power} for {told.keys}, which is masked{_yet(told)}."
    plain = f" (without the subtraction {two_places(float(np.exp(score)))})" if _is_plain(largest_here) else ""
    column = ", the maximum being that of its column" if by_column else ""
    return f"{power} for {told.keys}{plain}{column}."


def sum_caption(told: Told) -> str:
    """Say what the exponentials add up to."""
    trace = told.trace
    if is_by_column(trace):
        start = "Each key's column adds up on its own, over all queries"
        if not told.is_short:
            return f"{start}: a budget for every key, not for {told.query}{told.more}."
        return f"{start}: {vector(totals(trace))}, a budget for each key."
    further, total = further_exponentials(trace), number(float(trace.normaliser[0]))
    if told.is_empty:
        if further:
            return f"{told.query} sees no key: the sum is {total}, that of {_together(further)} alone{told.more}."
        return f"{told.query} sees no key: the sum is 0{told.more}."
    seen = trace.masked[0] != -np.inf
    budget = f"one budget for {sharers(further)}"
    if not told.is_short:
        for_all = budget if further else "one budget for all"
        count = int(seen.sum())
        added = "".join([f" and {exponential(x)} of {name}" for name, x in further.items()])
        return f"The {count:,} exponentials of {told.query}{added} add up to {total}: {for_all}{told.more}."
    terms = " + ".join(
        [
            *[exponential(x) for x in trace.exponentials[0][seen]],
            *[f"{exponential(x)} ({name})" for name, x in further.items()],
        ]
    )
    return f"{terms} = {total}: {budget}{_without_subtraction(told)}."


def divide_caption(told: Told) -> str:
    """Say which weights come of the exponentials."""
    if told.is_empty:
        return f"{told.query} sees no key: all its weights are 0{told.more}."
    if len(told.step.columns) > 1:
        return _several_weights(told)
    return _one_weight(told)


def _one_weight(told: Told) -> str:
    trace, state, key = told.trace, told.state, told.step.columns[0]
    by_column = is_by_column(trace)
    divisor, weight = float(totals(trace)[key]), float(trace.weights[0, key])
    if divisor == 0.0:
        return f"No query sees {told.keys}: its column is empty and the weight is 0."
    share = number(float(shares(trace)[key]))
    sentence = f"{exponential(float(trace.exponentials[0, key]))} ÷ {factor(number(divisor))} = {share}"
    if told.banned[key] and state.masking in ("after", "after_renormalised"):
        return f"{sentence}, but the mask sets the weight of {told.keys} to 0 after the softmax."
    if state.has_mask and state.masking == "after_renormalised":
        kept = kept_sum(trace)
        sentence += f", and ÷ {number(kept)}, the part the mask left, = {number(float(trace.undropped[0, key]))}"
    if is_dropped(trace, key):
        return f"{sentence}, but dropout drops it: the weight of {told.keys} is 0."
    if trace.options.keep is not None:
        rate = entry(trace.options.drop_rate)
        return f"{sentence}, kept by dropout and ÷ (1 − {rate}) = {number(weight)}: the weight of {told.keys}."
    percent = f"{100.0 * weight:.1f} %"
    if by_column:
        return f"{sentence}: {percent} of the budget of the key {told.keys} goes to {told.query}."
    return f"{sentence}: {percent} of the attention of {told.query} goes to {told.keys}."


def _several_weights(told: Told) -> str:
    trace, columns = told.trace, told.step.columns
    divisor = "its column's sum" if is_by_column(trace) else number(float(trace.normaliser[0]))
    weights = trace.weights[0, columns.start : columns.stop]
    after = _afterwards(told)
    start = f"Each exponential of {told.query} ÷ {divisor}{after}"
    if len(columns) == told.step.n_key and told.is_short:
        return f"{start}{',' if after else ''} = {vector(weights.tolist())}: its weights{told.more}."
    best = quoted(told.frame.key_tokens[columns[int(weights.argmax())]])
    return f"{start}: the largest weight goes to {best}, {number(float(weights.max()))}{told.more}."


def _afterwards(told: Told) -> str:
    """Say what is done to all weights of a row after the division."""
    state, trace = told.state, told.trace
    done = ""
    if state.has_mask and state.masking == "after":
        done += ", 0 where masked"
    elif state.has_mask and state.masking == "after_renormalised":
        kept = kept_sum(trace)
        done += ", 0 where masked" + (f" and the rest ÷ {number(kept)}" if kept else "")
    if trace.options.keep is not None:
        done += f", dropped or ÷ (1 − {entry(trace.options.drop_rate)})"
    return done


def _without_subtraction(told: Told) -> str:
    """Tell the same sum without the subtraction, where its numbers can be read."""
    trace = told.trace
    further = further_logits(trace)
    if not _is_plain(float(trace.row_max[0])):
        return ""
    logits = [*trace.masked[0][trace.masked[0] != -np.inf], *further.values()]
    plain = np.exp(logits)
    if plain.size < 2:
        return ""
    said = " + ".join([two_places(float(x)) for x in plain])
    return f" (without the subtraction {said} = {two_places(float(plain.sum()))})"


def _yet(told: Told) -> str:
    return " only after the softmax" if told.state.masking in ("after", "after_renormalised") else ""


def _together(further: dict[str, float]) -> str:
    return " and ".join(further) + (" together" if len(further) > 1 else "")


def _is_plain(largest: float) -> bool:
    """Tell whether exponentials without the subtraction are numbers a person can read."""
    return largest != 0.0 and abs(largest) <= _LARGEST_PLAIN
