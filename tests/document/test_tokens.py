"""Any word is a token; lists of tokens check themselves, and new tokens begin at fixed places."""

import numpy as np
import pytest

from attnviz.document.errors import DocumentError
from attnviz.document.tokens import (
    MAX_TOKEN_LENGTH,
    MAX_TOKENS,
    MAX_WIDTH,
    TokenSequence,
    check_line,
    check_token,
    first_embedding,
    isolated,
)
from tests.document.states import ODD_TOKENS


@pytest.mark.parametrize("token", ODD_TOKENS)
def test_odd_token_is_an_ordinary_token(token):
    check_token(token)


@pytest.mark.parametrize(
    ("token", "sentence"),
    [
        ("", "a token must have at least one visible character, got an empty name"),
        (" \u00a0", "a token must have at least one visible character, got an empty name"),
        ("a\nb", "a token must not hold control characters, got U+000A"),
        ("a\tb", "a token must not hold control characters, got U+0009"),
        ("ä\u0085", "a token must not hold control characters, got U+0085"),
        ("a\u2028b", "a token must not hold control characters, got U+2028"),
        ("\ud800", "a token must not hold control characters, got U+D800"),
        ("x" * (MAX_TOKEN_LENGTH + 1), "a token must have at most 1,000 characters, got 1,001"),
        (7, "a token must be text, got int"),
    ],
)
def test_name_that_cannot_be_shown_is_refused(token, sentence):
    with pytest.raises(DocumentError) as caught:
        check_token(token)
    assert str(caught.value) == sentence


def test_line_of_text_may_be_empty_but_not_broken_or_endless():
    check_line("", "a title")
    check_line("Größe → ∞", "a title")
    with pytest.raises(DocumentError, match=r"a title must not hold control characters, got U\+000A"):
        check_line("one\ntwo", "a title")
    with pytest.raises(DocumentError, match="a title must have at most 1,000 characters, got 1,001"):
        check_line("x" * 1001, "a title")


def test_sequence_counts_its_tokens_and_coordinates():
    sequence = TokenSequence(["the", "the"], [[1, 2, 3], [4, 5, 6]])
    assert len(sequence) == 2
    assert sequence.width == 3
    assert sequence.tokens == ("the", "the")
    assert not sequence.embeddings.flags.writeable


@pytest.mark.parametrize(
    ("tokens", "shape", "sentence"),
    [
        (("a",), (2, 1), "embeddings must have one row per token, 1, got 2"),
        ((), (0, 1), "a sequence must have 1 to 5,000 tokens, got 0"),
        (("a",) * (MAX_TOKENS + 1), (MAX_TOKENS + 1, 1), "a sequence must have 1 to 5,000 tokens, got 5,001"),
        (("a",), (1, 0), "an embedding must have 1 to 16,384 coordinates, got 0"),
        (("a",), (1, MAX_WIDTH + 1), "an embedding must have 1 to 16,384 coordinates, got 16,385"),
        (("a", ""), (2, 1), "a token must have at least one visible character, got an empty name"),
    ],
)
def test_sequence_that_does_not_fit_is_refused(tokens, shape, sentence):
    with pytest.raises(DocumentError) as caught:
        TokenSequence(tokens, np.zeros(shape))
    assert str(caught.value) == sentence


def test_same_means_names_and_bits():
    one = TokenSequence(("a",), [[0.0]])
    assert one.is_same(TokenSequence(("a",), [[0.0]]))
    assert not one.is_same(None)
    assert not one.is_same(TokenSequence(("b",), [[0.0]]))
    assert not one.is_same(TokenSequence(("a",), [[-0.0]]))


def test_first_embedding_is_fixed_by_the_name():
    np.testing.assert_array_equal(first_embedding("cat", 5), first_embedding("cat", 5))
    assert not np.array_equal(first_embedding("cat", 5), first_embedding("dog", 5))


def test_first_embedding_lies_in_the_square_on_two_places():
    rows = np.array([first_embedding(f"word {i}", 2) for i in range(500)])
    assert np.abs(rows).max() <= 1.0
    np.testing.assert_array_equal(rows, np.round(rows, 2))
    assert not np.signbit(rows[rows == 0.0]).any()


@pytest.mark.parametrize("name", ["שלום", "مرحبا", "a שלום"])
def test_name_that_runs_from_right_to_left_is_isolated(name):
    assert isolated(name) == f"\u2068{name}\u2069"


@pytest.mark.parametrize("name", ["cat", "猫", "Größe", "1 + 1"])
def test_any_other_name_is_left_alone(name):
    assert isolated(name) == name
