"""What a comparison of two orders says, in one sentence."""

from __future__ import annotations

from attnviz.document.frame import Frame
from attnviz.document.permutation import Equivariance, in_order
from attnviz.document.tokens import shortened
from attnviz.views.matrix.lettering import shown_token
from attnviz.views.numbers import number_text

_LONGEST_NAME = 20
_SAME = "The tokens stand in their own order: shuffle or sort them to compare."


def verdict_of(found: Equivariance, frame: Frame) -> str:
    """Say whether the layer sees the order of its tokens, how much, and what in it does."""
    if found.order == in_order(len(found.order)):
        return _SAME
    if not found.is_equivariant:
        return _told_apart(found, frame)
    size = f"the largest difference is {_size(found.largest)}"
    if found.reasons:
        return f"{_sentence(found.reasons)} could see the order, but not this one: {size}."
    if found.side == "context":
        return f"Shuffling the tokens that answer changes nothing: {size} (invariant)."
    return f"Shuffling the tokens shuffles the outputs and nothing else: {size} (equivariant)."


def _told_apart(found: Equivariance, frame: Frame) -> str:
    row, column = found.place
    token = shortened(shown_token(frame.query_tokens[found.rows[row]]), _LONGEST_NAME)
    size = f"the largest difference is {number_text(found.largest)}, at {token}, coordinate {column + 1}"
    if not found.reasons:
        return f"Nothing in the layer sees the order; scores this large round differently: {size}."
    verb = "see" if len(found.reasons) > 1 or found.reasons[0].endswith("positions") else "sees"
    return f"{_sentence(found.reasons)} {verb} the order: {size}."


def _size(largest: float) -> str:
    return "0" if largest == 0.0 else f"{number_text(largest)}, which is rounding"


def _sentence(reasons: tuple[str, ...]) -> str:
    *first, last = reasons
    text = f"{', '.join(first)} and {last}" if first else last
    return text[0].upper() + text[1:]
