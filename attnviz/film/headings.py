"""The short texts of a picture: the stage and what it computes under the settings in use, and what a row shares."""

from __future__ import annotations

from attnviz.document.frame import Frame
from attnviz.document.state import State
from attnviz.engine import MASKING_METHODS, SOFTMAX_VARIANTS, AttentionTrace
from attnviz.film.budget import further_logits, is_by_column, sharers
from attnviz.film.hiding import change_names
from attnviz.film.script import CHAPTERS
from attnviz.film.steps import Step
from attnviz.film.wording import number

_BY_STAGE = {chapter.stage: chapter for chapter in CHAPTERS}
_MASKING = {
    "before": "banned keys leave",
    "add_large_negative": "−10⁹ is added to banned keys",
    "fill_large_negative": "banned keys become −10⁹",
    "multiply_zero": "banned keys × 0",
    "after": "banned keys stay until after the softmax",
    "after_renormalised": "banned keys stay until after the softmax",
}
_OWN_FORMULAS = ("standard", "plus_one", "columns")  # a softmax registered from elsewhere has its label alone


def title_of(frame: Frame, step: Step) -> str:
    """Name the stage of a step with its number, and the head where there are several."""
    title = f"{step.number} {_BY_STAGE[step.stage].title}"
    has_head = frame.n_heads > 1 and not step.is_of_layer
    return f"{title}, head {frame.head + 1} of {frame.n_heads}" if has_head else title


def symbols_of(frame: Frame, step: Step) -> str:
    """Write what the stage of a step computes under the settings of a frame."""
    state = frame.state
    if step.stage == "project":
        return _projections(frame)
    if step.stage == "mask":
        how = _MASKING.get(state.masking) or f"banned keys: {MASKING_METHODS[state.masking].label}"
        hiding = [how] if state.has_mask or not change_names(state) else []
        return ", ".join([*change_names(state), *hiding])
    if step.stage == "softmax":
        return _softmax(state)
    if step.stage == "combine" and state.b_o is not None:
        return f"{_BY_STAGE[step.stage].symbols}, + b_O"
    return _BY_STAGE[step.stage].symbols


def is_wordy(frame: Frame) -> bool:
    """Tell whether sentences are longer than those of a plain head: there is more to say than product and softmax."""
    state = frame.state
    is_plain = (state.positions, state.masking, state.softmax) == ("none", "before", "standard")
    is_bare = all(one is None for one in (state.b_q, state.b_k, state.b_v, state.w_o, state.padding))
    return not (is_plain and is_bare) or state.n_heads > 1 or bool(state.soft_cap or state.dropout or state.has_sink)


def maximum_text(trace: AttentionTrace) -> str:
    """Say what is subtracted from the scores of one row."""
    return "maximum of each column" if is_by_column(trace) else f"maximum {number(float(trace.row_max[0]))}"


def budget_text(trace: AttentionTrace, *, has_total: bool, has_weights: bool) -> str:
    """Say what the budget of one row is, as far as it is known."""
    if is_by_column(trace):
        return "a budget for each key: the sum of its column" if not has_weights else "each ÷ the sum of its column"
    further = further_logits(trace)
    if not has_total:
        return " and ".join(["one budget: the sum of the exponentials", *further])
    total = number(float(trace.normaliser[0]))
    if not has_weights:
        return f"sum {total}: what {sharers(further)} share"
    return f"each ÷ {total}: the budget is 1"


def _projections(frame: Frame) -> str:
    state, effect = frame.state, frame.layer.effect
    if effect.added is None and state.b_q is state.b_k is state.b_v is None and not state.is_tied:
        plain = _BY_STAGE["project"].symbols
    else:
        x = "x" if effect.added is None else "(x + p)"
        matrices = {"q": "W_Q", "k": "W_Q" if state.is_tied else "W_K", "v": "W_V"}
        biases = {"q": state.b_q, "k": state.b_k, "v": state.b_v}
        plus = {symbol: "" if bias is None else f" + b_{symbol.upper()}" for symbol, bias in biases.items()}
        plain = ", ".join([f"{symbol} = {x}·{matrix}{plus[symbol]}" for symbol, matrix in matrices.items()])
    return plain if effect.rotary is None else f"{plain}; q and k turned"


def _softmax(state: State) -> str:
    further = [*(["+ 1"] if state.softmax == "plus_one" else []), *(["+ sink"] if state.has_sink else [])]
    if state.softmax not in _OWN_FORMULAS:
        formula = f"softmax: {SOFTMAX_VARIANTS[state.softmax].label}"
    elif state.softmax == "columns":
        formula = "weight = e^(s − column max) ÷ column sum"
    elif further:
        formula = f"weight = e^s ÷ (sum of e^s {' '.join([part.replace('sink', 'e^sink') for part in further])})"
    else:
        formula = _BY_STAGE["softmax"].symbols
    if state.has_mask and state.masking == "after":
        formula += ", then 0 where banned"
    elif state.has_mask and state.masking == "after_renormalised":
        formula += ", then 0 where banned and ÷ the part left"
    return f"{formula}, dropout" if state.dropout else formula
