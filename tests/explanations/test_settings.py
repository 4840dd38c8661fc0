"""Derivations under each setting of a layer: formulas, reasons, and figures worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from attnviz.document.frame import Frame, compute
from attnviz.document.number_ref import NumberRef
from attnviz.explanations import Explanation, explain
from tests.document.states import cat_dog_phone, random_state

CAT, DOG, PHONE = range(3)
# The scaled scores of the row of cat, and their exponentials: scene S1.
Z_CAT = (1.25 / math.sqrt(2), 1.10 / math.sqrt(2), 0.0)
E_CAT = tuple(math.exp(z) for z in Z_CAT)


def explained(kind: str, *indices: int, **fields: object) -> Explanation:
    return explain(compute(cat_dog_phone(**fields)), NumberRef(kind, indices))


def near(value: float) -> object:
    return pytest.approx(value, abs=1e-12)


def test_bias_of_a_projection_stands_in_the_sum() -> None:
    q = explained("q", CAT, 1, b_q=np.array([0.25, -2.0]))
    assert q.formula == "q(cat, 2) = Σ_c x(cat, c) · W_Q(c, 2) + b_Q(2)"
    assert q.result == -1.5
    assert "".join(part.text for part in q.parts()) == "1.0 · 0.0 + 0.5 · 1.0 + (-2.0)"
    assert explained("b_q", 1, b_q=np.array([0.25, -2.0])).title == "b_Q, column 2"


def test_tied_keys_say_so() -> None:
    assert "W_K is tied to W_Q" in explained("k", DOG, 0, is_tied=True).note
    assert "entry of W_Q" in explained("w_k", 0, 1, is_tied=True).note


def test_added_position_is_a_sine_or_a_cosine_and_reaches_the_query() -> None:
    assert explained("position", PHONE, 0, positions="sinusoidal").result == near(math.sin(2.0))
    cosine = explained("position", PHONE, 1, positions="sinusoidal")
    assert cosine.formula == "p(phone, 2) = cos(pos(phone) · base^(−0/2))"
    assert cosine.recombined() == near(math.cos(2.0))
    both = explained("input", PHONE, 1, positions="sinusoidal")
    assert both.result == near(1.0 + math.cos(2.0))
    query = explained("q", PHONE, 1, positions="sinusoidal")
    assert query.formula == "q(phone, 2) = Σ_c x′(phone, c) · W_Q(c, 2)"
    assert query.recombined() == near(1.0 + math.cos(2.0))


def test_learned_position_is_typed_as_far_as_it_is_written_and_drawn_beyond() -> None:
    table = np.array([[0.5, 0.0], [0.0, 3.0]])
    typed, drawn = (explained("position", row, 1, positions="learned", position_table=table) for row in (1, 2))
    assert (typed.result, typed.origin) == (3.0, "typed")
    assert drawn.origin == "drawn"
    assert "Row 3 of the learned positions" in drawn.note


def test_shifted_position_says_so() -> None:
    place = explained("place", DOG, positions="alibi", shift=40)
    assert (place.result, place.note) == (41.0, "Tokens are counted from 0, and all positions are shifted by 40.")


def test_rotary_turns_a_pair_of_channels() -> None:
    q = explained("q", DOG, 0, positions="rotary")
    assert q.result == near(0.8 * math.cos(1.0) - 0.6 * math.sin(1.0))
    assert q.recombined() == near(q.result)
    assert q.formula == "q(dog, 1) = cos θ(dog, 1) · q°(dog, 1) − sin θ(dog, 1) · q°(dog, 2)"
    k = explained("k", DOG, 1, positions="rotary")
    assert k.result == near(0.6 * math.cos(1.0) + 0.8 * math.sin(1.0))
    plain = explained("plain_q", DOG, 0, positions="rotary")
    assert (plain.result, plain.title) == (0.8, "coordinate 1 of the query of dog before it is turned")


def test_channel_that_is_not_turned_says_so() -> None:
    state = random_state(2, 4, positions="rotary", rotary_width=2)
    q = explain(compute(state), NumberRef("q", (1, 3)))
    assert q.formula == "q(t1, 4) = q°(t1, 4)"
    assert q.note == "Positions turn the first 2 channels alone."


def test_linear_bias_grows_with_the_distance() -> None:
    bias = explained("bias", CAT, PHONE, positions="alibi")  # the slope of an only head is 2^-8
    assert bias.result == bias.recombined() == -2.0 / 256.0
    masked = explained("masked", CAT, DOG, positions="alibi")
    assert masked.formula == "z′(cat, dog) = z(cat, dog) + b(cat, dog)"
    assert masked.result == near(Z_CAT[1] - 1.0 / 256.0)


def test_learned_bias_names_its_bucket() -> None:
    table = np.arange(8.0)[np.newaxis]
    bias = explained("bias", PHONE, CAT, positions="relative", bucket_table=table)  # two places back: bucket 2 of 0...
    assert bias.formula == "b(phone, cat) = B(3)"
    assert bias.result == 2.0
    assert bias.note == "cat stands 2 before phone; such distances are in bucket 3 of 8."


def test_soft_cap_bends_the_scaled_score() -> None:
    masked = explained("masked", CAT, CAT, soft_cap=0.5)
    assert masked.formula == "z′(cat, cat) = cap · tanh(z(cat, cat) ÷ cap)"
    assert masked.result == near(0.5 * math.tanh(Z_CAT[0] / 0.5))


def test_plus_one_and_sink_take_their_share_of_the_sum() -> None:
    total = sum(E_CAT)
    one = explained("weight", CAT, CAT, softmax="plus_one")
    assert one.result == near(E_CAT[0] / (1.0 + total))
    assert one.note == "The rest of the row's attention goes to the one more unit, which gives nothing."
    sum_of_row = explained("normaliser", CAT, softmax="plus_one")
    assert sum_of_row.formula == "Z(cat) = Σ_j E(cat, j) + e^(0 − M(cat))"
    assert sum_of_row.recombined() == near((1.0 + total) / E_CAT[0])
    fields = {"has_sink": True, "sinks": np.array([2.0])}
    largest = explained("row_max", CAT, **fields)
    assert (largest.result, largest.formula) == (2.0, "M(cat) = max(max_j z′(cat, j), s_0)")
    assert explained("weight", CAT, DOG, **fields).result == near(E_CAT[1] / (total + math.exp(2.0)))
    both = explained("row_max", CAT, softmax="plus_one", **fields)
    assert both.recombined() == near(math.log(1.0 + math.exp(2.0)))


def test_softmax_of_columns_takes_maximum_and_sum_of_the_column() -> None:
    # the column of phone: 0, 0.2 / √2 and 1.25 / √2
    column = [math.exp(z / math.sqrt(2.0)) for z in (0.0, 0.2, 1.25)]
    weight = explained("weight", CAT, PHONE, softmax="columns")
    assert weight.result == near(column[0] / sum(column))
    assert weight.formula == "a(cat, phone) = E(cat, phone) ÷ Z(phone)"
    largest = explained("row_max", PHONE, softmax="columns")
    assert largest.title == "largest masked score of key phone"
    assert largest.formula == "M(phone) = max_i z′(i, phone)"
    total = explained("normaliser", PHONE, softmax="columns")
    assert total.title == "sum of the exponentials of key phone"
    assert total.result == near(sum(column) / column[2])


def test_mask_after_the_softmax_lets_the_banned_key_have_its_share() -> None:
    share = explained("share", CAT, DOG, mask="causal", masking="after")
    assert share.result == near(0.38890818) or share.result == pytest.approx(0.388908, abs=1e-6)
    weight = explained("weight", CAT, DOG, mask="causal", masking="after")
    assert (weight.result, weight.formula) == (0.0, "a(cat, dog) = r(cat, dog) · 0")
    assert "The causal mask hides dog from cat." in weight.note
    assert explained("row_sum", CAT, mask="causal", masking="after").result == pytest.approx(0.432425, abs=1e-6)
    masked = explained("masked", CAT, DOG, mask="causal", masking="after")
    assert masked.result == near(Z_CAT[1])
    assert "takes part" in masked.note


@pytest.mark.parametrize("softmax", ["standard", "plus_one"])  # which makes all shares less by one factor
def test_part_that_a_mask_after_the_softmax_leaves_is_of_all_that_the_keys_had(softmax: str) -> None:
    kept = explained("kept_sum", DOG, mask="causal", masking="after_renormalised", softmax=softmax)
    assert kept.result == pytest.approx(0.406351 + 0.378610, abs=2e-6)
    assert kept.formula.endswith("over all") == (softmax == "plus_one")


def test_mask_after_with_a_new_division_divides_by_what_is_left() -> None:
    weight = explained("weight", DOG, CAT, mask="causal", masking="after_renormalised")
    assert weight.formula == "a(dog, cat) = r(dog, cat) · 1 ÷ K(dog)"
    assert weight.result == pytest.approx(0.406351 / (0.406351 + 0.378610), abs=2e-6)


@pytest.mark.parametrize(
    ("masking", "result", "formula", "note"),
    [
        ("before", -math.inf, "−∞", "The key leaves before the softmax: the causal mask hides dog from cat."),
        ("add_large_negative", Z_CAT[1] - 1e9, "z(cat, dog) − 1e9", "adds −1e9"),
        ("fill_large_negative", -1e9, "−1e9", "writes −1e9"),
        ("multiply_zero", 0.0, "(z(cat, dog)) · 0", "still competes"),
    ],
)
def test_what_a_masking_method_makes_of_a_banned_score(masking: str, result: float, formula: str, note: str) -> None:
    masked = explained("masked", CAT, DOG, mask="causal", masking=masking)
    assert masked.result == result
    assert masked.recombined() == result
    assert masked.formula == f"z′(cat, dog) = {formula}"
    assert note in masked.note


def test_dropped_weight_is_nothing_and_a_kept_one_is_divided() -> None:
    frame = compute(cat_dog_phone(dropout=0.5, dropout_seed=1))
    kept = np.random.default_rng([1, 0]).random((3, 3)) >= 0.5
    assert 0 < kept.sum() < 9
    for query, key in np.ndindex(3, 3):
        weight = explain(frame, NumberRef("weight", (query, key)))
        before = explain(frame, NumberRef("undropped", (query, key)))
        assert weight.result == (near(2.0 * before.result) if kept[query, key] else 0.0)
        assert weight.formula.endswith(" ÷ (1 − p)" if kept[query, key] else " · 0 ÷ (1 − p)")
        assert weight.note.startswith(f"Dropout {'kept' if kept[query, key] else 'dropped'} this weight by chance")
    assert explain(frame, NumberRef("undropped", (CAT, CAT))).result == pytest.approx(0.432425, abs=1e-6)


def two_heads(**fields: object) -> Frame:
    return compute(random_state(3, 4, n_heads=2, d_k=2, **fields))


def test_titles_say_which_head_where_there_are_several() -> None:
    second = two_heads().at_head(1)

    def title(kind: str, *indices: int, frame: Frame = second) -> str:
        return explain(frame, NumberRef(kind, indices)).title

    assert title("q", 0, 1) == "coordinate 2 of the query of t0 in head 2"
    assert title("weight", 0, 1) == "weight of t1 for query t0 in head 2"
    assert title("w_k", 0, 1) == "W_K, row 1, column 2 in head 2"
    assert title("x", 0, 1) == "coordinate 2 of the embedding of t0"
    assert title("layer_output", 0, 1) == "coordinate 2 of the layer's output for t0"
    assert title("concatenated", 0, 3) == "channel 4 of t0, all heads side by side"
    shared = two_heads(n_kv_heads=1).at_head(1)
    assert title("k", 0, 1, frame=shared) == "coordinate 2 of the key of t0 in key/value head 1"
    assert title("score", 0, 1, frame=shared) == "score of t1 for query t0 in head 2"


def test_columns_are_those_of_the_head() -> None:
    w_q = np.arange(16.0).reshape(4, 4)
    frame = compute(random_state(3, 4, n_heads=2, d_k=2, w_q=w_q, w_k=w_q)).at_head(1)
    assert explain(frame, NumberRef("w_q", (1, 0))).result == 6.0  # the third column is the second head's first


def test_number_that_a_document_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="sink logit: there is none here"):
        explained("sink")


def test_sums_of_rows_under_the_softmax_of_columns_are_the_same_to_the_last_bit_wherever_they_are_read() -> None:
    frame = compute(random_state(37, 3, softmax="columns"))
    sums = frame.row_sums(np.arange(37)).tolist()
    assert [explain(frame, NumberRef("row_sum", (query,))).result for query in range(37)] == sums
