"""A matrix together with the names along its axes: what is copied, and what a writer of tables takes."""

from __future__ import annotations

from dataclasses import dataclass

from attnviz.document.arrays import FloatArray, IntArray, every
from attnviz.document.errors import DocumentError
from attnviz.document.frame import Frame
from attnviz.document.matrices import Matrix, axis_labels

MAX_CELLS = 1_024 * 1_024  # as text about 20 MB, and a second or two to write


@dataclass(frozen=True, slots=True, eq=False)
class LabelledMatrix:
    """Numbers with their names.

    Parameters
    ----------
    name : str
        What the numbers are, in one or two words: "weights".
    corner : str
        What stands where the names of rows and columns meet: the symbol of the matrix.
    row_labels, column_labels : tuple of str
        One name for each row and column, exactly as in the document.
    numbers : (n_rows, n_columns) array
        The numbers, exact.

    Raises
    ------
    ValueError
        If the names do not fit the numbers.
    """

    name: str
    corner: str
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    numbers: FloatArray

    def __post_init__(self) -> None:
        expected = (len(self.row_labels), len(self.column_labels))
        if self.numbers.shape != expected:
            raise ValueError(f"numbers must have shape {expected}, got {self.numbers.shape}")


def labelled(
    frame: Frame, matrix: Matrix, rows: IntArray | None = None, columns: IntArray | None = None
) -> LabelledMatrix:
    """Give a part of a matrix of a frame with its names.

    Parameters
    ----------
    frame : Frame
        Where the numbers come from.
    matrix : Matrix
        Which of its matrices.
    rows, columns : array of int or None
        Which rows and columns, in the order wanted; ``None`` for all.

    Raises
    ------
    DocumentError
        If there are more cells than :data:`MAX_CELLS`; none of them is read then.
    """
    n_rows, n_columns = matrix.shape(frame)
    rows = every(n_rows) if rows is None else rows
    columns = every(n_columns) if columns is None else columns
    if len(rows) * len(columns) > MAX_CELLS:
        raise DocumentError(f"a copy must have at most {MAX_CELLS:,} cells, got {len(rows) * len(columns):,}")
    row_labels, column_labels = axis_labels(frame, matrix.rows), axis_labels(frame, matrix.columns)
    return LabelledMatrix(
        matrix.label,
        matrix.symbol,
        tuple([row_labels[row] for row in rows.tolist()]),
        tuple([column_labels[column] for column in columns.tolist()]),
        matrix.read(frame, rows, columns),
    )
