"""The colours of matrices by what they are: maps for scores and shares, tints of one colour for all others."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from attnviz.appearance import ENTRIES, ByteArray, Theme, colour_table, rgb
from attnviz.document.matrices import Role
from attnviz.document.shapes import SizeName

_PLACE_OF_D_K = 4  # among the colours of tokens: violet, which no role has
_FAINTEST, _NEUTRAL, _STRONGEST = 0.05, 0.2, 0.42


def role_colour(theme: Theme, role: Role) -> str:
    """Give the colour that a role has in text."""
    colours = {"query": theme.query, "key": theme.key, "value": theme.value, "embedding": theme.muted}
    return colours.get(role, theme.text)


def size_colour(theme: Theme, name: SizeName) -> str:
    """Give the colour in which a kind of size is written: of queries, keys, d, d_k or d_v."""
    colours = {"n_query": theme.query, "n_key": theme.key, "d": theme.text, "d_v": theme.value}
    colours |= {"h · d_v": theme.value, "d_out": theme.muted}  # all values side by side, and what they are mixed to
    return colours.get(name) or theme.token(_PLACE_OF_D_K)


@lru_cache(maxsize=32)
def role_table(theme: Theme, role: Role) -> ByteArray:
    """Give the grounds of a role's cells.

    Parameters
    ----------
    theme
        Which colours.
    role
        What the matrix is.

    Returns
    -------
    array of uint8, shape (255, 3)
        For scores 0 is in the middle; for all others at the beginning, and both signs have one colour.
    """
    if role == "score":
        return colour_table(theme.score_map, is_diverging=True)
    if role == "share":
        return colour_table(theme.weight_map)
    strongest = _STRONGEST if role in ("query", "key", "value") else _NEUTRAL
    share = np.linspace(_FAINTEST, strongest, ENTRIES)[:, np.newaxis]
    mixed = rgb(theme.panel) * (1.0 - share) + rgb(role_colour(theme, role)) * share
    return np.rint(mixed).astype(np.uint8)


def signed_table(theme: Theme, role: Role) -> ByteArray:
    """Give the grounds of a role's cells with 0 in the middle, the same to both sides.

    Parameters
    ----------
    theme, role
        As for :func:`role_table`; not for shares, which have no sign.

    Returns
    -------
    array of uint8, shape (255, 3)
    """
    table = role_table(theme, role)
    if role == "score":
        return table
    half = table[np.rint(np.linspace(0, ENTRIES - 1, ENTRIES // 2 + 1)).astype(np.intp)]
    return np.concatenate((half[:0:-1], half))
