"""The records of where everything of the strip is, in logical pixels before it is scrolled."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from attnviz.views.stages.flow import Way
from attnviz.views.stages.small_grid import SmallGrid

REACH = 4  # how far what is lit stands out beyond the cells


@dataclass(frozen=True, slots=True)
class Asked:
    """What the layout needs to know of one matrix: nothing that changes while a token is dragged.

    Parameters
    ----------
    name, symbol, label : str
        Its identifier and its texts.
    shape : tuple of int
        Rows and columns.
    range_template, sign_template : str
        Texts as long as the drawn range and the sign before it; an empty sign is a mere gap.
    is_step, is_sign_a_number : bool
        Whether an arrow leads from the matrix before, and whether the sign changes with the document.
    """

    name: str
    symbol: str
    label: str
    shape: tuple[int, int]
    range_template: str
    sign_template: str
    is_step: bool
    is_sign_a_number: bool

    @property
    def shape_text(self) -> str:
        """Rows and columns as they are written."""
        return f"({self.shape[0]:,} × {self.shape[1]:,})"


@dataclass(frozen=True, slots=True)
class PlacedMatrix:
    """A small matrix and its place, in logical pixels of the strip before it is scrolled.

    Parameters
    ----------
    asked : Asked
        Which matrix.
    grid : SmallGrid
        Its cells, in device pixels from the corner of ``cells`` on.
    whole : QRectF
        All of it, which a click chooses.
    cells, symbol, shape : QRectF
        Where the cells, the symbol and the shape stand.
    label, bar, limits : QRectF
        Where the name, the colours of the range and its text stand; empty in a low strip.
    """

    asked: Asked
    grid: SmallGrid
    whole: QRectF
    cells: QRectF
    symbol: QRectF
    shape: QRectF
    label: QRectF
    bar: QRectF
    limits: QRectF

    def cell_rect(self, row: int, column: int, ratio: float) -> QRectF:
        """Give the rectangle of a cell."""
        (top, height), (left, width) = self.grid.rows.span(row), self.grid.columns.span(column)
        box = QRectF(left / ratio, top / ratio, width / ratio, height / ratio)
        return box.translated(self.cells.topLeft())

    def cell_at(self, point: QPointF, ratio: float) -> tuple[int, int] | None:
        """Give the row and the column that are drawn at a point, or None beside the cells."""
        inside = (point - self.cells.topLeft()) * ratio
        row, column = self.grid.rows.index_at(inside.y()), self.grid.columns.index_at(inside.x())
        return None if row is None or column is None else (row, column)


@dataclass(frozen=True, slots=True)
class PlacedSign:
    """A sign and its place.

    Parameters
    ----------
    before : str
        The name of the matrix it stands before.
    text : QRectF
        The room for its text, which stands in the middle.
    arrow : tuple of QPointF or None
        From where to where an arrow goes.
    """

    before: str
    text: QRectF
    arrow: tuple[QPointF, QPointF] | None


@dataclass(frozen=True, slots=True)
class PlacedWay:
    """A line below the matrices.

    Parameters
    ----------
    way : Way
        What it leads from and to.
    starts : tuple of QPointF
        Below each source.
    end : QPointF
        Below the target.
    lane : float
        How low it runs.
    """

    way: Way
    starts: tuple[QPointF, ...]
    end: QPointF
    lane: float


@dataclass(frozen=True, slots=True)
class StripLayout:
    """The whole strip.

    Parameters
    ----------
    matrices, signs, ways : tuple
        What is in it.
    width : float
        How wide it is, margins included.
    is_low : bool
        Whether names and ranges are left out for want of height.
    """

    matrices: tuple[PlacedMatrix, ...] = ()
    signs: tuple[PlacedSign, ...] = ()
    ways: tuple[PlacedWay, ...] = ()
    width: float = 0.0
    is_low: bool = False

    def placed(self, name: str) -> PlacedMatrix:
        """Give the place of a matrix."""
        return next(placed for placed in self.matrices if placed.asked.name == name)

    def matrix_at(self, x: float) -> PlacedMatrix | None:
        """Give the matrix that stands at ``x``, with its texts above and below."""
        return next((each for each in self.matrices if each.whole.left() <= x < each.whole.right()), None)

    def changing(self) -> QRectF:
        """Give the band that other numbers change: cells, ranges, and signs with a number."""
        band = QRectF()
        for each in self.matrices:
            band = band.united(each.cells.adjusted(-REACH, -REACH, REACH, REACH)).united(each.limits)
        for sign in self.signs:
            band = band.united(sign.text)
        return band
