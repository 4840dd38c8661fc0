"""The hand on the numbers of the derivation: which one mouse or keyboard are at, and what that does elsewhere.

While a number is pointed at, the strip stays at its cell: what is pointed at must not run away, although the number
may belong to another row or column, which is lit in the other panels.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt

from attnviz.document.number_ref import NumberRef
from attnviz.views.derivation.card_painter import Look
from attnviz.views.derivation.spots import Spot, spot_at
from attnviz.views.panel import Panel
from attnviz.views.selection import NOTHING, Chosen, Opening, Pointed


class NumberHand:
    """Points at numbers on the cards and chooses them.

    Parameters
    ----------
    panel : Panel
        The strip.
    spots : callable
        Gives the numbers on the cards.
    cell : callable
        Gives the query and the key that are derived.

    Attributes
    ----------
    reached : NumberRef or None
        The number that the keyboard is at.
    held : (int, int) or None
        The cell at which the strip stays while a number is pointed at.
    """

    def __init__(
        self, panel: Panel, spots: Callable[[], tuple[Spot, ...]], cell: Callable[[], tuple[int, int]]
    ) -> None:
        self._panel, self._spots, self._cell = panel, spots, cell
        self._hovered: NumberRef | None = None
        self._before: Pointed = NOTHING
        self.reached: NumberRef | None = None
        self.held: tuple[int, int] | None = None

    def hover(self, point: QPointF | None) -> None:
        """Follow the mouse; ``None`` when it has left."""
        spot = None if point is None else spot_at(self._spots(), point)
        ref = None if spot is None else spot.ref
        if ref == self._hovered:
            return
        if self._hovered is None:
            self._before = self._panel.selection.chosen.pointed if self.reached is None else NOTHING
        self.held = None if ref is None else self._cell()
        self._hovered, self.reached = ref, None
        self._panel.setCursor(Qt.CursorShape.ArrowCursor if ref is None else Qt.CursorShape.PointingHandCursor)
        if ref is None:
            self._panel.selection.point_at(*self._before)  # a cell that the keyboard is at stays the shown one
        else:
            self._panel.point_at_number(ref)
        self._panel.update()

    def press(self, point: QPointF, opening: Opening) -> None:
        """Pin the number at a place, if there is one."""
        spot = spot_at(self._spots(), point)
        if spot is not None:
            self.pin(spot.ref, opening)

    def pin(self, ref: NumberRef, opening: Opening) -> None:
        """Pin a number together with the cell that is derived: the strip stays where it is."""
        self._panel.selection.pin_number(ref, *self._cell(), opening=opening)

    def pin_again(self, ref: NumberRef) -> None:
        """Choose a number as Enter does: one that is chosen already is to be explained whatever was closed."""
        chosen = self._panel.selection.chosen
        self.pin(ref, "must" if chosen.is_pinned and chosen.number == ref else "may")

    def step(self, card: int, by: int) -> NumberRef | None:
        """Go to the next number on a card, or the one before; ``None`` if there is none."""
        refs = [spot.ref for spot in self._spots() if spot.card == card]
        if not refs:
            return None
        place = refs.index(self.reached) + by if self.reached in refs else (0 if by > 0 else len(refs) - 1)
        self.held = self._cell()
        self.reached = refs[min(max(place, 0), len(refs) - 1)]
        self._panel.point_at_number(self.reached)
        return self.reached

    def leave_card(self) -> None:
        """Let go of the number that the keyboard was at."""
        if self.reached is not None:
            self.reached, self.held = None, None
            self._panel.point_at_number(None)

    def follow(self, chosen: Chosen) -> None:
        """Let go when something else is pointed at, or what was pointed at has been let go of."""
        if chosen.pointed_number not in (self._hovered, self.reached):
            self._hovered = self.reached = self.held = None

    def marks(self, card: int, lit: frozenset[NumberRef]) -> list[tuple[QRectF, Look]]:
        """Tell how the numbers are marked, with the keyboard at a card."""
        chosen = self._panel.selection.chosen
        pinned = chosen.number if chosen.is_pinned else None
        if not lit and pinned is None and self._hovered is None and self.reached is None:
            return []
        marks: list[tuple[QRectF, Look]] = []
        for spot in self._spots():
            looks: tuple[tuple[Look, bool], ...] = (
                ("lit", spot.ref in lit),
                ("hovered", spot.ref == self._hovered),
                ("pinned", spot.ref == pinned),
                ("current", spot.ref == self.reached and spot.card == card),
            )
            marks += [(spot.box, look) for look, is_so in looks if is_so]
        return marks
