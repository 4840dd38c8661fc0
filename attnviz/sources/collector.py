"""Keeps the rows of the words that are wanted while a file passes by, and nothing else.

The policy for the case of letters lives here: the word exactly as wanted comes first; only where the file has no such
word, its lower-case form stands in, and the result says so. The first row of a word wins, as in GloVe's own tools.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from attnviz.document.errors import DocumentError
from attnviz.sources.byte_source import ByteSource
from attnviz.sources.cells import is_word
from attnviz.sources.records import WordVectors

ROW_LIMIT = 2_000
DIMENSION_LIMIT = 65_536
SIZE_LIMIT = 1 << 30


class Collector:
    """Collects rows for the wanted words, or every row of a small file.

    Parameters
    ----------
    wanted : sequence of str, or None
        The words to keep, repeats allowed; None keeps every row up to ROW_LIMIT.

    Raises
    ------
    DocumentError
        When `wanted` is empty.
    """

    def __init__(self, wanted: Sequence[str] | None) -> None:
        if wanted is not None and not wanted:
            raise DocumentError("expected at least one word to look for, got none")
        self.keeps_all = wanted is None
        self.unreadable = 0
        self._wanted = () if wanted is None else tuple(wanted)
        self._places: dict[str, list[int]] = {}
        for place, word in enumerate(self._wanted):
            self._places.setdefault(word, []).append(place)
        self._lower_of = {word: word.lower() for word in self._places if word.lower() != word}
        self._open_exact = {word for word in self._places if is_word(word)}
        self._open_lower = {lower for lower in self._lower_of.values() if is_word(lower)}
        self._stand_ins: dict[str, NDArray[np.float64]] = {}
        self._found: set[str] = set()
        self._rows: NDArray[np.float64] = np.empty((0, 0))
        self._all_words: list[str] = []

    @property
    def is_complete(self) -> bool:
        """Whether no later row can change the result."""
        return not self.keeps_all and not self._open_exact

    def looked_for(self) -> frozenset[str]:
        """Give the words a row of which may be taken; empty when every row is kept."""
        return frozenset(self._open_exact | self._open_lower)

    def needs(self, word: str) -> bool:
        """Tell whether a row of this word would change the result; its first row settles it."""
        return self.keeps_all or word in self._open_exact or word in self._open_lower

    def prepare(self, dimension: int, source: ByteSource) -> None:
        """Make room for the rows.

        Parameters
        ----------
        dimension : int
            Numbers per row.
        source : ByteSource
            Named in errors.

        Raises
        ------
        FileError
            When the dimension or the room needed is beyond the limits.
        """
        if dimension > DIMENSION_LIMIT:
            raise source.fail(f"expected at most {DIMENSION_LIMIT:,} numbers per word, got {dimension:,}")
        row_count = ROW_LIMIT if self.keeps_all else len(self._wanted)
        room = row_count * dimension * 8
        if room > SIZE_LIMIT:
            raise source.fail(f"expected chosen rows of at most {SIZE_LIMIT:,} bytes, got {room:,}; choose fewer words")
        self._rows = np.empty((row_count, dimension))

    def take(self, word: str, row: NDArray[np.float64], source: ByteSource) -> None:
        """Keep the row of a word that is needed.

        Parameters
        ----------
        word : str
            As in the file; one that `needs` is true for.
        row : (d,) float64
            Its numbers.
        source : ByteSource
            Named in errors.

        Raises
        ------
        FileError
            When every row is kept and the file has more than ROW_LIMIT.
        """
        if self.keeps_all:
            if len(self._all_words) == ROW_LIMIT:
                raise source.fail(f"expected at most {ROW_LIMIT:,} rows, got more; name the words to keep")
            self._rows[len(self._all_words)] = row
            self._all_words.append(word)
            return
        if word in self._open_exact:
            self._open_exact.discard(word)
            self._found.add(word)
            self._rows[self._places[word]] = row
        if word in self._open_lower:
            self._open_lower.discard(word)
            self._stand_ins[word] = row

    def result(self) -> WordVectors:
        """Put the rows together.

        Returns
        -------
        WordVectors
            With read-only vectors.
        """
        if self.keeps_all:
            rows = self._rows[: len(self._all_words)]
            rows.setflags(write=False)
            return WordVectors(tuple(self._all_words), rows, unreadable=self.unreadable)
        substituted = self._use_stand_ins()
        places = [place for place, word in enumerate(self._wanted) if word in self._found]
        for target, place in enumerate(places):
            self._rows[target] = self._rows[place]
        rows = self._rows[: len(places)]
        rows.setflags(write=False)
        return WordVectors(
            words=tuple(self._wanted[place] for place in places),
            vectors=rows,
            missing=tuple(word for word in self._places if word not in self._found),
            substituted=substituted,
            unreadable=self.unreadable,
        )

    def _use_stand_ins(self) -> tuple[tuple[str, str], ...]:
        substituted = []
        for word, lower in self._lower_of.items():
            if word not in self._found and lower in self._stand_ins:
                self._rows[self._places[word]] = self._stand_ins[lower]
                self._found.add(word)
                substituted.append((word, lower))
        return tuple(substituted)
