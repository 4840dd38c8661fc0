"""Mnemonics for entries that are made from lists: a letter for each, none of them twice in one menu."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtWidgets import QMenu


def with_mnemonics(texts: Sequence[str], taken: Iterable[str] = ()) -> list[str]:
    """Mark a letter in every text: the first of a word if it is free, else any; a text stays where none can be had.

    Parameters
    ----------
    texts : sequence of str
        Plain texts.
    taken : iterable of str
        Letters that other entries of the menu have.

    Examples
    --------
    >>> with_mnemonics(["Plane", "Plane and Weights", "Q & A"], "w")
    ['&Plane', 'Plane &and Weights', '&Q && A']
    >>> with_mnemonics(["ab", "a"])
    ['a&b', '&a']
    """
    used = {letter.casefold() for letter in taken}
    owners: dict[str, int] = {}
    for index in range(len(texts)):
        _give_letter(index, texts, owners, used.copy())
    letters = {index: letter for letter, index in owners.items()}
    return [_marked(text, letters.get(index)) for index, text in enumerate(texts)]


def _give_letter(index: int, texts: Sequence[str], owners: dict[str, int], tried: set[str]) -> bool:
    """Give a text a letter; one that has it takes another where it can (an augmenting path)."""
    wanted = [letter for letter in _letters(texts[index]) if letter not in tried]
    for letter in wanted:
        if letter not in owners:
            owners[letter] = index
            return True
    for letter in wanted:
        if letter not in tried:
            tried.add(letter)
            if _give_letter(owners[letter], texts, owners, tried):
                owners[letter] = index
                return True
    return False


def _letters(text: str) -> list[str]:
    """List the letters that a text may be marked at, those that begin a word first."""
    return list(dict.fromkeys(text[i].casefold() for i in _places(text)))


def _places(text: str) -> list[int]:
    starts = [i for i in range(len(text)) if text[i].isalnum() and (i == 0 or not text[i - 1].isalnum())]
    return [*starts, *(i for i in range(len(text)) if text[i].isalnum())]


def _marked(text: str, letter: str | None) -> str:
    if letter is None:
        return _doubled(text)
    place = next(i for i in _places(text) if text[i].casefold() == letter)
    return f"{_doubled(text[:place])}&{_doubled(text[place:])}"


def _doubled(text: str) -> str:
    return text.replace("&", "&&")


def mnemonics_of(menu: QMenu) -> str:
    """Give the letters that the entries of a menu have."""
    letters = (action.text().replace("&&", "").partition("&")[2][:1] for action in menu.actions())
    return "".join(letters)
