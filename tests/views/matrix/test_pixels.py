"""Colours become the pixels that Qt draws."""

import numpy as np
import pytest

from attnviz.appearance import DARK, ENTRIES, LIGHT, colour_table, ink_on, rgb
from attnviz.views.matrix.pixels import blended, ink_levels, packed


def test_packed_pixel_is_opaque_red_green_blue():
    assert packed(rgb("#123456")) == 0xFF123456


def test_half_of_white_over_black_is_the_middle_grey():
    assert blended(rgb("#000000"), rgb("#ffffff"), np.array(0.5)).tolist() == [127.5, 127.5, 127.5]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_ink_runs_from_the_bare_cell_to_the_full_ink(theme):
    table = colour_table(theme.weight_map)
    pixels = ink_levels(table, ink_on(table))
    np.testing.assert_array_equal(pixels[0, :ENTRIES], packed(table))
    np.testing.assert_array_equal(pixels[-1, :ENTRIES], packed(ink_on(table)))
