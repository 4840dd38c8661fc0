"""Mnemonics for entries that are made from lists: a letter for each, none of them twice in one menu."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtWidgets import QMenu


def with_mnemonics(texts: Sequence[str], taken: Iterable[str] = ()) -> list[str]:
    """Mark a letter in every text: the first of a word if it is free, else any; a text without a free one stays.

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
    """
    used = {letter.casefold() for letter in taken}
    marked = []
    for text in texts:
        starts = [i for i in range(len(text)) if text[i].isalnum() and (i == 0 or not text[i - 1].isalnum())]
        places = [*starts, *(i for i in range(len(text)) if text[i].isalnum())]
        place = next((i for i in places if text[i].casefold() not in used), None)
        if place is None:
            marked.append(_doubled(text))
            continue
        used.add(text[place].casefold())
        marked.append(f"{_doubled(text[:place])}&{_doubled(text[place:])}")
    return marked


def _doubled(text: str) -> str:
    return text.replace("&", "&&")


def mnemonics_of(menu: QMenu) -> str:
    """Give the letters that the entries of a menu have."""
    letters = (action.text().replace("&&", "").partition("&")[2][:1] for action in menu.actions())
    return "".join(letters)
