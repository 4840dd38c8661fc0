"""What stands above and left of a matrix, and how little room it can take: labels, axis titles and the note."""

from __future__ import annotations

from dataclasses import dataclass, replace
from textwrap import wrap

from attnviz.views.matrix.fit import Request
from attnviz.views.matrix.geometry import Box

_WIDEST_LABEL = 0.16
_HIGHEST_LABEL = 0.24


@dataclass(frozen=True, slots=True)
class Plan:
    """What a layout is tried with.

    Parameters
    ----------
    kept
        How many gutters are kept.
    label
        The index of the face for token labels.
    is_roomy
        Titles have lines of their own.
    is_turned
        Column labels run upwards.
    has_legend
        The legend is drawn.
    steps
        One of so many row and column labels is drawn, at least.
    notes
        What is to be said.
    has_feet
        The gutters below the cells are drawn.
    more
        How many pixels row labels may take over their usual share.
    """

    kept: int
    label: int
    is_roomy: bool
    is_turned: bool
    has_legend: bool
    steps: tuple[int, int] = (1, 1)
    notes: tuple[str, ...] = ()
    has_feet: bool = False
    more: int = 0


@dataclass(frozen=True, slots=True)
class Headings:
    """How much room the headings take, in device pixels.

    Parameters
    ----------
    left, top, below
        Where the cells begin, and what is kept free below them.
    row_label, aside
        The width of row labels, and what is between them and the cells.
    band, apart, longest
        The height of the band of column labels, what is between it and the cells, and the height it could use.
    corner
        What is free above the row labels.
    is_row_title_turned, is_column_title_above
        As for the layout.
    highest_title
        Where a turned row title may begin.
    note_lines, is_note_in_corner
        The note in lines, and whether it is in the corner, else below.
    """

    left: int
    top: int
    below: int
    row_label: int
    aside: int
    band: int
    apart: int
    longest: int
    corner: Box
    is_row_title_turned: bool
    is_column_title_above: bool
    highest_title: int
    note_lines: tuple[str, ...]
    is_note_in_corner: bool

    def grown(self, spare: int) -> Headings:
        """Give the column labels spare room where they can use it."""
        more = max(0, min(spare, self.longest - self.band))
        if not more:
            return self
        corner = self.corner._replace(height=self.corner.height + more)
        title = self.highest_title + more if self.highest_title == self.top else self.highest_title
        return replace(self, top=self.top + more, band=self.band + more, corner=corner, highest_title=title)


def headings(request: Request, plan: Plan) -> Headings:
    """Decide how much room the headings take.

    Parameters
    ----------
    request
        The matrix.
    plan
        What to assume.

    Returns
    -------
    Headings
    """
    return _roomy(request, plan) if plan.is_roomy else _compact(request, plan)


def _roomy(request: Request, plan: Plan) -> Headings:
    """Give the titles lines of their own: the row title upwards at the left, the column title above the labels."""
    px, small = request.px, request.sizes.small_line
    pad, line = px(4), request.sizes.labels[plan.label].line
    row_label, band, longest = _labels(request, plan)
    aside = max(px(8), line // 2 + 1) if plan.is_turned else px(8)
    start = pad + small + px(8)
    corner = Box(start, pad, row_label, small + px(2) + band)
    lines = _wrapped(plan.notes, corner.width // request.sizes.character)
    is_inside = _is_inside(lines, corner.width // request.sizes.character, corner.height // small)
    return Headings(
        left=start + row_label + aside,
        top=pad + corner.height + px(6),
        below=_below(request, plan, is_inside),
        row_label=row_label,
        aside=aside,
        band=band,
        apart=px(6),
        longest=longest,
        corner=corner,
        is_row_title_turned=True,
        is_column_title_above=True,
        highest_title=pad,
        note_lines=lines if is_inside else _one_line(plan.notes),
        is_note_in_corner=is_inside,
    )


def _compact(request: Request, plan: Plan) -> Headings:
    """Put the titles into the corner; the row title is beside the rows where that is narrower."""
    px, sizes = request.px, request.sizes
    pad, small, line = px(4), sizes.small_line, sizes.labels[plan.label].line
    row_label, band, longest = _labels(request, plan)
    aside = max(px(6), line // 2 + 1) if plan.is_turned else px(6)
    column_title = sizes.column_title + sizes.arrow
    in_corner = max(row_label, sizes.row_title + sizes.arrow, column_title)
    beside = max(small + px(4) + row_label, column_title)
    is_turned = beside < in_corner and sizes.row_title <= request.height - 2 * pad - max(band, 2 * small) - 2 * small
    width = beside if is_turned else in_corner

    # The first label may stand out above a low row.
    overhang = max(0, line // 2 - px(4)) if plan.steps[0] > 1 else 0
    n_titles = 1 if is_turned else 2
    is_above = n_titles * small + overhang - band >= small + px(2)
    n_titles -= is_above
    columns = width // sizes.character
    lines = _wrapped(plan.notes, columns)
    needed = (n_titles + len(lines)) * small + overhang
    is_inside = _is_inside(lines, columns, len(lines)) and needed - band <= small + px(6)
    band = max(band, needed if is_inside else n_titles * small + overhang)
    first = pad + (small + px(2) if is_above else 0)
    return Headings(
        left=pad + width + aside,
        top=first + band + px(4),
        below=_below(request, plan, is_inside),
        row_label=row_label,
        aside=aside,
        band=band,
        apart=px(4),
        longest=longest,
        corner=Box(pad, first, width, band - overhang),
        is_row_title_turned=is_turned,
        is_column_title_above=is_above,
        highest_title=first + band + px(4),
        note_lines=lines if is_inside else _one_line(plan.notes),
        is_note_in_corner=is_inside,
    )


def _labels(request: Request, plan: Plan) -> tuple[int, int, int]:
    """Give the width of row labels, and the height column labels get and could use."""
    face = request.sizes.labels[plan.label]
    widest = max(round(_WIDEST_LABEL * request.width), round(4.5 * face.line))
    titles = [foot.title for foot in request.sizes.feet] if plan.has_feet else []
    row_label = min(max([*face.rows[:: plan.steps[0]], *titles]), widest + plan.more)
    if not plan.is_turned:
        return row_label, face.line, face.line
    longest = max(face.columns[:: plan.steps[1]])
    return row_label, min(longest, max(round(_HIGHEST_LABEL * request.height), 3 * face.line)), longest


def _below(request: Request, plan: Plan, is_note_inside: bool) -> int:
    """Give what is kept free below the cells: a margin, and the note if it is not in the corner."""
    pad = request.px(4)
    count, line = request.shape[0], request.sizes.labels[plan.label].line
    after_last_label = (count - 1) % plan.steps[0] + 0.5
    pitch = request.height / count * 0.5
    below = pad if plan.steps[0] == 1 else max(pad, round(line / 2 - after_last_label * pitch))
    if plan.notes and not is_note_inside:
        return max(below, request.px(6)) + request.sizes.small_line + pad
    return below


def _one_line(notes: tuple[str, ...]) -> tuple[str, ...]:
    return (" · ".join(notes),) if notes else ()


def _wrapped(notes: tuple[str, ...], columns: int) -> tuple[str, ...]:
    return tuple(wrap(" · ".join(notes), max(1, columns), break_long_words=False, break_on_hyphens=False))


def _is_inside(lines: tuple[str, ...], columns: int, n_lines: int) -> bool:
    return len(lines) <= n_lines and all(len(line) <= columns for line in lines)
