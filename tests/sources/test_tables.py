"""Rows pasted into the token table, as Excel, LibreOffice Calc and people write them."""

import pytest

from attnviz.document.errors import DocumentError
from attnviz.sources import parse_rows

EXCEL_GERMAN = "Wort\tx\ty\r\ncat\t1,5\t0,25\r\ndog\t-3\t4E-02\r\n"
EXCEL_WITH_WIDE_SELECTION = "cat\t1.5\t0.25\t\t\r\ndog\t-3\t0.04\t\t\r\n\t\t\t\t\r\n"
CALC_QUOTED = '"cat"\t1.5\t0.25\n"dog"\t−3\t0.04\n'


@pytest.mark.parametrize(
    "text",
    [
        EXCEL_GERMAN,
        EXCEL_WITH_WIDE_SELECTION,
        CALC_QUOTED,
        "cat\t1.5\t0.25\rdog\t-3\t0.04",
        "cat;1,5;0,25\ndog;-3;0,04",
        "cat, 1.5, 0.25\ndog, -3, 0.04",
        "cat,1.5,.25\ndog,-3,.04",
        'cat,"1,5","0,25"\ndog,"-3","0,04"',
        "cat 1.5 0.25\n  dog   -3   0.04  ",
        "cat 1,5 0,25\ndog -3 0,04",
        "token x y\ncat 1.5 0.25\ndog -3 0.04",
        ",0,1\ncat,1.5,0.25\ndog,-3,0.04",
        "\n\ncat\t1.5\t0.25\n\ndog\t-3\t0.04\n\n",
    ],
)
def test_pasted_dialects_give_the_same_rows(text: str) -> None:
    assert parse_rows(text) == (("cat", (1.5, 0.25)), ("dog", (-3.0, 0.04)))


def test_name_without_numbers_is_a_row() -> None:
    assert parse_rows("cat\t1,5\t0,25\ndog\nfox\t\t") == (("cat", (1.5, 0.25)), ("dog", ()), ("fox", ()))


def test_column_of_names_keeps_names_with_blanks_whole() -> None:
    assert parse_rows("New York\nParis\n") == (("New York", ()), ("Paris", ()))


def test_single_row_of_words_with_tabs_is_refused_as_numbers() -> None:
    with pytest.raises(DocumentError, match="row 1, column 2: expected a finite number, got 'dog'"):
        parse_rows("cat\tdog")


@pytest.mark.parametrize("name", ['"', ",", ";", "'", "<s>", "&", "▁the", "שלום", "猫", "🐈", "7"])
def test_any_token_is_a_name(name: str) -> None:
    assert parse_rows(f"{name}\t1\t2\n{name}\t3\t4") == ((name, (1.0, 2.0)), (name, (3.0, 4.0)))


def test_quoted_cell_may_hold_quotes() -> None:
    assert parse_rows('"say ""hi"""\t1\t2') == (('say "hi"', (1.0, 2.0)),)


def test_names_of_one_comma_or_semicolon_work_with_blanks() -> None:
    assert parse_rows(", 0.1 0.2\n; 0.3 0.4") == ((",", (0.1, 0.2)), (";", (0.3, 0.4)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected rows of a token and its coordinates, got an empty text"),
        (" \n\t\n", "got an empty text"),
        ("cat\t1\t2\ndog\t3", "row 2: expected 2 coordinates, got 1"),
        ("cat 1 2\ndog 3 4 5", "row 2: expected 2 coordinates, got 3"),
        ("cat\t1\tx", "row 1, column 3: expected a finite number, got 'x'"),
        ("w\tx\ty\ncat\t1\t2\ndog\tnan\t2", "row 3, column 2: expected a finite number, got 'nan'"),
        ("cat\t1\t2\ndog\tinf\t2", "row 2, column 2: expected a finite number, got 'inf'"),
        ("cat\t1e999\t2", "row 1, column 2: expected a finite number, got '1e999'"),
        ("cat\t\t2", "row 1, column 2: expected a finite number, got an empty cell"),
        ("cat\t1.234,5\t2", "got '1.234,5'"),
        ("cat\t50%\t2", "got '50%'"),
        ("\t1\t2\ndog\t3\t4.5", "row 1: expected a token in the first cell, got an empty cell"),
        ("cat,1,2\ndog,3,x", "row 2, column 3: expected a finite number, got 'x'"),
        ("cat 1 2\ndog 3 x", "row 2, column 3: expected a finite number, got 'x'"),
    ],
)
def test_malformed_rows_are_refused_with_their_place(text: str, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        parse_rows(text)


def test_long_cell_is_cut_in_the_message() -> None:
    with pytest.raises(DocumentError) as caught:
        parse_rows("cat\t" + "x" * 10_000 + "\t1")
    assert len(str(caught.value)) < 120
