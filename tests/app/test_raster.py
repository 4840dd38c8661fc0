"""Qt draws the figures as they are written: size, colours, hatching, text."""

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from attnviz.app import raster
from attnviz.app.raster import RasterError, font_families, svg_to_pdf, svg_to_png
from attnviz.appearance import DARK, LIGHT
from attnviz.document.frame import compute
from attnviz.document.presets import load_preset
from attnviz.figures.attention_figure import figure_svg
from attnviz.figures.bitmap import data_address, indexed_png
from attnviz.figures.hatch import hatching
from attnviz.figures.svg import document, element

pytestmark = pytest.mark.usefixtures("qapp")


def drawn(svg: str, scale: float = 1.0) -> QImage:
    return QImage.fromData(svg_to_png(svg, scale))


def colours_of(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_size_is_that_of_the_svg_times_the_scale():
    svg = document(40, 30, "t", "d", [])
    assert [(i.width(), i.height()) for i in (drawn(svg), drawn(svg, 2.5))] == [(40, 30), (100, 75)]


def test_resolution_keeps_the_size_on_paper():
    svg = document(96, 96, "t", "d", [])
    for scale in (1.0, 2.0):
        image = drawn(svg, scale)
        assert image.width() / image.dotsPerMeterX() * 1000 == pytest.approx(25.4, abs=0.02)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_ground_and_extreme_cells_have_the_colours_of_the_theme(theme):
    image = drawn(figure_svg(compute(load_preset("s1")), theme=theme))
    found = colours_of(image)
    assert image.pixelColor(1, 1) == QColor(theme.panel)
    assert image.pixelColor(image.width() - 1, image.height() - 1) == QColor(theme.panel)
    assert theme.score_map[-1] in found


def test_hatching_is_drawn():
    strokes = "".join(hatching(np.ones((2, 2), np.bool_), 20, 7, "#ff0000"))
    image = drawn(document(40, 40, "t", "d", [element("rect", width=40, height=40, fill="#ffffff"), strokes]), 3)
    reddish = sum(c.green() < 128 for c in (image.pixelColor(x, y) for x in range(120) for y in range(120)))
    assert 0.1 < reddish / 120**2 < 0.4


def test_embedded_pictures_keep_their_cells_sharp():
    png = indexed_png(np.array([[0, 1], [1, 0]], np.uint8), np.array([[0, 0, 0], [255, 255, 255]], np.uint8))
    attributes = f'width="40" height="40" xlink:href="{data_address(png)}" image-rendering="optimizeSpeed"'
    assert colours_of(drawn(document(40, 40, "t", "d", [f"<image {attributes}/>"]))) == {"#000000", "#ffffff"}


def test_text_is_drawn():
    line = element("text", "cat", x=5, y=25, font_size=20, fill="#000000")
    ground = element("rect", width=60, height=30, fill="#ffffff")
    assert "#000000" in colours_of(drawn(document(60, 30, "t", "d", [ground, line])))


def test_pdf_has_one_page_of_the_size_of_the_svg():
    pdf = svg_to_pdf(document(400, 200, "t", "d", []), "A title")
    assert pdf.startswith(b"%PDF-")
    assert b"/MediaBox [0 0 300 150]" in pdf.replace(b".000000", b"").replace(b"  ", b" ")


def test_pdf_keeps_text_as_text():
    pdf = svg_to_pdf(figure_svg(compute(load_preset("s1"))))
    assert pdf.count(b"/ToUnicode") >= 2


def test_too_large_a_picture_is_refused(monkeypatch):
    monkeypatch.setattr(raster, "MAX_SIDE", 100)
    with pytest.raises(RasterError, match="1 to 100 pixels a side, got 101 x 10"):
        svg_to_png(document(101, 10, "t", "d", []), 1.0)


def test_what_is_no_svg_is_refused():
    for draw in (svg_to_png, svg_to_pdf):
        with pytest.raises(RasterError, match="valid SVG"):
            draw("no picture")


def test_fonts_are_found():
    assert font_families()
