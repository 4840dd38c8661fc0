"""Finding by a few letters: what matches, where, and in which order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviz.app.matching import is_word_start, match_text, ranked

NAMES = (
    "File › Save",
    "File › Save As",
    "View › Scores: Masked",
    "View › Theme › Dark",
    "Edit › Copy Table As › Markdown",
    "Model › Causal Mask",
    "View › Panels › Why?",
    "Model › Scale Rule › √d_k",
    "Edit › Pinned Numbers › Release",
    "Edit › Pinned Numbers › Pin Number…",
)
TIPS = ("Save the document.", "Save under another name.", "", "Light text on a dark ground.", "", "", "", "", "", "")


def best(typed: str) -> list[str]:
    return [NAMES[place] for place, _ in ranked(typed, NAMES, TIPS)]


def letters(typed: str, text: str) -> str | None:
    match = match_text(typed, text)
    return None if match is None else "".join(text[place] for place in match.places)


def test_nothing_typed_gives_everything_in_its_order() -> None:
    assert best("") == best("  ") == list(NAMES)
    assert all(match.places == () for _, match in ranked("", NAMES, TIPS))


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("save", "File › Save"),
        ("save as", "File › Save As"),
        ("as save", "File › Save As"),
        ("vtd", "View › Theme › Dark"),
        ("dark", "View › Theme › Dark"),
        ("DARK THEME", "View › Theme › Dark"),
        ("mask", "Model › Causal Mask"),
        ("scma", "View › Scores: Masked"),
        ("why", "View › Panels › Why?"),
        ("mrkdwn", "Edit › Copy Table As › Markdown"),
        ("√d", "Model › Scale Rule › √d_k"),
        ("scale d_k", "Model › Scale Rule › √d_k"),
        ("pin", "Edit › Pinned Numbers › Pin Number…"),
        ("arkdow", "Edit › Copy Table As › Markdown"),
    ],
)
def test_first_of_the_list_is_what_was_meant(typed: str, first: str) -> None:
    assert best(typed)[0] == first


def test_letters_in_the_middle_of_a_word_match_only_side_by_side() -> None:
    assert letters("heme", NAMES[3]) == "heme"
    assert letters("hme", NAMES[3]) is None


def test_a_single_letter_stands_at_the_beginning_of_a_word() -> None:
    assert match_text("h", NAMES[3]) is None
    assert letters("t", NAMES[3]) == "T"


def test_letters_side_by_side_come_before_letters_of_several_words() -> None:
    texts = ("Show Colours Again", "Scale")
    assert [texts[place] for place, _ in ranked("sca", texts, ("", ""))] == ["Scale", "Show Colours Again"]


def test_letters_that_skip_less_come_first() -> None:
    texts = ("View Theme Dark", "View Dark Theme")
    assert [texts[place] for place, _ in ranked("vd", texts, ("", ""))] == ["View Dark Theme", "View Theme Dark"]


def test_every_word_must_be_found() -> None:
    assert best("save xylophone") == []
    assert best("xylophone") == []


def test_order_of_the_letters_counts() -> None:
    assert letters("dv", NAMES[3]) is None
    assert letters("vd", NAMES[3]) == "VD"


def test_word_that_stands_only_in_the_explanation_comes_last() -> None:
    assert best("document") == ["File › Save"]
    assert best("light") == ["View › Theme › Dark"]
    assert match_text("document", NAMES[0]) is None
    assert ranked("document", NAMES, TIPS)[0][1].places == ()
    assert best("li") == ["View › Theme › Dark"]
    assert ranked("a", ("Zoom",), ("Any.",)) == []  # one letter stands in every sentence


def test_the_tightest_places_are_lit() -> None:
    match = match_text("sc", "Scores: Scaled xsxc")
    assert match is not None
    assert match.places == (0, 1)
    match = match_text("ca", "cxa cay")
    assert match is not None
    assert match.places == (4, 5)


def test_a_letter_that_grows_when_it_is_folded_keeps_the_places() -> None:
    match = match_text("dark", "Straße Dark")
    assert match is not None
    assert match.places == (7, 8, 9, 10)


def test_a_word_begins_after_a_sign_or_at_a_capital() -> None:
    text = "Auto-Play d_k PyTorch"
    assert [text[i] for i in range(len(text)) if is_word_start(text, i)] == ["A", "P", "d", "k", "P", "T"]


@given(st.text(alphabet="abAB ›-", max_size=8), st.text(alphabet="abAB ›-", max_size=16))
def test_lit_letters_spell_what_was_typed(typed: str, text: str) -> None:
    match = match_text(typed, text)
    if match is None:
        return
    lit = [text[place].casefold() for place in match.places]
    assert list(match.places) == sorted(set(match.places))
    for word in typed.casefold().split():
        rest = iter(lit)
        assert all(letter in rest for letter in word)  # in this order


@given(st.text(alphabet="abc ", min_size=1, max_size=12))
def test_a_text_matches_itself_with_all_its_letters(text: str) -> None:
    match = match_text(text, text)
    assert match is not None
    if len(text.split()) == 1:
        assert "".join(text[place] for place in match.places) == text.strip()
