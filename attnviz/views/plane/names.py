"""Names beside their dots: free of each other where there is room, left out where there is none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPixmap

from attnviz.appearance import Theme
from attnviz.views.plane import sprites
from attnviz.views.plane.geometry import Viewport
from attnviz.views.plane.scene import Token

_BUCKET_PX = 64
_LONGEST_NAME_PX = 160

Place: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """The name of a token that wants a place beside its dot.

    Parameters
    ----------
    token : Token
        Whose name it is.
    text : str
        What is drawn, elided if it is long.
    picture : QPixmap
        The text, drawn.
    size : (width, height)
        Of the picture, in logical pixels.
    x, y : float
        The dot, in logical pixels.
    is_forced : bool
        Whether it must be shown even where nothing is free.
    """

    token: Token
    text: str
    picture: QPixmap
    size: tuple[float, float]
    x: float
    y: float
    is_forced: bool


PlacedName: TypeAlias = tuple[Name, Place]


class NamePlacer:
    """Draws names once and finds places for them."""

    def __init__(self) -> None:
        self._look: tuple[str, str, float] = ("", "", 0.0)
        self._pictures: dict[str, tuple[QPixmap, str, tuple[float, float]]] = {}

    def picture(self, name: str, font: QFont, theme: Theme, ratio: float) -> tuple[QPixmap, str, tuple[float, float]]:
        """Give a name as a picture, the text on it and its size in logical pixels."""
        look = (font.key(), theme.name, ratio)
        if look != self._look:
            self._look, self._pictures = look, {}
        found = self._pictures.get(name)
        if found is None:
            bold = QFont(font)
            bold.setBold(True)
            text = QFontMetricsF(bold).elidedText(name, Qt.TextElideMode.ElideRight, _LONGEST_NAME_PX)
            picture = sprites.word(text, bold.toString(), theme.text, ratio)
            found = self._pictures[name] = (picture, text, (picture.width() / ratio, picture.height() / ratio))
        return found

    def place_all(self, names: Sequence[Name], view: Viewport, radius: float) -> tuple[PlacedName, ...]:
        """Find places for names, in order of importance, first come, first served."""
        space = FreeSpace(view.width, view.height)
        for name in names:
            space.take(name.x - radius + 2, name.y - radius + 2, 2 * radius - 4, 2 * radius - 4)
        placed = []
        for name in names:
            place = _free_place(name, space, radius) or (_forced_place(name, view, radius) if name.is_forced else None)
            if place is not None:
                space.take(*place, *name.size)
                placed.append((name, place))
        return tuple(placed)

    def place_one(self, name: Name, others: Sequence[PlacedName], view: Viewport, radius: float) -> PlacedName:
        """Find a place for one name among others that have theirs; it is shown in any case."""
        reach_x, reach_y = name.size[0] + 2 * radius, name.size[1] + 2 * radius
        near = [
            (left, top, left + other.size[0], top + other.size[1])
            for other, (left, top) in others
            if abs(top - name.y) < reach_y + other.size[1] and abs(left - name.x) < reach_x + other.size[0]
        ]
        if not near and radius < name.y < view.height - reach_y and name.x + reach_x < view.width:
            return name, _options(name, radius)[0]
        space = FreeSpace(view.width, view.height)
        for left, top, right, bottom in near:
            space.take(left, top, right - left, bottom - top)
        return name, _free_place(name, space, radius) or _forced_place(name, view, radius)


def overlap(one: PlacedName, other: PlacedName) -> bool:
    """Tell whether two placed names lie over each other."""
    (name, (x, y)), (other_name, (other_x, other_y)) = one, other
    return (
        x < other_x + other_name.size[0]
        and other_x < x + name.size[0]
        and y < other_y + other_name.size[1]
        and other_y < y + name.size[1]
    )


class FreeSpace:
    """Which parts of an area of pixels are taken by labels and dots.

    Rectangles are kept in coarse buckets, so that a new one is compared with its neighbours only.

    Parameters
    ----------
    width, height : float
        The area, in pixels.
    """

    def __init__(self, width: float, height: float) -> None:
        self._width, self._height = width, height
        self._buckets: dict[tuple[int, int], list[tuple[float, float, float, float]]] = {}

    def is_free(self, left: float, top: float, width: float, height: float) -> bool:
        """Tell whether a rectangle lies wholly inside and touches nothing that is taken."""
        right, bottom = left + width, top + height
        if left < 0 or top < 0 or right > self._width or bottom > self._height:
            return False
        for bucket in self._over(left, top, right, bottom):
            for other_left, other_top, other_right, other_bottom in self._buckets.get(bucket, ()):
                if other_left < right and left < other_right and other_top < bottom and top < other_bottom:
                    return False
        return True

    def take(self, left: float, top: float, width: float, height: float) -> None:
        """Take a rectangle."""
        rectangle = (left, top, left + width, top + height)
        for bucket in self._over(*rectangle):
            self._buckets.setdefault(bucket, []).append(rectangle)

    @staticmethod
    def _over(left: float, top: float, right: float, bottom: float) -> Iterator[tuple[int, int]]:
        columns = range(int(left // _BUCKET_PX), int(right // _BUCKET_PX) + 1)
        for row in range(int(top // _BUCKET_PX), int(bottom // _BUCKET_PX) + 1):
            for column in columns:
                yield column, row


def _options(name: Name, radius: float) -> tuple[Place, ...]:
    """Give the places beside a dot, the best first."""
    gap, (width, height) = radius + 2, name.size
    right, left, middle = name.x + gap, name.x - gap - width, name.x - width / 2
    above, below = name.y - gap - height * 0.6, name.y + gap - height * 0.4
    return (
        (right, above),
        (right, below),
        (left, above),
        (left, below),
        (middle, name.y - gap - height),
        (middle, name.y + gap),
    )


def _free_place(name: Name, space: FreeSpace, radius: float) -> Place | None:
    return next((option for option in _options(name, radius) if space.is_free(*option, *name.size)), None)


def _forced_place(name: Name, view: Viewport, radius: float) -> Place:
    (left, top), (width, height) = _options(name, radius)[0], name.size
    return (
        min(max(left, 0.0), max(view.width - width, 0.0)),
        min(max(top, 0.0), max(view.height - height, 0.0)),
    )
