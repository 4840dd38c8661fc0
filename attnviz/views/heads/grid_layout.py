"""Where the small multiples go: as many columns as make their cells largest, all of them with the same cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from PySide6.QtCore import QRectF

from attnviz.views.heads.tiles import Tile
from attnviz.views.matrix.geometry import Axis
from attnviz.views.stages.placed import Asked, PlacedMatrix
from attnviz.views.stages.small_grid import Lettered, SmallGrid, small_axis
from attnviz.views.stages.strip_fonts import StripFonts

MARGIN = 6.0
_GAP, _LEAD = 14.0, 14.0  # between two, and what a sign takes besides
_BELOW_TITLE, _BETWEEN_ROWS = 3.0, 10.0
_TALLEST_CELL = 4.0  # of a line
_MOST_STRETCHED = 2.4
_NUMBERS = ((0, 6), (2, 6), (0, 5), (2, 5))  # face, and characters
_BAR, _AFTER_BAR, _LEAST_BAR = 6.0, 6.0, 24.0
LEAST_CELLS = 20.0


@dataclass(frozen=True, slots=True)
class GridLayout:
    """Where everything is, in logical pixels.

    Parameters
    ----------
    tiles : tuple of PlacedMatrix
        The small matrices, in order; the symbol is the title, bar and limits are for the bar below and its number.
    titles : tuple of str
        What is written above each.
    columns : int
        How many stand in a row.
    """

    tiles: tuple[PlacedMatrix, ...] = ()
    titles: tuple[str, ...] = ()
    columns: int = 1

    def tile_at(self, x: float, y: float) -> int | None:
        """Give the place of the tile at a point, if there is one."""
        return next((place for place, tile in enumerate(self.tiles) if tile.whole.contains(x, y)), None)


def asked_of(tiles: Sequence[Tile]) -> tuple[object, ...]:
    """Give what the layout depends on: nothing that changes while a token is dragged."""
    return tuple((tile.titles, tile.sign) for tile in tiles), tiles[0].picture.shape, tiles[0].picture.role


def lay_out_grid(tiles: Sequence[Tile], width: float, height: float, fonts: StripFonts) -> GridLayout:
    """Decide where the small matrices go.

    Parameters
    ----------
    tiles
        At least one; all of the same shape.
    width, height
        The room.
    fonts
        The letters.

    Returns
    -------
    GridLayout
        Nothing over another; where the room is too low, the cells stay ``LEAST_CELLS`` high and what is below is cut.
    """
    n_tiles, has_signs = len(tiles), any(tile.sign for tile in tiles)
    has_bars = any(tile.share is not None for tile in tiles)
    lead = _LEAD if has_signs else 0.0
    gap = _GAP + lead
    above = fonts.small_line + _BELOW_TITLE
    below = fonts.small_line + _BELOW_TITLE if has_bars else 0.0
    narrowest = fonts.width("0.000") + _AFTER_BAR + _LEAST_BAR if has_bars else LEAST_CELLS
    shape, is_square = tiles[0].picture.shape, tiles[0].picture.role == "share"
    best: tuple[float, int, SmallGrid, float] | None = None
    for columns in range(1, n_tiles + 1):
        rows = ceil(n_tiles / columns)
        across = (width - 2 * MARGIN - lead + gap) / columns - gap
        down = (height - 2 * MARGIN + _BETWEEN_ROWS) / rows - _BETWEEN_ROWS - above - below
        if across < narrowest and columns > 1:
            break
        grid = _grid(shape, max(LEAST_CELLS, across), max(LEAST_CELLS, down), fonts, is_square=is_square)
        worth = grid.rows.pitch / grid.rows.stride * grid.columns.pitch / grid.columns.stride
        worth *= (n_tiles / (rows * columns)) ** 0.5  # rather full rows than a few larger cells
        worth *= 1.0 if down >= LEAST_CELLS else 0.1
        if best is None or worth >= best[0]:
            best = (worth, columns, grid, across)
    assert best is not None, "there is always one column"
    _, columns, grid, across = best
    return _placed(tiles, (columns, grid, across), (lead, above, below), fonts)


def least_height(n_tiles: int, width: float, fonts: StripFonts, *, has_bars: bool) -> float:
    """Give a height in which every small matrix has a few pixels, for a width."""
    above = (2 if has_bars else 1) * (fonts.small_line + _BELOW_TITLE)
    columns = max(1, min(n_tiles, int((width - 2 * MARGIN) / (3 * LEAST_CELLS + _GAP))))
    rows = ceil(n_tiles / columns)
    return rows * (2 * LEAST_CELLS + above + _BETWEEN_ROWS) + 2 * MARGIN


def _placed(
    tiles: Sequence[Tile], chosen: tuple[int, SmallGrid, float], around: tuple[float, float, float], fonts: StripFonts
) -> GridLayout:
    columns, grid, across = chosen
    lead, above, below = around
    gap = _GAP + lead
    ratio = fonts.ratio
    cells_width, cells_height = grid.columns.extent / ratio, grid.rows.extent / ratio
    narrowest = fonts.width("0.000") + _AFTER_BAR + _LEAST_BAR if below else 0.0
    widest = max(_title_width(tile, fonts) for tile in tiles)
    own = max(cells_width, min(across, max(widest, narrowest)))
    titles = _titles_within(tiles, max(own, across), fonts)
    placed = []
    for place, (tile, title) in enumerate(zip(tiles, titles, strict=True)):
        row, column = divmod(place, columns)
        left = round(MARGIN + lead + column * (own + gap))
        top = round(MARGIN + row * (above + cells_height + below + _BETWEEN_ROWS))
        cells = QRectF(left, top + above, cells_width, cells_height)
        symbol = QRectF(left, top, fonts.width(title), fonts.small_line)
        bar = QRectF(left, cells.bottom() + _BELOW_TITLE + (fonts.small_line - _BAR) / 2, 0.0, _BAR)
        bar.setWidth(max(0.0, own - fonts.width("0.000") - _AFTER_BAR))
        measure = QRectF(
            bar.right() + _AFTER_BAR, cells.bottom() + _BELOW_TITLE, fonts.width("0.000"), fonts.small_line
        )
        whole = QRectF(left, top, own, above + cells_height + below).adjusted(-6, -4, 6, 5)
        asked = Asked(str(place), title, "", tile.picture.shape, "", tile.sign, is_step=False, is_sign_a_number=False)
        placed.append(
            PlacedMatrix(
                asked=asked,
                grid=grid,
                whole=whole,
                cells=cells,
                symbol=symbol,
                shape=QRectF(),
                label=QRectF(),
                bar=bar if below else QRectF(),
                limits=measure if below else QRectF(),
            )
        )
    return GridLayout(tuple(placed), titles, columns)


def _title_width(tile: Tile, fonts: StripFonts) -> float:
    return fonts.width(tile.titles[0])


def _titles_within(tiles: Sequence[Tile], room: float, fonts: StripFonts) -> tuple[str, ...]:
    """Give the longest titles that all fit, the shortest where none do."""
    most = max(len(tile.titles) for tile in tiles)
    found: tuple[str, ...] = ()
    for place in range(most):
        found = tuple(tile.titles[min(place, len(tile.titles) - 1)] for tile in tiles)
        if all(fonts.width(title) <= room for title in found):
            break
    return found


def _grid(shape: tuple[int, int], width: float, height: float, fonts: StripFonts, *, is_square: bool) -> SmallGrid:
    """Make the cells: as large as there is room, none much longer than wide, with numbers where they fit."""
    n_rows, n_columns = shape
    ratio, stretched = fonts.ratio, 1.0 if is_square else _MOST_STRETCHED
    most = _TALLEST_CELL * fonts.line * ratio
    down, across = min(height * ratio / n_rows, most), min(width * ratio / n_columns, most * 1.3)
    down, across = min(down, stretched * across), min(across, stretched * down)
    high, wide = int(height * ratio), int(width * ratio)
    if is_square and n_rows == n_columns:
        high = wide = min(high, wide)  # so that as many rows are left out as columns
    rows, columns = small_axis(n_rows, down, high), small_axis(n_columns, across, wide)
    if min(rows.gap, columns.gap) == 0:
        rows = Axis(n_rows, 0, rows.pitch, 0, rows.stride)
        columns = Axis(n_columns, 0, columns.pitch, 0, columns.stride)
    return SmallGrid(rows, columns, _face(rows, columns, fonts))


def _face(rows: Axis, columns: Axis, fonts: StripFonts) -> int | None:
    if rows.stride > 1 or columns.stride > 1:
        return None
    for face, characters in _NUMBERS:
        lettered: Lettered = fonts.lettered(face, characters, columns.count)
        room = characters * lettered.advance + max(3, lettered.advance // 2) + columns.gap
        if columns.pitch >= room and rows.pitch - rows.gap >= lettered.height + 2:
            return face
    return None
