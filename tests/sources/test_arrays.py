"""NumPy files: rows picked from .npy and .npz, and arrays that claim too much or hold Python objects."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from attnviz.document.errors import FileError
from attnviz.sources import describe, read_word_vectors

X = np.array([[1.0, 0.5], [0.8, 0.6], [-0.5, 1.0]])
WORDS = ["cat", "dog", "phone"]


def npy_with_header(header: str, body: bytes = b"") -> bytes:
    text = header.encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + body


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["<f8", ">f8", "<f4", ">f4"])
def test_rows_of_any_layout_are_picked(tmp_path: Path, is_packed: bool, order: str, dtype: str) -> None:
    path = tmp_path / "x.npz"
    save = np.savez_compressed if is_packed else np.savez
    save(path, vectors=X.astype(dtype, order=order), tokens=np.array(WORDS))
    found = read_word_vectors(path, ["phone", "cat", "phone", "horse"])
    assert found.words == ("phone", "cat", "phone")
    np.testing.assert_array_equal(found.vectors, X.astype(dtype)[[2, 0, 2]])
    assert found.missing == ("horse",)
    assert not found.vectors.flags.writeable


@pytest.mark.parametrize("tokens", [np.array(WORDS), np.array(WORDS, dtype="S"), np.array(WORDS, dtype=">U9")])
@pytest.mark.parametrize("names", [("vectors", "tokens"), ("arr_0", "words"), ("Embeddings", "labels"), ("X", "vocab")])
def test_all_rows_come_with_their_tokens(tmp_path: Path, tokens: np.ndarray, names: tuple[str, str]) -> None:
    path = tmp_path / "x.npz"
    np.savez(path, **{names[0]: X, names[1]: tokens})
    found = read_word_vectors(path, None)
    assert found.words == tuple(WORDS)
    np.testing.assert_array_equal(found.vectors, X)


def test_bare_array_names_its_rows_by_number(tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    np.save(path, X)
    assert read_word_vectors(path, None).words == ("0", "1", "2")
    np.testing.assert_array_equal(read_word_vectors(path, ["2"]).vectors, X[[2]])
    summary = describe(path)
    assert (summary.dimension, summary.row_count, summary.has_words) == (2, 3, False)


def test_integers_are_numbers(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.arange(6, dtype=np.int8).reshape(3, 2))
    np.testing.assert_array_equal(read_word_vectors(tmp_path / "x.npy", ["1"]).vectors, [[2.0, 3.0]])


def test_archive_is_described_by_its_headers_and_first_tokens(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    np.savez(path, tokens=np.array(WORDS), vectors=X)
    summary = describe(path)
    assert (summary.dimension, summary.first_words, summary.row_count) == (2, tuple(WORDS), 3)
    assert summary.has_words


def test_first_of_equal_tokens_counts_and_the_others_are_not_looked_at(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", vectors=np.array([[1.0], [np.nan], [3.0]]), tokens=np.array(["the", "the", "cat"]))
    np.testing.assert_array_equal(read_word_vectors(tmp_path / "x.npz", ["cat", "the"]).vectors, [[3.0], [1.0]])


def test_many_rows_in_blocks_give_the_right_ones(tmp_path: Path) -> None:
    x = np.arange(280_000.0).reshape(140_000, 2)
    for order in ("C", "F"):
        path = tmp_path / f"{order}.npz"
        np.savez(path, vectors=np.array(x, order=order), tokens=np.array([f"word{i}" for i in range(140_000)]))
        found = read_word_vectors(path, ["word139999", "word0", "word131072", "word43690"])
        np.testing.assert_array_equal(found.vectors, x[[139_999, 0, 131_072, 43_690]])


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (
            {"vectors": X, "tokens": np.array(WORDS, dtype=object)},
            r"x.npz \(tokens.npy\): .*Python objects.*never loaded",
        ),
        ({"vectors": X.astype(object)}, "Python objects"),
        ({"vectors": X, "tokens": np.array(["a", "b"])}, r"expected 3 strings, one per row, got <U1 of shape \(2,\)"),
        ({"vectors": X, "tokens": np.arange(3)}, "expected 3 strings, one per row, got int64"),
        ({"vectors": X, "tokens": np.array([b"\xff", b"a", b"b"])}, "expected tokens in UTF-8"),
        ({"vectors": X[0], "tokens": np.array(WORDS)}, r"expected one array of shape \(n, d\), got vectors \(2,\)"),
        ({"a": X, "b": X}, "expected one array of shape .*call the right one vectors"),
        ({"vectors": X[:0]}, r"n and d at least 1, got float64 of shape \(0, 2\)"),
        ({"vectors": X[:, :0]}, r"n and d at least 1, got float64 of shape \(3, 0\)"),
        ({"vectors": X.astype(complex)}, "got elements of type '<c16'"),
        ({"vectors": X.astype("U8")}, "expected an .* array of numbers"),
        ({"vectors": np.zeros((2, 2), dtype="f8,f8")}, "named fields"),
        (
            {"vectors": np.array([[1.0, np.nan]]), "tokens": np.array(["cat"])},
            r"row 1, column 2 \(word 'cat'\): .*got nan",
        ),
        ({"vectors": np.array([[np.inf, 1.0]])}, "row 1, column 1 .*: expected a finite number, got inf"),
        ({"vectors": np.zeros((2001, 2))}, "expected at most 2,000 rows, got 2,001; name the words to keep"),
        ({"vectors": np.zeros((1, 65537))}, "expected at most 65,536 numbers per word, got 65,537"),
    ],
)
def test_unfit_arrays_are_refused(tmp_path: Path, arrays: dict[str, np.ndarray], message: str) -> None:
    np.savez(tmp_path / "x.npz", **arrays)
    with pytest.raises(FileError, match=message):
        read_word_vectors(tmp_path / "x.npz", None)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x93NUMPY\x09\x00\x10\x00", "format version 1 to 3"),
        (b"\x93NUM", "x.npy"),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff", "header of at most 10,000 bytes, got 4,294,967,295"),
        (npy_with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2)"), "expected an array header"),
        (npy_with_header("__import__('os').abort()"), "expected an array header"),
        (npy_with_header("(" * 9000), "expected an array header"),
        (npy_with_header("{'descr': '<f8', 'shape': (3, 2)}"), "with descr, fortran_order and shape"),
        (npy_with_header("{'descr': '<f8', 'fortran_order': 1, 'shape': (3, 2)}"), "shape of whole numbers"),
        (npy_with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (-3, 2)}"), "shape of whole numbers"),
        (npy_with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (3.5, 2)}"), "shape of whole numbers"),
        (npy_with_header("{'descr': '<f9', 'fortran_order': False, 'shape': (3, 2)}"), "elements of type '<f9'"),
        (npy_with_header("{'descr': '<U0', 'fortran_order': False, 'shape': (3, 2)}"), "elements of type '<U0'"),
        (npy_with_header("{'descr': '<U99999999', 'fortran_order': False, 'shape': (0, 2)}"), "elements of type"),
        (npy_with_header("{'descr': '|O', 'fortran_order': False, 'shape': (3, 2)}", b"\x80\x04."), "Python objects"),
        (
            npy_with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 300)}", b"\0" * 64),
            r"shape '\(1000000000000, 300\)' to fill 2,400,000,000,000,000 bytes, got 64",
        ),
        (
            npy_with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2)}", b"\0" * 47),
            "to fill 48 bytes, got 47",
        ),
    ],
)
def test_damaged_or_hostile_array_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "x.npy"
    path.write_bytes(content)
    for read in (describe, lambda each: read_word_vectors(each, None)):
        with pytest.raises(FileError, match=message):
            read(path)


def test_packed_array_that_ends_early_is_refused(tmp_path: Path) -> None:
    import gzip

    whole = io.BytesIO()
    np.save(whole, X)
    with gzip.open(tmp_path / "x.npy.gz", "wb") as file:
        file.write(whole.getvalue()[:-8])
    with pytest.raises(FileError, match="the file ends before its last element"):
        read_word_vectors(tmp_path / "x.npy.gz", None)


def test_member_of_another_kind_in_an_archive_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("vectors.npy", "cat 1 2\n")
        archive.writestr("tokens.npy", "cat 1 2\n")
    with pytest.raises(FileError, match="expected a NumPy array"):
        read_word_vectors(tmp_path / "x.npz", None)


def test_token_that_is_no_text_is_counted_and_passed_over(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", vectors=X, tokens=np.array(["cat", "", "\ud800"]))
    found = read_word_vectors(tmp_path / "x.npz", None)
    assert found.words == ("cat",)
    assert found.unreadable == 2
