"""Where names stand beside their dots: free of each other, and still while one token is dragged."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

_BUCKET_PX = 64
_MOST_MOVED = 2  # more dots than this that moved at once are another scene

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A dot that wants its name beside it.

    Parameters
    ----------
    token : hashable
        Which token it is.
    x, y : float
        The dot, in pixels.
    size : (width, height)
        The name's size.
    is_forced : bool
        Whether the name must be shown even where nothing is free.
    """

    token: Hashable
    x: float
    y: float
    size: tuple[float, float]
    is_forced: bool


class LabelPlacer:
    """Finds places for names, and keeps them while only a token or two move.

    A full search is made when the scene changes. While a token is dragged, the other names stay where they
    were, and those that the dragged one covers are left out until it has gone by.
    """

    def __init__(self) -> None:
        self._key: Hashable = None
        self._places: dict[Hashable, tuple[Place, Place | None]] = {}

    def places(
        self, anchors: Sequence[Anchor], area: tuple[float, float], radius: float, key: Hashable
    ) -> list[Place | None]:
        """Give a place, left and top, for each name, or None where one does not fit.

        Parameters
        ----------
        anchors : sequence of Anchor
            In order of importance.
        area : (width, height)
            The pixels there are.
        radius : float
            The dots' radius.
        key : hashable
            What else the places depend on, such as the view; where it differs, the search is new.
        """
        tokens = tuple(anchor.token for anchor in anchors)
        moved = [a for a in anchors if self._places.get(a.token, ((-1.0, -1.0), None))[0] != (a.x, a.y)]
        if (key, tokens) == self._key and len(moved) <= _MOST_MOVED:
            return self._kept(anchors, moved, area, radius)
        self._key = (key, tokens)
        places = search_places(anchors, area, radius)
        self._places = {a.token: ((a.x, a.y), place) for a, place in zip(anchors, places, strict=True)}
        return places

    def _kept(
        self, anchors: Sequence[Anchor], moved: Sequence[Anchor], area: tuple[float, float], radius: float
    ) -> list[Place | None]:
        fresh = dict(zip((a.token for a in moved), search_places(moved, area, radius), strict=True))
        taken = [(a.x - radius, a.y - radius, a.x + radius, a.y + radius) for a in moved]
        for anchor in moved:
            place = fresh[anchor.token]
            if place is not None:
                taken.append((*place, place[0] + anchor.size[0], place[1] + anchor.size[1]))
        return [
            fresh[a.token] if a.token in fresh else _unless_covered(self._places[a.token][1], a.size, taken)
            for a in anchors
        ]


def search_places(anchors: Sequence[Anchor], area: tuple[float, float], radius: float) -> list[Place | None]:
    """Find a free place beside each anchor for its name; in order, first come, first served."""
    space = FreeSpace(*area)
    for anchor in anchors:
        space.take(anchor.x - radius + 2, anchor.y - radius + 2, 2 * radius - 4, 2 * radius - 4)
    places: list[Place | None] = []
    for anchor in anchors:
        width, height = anchor.size
        options = _options(anchor, radius + 2)
        place = next((option for option in options if space.is_free(*option, width, height)), None)
        if place is None and anchor.is_forced:
            place = _kept_inside(options[0], width, height, area)
        if place is not None:
            space.take(*place, width, height)
        places.append(place)
    return places


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


def _options(anchor: Anchor, gap: float) -> tuple[Place, ...]:
    x, y, (width, height) = anchor.x, anchor.y, anchor.size
    return (
        (x + gap, y - gap - height * 0.6),
        (x + gap, y + gap - height * 0.4),
        (x - gap - width, y - gap - height * 0.6),
        (x - gap - width, y + gap - height * 0.4),
        (x - width / 2, y - gap - height),
        (x - width / 2, y + gap),
    )


def _kept_inside(place: Place, width: float, height: float, area: tuple[float, float]) -> Place:
    return (
        min(max(place[0], 0.0), max(area[0] - width, 0.0)),
        min(max(place[1], 0.0), max(area[1] - height, 0.0)),
    )


def _unless_covered(
    place: Place | None, size: tuple[float, float], taken: Sequence[tuple[float, float, float, float]]
) -> Place | None:
    if place is None:
        return None
    left, top = place
    right, bottom = left + size[0], top + size[1]
    is_covered = any(
        other_left < right and left < other_right and other_top < bottom and top < other_bottom
        for other_left, other_top, other_right, other_bottom in taken
    )
    return None if is_covered else place
