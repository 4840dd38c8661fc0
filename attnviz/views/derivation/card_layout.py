"""Where the cards of the derivation stand: one line of six if they are wide enough, else two lines or more."""

from __future__ import annotations

from dataclasses import dataclass

MARGIN = 16
GAP = 16
PADDING = 12
_TOP = 8
_BOTTOM = 8
INNER_TOP = 7
LEADING = 4


@dataclass(frozen=True, slots=True)
class CardMetrics:
    """The sizes that the fonts ask for, in pixels.

    Parameters
    ----------
    name, formula, result : float
        The heights of the three lines.
    narrowest : float
        The width that a card's text should have at least.
    """

    name: float
    formula: float
    result: float
    narrowest: float

    def card_height(self, *, has_formula: bool) -> int:
        """Give the height of a card with or without its middle line."""
        lines = self.name + self.result + (self.formula + LEADING if has_formula else 0.0)
        return round(2 * INNER_TOP + LEADING + lines)


@dataclass(frozen=True, slots=True)
class CardLayout:
    """A placing of cards.

    Parameters
    ----------
    columns, rows : int
        How many cards stand side by side, and in how many lines.
    width, height : int
        The size of a card.
    has_formula : bool
        Whether there is room for the middle line.
    """

    columns: int
    rows: int
    width: int
    height: int
    has_formula: bool

    def place(self, index: int) -> tuple[int, int]:
        """Give the left and top edge of a card."""
        row, column = divmod(index, self.columns)
        return MARGIN + column * (self.width + GAP), _TOP + row * (self.height + GAP // 2)


def lay_out(n: int, width: int, height: int, metrics: CardMetrics) -> CardLayout:
    """Place ``n`` cards in ``width`` x ``height``.

    Returns
    -------
    CardLayout
        As few lines as the text's width allows; without formulas if the height does not suffice for them.
    """
    columns = _columns(n, width, metrics)
    rows = -(-n // columns)
    has_formula = height >= _needed(rows, metrics.card_height(has_formula=True))
    card_width = max(1, (width - 2 * MARGIN - (columns - 1) * GAP) // columns)
    return CardLayout(columns, rows, card_width, metrics.card_height(has_formula=has_formula), has_formula)


def needed_height(n: int, width: int, metrics: CardMetrics, *, has_formula: bool) -> int:
    """Give the height that ``n`` cards need in ``width``."""
    return _needed(-(-n // _columns(n, width, metrics)), metrics.card_height(has_formula=has_formula))


def needed_width(metrics: CardMetrics) -> int:
    """Give the least width: cards one below the other."""
    return round(2 * MARGIN + 2 * PADDING + metrics.narrowest)


def _columns(n: int, width: int, metrics: CardMetrics) -> int:
    for columns in range(n, 1, -1):
        text = (width - 2 * MARGIN - (columns - 1) * GAP) / columns - 2 * PADDING
        if n % columns == 0 and text >= metrics.narrowest:
            return columns
    return 1


def _needed(rows: int, card_height: int) -> int:
    return _TOP + rows * card_height + (rows - 1) * (GAP // 2) + _BOTTOM
