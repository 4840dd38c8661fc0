"""What the inspector writes about a number: title, symbols, operands, result, and what is special."""

from __future__ import annotations

from attnviz.explanations import MOST_TERMS, Explanation, Part, Style, Writer
from attnviz.views.inspector.sheet_layout import Block, Word

ALL_TERMS = "all terms"
_COLOURS = {"q": "query", "w_q": "query", "k": "key", "w_k": "key", "v": "value", "w_v": "value"}
_GAP = 8
_MOST_PINS = 6


def explanation_blocks(explanation: Explanation, write: Writer, *, shows_all: bool) -> tuple[Block, ...]:
    """Write an explanation.

    Parameters
    ----------
    explanation : Explanation
        What is to be shown.
    write : callable
        Makes the text of a number.
    shows_all : bool
        Whether every term of a long sum is written.
    """
    result = "−∞" if explanation.result == float("-inf") else write(explanation.result)
    blocks = [
        Block((Word(explanation.title),), "title"),
        Block((Word(explanation.formula, colour="muted"),), "mono", _GAP),
    ]
    most_terms = None if shows_all else MOST_TERMS
    if explanation.origin == "computed":
        words = [_word(part) for part in explanation.parts(write, most_terms)]
        blocks.append(Block((Word("= "), *words), "mono", _GAP))
    colour = "warning" if explanation.is_pinned else "accent_text"
    number = Word(result, colour=colour, mark=explanation.ref)
    pinned = [Word(" pinned", colour=colour)] if explanation.is_pinned else []
    blocks.append(Block((Word("= ", colour=colour), number, *pinned), "result", _GAP))
    sentences = (explanation.note, explanation.rounding(write))
    blocks += [Block((Word(sentence, colour="muted"),), "text", _GAP) for sentence in sentences if sentence]
    return (*blocks, *_without_pin(explanation, write, most_terms), *_pins(explanation, write))


def _without_pin(explanation: Explanation, write: Writer, most_terms: int | None) -> list[Block]:
    """Say what a pinned number would be if it were computed."""
    computed = explanation.computed
    if computed is None:
        return []
    words = [_word(part) for part in computed.expression.parts(Style(write, most_terms))]
    return [
        Block((Word("Without the pin:", colour="muted"),), "text", _GAP),
        Block((Word(computed.formula, colour="muted"),), "mono"),
        Block((Word("= "), *words), "mono"),
        Block((Word(f"= {write(computed.expression.value(float))}"),), "mono"),
    ]


def _pins(explanation: Explanation, write: Writer) -> list[Block]:
    """Name the pinned numbers that a number follows from, each a link."""
    pins = explanation.pins
    if not pins:
        return []
    words = [Word(f"Follows from {'a pinned number' if len(pins) == 1 else 'pinned numbers'}:", colour="warning")]
    for pin in pins[:_MOST_PINS]:
        words += [Word(" "), Word(f"{pin.title} = {write(pin.value)}", pin.ref, "warning")]
    if len(pins) > _MOST_PINS:
        words.append(Word(f" and {len(pins) - _MOST_PINS:,} more"))
    return [Block(tuple(words), "text", _GAP)]


def _word(part: Part) -> Word:
    if part.hidden:
        return Word(part.text, ALL_TERMS, "accent_text")
    if part.ref is None:
        return Word(part.text)
    return Word(part.text, part.ref, _COLOURS.get(part.ref.kind, "text"))
