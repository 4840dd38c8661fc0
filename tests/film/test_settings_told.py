"""What the film says under every setting of a layer: sentences and numbers worked out by hand."""

import numpy as np
import pytest

from attnviz.document import edits
from attnviz.document.frame import Frame, compute
from attnviz.document.number_ref import NumberRef
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.film import caption, picture, script_of
from tests.document.states import cat_dog_phone, random_state
from tests.film.test_captions import assert_says, says


def told(frame: Frame, query: int | None = 0) -> dict[str, list[str]]:
    """Give the captions of a film, by the part of the computation."""
    script = script_of(frame, query)
    found: dict[str, list[str]] = {}
    for step in map(script.step, range(len(script))):
        found.setdefault(step.part, []).append(caption(frame, step))
    return found


def heard(query: int | None = 0, **fields: object) -> dict[str, list[str]]:
    return told(compute(cat_dog_phone(**fields)), query)


def row_of_scores(*scores: float, **fields: object) -> Frame:
    """One query of 1 meets keys that are the scores, d_k = 1; the values are 1, 2, 3, and so on."""
    context = TokenSequence(tuple("abcdefgh"[: len(scores)]), np.array(scores)[:, np.newaxis])
    return compute(State(TokenSequence(("q",), [[1.0]]), context=context, **fields))


def visible(*flags: int) -> np.ndarray:
    return np.array([flags], dtype=bool)


# -- how vectors are made


def test_biases_are_added() -> None:
    said = heard(b_q=[0.5, 0.0], b_k=[0.0, 1.0], b_v=[1.0, 1.0])
    assert said["query"] == ["q_cat = x_cat · W_Q + b_Q = (1.5, 0.5): what “cat” looks for."]
    assert said["key"][1] == "k_dog = x_dog · W_K + b_K = (0.8, 1.6): how “dog” can be found."
    assert said["value"][2] == "v_phone = x_phone · W_V + b_V = (0.5, 2.0): what “phone” hands over."


def test_only_the_written_bias_is_named() -> None:
    said = heard(b_k=[0.0, 1.0])
    assert said["query"] == ["q_cat = x_cat · W_Q = (1.0, 0.5): what “cat” looks for."]


def test_positions_are_added_to_embeddings_first() -> None:
    # position 1: sin 1 = 0.841, cos 1 = 0.540
    said = heard(positions="sinusoidal")
    assert said["key"][1] == "x_dog + p = (1.641, 1.14), and k_dog = (x_dog + p) · W_K = (1.641, 1.14): " + (
        "how “dog” can be found."
    )


def test_rotary_says_by_which_position_a_key_is_turned() -> None:
    # 0.8 cos 1 − 0.6 sin 1 = −0.073, 0.8 sin 1 + 0.6 cos 1 = 0.997
    said = heard(positions="rotary")
    assert said["key"][1] == (
        "k_dog = x_dog · W_K = (0.8, 0.6), turned by position 1 to (-0.073, 0.997): how “dog” can be found."
    )
    assert "turned" not in said["value"][1]
    assert says(said["dot"][3], 0.426, 3)  # 1.0 · (−0.073) + 0.5 · 0.997


def test_shifted_position_is_the_one_that_turns() -> None:
    assert "turned by position 4 to" in heard(positions="rotary", shift=3)["key"][1]


def test_tied_key_is_made_by_w_q() -> None:
    w_q = np.array([[2.0, 0.0], [0.0, 3.0]])
    assert heard(is_tied=True, w_q=w_q)["key"][0] == (
        "k_cat = x_cat · W_Q = (2.0, 1.5): how “cat” can be found; W_K is tied to W_Q."
    )


def test_head_is_named_with_its_columns() -> None:
    frame = compute(cat_dog_phone(n_heads=2, d_k=1)).at_head(1)
    said = told(frame)
    assert said["query"] == ["Head 2 of 2: q_cat = x_cat · W_Q[2] = (0.5): what “cat” looks for."]
    assert said["value"][2] == "Head 2 of 2: v_phone = x_phone · W_V[2] = (1.0): what “phone” hands over."


def test_shared_key_head_is_named() -> None:
    frame = compute(random_state(3, 4, n_heads=4, n_kv_heads=2, d_k=1)).at_head(3)
    said = told(frame)
    assert said["key"][0].startswith("Head 4 of 4, which reads key/value head 2 of 2: k_t0 = x_t0 · W_K[2] = ")
    assert said["query"][0].startswith("Head 4 of 4: q_t0 = x_t0 · W_Q[4] = ")


def test_rows_at_once_say_all_that_makes_them() -> None:
    said = told(compute(random_state(40, 2, positions="sinusoidal", b_q=[1.0, 1.0])), None)
    assert said["query"][0] == "The embeddings plus positions of “t0” to “t4” times W_Q plus b_Q make 5 queries."
    turned = told(compute(random_state(40, 2, positions="rotary")), None)
    assert turned["key"][0] == "The embeddings of “t0” to “t4” times W_K make 5 keys, turned by their positions."


def test_pinned_query_says_what_makes_the_rest() -> None:
    state = cat_dog_phone(positions="rotary", b_q=[0.5, 0.0])
    said = told(compute(edits.pin_number(state, NumberRef("q", (1, 0)), 2.0)), 1)
    assert said["query"][0].endswith("entry 1 is pinned, the rest is x_dog · W_Q + b_Q, turned by position 1.")


# -- soft cap, bias and mask


def test_soft_cap_bends_the_scores() -> None:
    # tanh 0.884 = 0.708, tanh 0.778 = 0.651
    assert heard(soft_cap=1.0)["mask"] == [
        "The soft cap 1.0 · tanh(z ÷ 1.0) makes (0.708, 0.651, 0.000), then no key is hidden from “cat”."
    ]


def test_linear_bias_has_the_slope_of_its_head() -> None:
    # slopes of two heads: 2^-4 and 2^-8
    frame = compute(cat_dog_phone(n_heads=2, d_k=1, positions="alibi"))
    assert told(frame)["mask"] == [
        "ALiBi adds -0.062 · distance: (0.000, -0.062, -0.125), then no key is hidden from “cat”."
    ]
    assert "-0.004 · distance" in told(frame.at_head(1))["mask"][0]


def test_learned_bias_names_its_buckets() -> None:
    said = heard(positions="relative", n_buckets=4, max_distance=8, bucket_table=[[0.5, -1.0, 0.25, 2.0]], query=2)
    assert said["mask"] == [
        "The biases of the buckets 1, 1, 0 are added: (-1.000, -1.000, 0.500), then no key is hidden from “phone”."
    ]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"mask": "window", "window": 2}, "The window of 2 hides “phone” from “cat”: 1 of 3 keys leaves"),
        ({"mask": "causal_window", "window": 2}, "The causal window of 2 hides “dog” and “phone” from “cat”: 2 of 3"),
        ({"mask": "prefix", "prefix": 2}, "The prefix mask of 2 hides “phone” from “cat”: 1 of 3 keys leaves"),
        ({"mask": "block", "block": 2}, "The mask of blocks of 2 hides “phone” from “cat”: 1 of 3 keys leaves"),
        ({"mask": "custom", "visible": ~np.eye(3, dtype=bool)}, "The painted mask hides “cat” from “cat”: 1 of 3"),
        ({"padding": [False, False, True]}, "Padding hides “phone” from every query: 1 of 3 keys leaves"),
        (
            {"mask": "causal", "padding": [False, False, True]},
            "The mask hides “dog” from “cat” and padding hides “phone” from every query: 2 of 3 keys leave",
        ),
        (
            {"mask": "causal", "padding": [True, False, False]},
            "The mask and padding hide every key from “cat”: nothing is left to read.",
        ),
    ],
)
def test_mask_says_which_rule_hides_which_key(settings: dict[str, object], sentence: str) -> None:
    assert heard(**settings)["mask"][0].startswith(sentence)


def test_padding_hides_its_key_from_all_queries() -> None:
    said = heard(None, padding=[False, True, False])
    assert [sentence.startswith("Padding hides “dog” from every query") for sentence in said["mask"]] == [True] * 3


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("before", "2 of 3 keys leave before the softmax."),
        ("add_large_negative", "2 of 3 keys get −1,000,000,000 added to their score."),
        ("fill_large_negative", "2 of 3 keys get −1,000,000,000 as their score."),
        ("multiply_zero", "2 of 3 keys get their score times 0, and e^0 = 1 still takes a share."),
        ("after", "2 of 3 keys lose their weight only after the softmax."),
        ("after_renormalised", "2 of 3 keys lose their weight only after the softmax, and the rest is divided by"),
    ],
)
def test_masking_method_is_said(method: str, words: str) -> None:
    assert words in heard(mask="causal", masking=method)["mask"][0]
    assert "from “dog”: 1 of 3 keys " in heard(1, mask="causal", masking=method)["mask"][0]


def test_many_rows_count_their_hidden_cells() -> None:
    said = told(compute(random_state(200, 2, mask="window", window=1, masking="after")), None)
    assert said["mask"][0] == (
        "Window of 1 for “t0” to “t3”: 796 of 800 cells lose their weight only after the softmax."
    )


# -- the softmax


def test_mask_after_the_softmax_leaves_less_than_one() -> None:
    # [2, 1, 0] with the third banned: .665241, .244728, and .090031 is taken away
    frame = row_of_scores(2, 1, 0, mask="custom", visible=visible(1, 1, 0), masking="after")
    said = told(frame)
    assert_says(said["divide"], [0.665, 0.245, 0.090], 3)
    assert said["divide"][2] == "0.135 ÷ 1.503 = 0.090, but the mask sets the weight of “c” to 0 after the softmax."
    assert "only after the softmax" in said["exponentiate"][2]
    assert said["mix"][2] == "“c” is masked: its weight is 0 and its value adds nothing."
    assert frame.trace.weights.sum() == pytest.approx(0.909969, abs=5e-7)


def test_mask_after_the_softmax_is_made_good_by_dividing_again() -> None:
    frame = row_of_scores(2, 1, 0, mask="custom", visible=visible(1, 1, 0), masking="after_renormalised")
    said = told(frame)
    assert said["divide"][0] == (
        "1 ÷ 1.503 = 0.665, and ÷ 0.910, the part the mask left, = 0.731: 73.1 % of the attention of “q” goes to “a”."
    )
    assert says(said["divide"][1], 0.269, 3)


def test_score_times_0_lets_the_banned_key_win() -> None:
    # [-1, -2, -3] times [1, 1, 0]: the banned key gets .665241
    said = told(row_of_scores(-1, -2, -3, mask="custom", visible=visible(1, 1, 0), masking="multiply_zero"))
    assert said["exponentiate"][2] == (
        "e^(0.000 − 0.000) = 1 for “c”: its score was multiplied by 0, and it still takes a share."
    )
    assert says(said["divide"][2], 0.665, 3)


def test_scores_times_0_take_a_share_each() -> None:
    scores = (0.43, -0.21, 0.99, 7.0, 8.0, 9.0)
    frame = row_of_scores(*scores, mask="custom", visible=visible(1, 1, 1, 0, 0, 0), masking="multiply_zero")
    assert_says(told(frame)["divide"][3:], [0.124, 0.124, 0.124], 3)


@pytest.mark.parametrize(
    ("method", "weights"),
    [("add_large_negative", [0.844, 0.114, 0.042]), ("fill_large_negative", [0.333, 0.333, 0.333])],
)
def test_row_of_large_negatives_is_not_masked_at_all(method: str, weights: list[float]) -> None:
    said = told(row_of_scores(3, 1, 0, mask="custom", visible=visible(0, 0, 0), masking=method))
    assert_says(said["divide"], weights, 3)
    assert "sees no key" not in " ".join(said["subtract"] + said["sum"] + said["mix"] + said["arrive"])


def test_plus_one_takes_a_share_of_its_own() -> None:
    # [2, 1, 0]: .610296, .224515, .0825945; without the subtraction e² + e + 1 + 1 = 12.11
    said = told(row_of_scores(2, 1, 0, softmax="plus_one"))
    assert_says(said["divide"], [0.610, 0.225, 0.083], 3)
    assert said["sum"] == [
        "1 + 0.368 + 0.135 + 0.135 (plus one) = 1.639: one budget for all keys and plus one"
        " (without the subtraction 7.39 + 2.72 + 1.00 + 1.00 = 12.11)."
    ]


def test_plus_one_is_the_maximum_where_all_scores_are_low() -> None:
    said = told(row_of_scores(-5, -5, -5, softmax="plus_one"))
    assert said["subtract"] == [
        "The largest logit of “q” is 0.000, that of plus one; subtracted from each it leaves (-5.000, -5.000, -5.000)."
    ]
    assert said["sum"][0].startswith("0.007 + 0.007 + 0.007 + 1 (plus one) = 1.020: ")


def test_sink_takes_what_the_keys_do_not_get() -> None:
    # e^0.884 + e^0.778 + 1 + e² = 2.42 + 2.18 + 1.00 + 7.39 = 12.99
    frame = compute(cat_dog_phone(has_sink=True, sinks=[2.0]))
    said = told(frame)
    assert (
        "one budget for all keys and the sink (without the subtraction 2.42 + 2.18 + 1.00 + 7.39 = 12.99)"
        in (said["sum"][0])
    )
    bars = next(one.bars for one in pictures_of(frame) if one.bars is not None and one.step.part == "divide")
    [(_, share)] = bars.rest
    assert share == pytest.approx(7.389 / 12.99, abs=5e-4)
    assert share + bars.shares.sum() == pytest.approx(1.0)


def test_row_that_sees_only_the_sink_gives_it_everything() -> None:
    said = told(row_of_scores(2, 1, mask="custom", visible=visible(0, 0), has_sink=True, sinks=[1.5]))
    assert said["subtract"] == ["“q” sees no key: the largest logit is 1.500, that of the sink."]
    assert said["sum"] == ["“q” sees no key: the sum is 1.000, that of the sink alone."]


def test_columns_are_budgets_of_the_keys() -> None:
    # S = [[2,0,0],[2,1,0],[2,0,1]]: first column 1/3 each, second 1/(e+2) = .211942 and e/(e+2) = .576117
    s = np.array([[2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [2.0, 0.0, 1.0]])
    sequence, context = TokenSequence(("p", "q", "r"), np.eye(3)), TokenSequence(("a", "b", "c"), s.T)
    frame = compute(State(sequence, context=context, scale="none", softmax="columns"))
    said = told(frame, 1)
    assert_says(said["divide"], [0.333, 0.576, 0.212], 3)
    assert said["divide"][1] == "1 ÷ 1.736 = 0.576: 57.6 % of the budget of the key “b” goes to “q”."
    assert said["subtract"] == [
        "The largest score of each key's column is subtracted, (2.000, 1.000, 1.000);"
        " that leaves (0.000, 0.000, -1.000) for “q”."
    ]
    assert said["sum"] == [
        "Each key's column adds up on its own, over all queries: (3.000, 1.736, 1.736), a budget for each key."
    ]


def test_dropout_drops_or_divides() -> None:
    # shares .5, .3, .2 at a rate of .2: what is kept becomes .625, .375, .25
    frame = row_of_scores(*np.log([0.5, 0.3, 0.2]), dropout=0.2, dropout_seed=3)
    keep = frame.trace.options.keep
    assert keep is not None
    assert 0 < keep.sum() < 3
    said = told(frame)
    for key, (token, made) in enumerate(zip("abc", ("0.625", "0.375", "0.250"), strict=True)):
        if keep[0, key]:
            assert said["divide"][key].endswith(f"kept by dropout and ÷ (1 − 0.2) = {made}: the weight of “{token}”.")
        else:
            assert said["divide"][key].endswith(f"but dropout drops it: the weight of “{token}” is 0.")
            assert said["mix"][key] == f"“{token}” is dropped: its weight is 0 and its value adds nothing."


def test_pinned_weight_under_dropout_says_what_it_would_be() -> None:
    frame = row_of_scores(*np.log([0.5, 0.3, 0.2]), dropout=0.2, dropout_seed=3)
    keep = frame.trace.options.keep
    assert keep is not None
    key = int(np.flatnonzero(keep[0])[0])
    pinned = compute(edits.pin_number(frame.state, NumberRef("weight", (0, key)), 0.9))
    assert f"would be {('0.625', '0.375', '0.250')[key]}, but" in told(pinned)["divide"][key]


# -- the heading of the card


@pytest.mark.parametrize(
    ("settings", "stage", "symbols"),
    [
        ({}, "project", "q = x·W_Q, k = x·W_K, v = x·W_V"),
        ({"b_k": [0.0, 1.0]}, "project", "q = x·W_Q, k = x·W_K + b_K, v = x·W_V"),
        ({"positions": "sinusoidal"}, "project", "q = (x + p)·W_Q, k = (x + p)·W_K, v = (x + p)·W_V"),
        ({"positions": "rotary"}, "project", "q = x·W_Q, k = x·W_K, v = x·W_V; q and k turned"),
        ({"is_tied": True}, "project", "q = x·W_Q, k = x·W_Q, v = x·W_V"),
        ({}, "mask", "banned keys leave"),
        ({"soft_cap": 2.0, "positions": "alibi"}, "mask", "soft cap, ALiBi"),
        ({"mask": "causal", "masking": "multiply_zero"}, "mask", "banned keys × 0"),
        ({}, "softmax", "weight = e^(s − max) ÷ sum"),
        ({"softmax": "columns"}, "softmax", "weight = e^(s − column max) ÷ column sum"),
        ({"softmax": "plus_one", "has_sink": True}, "softmax", "weight = e^s ÷ (sum of e^s + 1 + e^sink)"),
        ({"mask": "causal", "masking": "after"}, "softmax", "weight = e^(s − max) ÷ sum, then 0 where banned"),
        ({"dropout": 0.5}, "softmax", "weight = e^(s − max) ÷ sum, dropout"),
    ],
)
def test_heading_says_what_the_stage_computes(settings: dict[str, object], stage: str, symbols: str) -> None:
    shown = [one for one in pictures_of(compute(cat_dog_phone(**settings))) if one.step.stage == stage]
    assert {one.symbols for one in shown} == {symbols}


def test_heading_names_the_head_until_the_heads_come_together() -> None:
    titles = [one.title for one in pictures_of(compute(cat_dog_phone(n_heads=2, d_k=1)).at_head(1))]
    assert titles[0] == "1 Project, head 2 of 2"
    assert titles[-1] == "7 Concatenate"
    assert pictures_of(compute(cat_dog_phone()))[0].title == "1 Project"


def pictures_of(frame: Frame, query: int | None = 0) -> list:
    script = script_of(frame, query)
    return [picture(frame, script.step(index)) for index in range(len(script))]
