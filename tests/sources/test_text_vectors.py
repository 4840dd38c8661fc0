"""Word vectors as text: what GloVe, word2vec and fastText write, and what goes wrong in such files."""

from pathlib import Path

import numpy as np
import pytest

from attnviz.document.errors import FileError
from attnviz.sources import describe, read_word_vectors

GLOVE = b"the 0.418 0.24968 -0.41242\n, 0.013441 0.23682 -0.16899\ncat 1e-3 -.5 +2\n. 0.1 0.2 0.3\n"


def write(folder: Path, content: bytes, name: str = "vectors.txt") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def test_words_come_in_the_order_wanted_with_their_numbers(tmp_path: Path) -> None:
    found = read_word_vectors(write(tmp_path, GLOVE), ["cat", ",", "the"])
    assert found.words == ("cat", ",", "the")
    np.testing.assert_array_equal(
        found.vectors, [[0.001, -0.5, 2.0], [0.013441, 0.23682, -0.16899], [0.418, 0.24968, -0.41242]]
    )
    assert found.vectors.dtype == np.float64
    assert not found.vectors.flags.writeable


def test_all_rows_are_kept_when_no_words_are_named(tmp_path: Path) -> None:
    found = read_word_vectors(write(tmp_path, GLOVE), None)
    assert found.words == ("the", ",", "cat", ".")
    assert found.vectors.shape == (4, 3)


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("word2vec with header", b"2 3\ncat 1 2 3\ndog 4 5 6\n"),
        ("fastText with blanks at line ends", b"2 3 \ncat 1 2 3 \ndog 4 5 6 \n"),
        ("Windows line ends", b"cat 1 2 3\r\ndog 4 5 6\r\n"),
        ("tabs", b"cat\t1\t2\t3\ndog\t4\t5\t6\n"),
        ("header and tabs", b"2\t3\ncat\t1\t2\t3\ndog\t4\t5\t6\n"),
        ("a tab after the word", b"cat\t1 2 3\ndog\t4 5 6\n"),
        ("several blanks", b"cat   1   2  3\n  dog 4 5 6\n"),
        ("byte order mark", b"\xef\xbb\xbfcat 1 2 3\ndog 4 5 6\n"),
        ("no line feed at the end", b"cat 1 2 3\ndog 4 5 6"),
        ("empty lines", b"\ncat 1 2 3\n\ndog 4 5 6\n\n\n"),
        ("header and empty lines", b"2 3\n\ncat 1 2 3\n\ndog 4 5 6\n\n"),
        ("decimal commas", b"cat 1,0 2 3\ndog 4 5 6\n"),
    ],
)
def test_dialects_give_the_same_rows(tmp_path: Path, kind: str, content: bytes) -> None:
    path = write(tmp_path, content)
    for wanted in (None, ["cat", "dog", "absent"]):
        found = read_word_vectors(path, wanted)
        assert found.words == ("cat", "dog")
        np.testing.assert_array_equal(found.vectors, [[1, 2, 3], [4, 5, 6]])
    assert describe(path).dimension == 3
    assert describe(path).first_words == ("cat", "dog")
    assert describe(path).row_count == 2


def test_word_with_blanks_keeps_the_last_fields_as_its_numbers(tmp_path: Path) -> None:
    path = write(tmp_path, b"cat 1 2\n. . . 3 4\nat name@domain.com 5 6\n")
    found = read_word_vectors(path, ["at name@domain.com", ". . .", "cat"])
    np.testing.assert_array_equal(found.vectors, [[5, 6], [3, 4], [1, 2]])


def test_numbers_are_words_too(tmp_path: Path) -> None:
    found = read_word_vectors(write(tmp_path, b"7 0.5 0.25\n1984 1.5 2.5\n"), ["1984", "7"])
    np.testing.assert_array_equal(found.vectors, [[1.5, 2.5], [0.5, 0.25]])


def test_one_number_per_word_is_no_header(tmp_path: Path) -> None:
    found = read_word_vectors(write(tmp_path, b"5 7\n6 8\n"), None)
    assert found.words == ("5", "6")


@pytest.mark.parametrize("word", ["▁the", "Ġcat", "שלום", "مرحبا", "猫", "🐈", "<s>", "&", '"', "a,b"])
def test_any_word_is_found(tmp_path: Path, word: str) -> None:
    found = read_word_vectors(write(tmp_path, f"x 1 2\n{word} 3 4\n".encode()), [word])
    assert found.words == (word,)


def test_first_of_equal_words_counts(tmp_path: Path) -> None:
    found = read_word_vectors(write(tmp_path, b"cat 1 2\ncat 3 4\ndog 5 6\n"), ["cat", "dog"])
    np.testing.assert_array_equal(found.vectors, [[1, 2], [5, 6]])


def test_rows_after_the_last_wanted_word_are_not_looked_at(tmp_path: Path) -> None:
    path = write(tmp_path, b"cat 1 2\ndog 3 4\nragged 5\n")
    assert read_word_vectors(path, ["cat"]).words == ("cat",)
    with pytest.raises(FileError, match="line 3"):
        read_word_vectors(path, ["absent"])


def test_words_in_invalid_utf8_are_counted_and_passed_over(tmp_path: Path) -> None:
    path = write(tmp_path, b"cat 1 2\nK\xe4se 3 4\n\xe7\x8c\xab 0 0\n\xff 5 6\ndog 7 8\n")
    assert read_word_vectors(path, ["dog", "cat"]).unreadable == 2
    assert read_word_vectors(path, None).words == ("cat", "猫", "dog")
    assert read_word_vectors(path, None).unreadable == 2


def test_rows_across_block_borders_are_whole(tmp_path: Path) -> None:
    tail = " ".join(["0.123456"] * 100)
    path = write(tmp_path, "".join(f"word{i} {i} {tail}\n" for i in range(4000)).encode())
    wanted = [f"word{i}" for i in range(3999, -1, -1)]
    found = read_word_vectors(path, wanted)
    assert found.words == tuple(wanted)
    np.testing.assert_array_equal(found.vectors[:, 0], np.arange(3999, -1, -1))
    np.testing.assert_array_equal(found.vectors[:, 1:], 0.123456)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"cat 1 2 3\ndog 4 5\nfox 1 2 3\n", "vectors.txt, line 2: expected 3 numbers after the word, got 2"),
        (b"cat 1 2 3\ndog 4 5 6 7\nfox 1 2 3\n", "vectors.txt, line 2: expected 3 numbers after the word, got 4"),
        (b"cat 1 2 3\ndog 4 5 6\nfox 1 2", "line 3: expected 3 numbers after the word, got 2; the file ends in the"),
        (b"cat 1 2\nzebra nan 2\n", r"line 2 \(word 'zebra'\): expected a finite number, got 'nan' as number 1 of 2"),
        (b"cat 1 2\nzebra 1 -inf\n", "expected a finite number, got '-inf' as number 2 of 2"),
        (b"zebra 1 1e999\n", "expected a finite number, got '1e999' as number 2 of 2"),
        (b"zebra 1 +Infinity\n", "expected a finite number, got '.Infinity' as number 2 of 2"),
        (b"cat 1 2\nzebra 1 1e999\n", "expected a finite number, got '1e999' as number 2 of 2"),
        (b"cat 1 2 3\nzebra 1  2\n", r"line 2 \(word 'zebra'\): expected 3 numbers after the word, got 2"),
        (b"cat 1 2\nzebra x 2\n", "expected a finite number, got 'x' as number 1 of 2"),
        (b"cat 1 2\nzebra 1_0 2\n", "expected a finite number, got '1_0'"),
        (b"cat 1 2\nzebra 0x1 2\n", "expected a finite number, got '0x1'"),
        (b"cat 1 2\nzebra 1 \xff\n", "line 2 .*expected a finite number"),
        (b" zebra 1\ncat 1 2\n", "line 2: expected 1 numbers after the word, got 2"),
        (b"Dear all\nhello there\n", "line 1: expected a word and its numbers, got 'Dear all'"),
        (b"\n\n \n", "got only empty lines"),
        (b"3 2\ncat 1 2\ndog 3 4\n", "expected 3 rows as line 1 announces, got 2"),
        (b"1 2\ncat 1 2\ndog 3 4\n", "expected 1 rows as line 1 announces, got 2"),
        (b"2 5\ncat 1.000 2.000\ndog 3.000 4.000\n", "line 2: expected 5 numbers after the word, got 2"),
        (b"2 2\n", "line 1: expected 2 rows of 2 numbers as line 1 announces, got no rows"),
        (b"0 2\ncat 1 2\n", "line 1: expected rows and numbers, got a header that announces 0 rows"),
        (b"2 0\ncat 1 2\n", "announces 2 rows of 0 numbers"),
        (b"999999999999 300\ncat 1 2\n", "expected 999,999,999,999 rows of 300 numbers as announced, got a file of 25"),
        (b"9" * 5000 + b" " + b"9" * 5000 + b"\ncat 1 2\n", "line 1: expected 999,999,999,999,999,999 rows of"),
    ],
)
def test_malformed_text_is_refused_with_its_line(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(FileError, match=message) as caught:
        read_word_vectors(write(tmp_path, content), ["zebra", "absent"])
    assert "\n" not in str(caught.value)


def test_line_of_a_gigabyte_is_refused_at_once(tmp_path: Path) -> None:
    path = write(tmp_path, b"cat " + b"1 " * 8000)
    with path.open("r+b") as file:
        file.truncate(1 << 30)
    for read in (describe, lambda each: read_word_vectors(each, ["cat"])):
        with pytest.raises(FileError, match=r"line 1: expected lines of at most 1,048,576 bytes, got a longer one"):
            read(path)


def test_long_line_further_down_is_named(tmp_path: Path) -> None:
    content = b"cat 1 2\ndog 3 4\n" + b"fox" * (1 << 20) + b"\n"
    with pytest.raises(FileError, match="line 3: expected lines of at most"):
        read_word_vectors(write(tmp_path, content), ["absent"])
    ends_inside_the_next_block = b"cat 1 2\ndog 3 4\n" + b"f" * ((1 << 20) + 100) + b" 1 2\n"
    with pytest.raises(FileError, match="line 3: expected lines of at most"):
        read_word_vectors(write(tmp_path, ends_inside_the_next_block), ["absent"])


def test_description_of_a_long_file_leaves_the_row_count_open(tmp_path: Path) -> None:
    rows = b"".join(b"word%d 0.25 0.5\n" % i for i in range(80_000))
    assert describe(write(tmp_path, rows)).row_count is None
    summary = describe(write(tmp_path, b"80000 2\n" + rows))
    assert summary.row_count == 80_000
    assert summary.first_words == tuple(f"word{i}" for i in range(10))
    assert summary.has_words
