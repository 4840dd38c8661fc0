"""Numbers in the middle of the pass that somebody pinned: which, to what, and what of them is in force.

Pinning one entry of q, k, v, a score or a weight and letting all that follows use it is an intervention on an
intermediate, as in causal mediation analysis (Vig et al. 2020, section 3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, TypeAlias, get_args

import numpy as np

from attnviz.document.arrays import BoolArray, FloatArray
from attnviz.document.errors import DocumentError
from attnviz.document.number_ref import NumberRef

PinnedKind: TypeAlias = Literal["q", "k", "v", "score", "weight"]
PINNED_KINDS: tuple[PinnedKind, ...] = get_args(PinnedKind)
PINNED_NAMES: dict[str, str] = {"q": "query", "k": "key", "v": "value", "score": "score", "weight": "weight"}
MAX_PINNED = 1e100  # far from where a score, times any multiplier, leaves the range of a float64
MAX_INTERVENTIONS = 10_000
_OF_KEY_HEADS = ("k", "v")

_TOKEN_AXES: dict[str, tuple[str, ...]] = {
    "q": ("query",),
    "k": ("key",),
    "v": ("key",),
    "score": ("query", "key"),
    "weight": ("query", "key"),
}


@dataclass(frozen=True, slots=True)
class Intervention:
    """One pinned number.

    Parameters
    ----------
    kind : {"q", "k", "v", "score", "weight"}
        What it is; scores are the raw ones.
    row, column : int
        Its place, counted from 0.
    value : float
        What stands there instead of the computed number; finite, and for a weight not negative.
    head : int
        The head it belongs to, counted from 0: for k and v the key/value head.

    Raises
    ------
    DocumentError
        If no such kind can be pinned, a place is below 0, or the value is not finite or too large.
    """

    kind: str
    row: int
    column: int
    value: float
    head: int = 0

    def __post_init__(self) -> None:
        if self.kind not in PINNED_KINDS:
            raise DocumentError(f"a number to pin must be one of {', '.join(PINNED_KINDS)}, got {self.kind!r}")
        for name, index in (("row", self.row), ("column", self.column), ("head", self.head)):
            if isinstance(index, bool) or not isinstance(index, int | np.integer) or index < 0:
                raise DocumentError(f"the {name} of a pinned {self.name} must be a whole number from 0, got {index!r}")
            object.__setattr__(self, name, int(index))
        value, least = self.value, 0.0 if self.kind == "weight" else -MAX_PINNED
        is_number = isinstance(value, int | float | np.floating) and not isinstance(value, bool)
        if not is_number or not least <= value <= MAX_PINNED:
            raise DocumentError(
                f"a pinned {self.name} must be a number between {least:g} and {MAX_PINNED:g}, got {value!r:.60}"
            )
        object.__setattr__(self, "value", float(value) + 0.0)

    @property
    def name(self) -> str:
        """What it is, in a word."""
        return PINNED_NAMES[self.kind]

    @property
    def ref(self) -> NumberRef:
        """The number that is pinned, in its head."""
        return NumberRef(self.kind, (self.row, self.column))


class Interventions:
    """All interventions of a state, in a fixed order, one for a place at most.

    Parameters
    ----------
    entries : iterable of Intervention
        In any order.

    Raises
    ------
    DocumentError
        If two are for the same place, or there are too many.
    """

    __slots__ = ("_by_ref", "_entries")

    def __init__(self, entries: Iterable[Intervention] = ()) -> None:
        ordered = sorted(entries, key=_order)
        if len(ordered) > MAX_INTERVENTIONS:
            raise DocumentError(f"at most {MAX_INTERVENTIONS:,} numbers can be pinned, got {len(ordered):,}")
        self._entries = tuple(ordered)
        self._by_ref = {(entry.head, entry.ref): entry for entry in ordered}
        if len(self._by_ref) < len(ordered):
            twice = next(a for a, b in pairwise(ordered) if a.ref == b.ref and a.head == b.head)
            place = f"row {twice.row + 1}, column {twice.column + 1}"
            raise DocumentError(f"a number can be pinned once, got two for {twice.name} at {place}")

    def __iter__(self) -> Iterator[Intervention]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Interventions) and self._entries == other._entries

    def __hash__(self) -> int:
        return hash(self._entries)

    def at(self, ref: NumberRef, head: int = 0) -> Intervention | None:
        """Give the intervention at a number of a head, or None."""
        return self._by_ref.get((head, ref))

    def of_head(self, head: int, kv_head: int) -> Interventions:
        """Give those of a query head and of the key/value head it reads, all as those of head 0."""
        if not self._entries:
            return self
        own = [one for one in self._entries if one.head == pinned_head(one.kind, head, kv_head)]
        if len(own) == len(self._entries) and not any(one.head for one in own):
            return self
        return Interventions(replace(one, head=0) for one in own)

    def of(self, *kinds: str) -> tuple[Intervention, ...]:
        """Give those of some kinds."""
        return tuple(entry for entry in self._entries if entry.kind in kinds)

    def with_one(self, added: Intervention) -> Interventions:
        """Give these and one more, which takes the place of one that is there."""
        return Interventions([one for one in self._entries if (one.head, one.ref) != (added.head, added.ref)] + [added])

    def without(self, ref: NumberRef, head: int = 0) -> Interventions:
        """Give these without the one at a number of a head."""
        return Interventions(entry for entry in self._entries if (entry.head, entry.ref) != (head, ref))

    def moved(self, axes: Sequence[str], origins: Sequence[int | None]) -> Interventions:
        """Give these after tokens were moved, added or taken away.

        Parameters
        ----------
        axes : sequence of str
            What the tokens are: "query", "key", or both in self-attention.
        origins : sequence of int or None
            For each token the place where it stood before, ``None`` for a new one.

        Returns
        -------
        Interventions
            Each with its token; those of tokens that are gone are gone too.
        """
        if not self._entries:
            return self
        place = {origin: index for index, origin in enumerate(origins) if origin is not None}
        found = (_moved(entry, axes, place) for entry in self._entries)
        return Interventions(entry for entry in found if entry is not None)

    def check(self, sizes: dict[str, tuple[int, int]]) -> None:
        """Refuse an intervention outside its matrix.

        Parameters
        ----------
        sizes : dict
            For each kind how many rows and columns it may have.

        Raises
        ------
        DocumentError
            If one lies outside.
        """
        for entry in self._entries:
            rows, columns = sizes[entry.kind]
            if entry.row >= rows or entry.column >= columns:
                raise DocumentError(
                    f"a pinned {entry.name} must lie within {rows:,} x {columns:,}, "
                    f"got row {entry.row + 1:,}, column {entry.column + 1:,}"
                )

    def put_into(self, kind: str, computed: FloatArray) -> FloatArray:
        """Give a matrix with its pinned numbers; the same array where nothing in it is pinned."""
        inside = [entry for entry in self.of(kind) if entry.column < computed.shape[1]]
        if not inside:
            return computed
        pinned = computed.copy()
        for entry in inside:
            pinned[entry.row, entry.column] = entry.value
        pinned.flags.writeable = False
        return pinned

    def as_array(self, kind: str, rows: Sequence[int] | range, n_columns: int) -> FloatArray | None:
        """Give the pinned numbers of some rows, NaN elsewhere, shape (n_rows, n_columns); None where there is none."""
        place = {row: index for index, row in enumerate(rows)}
        inside = [entry for entry in self.of(kind) if entry.row in place]
        if not inside:
            return None
        numbers = np.full((len(rows), n_columns), np.nan)
        for entry in inside:
            numbers[place[entry.row], entry.column] = entry.value
        return numbers

    def mask(self, kind: str, rows: Iterable[int], columns: Iterable[int]) -> BoolArray:
        """Tell which cells are pinned where some rows and columns cross, shape (n_rows, n_columns)."""
        row_places = {int(row): index for index, row in enumerate(rows)}
        column_places = {int(column): index for index, column in enumerate(columns)}
        marks = np.zeros((len(row_places), len(column_places)), dtype=np.bool_)
        for entry in self.of(kind):
            if entry.row in row_places and entry.column in column_places:
                marks[row_places[entry.row], column_places[entry.column]] = True
        return marks


def pinned_head(kind: str, head: int, kv_head: int) -> int:
    """Give the head that a pinned number of a kind belongs to, where a query head reads a key/value head."""
    return kv_head if kind in _OF_KEY_HEADS else head


def _order(entry: Intervention) -> tuple[int, int, int, int]:
    return PINNED_KINDS.index(entry.kind), entry.head, entry.row, entry.column


def _moved(entry: Intervention, axes: Sequence[str], place: dict[int, int]) -> Intervention | None:
    tokens = _TOKEN_AXES[entry.kind]
    row = place.get(entry.row) if tokens[0] in axes else entry.row
    column = place.get(entry.column) if len(tokens) > 1 and tokens[1] in axes else entry.column
    return None if row is None or column is None else replace(entry, row=row, column=column)


NO_INTERVENTIONS = Interventions()
