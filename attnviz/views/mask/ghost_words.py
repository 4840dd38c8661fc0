"""What the ghost column of the weights says of its cells: whose attention goes to no key, and what takes it."""

from __future__ import annotations

import numpy as np

from attnviz.document.attending import sink_of
from attnviz.document.budgets import share_of_nothing
from attnviz.document.frame import Frame
from attnviz.document.tokens import isolated, told_apart
from attnviz.views.cell_sentences import announced
from attnviz.views.numbers import spoken_text

GHOST_TIP = "Click to keep its row lit and see what the row of weights adds up to (Enter)"


def announced_with_ghost(frame: Frame, row: int, column: int) -> str:
    """Say a cell of the weights, or of the ghost column past them, as a screen reader reads it out."""
    return announced(frame, row, column) if column < frame.n_key else ghost_sentence(frame, row)


def ghost_sentence(frame: Frame, row: int) -> str:
    """Say what the ghost of a row is: "0.2 of cat’s attention goes to the sink"; nothing where there is no ghost."""
    shares = share_of_nothing(frame, np.array([row])) if row < frame.n_query else None
    if shares is None:
        return ""
    has_sink, has_one = sink_of(frame.state, frame.head) is not None, frame.state.softmax == "plus_one"
    takers = ["the sink"] * has_sink + ["nothing"] * has_one
    name = isolated(told_apart(frame.query_tokens)[row])
    return f"{spoken_text(float(shares[0]))} of {name}’s attention goes to {' and '.join(takers)}"
