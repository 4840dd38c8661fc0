"""The edits of the output matrix W_O by which the heads are mixed: pure functions from a state to the next one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from attnviz.document.arrays import FloatArray
from attnviz.document.errors import DocumentError
from attnviz.document.parameters import MAX_HEADS
from attnviz.document.state import State

OUTPUT_MATRICES = (
    ("none", "None", "The heads' outputs stay side by side: the output of the layer has as many coordinates as they."),
    ("identity", "Identity", "W_O leaves every channel as it is: the output is the same as without it."),
    (
        "random",
        "Random",
        "W_O mixes the heads: drawn with the document's seed from a normal distribution with variance 1/(h·d_v).",
    ),
)
_OUTPUT = 4  # tells this draw from the others of a seed
_LARGEST_SEED = 2**31 - 1


def use_w_o(state: State, kind: str, seed: int) -> State:
    """Take an output matrix W_O: none, the identity, or a drawn one.

    Parameters
    ----------
    state : State
        The document.
    kind : {"none", "identity", "random"}
        Which matrix. The identity has shape (h * d_v, h * d_v), a drawn one (h * d_v, d).
    seed : int
        Chooses the drawn numbers.

    Raises
    ------
    DocumentError
        If there is no such kind, or the seed is out of its range.
    """
    names = [name for name, _, _ in OUTPUT_MATRICES]
    if kind not in names:
        raise DocumentError(f"an output matrix must be one of {', '.join(names)}, got {kind!r}")
    if not 0 <= seed <= _LARGEST_SEED:
        raise DocumentError(f"a seed must be 0 to {_LARGEST_SEED:,}, got {seed:,}")
    matrix = _matrix(state, kind, seed)
    has_bias = matrix is not None and state.b_o is not None and len(state.b_o) == matrix.shape[1]
    return replace(state, w_o=matrix, b_o=state.b_o if has_bias else None)


def kind_of_w_o(state: State) -> str | None:
    """Tell which of the output matrices of :func:`use_w_o` a state has; ``None`` for one that was written."""
    if state.w_o is None:
        return "none"
    for kind in ("identity", "random"):
        matrix = _matrix(state, kind, state.seed)
        if matrix is not None and np.array_equal(matrix, state.w_o):
            return kind
    return None


def possible_heads(state: State) -> tuple[int, ...]:
    """List the numbers of heads that a state can have: those that divide the widths of its queries and values."""
    widths = (state.n_heads * state.d_k, state.w_v.shape[1])
    is_grouped = state.n_kv_heads != state.n_heads
    return tuple(
        heads
        for heads in range(1, MAX_HEADS + 1)
        if not any(width % heads for width in widths) and not (is_grouped and heads % state.n_kv_heads)
    )


def possible_kv_heads(state: State) -> tuple[int, ...]:
    """List the numbers of key/value heads that a state can have: those that divide its heads."""
    return tuple(heads for heads in range(1, state.n_heads + 1) if state.n_heads % heads == 0)


def _matrix(state: State, kind: str, seed: int) -> FloatArray | None:
    n_channels = state.n_heads * state.d_v
    if kind == "none":
        return None
    if kind == "identity":
        return np.eye(n_channels)
    generator = np.random.default_rng([seed, _OUTPUT])
    drawn: FloatArray = generator.standard_normal((n_channels, state.width)) / np.sqrt(n_channels)
    return drawn
