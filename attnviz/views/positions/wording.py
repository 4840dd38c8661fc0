"""What the panel of the positions says in words: what an encoding does, what a shift moved, what a cell is."""

from __future__ import annotations

from math import degrees

import numpy as np

from attnviz.document.encoding_tables import EncodingTable, angles, bucket_of, pairs, slope_of
from attnviz.document.frame import Frame
from attnviz.document.position_parts import ShiftEffect
from attnviz.document.positions import key_positions, query_positions, turned_channels
from attnviz.document.state import Side, State
from attnviz.engine import POSITIONAL_ENCODINGS
from attnviz.views.matrix.lettering import shown_token
from attnviz.views.number_box import compact_text
from attnviz.views.numbers import factor_text, number_text

_DOES = {
    "none": "Nothing says where a token stands: shuffle the tokens and the outputs are shuffled with them. "
    "Choose an encoding to see it here.",
    "sinusoidal": "A vector of sines and cosines is added to each embedding, before W_Q, W_K and W_V. "
    "The first channels wave quickly from place to place, the last ones slowly.",
    "learned": "Each position has a vector of its own, which is added to the embedding that stands there. "
    "What nobody wrote is drawn; type over any number.",
    "alibi": "Vectors stay as they are. Each logit loses slope times distance, so that far keys fade.",
    "relative": "Vectors stay as they are. Each logit gets a learned number, one for each bucket of distances: near "
    "distances have a bucket each, far ones share. Type over any number.",
}
_WHY_STILL = {
    "rotary": "rotary scores depend on distances alone",
    "alibi": "ALiBi depends on distances alone",
    "relative": "buckets depend on distances alone",
    "none": "no score knows of positions",
}


def encoding_text(frame: Frame) -> str:
    """Say what the encoding of a frame does."""
    state = frame.state
    if state.positions == "rotary":
        return _rotary_text(state)
    text = _DOES.get(state.positions) or POSITIONAL_ENCODINGS[state.positions].help
    if state.positions == "alibi":
        slope = compact_text(slope_of(state, frame.head))
        text += f" Head {frame.head + 1} of {state.n_heads} has slope {slope}."
    return text


def _rotary_text(state: State) -> str:
    turned = turned_channels(state)
    part = "" if turned == state.d_k else f" Only the first {turned} of {state.d_k} channels turn."
    return (
        "Nothing is added. Pairs of channels of each query and key turn by an angle that grows with the position, "
        f"so that a score depends on how far apart both stand. Values do not turn.{part}"
    )


def shift_text(state: State, effect: ShiftEffect | None) -> str:
    """Say how far the shift moved the logits."""
    if effect is None:
        return "Without the shift these positions cannot be."
    some = "" if effect.n_compared is None else f" Compared were {effect.n_compared} tokens of the list."
    why = _WHY_STILL.get(state.positions)
    if effect.moved < 1e-12 or (why is not None and effect.is_rounding):
        rounding = "" if effect.moved < 1e-12 else f", but for a rounding of {effect.moved:.0e}"
        return f"Scores moved by 0{rounding}{f' ({why})' if why else ''}.{some}"
    return f"Scores moved by up to {number_text(effect.moved)}.{some}"


def range_text(table: EncodingTable) -> str:
    """Say the range of the colours."""
    limit = compact_text(float(f"{table.limit:.3g}"))
    return f"colours from −{limit} to {limit}"


def bias_text(frame: Frame, query: int, key: int) -> str:
    """Say how the bias of a cell makes its logit."""
    state = frame.state
    bias = frame.layer.effect.bias
    assert bias is not None, "the encoding adds to the logits"
    distance = float(query_positions(state)[query] - key_positions(state)[key])
    own = float(bias[frame.head, query, key])
    if state.positions == "alibi":
        source = f"slope {compact_text(slope_of(state, frame.head))}, distance {compact_text(abs(distance))}"
    elif state.positions != "relative":
        source = "bias of its distance"
    else:
        source = f"bucket {bucket_of(state, query, key)}, {_way_text(-distance)}"
    scaled = frame.cell("scaled", query, key)
    if state.soft_cap:
        scaled = state.soft_cap * float(np.tanh(scaled / state.soft_cap))
    sum_text = f"{number_text(scaled)} + {factor_text(number_text(own))} = {number_text(scaled + own)}"
    banned = ", then masked" if frame.is_banned(query, key) else ""
    names = f"{shown_token(frame.query_tokens[query])} → {shown_token(frame.key_tokens[key])}"
    capped = "soft-capped score" if state.soft_cap else "scaled score"
    return f"{names}: {capped} + bias = {sum_text} ({source}){banned}"


def _way_text(ahead: float) -> str:
    if ahead == 0.0:
        return "the same position"
    return f"{compact_text(abs(ahead))} {'ahead' if ahead > 0.0 else 'back'}"


def cell_sentence(frame: Frame, table: EncodingTable, side: Side, row: int, column: int) -> str:
    """Say a cell of the picture of an encoding."""
    value = number_text(float(table.values[row, column]))
    place, state = int(table.columns[column]), frame.state
    if table.rows_are == "head":
        return f"head {row + 1}, bucket {place}: {value}"
    if table.rows_are == "position":
        return f"position {row}, channel {place + 1}: {value}"
    if table.columns_are == "key":
        return bias_text(frame, row, column)
    name = shown_token(table.row_labels[row])
    where = (query_positions(state) if side == "sequence" else key_positions(state))[row]
    if table.columns_are == "channel":
        return f"{name} at position {compact_text(float(where))}, channel {place + 1}: {value}"
    angle = float(angles(state, np.array([where]))[0, place])
    first, second = pairs(state)[place]
    return (
        f"{name} at position {compact_text(float(where))}, channels {first + 1} and {second + 1}: "
        f"{number_text(angle)} rad ({degrees(angle):.1f}°), drawn {value}"
    )
