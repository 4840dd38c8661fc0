"""Themes can be read, maps are even to the eye, and text stands out on every colour of them."""

import numpy as np
import pytest

from attnviz.appearance import (
    ENTRIES,
    MINIMUM_CONTRAST,
    THEMES,
    colour_table,
    contrast,
    ink_on,
    luminance,
    oklab,
    rgb,
)

MAPS = [(theme.name, kind) for theme in THEMES.values() for kind in ("weight_map", "score_map")]


def table_of(name: str, kind: str) -> np.ndarray:
    return colour_table(getattr(THEMES[name], kind), kind == "score_map")


def test_contrast_of_black_on_white_is_21_and_of_a_colour_on_itself_1():
    assert contrast(rgb("#000000"), rgb("#ffffff")) == pytest.approx(21)
    assert contrast(rgb("#123456"), rgb("#123456")) == 1


def test_luminance_follows_wcag():
    # 0.2126, 0.7152 and 0.0722 are the shares of red, green and blue in relative luminance.
    np.testing.assert_allclose(luminance(np.array([[255, 0, 0], [0, 255, 0], [0, 0, 255]])), [0.2126, 0.7152, 0.0722])


def test_oklab_of_white_and_red_are_those_of_its_author():
    # The table in Ottosson's article, converted from sRGB: white (1, 0, 0); red about (0.628, 0.225, 0.126).
    np.testing.assert_allclose(oklab(np.array([255, 255, 255])), [1, 0, 0], atol=1e-4)
    np.testing.assert_allclose(oklab(np.array([255, 0, 0])), [0.628, 0.225, 0.126], atol=1e-3)


@pytest.mark.parametrize(("name", "kind"), MAPS)
def test_maps_begin_and_end_with_their_colours(name, kind):
    stops, table = getattr(THEMES[name], kind), table_of(name, kind)
    assert table.shape == (ENTRIES, 3)
    np.testing.assert_array_equal(table[[0, -1]], [rgb(stops[0]), rgb(stops[-1])])


@pytest.mark.parametrize("name", THEMES)
def test_middle_of_the_score_map_is_its_middle_colour(name):
    np.testing.assert_array_equal(table_of(name, "score_map")[ENTRIES // 2], rgb(THEMES[name].score_map[2]))


@pytest.mark.parametrize("name", THEMES)
def test_lightness_of_the_weight_map_runs_one_way(name):
    steps = np.diff(oklab(table_of(name, "weight_map"))[:, 0])
    assert (steps * np.sign(steps.sum()) > -2e-3).all()


@pytest.mark.parametrize(("name", "kind"), MAPS)
def test_steps_of_a_map_are_even_to_the_eye(name, kind):
    for half in np.array_split(oklab(table_of(name, kind)), 2):
        lengths = np.linalg.norm(half[8:-8:8] - half[:-16:8], axis=1)
        assert lengths.max() < 1.5 * lengths.min()


@pytest.mark.parametrize(("name", "kind"), MAPS)
def test_numbers_can_be_read_on_every_colour_of_a_map(name, kind):
    table = table_of(name, kind)
    assert contrast(ink_on(table), table).min() >= MINIMUM_CONTRAST


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_every_text_colour_can_be_read_on_panels(theme):
    colours = (theme.text, theme.muted, theme.accent_text, theme.warning, theme.query, theme.key, theme.value)
    for colour in (*colours, *theme.tokens):
        assert contrast(rgb(colour), rgb(theme.panel)) >= MINIMUM_CONTRAST, colour
        assert contrast(rgb(colour), rgb(theme.inset)) >= MINIMUM_CONTRAST, colour


def test_token_colours_repeat_after_the_last():
    theme = THEMES["light"]
    assert theme.token(len(theme.tokens)) == theme.token(0)
