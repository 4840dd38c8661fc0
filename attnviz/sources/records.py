"""What reading a file of word vectors gives back, and how a reader says that it was cancelled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


class Cancelled(Exception):  # noqa: N818 - being cancelled is a wish of the user's, not an error
    """Reading stopped because the caller asked for it; nothing was read."""


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """The rows chosen from a file of word vectors, in the order they were wanted.

    Parameters
    ----------
    words : tuple of str, length n
        The words found, spelled as they were wanted, repeated where they were wanted repeatedly.
    vectors : (n, d) float64, read-only
        One row per word; finite.
    missing : tuple of str
        Wanted words that the file does not have, each once, in the order wanted.
    substituted : tuple of (str, str)
        ``(wanted, found)`` for every word that only its lower-case form was found for.
    unreadable : int
        Rows that were passed over because their word is empty or no valid UTF-8. Reading stops as soon as
        every wanted word is found, so later rows are not counted.
    """

    words: tuple[str, ...]
    vectors: NDArray[np.float64]
    missing: tuple[str, ...] = ()
    substituted: tuple[tuple[str, str], ...] = ()
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class FileSummary:
    """What a quick look at the beginning of a file tells.

    Parameters
    ----------
    format : str
        The kind of file, for the user's eyes.
    dimension : int
        Numbers per word, at least 1.
    first_words : tuple of str
        The first words of the file, at most ten.
    row_count : int or None
        How many words the file holds; None when only reading all of it would tell.
    has_words : bool
        False when the file holds bare rows, which then are called "0", "1", and so on.
    """

    format: str
    dimension: int
    first_words: tuple[str, ...]
    row_count: int | None
    has_words: bool = True
