"""How much room each card of the derivation wants, whatever its numbers are: that of the longest usual ones.

Were it from the numbers, the cards would change their widths under the hand that drags a token across an axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from attnviz.views.derivation.lengths import needed_room, vectors, wanted_sums
from attnviz.views.derivation.steps import (
    COLUMN_NAMES,
    DOT_PRODUCT_NAMES,
    EXPONENTIAL_NAMES,
    FURTHER_NAME,
    SHARE_NAME,
    SUM_NAMES,
    SUM_OF_COLUMN_NAMES,
    Shape,
    names_of_sum,
    product_text,
)
from attnviz.views.derivation.steps_between import BEFORE_SOFTMAX

_LONG, _BRIEF = "0.888", "0.88"
_NEGATIVE = -0.888
_MOST_ENTRIES = 4
# In which order the cards give room up: where their texts lose least.
YIELDING = (5, 0, 3, 2, 1, 4)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The room of one card: what it would like, and the least with which nothing is left out.

    Parameters
    ----------
    names : tuple of (str, str)
        The heading that should fit, and the shortest one.
    formula, result : tuple of (int, int)
        Characters of a line, as wished for and at least.
    """

    names: tuple[str, str]
    formula: tuple[int, int]
    result: tuple[int, int]


@lru_cache(maxsize=32)
def wanted_rooms(shape: Shape, n_lines: int) -> tuple[Wanted, ...]:
    """Give the rooms of the six cards with formulas of up to ``n_lines`` lines."""

    def product(i: int) -> str:
        return product_text(i, f"-{_LONG}", f"-{_LONG}")

    def brief_product(i: int) -> str:
        return product_text(i, f"-{_BRIEF}", f"-{_BRIEF}")

    def exponential(i: int) -> str:
        return _LONG if i < shape.n_keys - 1 else "1"  # the largest of a row is 1

    def brief_exponential(i: int) -> str:
        return _BRIEF if i < shape.n_keys - 1 else "1"

    products = wanted_sums(product, brief_product, shape.n_terms, 0, "terms")
    exponentials = wanted_sums(exponential, brief_exponential, shape.n_keys, min(1, shape.n_keys - 1), "keys")
    vector, brief_vector = _sample_vector(shape.n_values, 3), _sample_vector(shape.n_values, 2)
    number = (len(_LONG) + 1, len(_LONG) + 1)
    return (
        Wanted((DOT_PRODUCT_NAMES[0], DOT_PRODUCT_NAMES[1]), _sum_room(products, n_lines), number),
        _scale_card(shape, n_lines),
        Wanted(_names_of_exponential(shape), _room(f"e^(-{_LONG} − (-{_LONG}))", n_lines), number),
        Wanted(_names_of_sum(shape), _sum_room(exponentials, n_lines), number),
        Wanted(("weight", "weight"), _room(_weight_formula(shape), n_lines), number),
        Wanted(
            (f"{SHARE_NAME} = {brief_vector}", SHARE_NAME),
            _room(f"{_LONG} · {vector}", n_lines),
            (len(vector), len(brief_vector)),
        ),
    )


def _scale_card(shape: Shape, n_lines: int) -> Wanted:
    """Give the room of the second card, on which there may be more than the scale."""
    number = (len(_LONG) + 1, len(_LONG) + 1)
    text, further = f"-{_LONG} × {_LONG}", tuple(name for name in BEFORE_SOFTMAX if name in shape.extras)
    if not further:
        return Wanted(("scale", "scale"), _room(text, n_lines), number)
    if "soft cap" in further:
        text = f"{_LONG}·tanh({text} ÷ {_LONG})"
    if "bias" in further:
        text = f"{text} + (-{_LONG})"
    if "mask" in further:
        text = f"({text}) × 0"
    return Wanted((", ".join(("scale", *further)), FURTHER_NAME), _sum_room((text,), n_lines), number)


def _names_of_exponential(shape: Shape) -> tuple[str, str]:
    if "columns" in shape.extras:
        return COLUMN_NAMES[1], COLUMN_NAMES[2]
    return EXPONENTIAL_NAMES[1], EXPONENTIAL_NAMES[2]


def _names_of_sum(shape: Shape) -> tuple[str, str]:
    if "columns" in shape.extras:
        return SUM_OF_COLUMN_NAMES[1], SUM_OF_COLUMN_NAMES[1]
    names = names_of_sum(" and ".join(name for name in ("one more", "sink") if name in shape.extras))
    return (names[0], names[1]) if names == SUM_NAMES else (names[1], names[1])


def _weight_formula(shape: Shape) -> str:
    text = f"{_LONG} ÷ {_LONG}"
    if "left" in shape.extras:
        text = f"{text} ÷ {_LONG}"
    return f"{text} ÷ (1 − {_LONG})" if "dropout" in shape.extras else text


def _sum_room(texts: tuple[str, ...], n_lines: int) -> tuple[int, int]:
    return needed_room(texts[0], n_lines), min(needed_room(text, n_lines) for text in texts)


def _room(text: str, n_lines: int) -> tuple[int, int]:
    """Give the room of what is better not broken."""
    return len(text), needed_room(text, n_lines)


def _sample_vector(n: int, decimals: int) -> str:
    texts = vectors(np.full(n, _NEGATIVE), (decimals,))
    return texts[0] if n <= _MOST_ENTRIES else texts[-2]
