"""What another order of the tokens does to the outputs of the layer: the outputs in that order, or something else.

Attention is equivariant: shuffled tokens give the shuffled outputs, f(PX) = P f(X), and the order of the tokens that
answer changes nothing, f(X; PC) = f(X; C). Whatever belongs to places and not to tokens (a mask, positions, the
weights that dropout keeps) breaks that.

References
----------
Lee et al. 2019, "Set Transformer", property 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from attnviz.document.arrays import FloatArray
from attnviz.document.edits import reorder_tokens
from attnviz.document.frame import Frame, compute
from attnviz.document.parameters import MASK, POSITIONS
from attnviz.document.state import Side, State
from attnviz.document.tokens import TokenSequence

Order: TypeAlias = tuple[int, ...]

_ROUNDING = 1e-9  # of the largest output: more than the order of a sum makes, less than anything that is meant
_MOST_DRAWS = 20
_WHOLE_NAMES = {"alibi": "ALiBi", "relative": "the bias of relative positions"}


@dataclass(frozen=True, slots=True, eq=False)
class Equivariance:
    """The outputs of tokens in another order beside the outputs in that order.

    Parameters
    ----------
    side : {"sequence", "context"}
        Whose tokens stand in another order.
    order : tuple of int
        Which token stands at each place.
    of_reordered : (n_query, d_out) array
        f(PX): the outputs of the layer for the reordered tokens; for the context f(X; PC).
    reordered : (n_query, d_out) array
        P f(X): the outputs as they are, in the new order; for the context f(X; C), whose rows stay.
    rows : tuple of int
        Which token of the sequence each row belongs to.
    reasons : tuple of str
        What of the layer belongs to places, so that it may see the order, as in "the causal mask".
    """

    side: Side
    order: Order
    of_reordered: FloatArray
    reordered: FloatArray
    rows: Order
    reasons: tuple[str, ...]

    @property
    def difference(self) -> FloatArray:
        """f(PX) - P f(X), shape (n_query, d_out)."""
        gap: FloatArray = self.of_reordered - self.reordered
        return gap

    @property
    def largest(self) -> float:
        """The largest magnitude of a difference."""
        return float(np.abs(self.difference).max())

    @property
    def place(self) -> tuple[int, int]:
        """Row and column of the largest difference."""
        n_columns = self.reordered.shape[1]
        row, column = divmod(int(np.abs(self.difference).argmax()), n_columns)
        return row, column

    @property
    def is_equivariant(self) -> bool:
        """Whether nothing differs beyond what rounding makes of sums in another order."""
        return self.largest <= _ROUNDING * float(np.abs(self.reordered).max())


def in_order(count: int) -> Order:
    """Give the order in which every token stands at its place."""
    return tuple(range(count))


def shuffled(count: int, generator: np.random.Generator) -> Order:
    """Draw an order in which, from two tokens on, not every token stands at its place."""
    order = in_order(count)
    for _ in range(_MOST_DRAWS):
        drawn = tuple(generator.permutation(count).tolist())
        if drawn != order:
            return drawn
    return order[::-1]


def sorted_by_name(sequence: TokenSequence) -> Order:
    """Give the alphabetical order, small and capital letters alike; namesakes stay in theirs."""
    names = [(token.casefold(), token) for token in sequence.tokens]
    return tuple(sorted(range(len(names)), key=names.__getitem__))


def backwards(count: int) -> Order:
    """Give the order from the last token to the first."""
    return tuple(range(count - 1, -1, -1))


def by_first_coordinate(sequence: TokenSequence) -> Order:
    """Give the order in which the first coordinate of the embeddings rises."""
    return tuple(np.argsort(sequence.embeddings[:, 0], kind="stable").tolist())


def equivariance(frame: Frame, side: Side, order: Sequence[int]) -> Equivariance:
    """Compute the outputs of reordered tokens, and compare.

    Parameters
    ----------
    frame : Frame
        The document as it is.
    side : {"sequence", "context"}
        Whose tokens are reordered; pins and padding go with them, all that belongs to places stays.
    order : sequence of int
        Which token stands at each place.

    Returns
    -------
    Equivariance

    Raises
    ------
    DocumentError
        If the order does not name every place once, or the numbers overflow.
    """
    places = tuple(order)
    of_reordered = compute(reorder_tokens(frame.state, side, places)).layer_output
    rows = places if side == "sequence" else in_order(frame.n_query)
    reordered = frame.layer_output[list(rows)]
    return Equivariance(side, places, of_reordered, reordered, rows, reasons_of(frame.state))


def reasons_of(state: State) -> tuple[str, ...]:
    """Name what of a layer belongs to places and not to tokens."""
    found = []
    if state.mask == "custom":
        found += ["the painted mask"] if state.visible is not None else []
    elif state.mask != "none":
        found.append(f"the {_label(MASK.choices, state.mask).lower()} mask")
    if state.positions != "none":
        name = _label(POSITIONS.choices, state.positions)
        found.append(_WHOLE_NAMES.get(state.positions) or f"{name.lower()} positions")
    if state.dropout:
        found.append(f"dropout with its fixed seed {state.dropout_seed}")
    return tuple(found)


def _label(choices: Sequence[tuple[str, str, str]], name: str) -> str:
    return next(label for key, label, _ in choices if key == name)
