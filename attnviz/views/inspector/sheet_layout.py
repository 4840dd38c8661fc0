"""Where the words of a sheet stand: broken into lines at blanks, and inside words only where a line is too short."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Font: TypeAlias = Literal["title", "text", "mono", "result"]
Measure: TypeAlias = Callable[[Font, str], int]
_BLANK = re.compile(r"(\s+)")


@dataclass(frozen=True, slots=True)
class Word:
    """A piece of text.

    Parameters
    ----------
    text : str
        What is written; without a link it is broken at its blanks.
    link : object or None
        Where it leads; ``None`` for plain text.
    colour : str
        The name of a colour of the theme.
    mark : object or None
        What it stands for, where it is no link, so that it can be lit.
    """

    text: str
    link: object | None = None
    colour: str = "text"
    mark: object | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph.

    Parameters
    ----------
    words : tuple of Word
        Its text.
    font : {"title", "text", "mono", "result"}
        What it is written in.
    gap : int
        The room above it, in pixels.
    """

    words: tuple[Word, ...]
    font: Font = "text"
    gap: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text in its place.

    Parameters
    ----------
    text : str
        What is written.
    x, y, width, height : int
        Its rectangle, in pixels.
    font : {"title", "text", "mono", "result"}
        What it is written in.
    colour : str
        The name of a colour of the theme.
    link : int or None
        The place of the link it belongs to among all links of the sheet, in order.
    mark : object or None
        What it stands for: where its link leads, or the mark of its word.
    """

    text: str
    x: int
    y: int
    width: int
    height: int
    font: Font
    colour: str
    link: int | None
    mark: object | None = None


_Piece: TypeAlias = tuple[str, Word, int | None]


def links_of(blocks: Sequence[Block]) -> tuple[object, ...]:
    """List where the words of a sheet lead, in order."""
    return tuple(word.link for block in blocks for word in block.words if word.link is not None)


def lay_out(
    blocks: Sequence[Block], width: int, measure: Measure, heights: Mapping[Font, int]
) -> tuple[tuple[Run, ...], int]:
    """Place the words of a sheet.

    Parameters
    ----------
    blocks : sequence of Block
        The paragraphs.
    width : int
        How wide a line may be, in pixels.
    measure : callable
        Gives the width of a text in a font.
    heights : mapping
        The height of a line in each font.

    Returns
    -------
    tuple of Run, int
        The pieces in their places, and the height of all.
    """
    runs: list[Run] = []
    top, n_links = 0, 0
    for number, block in enumerate(blocks):
        page = _Page(block.font, width, measure, heights[block.font], top + (block.gap if number else 0))
        for cluster in _clusters(block, n_links):
            page.put(cluster)
        n_links += sum(word.link is not None for word in block.words)
        runs += page.runs
        top = page.bottom
    return tuple(runs), top


class _Page:
    """The lines of one paragraph while they are filled."""

    def __init__(self, font: Font, width: int, measure: Measure, height: int, top: int) -> None:
        self.runs: list[Run] = []
        self._font, self._width, self._measure, self._height = font, width, measure, height
        self._x, self._y = 0, top
        self._blank = measure(font, " ")

    @property
    def bottom(self) -> int:
        return self._y + self._height

    def put(self, cluster: list[_Piece]) -> None:
        """Put pieces that belong together after a blank, or into the next line."""
        widths = [self._measure(self._font, text) for text, _, _ in cluster]
        start = self._x + self._blank if self._x else 0
        if self._x and start + sum(widths) > self._width:
            self._break()
            start = 0
        self._x = start
        for (text, word, link), wide in zip(cluster, widths, strict=True):
            if self._x + wide <= self._width:
                self._add(text, wide, word, link)
            else:
                self._put_broken(text, word, link)

    def _put_broken(self, text: str, word: Word, link: int | None) -> None:
        """Put as many characters into each line as fit, at least one."""
        while text:
            n = self._fitting(text)
            if not n and self._x:
                self._break()
                continue
            n = max(n, 1)
            self._add(text[:n], self._measure(self._font, text[:n]), word, link)
            text = text[n:]

    def _fitting(self, text: str) -> int:
        room, n = self._width - self._x, len(text)
        while n and self._measure(self._font, text[:n]) > room:
            n -= 1
        return n

    def _add(self, text: str, width: int, word: Word, link: int | None) -> None:
        mark = word.mark if word.link is None else word.link
        self.runs.append(Run(text, self._x, self._y, width, self._height, self._font, word.colour, link, mark))
        self._x += width

    def _break(self) -> None:
        self._x = 0
        self._y += self._height


def _clusters(block: Block, first_link: int) -> Iterator[list[_Piece]]:
    """Give the pieces of a paragraph that no blank parts, together."""
    cluster: list[_Piece] = []
    link = first_link
    for word in block.words:
        if word.link is not None:
            cluster.append((word.text, word, link))
            link += 1
            continue
        for place, text in enumerate(_BLANK.split(word.text)):
            if place % 2:
                if cluster:
                    yield cluster
                cluster = []
            elif text:
                cluster.append((text, word, None))
    if cluster:
        yield cluster
