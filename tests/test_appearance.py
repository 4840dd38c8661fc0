import numpy as np
import pytest

from attnviz.appearance import DARK, ENTRIES, LIGHT, Theme, colour_table, contrast, ink_on, luminance, oklab, rgb

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])

# Machado, Oliveira and Fernandes (2009), severity 1.0, on linear red, green, blue.
PROTANOPIA = np.array(
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
)
DEUTERANOPIA = np.array(
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
)


def maps(theme: Theme):
    return colour_table(theme.weight_map), colour_table(theme.score_map, is_diverging=True)


def as_seen(table, matrix):
    share = table / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ matrix.T, 0, 1)
    return np.where(seen <= 0.0031308, seen * 12.92, 1.055 * seen ** (1 / 2.4) - 0.055) * 255


def test_contrast_of_black_and_white_is_21():
    assert contrast(rgb("#000000"), rgb("#ffffff")) == pytest.approx(21)


def test_contrast_of_wcag_example_grey_on_white():
    # #767676 is the lightest grey that passes 4.5:1 on white.
    assert contrast(rgb("#767676"), rgb("#ffffff")) == pytest.approx(4.54, abs=0.005)


def test_oklab_of_white_is_full_lightness_without_hue():
    np.testing.assert_allclose(oklab(rgb("#ffffff")), [1, 0, 0], atol=1e-4)


def test_oklab_of_red_is_the_published_value():
    np.testing.assert_allclose(oklab(rgb("#ff0000")), [0.62796, 0.22486, 0.12585], atol=1e-4)


@THEMES
def test_map_begins_and_ends_at_its_stops(theme):
    weights, scores = maps(theme)
    for table, stops in ((weights, theme.weight_map), (scores, theme.score_map)):
        assert len(table) == ENTRIES
        np.testing.assert_array_equal(table[0], rgb(stops[0]))
        np.testing.assert_array_equal(table[-1], rgb(stops[-1]))


@THEMES
def test_zero_of_the_score_map_is_its_middle_stop(theme):
    _, scores = maps(theme)
    np.testing.assert_array_equal(scores[ENTRIES // 2], rgb(theme.score_map[2]))


@THEMES
def test_luminance_of_the_weight_map_only_rises_or_only_falls(theme):
    steps = np.diff(luminance(maps(theme)[0]))
    assert (steps >= 0).all() if theme.is_dark else (steps <= 0).all()


@THEMES
def test_luminance_of_the_score_map_rises_or_falls_from_the_middle_to_both_ends(theme):
    light = luminance(maps(theme)[1])
    sign = 1 if theme.is_dark else -1
    assert (sign * np.diff(light[ENTRIES // 2 :]) >= 0).all()
    assert (sign * np.diff(light[: ENTRIES // 2 + 1]) <= 0).all()


@THEMES
def test_equal_steps_of_the_number_are_equal_steps_to_the_eye(theme):
    # Over eight entries, so that rounding to bytes does not count; each sign of the scores on its own.
    weights, scores = maps(theme)
    middle = ENTRIES // 2
    for way in (weights, scores[middle:], scores[middle::-1]):
        steps = np.linalg.norm(np.diff(oklab(way)[::8], axis=0), axis=1)
        assert steps.max() < 1.3 * steps.min()


@THEMES
@pytest.mark.parametrize("blindness", [PROTANOPIA, DEUTERANOPIA], ids=["protanopia", "deuteranopia"])
def test_signs_differ_and_weights_keep_their_order_for_colour_blind_people(theme, blindness):
    weights, scores = (as_seen(table, blindness) for table in maps(theme))
    steps = np.diff(luminance(weights))
    assert (steps > -1e-4).all() if theme.is_dark else (steps < 1e-4).all()
    seen = oklab(scores)
    for distance in (32, 64, 96, 127):
        middle = ENTRIES // 2
        assert np.linalg.norm(seen[middle - distance] - seen[middle + distance]) > 0.0012 * distance


@THEMES
def test_every_number_stands_on_its_cell_with_enough_contrast(theme):
    for table in maps(theme):
        assert contrast(table, ink_on(table)).min() >= 4.5


@THEMES
def test_gutter_numbers_stand_on_the_panel_with_enough_contrast(theme):
    for ink in (theme.muted, theme.warning):
        assert contrast(rgb(theme.panel), rgb(ink)) >= 4.5


@THEMES
def test_hatch_is_no_colour_of_a_map(theme):
    hatch = oklab(rgb(theme.hatch))
    for table in maps(theme):
        assert np.linalg.norm(oklab(table) - hatch, axis=1).min() > 0.025
