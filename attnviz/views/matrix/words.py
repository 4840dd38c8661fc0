"""What a matrix says in words: the sentence of a place for a screen reader, and its tooltip."""

from __future__ import annotations

import numpy as np

from attnviz.views.matrix.lettering import shown_token
from attnviz.views.matrix.picture import Gutter, MatrixPicture
from attnviz.views.matrix.places import Place
from attnviz.views.numbers import number_text

CELL_TIP = "Click to keep it lit and see where its number comes from (Enter)"


def gutter_at(picture: MatrixPicture | None, place: Place) -> Gutter | None:
    """Give the gutter that a place lies in, beside the rows or below the columns; None at a cell."""
    if picture is None or not place.is_beside:
        return None
    return picture.gutters[place.gutter] if place.gutter >= 0 else picture.feet[place.foot]


def sentence_at(picture: MatrixPicture, place: Place) -> str:
    """Say the number at a cell or in a gutter, with the names of its row and column."""
    gutter, line = gutter_at(picture, place), place.line
    if gutter is not None:
        if gutter.sentence is not None:
            return gutter.sentence(line)
        value = number_text(float(gutter.values(np.array([line]))[0]))
        return f"{_names_along(picture, place)[line]}, {gutter.title} {value}"
    if picture.sentence is not None:
        return picture.sentence(place.row, place.column)
    number = float(picture.cells(np.array([place.row]), np.array([place.column]))[0, 0])
    return f"row {picture.row_labels[place.row]}, column {picture.column_labels[place.column]}, {number_text(number)}"


def tip_at(picture: MatrixPicture, place: Place) -> str:
    """Give the whole token of a label, the exact number of a gutter, or what a click on a cell does; else nothing."""
    gutter = gutter_at(picture, place)
    if gutter is not None:
        name = shown_token(_names_along(picture, place)[place.line]) if place.line >= 0 else ""
        return _tip_of(gutter, name, place.line)
    if place.row >= 0 and place.column < 0:
        return shown_token(picture.row_labels[place.row])
    if place.column >= 0 and place.row < 0:
        return shown_token(picture.column_labels[place.column])
    return CELL_TIP if place.is_cell else ""


def _names_along(picture: MatrixPicture, place: Place) -> tuple[str, ...]:
    """Give the names of the rows for a gutter beside them, of the columns for one below."""
    return picture.row_labels if place.gutter >= 0 else picture.column_labels


def _tip_of(gutter: Gutter, name: str, index: int) -> str:
    """Say the exact number of a gutter at an index, and what it means; the latter alone over the gutter's name."""
    if index < 0:
        return gutter.tip
    value = float(gutter.values(np.array([index]))[0]) + 0.0
    return f"{name}: {gutter.title} {value!r}\n{gutter.tip}".rstrip()
