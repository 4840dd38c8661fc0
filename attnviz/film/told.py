"""A step with what its sentence needs: names, the numbers of its row, and what the mask does to it."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from attnviz.document.arrays import BoolArray
from attnviz.document.frame import Frame
from attnviz.document.state import State
from attnviz.engine import AttentionTrace
from attnviz.film.steps import Step
from attnviz.film.wording import name, quoted, several

MOST_KEYS = 6


class Told:
    """A step with what its sentence needs, read from the frame when asked for."""

    def __init__(self, frame: Frame, step: Step) -> None:
        self.frame, self.step = frame, step
        self.queries = several(frame.query_tokens, step.rows)
        self.q = f"q_{name(frame.query_tokens[step.row])}"
        self.query = quoted(frame.query_tokens[step.row])
        self.key = name(frame.key_tokens[step.columns[0]]) if step.columns else ""
        self.keys = several(frame.key_tokens, step.columns) if step.columns else ""
        self.n_key = f"{step.n_key:,}"

    @property
    def state(self) -> State:
        """The document."""
        return self.frame.state

    @property
    def trace(self) -> AttentionTrace:
        """The row that is shown."""
        return self.frame.row(self.step.row)

    @cached_property
    def banned(self) -> BoolArray:
        """Which keys the mask hides from the query, shape (n_key,)."""
        hidden: BoolArray = self.frame.banned(np.array([self.step.row]), np.arange(self.step.n_key))[0]
        return hidden

    @property
    def is_empty(self) -> bool:
        """Whether every key has left before the softmax."""
        return bool(self.frame.empty_rows[self.step.row]) and self.state.masking == "before"

    @property
    def is_silent(self) -> bool:
        """Whether the row sees no key, and no weight of it is anything but 0."""
        return bool(self.frame.empty_rows[self.step.row]) and not self.trace.weights[0].any()

    @property
    def is_short(self) -> bool:
        """Whether a sentence has room for a number of every key."""
        return self.step.n_key <= MOST_KEYS

    @property
    def more(self) -> str:
        """What is said of the other rows of a step that covers several."""
        n = len(self.step.rows)
        return "" if n == 1 else f" (and {n - 1:,} rows before it)"
