"""Reads rows pasted from a spreadsheet: a token and its coordinates in each, the way every program copies them."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence

from attnviz.document.errors import DocumentError
from attnviz.sources.cells import NotANumberError, is_header, to_numbers, trimmed

Row = tuple[str, tuple[float, ...]]
_BLANKS = re.compile(r"[ \t]+")
_LINE_END = re.compile(r"\r\n|\n|\r")


def parse_rows(text: str) -> tuple[Row, ...]:
    r"""Read pasted rows, each a token and perhaps its coordinates.

    Parameters
    ----------
    text : str
        Lines with tabs, semicolons, commas or blanks between the cells; decimal points or decimal commas; quoted
        cells; a header line or none; empty lines and empty cells at the end of a row are passed over.

    Returns
    -------
    tuple of (str, tuple of float)
        At least one. All rows that have coordinates have equally many; a row may have none.

    Raises
    ------
    DocumentError
        Naming the row, when the text is empty, a row has no token, another number of coordinates than the first, or
        something else than a finite number for one.

    Examples
    --------
    >>> parse_rows("token\tx\ty\ncat\t1,5\t0,25\ndog")
    (('cat', (1.5, 0.25)), ('dog', ()))
    """
    lines = [(number, line) for number, line in enumerate(_LINE_END.split(text), start=1) if line.strip()]
    if not lines:
        raise DocumentError("expected rows of a token and its coordinates, got an empty text")
    if "\t" in text:
        return _parse(lines, _split_at("\t"))
    return _parse_unsure(lines)


def _parse_unsure(lines: Sequence[tuple[int, str]]) -> tuple[Row, ...]:
    """Try every way to split; the one that gives most numbers is right, a column of bare tokens the last resort."""
    best: tuple[Row, ...] = ()
    first_error: DocumentError | None = None
    for split in (_split_at(";"), _split_at_blanks, _split_at(",")):
        try:
            rows = _parse(lines, split)
        except DocumentError as error:
            if first_error is None and sum(len(split(line)) > 1 for _, line in lines) * 2 > len(lines):
                first_error = error
            continue
        if _count_numbers(rows) > _count_numbers(best):
            best = rows
    if best:
        return best
    if first_error is not None and any(character.isdigit() for _, line in lines for character in line):
        raise first_error
    return tuple((line.strip(), ()) for _, line in lines)


def _parse(lines: Sequence[tuple[int, str]], split: Callable[[str], list[str]]) -> tuple[Row, ...]:
    """Read all lines split one way, the header line left out."""
    cells = [(number, split(line)) for number, line in lines]
    if len(cells) > 1 and is_header(cells[0][1]):
        cells = cells[1:]
    rows = [_parse_row(number, row) for number, row in cells]
    expected = next((len(coordinates) for _, coordinates in rows if coordinates), 0)
    for (number, _), (_, coordinates) in zip(cells, rows, strict=True):
        if coordinates and len(coordinates) != expected:
            raise DocumentError(f"row {number}: expected {expected} coordinates, got {len(coordinates)}")
    return tuple(rows)


def _parse_row(number: int, cells: Sequence[str]) -> Row:
    name = cells[0].strip() if cells else ""
    if not name:
        raise DocumentError(f"row {number}: expected a token in the first cell, got an empty cell")
    try:
        return name, tuple(to_numbers(cells[1:]))
    except NotANumberError as error:
        raise DocumentError(f"row {number}, column {error.column + 2}: {error}") from error


def _split_at(delimiter: str) -> Callable[[str], list[str]]:
    return lambda line: trimmed(_cells(line, delimiter), least=1)


def _cells(line: str, delimiter: str) -> list[str]:
    """Split one line; a quotation mark that is not closed is a token of its own, not the start of a quoted cell."""
    try:
        return next(csv.reader((line,), delimiter=delimiter, strict=True), [])
    except csv.Error:
        return line.split(delimiter)


def _split_at_blanks(line: str) -> list[str]:
    cells = _BLANKS.split(line.strip())
    is_a_list = len(cells[0]) > 1 and cells[0][-1] in ",;"
    return [line.strip()] if is_a_list else cells


def _count_numbers(rows: Sequence[Row]) -> int:
    return sum(len(coordinates) for _, coordinates in rows)
