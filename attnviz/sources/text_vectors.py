"""Reads word vectors as text: GloVe, word2vec and fastText, with or without the line "count dimension" on top.

A row is a word and its numbers, separated by blanks or tabs. A few words of GloVe 840B contain blanks, so the numbers
are the last fields of a row. Of every row the word is looked at and the fields are counted; numbers are parsed for the
wanted words only, and reading stops when all of those are found.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnviz.sources.byte_source import LINE_LIMIT, ByteSource
from attnviz.sources.cells import NotANumberError, is_like_number, shown, to_number, to_numbers
from attnviz.sources.collector import Collector
from attnviz.sources.records import FileSummary

_SEPARATORS = re.compile(rb"[ \t]+")
_HEADER = re.compile(rb"(\d+)[ \t]+(\d+)")
_NOT_PLAIN = re.compile(rb"[^-+.eE\d \t]")
_SAMPLE_SIZE = 50
_FIRST_WORDS = 10


@dataclass(frozen=True, slots=True)
class Layout:
    """How the rows of one file are made.

    Parameters
    ----------
    dimension : int
        Numbers per row, at least 1.
    announced_rows : int or None
        What the header says, None without one.
    separator : bytes
        What most likely stands between two fields.
    """

    dimension: int
    announced_rows: int | None
    separator: bytes


def is_text(sources: Sequence[ByteSource]) -> bool:
    """Tell whether this reader should try; it comes last, and its errors say what word vectors look like."""
    return len(sources) == 1


def read_text(sources: Sequence[ByteSource], collector: Collector) -> None:
    """Read the rows that the collector needs.

    Parameters
    ----------
    sources : sequence of ByteSource
        The first one is read.
    collector : Collector
        Receives the rows.

    Raises
    ------
    FileError
        When a row before the last wanted one has another number of fields, a wanted row holds something else than
        finite numbers, or the header disagrees with the rows.
    """
    source = sources[0]
    layout = _find_layout(source, sample_lines(source))
    collector.prepare(layout.dimension, source)
    row_count = _scan(source, layout, collector)
    if not collector.is_complete and layout.announced_rows not in {None, row_count}:
        raise source.fail(f"expected {layout.announced_rows:,} rows as line 1 announces, got {row_count:,}")


def describe_text(sources: Sequence[ByteSource]) -> FileSummary:
    """Tell what the beginning of the file shows.

    Parameters
    ----------
    sources : sequence of ByteSource
        The first one is looked at.

    Returns
    -------
    FileSummary
        With the number of rows where the header announces it, or the file is short.
    """
    source = sources[0]
    lines = sample_lines(source)
    layout = _find_layout(source, lines)
    first = 0 if layout.announced_rows is None else 1
    words = []
    for number, line in enumerate(lines[first:], start=first + 1):
        if line.strip():
            words.append(_split_row(source, line.rstrip(), layout, number)[0].decode(errors="replace"))
    head = source.peek(LINE_LIMIT)
    row_count = layout.announced_rows
    if row_count is None and len(head) < LINE_LIMIT:
        row_count = sum(1 for line in head.split(b"\n") if line.strip())
    kind = "word vectors as text" if layout.announced_rows is None else "word vectors as text, with a header"
    return FileSummary(kind, layout.dimension, tuple(words[:_FIRST_WORDS]), row_count)


def sample_lines(source: ByteSource) -> list[bytes]:
    """Look at the first lines of a source, without taking them.

    Parameters
    ----------
    source : ByteSource
        At its beginning.

    Returns
    -------
    list of bytes
        At most fifty, whole lines only.

    Raises
    ------
    FileError
        When the first line is longer than LINE_LIMIT.
    """
    head = source.peek(LINE_LIMIT)
    lines = head.split(b"\n", _SAMPLE_SIZE)
    if len(lines) > _SAMPLE_SIZE or len(head) == LINE_LIMIT:
        lines.pop()
    if not lines:
        raise source.fail(f"expected lines of at most {LINE_LIMIT:,} bytes, got a longer one", "line 1")
    return lines


def is_text_row(line: bytes) -> bool:
    """Tell whether a line is one word without blanks, and numbers after it, or a header."""
    fields = _SEPARATORS.split(line.strip())
    return len(fields) > 1 and _count_numbers(fields) == len(fields) - 1


def _find_layout(source: ByteSource, lines: Sequence[bytes]) -> Layout:
    rows = [_SEPARATORS.split(line.strip()) for line in lines if line.strip()]
    if not rows:
        raise source.fail("expected a word and its numbers, got only empty lines")
    separator = max((b" ", b"\t"), key=b"\n".join(lines).count)
    header = _HEADER.fullmatch(lines[0].strip())
    if header and (len(rows) < 2 or len(rows[1]) != 2 or int(header[2][:18]) == 1):
        dimension = int(header[2][:18])
        _check_header(source, int(header[1][:18]), dimension, has_rows=len(rows) > 1)
        return Layout(dimension, int(header[1][:18]), separator)
    counts = Counter(_count_numbers(fields) for fields in rows)
    dimension = counts.most_common(1)[0][0]
    if dimension == 0:
        line = next(line for line in lines if line.strip())
        got = shown(line.strip().decode(errors="replace"))
        raise source.fail(f"expected a word and its numbers, got {got}", f"line {lines.index(line) + 1}")
    return Layout(dimension, None, separator)


def _check_header(source: ByteSource, row_count: int, dimension: int, has_rows: bool) -> None:
    announced = f"{row_count:,} rows of {dimension:,} numbers"
    if not has_rows:
        raise source.fail(f"expected {announced} as line 1 announces, got no rows", "line 1")
    if dimension == 0 or row_count == 0:
        raise source.fail(f"expected rows and numbers, got a header that announces {announced}", "line 1")
    if source.size is not None and row_count * (2 * dimension + 1) > source.size:
        raise source.fail(f"expected {announced} as announced, got a file of {source.size:,} bytes", "line 1")


def _count_numbers(fields: Sequence[bytes]) -> int:
    """Count the numbers at the end of a row; the first field is its word whatever it looks like."""
    count = 0
    for field in reversed(fields[1:]):
        if not is_like_number(field.decode("ascii", "replace")):
            break
        count += 1
    return count


def _scan(source: ByteSource, layout: Layout, collector: Collector) -> int:
    """Pass the rows by the collector, and count them."""
    looked_for = {word.encode(): word for word in collector.looked_for()}
    keeps_all, dimension, separator = collector.keeps_all, layout.dimension, layout.separator
    row_count = 0
    for first_number, lines, is_cut in source.line_batches():
        row_count += len(lines)
        if first_number == 1 and layout.announced_rows is not None:
            lines[0] = b""
        for number, raw_line in enumerate(lines, first_number):
            line = raw_line.rstrip()
            if line.count(separator) == dimension:
                word, _, numbers = line.partition(separator)
            elif line:
                word, numbers = _split_row(source, line, layout, number, is_cut)
            else:
                row_count -= 1
                continue
            if keeps_all or word in looked_for:
                _take(source, word, numbers, number, collector, dimension)
                if collector.is_complete:
                    return row_count
            elif not word or not (word.isascii() or _is_utf8(word)):
                collector.unreadable += 1
    return row_count


def _split_row(
    source: ByteSource, line: bytes, layout: Layout, number: int, is_cut: bool = False
) -> tuple[bytes, bytes]:
    """Split a row whose word may contain blanks, or whose separators are mixed."""
    fields = _SEPARATORS.split(line.strip())
    extra = len(fields) - 1 - layout.dimension
    is_ragged = extra < 0 or any(
        to_number(field.decode("ascii", "replace")) is not None for field in fields[1 : extra + 1]
    )
    if is_ragged:
        end = "; the file ends in the middle of the line" if is_cut and extra < 0 else ""
        raise source.fail(
            f"expected {layout.dimension} numbers after the word, got {len(fields) - 1}{end}", f"line {number}"
        )
    return b" ".join(fields[: extra + 1]), b" ".join(fields[extra + 1 :])


def _take(
    source: ByteSource, word_bytes: bytes, numbers: bytes, number: int, collector: Collector, dimension: int
) -> None:
    try:
        word = word_bytes.decode()
    except UnicodeDecodeError:
        word = ""
    if not word:
        collector.unreadable += 1
    elif collector.needs(word):
        collector.take(word, _parse(source, word, numbers, number, dimension), source)


def _parse(source: ByteSource, word: str, numbers: bytes, number: int, dimension: int) -> NDArray[np.float64]:
    fields = _SEPARATORS.split(numbers)
    place = f"line {number} (word {shown(word)})"
    if len(fields) != dimension:
        raise source.fail(f"expected {dimension} numbers after the word, got {len(fields)}", place)
    if not _NOT_PLAIN.search(numbers):
        with suppress(ValueError):
            row = np.array([float(field) for field in fields])
            if np.isfinite(row).all():
                return row
    try:
        return np.array(to_numbers([field.decode(errors="replace") for field in fields]))
    except NotANumberError as error:
        raise source.fail(f"{error} as number {error.column + 1} of {dimension}", place) from error


def _is_utf8(word: bytes) -> bool:
    try:
        word.decode()
    except UnicodeDecodeError:
        return False
    return True
