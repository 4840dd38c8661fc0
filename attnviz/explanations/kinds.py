"""The table of kinds of numbers: what each is called, which places it has, how it is read and how it is derived.

A new kind is one decorated function in one of the modules beside this one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from attnviz.document.number_ref import NumberRef
from attnviz.document.state import State
from attnviz.explanations.expression import Expression, Number
from attnviz.explanations.source import Source

Origin: TypeAlias = Literal["typed", "drawn", "computed", "pinned"]
Scope: TypeAlias = Literal["layer", "query", "key"]


@dataclass(frozen=True, slots=True)
class Derivation:
    """Where a number comes from.

    Parameters
    ----------
    title : str
        What it is, such as "weight of dog for query cat".
    formula : str
        The formula in symbols, on one line.
    typeset : tuple of str
        The same in LaTeX: the number's symbol, and what it is equal to (empty for what was typed).
    expression : Expression
        The same with the numbers put in.
    code : callable
        Gives lines of Python that put the number into ``result``; NumPy is ``np``. They are made when asked for.
    note : str
        One sentence on what is special here; may be empty.
    origin : {"typed", "drawn", "computed", "pinned"}
        Whether somebody chose the number, or put it in the place of a computed one.
    """

    title: str
    formula: str
    typeset: tuple[str, str]
    expression: Expression
    code: Callable[[], tuple[str, ...]]
    note: str = ""
    origin: Origin = "computed"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of number.

    Parameters
    ----------
    name : str
        Its identifier.
    label : str
        One or two words for a breadcrumb.
    axes : tuple of str
        What each index counts: "query", "key", "context", "coordinate", "d_k", "d_v", "pair" (of channels that
        turn together), "bucket" (of distances), or "budget": what shares out its attention, a query, or a key
        where the softmax runs down the columns; of the whole layer "channel" (of the heads side by side), "d_out",
        "column of W_O" or "entry of b_O".
    read : callable
        Gives the number at a place.
    derive : callable
        Tells where it comes from.
    scope : {"layer", "query", "key"}
        Whether there is one for all heads, one for each query head, or one for each key/value head.
    is_there : callable
        Tells whether a document has such numbers.
    column_label : str
        Its name where the softmax runs down the columns, if that is another one.
    """

    name: str
    label: str
    axes: tuple[str, ...]
    read: Callable[..., float]
    derive: Callable[..., Derivation]
    scope: Scope
    is_there: Callable[[Source], bool]
    column_label: str = ""

    def label_in(self, state: State) -> str:
        """Give its name in a breadcrumb as it is in a document."""
        return self.column_label if self.column_label and state.softmax == "columns" else self.label

    def derived(self, source: Source, *indices: int) -> Derivation:
        """Tell where the number at a place comes from; with several heads the title says in which."""
        derivation = self.derive(source, *indices)
        return replace(derivation, title=derivation.title + source.in_head(self.scope))


def _always(_source: Source) -> bool:
    return True


KINDS: dict[str, Kind] = {}


def kind(
    name: str,
    label: str,
    axes: tuple[str, ...],
    read: Callable[..., float],
    *,
    scope: Scope = "query",
    is_there: Callable[[Source], bool] = _always,
    column_label: str = "",
) -> Callable[[Callable[..., Derivation]], Callable[..., Derivation]]:
    """Enter the decorated function as the derivation of a kind.

    Parameters
    ----------
    name, label, axes, read, scope, is_there, column_label
        As in :class:`Kind`; ``read`` takes the :class:`Source` and the indices, as the function does.
    """

    def enter(derive: Callable[..., Derivation]) -> Callable[..., Derivation]:
        KINDS[name] = Kind(name, label, axes, read, derive, scope, is_there, column_label)
        return derive

    return enter


def number(source: Source, name: str, *indices: int) -> Number:
    """Give an operand: the number of a kind at a place, with the way to its own derivation."""
    return Number(float(KINDS[name].read(source, *indices)), NumberRef(name, indices))


def checked(source: Source, ref: NumberRef) -> Kind:
    """Find the kind of a reference whose indices lie inside the document.

    Raises
    ------
    ValueError
        If there is no such kind or the document has no such numbers, or the place lies outside.
    """
    if ref.kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {ref.kind!r}")
    found = KINDS[ref.kind]
    if len(ref.indices) != len(found.axes):
        raise ValueError(f"{found.label} must have {len(found.axes)} indices, got {len(ref.indices)}")
    if not found.is_there(source):
        raise ValueError(f"{found.label}: there is none here")
    for axis, index in zip(found.axes, ref.indices, strict=True):
        if not source.sizes[axis]:
            raise ValueError(f"{found.label}: there is no {axis} here")
        if not 0 <= index < source.sizes[axis]:
            raise ValueError(f"{found.label}: {axis} must lie between 0 and {source.sizes[axis] - 1}, got {index}")
    return found
