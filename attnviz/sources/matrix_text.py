"""Matrices as text: read from NumPy and Python literals, from spreadsheets and CSV, and written for NumPy.

Nothing is evaluated: a literal is taken apart here, so that a pasted text can do nothing but be a matrix.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from attnviz.document.errors import DocumentError
from attnviz.sources.cells import is_like_number, shown, to_number, trimmed

MAX_NUMBERS = 1_024 * 1_024
MAX_CHARACTERS = 32 * 1_024 * 1_024
_LINE_END = re.compile(r"\r\n|\n|\r")
_BLANKS = re.compile(r"\s+")
_BEFORE = re.compile(r"(\w+\s*=\s*)?([\w.]+\s*\()?")
_AFTER = re.compile(r"(,[\w.=:'\"\s,()<>-]*)?\)?;?")
_LONGEST_AROUND = 200  # characters before the brackets, and after them
_PIECE = re.compile(r"[\[\](),;]|[^\s\[\](),;]+")
_DECIMAL_COMMA = re.compile(r"\d,\d")

Rows = list[list[str]]


def parse_matrix(text: str) -> NDArray[np.float64]:
    r"""Read a pasted matrix.

    Parameters
    ----------
    text : str
        A literal (``array([[1., 2.], [3., 4.]])``, nested lists, a printed array, ``[1 2; 3 4]``), or lines with tabs,
        semicolons, commas or blanks between the cells, with decimal points or, where no comma separates, decimal
        commas. A bare list is a matrix of one row.

    Returns
    -------
    (rows, columns) array
        At least one row and column; finite.

    Raises
    ------
    DocumentError
        In one sentence: if there is no number, a cell is something else, rows have different widths, the text is larger
        than a matrix can be, or its brackets do not fit.

    Examples
    --------
    >>> parse_matrix("np.array([[1, 0.5],\n [-2e3, 4.]], dtype=float32)").tolist()
    [[1.0, 0.5], [-2000.0, 4.0]]
    >>> parse_matrix("1,5\t0,25\n0\t1").tolist()
    [[1.5, 0.25], [0.0, 1.0]]
    """
    if len(text) > MAX_CHARACTERS:
        raise DocumentError(f"a pasted matrix must have at most {MAX_CHARACTERS:,} characters, got {len(text):,}")
    if not text.strip():
        raise DocumentError("a pasted matrix must hold at least one number, got an empty text")
    rows = _rows_of_literal(text) if "[" in text else _rows_of_lines(text)
    return _numbers(rows)


def numpy_text(matrix: NDArray[np.float64]) -> str:
    """Write a matrix as a NumPy literal that gives every number back to the last bit.

    Raises
    ------
    DocumentError
        If it has more numbers than are read back.

    Examples
    --------
    >>> print(numpy_text(np.array([[1.0, 0.1], [0.0, 2.5]])))
    np.array([
        [1.0, 0.1],
        [0.0, 2.5],
    ])
    """
    if matrix.size > MAX_NUMBERS:
        raise DocumentError(f"a matrix to copy must have at most {MAX_NUMBERS:,} numbers, got {matrix.size:,}")
    rows = [f"    [{', '.join([repr(number) for number in row])}],\n" for row in matrix.tolist()]
    return f"np.array([\n{''.join(rows)}])"


# -- what all of them have in common


def _numbers(rows: Rows) -> NDArray[np.float64]:
    """Read every cell of rows of equal width."""
    width = len(rows[0])
    if width * len(rows) > MAX_NUMBERS:
        raise DocumentError(f"a pasted matrix must have at most {MAX_NUMBERS:,} numbers, got {width * len(rows):,}")
    numbers: list[list[float]] = []
    for number, row in enumerate(rows, start=1):
        numbers.append([_number(cell, number, column) for column, cell in enumerate(row, start=1)])
        if len(row) != width:
            raise DocumentError(
                f"rows must all have as many numbers as the first, {width}, got {len(row)} in row {number}"
            )
    return np.array(numbers)


def _number(cell: str, row: int, column: int) -> float:
    value = to_number(cell)
    if value is None:
        kind = "finite numbers" if is_like_number(cell) else "numbers"
        raise DocumentError(f"a matrix must hold {kind} only, got {shown(cell.strip())} in row {row}, column {column}")
    return value + 0.0


# -- lines of cells


def _rows_of_lines(text: str) -> Rows:
    lines = [line for line in _LINE_END.split(text) if line.strip()]
    if "\t" in text:
        return _split(lines, _at("\t"))
    if ";" in text:
        return _split(lines, _at(";"))
    ways = [_at(","), _at_blanks] if "," in text else [_at_blanks]
    for split in ways:
        rows = _split(lines, split)
        if all(to_number(cell) is not None for row in rows for cell in row) and len({len(row) for row in rows}) == 1:
            return rows
    # Decimal commas with blanks between them, else a mistake in what commas or blanks separate.
    is_by_blanks = len(ways) > 1 and bool(_DECIMAL_COMMA.search(text)) and len(_at_blanks(lines[0])) > 1
    return _split(lines, _at_blanks if is_by_blanks else ways[0])


def _split(lines: Sequence[str], split: Callable[[str], list[str]]) -> Rows:
    return [split(line) for line in lines]


def _at(mark: str) -> Callable[[str], list[str]]:
    return lambda line: trimmed(_cells(line, mark), least=1)


def _cells(line: str, mark: str) -> list[str]:
    """Split one line; a quotation mark that is not closed is a part of its cell."""
    try:
        return next(csv.reader((line,), delimiter=mark, strict=True), [])
    except csv.Error:
        return line.split(mark)


def _at_blanks(line: str) -> list[str]:
    return _BLANKS.split(line.strip())


# -- literals


def _rows_of_literal(text: str) -> Rows:
    begin, end = text.index("["), text.rindex("]") + 1 if "]" in text else 0
    if end <= begin:
        raise DocumentError("the brackets of a matrix must be closed, got '[' without ']'")
    before, after = text[:begin].strip(), text[end:].strip()
    if len(before) > _LONGEST_AROUND or not _BEFORE.fullmatch(before):
        raise DocumentError(f"a matrix must begin with its brackets, got {shown(before)} before them")
    if len(after) > _LONGEST_AROUND or not _AFTER.fullmatch(after):
        raise DocumentError(f"a matrix must end with its brackets, got {shown(after)} after them")
    return _rows_in_brackets(_PIECE.findall(text[begin:end]))


def _rows_in_brackets(pieces: Sequence[str]) -> Rows:
    """Sort the pieces of a literal into rows; a list without lists in it is one row, or one for each semicolon."""
    rows: Rows = []
    depth = deepest = 0
    for place, piece in enumerate(pieces):
        if piece == "[":
            depth += 1
            deepest = max(deepest, depth)
            if depth == 2 and rows[0]:
                raise DocumentError(f"the rows of a matrix must be lists alike, got {shown(rows[0][0])} beside a list")
            if depth == 2 or not rows:
                rows.append([])
        elif piece == "]":
            depth -= 1
            if depth <= 0 and place < len(pieces) - 1:
                raise DocumentError("the brackets of a matrix must be around all of it, got numbers behind them")
        elif piece == ";":
            rows.append([])
        elif piece in "()":
            raise DocumentError(f"a matrix must be written with square brackets, got {piece!r} inside")
        elif piece != ",":
            if piece == "...":
                raise DocumentError("a matrix must have all its numbers, got '...' in the place of some")
            if depth < deepest:
                raise DocumentError(f"the rows of a matrix must be lists alike, got {shown(piece)} beside a list")
            rows[-1].append(piece)
    if depth != 0:
        raise DocumentError(f"the brackets of a matrix must all be closed, got {depth} open at the end")
    if deepest > 2:
        raise DocumentError(f"a matrix must have 2 dimensions, got lists {deepest} deep")
    kept = rows[1:] if deepest == 2 else [row for row in rows if row]
    if not any(kept):
        raise DocumentError("a pasted matrix must hold at least one number, got empty brackets")
    return kept
