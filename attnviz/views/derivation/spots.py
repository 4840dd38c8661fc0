"""Where the numbers on the cards of the derivation stand: what the mouse can point at and the keyboard can reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from attnviz.document.frame import Frame
from attnviz.document.number_ref import NumberRef
from attnviz.views.derivation.card_painter import CardPainter
from attnviz.views.derivation.cell import Cell
from attnviz.views.derivation.references import References, Written
from attnviz.views.derivation.steps import Step

_REACH = 3.0  # how far beside a number the mouse still finds it


@dataclass(frozen=True, slots=True)
class Spot:
    """A number on a card.

    Parameters
    ----------
    card : int
        Which card.
    ref : NumberRef
        Which number.
    text : str
        How it is written.
    box : QRectF
        Where it stands, in the strip's coordinates.
    is_result : bool
        Whether it is what comes out on its card.
    """

    card: int
    ref: NumberRef
    text: str
    box: QRectF
    is_result: bool = False


def spots_of(painter: CardPainter, steps: tuple[Step, ...], frame: Frame, query: int, key: int) -> tuple[Spot, ...]:
    """Find the numbers on the cards, card by card from top to bottom.

    Parameters
    ----------
    painter : CardPainter
        Has placed the cards and knows which texts they hold.
    steps : tuple of Step
        What is on the cards.
    frame, query, key
        The cell that they derive.
    """
    references = References(Cell(frame, query, key), query, key)
    spots: list[Spot] = []
    for card, texts in enumerate(painter.shown_texts(steps)):
        name, first, second, result = texts
        whole = f"{first} {second}" if second else first
        spots += _placed(painter, card, 0, name, references.in_name(card, name))
        for place in references.in_formula(card, whole):
            is_second = place.start > len(first)
            back = len(first) + 1 if is_second else 0
            moved = Written(place.ref, place.start - back, place.stop - back)
            spots += _placed(painter, card, 2 if is_second else 1, second if is_second else first, [moved])
        spots += _placed(painter, card, 3, result, references.in_result(card, result))
    return tuple(spots)


def spot_at(spots: tuple[Spot, ...], point: QPointF) -> Spot | None:
    """Give the number at a place of the strip, if there is one."""
    return next((spot for spot in spots if spot.box.adjusted(-_REACH, 0, _REACH, 0).contains(point)), None)


def _placed(painter: CardPainter, card: int, line: int, text: str, written: list[Written]) -> Iterator[Spot]:
    for one in written:
        box = painter.text_box(card, line, text, one.start, one.stop)
        yield Spot(card, one.ref, text[one.start : one.stop], box, line == 3)
