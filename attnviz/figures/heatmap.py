"""One heatmap of a figure: coloured cells with their numbers, hatched masked cells, names, row sums and a legend."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attnviz.appearance import ENTRIES, ByteArray, Theme, colour_table, ink_on
from attnviz.document.frame import LEAST_LIMIT
from attnviz.figures.bitmap import data_address, indexed_png
from attnviz.figures.grid import Grid, Labels
from attnviz.figures.hatch import hatching
from attnviz.figures.lettering import MONOSPACED_WIDTH, cell_number, powered_number, text_width
from attnviz.figures.svg import MONOSPACED, baseline, element, number, text

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

AXIS_TITLE_SIZE = 11.5
MOST_DRAWN_CELLS = 128 * 128  # above this a picture of one pixel a cell is embedded
_LARGEST_NUMBER, _SMALLEST_NUMBER = 13.0, 7.5
_NUMBER_MARGIN = 5.0  # pixels of a cell that its number leaves free
NUMBERED_CELL = _NUMBER_MARGIN + 5 * MONOSPACED_WIDTH * _SMALLEST_NUMBER  # from here on a weight, as 0.389, fits
_GAPPED_CELL, _ROUNDED_CELL = 12.0, 24.0
_TRANSPARENT = ENTRIES
_SMALL_LIMIT = 0.05  # below this three decimals would tell too little
HATCH_DISTANCE = 7.0
_SMALLEST_BORDERED = 6.0


@dataclass(frozen=True, slots=True, eq=False)
class Heatmap:
    """A matrix as it is drawn.

    Parameters
    ----------
    values : array of float, shape (rows, columns)
        The drawn part of the matrix; masked cells may hold anything.
    is_masked : array of bool, shape (rows, columns)
        The cells that are hatched and have no number.
    grid : Grid
        Which part that is, and how large its cells are.
    limits : (float, float)
        The numbers at the two ends of the colour map.
    is_diverging : bool
        Whether the map has its middle at zero.
    marks : tuple of str
        SVG elements over the cells, from the corner of the first one.
    is_leaking : array of bool, shape (rows, columns), or None
        The cells that the mask bans although they have their number: a dashed line runs around each.
    """

    values: FloatArray
    is_masked: BoolArray
    grid: Grid
    limits: tuple[float, float]
    is_diverging: bool
    marks: tuple[str, ...] = ()
    is_leaking: BoolArray | None = None


def cells(heatmap: Heatmap, x: float, y: float, theme: Theme) -> list[str]:
    """Draw the cells with the corner of the first at (x, y): colours, hatching, frame, and numbers where they fit."""
    grid = heatmap.grid
    table = _table(heatmap, theme)
    indices = colour_indices(heatmap)
    is_embedded = indices.size > MOST_DRAWN_CELLS
    drawn = [_picture(indices, grid, table)] if is_embedded else _colours(indices, grid, table, theme)
    drawn += hatching(heatmap.is_masked, grid.cell, HATCH_DISTANCE, theme.hatch)
    if grid.cell < _ROUNDED_CELL:
        drawn.append(
            element("rect", width=grid.width, height=grid.height, fill="none", stroke=theme.border, stroke_width=1)
        )
    if not is_embedded:
        drawn += _numbers(heatmap, indices, ink_on(table))
    drawn += leaking_borders(heatmap, theme)
    drawn += heatmap.marks
    return [element("g", "\n".join(["", *drawn, ""]), transform=f"translate({number(x)} {number(y)})")]


def leaking_borders(heatmap: Heatmap, theme: Theme) -> list[str]:
    """Draw a dashed line within each cell that the mask bans although it has its number; none in tiny cells."""
    if heatmap.is_leaking is None or not heatmap.is_leaking.any() or heatmap.grid.cell < _SMALLEST_BORDERED:
        return []
    cell, inset = heatmap.grid.cell, 2.5 if heatmap.grid.cell >= _ROUNDED_CELL else 1.0
    side = number(cell - 2 * inset)
    path = "".join(
        f"M{number(column * cell + inset)} {number(row * cell + inset)}h{side}v{side}h-{side}z"
        for row, column in np.argwhere(heatmap.is_leaking).tolist()
    )
    return [element("path", d=path, fill="none", stroke=theme.text, stroke_width=1.5, stroke_dasharray="3 2")]


def colour_indices(heatmap: Heatmap) -> ByteArray:
    """Give the place of each cell in the colour map, 0 to 254; masked cells get 255."""
    low, high = heatmap.limits
    values = np.where(heatmap.is_masked, low, heatmap.values)
    share = (values / 2 - low / 2) / (high / 2 - low / 2)  # halves, for limits near the largest float
    indices = np.asarray(np.rint(np.clip(share, 0, 1) * (ENTRIES - 1)), np.uint8)
    indices[heatmap.is_masked] = _TRANSPARENT
    return indices


def row_names(labels: Labels, tokens: Colours, x: float, y: float, cell: float, tick: str) -> list[str]:
    """Draw the names of the rows, ending at ``x``; a thinned-out one has a tick at its row."""
    drawn = []
    for place, name, shown in zip(labels.places, labels.names, labels.shown, strict=True):
        middle = y + (place + 0.5) * cell
        drawn.append(
            text(
                x - 8,
                middle,
                shown,
                size=labels.size,
                fill=tokens.of(place),
                anchor="end",
                whole=name,
                font_weight="bold",
            )
        )
    if labels.step > 1:
        marks = "".join(f"M{number(x - 5)} {number(y + (p + 0.5) * cell)}h4" for p in labels.places)
        drawn.append(element("path", d=marks, stroke=tick, stroke_width=1))
    return drawn


def column_names(labels: Labels, tokens: Colours, x: float, y: float, cell: float, tick: str) -> list[str]:
    """Draw the names of the columns, standing on ``y``."""
    drawn = []
    for place, name, shown in zip(labels.places, labels.names, labels.shown, strict=True):
        middle = x + (place + 0.5) * cell
        at = (middle, y - 8) if labels.is_turned else (middle, y - 8 - labels.size / 2)
        drawn.append(
            text(
                *at,
                shown,
                size=labels.size,
                fill=tokens.of(place),
                whole=name,
                font_weight="bold",
                turned=labels.is_turned,
                anchor="start" if labels.is_turned else "middle",
            )
        )
    if labels.step > 1:
        marks = "".join(f"M{number(x + (p + 0.5) * cell)} {number(y - 5)}v4" for p in labels.places)
        drawn.append(element("path", d=marks, stroke=tick, stroke_width=1))
    return drawn


@dataclass(frozen=True, slots=True, eq=False)
class Colours:
    """The token colours along one axis.

    Parameters
    ----------
    theme : Theme
        Where they come from.
    places : array of int
        The place in the sequence of each drawn row or column.
    """

    theme: Theme
    places: NDArray[np.intp]

    def of(self, drawn: int) -> str:
        """Give the colour of the row or column drawn at ``drawn``."""
        return self.theme.token(int(self.places[drawn]))


def row_sums(sums: FloatArray, labels: Labels, x: float, y: float, cell: float, theme: Theme) -> list[str]:
    """Draw the sum of each named row in the gutter that starts at ``x``; one that is not 1 stands out."""
    drawn = []
    for place in labels.places:
        total = float(sums[place])
        fill = theme.muted if abs(total - 1) < 5e-4 else theme.warning
        drawn.append(
            text(
                x,
                y + (place + 0.5) * cell,
                f"Σ {cell_number(total)}",
                size=min(labels.size, 12.0),
                fill=fill,
                font_family=MONOSPACED,
            )
        )
    return drawn


def legend(heatmap: Heatmap, x: float, y: float, height: float, theme: Theme, identity: str) -> list[str]:
    """Draw the bar of the colour map with the numbers at its ends, and at zero where that lies between."""
    table = _table(heatmap, theme)
    places = np.linspace(ENTRIES - 1, 0, 29).astype(np.intp)
    stops = [
        element("stop", offset=place / (len(places) - 1), stop_color=_hex(table[entry]))
        for place, entry in enumerate(places)
    ]
    gradient = element("linearGradient", *stops, id=identity, x1=0, y1=0, x2=0, y2=1)
    bar = element("rect", x=x, y=y, width=12, height=height, fill=f"url(#{identity})", stroke=theme.border)
    names = [(y, heatmap.limits[1]), (y + height, heatmap.limits[0])]
    if heatmap.is_diverging:
        names.append((y + height / 2, 0.0))
    ends = [
        text(
            x + 18, at + (5 if at == y else -5 if at == y + height else 0), limit_name(value), size=11, fill=theme.muted
        )
        for at, value in names
    ]
    return [element("defs", gradient), bar, *ends]


def legend_width(heatmap: Heatmap) -> float:
    """Give the room the legend takes, in pixels."""
    return 18 + max(text_width(limit_name(limit), 11) for limit in heatmap.limits)


def limit_name(limit: float) -> str:
    """Write a limit of the colour map, without the noughts after the point."""
    if abs(limit) <= LEAST_LIMIT:
        return "0"
    written = cell_number(limit) if abs(limit) >= _SMALL_LIMIT else powered_number(limit)
    return written.rstrip("0").rstrip(".") if "." in written and "e" not in written else written


def _colours(indices: ByteArray, grid: Grid, table: ByteArray, theme: Theme) -> list[str]:
    if grid.cell >= _ROUNDED_CELL:
        return [
            element(
                "rect",
                x=column * grid.cell + 1,
                y=row * grid.cell + 1,
                width=grid.cell - 2,
                height=grid.cell - 2,
                rx=3,
                fill=_fill(index, table),
                stroke=theme.border,
            )
            for (row, column), index in np.ndenumerate(indices)
        ]
    side = grid.cell - (1 if grid.cell >= _GAPPED_CELL else 0)
    square = f"h{number(side)}v{number(side)}h-{number(side)}z"
    drawn = []
    for index in np.unique(indices[indices != _TRANSPARENT]):
        places = np.argwhere(indices == index) * grid.cell
        path = "".join(f"M{number(x)} {number(y)}{square}" for y, x in places.tolist())
        drawn.append(element("path", d=path, fill=_hex(table[index]), shape_rendering="crispEdges"))
    return drawn


def _picture(indices: ByteArray, grid: Grid, table: ByteArray) -> str:
    palette = np.concatenate((table, [[0, 0, 0]])).astype(np.uint8)
    return element(
        "image",
        width=grid.width,
        height=grid.height,
        preserveAspectRatio="none",
        image_rendering="optimizeSpeed",
        xlink_href=data_address(indexed_png(indices, palette, _TRANSPARENT)),
    ).replace("xlink-href", "xlink:href")


def _numbers(heatmap: Heatmap, indices: ByteArray, inks: ByteArray) -> list[str]:
    grid = heatmap.grid
    if grid.cell < 5 * MONOSPACED_WIDTH * _SMALLEST_NUMBER:
        return []
    write = cell_number if not LEAST_LIMIT < heatmap.limits[1] < _SMALL_LIMIT else powered_number
    written = {
        (row, column): write(float(heatmap.values[row, column]))
        for row, column in np.argwhere(~heatmap.is_masked).tolist()
    }
    longest = max(map(len, written.values()), default=1)
    size = min(_LARGEST_NUMBER, np.floor(2 * (grid.cell - _NUMBER_MARGIN) / (longest * MONOSPACED_WIDTH)) / 2)
    if size < _SMALLEST_NUMBER:
        return []
    shift = baseline(size)
    numbers = [
        element(
            "text",
            shown,
            x=(column + 0.5) * grid.cell,
            y=(row + 0.5) * grid.cell + shift,
            fill=_hex(inks[indices[row, column]]),
        )
        for (row, column), shown in written.items()
    ]
    return [element("g", *numbers, font_family=MONOSPACED, font_size=size, text_anchor="middle")]


def _table(heatmap: Heatmap, theme: Theme) -> ByteArray:
    return colour_table(theme.score_map if heatmap.is_diverging else theme.weight_map, heatmap.is_diverging)


def _fill(index: np.uint8, table: ByteArray) -> str:
    return "none" if index == _TRANSPARENT else _hex(table[index])


def _hex(colour: ByteArray) -> str:
    return "#" + colour.tobytes().hex()
