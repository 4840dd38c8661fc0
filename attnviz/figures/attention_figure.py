"""The figure of a frame: score heatmap and weight heatmap side by side under a title, as the text of an SVG file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from attnviz import __version__
from attnviz.appearance import LIGHT, Theme
from attnviz.document.budgets import remarks_on
from attnviz.document.frame import Frame, Stage
from attnviz.document.hidden_cells import hidden_cells, leaking_cells
from attnviz.document.state import SCALARS
from attnviz.engine import SOFTMAX_VARIANTS
from attnviz.figures.grid import Grid, Labels, column_labels, grid_for, row_labels
from attnviz.figures.hatch import hatching
from attnviz.figures.heatmap import (
    AXIS_TITLE_SIZE,
    HATCH_DISTANCE,
    NUMBERED_CELL,
    Colours,
    Heatmap,
    cells,
    column_names,
    legend,
    legend_width,
    row_names,
    row_sums,
)
from attnviz.figures.layer_settings import changes_scaled, layer_settings, score_words
from attnviz.figures.lettering import cell_number, setting_number, shortened, text_width
from attnviz.figures.pins import pin_marks, pin_remarks
from attnviz.figures.svg import document, element, number, text

ScoreStage: TypeAlias = Literal["raw", "scaled", "masked"]
SCORE_STAGES: tuple[ScoreStage, ...] = ("raw", "scaled", "masked")

_MARGIN = 24.0
_GAP = 40.0
_GUTTER = 64.0
_SMALLEST_BAR = 96.0
_NARROWEST = 560.0
_SOFTMAX_CAPTIONS = {
    "standard": "softmax of each row",
    "plus_one": "softmax of each row, plus one",
    "columns": "softmax of each column",
}
_STAGE_OF: dict[ScoreStage, Stage] = {"raw": "scores", "scaled": "scaled", "masked": "masked"}


def figure_svg(frame: Frame, *, stage: ScoreStage | None = None, theme: Theme = LIGHT) -> str:
    """Draw the score and weight heatmaps of a frame.

    Parameters
    ----------
    frame : Frame
        What is drawn.
    stage : {"raw", "scaled", "masked"}, optional
        The scores that are drawn; by default the masked ones under a mask, soft cap or bias, else the scaled ones.
    theme : Theme
        The colours.

    Returns
    -------
    str
        The text of an SVG file: the same for the same frame, to the last character.
    """
    chosen = stage or ("masked" if changes_scaled(frame) else "scaled")
    grid = grid_for(frame.n_query, frame.n_key)
    panels = [_score_panel(frame, chosen, grid, theme), _weight_panel(frame, grid, theme)]
    names = _Names.of(frame, grid)
    panel_widths = sum(_panel_width(panel, names) for panel in panels)
    width = math.ceil(max(2 * _MARGIN + _GAP + panel_widths, _NARROWEST))
    head, y = _head(frame, width, theme)
    content = [element("rect", width=width, height=0, fill=theme.panel), *head]
    x = _MARGIN
    for panel in panels:
        content += _draw_panel(panel, names, x, y, theme)
        x += _panel_width(panel, names) + _GAP
    foot, height = _foot(frame, grid, panels, y + _panel_height(panels[0], names) + 20, theme)
    height = math.ceil(height)
    content[0] = element("rect", width=width, height=height, fill=theme.panel)
    title = frame.state.title or "Attention"
    return document(width, height, title, _description(frame), [*content, *foot])


@dataclass(frozen=True, slots=True, eq=False)
class _Panel:
    name: str
    caption: str
    heatmap: Heatmap
    sums: NDArray[np.float64] | None


@dataclass(frozen=True, slots=True, eq=False)
class _Names:
    rows: Labels
    columns: Labels

    @classmethod
    def of(cls, frame: Frame, grid: Grid) -> _Names:
        return cls(row_labels(frame.query_tokens, grid), column_labels(frame.key_tokens, grid))


def _score_panel(frame: Frame, stage: ScoreStage, grid: Grid, theme: Theme) -> _Panel:
    name = _STAGE_OF[stage]
    values = frame.cells(name, grid.rows, grid.columns)
    hidden, leaking = _marked(frame, name, grid)
    limit = frame.limit(name)
    times = f"q·k × {setting_number(round(frame.multiplier, 3 if abs(frame.multiplier) >= 0.1 else 6))}"
    caption = {"raw": "raw: q·k", "scaled": f"scaled: {times}", "masked": f"{score_words(frame)}: {times}"}[stage]
    marks = tuple(pin_marks(frame, "score", grid, theme))
    heatmap = Heatmap(values, hidden, grid, (-limit, limit), True, marks, leaking)
    return _Panel("Scores", caption, heatmap, None)


def _weight_panel(frame: Frame, grid: Grid, theme: Theme) -> _Panel:
    values = frame.cells("weights", grid.rows, grid.columns)
    marks = tuple(pin_marks(frame, "weight", grid, theme))
    hidden, leaking = _marked(frame, "weights", grid)
    heatmap = Heatmap(values, hidden, grid, (0.0, 1.0), False, marks, leaking)
    # Without numbers in the cells a pale map on [0, 1] would not say how pale.
    largest = f", largest drawn {cell_number(float(values.max()))}" if grid.cell < NUMBERED_CELL else ""
    caption = f"{_softmax_caption(frame.state.softmax)}{largest}"
    return _Panel("Weights", caption, heatmap, frame.row_sums(grid.rows))


def _softmax_caption(name: str) -> str:
    """Say which softmax made the weights; one that is registered from elsewhere by its own label."""
    return _SOFTMAX_CAPTIONS.get(name) or f"softmax: {SOFTMAX_VARIANTS[name].label}"


def _marked(frame: Frame, stage: Stage, grid: Grid) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tell which drawn cells the mask took away, and which it bans although they have their number."""
    return hidden_cells(frame, stage, grid.rows, grid.columns), leaking_cells(frame, stage, grid.rows, grid.columns)


def _origin(names: _Names) -> tuple[float, float]:
    """Give where the first cell lies in its panel."""
    return 24 + names.rows.extent + 8, 56 + names.columns.extent + 8


def _panel_width(panel: _Panel, names: _Names) -> float:
    gutter = _GUTTER if panel.sums is not None else 0.0
    needed = _origin(names)[0] + panel.heatmap.grid.width + 16 + gutter + legend_width(panel.heatmap)
    return max(needed, text_width(panel.name, 14, is_bold=True) + 16 + text_width(panel.caption, 12))


def _panel_height(panel: _Panel, names: _Names) -> float:
    return _origin(names)[1] + max(panel.heatmap.grid.height, _SMALLEST_BAR)


def _draw_panel(panel: _Panel, names: _Names, left: float, top: float, theme: Theme) -> list[str]:
    grid = panel.heatmap.grid
    x, y = left + _origin(names)[0], top + _origin(names)[1]
    caption_x = left + text_width(panel.name, 14, is_bold=True) + 14
    drawn = [
        text(left, top + 8, panel.name, size=14, fill=theme.text, font_weight="bold"),
        text(caption_x, top + 8, panel.caption, size=12, fill=theme.muted),
        text(
            x + grid.width / 2,
            top + 40,
            _axis_title("key (to)", names.columns),
            size=AXIS_TITLE_SIZE,
            fill=theme.muted,
            anchor="middle",
        ),
        text(
            left + 8,
            y + grid.height / 2,
            _axis_title("query (from)", names.rows),
            size=AXIS_TITLE_SIZE,
            fill=theme.muted,
            anchor="middle",
            turned=True,
        ),
        *row_names(names.rows, Colours(theme, grid.rows), x, y, grid.cell, theme.muted),
        *column_names(names.columns, Colours(theme, grid.columns), x, y, grid.cell, theme.muted),
        *cells(panel.heatmap, x, y, theme),
    ]
    x += grid.width + 16
    if panel.sums is not None:
        drawn += row_sums(panel.sums, names.rows, x - 4, y, grid.cell, theme)
        x += _GUTTER
    bar = max(grid.height, _SMALLEST_BAR)
    return drawn + legend(panel.heatmap, x, y, bar, theme, f"map-{panel.name.lower()}")


def _axis_title(title: str, labels: Labels) -> str:
    return title if labels.step == 1 else f"{title}, every {labels.step}{_ordinal(labels.step)} named"


def _ordinal(count: int) -> str:
    return "nd" if count == 2 else "th"


def _head(frame: Frame, width: float, theme: Theme) -> tuple[list[str], float]:
    """Draw title and settings; give the height where the panels begin."""
    room = width - 2 * _MARGIN
    title = frame.state.title or "Attention"
    shown = shortened(title, 18, room, is_bold=True)
    drawn = [text(_MARGIN, 32, shown, size=18, fill=theme.text, font_weight="bold", whole=title)]
    y = 58.0
    for line in _wrapped(settings_of(frame), 12, room):
        drawn.append(text(_MARGIN, y, line, size=12, fill=theme.muted))
        y += 18
    return drawn, y + 14


def settings_of(frame: Frame) -> list[str]:
    """Name what the numbers of a figure depend on, besides its tokens."""
    state = frame.state
    rules = {name: label for name, label, _ in SCALARS["scale"].choices}
    size = f"n = {frame.n_query:,}" if state.context is None else _counted(frame)
    return [
        f"T = {setting_number(state.temperature)}",
        f"d_k = {state.d_k:,}",
        f"scale {state.scale if state.scale in ('none', 'custom') else rules[state.scale]}",
        f"multiplier {setting_number(frame.multiplier)}",
        *layer_settings(frame),
        size,
        f"attnviz {__version__}",
    ]


def _counted(frame: Frame) -> str:
    queries = f"{frame.n_query:,} {'query' if frame.n_query == 1 else 'queries'}"
    return f"{queries}, {frame.n_key:,} {'key' if frame.n_key == 1 else 'keys'}"


def _foot(frame: Frame, grid: Grid, panels: list[_Panel], y: float, theme: Theme) -> tuple[list[str], float]:
    """Draw what is to be said of masked, empty and left-out rows; give the height of the figure."""
    drawn: list[str] = []
    if any(panel.heatmap.is_masked.any() for panel in panels):
        swatch = hatching(np.ones((1, 2), np.bool_), 12, HATCH_DISTANCE, theme.hatch)
        place = f"translate({number(_MARGIN)} {number(y - 6)})"
        frame_of = element("rect", width=24, height=12, fill="none", stroke=theme.border)
        drawn.append(element("g", *swatch, frame_of, transform=place))
        when = "before" if frame.state.masking == "before" else "after"
        drawn.append(text(_MARGIN + 32, y, f"masked: left out {when} the softmax", size=11.5, fill=theme.muted))
        y += 20
    if any(panel.heatmap.is_leaking is not None and panel.heatmap.is_leaking.any() for panel in panels):
        drawn.append(text(_MARGIN, y, "dashed: banned, and counts all the same", size=11.5, fill=theme.muted))
        y += 20
    for sentence in _remarks(frame, grid):
        drawn.append(text(_MARGIN, y, sentence, size=11.5, fill=theme.warning))
        y += 20
    return drawn, y + 4


def _remarks(frame: Frame, grid: Grid) -> list[str]:
    remarks = []
    empty = np.flatnonzero(frame.empty_rows)
    if len(empty) and frame.shows_mask("weights"):
        tokens = ", ".join(frame.query_tokens[i] for i in empty[:6]) + (", …" if len(empty) > 6 else "")
        remarks.append(f"No visible key, so weights and output are 0: {tokens}")
    if grid.is_sampled:
        remarks.append(
            f"Sampled: {len(grid.rows):,} of {grid.n_query:,} rows and {len(grid.columns):,} of {grid.n_key:,} columns "
            "are drawn, evenly spaced."
        )
    others = [remark.sentence for remark in remarks_on(frame) if remark.subject != "empty"]
    if len(empty) and not frame.shows_mask("weights"):
        others = [remark.sentence for remark in remarks_on(frame)]
    return [*remarks, *others, *pin_remarks(frame)]


def _description(frame: Frame) -> str:
    return f"Attention of queries (rows) over keys (columns), {_counted(frame)}: {', '.join(settings_of(frame))}."


def _wrapped(parts: list[str], size: float, room: float) -> list[str]:
    lines = [parts[0]]
    for part in parts[1:]:
        joined = f"{lines[-1]}  ·  {part}"
        if text_width(joined, size) <= room:
            lines[-1] = joined
        else:
            lines.append(part)
    return lines
