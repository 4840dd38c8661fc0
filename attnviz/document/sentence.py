"""One line of text for a list of tokens: writing it, splitting it, and finding which old token a word continues."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

NO_BREAK_SPACE = "\u00a0"

_BLANKS = re.compile("[ \\t\\r\\n\\f\\v\\u2028\\u2029\\u3000]+")  # a line of text has U+2028 for a pasted break
_MAX_MATCHED_PAIRS = 250_000  # comparing more old and new words than this would be felt while typing


def join_sentence(tokens: Sequence[str]) -> str:
    """Write tokens as one line that :func:`split_sentence` takes apart again."""
    return " ".join(written(token) for token in tokens)


def split_sentence(sentence: str) -> tuple[str, ...]:
    """Split a line at blanks into tokens; a no-break space becomes a blank inside a token."""
    return tuple(unwritten(word) for word in words_of(sentence))


def words_of(sentence: str) -> list[str]:
    """Split a line at blanks; a no-break space stays inside its word."""
    return [word for word in _BLANKS.split(sentence) if word]


def written(token: str) -> str:
    """Write a token as one word: a blank inside it becomes a no-break space."""
    return _BLANKS.sub(lambda blanks: NO_BREAK_SPACE * len(blanks.group()), token)


def unwritten(word: str) -> str:
    """Make a token of a word: a no-break space becomes a blank."""
    return word.replace(NO_BREAK_SPACE, " ")


def origins(old: Sequence[str], new: Sequence[str]) -> list[int | None]:
    """Say for each new word which old one it continues, or None.

    Words are matched by text and order. A word that takes the place of another continues that one, unless its
    text is an old one: then it continues the first word of that text that nothing else does.
    """
    start = _common_start(old, new)
    end = _common_start(old[start:][::-1], new[start:][::-1])
    known = set(old)
    origin: list[int | None] = [*range(start), *[None] * (len(new) - start - end), *range(len(old) - end, len(old))]
    for is_equal, a, b, length in _blocks(old[start : len(old) - end], new[start : len(new) - end]):
        for i in range(length):
            if is_equal or new[start + b + i] not in known:
                origin[start + b + i] = start + a + i
    return _with_moved_words(origin, old, new)


def _with_moved_words(origin: list[int | None], old: Sequence[str], new: Sequence[str]) -> list[int | None]:
    taken = set(origin)
    free: dict[str, list[int]] = {}
    for i in reversed(range(len(old))):
        if i not in taken:
            free.setdefault(old[i], []).append(i)
    return [
        free[word].pop() if found is None and free.get(word) else found for found, word in zip(origin, new, strict=True)
    ]


def _blocks(old: Sequence[str], new: Sequence[str]) -> list[tuple[bool, int, int, int]]:
    """Give the stretches that correspond: whether they are equal, the places in old and new, and the length."""
    if len(old) * len(new) > _MAX_MATCHED_PAIRS:
        return [(old[i] == new[i], i, i, 1) for i in range(min(len(old), len(new)))]
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    return [
        (operation == "equal", a, b, b_end - b)
        for operation, a, a_end, b, b_end in matcher.get_opcodes()
        if a_end - a == b_end - b
    ]


def _common_start(first: Sequence[str], second: Sequence[str]) -> int:
    length = min(len(first), len(second))
    return next((i for i in range(length) if first[i] != second[i]), length)
