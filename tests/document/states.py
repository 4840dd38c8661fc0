"""Small documents that several tests start from; sizes are distinct primes where they may differ."""

import numpy as np

from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence

ODD_TOKENS = (
    *("<s>", "</s>", "&", "<|endoftext|>", "▁the", "Ġcat", "a b"),
    *("שלום", "مرحبا", "猫", "🐈\u200d⬛", "e\u0301", "\u200b"),
)


def cat_dog_phone(**fields: object) -> State:
    sequence = TokenSequence(("cat", "dog", "phone"), [[1.0, 0.5], [0.8, 0.6], [-0.5, 1.0]])
    return State(sequence=sequence, **fields)


def random_state(n: int, d: int, seed: int = 0, **fields: object) -> State:
    rows = np.random.default_rng(seed).normal(size=(n, d))
    return State(sequence=TokenSequence(tuple(f"t{i}" for i in range(n)), rows), **fields)


def cross_state(n_query: int = 3, n_key: int = 5, d: int = 7, **fields: object) -> State:
    rng = np.random.default_rng(1)
    return State(
        sequence=TokenSequence(tuple(f"q{i}" for i in range(n_query)), rng.normal(size=(n_query, d))),
        context=TokenSequence(tuple(f"k{i}" for i in range(n_key)), rng.normal(size=(n_key, d))),
        **fields,
    )


def assert_one_sentence(error: Exception) -> None:
    """A message for the user: one line, not a wall of text."""
    assert "\n" not in str(error)
    assert 10 < len(str(error)) < 400
