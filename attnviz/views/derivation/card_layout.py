"""Where the cards of the derivation stand: one line of six if they are wide enough, else two lines or more.

Side by side they are as wide as their texts need: a sum wants twice the room of a quotient.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

MARGIN = 16
GAP = 16
PADDING = 12
_EDGE = 8
INNER_TOP = 7
LEADING = 4
MOST_LINES = 2


@dataclass(frozen=True, slots=True)
class CardMetrics:
    """The sizes that the fonts ask for, in pixels.

    Parameters
    ----------
    name, formula, result : float
        The heights of a line of each kind.
    narrowest : float
        The width that a card's text should have on average at least.
    """

    name: float
    formula: float
    result: float
    narrowest: float

    def card_height(self, n_lines: int) -> int:
        """Give the height of a card with 0, 1 or 2 lines for its formula."""
        lines = self.name + self.result + (n_lines * self.formula + LEADING if n_lines else 0.0)
        return round(2 * INNER_TOP + LEADING + lines)


@dataclass(frozen=True, slots=True)
class Need:
    """The width that the text of one card wants, in pixels.

    Parameters
    ----------
    least, ideal : float
        With which nothing is left out, and with which nothing is shortened.
    """

    least: float
    ideal: float


@dataclass(frozen=True, slots=True)
class CardLayout:
    """A placing of cards.

    Parameters
    ----------
    lefts, widths : tuple of int
        Left edge and width of each card of a line.
    rows : int
        How many lines of cards there are.
    top, height : int
        Where the first line begins, and how high a card is.
    n_lines : int
        How many lines a card has for its formula.
    """

    lefts: tuple[int, ...]
    widths: tuple[int, ...]
    rows: int
    top: int
    height: int
    n_lines: int

    @property
    def columns(self) -> int:
        """How many cards stand side by side."""
        return len(self.widths)

    def place(self, index: int) -> tuple[int, int, int, int]:
        """Give left, top, width and height of a card."""
        row, column = divmod(index, len(self.widths))
        return self.lefts[column], self.top + row * (self.height + GAP // 2), self.widths[column], self.height


def lay_out(
    width: int,
    height: int,
    metrics: CardMetrics,
    needs: Callable[[int], Sequence[Need]],
    yielding: Sequence[int],
) -> CardLayout:
    """Place a card for each index in ``yielding`` in ``width`` x ``height``.

    Parameters
    ----------
    width, height : int
        The size of the strip.
    metrics : CardMetrics
        The sizes that the fonts ask for.
    needs : callable
        Gives the needs of the cards for a number of lines of a formula, 1 or 2.
    yielding : sequence of int
        The cards in the order in which they give room up.

    Returns
    -------
    CardLayout
        As few lines of cards as the text's width allows. Formulas have a second line where one does not hold them and
        the height suffices, and none if it does not suffice for one.
    """
    n = len(yielding)
    columns = _columns(n, width, metrics)
    rows = -(-n // columns)
    room = max(columns, width - 2 * MARGIN - (columns - 1) * GAP - columns * 2 * PADDING)
    most = next((k for k in (2, 1, 0) if height >= _needed(rows, metrics.card_height(k))), 0)
    wanted = _by_column(needs(1), columns)
    n_lines = most
    if most == MOST_LINES:
        if sum(need.ideal for need in wanted) <= room:
            n_lines = 1
        else:
            wanted = _by_column(needs(2), columns)
    widths = [int(text) + 2 * PADDING for text in _shared(wanted, room, metrics.narrowest, yielding)]
    lefts = [MARGIN + sum(widths[:i]) + i * GAP for i in range(columns)]
    card_height = metrics.card_height(n_lines)
    spare = max(0, height - _needed(rows, card_height))
    return CardLayout(tuple(lefts), tuple(widths), rows, _EDGE + min(spare // 2, _EDGE), card_height, n_lines)


def needed_height(n: int, width: int, metrics: CardMetrics, n_lines: int) -> int:
    """Give the height that ``n`` cards need in ``width``, with 0, 1 or 2 lines for a formula."""
    return _needed(-(-n // _columns(n, width, metrics)), metrics.card_height(n_lines))


def needed_width(metrics: CardMetrics) -> int:
    """Give the least width: cards one below the other."""
    return round(2 * MARGIN + 2 * PADDING + metrics.narrowest)


def _columns(n: int, width: int, metrics: CardMetrics) -> int:
    """Choose how many cards stand side by side: by the width alone, so that no number can make the strip higher."""
    for columns in range(n, 1, -1):
        text = (width - 2 * MARGIN - (columns - 1) * GAP) / columns - 2 * PADDING
        if n % columns == 0 and text >= metrics.narrowest:
            return columns
    return 1


def _by_column(needs: Sequence[Need], columns: int) -> list[Need]:
    """Join the needs of cards that stand one below the other."""
    return [
        Need(max(need.least for need in needs[i::columns]), max(need.ideal for need in needs[i::columns]))
        for i in range(columns)
    ]


def _shared(wanted: Sequence[Need], room: float, narrowest: float, yielding: Sequence[int]) -> list[float]:
    """Share out a room: what is over goes to all alike, what is missing is taken from those that yield first."""
    texts = [need.ideal for need in wanted]
    over = room - sum(texts)
    if over >= 0.0:
        return [text + over / len(texts) for text in texts]
    for i in dict.fromkeys(index % len(texts) for index in yielding):
        given = min(-over, max(0.0, texts[i] - wanted[i].least))
        texts[i] -= given
        over += given
    if over >= 0.0:
        return texts
    # Texts are left out: of those that are long, so that a short one stays whole.
    floors = [min(text, narrowest) for text in texts]
    part = max(0.0, room - sum(floors)) / (sum(texts) - sum(floors))
    return [floor + part * (text - floor) for floor, text in zip(floors, texts, strict=True)]


def _needed(rows: int, card_height: int) -> int:
    return 2 * _EDGE + rows * card_height + (rows - 1) * (GAP // 2)
