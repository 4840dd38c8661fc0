"""The line of shapes: as much as there is room for, each kind of size in its colour, nothing in self-attention."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from attnviz.appearance import DARK, LIGHT, Theme, contrast, rgb
from attnviz.document.frame import compute
from attnviz.document.state import State
from attnviz.views.role_colours import size_colour
from attnviz.views.shape_line import ShapeLine
from tests.document.states import cat_dog_phone, cross_state

SIZES = ("n_query", "n_key", "d", "d_k", "d_v")


@pytest.fixture
def line(qtbot: QtBot) -> ShapeLine:
    line = ShapeLine()
    qtbot.addWidget(line)
    line.resize(1400, 30)
    line.show()
    return line


def show(line: ShapeLine, state: State) -> None:
    line.show_frame(compute(state))


def test_line_gives_way_to_less_room_and_never_cuts(line: ShapeLine) -> None:
    show(line, cross_state(3, 40, 2))
    said = []
    for width in range(1400, 0, -20):
        line.resize(width, 30)
        if line.text not in said:
            said.append(line.text)
    between = "     "
    assert said == [
        between.join(
            (
                *("X 3×2 · W_Q 2×2 → Q 3×2", "C 40×2 · W_K 2×2 → K 40×2", "C 40×2 · W_V 2×2 → V 40×2"),
                *("Q 3×2 · Kᵀ 2×40 → S 3×40", "A 3×40 · V 40×2 → Y 3×2"),
            )
        ),
        between.join(("Q 3×2 · Kᵀ 2×40 → S 3×40", "A 3×40 · V 40×2 → Y 3×2")),
        "Q 3×2 · Kᵀ 2×40 · V 40×2 → Y 3×2",
        "",
    ]


def test_it_follows_every_edit_and_is_empty_in_self_attention(line: ShapeLine) -> None:
    show(line, cross_state(3, 5, 2))
    assert "Q 3×2" in line.text
    show(line, cross_state(4, 5, 2, d_k=6))
    assert "Q 4×6 · Kᵀ 6×5 → S 4×5" in line.text
    assert "C 5×2 · W_K 2×6 → K 5×6" in line.accessibleDescription()
    assert "n_key = 5: tokens that answer" in line.toolTip()
    show(line, cat_dog_phone())
    assert (line.text, line.toolTip(), line.accessibleDescription()) == ("", "", "")


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_size_has_a_colour_of_its_own_that_can_be_read(line: ShapeLine, theme: Theme) -> None:
    colours = [size_colour(theme, name) for name in SIZES]
    assert len(set(colours)) == len(SIZES)
    for colour in colours:
        assert contrast(rgb(colour), rgb(theme.panel)) >= 4.5
    line.apply_theme(theme)
    show(line, cross_state(3, 5, 2))
    image = line.grab().toImage()
    seen = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert sum(colour in seen for colour in colours) >= 3  # thin strokes need not have a whole pixel
