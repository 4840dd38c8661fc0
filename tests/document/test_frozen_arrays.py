"""Arrays of a document are read-only, and compared by their bits."""

import numpy as np
import pytest

from attnviz.document.arrays import frozen_array, identity, same_bits
from attnviz.document.errors import DocumentError


def test_array_is_read_only_float64_in_rows():
    array = frozen_array(np.asfortranarray([[1, 2, 3], [4, 5, 6]]), name="x", ndim=2)
    assert array.dtype == np.float64
    assert array.flags.c_contiguous
    with pytest.raises(ValueError, match="read-only"):
        array[0, 0] = 7.0


def test_array_never_shares_memory_that_can_be_written():
    mine = np.ones((2, 3))
    view = mine[:]
    view.flags.writeable = False
    for given in (mine, view):
        assert not np.shares_memory(frozen_array(given, name="x", ndim=2), mine)


def test_frozen_array_is_shared():
    array = frozen_array([1.0, 2.0], name="x", ndim=1)
    assert frozen_array(array, name="x", ndim=1) is array


@pytest.mark.parametrize(
    "values",
    [[[1.0], [1.0, 2.0]], [["a"]], [["1.5"]], [[True]], [[1j]], [[None]], [[10**400]], [{}]],
    ids=["ragged", "letters", "digits as text", "booleans", "complex", "none", "huge", "object"],
)
def test_what_is_no_matrix_of_numbers_is_refused(values):
    with pytest.raises(DocumentError, match="x must be numbers in rows of equal length, got something else"):
        frozen_array(values, name="x", ndim=2)


@pytest.mark.parametrize(("ndim", "words"), [(1, "1 dimension, got shape"), (3, "3 dimensions, got shape")])
def test_wrong_number_of_dimensions_is_refused(ndim, words):
    with pytest.raises(DocumentError, match=words):
        frozen_array([[1.0]], name="x", ndim=ndim)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_number_that_is_not_finite_is_refused_with_its_place(bad):
    with pytest.raises(DocumentError, match=rf"x must be finite numbers, got {bad} at \(2, 1\)"):
        frozen_array([[0.0, 1.0], [bad, 2.0]], name="x", ndim=2)


def test_same_bits_tells_zeros_and_shapes_apart():
    zero, negative = frozen_array([0.0], name="x", ndim=1), frozen_array([-0.0], name="x", ndim=1)
    assert same_bits(zero, zero)
    assert same_bits(zero, frozen_array([0.0], name="x", ndim=1))
    assert not same_bits(zero, negative)
    assert not same_bits(zero, frozen_array([[0.0]], name="x", ndim=2))


def test_identity_is_one_read_only_object():
    assert identity(3) is identity(3)
    np.testing.assert_array_equal(identity(3), [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    assert not identity(3).flags.writeable
