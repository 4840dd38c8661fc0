"""How the formulas of the matrices read in a document: which biases, positions, masks and softmax are in them."""

from __future__ import annotations

from collections.abc import Callable

from attnviz.document.frame import Frame


def formula_in(frame: Frame, name: str, plain: str) -> str:
    """Give the formula of a matrix as it reads in a frame.

    Parameters
    ----------
    frame : Frame
        The frame.
    name : str
        The name of the matrix.
    plain : str
        Its formula in a layer without anything special.
    """
    return _FORMULAS[name](frame, plain) if name in _FORMULAS else plain


def _inputs(frame: Frame, *, is_of_keys: bool) -> str:
    letter = "C" if is_of_keys and frame.state.context is not None else "X"
    return letter if frame.layer.effect.added is None else f"{letter}′"


def _projection(frame: Frame, letter: str) -> str:
    """Write what makes queries, keys or values."""
    state = frame.state
    inputs = _inputs(frame, is_of_keys=letter != "Q")
    has_bias = getattr(state, f"b_{letter.lower()}") is not None
    acting = "Q" if letter == "K" and state.is_tied else letter
    product = f"{letter} = {inputs} W_{acting}" + (f" + b_{letter}" if has_bias else "")
    is_turned = frame.layer.effect.rotary is not None and letter != "V"
    return f"{product}, turned by position" if is_turned else product


def _queries(frame: Frame, _plain: str) -> str:
    return _projection(frame, "Q")


def _keys(frame: Frame, _plain: str) -> str:
    return _projection(frame, "K")


def _values(frame: Frame, _plain: str) -> str:
    return _projection(frame, "V")


def _key_matrix(frame: Frame, plain: str) -> str:
    return "W_K = W_Q, tied" if frame.state.is_tied else plain


def _position(frame: Frame, plain: str) -> str:
    if frame.state.positions == "learned":
        return f"{plain.partition(':')[0]}: the learned row of each position"
    return plain


def _bias(frame: Frame, plain: str) -> str:
    return "B: the learned bias of each distance" if frame.state.positions == "relative" else plain


def _masked(frame: Frame, plain: str) -> str:
    state = frame.state
    logits = "Z"
    if state.soft_cap:
        logits = f"{state.soft_cap:g} · tanh(Z ÷ {state.soft_cap:g})"
    if frame.layer.effect.bias is not None:
        logits = f"{logits} + B"
    if logits == "Z" and (not state.has_mask or state.masking == "before"):
        return plain
    if not state.has_mask:
        return f"Z′ = {logits}"
    acts = {
        "before": ", −∞ where the mask bans",
        "add_large_negative": ", and −1e9 more where the mask bans",
        "fill_large_negative": ", −1e9 where the mask bans",
        "multiply_zero": ", · 0 where the mask bans",
    }
    return f"Z′ = {logits}{acts.get(state.masking, ', the mask acts after the softmax')}"


def others_of(frame: Frame) -> tuple[str, ...]:
    """Name what takes attention in every row besides the keys, and gives nothing."""
    one = ("one more unit",) if frame.state.softmax == "plus_one" else ()
    return (*one, "the sink") if frame.state.has_sink else one


def _exponentials(frame: Frame, plain: str) -> str:
    if frame.state.softmax == "columns":
        return "E = exp(Z′ − column maximum)"
    if not others_of(frame):
        return plain
    return f"E = exp(Z′ − maximum of row and {'sink' if frame.state.has_sink else '0'})"


def _shares(frame: Frame) -> str:
    """Write what softmax and mask make of the exponentials."""
    state = frame.state
    others = others_of(frame)
    if state.softmax == "columns":
        shares = "E ÷ column sum of E"
    elif others:
        shares = f"E ÷ row sum of E with {' and '.join(others)}"
    else:
        shares = "E ÷ row sum of E"
    if state.has_mask and state.masking == "after":
        return f"{shares}, · 0 where the mask bans"
    if state.has_mask and state.masking == "after_renormalised":
        left = "row sum of that" if state.softmax == "standard" and not others else "what is left of the row sum"
        return f"{shares}, · 0 where the mask bans, ÷ {left}"
    return shares


def _layer_output(frame: Frame, plain: str) -> str:
    if frame.state.w_o is None:
        return "O = H, without W_O"
    return plain if frame.state.b_o is None else f"{plain} + b_O"


def _undropped(frame: Frame, _plain: str) -> str:
    return f"A° = {_shares(frame)}"


def _weights(frame: Frame, _plain: str) -> str:
    if frame.state.dropout:
        return f"A = A° ÷ (1 − {frame.state.dropout:g}), or 0 where dropout strikes"
    return f"A = {_shares(frame)}"


_FORMULAS: dict[str, Callable[[Frame, str], str]] = {
    "position": _position,
    "context_position": _position,
    "w_k": _key_matrix,
    "q": _queries,
    "k": _keys,
    "v": _values,
    "bias": _bias,
    "masked": _masked,
    "exponential": _exponentials,
    "undropped": _undropped,
    "weight": _weights,
    "layer_output": _layer_output,
}
