"""A matrix with its names as text to paste elsewhere: spreadsheet, web page, notes, paper, program."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from html import escape

import numpy as np
from numpy.typing import ArrayLike

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "′": "$'$",
}
_MARKDOWN = frozenset("\\`*_{}[]<>#|~&")


def table_as_tsv(
    matrix: ArrayLike, row_labels: Sequence[str], column_labels: Sequence[str], *, corner: str = ""
) -> str:
    r"""Write a matrix as tab-separated lines, numbers in full, for a spreadsheet.

    Parameters
    ----------
    matrix : array_like, shape (rows, columns)
        Numbers.
    row_labels, column_labels : sequence of str
        The names along the axes, written as they are.
    corner : str
        What stands where the names meet.

    Returns
    -------
    str
        A line of names, then a line a row that begins with its name.

    Examples
    --------
    >>> table_as_tsv([[0.5, 1.0]], ["cat"], ["a", "b"], corner="A")
    'A\ta\tb\ncat\t0.5\t1.0\n'
    """
    return _separated("\t", matrix, row_labels, column_labels, corner)


def table_as_csv(
    matrix: ArrayLike, row_labels: Sequence[str], column_labels: Sequence[str], *, corner: str = ""
) -> str:
    r"""Write a matrix as comma-separated lines, numbers in full; parameters as for :func:`table_as_tsv`.

    Examples
    --------
    >>> table_as_csv([[0.5, 1.0]], ["cat"], ["a", "b,c"])
    ',a,"b,c"\ncat,0.5,1.0\n'
    """
    return _separated(",", matrix, row_labels, column_labels, corner)


def table_as_html(
    matrix: ArrayLike, row_labels: Sequence[str], column_labels: Sequence[str], digits: int = 3, *, corner: str = ""
) -> str:
    """Write a matrix as an HTML table; parameters as for :func:`table_as_tsv`, numbers with ``digits`` decimals."""
    head = "".join(f'<th scope="col">{escape(label)}</th>' for label in column_labels)
    body = "".join(
        f'<tr><th scope="row">{escape(label)}</th>{"".join(f"<td>{cell}</td>" for cell in row)}</tr>\n'
        for label, row in _rows(matrix, row_labels, _rounded(digits))
    )
    return f"<table>\n<thead><tr><td>{escape(corner)}</td>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"


def table_as_markdown(
    matrix: ArrayLike, row_labels: Sequence[str], column_labels: Sequence[str], digits: int = 3, *, corner: str = ""
) -> str:
    r"""Write a matrix as a Markdown table; parameters as for :func:`table_as_tsv`, numbers with ``digits`` decimals.

    Examples
    --------
    >>> print(table_as_markdown([[0.5, 1.0]], ["cat"], ["a", "<s>"]), end="")
    |     | a     | \<s\> |
    |-----|------:|------:|
    | cat | 0.500 | 1.000 |
    """
    names = [_markdown(corner), *map(_markdown, column_labels)]
    body = [[_markdown(label), *row] for label, row in _rows(matrix, row_labels, _rounded(digits))]
    widths = [max(map(len, column)) for column in zip(names, *body, strict=True)]
    rule = ["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])]
    lines = [_padded(names, widths), "|".join(["", *rule, ""]), *(_padded(row, widths) for row in body)]
    return "\n".join(lines) + "\n"


def table_as_latex(
    matrix: ArrayLike, row_labels: Sequence[str], column_labels: Sequence[str], digits: int = 3, *, corner: str = ""
) -> str:
    """Write a matrix as a LaTeX tabular; parameters as for :func:`table_as_tsv`, numbers with ``digits`` decimals."""
    names = " & ".join([_latex(corner), *map(_latex, column_labels)])
    rows = (
        " & ".join([_latex(label), *(_latex_number(cell) for cell in row)]) + r" \\"
        for label, row in _rows(matrix, row_labels, _rounded(digits))
    )
    opening = r"\begin{tabular}{l" + "r" * len(column_labels) + "}"
    return "\n".join([opening, r"\hline", names + r" \\", r"\hline", *rows, r"\hline", r"\end{tabular}", ""])


def table_as_numpy(
    matrix: ArrayLike, row_labels: Sequence[str], column_labels: Sequence[str], name: str = "matrix"
) -> str:
    """Write a matrix as Python code that makes it again, exactly; parameters as for :func:`table_as_tsv`.

    Examples
    --------
    >>> print(table_as_numpy([[0.1, 1.0]], ["cat"], ["a", "b"], "weights"), end="")
    import numpy as np
    <BLANKLINE>
    rows = ['cat']
    columns = ['a', 'b']
    weights = np.array([
        [0.1, 1.0],
    ])
    """
    rows = [f"    [{', '.join(row)}]," for _, row in _rows(matrix, row_labels, _python)]
    head = ["import numpy as np", "", f"rows = {list(row_labels)!r}", f"columns = {list(column_labels)!r}"]
    return "\n".join([*head, f"{name} = np.array([", *rows, "])", ""])


def _separated(
    mark: str, matrix: ArrayLike, row_labels: Sequence[str], column_labels: Sequence[str], corner: str
) -> str:
    lines = [_quoted([corner, *column_labels], mark)]
    for label, row in _rows(matrix, row_labels, repr):
        lines.append(mark.join([_quoted([label], mark), *row]))  # a number needs no quotes, and there are many of them
    return "\n".join([*lines, ""])


def _quoted(labels: Sequence[str], mark: str) -> str:
    file = io.StringIO()
    csv.writer(file, delimiter=mark, lineterminator="\n").writerow(labels)
    return file.getvalue().removesuffix("\n")


def _rows(matrix: ArrayLike, row_labels: Sequence[str], write: Callable[[float], str]) -> list[tuple[str, list[str]]]:
    values = np.asarray(matrix, np.float64).tolist()
    return [(label, list(map(write, row))) for label, row in zip(row_labels, values, strict=True)]


def _rounded(digits: int) -> Callable[[float], str]:
    def write(value: float) -> str:
        if not math.isfinite(value):
            return "−∞" if value < 0 else "∞" if value > 0 else "?"
        written = f"{value:.{digits}f}" if abs(value) < 1e9 else f"{value:.{digits}e}"
        return written if float(written) != 0 else written.removeprefix("-")

    return write


def _python(value: float) -> str:
    if math.isnan(value):
        return "np.nan"
    return repr(value) if math.isfinite(value) else "-np.inf" if value < 0 else "np.inf"


def _markdown(label: str) -> str:
    return "".join("\\" + character if character in _MARKDOWN else character for character in label)


def _padded(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = (
        cell.ljust(width) if place == 0 else cell.rjust(width) if _is_number(cell) else cell.ljust(width)
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return f"| {' | '.join([first, *rest])} |"


def _is_number(cell: str) -> bool:
    return bool(cell) and not cell.strip("0123456789.-+e∞−?")


def _latex(label: str) -> str:
    return "".join(_LATEX.get(character, character) for character in label)


def _latex_number(cell: str) -> str:
    return f"${cell.replace('−', '-').replace('∞', chr(92) + 'infty')}$"
