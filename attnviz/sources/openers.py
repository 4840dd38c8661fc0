"""The table of openers: one row per format of word vectors, chosen by what a file holds and not by its name alone."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from attnviz.document.errors import DocumentError
from attnviz.sources.arrays import are_arrays, describe_arrays, read_arrays
from attnviz.sources.byte_source import ByteSource, Pulse
from attnviz.sources.collector import Collector
from attnviz.sources.containers import open_sources
from attnviz.sources.delimited import describe_delimited, is_delimited, read_delimited
from attnviz.sources.foreign import refuse_other_kinds
from attnviz.sources.records import Cancelled, FileSummary, WordVectors
from attnviz.sources.text_vectors import describe_text, is_text, read_text

_LOOKED_AT_BEATS = 8  # of the pulse of a reading: a few to recognise the format, then one a megabyte


@dataclass(frozen=True, slots=True)
class Opener:
    """How one format is recognised, read and described.

    Parameters
    ----------
    matches : callable
        Whether the sources hold this format; only looks at them.
    read : callable
        Hands the rows to a collector.
    describe : callable
        Looks at the beginning only.
    """

    matches: Callable[[Sequence[ByteSource]], bool]
    read: Callable[[Sequence[ByteSource], Collector], None]
    describe: Callable[[Sequence[ByteSource]], FileSummary]


OPENERS = (
    Opener(are_arrays, read_arrays, describe_arrays),
    Opener(is_delimited, read_delimited, describe_delimited),
    Opener(is_text, read_text, describe_text),
)


def read_word_vectors(
    path: str | os.PathLike[str],
    wanted: Sequence[str] | None,
    *,
    progress: Callable[[float], None] = lambda _: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> WordVectors:
    """Read the vectors of chosen words from a file of any known format, once and in bounded memory.

    Parameters
    ----------
    path : path
        GloVe, word2vec or fastText text, CSV or TSV (each also as .gz, or as .zip with one member), .npy or .npz.
    wanted : sequence of str, or None
        The words to keep, in order, repeats allowed. None keeps every row of a file with at most 2,000.
    progress : callable
        Called with the share of the file read, 0 to 1, at most fifty times a second.
    is_cancelled : callable
        Asked about once a megabyte; True stops the reading.

    Returns
    -------
    WordVectors
        Rows in the order wanted, and the words that the file does not have. A word is looked for exactly as it
        is spelled, then in lower case; the first row of a word counts.

    Raises
    ------
    FileError
        When the file cannot be opened or read, is of another kind, is damaged, or a wanted row is malformed.
    DocumentError
        When `wanted` is empty.
    Cancelled
        When `is_cancelled` said so.

    Notes
    -----
    Reading stops as soon as all wanted words are found, so a malformed row after the last of them goes unnoticed.
    Of rows that are not wanted only the number of fields is checked.
    """
    collector = Collector(wanted)
    with open_sources(path, Pulse(progress, is_cancelled)) as sources:
        _opener_for(sources).read(sources, collector)
    progress(1.0)
    return collector.result()


def describe(path: str | os.PathLike[str]) -> FileSummary:
    """Look at the beginning of a file, about a megabyte of it.

    Parameters
    ----------
    path : path
        As for `read_word_vectors`.

    Returns
    -------
    FileSummary
        Format, dimension, first words, and the number of rows if it is known.

    Raises
    ------
    FileError
        When the file cannot be opened, is of another kind, or its beginning is malformed.
    """
    with open_sources(path, Pulse(lambda _: None, lambda: False)) as sources:
        return _opener_for(sources).describe(sources)


def lacks_all(path: str | os.PathLike[str], words: Sequence[str]) -> bool:
    """Tell whether a file surely holds none of some words, by a look at a few megabytes at most.

    Parameters
    ----------
    path : path
        As for `read_word_vectors`.
    words : sequence of str
        At least one.

    Returns
    -------
    bool
        False where the file is too long to be sure, or cannot be read.
    """
    beats = itertools.count()
    try:
        return not read_word_vectors(path, words, is_cancelled=lambda: next(beats) >= _LOOKED_AT_BEATS).words
    except (Cancelled, DocumentError):
        return False


def _opener_for(sources: Sequence[ByteSource]) -> Opener:
    for source in sources:
        refuse_other_kinds(source)
    return next(opener for opener in OPENERS if opener.matches(sources))
