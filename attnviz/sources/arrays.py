"""Reads word vectors from .npy and .npz: only the wanted rows are ever in memory, and nothing is unpickled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from attnviz.sources.byte_source import BLOCK_SIZE, ByteSource
from attnviz.sources.cells import is_word, printable, shown
from attnviz.sources.collector import ROW_LIMIT, Collector
from attnviz.sources.npy_header import NPY_MAGIC, StoredArray, open_array, read_elements
from attnviz.sources.records import FileSummary

_FIRST_WORDS = 10
_TOKEN_NAMES = ("tokens", "words", "labels", "vocab")
_VECTOR_NAMES = ("vectors", "embeddings", "x")


def are_arrays(sources: Sequence[ByteSource]) -> bool:
    """Tell whether the sources are arrays; only archives of arrays have several."""
    return len(sources) > 1 or sources[0].peek(len(NPY_MAGIC)) == NPY_MAGIC


def read_arrays(sources: Sequence[ByteSource], collector: Collector) -> None:
    """Read the rows that the collector needs.

    Parameters
    ----------
    sources : sequence of ByteSource
        The arrays of the file: one (n, d) array of numbers and, if there are several, perhaps the n tokens.
        Without tokens the words are the row numbers "0", "1", and so on.
    collector : Collector
        Receives the rows.

    Raises
    ------
    FileError
        When an array is an object array, larger than the file, of the wrong shape, or a wanted row is not finite.
    """
    vectors, tokens = _find_arrays(sources)
    row_count, dimension = vectors.shape
    collector.prepare(dimension, vectors.source)
    if collector.keeps_all and row_count > ROW_LIMIT:
        raise vectors.source.fail(f"expected at most {ROW_LIMIT:,} rows, got {row_count:,}; name the words to keep")
    chosen = _choose_rows(_words(tokens, row_count), collector)
    for (index, word), row in zip(chosen.items(), _rows(vectors, list(chosen)), strict=True):
        if not np.isfinite(row).all():
            column = int(np.flatnonzero(~np.isfinite(row))[0])
            place = f"row {index + 1}, column {column + 1} (word {shown(word)})"
            raise vectors.source.fail(f"expected a finite number, got {row[column]}", place)
        collector.take(word, row, vectors.source)


def describe_arrays(sources: Sequence[ByteSource]) -> FileSummary:
    """Tell what the headers and the first tokens show.

    Parameters
    ----------
    sources : sequence of ByteSource
        The arrays of the file.

    Returns
    -------
    FileSummary
        Always with the number of rows.
    """
    vectors, tokens = _find_arrays(sources)
    row_count, dimension = vectors.shape
    words = tuple(_words(tokens, min(row_count, _FIRST_WORDS)))
    return FileSummary("NumPy arrays", dimension, words, row_count, has_words=tokens is not None)


def _find_arrays(sources: Sequence[ByteSource]) -> tuple[StoredArray, StoredArray | None]:
    """Choose the array of vectors by its name or as the only table, and the array of tokens by its name."""
    arrays = {source.stem.casefold(): open_array(source) for source in sources}
    tokens = next((arrays[name] for name in _TOKEN_NAMES if name in arrays and len(sources) > 1), None)
    tables = {name: array for name, array in arrays.items() if len(array.shape) == 2 and array is not tokens}
    vectors = next((tables[name] for name in _VECTOR_NAMES if name in tables), None)
    if vectors is None and len(tables) == 1:
        vectors = next(iter(tables.values()))
    if vectors is None:
        found = ", ".join(f"{name[:40]} {array.shape}"[:60] for name, array in list(arrays.items())[:4])
        hint = "; call the right one vectors" if tables else ""
        raise sources[0].fail(f"expected one array of shape (n, d), got {found}{hint}")
    if vectors.dtype.kind not in "fiu" or 0 in vectors.shape:
        raise vectors.source.fail(
            f"expected an (n, d) array of numbers with n and d at least 1, got {vectors.dtype} of shape {vectors.shape}"
        )
    if tokens is not None and (tokens.shape != vectors.shape[:1] or tokens.dtype.kind not in "US"):
        raise tokens.source.fail(
            f"expected {vectors.shape[0]:,} strings, one per row, got {tokens.dtype} of shape {tokens.shape}"
        )
    return vectors, tokens


def _words(tokens: StoredArray | None, count: int) -> Iterator[str]:
    """Give the first words, a block at a time; the row numbers where there are no tokens."""
    if tokens is None:
        yield from (str(index) for index in range(count))
        return
    block_length = max(1, BLOCK_SIZE // tokens.dtype.itemsize)
    for first in range(0, count, block_length):
        block = read_elements(tokens, min(block_length, count - first))
        try:
            yield from [token.decode() if isinstance(token, bytes) else token for token in block.tolist()]
        except (UnicodeDecodeError, ValueError) as error:
            raise tokens.source.fail(f"expected tokens in UTF-8, got others ({printable(str(error))})") from error


def _choose_rows(words: Iterable[str], collector: Collector) -> dict[int, str]:
    """Find the rows of the words needed, ascending; the first row of a word is its row."""
    looked_for = set(collector.looked_for())
    chosen: dict[int, str] = {}
    for index, word in enumerate(words):
        if not is_word(word):
            collector.unreadable += 1
        elif collector.keeps_all or word in looked_for:
            chosen[index] = word
            looked_for.discard(word)
            if not looked_for and not collector.keeps_all:
                break
    return chosen


def _rows(array: StoredArray, indices: Sequence[int]) -> Iterable[NDArray[np.float64]]:
    return _rows_by_column(array, indices) if array.is_fortran else _rows_in_order(array, indices)


def _rows_in_order(array: StoredArray, indices: Sequence[int]) -> Iterator[NDArray[np.float64]]:
    dimension = array.shape[1]
    position = 0
    for index in indices:
        array.source.skip((index - position) * dimension * array.dtype.itemsize)
        yield _read_numbers(array, dimension)
        position = index + 1


def _rows_by_column(array: StoredArray, indices: Sequence[int]) -> NDArray[np.float64]:
    """Pick the rows out of each column in turn; a column passes by in blocks."""
    row_count, dimension = array.shape
    rows = np.empty((len(indices), dimension))
    wanted = np.array(indices, dtype=np.int64)
    block_length = max(1, BLOCK_SIZE // array.dtype.itemsize)
    for column in range(dimension):
        for first in range(0, row_count, block_length):
            block = _read_numbers(array, min(block_length, row_count - first))
            low, high = np.searchsorted(wanted, (first, first + len(block)))
            rows[low:high, column] = block[wanted[low:high] - first]
    return rows


def _read_numbers(array: StoredArray, count: int) -> NDArray[np.float64]:
    with np.errstate(all="ignore"):
        return read_elements(array, count).astype(np.float64)
