"""The record of a matrix refuses what does not fit together."""

import numpy as np
import pytest

from attnviz.views.matrix.picture import MatrixPicture


def picture(**changes):
    fields = {
        "shape": (2, 1),
        "cells": lambda rows, columns: np.zeros((len(rows), len(columns))),
        "limits": (0.0, 1.0),
        "role": "share",
        "row_labels": ("a", "b"),
        "column_labels": ("c",),
        "row_colours": (0, 1),
        "column_colours": (0,),
    }
    return MatrixPicture(**{**fields, **changes})


def test_axes_are_named_from_and_to():
    assert (picture().row_title, picture().column_title) == ("query (from)", "key (to)")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"shape": (0, 1)}, "at least one row and one column, got shape \\(0, 1\\)"),
        ({"row_labels": ("a",)}, "row_labels must have 2 entries, got 1"),
        ({"column_colours": (0, 1)}, "column_colours must have 1 entries, got 2"),
        ({"limits": (1.0, 1.0)}, "limits must be finite and rising, got \\(1.0, 1.0\\)"),
        ({"limits": (0.0, float("nan"))}, "limits must be finite and rising"),
    ],
)
def test_wrong_field_is_refused_with_what_came(changes, message):
    with pytest.raises(ValueError, match=message):
        picture(**changes)
