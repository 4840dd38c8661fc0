"""A matrix with its names: what a copy is made of."""

import numpy as np
import pytest

from attnviz.document.errors import DocumentError
from attnviz.document.frame import compute
from attnviz.document.labelled import LabelledMatrix, labelled
from attnviz.document.matrices import MATRICES, MATRICES_BY_NAME
from attnviz.document.tokens import told_apart
from tests.document.states import cat_dog_phone, cross_state


@pytest.mark.parametrize("name", [matrix.name for matrix in MATRICES])
def test_whole_matrix_has_its_names_and_numbers(name: str) -> None:
    frame, matrix = compute(cross_state(3, 5, 7, d_k=11)), MATRICES_BY_NAME[name]
    whole = labelled(frame, matrix)
    assert whole.numbers.shape == (len(whole.row_labels), len(whole.column_labels)) == matrix.shape(frame)
    assert (whole.name, whole.corner) == (matrix.label, matrix.symbol)


def test_a_part_has_the_order_asked_for_and_names_as_in_the_document() -> None:
    frame = compute(cat_dog_phone())
    part = labelled(frame, MATRICES_BY_NAME["weight"], np.array([2, 0]), np.array([1]))
    assert (part.row_labels, part.column_labels) == (("phone", "cat"), ("dog",))
    np.testing.assert_array_equal(part.numbers, frame.trace.weights[[2, 0], 1:2])


def test_names_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match=r"numbers must have shape \(1, 2\), got \(2, 2\)"):
        LabelledMatrix("weights", "A", ("a",), ("b", "c"), np.eye(2))


def test_copy_of_too_many_cells_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("attnviz.document.labelled.MAX_CELLS", 8)
    frame = compute(cat_dog_phone())
    with pytest.raises(DocumentError, match="a copy must have at most 8 cells, got 9"):
        labelled(frame, MATRICES_BY_NAME["weight"])
    assert labelled(frame, MATRICES_BY_NAME["weight"], np.arange(2)).numbers.shape == (2, 3)


def test_only_names_that_stand_twice_get_their_place() -> None:
    assert told_apart(("a", "b", "a", "a")) == ("a #1", "b", "a #3", "a #4")
