"""A number that is scrubbed: what the way of the mouse to the side makes of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from PySide6.QtCore import Qt

from attnviz.document.arrays import FloatArray
from attnviz.views.matrices.shown_entries import Place

_STEP, _FINE, _COARSE = "0.01", "0.001", "0.1"  # a pixel
_STILL = 3  # pixels that a click may tremble


@dataclass(slots=True)
class Scrub:
    """A number that is held by the mouse.

    Parameters
    ----------
    place : (row, column)
        Where it stands.
    gesture : int
        The number of the gesture.
    base, anchor : float
        The number and the place of the mouse that steps are counted from.
    modifiers : Qt.KeyboardModifier
        The keys that are down, which choose the step: Shift fine, Ctrl coarse.
    sent : float
        The number that was asked for last.
    has_moved : bool
        Whether it is more than a click.
    """

    place: Place
    gesture: int
    base: float
    anchor: float
    modifiers: Qt.KeyboardModifier
    sent: float
    has_moved: bool = False

    def moved_to(self, x: float, modifiers: Qt.KeyboardModifier, wanted: float | None) -> float | None:
        """Give the number for the mouse at ``x``; ``None`` while it only trembles.

        With other keys the steps go on from the number ``wanted`` last, or from the one that was sent.
        """
        if not self.has_moved and abs(x - self.anchor) <= _STILL:
            return None
        if self.has_moved and modifiers != self.modifiers:
            self.base, self.anchor = self.sent if wanted is None else wanted, x
        self.has_moved, self.modifiers = True, modifiers
        is_fine = modifiers & Qt.KeyboardModifier.ShiftModifier
        is_coarse = modifiers & Qt.KeyboardModifier.ControlModifier
        return stepped(self.base, round(x - self.anchor), _FINE if is_fine else _COARSE if is_coarse else _STEP)

    def explains(self, array: FloatArray, before: FloatArray) -> bool:
        """Tell whether a matrix differs from the one before by nothing but what was asked for."""
        if array.shape != before.shape or array[self.place] != self.sent:
            return False
        others = array != before
        return int(np.count_nonzero(others)) <= int(bool(others[self.place]))


def stepped(number: float, count: int, step: str) -> float:
    """Add steps in decimals, so that 0.1 and 0.2 make 0.3; beyond the range of floats the number stays.

    Examples
    --------
    >>> stepped(0.1, 2, "0.1"), stepped(0.0, -3, "0.01")
    (0.3, -0.03)
    """
    sum_of_both = float(Decimal(repr(number)) + count * Decimal(step))
    return sum_of_both if math.isfinite(sum_of_both) else number
