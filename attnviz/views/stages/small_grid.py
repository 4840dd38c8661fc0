"""How large the cells of a small matrix are, and which of many are drawn: pure arithmetic in whole device pixels."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from attnviz.views.matrix.geometry import Axis, Box
from attnviz.views.matrix.layout import MatrixLayout

_NOTHING = Box(0, 0, 0, 0)
_WHOLE_FROM = 6
_ROOMY_FROM = 14
_MOST_BROADENED = 16
_TALLEST_CELL = 2.2
_COLUMN = 0.7
_ONE_COLUMN, _FEW_COLUMNS, _WIDEST = 1.2, 2.0, 9.0
_BROADEST_CELL = 2.2
_WIDEST_SHARE = 1.5


@dataclass(frozen=True, slots=True)
class Lettered:
    """In which letters numbers are tried.

    Parameters
    ----------
    face
        The place of the face among those of the panel.
    advance, height
        The box of a character.
    characters
        How many a cell holds.
    columns
        How many columns a matrix with numbers has at most.
    """

    face: int
    advance: int
    height: int
    characters: int
    columns: int


@dataclass(frozen=True, slots=True)
class SmallGrid:
    """The cells of a small matrix, from its own corner on.

    Parameters
    ----------
    rows, columns
        The cells along y and along x.
    face
        The face of the numbers in the cells; None: colours only.
    """

    rows: Axis
    columns: Axis
    face: int | None

    @property
    def is_cut_across_rows(self) -> bool:
        """Whether so many more rows than columns are left out that a mark should say so."""
        return self.rows.stride >= 2 * self.columns.stride

    @property
    def is_cut_across_columns(self) -> bool:
        """Whether so many more columns than rows are left out that a mark should say so."""
        return self.columns.stride >= 2 * self.rows.stride

    @property
    def left_out(self) -> str:
        """What of the matrix is not drawn, in words; empty where all of it is."""
        strides = (("rows", self.rows.stride), ("columns", self.columns.stride))
        return ", ".join(f"1 of {stride} {name}" for name, stride in strides if stride > 1)

    def layout(self, ratio: float) -> MatrixLayout:
        """Give the same as the layout of a matrix with nothing around."""
        return MatrixLayout(
            rows=self.rows,
            columns=self.columns,
            radius=0,
            border=0,
            feet=(),
            foot_titles=(),
            face=self.face,
            digits=3,
            is_short=False,
            gutter_face=None,
            label_face=0,
            label_line=0,
            row_labels=_NOTHING,
            column_labels=_NOTHING,
            is_turned=False,
            row_step=1,
            column_step=1,
            row_title=_NOTHING,
            column_title=_NOTHING,
            is_row_title_turned=False,
            is_column_title_above=False,
            legend=None,
            legend_text=0,
            note=None,
            gutters=(),
            notes=(),
            note_lines=(),
            ratio=ratio,
            scale=1.0,
        )


def small_grid(shape: tuple[int, int], height: int, line: int, text_width: int, lettered: Lettered) -> SmallGrid:
    """Make the cells of a small matrix.

    Parameters
    ----------
    shape
        Rows and columns.
    height
        What the cells may take along y.
    line
        The height of a line of text, by which everything grows.
    text_width
        The width of the texts above, which a narrow matrix of few columns fills.
    lettered
        In which letters numbers are written where they fit.

    Returns
    -------
    SmallGrid
        At most ``height`` high, with square cells where there are many; never wider than nine lines or one and a
        half times its height, unless it has numbers. Every row and column is drawn where there is a pixel for it,
        else every second, third and so on.
    """
    n_rows, n_columns = shape
    rows = small_axis(n_rows, min(height / n_rows, _TALLEST_CELL * line), height)
    inside = rows.pitch - rows.gap
    if n_columns <= lettered.columns and inside >= lettered.height + 2:
        pitch = float(lettered.characters * lettered.advance + max(3, lettered.advance // 2) + rows.gap)
        return SmallGrid(rows, Axis(n_columns, 0, pitch, rows.gap), lettered.face)
    square = rows.extent / n_rows * n_columns
    filled = min(float(text_width), _BROADEST_CELL * square) if n_columns <= _MOST_BROADENED else 0.0
    least = min(max(_ONE_COLUMN, _COLUMN * n_columns), _FEW_COLUMNS) * line
    most = max(_WIDEST * line, _WIDEST_SHARE * rows.extent)
    room = min(max(square, filled, least), most)
    columns = small_axis(n_columns, room / n_columns, int(room))
    if min(rows.gap, columns.gap) == 0:
        rows, columns = (
            Axis(n_rows, 0, rows.pitch, 0, rows.stride),
            Axis(n_columns, 0, columns.pitch, 0, columns.stride),
        )
    return SmallGrid(rows, columns, None)


def small_axis(count: int, pitch: float, room: int) -> Axis:
    """Make cells of whole pixels with gaps where they are large enough, else as many as there are pixels."""
    if pitch >= _WHOLE_FROM:
        return Axis(count, 0, float(int(pitch)), 2 if pitch >= _ROOMY_FROM else 1)
    stride = max(1, ceil(count / max(1, room)))
    return Axis(count, 0, max(1.0, min(pitch * stride, room / ceil(count / stride))), 0, stride)
