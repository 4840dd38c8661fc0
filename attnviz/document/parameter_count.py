"""How many learned numbers a layer has: those of its matrices and biases, as they act."""

from __future__ import annotations

from dataclasses import dataclass

from attnviz.document.state import State

_BIASES = ("b_q", "b_k", "b_v", "b_o")
_SYMBOLS = {"b_q": "b_Q", "b_k": "b_K", "b_v": "b_V", "b_o": "b_O"}


@dataclass(frozen=True, slots=True)
class ParameterCount:
    """The learned numbers of a layer, each matrix and bias by itself.

    Parameters
    ----------
    parts : tuple of (str, int)
        The symbol of each matrix and bias that is there, and how many entries of it act.
    """

    parts: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        """All of them together."""
        return sum(count for _, count in self.parts)

    @property
    def matrices(self) -> int:
        """Those of the matrices alone."""
        return sum(count for symbol, count in self.parts if symbol.startswith("W"))

    @property
    def text(self) -> str:
        """The sum written out: ``W_Q 4 + W_K 4 + W_V 4 = 12``."""
        return f"{' + '.join(f'{symbol} {count:,}' for symbol, count in self.parts)} = {self.total:,}"


def parameter_count(state: State) -> ParameterCount:
    """Count the learned numbers of a layer that act.

    Parameters
    ----------
    state : State
        The document; nothing is computed from it.

    Returns
    -------
    ParameterCount
        A matrix that is left out has none. Keys made by W_Q have none of their own. The heads share the channels out
        among themselves, so that their number changes nothing; fewer key/value heads make W_K and W_V narrower.
    """
    d, of_queries = state.width, state.n_heads * state.d_k
    of_keys, of_values = state.n_kv_heads * state.d_k, state.n_kv_heads * state.d_v
    d_out = 0 if state.w_o is None else state.w_o.shape[1]
    parts = [("W_Q", d * of_queries)]
    if not state.is_tied:
        parts.append(("W_K", d * of_keys))
    parts.append(("W_V", d * of_values))
    if state.w_o is not None:
        parts.append(("W_O", state.n_heads * state.d_v * d_out))
    widths = dict(zip(_BIASES, (of_queries, of_keys, of_values, d_out), strict=True))
    parts += [(_SYMBOLS[name], width) for name, width in widths.items() if getattr(state, name) is not None]
    return ParameterCount(tuple(parts))
