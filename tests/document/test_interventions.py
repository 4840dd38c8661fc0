"""Pinned numbers in the document: what they change, where they go with their tokens, how they are saved."""

import numpy as np
import pytest

from attnviz.document import edits
from attnviz.document.attn_file import decode, encode
from attnviz.document.errors import DocumentError, FileError
from attnviz.document.frame import compute
from attnviz.document.interventions import MAX_PINNED, Intervention, Interventions
from attnviz.document.matrices import MATRICES_BY_NAME, matrices_of
from attnviz.document.number_ref import NumberRef
from attnviz.document.provenance import Provenance, pins_behind, pins_in_force, provenance_of, shown_pins
from attnviz.engine import StreamedAttention
from attnviz.explanations import KINDS
from tests.document.states import assert_one_sentence, cat_dog_phone, cross_state, random_state
from tests.reference import attention, mixture, scores_of, softmax_row

KINDS_AND_PLACES = [("q", 1, 1), ("k", 0, 1), ("v", 2, 0), ("score", 1, 2), ("weight", 1, 0)]


def pinned(state, *pins):
    for kind, row, column, value in pins:
        state = edits.pin_number(state, NumberRef(kind, (row, column)), value)
    return state


def places(state):
    return {(one.kind, one.row, one.column): one.value for one in state.interventions}


def read(frame, name):
    matrix = MATRICES_BY_NAME[name]
    rows, columns = matrix.shape(frame)
    return matrix.read(frame, np.arange(rows), np.arange(columns))


# -- what they change


@pytest.mark.parametrize(("kind", "row", "column"), KINDS_AND_PLACES)
def test_pinned_number_stands_where_it_was_pinned(kind, row, column):
    frame = compute(pinned(cat_dog_phone(), (kind, row, column, 7.5)))
    assert read(frame, kind)[row, column] == 7.5


def test_pinned_query_entry_reaches_the_weights():
    frame = compute(pinned(cat_dog_phone(), ("q", 0, 0, 2.0)))
    x = [[1.0, 0.5], [0.8, 0.6], [-0.5, 1.0]]
    weights, output = attention([[2.0, 0.5], *x[1:]], x, x, 2**-0.5)
    np.testing.assert_allclose(frame.trace.weights, weights, atol=1e-12)
    np.testing.assert_allclose(frame.output, output, atol=1e-12)


def test_pinned_value_entry_reaches_the_outputs_and_no_weight():
    plain, frame = compute(cat_dog_phone()), compute(pinned(cat_dog_phone(), ("v", 2, 1, -1.0)))
    assert np.array_equal(plain.trace.weights, frame.trace.weights)
    weights = plain.trace.weights.tolist()
    np.testing.assert_allclose(frame.output, mixture(weights, [[1.0, 0.5], [0.8, 0.6], [-0.5, -1.0]]), atol=1e-12)


@pytest.mark.parametrize("is_causal", [False, True])
def test_streamed_document_with_pins_is_what_the_slow_formula_gives(is_causal):
    n = 211
    pins = [("score", 5, 3, 2.0), ("weight", 7, 6, 0.25), ("q", 9, 0, -1.0), ("k", 4, 1, 3.0), ("v", 8, 0, 2.0)]
    frame = compute(pinned(random_state(n, 2, mask="causal" if is_causal else "none"), *pins))
    q, k, v = (read(compute(random_state(n, 2)), name) for name in "qkv")
    q[9, 0], k[4, 1], v[8, 0] = -1.0, 3.0, 2.0
    scores = scores_of(q.tolist(), k.tolist())
    scores[5][3] = 2.0
    for i, row in enumerate(scores):
        scores[i] = [s * 2**-0.5 if not is_causal or j <= i else -np.inf for j, s in enumerate(row)]
    weights = [softmax_row(row) for row in scores]
    weights[7][6] = 0.25
    np.testing.assert_allclose(read(frame, "weight"), weights, atol=1e-12)
    np.testing.assert_allclose(frame.output, mixture(weights, v.tolist()), atol=1e-12)
    np.testing.assert_allclose(frame.trace.weights, weights, atol=1e-12)
    np.testing.assert_allclose(frame.row_sums(np.array([7, 8])), [sum(weights[7]), 1.0], atol=1e-12)


def test_range_of_the_scores_holds_a_pinned_one():
    for n in (3, 211):
        frame = compute(pinned(random_state(n, 2), ("score", 1, 2, -1000.0)))
        assert frame.limit("scores") == 1000.0


def test_largest_weight_where_every_row_has_a_pinned_one():
    pins = [("weight", row, 5, 20.0 + row) for row in range(9)]  # above every weight that is computed
    frame = compute(pinned(cross_state(9, 5_000, 3), *pins))
    assert isinstance(frame.attention, StreamedAttention)
    assert frame.largest_weight == 28.0


def test_largest_weight_counts_pinned_ones():
    assert compute(pinned(cat_dog_phone(), ("weight", 0, 1, 3.0))).largest_weight == 3.0


@pytest.mark.parametrize("n", [3, 211])
def test_attention_received_counts_pinned_numbers(n):
    frame = compute(pinned(random_state(n, 2), ("weight", 0, 1, 0.9), ("score", 2, 1, 4.0)))
    np.testing.assert_allclose(frame.column_sums(np.array([1])), [read(frame, "weight")[:, 1].sum()], atol=1e-12)


@pytest.mark.parametrize("n", [3, 211])
def test_largest_weight_follows_a_weight_that_is_pinned_down(n):
    state = random_state(n, 2, temperature=0.05)
    plain = read(compute(state), "weight")
    row, column = np.unravel_index(plain.argmax(), plain.shape)
    frame = compute(pinned(state, ("weight", int(row), int(column), 0.0)))
    assert frame.largest_weight == pytest.approx(read(frame, "weight").max(), rel=1e-12)


def test_range_of_the_weights_is_never_empty():
    nothing = [("weight", row, column, 0.0) for row in range(3) for column in range(3)]
    assert compute(pinned(cat_dog_phone(), *nothing)).largest_weight == 1.0
    assert compute(pinned(cat_dog_phone(), ("weight", 0, 1, 5.0))).limit("weights") == 5.0


# -- what follows from them


def changed_cells(state, pins):
    """Compare with the document without pins: the plain truth about what a pin changes."""
    plain, frame = compute(state), compute(pinned(state, *pins))
    return frame, {matrix.name: read(plain, matrix.name) != read(frame, matrix.name) for matrix in matrices_of(frame)}


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize(("kind", "row", "column"), KINDS_AND_PLACES)
def test_every_number_that_a_pin_changes_counts_as_affected(kind, row, column, is_causal):
    frame, changed = changed_cells(cat_dog_phone(mask="causal" if is_causal else "none"), [(kind, row, column, 0.3)])
    for name, cells in changed.items():
        rows, columns = map(np.arange, cells.shape)
        affected = Provenance(frame).affected(name, rows, columns)
        assert not (cells & ~affected).any(), name
        if name != "exponential" and not is_causal:  # the largest of a row is 1, and so is the weight of an only key
            assert np.array_equal(affected, cells), name
        assert np.array_equal(Provenance(frame).affected_rows(name), affected.any(axis=1)), name
        for i, j in np.ndindex(cells.shape):
            assert Provenance(frame).is_affected(NumberRef(name, (i, j))) == affected[i, j]


def test_what_follows_from_the_pins_of_a_frame_is_worked_out_once():
    frame = compute(pinned(cat_dog_phone(), ("score", 1, 2, 9.0)))
    assert provenance_of(frame) is provenance_of(frame)
    assert provenance_of(frame) is not provenance_of(compute(frame.state))


def test_rows_that_a_pinned_score_does_not_reach_are_not_affected():
    frame = compute(pinned(cat_dog_phone(), ("score", 1, 2, 9.0)))
    for name in ("score", "weight", "output"):
        assert Provenance(frame).affected_rows(name).tolist() == [False, True, False]
    assert not Provenance(frame).affected_rows("q").any()
    assert not Provenance(compute(cat_dog_phone())).affected_rows("output").any()
    assert not Provenance(compute(cat_dog_phone())).affected("output", np.arange(3), np.arange(2)).any()
    assert not Provenance(compute(cat_dog_phone())).is_affected(NumberRef("weight", (1, 1)))


def test_pinned_score_behind_the_mask_changes_no_weight():
    frame = compute(pinned(cat_dog_phone(mask="causal"), ("score", 0, 2, 9.0)))
    assert Provenance(frame).affected_rows("score").tolist() == [True, False, False]
    assert not Provenance(frame).affected_rows("weight").any()


@pytest.mark.parametrize("kind", ["row_sum", "entropy", "effective_keys", "normaliser", "row_max"])
def test_measures_of_an_affected_row_are_affected(kind):
    frame = compute(pinned(cat_dog_phone(), ("score", 1, 2, 9.0)))
    assert kind in KINDS
    assert [Provenance(frame).is_affected(NumberRef(kind, (row,))) for row in range(3)] == [False, True, False]


def test_what_was_typed_is_never_affected():
    frame = compute(pinned(cat_dog_phone(), ("score", 1, 2, 9.0)))
    assert not Provenance(frame).is_affected(NumberRef("x", (1, 1)))
    assert not Provenance(frame).is_affected(NumberRef("temperature"))


def test_pinned_cells_are_only_those_that_somebody_set():
    frame = compute(pinned(cat_dog_phone(), ("score", 1, 2, 9.0)))
    marks = Provenance(frame).pinned("score", np.array([2, 1]), np.array([2, 0]))
    assert marks.tolist() == [[False, False], [True, False]]


def test_pins_behind_a_number_are_those_that_reach_it_and_not_its_own():
    pins = [("q", 0, 0, 2.0), ("score", 1, 2, 9.0), ("v", 0, 1, 3.0), ("weight", 1, 0, 0.5)]
    frame = compute(pinned(cat_dog_phone(mask="causal"), *pins))

    def behind(kind, *indices):
        return [one.kind for one in pins_behind(frame, NumberRef(kind, indices))]

    assert behind("score", 0, 1) == ["q"]
    assert behind("score", 1, 2) == []
    assert behind("weight", 1, 1) == []  # the pinned score is behind the mask
    assert behind("output", 1, 0) == ["weight"]
    assert behind("output", 1, 1) == ["v", "weight"]
    assert behind("output", 2, 1) == ["v"]
    assert behind("column_sum", 0) == ["q", "weight"]
    assert behind("x", 0, 0) == []


def test_no_more_pins_are_looked_for_than_asked():
    frame = compute(pinned(cat_dog_phone(), *[("score", 1, column, 2.0) for column in range(3)]))
    assert [one.column for one in pins_behind(frame, NumberRef("weight", (1, 0)), most=2)] == [0, 1]


def test_pinned_scores_show_at_every_stage_that_the_mask_leaves():
    pins = [("q", 0, 0, 2.0), ("score", 1, 2, 9.0), ("score", 2, 0, 1.0)]
    frame = compute(pinned(cat_dog_phone(mask="causal"), *pins))
    shown = {name: [(one.kind, one.row, one.column) for one in shown_pins(frame, name)] for name in MATRICES_BY_NAME}
    scores = [("score", 1, 2), ("score", 2, 0)]
    assert (shown["score"], shown["scaled"], shown["masked"]) == (scores, scores, scores[1:])
    assert shown["q"] == [("q", 0, 0)]
    assert shown["weight"] == shown["x"] == []


# -- edits


def test_pinning_again_takes_the_place_of_the_old_number():
    state = pinned(cat_dog_phone(), ("score", 0, 1, 1.0), ("score", 0, 1, 2.0))
    assert places(state) == {("score", 0, 1): 2.0}


def test_release_gives_the_computed_number_back():
    state = pinned(cat_dog_phone(), ("score", 0, 1, 1.0), ("weight", 0, 1, 2.0))
    assert places(edits.release_number(state, NumberRef("score", (0, 1)))) == {("weight", 0, 1): 2.0}
    assert encode(edits.release_all(state)) == encode(cat_dog_phone())


def test_pins_go_with_their_tokens():
    state = pinned(cat_dog_phone(), ("q", 2, 1, 1.0), ("k", 0, 0, 2.0), ("score", 2, 0, 3.0))
    assert places(edits.move_token(state, "sequence", 2, 0)) == {
        ("q", 0, 1): 1.0,
        ("k", 1, 0): 2.0,
        ("score", 0, 1): 3.0,
    }
    assert places(edits.insert_token(state, "sequence", 1, "new")) == {
        ("q", 3, 1): 1.0,
        ("k", 0, 0): 2.0,
        ("score", 3, 0): 3.0,
    }
    assert places(edits.delete_tokens(state, "sequence", [0])) == {("q", 1, 1): 1.0}
    assert places(edits.set_sentence(state, "sequence", "phone cat")) == {
        ("q", 0, 1): 1.0,
        ("k", 1, 0): 2.0,
        ("score", 0, 1): 3.0,
    }
    assert places(edits.paste_rows(state, "sequence", 1, [("new", None)])) == {
        ("q", 3, 1): 1.0,
        ("k", 0, 0): 2.0,
        ("score", 3, 0): 3.0,
    }


def test_in_cross_attention_each_list_takes_its_own_axis_along():
    state = pinned(cross_state(3, 5, 2), ("score", 1, 4, 3.0), ("v", 4, 1, 2.0), ("q", 1, 0, 1.0))
    assert places(edits.delete_tokens(state, "context", [0])) == {
        ("score", 1, 3): 3.0,
        ("v", 3, 1): 2.0,
        ("q", 1, 0): 1.0,
    }
    assert places(edits.delete_tokens(state, "sequence", [0])) == {
        ("score", 0, 4): 3.0,
        ("v", 4, 1): 2.0,
        ("q", 0, 0): 1.0,
    }


def test_pin_beyond_d_k_waits_until_the_column_acts_again():
    state = pinned(random_state(3, 5), ("q", 1, 3, 9.0))
    narrow = edits.set_scalar(state, "d_k", 2)
    assert pins_in_force(compute(narrow)) == ()
    assert np.array_equal(compute(narrow).q, compute(edits.release_all(narrow)).q)
    assert compute(edits.set_scalar(narrow, "d_k", 5)).q[1, 3] == 9.0


def test_moving_a_point_keeps_the_pins():
    state = pinned(cat_dog_phone(), ("score", 0, 1, 1.0))
    assert places(edits.move_point(state, "sequence", 0, 2.0, 2.0)) == {("score", 0, 1): 1.0}


# -- bad input


@pytest.mark.parametrize(
    ("kind", "indices", "value", "sentence"),
    [
        ("scaled", (0, 0), 1.0, "a number to pin must be one of q, k, v, score, weight, got 'scaled'"),
        ("entropy", (0,), 1.0, "a number to pin must be an entry of q, k, v, a score or a weight, got 'entropy'"),
        ("score", (3, 0), 1.0, "a pinned score must lie within 3 x 3, got row 4, column 1"),
        ("v", (0, 2), 1.0, "a pinned value must lie within 3 x 2, got row 1, column 3"),
        ("q", (0, 1024), 1.0, "a pinned query must lie within 3 x 1,024, got row 1, column 1,025"),
        ("score", (-1, 0), 1.0, "the row of a pinned score must be a whole number from 0, got -1"),
        ("score", (0, 0), float("nan"), "a pinned score must be a number between -1e+100 and 1e+100, got nan"),
        ("score", (0, 0), float("inf"), "a pinned score must be a number between -1e+100 and 1e+100, got inf"),
        ("weight", (0, 0), 1e101, "a pinned weight must be a number between 0 and 1e+100, got 1e+101"),
        ("weight", (0, 0), True, "a pinned weight must be a number between 0 and 1e+100, got True"),
        ("weight", (0, 0), -0.1, "a pinned weight must be a number between 0 and 1e+100, got -0.1"),
    ],
)
def test_number_that_cannot_be_pinned_is_refused(kind, indices, value, sentence):
    with pytest.raises(DocumentError) as caught:
        edits.pin_number(cat_dog_phone(), NumberRef(kind, indices), value)
    assert str(caught.value) == sentence
    assert_one_sentence(caught.value)


def test_more_pins_than_can_be_kept_are_refused(monkeypatch):
    monkeypatch.setattr("attnviz.document.interventions.MAX_INTERVENTIONS", 2)
    with pytest.raises(DocumentError, match="at most 2 numbers can be pinned, got 3"):
        pinned(cat_dog_phone(), *(("score", 0, column, 1.0) for column in range(3)))


def test_equal_pins_count_as_one():
    first, second = (Interventions([Intervention("score", 0, 1, value)]) for value in (1, 1.0))
    assert len({first, second}) == 1


def test_release_of_a_computed_number_is_refused():
    with pytest.raises(DocumentError, match="must be pinned, got score"):
        edits.release_number(cat_dog_phone(), NumberRef("score", (0, 1)))


def test_two_pins_at_one_place_are_refused():
    one = Intervention("score", 0, 1, 1.0)
    with pytest.raises(DocumentError, match="got two for score at row 1, column 2"):
        Interventions([one, Intervention("score", 0, 1, 2.0)])


def test_largest_pin_beside_the_smallest_temperature_gives_numbers():
    state = pinned(cat_dog_phone(temperature=1e-12), ("score", 0, 1, MAX_PINNED), ("q", 1, 0, MAX_PINNED))
    frame = compute(state)
    assert np.isfinite(frame.output).all()


# -- files

FILE = """{
  "format": "attnviz",
  "version": 2,
  "sequence": {
    "tokens": ["a", "b"],
    "embeddings": [
      [1.0],
      [2.0]
    ]
  },
  "interventions": [
    {"number": "q", "row": 1, "column": 0, "value": 0.1},
    {"number": "score", "row": 0, "column": 1, "value": -3.0}
  ],
  "settings": {
"""


def two_tokens():
    return cat_dog_phone().__class__(sequence=cat_dog_phone().sequence.__class__(("a", "b"), [[1.0], [2.0]]))


def test_file_holds_the_pins_one_a_line():
    state = pinned(two_tokens(), ("score", 0, 1, -3.0), ("q", 1, 0, 0.1))
    written = encode(state).decode()
    assert written.startswith(FILE)
    assert decode(written.encode(), "x.attn").is_same(state)


def test_document_without_pins_is_a_file_of_the_first_version():
    assert b'"version": 1,' in encode(two_tokens())


def test_states_that_differ_in_a_pin_are_not_the_same():
    state = pinned(two_tokens(), ("score", 0, 1, -3.0))
    assert not state.is_same(two_tokens())
    assert not state.is_same(pinned(two_tokens(), ("score", 0, 1, -3.5)))


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ("3", "interventions entry 1 must be an object, got 3"),
        ('{"number": "score", "row": 0, "column": 1}', "interventions entry 1 must hold value, got none"),
        (
            '{"number": "score", "row": 0, "column": 1, "value": "3"}',
            "interventions entry 1: a pinned score must be a number between -1e+100 and 1e+100, got '3'",
        ),
        (
            '{"number": "score", "row": 0.0, "column": 1, "value": 3}',
            "interventions entry 1: the row of a pinned score must be a whole number from 0, got 0.0",
        ),
        (
            '{"number": ["q"], "row": 0, "column": 1, "value": 3}',
            "interventions entry 1: a number to pin must be one of q, k, v, score, weight, got ['q']",
        ),
        (
            '{"number": "score", "row": 0, "column": 2, "value": 3}',
            "a pinned score must lie within 2 x 2, got row 1, column 3",
        ),
        ('{"number": "q", "row": 1, "column": 0, "value": 3, "x": 1}', "interventions entry 1 must hold only number,"),
    ],
)
def test_bad_pin_in_a_file_is_refused_with_its_place(entry, sentence):
    data = FILE.replace('{"number": "score", "row": 0, "column": 1, "value": -3.0}', "").replace(
        '{"number": "q", "row": 1, "column": 0, "value": 0.1},\n    ', entry
    )
    with pytest.raises(FileError) as caught:
        decode((data + "  }\n}").encode(), "x.attn")
    assert str(caught.value).startswith(f"x.attn: {sentence}")


def test_two_pins_at_one_place_in_a_file_are_refused():
    data = FILE.replace('"q", "row": 1, "column": 0', '"score", "row": 0, "column": 1')
    with pytest.raises(FileError, match="a number can be pinned once"):
        decode((data + "  }\n}").encode(), "x.attn")
