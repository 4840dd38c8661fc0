"""The colours of the film's matrices: maps for scores and shares, tints of one colour for what has a role."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QBrush, QColor

from attnviz.appearance import ENTRIES, ByteArray, Theme, colour_table, ink_on, rgb
from attnviz.document.arrays import FloatArray
from attnviz.film.records import Role
from attnviz.views.matrix.pixels import PixelArray, packed

_FAINTEST, _NEUTRAL, _STRONGEST = 0.05, 0.2, 0.42


@dataclass(frozen=True, slots=True, eq=False)
class RoleColours:
    """The colours of one kind of matrix in one theme.

    Parameters
    ----------
    is_signed : bool
        Whether the middle of the table is 0; else its beginning is, and signs have one colour.
    fills, inks : tuple of QColor
        The ground of a cell and its text, by entry.
    brushes : tuple of QBrush
        The grounds again, to fill with.
    pixels : (255,) array
        The grounds as pixels.
    hatch : int
        The pixel of a cell that the mask takes away.
    """

    is_signed: bool
    fills: tuple[QColor, ...]
    brushes: tuple[QBrush, ...]
    inks: tuple[QColor, ...]
    pixels: PixelArray
    hatch: np.uint32

    def entries(self, numbers: FloatArray, limit: float | None) -> NDArray[np.intp]:
        """Find the entry of each number.

        Parameters
        ----------
        numbers : array
            Any numbers; infinite ones take the end's entry.
        limit : float or None
            The magnitude of the strongest colour; None for the largest finite one there is.
        """
        if limit is None:
            finite = numbers[np.isfinite(numbers)]
            limit = float(np.abs(finite).max()) if finite.size else 1.0
        with np.errstate(invalid="ignore", over="ignore"):
            parts = np.clip(numbers / (limit or 1.0), -1.0, 1.0)
        shares = (parts + 1.0) / 2.0 if self.is_signed else np.abs(parts)
        return np.asarray(np.rint(np.nan_to_num(shares) * (ENTRIES - 1)), np.intp)


@lru_cache(maxsize=16)
def role_colours(theme: Theme, role: Role) -> RoleColours:
    """Give the colours of a role in a theme."""
    if role == "score":
        table = colour_table(theme.score_map, is_diverging=True)
    elif role == "share":
        table = colour_table(theme.weight_map)
    else:
        table = _tints(theme, role_colour(theme, role), _STRONGEST if role in ("query", "key", "value") else _NEUTRAL)
    inks = ink_on(table)
    fills = tuple(QColor(*(int(c) for c in colour)) for colour in table)
    return RoleColours(
        is_signed=role == "score",
        fills=fills,
        brushes=tuple(QBrush(colour) for colour in fills),
        inks=tuple(QColor(*(int(c) for c in colour)) for colour in inks),
        pixels=packed(table),
        hatch=packed(rgb(theme.panel)[np.newaxis] * 0.55 + rgb(theme.hatch)[np.newaxis] * 0.45)[0],
    )


def role_colour(theme: Theme, role: Role) -> str:
    """Give the colour that a role has in text."""
    colours = {"query": theme.query, "key": theme.key, "value": theme.value, "embedding": theme.muted}
    return colours.get(role, theme.text)


def _tints(theme: Theme, colour: str, strongest: float) -> ByteArray:
    share = np.linspace(_FAINTEST, strongest, ENTRIES)[:, np.newaxis]
    mixed = rgb(theme.panel) * (1.0 - share) + rgb(colour) * share
    return np.rint(mixed).astype(np.uint8)
