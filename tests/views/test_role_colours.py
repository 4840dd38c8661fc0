"""The colours of matrices by what they are."""

from __future__ import annotations

import numpy as np
import pytest

from attnviz.appearance import DARK, ENTRIES, LIGHT, MINIMUM_CONTRAST, Theme, contrast, ink_on, rgb
from attnviz.document.matrices import Role
from attnviz.views.role_colours import role_colour, role_table, signed_table

_TINTED: tuple[Role, ...] = ("embedding", "query", "key", "value", "output")


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("role", [*_TINTED, "score", "share"])
def test_numbers_on_every_ground_can_be_read(theme: Theme, role: Role) -> None:
    table = role_table(theme, role)
    assert contrast(table, ink_on(table)).min() >= MINIMUM_CONTRAST


@pytest.mark.parametrize("role", _TINTED)
def test_tints_are_the_same_to_both_sides_of_0_and_grow_stronger(role: Role) -> None:
    table = signed_table(LIGHT, role).astype(int)
    assert table.shape == (ENTRIES, 3)
    np.testing.assert_array_equal(table, table[::-1])
    distance = np.abs(table - rgb(LIGHT.panel)).sum(axis=1)
    assert np.all(np.diff(distance[ENTRIES // 2 :]) >= 0)
    assert distance[-1] > 3 * distance[ENTRIES // 2]


def test_scores_have_a_map_with_two_sides() -> None:
    table = signed_table(LIGHT, "score")
    assert [tuple(table[place]) for place in (0, 127, 254)] == [tuple(rgb(LIGHT.score_map[i])) for i in (0, 2, 4)]


def test_queries_keys_and_values_are_written_in_their_colours() -> None:
    assert [role_colour(DARK, role) for role in ("query", "key", "value")] == [DARK.query, DARK.key, DARK.value]
