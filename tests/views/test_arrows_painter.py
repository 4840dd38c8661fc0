"""The plane of the film's last stage: names stand beside points, never over them or each other."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from attnviz.document.frame import Frame, compute
from attnviz.film import Script, picture
from attnviz.views.film.arrows_painter import ArrowsPainter
from attnviz.views.film.block_painter import BlockPainter
from tests.document.states import random_state
from tests.views.panel_scenes import cat_dog_phone


class Noting(QPainter):
    """Notes where round signs and names are painted."""

    def __init__(self, image: QImage) -> None:
        super().__init__(image)
        self.image = image  # which must outlive it
        self.signs: list[QRectF] = []
        self.names: dict[str, QRectF] = {}

    def drawEllipse(self, centre: QPointF, across: float, up: float) -> None:  # type: ignore[override]
        self.signs.append(QRectF(centre.x() - across, centre.y() - up, 2 * across, 2 * up))
        super().drawEllipse(centre, across, up)

    def drawText(self, place: QRectF | QPointF, *rest: object) -> None:  # type: ignore[override]
        if isinstance(place, QRectF):
            self.names[str(rest[-1])] = QRectF(place)
        super().drawText(place, *rest)  # type: ignore[call-overload]


def drawn(frame: Frame, query: int, size: tuple[int, int]) -> Noting:
    script = Script(frame.n_query, frame.n_key, int(frame.q.shape[1]), query)
    arrows = picture(frame, script.step(len(script) - 1)).arrows
    assert arrows is not None
    painter = Noting(QImage(*size, QImage.Format.Format_RGB32))
    ArrowsPainter(BlockPainter(QApplication.font())).draw(painter, arrows, QRectF(0, 0, *size))
    painter.end()
    return painter


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("size", [(418, 132), (400, 300), (900, 420)])
@pytest.mark.parametrize("query", [0, 1, 2])
def test_names_of_the_first_scene_are_all_there_and_beside_the_points(query: int, size: tuple[int, int]) -> None:
    painter = drawn(compute(cat_dog_phone()), query, size)
    assert {"v_cat", "v_dog", "v_phone"} <= set(painter.names)
    assert not [name for name, box in painter.names.items() if any(box.intersects(sign) for sign in painter.signs)]


@pytest.mark.parametrize("seed", range(8))
def test_names_never_lie_over_points_or_each_other(qtbot: QtBot, seed: int) -> None:
    painter = drawn(compute(random_state(9, 2, seed)), 4, (420, 260))
    names = {name: box for name, box in painter.names.items() if name.startswith("v_")}
    assert len(names) >= 3
    assert not [name for name, box in names.items() if any(box.intersects(sign) for sign in painter.signs)]
    assert not [pair for pair in itertools.combinations(painter.names.values(), 2) if pair[0].intersects(pair[1])]
