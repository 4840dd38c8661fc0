"""Finding an action by a few letters of its name: what matches, where, and how well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_AT_WORD_START = 12.0
_NEXT_TO_LAST = 13.0
_IN_OWN_NAME = 1.0  # after the menus it stands in
_PER_SKIPPED = 0.25
_IN_EXPLANATION = -1000.0
_AROUND_WORDS = ".,;:()%"
_NOWHERE = float("-inf")


@dataclass(frozen=True, slots=True)
class Match:
    """How a text answers what was typed.

    Parameters
    ----------
    score : float
        The higher the better; only an order.
    places : tuple of int
        The matched characters of the text, ascending.
    """

    score: float
    places: tuple[int, ...]


def ranked(typed: str, texts: Sequence[str], explanations: Sequence[str]) -> list[tuple[int, Match]]:
    """Give the matching texts, the best first; equally good ones stay in their order.

    Parameters
    ----------
    typed : str
        What the user typed; nothing matches everything.
    texts, explanations : sequence of str
        The names, and a sentence for each that is looked into where the name does not match.

    Returns
    -------
    list of (int, Match)
        The place of each in the sequence, and how it matches.
    """
    found = []
    for place, (text, explanation) in enumerate(zip(texts, explanations, strict=True)):
        match = match_text(typed, text) or _match_explanation(typed, text, explanation)
        if match is not None:
            found.append((place, match))
    return sorted(found, key=_worst_last)


def match_text(typed: str, text: str) -> Match | None:
    """Match every word that was typed, in any order, with letters of a text.

    The letters of a word may skip others of the text, but the first stands at the beginning of a word; a word may also
    stand as it is anywhere. Beginnings of words and letters side by side count most.

    Returns
    -------
    Match or None
        None where a word is not found.

    Examples
    --------
    >>> match_text("vtd", "View Theme Dark").places
    (0, 5, 11)
    >>> match_text("dark the", "View Theme Dark").places
    (5, 6, 7, 11, 12, 13, 14)
    >>> match_text("hem d", "View Theme Dark").places
    (6, 7, 8, 11)
    >>> match_text("light", "View Theme Dark") is None
    True
    """
    score, places = 0.0, set[int]()
    folded = [letter.casefold() for letter in text]  # letter by letter, so that places stay those of the text
    starts = [is_word_start(text, place) for place in range(len(text))]
    for word in typed.split():
        match = _match_word([letter.casefold() for letter in word], folded, starts)
        if match is None:
            return None
        score += match.score
        places.update(match.places)
    shorter_first = 0.01 * len(text) if places else 0.0
    return Match(score - shorter_first, tuple(sorted(places)))


def is_word_start(text: str, place: int) -> bool:
    """Say whether a word begins there: after what is no letter, or at a capital after a small letter."""
    if not text[place].isalnum():
        return False
    before = text[place - 1] if place else " "
    return not before.isalnum() or (text[place].isupper() and before.islower())


def _match_word(word: Sequence[str], text: Sequence[str], starts: Sequence[bool]) -> Match | None:
    """Find the best places for the letters of one word, from the first letter to the last."""
    own = max((at for at, letter in enumerate(text) if letter == "›"), default=-1)
    scores = [
        _begin(word, text, at, is_start) + (_IN_OWN_NAME if at > own else 0.0) for at, is_start in enumerate(starts)
    ]
    ways: list[list[int]] = []
    for wanted in word[1:]:
        scores, way = _next_letter(wanted, text, starts, scores)
        ways.append(way)
    score = max(scores, default=_NOWHERE)
    if score == _NOWHERE:
        return None
    places = [scores.index(score)]
    for way in reversed(ways):
        places.append(way[places[-1]])
    return Match(score, tuple(reversed(places)))


def _begin(word: Sequence[str], text: Sequence[str], at: int, is_start: bool) -> float:
    """Give the score of the first letter at a place: at the beginning of a word, or of the word as it is."""
    if text[at] != word[0]:
        return _NOWHERE
    if is_start:
        return _AT_WORD_START
    return 0.0 if len(word) > 1 and list(text[at : at + len(word)]) == list(word) else _NOWHERE


def _next_letter(
    wanted: str, text: Sequence[str], starts: Sequence[bool], before: Sequence[float]
) -> tuple[list[float], list[int]]:
    """Give the best score of the next letter at each place, and where the letter before it stands then."""
    scores, way = [_NOWHERE] * len(text), [-1] * len(text)
    best, best_at = _NOWHERE, -1  # among the places passed, each letter passed being paid for in advance
    for at in range(1, len(text)):
        last = before[at - 1]
        if last + _PER_SKIPPED * at > best:
            best, best_at = last + _PER_SKIPPED * at, at - 1
        if text[at] == wanted and best > _NOWHERE:
            beside, skipping = last + _NEXT_TO_LAST, best - _PER_SKIPPED * at
            scores[at] = max(beside, skipping) + (_AT_WORD_START if starts[at] else 0.0)
            way[at] = at - 1 if beside >= skipping else best_at
    return scores, way


def _match_explanation(typed: str, text: str, explanation: str) -> Match | None:
    """Match words that begin words of the name or of the sentence that explains it."""
    known = [word.casefold().strip(_AROUND_WORDS) for word in f"{text} {explanation}".split()]
    words = [word for word in (one.strip(_AROUND_WORDS) for one in typed.casefold().split()) if word]
    if words and all(len(word) > 1 and any(one.startswith(word) for one in known) for word in words):
        return Match(_IN_EXPLANATION, ())
    return None


def _worst_last(found: tuple[int, Match]) -> tuple[float, int]:
    return -found[1].score, found[0]
