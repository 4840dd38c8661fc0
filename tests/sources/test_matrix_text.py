"""Pasted matrices: literals, tables and printed arrays as programs put them into the clipboard, and what is refused."""

import numpy as np
import pytest

from attnviz.document.errors import DocumentError
from attnviz.sources import matrix_text
from attnviz.sources.matrix_text import numpy_text, parse_matrix

TWO = [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize(
    "text",
    [
        "array([[1., 2.],\n       [3., 4.]])",
        "array([[1., 2.],\n       [3., 4.]], dtype=float32)",
        "np.array([[1, 2], [3, 4]], dtype=np.float64)",
        "w_q = numpy.array([\n    [1.0, 2.0],\n    [3.0, 4.0],\n])\n",
        "tensor([[1., 2.],\n        [3., 4.]], device='cuda:0', grad_fn=<AddBackward0>)",
        "[[1. 2.]\n [3. 4.]]",
        "[[1.e+00 2.e+00]\n [3.e+00 4.e+00]]",
        "[[1,2],[3,4]]",
        "[1 2; 3 4]",
        "[1, 2;\n3, 4];",
        "1\t2\r\n3\t4\r\n",  # cells copied in a spreadsheet
        "1,0\t2,0\n3,0\t4,0\n",  # in one with decimal commas
        '"1"\t"2"\n"3"\t"4"',
        "1\t2\t\n3\t4\t\n",  # with empty cells at the end
        "1;2\n3;4",
        "1,0;2,0\n3,0;4,0",
        "1,2\n3,4",
        "1, 2\n3, 4\n\n",
        "1 2\n3 4",
        "  1.0   2.0\n  3.0   4.0",
        "1,0 2,0\n3,0 4,0",
    ],
)
def test_every_usual_form_gives_the_same_matrix(text):
    assert parse_matrix(text).tolist() == TWO


def test_signs_and_small_numbers_are_read_exactly():
    assert parse_matrix("\u22121.5\t-2e-3\n+.5\t1e308").tolist() == [[-1.5, -0.002], [0.5, 1e308]]


def test_bare_list_and_single_line_are_one_row():
    assert parse_matrix("[1, 2, 3]").tolist() == [[1.0, 2.0, 3.0]]
    assert parse_matrix("1\t2\t3").tolist() == [[1.0, 2.0, 3.0]]
    assert parse_matrix("0,5").tolist() == [[0.0, 5.0]]  # where a comma can separate, it does
    assert parse_matrix("7").tolist() == [[7.0]]


def test_negative_zero_becomes_zero():
    assert not np.signbit(parse_matrix("[[-0.0]]")).any()


@pytest.mark.parametrize("seed", range(3))
def test_copied_matrix_reads_back_to_the_last_bit(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(seed + 1, 5)) * 10.0 ** rng.integers(-300, 300, (seed + 1, 5))
    np.testing.assert_array_equal(parse_matrix(numpy_text(matrix)), matrix)


def test_what_numpy_writes_is_read():
    matrix = np.random.default_rng(5).normal(size=(6, 13))  # its lines are broken
    np.testing.assert_allclose(parse_matrix(repr(matrix)), matrix, atol=1e-8)
    np.testing.assert_allclose(parse_matrix(str(matrix)), matrix, atol=1e-8)
    np.testing.assert_allclose(parse_matrix(repr(matrix.astype(np.float32))), matrix, atol=1e-6)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1\t2\t3\n4\t5\tabc", "a matrix must hold numbers only, got 'abc' in row 2, column 3"),
        ("[[1, 2], [3, abc]]", "a matrix must hold numbers only, got 'abc' in row 2, column 2"),
        ("1,2\n3,x", "a matrix must hold numbers only, got 'x' in row 2, column 2"),
        ("cat\t1\t2", "a matrix must hold numbers only, got 'cat' in row 1, column 1"),
        ("1\t\t2", "a matrix must hold numbers only, got an empty cell in row 1, column 2"),
        ("1,5 2,5\n3 x", "a matrix must hold numbers only, got 'x' in row 2, column 2"),
        ("nan\t1", "a matrix must hold finite numbers only, got 'nan' in row 1, column 1"),
        ("[[1.0, -inf]]", "a matrix must hold finite numbers only, got '-inf' in row 1, column 2"),
        ("1e999", "a matrix must hold finite numbers only, got '1e999' in row 1, column 1"),
        ("1\t2\n3", "rows must all have as many numbers as the first, 2, got 1 in row 2"),
        ("[[1, 2], [3]]", "rows must all have as many numbers as the first, 2, got 1 in row 2"),
        ("[[1, 2], []]", "rows must all have as many numbers as the first, 2, got 0 in row 2"),
        ("", "a pasted matrix must hold at least one number, got an empty text"),
        (" \n\t\n", "a pasted matrix must hold at least one number, got an empty text"),
        ("[[], []]", "a pasted matrix must hold at least one number, got empty brackets"),
        ("[[[1]]]", "a matrix must have 2 dimensions, got lists 3 deep"),
        ("[[1, 2], 3]", "the rows of a matrix must be lists alike, got '3' beside a list"),
        ("[1, [2]]", "the rows of a matrix must be lists alike, got '1' beside a list"),
        ("[[1, 2]", "the brackets of a matrix must all be closed, got 1 open at the end"),
        ("[[1, 2", "the brackets of a matrix must be closed, got '[' without ']'"),
        ("[[1]], [[2]]", "the brackets of a matrix must be around all of it, got numbers behind them"),
        ("[[1., 2., ..., 3.]]", "a matrix must have all its numbers, got '...' in the place of some"),
        ("[f(1)]", "a matrix must be written with square brackets, got '(' inside"),
    ],
)
def test_what_is_no_matrix_is_refused_in_one_sentence(text, sentence):
    with pytest.raises(DocumentError) as caught:
        parse_matrix(text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("text", ["__import__('os').system('true') [[1]]", "[[1]] + open('x')", "[[9**9]]"])
def test_nothing_is_evaluated(text):
    with pytest.raises(DocumentError, match="matrix must"):
        parse_matrix(text)


def test_too_much_is_refused(monkeypatch):
    monkeypatch.setattr(matrix_text, "MAX_NUMBERS", 3)
    with pytest.raises(DocumentError, match=r"^a pasted matrix must have at most 3 numbers, got 4$"):
        parse_matrix("1 2\n3 4")
    with pytest.raises(DocumentError, match=r"^a matrix to copy must have at most 3 numbers, got 4$"):
        numpy_text(np.eye(2))
    monkeypatch.setattr(matrix_text, "MAX_CHARACTERS", 5)
    with pytest.raises(DocumentError, match=r"^a pasted matrix must have at most 5 characters, got 6$"):
        parse_matrix("1 2 3 ")


@pytest.mark.parametrize(
    "text", ["[1]" + " " * 100_000 + "x", "x" * 100_000 + "[1]", "[" * 100_000, "1 " * 20_000 + "x"], ids=len
)
def test_hostile_text_is_refused_at_once(text):
    with pytest.raises(DocumentError) as caught:
        parse_matrix(text)
    assert len(str(caught.value)) < 200
