"""Strokes lie on masked cells only, and run on from one to the next."""

import re

import numpy as np

from attnviz.figures.hatch import hatching


def strokes_of(is_masked, cell=10.0, distance=7.0):
    paths = "".join(hatching(np.array(is_masked), cell, distance, "#123456"))
    number = r"(-?[\d.]+)"
    return np.array(re.findall(rf"M{number} {number}L{number} {number}", paths), float)


def test_nothing_masked_draws_nothing():
    assert hatching(np.zeros((3, 5), bool), 10, 7, "#123456") == []


def test_every_point_of_a_stroke_is_in_a_masked_cell():
    is_masked = np.random.default_rng(1).random((5, 7)) < 0.5
    strokes = strokes_of(is_masked)
    for share in np.linspace(0.03, 0.97, 17):
        points = strokes[:, :2] * (1 - share) + strokes[:, 2:] * share
        column, row = (points / 10).astype(int).T
        assert is_masked[row, column].all()


def test_every_masked_cell_has_a_stroke():
    is_masked = np.random.default_rng(2).random((5, 7)) < 0.5
    strokes = strokes_of(is_masked)
    points = np.concatenate([strokes[:, :2] * (1 - s) + strokes[:, 2:] * s for s in np.linspace(0.01, 0.99, 99)])
    column, row = (points / 10).astype(int).T
    assert set(zip(row, column, strict=True)) == set(zip(*map(list, is_masked.nonzero()), strict=True))


def test_a_stroke_crosses_a_whole_masked_block_in_one():
    assert len(strokes_of(np.ones((4, 4), bool))) == len(np.arange(3.5, 80, 7))


def test_strokes_rise_to_the_right():
    strokes = strokes_of([[True]])
    assert (strokes[:, 2] > strokes[:, 0]).all()
    assert (strokes[:, 3] < strokes[:, 1]).all()
    np.testing.assert_allclose(strokes[:, 0] + strokes[:, 1], strokes[:, 2] + strokes[:, 3])
