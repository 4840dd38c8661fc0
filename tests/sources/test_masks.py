"""Masks from files: every notation, what True means left open, and everything else refused in one sentence."""

import gzip

import numpy as np
import pytest

from attnviz.document.errors import DocumentError
from attnviz.sources import Cancelled, read_mask
from tests.document.states import assert_one_sentence

FLAGS = np.array([[True, False, True], [True, True, False]])
SHAPE = (2, 3)


def saved(tmp_path, array, name="m.npy"):
    path = tmp_path / name
    np.save(path, array)
    return path


def written(tmp_path, text, name="m.csv"):
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    "array",
    [
        FLAGS,
        FLAGS.astype(np.int8),
        FLAGS.astype(np.uint8),
        FLAGS.astype(">i4"),
        FLAGS.astype(np.float16),
        np.asfortranarray(FLAGS),
        FLAGS[np.newaxis, np.newaxis],
    ],
)
def test_arrays_of_flags(tmp_path, array):
    found = read_mask(saved(tmp_path, array), SHAPE)
    assert not found.is_additive
    np.testing.assert_array_equal(found.flags, FLAGS)


@pytest.mark.parametrize("low", [-np.inf, -1e9, -1e4, float(np.finfo(np.float32).min)])
def test_numbers_that_are_added_say_themselves_what_they_mean(tmp_path, low):
    found = read_mask(saved(tmp_path, np.where(FLAGS, 0.0, low)), SHAPE)
    assert found.is_additive
    np.testing.assert_array_equal(found.flags, FLAGS)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("1,0,1\n1,1,0\n", "m.csv"),
        ("1\t0\t1\r\n1\t1\t0", "m.tsv"),
        ("1;0;1\n\n1;1;0\n", "m.csv"),
        ("1 0 1\n1 1 0\n", "m.txt"),
        ("true,FALSE,True\ntrue,true,false\n", "m.csv"),
        ("\ufeff1,0,1,\n1,1,0,\n", "m.csv"),
        (",cat,dog,phone\nx,1,0,1\ny,1,1,0\n", "m.csv"),
        ('"a, b",cat,dog\n1,0,1\n1,1,0\n', "m.csv"),
        ("1.0,0.0,1.0\n1,1,0", "m.csv"),
        ("1,0,1\r1,1,0\r", "m.csv"),
        (",cat,dog,phone\rx,1,0,1\r\ry,1,1,0", "m.csv"),
        ("1 0 1\r1 1 0\r", "m.txt"),
    ],
)
def test_text_of_flags(tmp_path, text, name):
    found = read_mask(written(tmp_path, text, name), SHAPE)
    assert not found.is_additive
    np.testing.assert_array_equal(found.flags, FLAGS)


def test_text_of_numbers_that_are_added(tmp_path):
    found = read_mask(written(tmp_path, "0,-inf,0\n0,0,−1e9\n"), SHAPE)
    assert found.is_additive
    np.testing.assert_array_equal(found.flags, FLAGS)


def test_an_archive_with_one_table_or_one_called_mask(tmp_path):
    path = tmp_path / "m.npz"
    np.savez(path, tokens=np.array(["a", "b"]), whatever=FLAGS)
    np.testing.assert_array_equal(read_mask(path, SHAPE).flags, FLAGS)
    np.savez(path, weights=np.eye(3), mask=FLAGS)
    np.testing.assert_array_equal(read_mask(path, SHAPE).flags, FLAGS)
    np.savez(path, first=np.eye(3), second=np.eye(3))
    with pytest.raises(DocumentError, match="call the right one mask"):
        read_mask(path, SHAPE)


def test_a_packed_text(tmp_path):
    path = tmp_path / "m.csv.gz"
    path.write_bytes(gzip.compress(b"1,0,1\n1,1,0\n"))
    np.testing.assert_array_equal(read_mask(path, SHAPE).flags, FLAGS)


@pytest.mark.parametrize(
    ("array", "sentence"),
    [
        (np.ones((7, 5), bool), r"^a mask must have shape \(5, 7\), got \(7, 5\)$"),
        (np.ones(7, bool), r"^a mask must have shape \(5, 7\), got \(7,\)$"),
        (np.ones((2, 5, 7), bool), r"^a mask must have shape \(5, 7\), got \(2, 5, 7\)$"),
        (np.full((5, 7), 0.5), r"got 0\.5 in row 1, column 1$"),
        (np.full((5, 7), np.nan), "got nan in row 1, column 1"),
        (np.full((5, 7), -3.0), "got -3 in row 1"),
        (np.full((5, 7), np.inf), "got inf in row 1"),
        (np.where(np.eye(5, 7, dtype=bool), 1.0, -np.inf), "got 1 in row 1, column 1"),
        (np.full((5, 7), "x"), "expected a mask of true and false or numbers"),
    ],
)
def test_other_arrays_are_refused(tmp_path, array, sentence):
    with pytest.raises(DocumentError, match=sentence) as refusal:
        read_mask(saved(tmp_path, array), (5, 7))
    assert_one_sentence(refusal.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1,0\n1,1\n", r"^a mask must have shape \(2, 3\), got \(2, 2\)$"),
        ("1,0,1\n" * 4, r"^a mask must have shape \(2, 3\), got \(4, 3\)$"),
        ("1,0,1\n1,1\n", "line 2: expected 3 cells, got 2"),
        ("1,0,1\n1,maybe,0\n", "line 2: expected true or false, 0 or 1, got 'maybe'"),
        ("a,b,c\n", "expected a mask, got no cells"),
        ("1,0,2\n1,1,0\n", "got 2 in row 1, column 3"),
        ("1,0,1\r1,maybe,0\r", "line 2: expected true or false, 0 or 1, got 'maybe'"),
        ("1,0,1\r\n\r\n1,maybe,0\r\n", "line 3: expected true or false, 0 or 1, got 'maybe'"),
        ("1,0,1\n1,1," + "0" * 200_000, "line 2: expected true or false, 0 or 1 in each cell, got field larger than"),
        ('{"a": 1}', "expected a mask, got a JSON document"),
    ],
)
def test_other_texts_are_refused(tmp_path, text, sentence):
    with pytest.raises(DocumentError, match=sentence) as refusal:
        read_mask(written(tmp_path, text), SHAPE)
    assert_one_sentence(refusal.value)


def test_nothing_is_unpickled(tmp_path):
    path = tmp_path / "m.npy"
    np.save(path, np.array([[print, None, 1], [1, 1, 0]], dtype=object), allow_pickle=True)
    with pytest.raises(DocumentError, match="never loaded"):
        read_mask(path, SHAPE)


def test_a_cut_file_and_no_file_are_refused(tmp_path):
    path = saved(tmp_path, FLAGS)
    path.write_bytes(path.read_bytes()[:-2])
    with pytest.raises(DocumentError, match="to fill 6 bytes, got 4"):
        read_mask(path, SHAPE)
    path.write_bytes(b"")
    with pytest.raises(DocumentError, match="expected a mask, got an empty file"):
        read_mask(path, SHAPE)
    with pytest.raises(DocumentError, match="could not be opened"):
        read_mask(tmp_path / "none.npy", SHAPE)


def test_reading_can_be_cancelled(tmp_path):
    with pytest.raises(Cancelled):
        read_mask(saved(tmp_path, FLAGS), SHAPE, is_cancelled=lambda: True)
