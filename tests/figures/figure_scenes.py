"""Frames that the tests of figures draw."""

import numpy as np

from attnviz.document.frame import Frame, compute
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence

HARD_TOKENS = ("<s>", "R&D", "▁the", "Ġcat", "שלום", "مرحبا", "你好", '"quoted"', "a,b", "it's", "]]>", "=1+1")


def cat_dog_phone(**fields: object) -> Frame:
    sequence = TokenSequence(("cat", "dog", "phone"), [[1.0, 0.5], [0.8, 0.6], [-0.5, 1.0]])
    return compute(State(sequence=sequence, title="Cat, dog, phone", **fields))


def hard_tokens(**fields: object) -> Frame:
    rows = np.random.default_rng(3).normal(size=(len(HARD_TOKENS), 2))
    return compute(State(sequence=TokenSequence(HARD_TOKENS, rows), title="<b> & others", **fields))


def many(n: int, **fields: object) -> Frame:
    rows = np.random.default_rng(n).normal(size=(n, 5))
    return compute(State(sequence=TokenSequence(tuple(f"word{i}" for i in range(n)), rows), **fields))


def cross(n_query: int, n_key: int, **fields: object) -> Frame:
    rng = np.random.default_rng(7)
    return compute(
        State(
            sequence=TokenSequence(tuple(f"q{i}" for i in range(n_query)), rng.normal(size=(n_query, 3))),
            context=TokenSequence(tuple(f"k{i}" for i in range(n_key)), rng.normal(size=(n_key, 3))),
            **fields,
        )
    )
