"""The small multiples lie beside each other, inside the room, with all their texts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QApplication

from attnviz.document.frame import compute
from attnviz.views.heads.grid_layout import GridLayout, lay_out_grid, least_height
from attnviz.views.heads.tiles import LayerView, Tile, tiles_of
from attnviz.views.stages.strip_fonts import StripFonts
from tests.document.states import random_state


def laid_out(
    heads: int, n: int, view: LayerView, room: tuple[float, float], ratio: float = 1.0, kv_heads: int = 0
) -> tuple[tuple[Tile, ...], GridLayout, StripFonts]:
    frame = compute(random_state(n, 16, n_heads=heads, n_kv_heads=kv_heads))
    tiles, fonts = tiles_of(frame, view, 0), StripFonts(QApplication.font(), ratio)
    return tiles, lay_out_grid(tiles, *room, fonts), fonts


@pytest.mark.parametrize("view", ["weights", "contribution"])
@pytest.mark.parametrize("heads", [1, 4, 16])
@pytest.mark.parametrize("n", [3, 40])
@pytest.mark.parametrize("ratio", [1.0, 1.5])
def test_small_matrices_are_apart_and_in_sight(
    qapp: QApplication, heads: int, n: int, view: LayerView, ratio: float
) -> None:
    least = least_height(heads + 1, 420.0, StripFonts(qapp.font(), ratio), has_bars=view == "contribution")
    height = max(330.0, least)
    tiles, layout, fonts = laid_out(heads, n, view, (420.0, height), ratio, kv_heads=max(1, heads // 2))
    room = QRectF(0.0, 0.0, 420.0, height)
    assert len(layout.tiles) == len(tiles)
    for place, placed in enumerate(layout.tiles):
        assert room.contains(placed.whole), (place, placed.whole)
        assert placed.symbol.bottom() <= placed.cells.top()
        assert placed.cells.width() > 5
        assert placed.symbol.right() <= placed.whole.right() + 1 or len(layout.titles[place]) <= 4
        for other in layout.tiles[:place]:
            assert not placed.cells.intersects(other.cells)
            assert not placed.symbol.intersects(other.symbol)
        if view == "contribution":
            assert placed.bar.right() < placed.limits.left()
            assert placed.limits.width() >= fonts.width("0.000")


def test_more_room_makes_larger_cells(qapp: QApplication) -> None:
    small = laid_out(4, 3, "weights", (300.0, 150.0))[1].tiles[0]
    large = laid_out(4, 3, "weights", (600.0, 500.0))[1].tiles[0]
    assert large.cells.width() > small.cells.width()
    assert large.grid.face is not None  # there is room for numbers
    assert small.grid.face is None


def test_rows_of_four_heads_are_full(qapp: QApplication) -> None:
    assert laid_out(4, 3, "weights", (420.0, 230.0))[1].columns in (2, 4)


def test_titles_are_shortened_together(qapp: QApplication) -> None:
    wide = laid_out(4, 3, "weights", (500.0, 300.0), kv_heads=2)[1]
    narrow = laid_out(16, 3, "weights", (200.0, 330.0), kv_heads=4)[1]
    assert wide.titles[2] == "head 3 · kv 2"
    assert set(narrow.titles) <= {f"{head}·{kv}" for head in range(1, 17) for kv in range(1, 5)} | {
        f"{head} · kv {kv}" for head in range(1, 17) for kv in range(1, 5)
    }


def test_tile_under_a_point_is_found(qapp: QApplication) -> None:
    layout = laid_out(4, 3, "weights", (420.0, 230.0))[1]
    for place, placed in enumerate(layout.tiles):
        assert layout.tile_at(placed.cells.center().x(), placed.cells.center().y()) == place
    assert layout.tile_at(419.0, 229.0) is None
