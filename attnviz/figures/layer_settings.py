"""What the caption of a figure says of the layer: its mask, softmax, positions and heads, where they are special."""

from __future__ import annotations

from attnviz.document.frame import Frame
from attnviz.document.state import SCALARS, State
from attnviz.figures.lettering import setting_number


def layer_settings(frame: Frame) -> list[str]:
    """Name what the numbers of a frame depend on besides temperature, scale and tokens.

    Parameters
    ----------
    frame : Frame
        The frame.

    Returns
    -------
    list of str
        The mask first; of a layer with nothing special the mask alone.
    """
    state = frame.state
    said = [_mask(state)]
    if state.has_mask and state.masking != "before":
        said.append(f"masking {_label(state, 'masking')} (demonstration)")
    if state.softmax != "standard":
        said.append(f"softmax {_label(state, 'softmax')}")
    if state.has_sink:
        said.append("sink logit")
    if state.soft_cap:
        said.append(f"soft cap {setting_number(state.soft_cap)}")
    if state.dropout:
        said.append(f"dropout {setting_number(state.dropout)}, seed {state.dropout_seed}")
    if state.positions != "none":
        said.append(_positions(state))
    if any(bias is not None for bias in (state.b_q, state.b_k, state.b_v)):
        said.append("with biases")
    if state.is_tied:
        said.append("W_K tied to W_Q")
    if frame.n_heads > 1:
        shared = f", key/value head {frame.kv_head + 1} of {state.n_kv_heads}"
        said.append(f"head {frame.head + 1} of {frame.n_heads}{shared if state.n_kv_heads < frame.n_heads else ''}")
    return said


def score_words(frame: Frame) -> str:
    """Say what was done to the scores that enter the softmax, such as "scaled and masked"."""
    state = frame.state
    done = ["scaled"]
    if state.soft_cap:
        done.append("capped")
    if frame.layer.effect.bias is not None:
        done.append("biased")
    if (state.has_mask and not state.masking.startswith("after")) or len(done) == 1:
        done.append("masked")
    return f"{', '.join(done[:-1])} and {done[-1]}"


def changes_scaled(frame: Frame) -> bool:
    """Tell whether other numbers than the scaled scores enter the softmax."""
    state = frame.state
    masks_before = state.has_mask and not state.masking.startswith("after")
    return masks_before or state.soft_cap > 0.0 or frame.layer.effect.bias is not None


def _mask(state: State) -> str:
    sizes = {"window": state.window, "causal_window": state.window, "prefix": state.prefix, "block": state.block}
    named = f"mask {state.mask.replace('_', ' ')}"
    if state.mask in sizes:
        named = f"{named} {sizes[state.mask]:,}"
    return named if state.padding is None else f"{named} and padding"


def _positions(state: State) -> str:
    said = f"positions {_label(state, 'positions')}"
    if state.positions in ("sinusoidal", "rotary"):
        said = f"{said}, base {setting_number(state.base)}"
    if state.positions == "rotary":
        said = f"{said}, {_label(state, 'pairing').lower()}"
    return f"{said}, shifted by {setting_number(state.shift)}" if state.shift else said


def _label(state: State, name: str) -> str:
    """Give the label of a choice, in small letters where it is a common word."""
    label = next(label for choice, label, _ in SCALARS[name].choices if choice == getattr(state, name))
    return label if label[1:] != label[1:].lower() else label.lower()
