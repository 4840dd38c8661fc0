"""Reads word vectors from CSV and TSV: quoted fields, a header line or none, semicolons with decimal commas."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnviz.sources.byte_source import LINE_LIMIT, ByteSource
from attnviz.sources.cells import (
    NotANumberError,
    is_header,
    is_word,
    label_column_by_name,
    shown,
    to_number,
    to_numbers,
    trimmed,
)
from attnviz.sources.collector import Collector
from attnviz.sources.records import FileSummary
from attnviz.sources.text_vectors import is_text_row, sample_lines

_SUFFIXES = frozenset({".csv", ".tsv", ".tab"})
_DELIMITERS = ("\t", ";", ",")
_FIRST_WORDS = 10


@dataclass(frozen=True, slots=True)
class Layout:
    """How the rows of one table are made.

    Parameters
    ----------
    delimiter : str
        Between two cells.
    has_header : bool
        Whether the first row names the columns.
    width : int
        Cells per row.
    label_column : int
        Which cell is the word, from 0.
    number_columns : tuple of int
        Which cells are the numbers, from 0.
    """

    delimiter: str
    has_header: bool
    width: int
    label_column: int
    number_columns: tuple[int, ...]


def is_delimited(sources: Sequence[ByteSource]) -> bool:
    """Tell whether a text is a table with a delimiter, by its suffix or else its first lines."""
    source = sources[0]
    lines = [line for line in sample_lines(source) if line.strip()]
    if not lines or _find_delimiter(lines) is None:
        return False
    is_quoted = lines[0].startswith(b'"') and lines[0].find(b'"\t') > 0
    return source.suffix in _SUFFIXES or is_quoted or not is_text_row(lines[0])


def read_delimited(sources: Sequence[ByteSource], collector: Collector) -> None:
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
        When a row before the last wanted one has another number of cells, a wanted row holds something else than
        finite numbers, or quotes are not closed.
    """
    source = sources[0]
    layout = _find_layout(source)
    collector.prepare(len(layout.number_columns), source)
    looked_for = collector.looked_for()
    for line_number, cells in _rows(source, layout):
        word = cells[layout.label_column].strip()
        if not is_word(word):
            collector.unreadable += 1
        elif (collector.keeps_all or word in looked_for) and collector.needs(word):
            collector.take(word, _parse(source, cells, layout, line_number), source)
            if collector.is_complete:
                return


def describe_delimited(sources: Sequence[ByteSource]) -> FileSummary:
    """Tell what the beginning of the table shows.

    Parameters
    ----------
    sources : sequence of ByteSource
        The first one is looked at.

    Returns
    -------
    FileSummary
        With the number of rows where the file is short.
    """
    source = sources[0]
    layout = _find_layout(source)
    head = source.peek(LINE_LIMIT)
    is_whole = len(head) < LINE_LIMIT
    rows = _sample_rows(head.split(b"\n") if is_whole else sample_lines(source), layout.delimiter)
    words = [row[layout.label_column].strip() for row in rows if len(row) == layout.width][int(layout.has_header) :]
    kind = {"\t": "table with tabs (TSV)", ";": "table with semicolons (CSV)", ",": "table with commas (CSV)"}
    return FileSummary(
        kind[layout.delimiter],
        len(layout.number_columns),
        tuple(word.encode(errors="replace").decode() for word in words[:_FIRST_WORDS]),
        len(words) if is_whole else None,
    )


def _find_delimiter(lines: Sequence[bytes]) -> str | None:
    """Choose the delimiter that splits most of the lines; tabs come before semicolons before commas."""
    splits = {mark: sum(len(row) > 1 for row in _sample_rows(lines, mark)) for mark in _DELIMITERS}
    best = max(_DELIMITERS, key=lambda mark: splits[mark])
    return best if 2 * splits[best] > len(lines) else None


def _sample_rows(lines: Sequence[bytes], delimiter: str) -> list[list[str]]:
    """Split sample lines into cells, by the delimiter alone where quotes are not in order; empty rows are left out."""
    rows = []
    for line in lines:
        text = _text(line)
        try:
            row = _cells(text, delimiter)
        except csv.Error:
            row = text.split(delimiter)
        if any(cell.strip() for cell in row):
            rows.append(trimmed(row))
    return rows


def _find_layout(source: ByteSource) -> Layout:
    lines = [line for line in sample_lines(source) if line.strip()]
    delimiter = _find_delimiter(lines) or ","
    rows = _sample_rows(lines, delimiter)
    has_header = len(rows) > 1 and is_header(rows[0])
    body = rows[1:] if has_header else rows
    width = Counter(len(row) for row in body).most_common(1)[0][0]
    label = label_column_by_name(rows[0]) if has_header else None
    if label is None or label >= width:
        label = _find_label_column(source, [row for row in body if len(row) == width])
    # Exported data frames carry the row numbers in a column without a name.
    unnamed = {column for column, cell in enumerate(rows[0]) if has_header and not cell.strip()}
    numbers = tuple(column for column in range(width) if column != label and column not in unnamed)
    if not numbers:
        raise source.fail("expected a word and its numbers in each row, got no column of numbers")
    if not any(_holds_numbers(row, numbers) for row in body if len(row) == width):
        raise source.fail(f"expected a word and its numbers in each row, got {shown(delimiter.join(body[0]))}")
    return Layout(delimiter, has_header, width, label, numbers)


def _holds_numbers(row: Sequence[str], columns: Sequence[int]) -> bool:
    return all(to_number(row[column]) is not None for column in columns)


def _find_label_column(source: ByteSource, rows: Sequence[Sequence[str]]) -> int:
    """Choose the column with the fewest numbers, the leftmost of equals."""
    columns = list(zip(*rows, strict=True))
    numeric = [sum(to_number(cell) is not None for cell in column) for column in columns]
    label = numeric.index(min(numeric))
    if numeric[label] == len(rows) and not all(cell.strip().isdigit() for cell in columns[label]):
        raise source.fail("expected a column of words, got numbers in every column")
    return label


def _rows(source: ByteSource, layout: Layout) -> Iterator[tuple[int, list[str]]]:
    """Give the rows below the header with their line numbers, each of the right width."""
    skips_next = layout.has_header
    for first_number, lines, _ in source.line_batches():
        for number, line in enumerate(lines, first_number):
            try:
                row = _cells(_text(line), layout.delimiter)
            except csv.Error as error:
                raise source.fail(f"expected quotes closed on the same line, got {error}", f"line {number}") from error
            if not any(cell.strip() for cell in row):
                continue
            if skips_next:
                skips_next = False
                continue
            if len(row) != layout.width:
                row = trimmed(row)
            if len(row) != layout.width:
                raise source.fail(f"expected {layout.width} cells, got {len(row)}", f"line {number}")
            yield number, row


def _text(line: bytes) -> str:
    return line.rstrip(b"\r").decode("utf-8", "surrogateescape")


def _cells(text: str, delimiter: str) -> list[str]:
    """Split one line; a reader for each line keeps an open quote from swallowing the rest of the file."""
    return next(csv.reader((text,), delimiter=delimiter, strict=True), [])


def _parse(source: ByteSource, cells: Sequence[str], layout: Layout, line_number: int) -> NDArray[np.float64]:
    try:
        return np.array(to_numbers([cells[column] for column in layout.number_columns]))
    except NotANumberError as error:
        column = layout.number_columns[error.column] + 1
        word = shown(cells[layout.label_column])
        raise source.fail(str(error), f"line {line_number}, column {column} (word {word})") from error
