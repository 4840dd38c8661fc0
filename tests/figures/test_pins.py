"""A figure of pinned numbers marks them and says what they are."""

from xml.etree import ElementTree

import pytest

from attnviz.appearance import DARK, LIGHT
from attnviz.document import edits
from attnviz.document.frame import compute
from attnviz.document.number_ref import NumberRef
from attnviz.figures.attention_figure import figure_svg
from tests.document.states import cat_dog_phone, random_state

SVG = "{http://www.w3.org/2000/svg}"


def pinned(state, *pins):
    for kind, row, column, value in pins:
        state = edits.pin_number(state, NumberRef(kind, (row, column)), value)
    return compute(state)


def parsed(frame, theme=LIGHT):
    return ElementTree.fromstring(figure_svg(frame, theme=theme))


def texts(figure):
    return ["".join(node.itertext()) for node in figure.iter(f"{SVG}text")]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_pinned_cells_have_a_corner_and_rows_that_follow_a_bar(theme):
    figure = parsed(pinned(cat_dog_phone(), ("score", 0, 1, 3.0), ("weight", 2, 0, 0.5)), theme)
    corners = [node for node in figure.iter(f"{SVG}polygon") if node.get("fill") == theme.warning]
    bars = [node for node in figure.iter(f"{SVG}rect") if node.get("fill") == theme.warning]
    assert len(corners) == 2
    assert len(bars) == 3  # cat in both matrices, phone in the weights


def test_figure_names_what_is_pinned():
    shown = texts(parsed(pinned(cat_dog_phone(), ("score", 0, 1, 3.0), ("k", 2, 0, 0.5))))
    assert "Pinned, not computed: key (phone, 1) = 0.5, score (cat, dog) = 3" in shown
    assert "Rows with a bar follow from pinned numbers." in shown


def test_many_pins_are_counted():
    frame = pinned(random_state(11, 2), *(("score", 0, column, 1.0) for column in range(9)))
    assert any(line.endswith(" and 3 more") for line in texts(parsed(frame)))


def test_figure_without_pins_says_nothing_of_them():
    assert "inned" not in figure_svg(compute(cat_dog_phone()))
