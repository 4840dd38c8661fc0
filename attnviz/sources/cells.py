"""Reads one cell of a table as a number, and tells a header line from a row; shared by files and pasted rows."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

_NUMBER = re.compile(r"[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?")
_LABEL_NAMES = frozenset({"", "word", "words", "token", "tokens", "label", "labels", "name", "names", "text", "key"})


class NotANumberError(ValueError):
    """A cell that is no finite number; `column` counts from 0 among the cells given."""

    def __init__(self, column: int, cell: str) -> None:
        super().__init__(f"expected a finite number, got {shown(cell)}")
        self.column = column


def shown(text: str) -> str:
    """Quote a piece of a file for a message, cut to a readable length."""
    return repr(text if len(text) <= 40 else text[:40] + "...") if text else "an empty cell"


def printable(text: str) -> str:
    """Make a name or a reason fit for a message: one line, of a readable length."""
    return "".join(character if character.isprintable() else "?" for character in text[:80])


def is_word(text: str) -> bool:
    """Tell whether a text can be the name of a row: not empty, and valid as UTF-8."""
    try:
        return bool(text.encode())
    except UnicodeEncodeError:
        return False


def trimmed(row: list[str], least: int = 0) -> list[str]:
    """Leave out the empty cells at the end of a row, which spreadsheets add, but keep the first ``least`` cells."""
    width = len(row)
    while width > least and not row[width - 1].strip():
        width -= 1
    return row[:width]


def to_number(cell: str) -> float | None:
    """Read a cell as a finite number.

    Parameters
    ----------
    cell : str
        Decimal point or decimal comma, optional exponent; blanks around it are allowed. Digits are not grouped.

    Returns
    -------
    float or None
        None when the cell is anything else, which includes NaN, infinity and numbers beyond float64.
    """
    cell = cell.strip().replace("−", "-")
    if not _NUMBER.fullmatch(cell):
        return None
    value = float(cell.replace(",", "."))
    return value if math.isfinite(value) else None


def is_like_number(cell: str) -> bool:
    """Tell whether a cell is a number, or one that is refused: NaN, infinity, a number beyond float64."""
    cell = cell.strip().replace("−", "-")
    return bool(_NUMBER.fullmatch(cell)) or cell.casefold().lstrip("+-") in {"nan", "inf", "infinity"}


def to_numbers(cells: Sequence[str]) -> list[float]:
    """Read cells as finite numbers.

    Parameters
    ----------
    cells : sequence of str
        As for `to_number`.

    Returns
    -------
    list of float
        As many as cells.

    Raises
    ------
    NotANumberError
        For the first cell that is no finite number.
    """
    numbers = []
    for column, cell in enumerate(cells):
        number = to_number(cell)
        if number is None:
            raise NotANumberError(column, cell)
        numbers.append(number)
    return numbers


def label_column_by_name(cells: Sequence[str]) -> int | None:
    """Find the column of words in a header line by its usual names, the first one if several fit."""
    fits = [column for column, cell in enumerate(cells) if cell.strip().casefold() in _LABEL_NAMES]
    named = [column for column in fits if cells[column].strip()]
    return next(iter(named or fits), None)


def is_header(cells: Sequence[str]) -> bool:
    """Tell whether the first line of a table names its columns.

    Parameters
    ----------
    cells : sequence of str
        The cells of the line.

    Returns
    -------
    bool
        True when there are two cells or more and either no cell is a number, or the cells beside the words
        simply count 0, 1, 2, ... as exported data frames do, or 1, 2, 3, ... beside a cell such as "word".
    """
    filled = [cell for cell in cells if cell.strip()]
    if len(cells) < 2 or not filled:
        return False
    if not any(is_like_number(cell) for cell in filled):
        return True
    label = label_column_by_name(cells)
    counted = [cell.strip() for column, cell in enumerate(cells) if column != label and cell.strip()]
    if label is None or len(counted) < 2:
        return False
    starts = (0, 1) if cells[label].strip() else (0,)
    return any(counted == [str(start + number) for number in range(len(counted))] for start in starts)
