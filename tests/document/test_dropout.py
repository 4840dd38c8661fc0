"""Which weights dropout keeps: of any rows, the same as in the whole matrix drawn at once."""

import numpy as np
import pytest

from attnviz.document.dropout import kept_in_rows


@pytest.mark.parametrize("rows", [[0, 1, 2, 3, 4], [3], [4, 1, 1, 0], [2, 0, 4, 3, 1], []])
def test_kept_weights_of_rows_are_those_of_the_whole_draw(rows):
    whole = np.random.default_rng([7, 2]).random((5, 11)) >= 0.3
    kept = kept_in_rows(7, 2, 0.3, 11, np.array(rows, np.intp))
    np.testing.assert_array_equal(kept, whole[rows])
