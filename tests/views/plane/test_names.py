"""Names on the plane: apart from each other, inside, and never lost where they matter."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QPixmap
from PySide6.QtWidgets import QApplication

from attnviz.appearance import DARK
from attnviz.views.plane.geometry import Viewport
from attnviz.views.plane.names import FreeSpace, Name, NamePlacer, PlacedName

VIEW = Viewport(0.0, 1.0, 0.0, 1.0, 400.0, 300.0)
RADIUS = 9.0


def name_at(x: float, y: float, index: int = 0, *, is_forced: bool = False) -> Name:
    return Name((False, index), f"w{index}", QPixmap(), (40.0, 16.0), x, y, is_forced)


def area(placed: PlacedName) -> QRectF:
    name, place = placed
    return QRectF(*place, *name.size)


@pytest.mark.parametrize("seed", range(20))
def test_no_two_names_overlap_and_all_are_inside(qapp: QApplication, seed: int) -> None:
    places = np.random.default_rng(seed).uniform((0, 0), (400, 300), size=(60, 2))
    names = [name_at(x, y, i) for i, (x, y) in enumerate(places.tolist())]
    placed = NamePlacer().place_all(names, VIEW, RADIUS)
    assert placed
    for first, second in combinations(map(area, placed), 2):
        assert not first.intersects(second)
    assert all(QRectF(0, 0, 400, 300).contains(area(one)) for one in placed)


def test_names_of_one_spot_are_left_out_but_the_forced_one_is_shown(qapp: QApplication) -> None:
    names = [name_at(200, 150, i, is_forced=i == 30) for i in range(31)]
    placed = NamePlacer().place_all(names, VIEW, RADIUS)
    assert len(placed) < 31
    assert (False, 30) in [name.token for name, _ in placed]


def test_forced_name_of_a_dot_beyond_the_edge_is_kept_inside(qapp: QApplication) -> None:
    ((_, (left, top)),) = NamePlacer().place_all([name_at(5000, -700, is_forced=True)], VIEW, RADIUS)
    assert (left, top) == (360.0, 0.0)


def test_held_name_avoids_the_others(qapp: QApplication) -> None:
    placer = NamePlacer()
    others = placer.place_all([name_at(200, 150, 1)], VIEW, RADIUS)
    own = placer.place_one(name_at(200, 152, 0, is_forced=True), others, VIEW, RADIUS)
    assert not area(own).intersects(area(others[0]))


def test_rectangle_that_touches_nothing_taken_is_free() -> None:
    space = FreeSpace(200.0, 200.0)
    space.take(60.0, 60.0, 20.0, 20.0)
    assert space.is_free(80.0, 60.0, 20.0, 20.0)
    assert not space.is_free(79.0, 60.0, 20.0, 20.0)
    assert not space.is_free(190.0, 10.0, 20.0, 5.0)


def test_long_name_is_elided(qapp: QApplication) -> None:
    picture, text, size = NamePlacer().picture("abc" * 100, QFont(), DARK, 1.0)
    assert text.endswith("…")
    assert size[0] <= 165
    assert not picture.isNull()
