"""Positional encodings by name, and the four parts of a score."""

import numpy as np
import pytest

from attnviz.engine import (
    POSITIONAL_ENCODINGS,
    PositionRequest,
    alibi,
    attend,
    attend_heads,
    relative_buckets,
    score_parts,
    sinusoidal,
)


def effect(name, **settings):
    request = {"positions": np.arange(3), "context_positions": np.arange(5), "d_model": 4, "d_context": 4, **settings}
    return POSITIONAL_ENCODINGS[name].function(PositionRequest(**request))


@pytest.mark.parametrize("name", ["none", "sinusoidal", "learned", "rotary", "alibi", "relative"])
def test_each_encoding_acts_at_its_own_place_alone(name):
    acts = effect(name, table=np.ones((8, 4)), n_heads=8)
    places = {"sinusoidal": "added", "learned": "added", "rotary": "rotary", "alibi": "bias", "relative": "bias"}
    for place in ("added", "rotary", "bias"):
        assert (getattr(acts, place) is not None) == (places.get(name) == place)


def test_sinusoidal_adds_the_vectors_of_the_positions():
    acts = effect("sinusoidal", d_context=6)
    np.testing.assert_array_equal(acts.added, sinusoidal(3, 4))
    np.testing.assert_array_equal(acts.context_added, sinusoidal(5, 6))


def test_learned_takes_the_rows_of_the_table():
    table = np.arange(20.0).reshape(5, 4)
    acts = effect("learned", table=table, positions=[4, 0, 4])
    np.testing.assert_array_equal(acts.added, table[[4, 0, 4]])
    np.testing.assert_array_equal(acts.context_added, table)


def test_alibi_and_relative_give_one_bias_per_head():
    bias = effect("alibi", n_heads=2, positions=[2, 3, 4]).bias
    np.testing.assert_array_equal(bias, alibi(3, 5, 2))
    table = np.arange(16.0).reshape(2, 8)
    relative = effect("relative", n_heads=2, table=table, positions=[2, 3, 4]).bias
    np.testing.assert_array_equal(relative, table[:, relative_buckets(3, 5, 8)])


def test_rotary_is_what_attend_heads_takes():
    x, one = np.random.default_rng(0).normal(size=(3, 4)), np.eye(4)
    acts = effect("rotary", positions=[0, 1, 2], context_positions=[0, 1, 2], pairing="interleaved")
    turned = attend_heads(x, w_q=one, w_k=one, w_v=one, rotary=acts.rotary)
    assert not np.allclose(turned.heads.scores, x @ x.T)
    np.testing.assert_allclose(np.diag(turned.heads.scores[0]), np.diag(x @ x.T), rtol=1e-13)


def test_order_shows_only_with_positions():
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(3, 4)), rng.normal(size=(3, 4, 4))
    order = [2, 0, 1]

    def output(tokens, added):
        return attend_heads(tokens + added, w_q=w[0], w_k=w[1], w_v=w[2]).output

    plain, placed = np.zeros((3, 4)), effect("sinusoidal").added
    np.testing.assert_allclose(output(x[order], plain), output(x, plain)[order], atol=1e-14)
    assert np.abs(output(x[order], placed) - output(x, placed)[order]).max() > 0.1


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("learned", {}, "positions need a table with 4 columns, got none"),
        ("learned", {"table": np.ones((5, 3))}, r"table must have 4 columns, got shape \(5, 3\)"),
        ("learned", {"table": np.full((5, 4), np.nan)}, r"table must be finite, got nan at \(0, 0\)"),
        ("learned", {"table": np.ones((4, 4))}, r"learned positions must be whole numbers from 0 to 3, got \[0.0, 1.0"),
        ("learned", {"table": np.ones((9, 4)), "positions": [0.5, 1, 2]}, "learned positions must be whole numbers"),
        ("learned", {"table": np.ones((9, 4)), "positions": 1}, "learned positions must be whole numbers"),
        ("learned", {"table": np.ones((9, 4)), "d_context": 3}, "learned positions need tokens of one width, got d_m"),
        ("relative", {"table": np.ones((2, 8))}, r"table must have 1 rows, got shape \(2, 8\)"),
        ("alibi", {"positions": [0, 1, np.inf]}, r"query_positions must be finite, got inf at \(2,\)"),
    ],
)
def test_settings_that_do_not_fit_are_refused(name, settings, message):
    with pytest.raises(ValueError, match=message):
        effect(name, **settings)


def test_four_parts_sum_to_the_score():
    rng = np.random.default_rng(0)
    qc, qp = rng.normal(size=(2, 3, 7))
    kc, kp = rng.normal(size=(2, 5, 7))
    parts = score_parts(qc, qp, kc, kp)
    np.testing.assert_allclose(parts.sum(axis=0), attend(qc + qp, kc + kp, kc).scores, atol=1e-12)
    np.testing.assert_allclose(parts[1], qc @ kp.T, rtol=1e-13)
    np.testing.assert_allclose(parts[2], qp @ kc.T, rtol=1e-13)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[1.0]], [[1.0, 2.0]], [[1.0]], [[1.0]]), r"query_content and query_position must be matrices of one shape"),
        (([[1.0]], [[1.0]], [[1.0, 2.0]], [[1.0, 2.0]]), "queries and keys must have the same width d_k, got 1 and 2"),
        (([[1.0]], [[np.nan]], [[1.0]], [[1.0]]), r"query_position must be finite, got nan at \(0, 0\)"),
        (([[1e200]], [[1.0]], [[1e200]], [[1.0]]), "the parts of a score must stay below 1.8e308 in magnitude"),
    ],
)
def test_parts_that_do_not_fit_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        score_parts(*arguments)
