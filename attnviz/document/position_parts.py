"""What positions do to scores: the four parts of one under an additive encoding, and how far a shift moves them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from attnviz.document.arrays import FloatArray
from attnviz.document.errors import DocumentError
from attnviz.document.frame import Frame, compute
from attnviz.document.interventions import NO_INTERVENTIONS
from attnviz.document.projection import bias_of
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.engine import score_parts

MOST_COMPARED = 64  # tokens of a side, for the change that a shift makes


@dataclass(frozen=True, slots=True)
class ScoreParts:
    """One score of one head as the sum of four products.

    Parameters
    ----------
    content_content, content_position, position_content, position_position : float
        What the content or the position of the query, named first, makes with that of the key. Biases of queries
        and keys belong to the content.
    score : float
        The score in the frame, which is the sum unless a number before it is pinned.
    is_pinned : bool
        Whether a pinned query, key or score takes part, which the parts leave out.
    """

    content_content: float
    content_position: float
    position_content: float
    position_position: float
    score: float
    is_pinned: bool

    @property
    def values(self) -> tuple[float, float, float, float]:
        """The four parts in order."""
        return self.content_content, self.content_position, self.position_content, self.position_position

    @property
    def total(self) -> float:
        """The sum of the four parts."""
        return sum(self.values)


@dataclass(frozen=True, slots=True)
class ShiftEffect:
    """How far a shift of all positions moves the logits.

    Parameters
    ----------
    moved : float
        The largest change of a logit of any head, against no shift.
    largest : float
        The largest magnitude among the logits without the shift.
    n_compared : int or None
        How many tokens of each list were compared where not all were.
    """

    moved: float
    largest: float
    n_compared: int | None

    @property
    def is_rounding(self) -> bool:
        """Whether the change is no more than what rounding of float64 makes."""
        return self.moved <= 1e-9 * max(1.0, self.largest)


def parts_of(frame: Frame, query: int, key: int) -> ScoreParts:
    """Split the score of a query and a key under an additive encoding.

    Raises
    ------
    DocumentError
        If the encoding adds nothing to the vectors, or a part overflows.
    """
    state, effect = frame.state, frame.layer.effect
    if effect.added is None or effect.context_added is None:
        raise DocumentError(f"positions must be sinusoidal or learned to have parts, got {state.positions}")
    with np.errstate(over="ignore", invalid="ignore"):  # the engine refuses what is not finite
        content_q = state.sequence.embeddings[[query]] @ frame.w_q + _own_bias(frame, "b_q")  # (1, d) @ (d, d_k)
        content_k = state.key_sequence.embeddings[[key]] @ frame.w_k + _own_bias(frame, "b_k")
        position_q, position_k = effect.added[[query]] @ frame.w_q, effect.context_added[[key]] @ frame.w_k
    try:
        cc, cp, pc, pp = score_parts(content_q, position_q, content_k, position_k).ravel().tolist()
    except ValueError as error:
        raise DocumentError(str(error)) from error
    taking_part = {("q", query), ("k", key)}
    is_pinned = any(
        (one.kind, one.row) in taking_part or (one.kind, one.row, one.column) == ("score", query, key)
        for one in frame.pins
    )
    return ScoreParts(cc, cp, pc, pp, score=frame.cell("scores", query, key), is_pinned=is_pinned)


def shift_effect(state: State) -> ShiftEffect | None:
    """Measure how far the shift moves the logits; ``None`` where the document cannot be without it.

    Masks, pins and dropout are left out: only what positions do is measured.
    """
    if state.positions == "none":
        return ShiftEffect(0.0, 0.0, None)
    n_most = max(len(state.sequence), len(state.key_sequence))
    shifted = _compared(state)
    try:
        before, after = (_logits(replace(shifted, shift=shift)) for shift in (0, state.shift))
    except DocumentError:
        return None
    moved = float(np.abs(after - before).max())
    return ShiftEffect(moved, float(np.abs(before).max()), MOST_COMPARED if n_most > MOST_COMPARED else None)


def _logits(state: State) -> FloatArray:
    frame = compute(state)
    return np.stack([frame.at_head(head).trace.masked for head in range(frame.n_heads)])


def _own_bias(frame: Frame, name: str) -> FloatArray | float:
    state = frame.state
    is_query = name == "b_q"
    index, count = (frame.head, state.n_heads) if is_query else (frame.kv_head, state.n_kv_heads)
    whole = bias_of(state, name, count * state.d_k)
    return 0.0 if whole is None else whole[index * state.d_k : (index + 1) * state.d_k]


def _compared(state: State) -> State:
    """Give the document with at most :data:`MOST_COMPARED` tokens a side, and nothing but positions and products."""
    sequence, ids = _some(state.sequence, state.position_ids)
    context, context_ids = (None, None)
    if state.context is not None:
        context, context_ids = _some(state.context, state.context_position_ids)
    return replace(
        state,
        sequence=sequence,
        context=context,
        position_ids=ids,
        context_position_ids=context_ids,
        padding=None,
        visible=None,
        mask="none",
        softmax="standard",
        has_sink=False,
        dropout=0.0,
        interventions=NO_INTERVENTIONS,
    )


def _some(side: TokenSequence, ids: FloatArray | None) -> tuple[TokenSequence, FloatArray | None]:
    if len(side) <= MOST_COMPARED:
        return side, ids
    kept = np.linspace(0, len(side) - 1, MOST_COMPARED).round().astype(np.intp)
    places = kept.astype(np.float64) if ids is None else ids[kept]
    return TokenSequence(tuple([side.tokens[i] for i in kept.tolist()]), side.embeddings[kept]), places
