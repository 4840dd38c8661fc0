"""What the inspector writes about a number: title, symbols, operands, result, and what is special."""

from __future__ import annotations

from attnviz.explanations import MOST_TERMS, Explanation, Part, Writer
from attnviz.views.inspector.sheet_layout import Block, Word

ALL_TERMS = "all terms"
_COLOURS = {"q": "query", "w_q": "query", "k": "key", "w_k": "key", "v": "value", "w_v": "value"}
_GAP = 8


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
    if explanation.origin == "computed":
        words = [_word(part) for part in explanation.parts(write, None if shows_all else MOST_TERMS)]
        blocks.append(Block((Word("= "), *words), "mono", _GAP))
    blocks.append(
        Block(
            (Word("= ", colour="accent_text"), Word(result, colour="accent_text", mark=explanation.ref)), "result", _GAP
        )
    )
    sentences = (explanation.note, explanation.rounding(write))
    blocks += [Block((Word(sentence, colour="muted"),), "text", _GAP) for sentence in sentences if sentence]
    return tuple(blocks)


def _word(part: Part) -> Word:
    if part.hidden:
        return Word(part.text, ALL_TERMS, "accent_text")
    if part.ref is None:
        return Word(part.text)
    return Word(part.text, part.ref, _COLOURS.get(part.ref.kind, "text"))
