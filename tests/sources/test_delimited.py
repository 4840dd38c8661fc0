"""CSV and TSV: the dialects of spreadsheets and data frames, and malformed tables."""

from pathlib import Path

import numpy as np
import pytest

from attnviz.document.errors import FileError
from attnviz.sources import describe, read_word_vectors


def write(folder: Path, content: str | bytes, name: str) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("plain.csv", "cat,1.5,2\ndog,-3,4\n"),
        ("header.csv", "word,x,y\ncat,1.5,2\ndog,-3,4\n"),
        ("quoted.csv", '"word","x","y"\n"cat","1.5","2"\n"dog","-3","4"\n'),
        ("german.csv", "Wort;x;y\r\ncat;1,5;2,0\r\ndog;-3;4\r\n"),
        ("german_quoted.csv", 'cat,"1,5","2,0"\ndog,"-3","4"\n'),
        ("tabs.tsv", "cat\t1.5\t2\ndog\t-3\t4\n"),
        ("tabs_with_header.txt", "token\tx\ty\ncat\t1,5\t2\ndog\t-3\t4\n"),
        ("quoted_tabs.txt", '"cat"\t1.5\t2\n"dog"\t-3\t4\n'),
        ("commas.txt", "cat, 1.5, 2\ndog, -3, 4\n"),
        ("pandas.csv", ",0,1\ncat,1.5,2.0\ndog,-3.0,4.0\n"),
        ("pandas_with_index.csv", ",word,0,1\n0,cat,1.5,2.0\n1,dog,-3.0,4.0\n"),
        ("label_last.csv", "1.5,2,cat\n-3,4,dog\n"),
        ("label_last_with_header.csv", "x,y,label\n1.5,2,cat\n-3,4,dog\n"),
        ("byte_order_mark.csv", b"\xef\xbb\xbfword;x;y\r\ncat;1,5;2\r\ndog;-3;4\r\n"),
        ("empty_cells_at_the_end.csv", "cat;1.5;2;;\ndog;-3;4;;\n;;;;\n"),
        ("minus_sign.csv", "cat;1.5;2\ndog;−3;4\n"),
        ("empty_lines.csv", "\ncat,1.5,2\n\ndog,-3,4\n\n"),
    ],
)
def test_dialects_give_the_same_rows(tmp_path: Path, name: str, content: str | bytes) -> None:
    path = write(tmp_path, content, name)
    for wanted in (None, ["cat", "dog", "absent"]):
        found = read_word_vectors(path, wanted)
        assert found.words == ("cat", "dog")
        np.testing.assert_array_equal(found.vectors, [[1.5, 2.0], [-3.0, 4.0]])
    summary = describe(path)
    assert (summary.dimension, summary.first_words, summary.row_count) == (2, ("cat", "dog"), 2)
    assert summary.format.startswith("table with")


def test_quoted_words_keep_delimiters_and_quotes(tmp_path: Path) -> None:
    path = write(tmp_path, '",",1,2\n"""",3,4\n"New York",5,6\n', "words.csv")
    assert read_word_vectors(path, None).words == (",", '"', "New York")


def test_words_that_are_numbers_stand_in_the_first_column(tmp_path: Path) -> None:
    assert read_word_vectors(write(tmp_path, "7,0.5\n8,0.25\n", "numbers.csv"), None).words == ("7", "8")


def test_repeated_rows_are_all_kept_when_no_words_are_named(tmp_path: Path) -> None:
    assert read_word_vectors(write(tmp_path, "the,1\nthe,2\n", "repeated.csv"), None).words == ("the", "the")


def test_word_in_another_encoding_is_counted_and_passed_over(tmp_path: Path) -> None:
    found = read_word_vectors(write(tmp_path, b"K\xe4se;1;2\ncat;3;4\n;5;6\n", "latin.csv"), None)
    assert found.words == ("cat",)
    assert found.unreadable == 2


def test_glove_with_the_suffix_of_a_table_is_read_as_text(tmp_path: Path) -> None:
    assert read_word_vectors(write(tmp_path, "cat 1.5 2\ndog 3 4\n", "glove.csv"), ["dog"]).words == ("dog",)


def test_reading_stops_at_the_last_wanted_word(tmp_path: Path) -> None:
    path = write(tmp_path, "cat,1,2\ndog,3,4\nragged,5\n", "stops.csv")
    assert read_word_vectors(path, ["dog"]).words == ("dog",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("cat,1,2\ndog,3\nfox,1,2\n", "bad.csv, line 2: expected 3 cells, got 2"),
        ("cat,1,2\ndog,3,4,5\nfox,1,2\n", "line 2: expected 3 cells, got 4"),
        ("cat,1,2\ndog,x,2\n", r"line 2, column 2 \(word 'dog'\): expected a finite number, got 'x'"),
        ("cat,1,2\ndog,1,NaN\n", "line 2, column 3 .*: expected a finite number, got 'NaN'"),
        ("cat,1,2\ndog,,2\n", "line 2, column 2 .*: expected a finite number, got an empty cell"),
        ("cat;1.234,5;2\ndog;1;2\n", "line 1, column 2 .*got '1.234,5'"),
        ('cat,1,2\n"dog,1,2\n', "line 2: expected quotes closed on the same line"),
        ("0.5,1.5\n2.5,3.5\n", "expected a column of words, got numbers in every column"),
        ("cat,dog\nfox,cow\n", "expected a word and its numbers in each row, got 'fox,cow'"),
        ("word,\ncat,\n", "expected .*numbers"),
        (",word\n0,cat\n1,dog\n", "got no column of numbers"),
    ],
)
def test_malformed_table_is_refused_with_its_line(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(FileError, match=message):
        read_word_vectors(write(tmp_path, content, "bad.csv"), None)


def test_description_of_a_long_table_leaves_the_row_count_open(tmp_path: Path) -> None:
    rows = "".join(f"word{i},0.25,0.5\n" for i in range(80_000))
    summary = describe(write(tmp_path, "word,x,y\n" + rows, "long.csv"))
    assert summary.row_count is None
    assert summary.first_words[0] == "word0"
