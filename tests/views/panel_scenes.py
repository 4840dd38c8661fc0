"""The start-up scene S1, and what is made of it for the tests of the panels."""

import numpy as np

from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence


def cat_dog_phone() -> State:
    embeddings = np.array([[1.0, 0.5], [0.8, 0.6], [-0.5, 1.0]])
    return State(TokenSequence(("cat", "dog", "phone"), embeddings))


def cross_attention() -> State:
    """Three queries and one key: under the causal mask the first two queries see no key."""
    sequence = TokenSequence(("a", "b", "c"), np.eye(3))
    return State(sequence, context=TokenSequence(("x",), np.ones((1, 3))), mask="causal")


def forty_tokens() -> State:
    embeddings = np.random.default_rng(7).normal(size=(40, 5))
    return State(TokenSequence(tuple(f"t{i}" for i in range(40)), embeddings), d_k=64)
