"""A sentence is split and joined without loss, and its words are found again among the old ones."""

import time

import pytest

from attnviz.document.sentence import join_sentence, origins, split_sentence


@pytest.mark.parametrize(
    ("sentence", "tokens"),
    [
        ("the cat", ("the", "cat")),
        ("  the \t cat\n", ("the", "cat")),
        ("<s> & ▁the Ġcat", ("<s>", "&", "▁the", "Ġcat")),
        ("שלום עולם", ("שלום", "עולם")),
        ("猫\u3000犬", ("猫", "犬")),
        ("two\u2028lines\u2029three", ("two", "lines", "three")),
        ("New\u00a0York", ("New York",)),
        ("   ", ()),
    ],
)
def test_sentence_is_split_at_blanks(sentence, tokens):
    assert split_sentence(sentence) == tokens


@pytest.mark.parametrize("tokens", [("New York", "is", "a  b"), ("the", "the", "the"), (" the", "cat ")])
def test_joined_tokens_come_apart_again(tokens):
    assert split_sentence(join_sentence(tokens)) == tokens


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a b c", "a b c", [0, 1, 2]),
        ("a b c", "a x c", [0, 1, 2]),
        ("a b c", "a c", [0, 2]),
        ("a b c", "x a b c", [None, 0, 1, 2]),
        ("a b c", "a b c x", [0, 1, 2, None]),
        ("a b c", "a x y c", [0, None, None, 2]),
        ("the the the", "the the", [0, 1]),
        ("the cat the", "the the", [0, 2]),
        ("the the", "the cat the", [0, None, 1]),
        ("dog bites man", "man bites dog", [2, 1, 0]),
        ("the cat the dog", "dog the the cat", [3, 2, 0, 1]),
        ("a b", "b b a", [1, None, 0]),
        ("a", "b", [0]),
        ("a b", "c d", [0, 1]),
    ],
)
def test_words_continue_the_tokens_they_stand_for(old, new, expected):
    assert origins(old.split(), new.split()) == expected


def test_thousands_of_words_match_within_a_keystroke():
    old = ["the", "cat"] * 2500
    new = ["cat", "the"] * 2500
    start = time.perf_counter()
    assert len(origins(old, new)) == 5000
    assert time.perf_counter() - start < 1.0


def test_a_word_typed_into_thousands_of_equal_ones_moves_no_other():
    old = ["the"] * 5000
    found = origins(old, [*old[:2000], "cat", *old[2000:]])
    assert found == [*range(2000), None, *range(2000, 5000)]
