"""The heads come together: concatenation and W_O as stages, each contribution by hand, and the end is the layer."""

import re

import numpy as np
import pytest

from attnviz.document import edits
from attnviz.document.errors import DocumentError
from attnviz.document.frame import Frame, compute
from attnviz.document.number_ref import NumberRef
from attnviz.film import LAYER_PARTS, PARTS, Block, FilmPicture, Script, caption, picture, script_of
from attnviz.film.links import origin_in
from tests.document.layers import random_layer
from tests.document.states import cat_dog_phone, random_state

STAGES = {"score": "scores", "scaled": "scaled", "masked": "masked", "exp": "exponentials", "weight": "weights"}
W_O = np.array([[1.0, 2.0], [0.0, -1.0]])
SEEDS = range(30)


def two_heads(**fields: object) -> Frame:
    """Head 1 blends the first channel to 0.756 for cat, head 2 the second one to 0.724."""
    return compute(cat_dog_phone(n_heads=2, d_k=1, **fields))


def pictures(frame: Frame, query: int | None) -> list[FilmPicture]:
    script = script_of(frame, query)
    return [picture(frame, script.step(index)) for index in range(len(script))]


def of_part(frame: Frame, query: int | None, part: str) -> list[FilmPicture]:
    return [one for one in pictures(frame, query) if one.step.part == part]


def by_name(shown: FilmPicture) -> dict[str, Block]:
    return {block.name.partition("_")[0].lower(): block for block in shown.gathered}


# -- the script


def test_one_head_without_w_o_has_six_stages() -> None:
    plain, same = Script(3, 3, 2, 0), Script(3, 3, 2, 0, 1, has_w_o=False)
    assert len(plain.chapters) == 6
    assert [plain.step(i) for i in range(len(plain))] == [same.step(i) for i in range(len(same))]
    assert len(plain.step(0).reaches) == len(PARTS)


@pytest.mark.parametrize("query", [None, 1])
def test_heads_and_w_o_add_a_step_a_head_and_the_end(query: int | None) -> None:
    plain = len(Script(3, 3, 2, query))
    assert len(Script(3, 3, 2, query, 4)) == plain + 4
    assert len(Script(3, 3, 2, query, 1, has_w_o=True)) == plain + 2
    both = Script(3, 3, 2, query, 4, has_w_o=True)
    assert len(both) == plain + 4 + 4 + 1
    assert [(c.stage, c.title) for c in both.chapters[6:]] == [("concatenate", "Concatenate"), ("combine", "W_O")]
    found = [(step.part, step.heads) for step in map(both.step, range(plain, len(both)))]
    assert found == [
        *[("join", range(head, head + 1)) for head in range(4)],
        *[("contribute", range(head, head + 1)) for head in range(4)],
        ("complete", range(4)),
    ]


def test_number_of_a_stage_is_its_place_in_the_film() -> None:
    script = Script(3, 3, 2, 0, 1, has_w_o=True)
    assert [script.step(chapter.start).number for chapter in script.chapters] == [1, 2, 3, 4, 5, 6, 7]
    assert script.step(len(script) - 1).stage == "combine"


@pytest.mark.parametrize("query", [None, 1])
@pytest.mark.parametrize(("n_heads", "has_w_o"), [(2, False), (1, True), (16, True)])
def test_heads_are_known_one_by_one(query: int | None, n_heads: int, has_w_o: bool) -> None:
    script = Script(5, 7, 2, query, n_heads, has_w_o=has_w_o)
    n_rows = 5 if query is None else 1
    known = dict.fromkeys(LAYER_PARTS, 0)
    for step in map(script.step, range(len(script))):
        assert script.same_place(step) == step.index
        assert script.chapter_at(step.index) + 1 == step.number
        for part in LAYER_PARTS:
            reach = step.reach(part)
            assert reach.columns * reach.below >= known[part]
            known[part] = reach.columns * reach.below
            if step.part == part and part != "complete":
                assert reach.columns == step.heads.stop
    assert known == {
        "join": n_rows * n_heads if n_heads > 1 else 0,
        "contribute": n_rows * n_heads if has_w_o else 0,
        "complete": n_rows if has_w_o else 0,
    }


def test_place_is_kept_where_heads_come_or_go() -> None:
    four, two = Script(3, 3, 2, 0, 4, has_w_o=True), Script(3, 3, 2, 0, 2, has_w_o=True)
    last = four.step(len(four) - 2)
    moved = two.step(two.same_place(last))
    assert (last.part, last.heads, moved.part, moved.heads) == ("contribute", range(3, 4), "contribute", range(1, 2))
    plain = Script(3, 3, 2, 0)
    assert plain.step(plain.same_place(last)).part == "arrive"
    assert plain.same_place(last) == len(plain) - 1


@pytest.mark.parametrize("query", [None, 0])
def test_films_of_sixteen_heads_stay_short(query: int | None) -> None:
    assert max(len(Script(n, n, 8, query, 16, has_w_o=True)) for n in (1, 3, 16, 200, 1000)) < 1000


# -- what is said


def test_concatenation_names_the_part_of_each_head() -> None:
    said = [one.caption for one in of_part(two_heads(), 0, "join")]
    assert said == [
        "Head 1 of 2: y_cat = (0.756) fills channel 1 of 2.",
        "Head 2 of 2: y_cat = (0.724) fills channel 2 of 2; all heads side by side are the output of the layer.",
    ]


def test_w_o_adds_up_what_each_head_contributes() -> None:
    # 0.756 · (1, 2) = (0.756, 1.512); 0.724 · (0, −1) = (0, −0.724); plus (0.5, 0)
    frame = two_heads(w_o=W_O, b_o=[0.5, 0.0])
    said = [one.caption for part in ("contribute", "complete") for one in of_part(frame, 0, part)]
    assert said == [
        "Head 1 of 2: y_cat · W_O[1] = (0.756) · W_O[1] = (0.756, 1.512).",
        "Head 2 of 2: y_cat · W_O[2] = (0.724) · W_O[2] = (0.000, -0.724), which brings the sum to (0.756, 0.788).",
        "The output of the layer for “cat” is the sum of the 2 heads plus b_O = (0.5, 0.0): (1.256, 0.788).",
    ]


def test_one_head_with_w_o_is_not_called_a_head() -> None:
    # y_cat = (0.654, 0.628) is the scene's; times W_O (0.654, 1.308 − 0.628)
    frame = compute(cat_dog_phone(w_o=W_O))
    shown = pictures(frame, 0)
    assert shown[-2].title == "7 W_O"
    assert shown[-2].caption == "y_cat · W_O = (0.654, 0.628) · W_O = (0.654, 0.680)."
    assert shown[-1].caption == "The output of the layer for “cat” is what W_O made: (0.654, 0.680)."


def test_all_rows_come_together_at_once() -> None:
    frame = two_heads(w_o=W_O)
    said = [one.caption for part in LAYER_PARTS for one in of_part(frame, None, part)]
    assert said[0] == "Head 1 of 2: its outputs of “cat” to “phone” fill channel 1 of 2."
    assert said[2] == (
        "Head 1 of 2: its outputs of “cat” to “phone” times W_O[1] are what it adds to the layer's outputs."
    )
    assert said[4] == "The sum of the 2 heads is the output of the layer for “cat” to “phone”."


def test_output_of_the_layer_says_that_a_pin_of_another_head_is_behind_it() -> None:
    state = cat_dog_phone(n_heads=2, d_k=1, w_o=W_O)
    frame = compute(edits.pin_number(state, NumberRef("score", (0, 1)), 3.0, 1))
    assert [one.caption.endswith(", after pinned numbers.") for one in of_part(frame, 0, "join")] == [False, True]
    assert of_part(frame, 0, "complete")[0].caption.endswith(", after pinned numbers.")
    assert "pinned" not in of_part(frame, 2, "complete")[0].caption


# -- what is drawn


@pytest.mark.parametrize("query", [None, 1])
def test_heads_stand_side_by_side_as_far_as_they_are_joined(query: int | None) -> None:
    frame = compute(random_state(3, 6, n_heads=3, d_k=2, w_o=np.eye(6)[:, :5]))
    rows = slice(None) if query is None else slice(query, query + 1)
    for count, shown in enumerate(of_part(frame, query, "join"), start=1):
        block = by_name(shown)["heads"]
        np.testing.assert_array_equal(block.numbers, frame.layer.concatenated[rows])
        assert block.known.sum(axis=1).tolist() == [2 * count] * len(block.numbers)
        assert block.lit is not None
        assert block.lit.columns == range(2 * count - 2, 2 * count)


@pytest.mark.parametrize("query", [None, 1])
def test_contributions_add_up_to_the_output(query: int | None) -> None:
    frame = compute(random_state(3, 6, n_heads=3, d_k=2, w_o=np.eye(6)[:, :5] * 2.0, b_o=np.arange(5.0)))
    rows = slice(None) if query is None else slice(query, query + 1)
    so_far = np.zeros_like(frame.layer_output[rows])
    for head, shown in enumerate(of_part(frame, query, "contribute")):
        y, sign, weights, equals, made = shown.equation
        assert (sign, equals) == ("·", "=")
        assert isinstance(y, Block)
        assert isinstance(weights, Block)
        assert isinstance(made, Block)
        np.testing.assert_array_equal(y.numbers, frame.at_head(head).output[rows])
        np.testing.assert_allclose(y.numbers @ weights.numbers, made.numbers, atol=1e-14)
        so_far = so_far + made.numbers
        np.testing.assert_allclose(by_name(shown)["out"].numbers, so_far, atol=1e-14)
    [last] = of_part(frame, query, "complete")
    np.testing.assert_allclose(so_far + np.arange(5.0), by_name(last)["out"].numbers, atol=1e-14)
    np.testing.assert_array_equal(by_name(last)["out"].numbers, frame.layer_output[rows])


def test_many_heads_are_shown_one_at_a_time() -> None:
    frame = compute(random_state(3, 16, n_heads=8, d_k=2, w_o=np.eye(16)))
    assert [len(one.equation) for one in of_part(frame, 0, "join")] == [1] * 8
    [last] = of_part(frame, None, "complete")
    assert [part if isinstance(part, str) else part.name for part in last.equation] == ["Sum", "=", "Out"]


def test_contributions_of_one_query_stand_one_under_the_other() -> None:
    frame = compute(random_state(3, 16, n_heads=8, d_k=2, w_o=np.eye(16), b_o=np.ones(16)))
    [last] = of_part(frame, 1, "complete")
    assert [block.name for block in last.terms] == [
        *[f"head {head}: share_t1" for head in range(1, 9)],
        "b_O",
        "out_t1",
    ]
    summed = np.sum([block.numbers for block in last.terms[:-1]], axis=0)
    np.testing.assert_allclose(summed, last.terms[-1].numbers, atol=1e-14)


def test_output_of_the_shown_head_can_be_asked_where_it_comes_from() -> None:
    frame = two_heads().at_head(1)
    origins = [block.origin for block in of_part(frame, 0, "join")[0].equation if isinstance(block, Block)]
    assert [origin is not None for origin in origins] == [False, True]


def test_rotary_is_an_equation_of_its_own() -> None:
    frame = compute(cat_dog_phone(positions="rotary", b_k=[0.1, 0.2]))
    shown = of_part(frame, 0, "key")[1]
    x, _, weights, _, bias, _, plain = shown.equation
    before, sign, made = shown.then
    assert sign == "turned by position 1 ="
    for block in (x, weights, bias, plain, before, made):
        assert isinstance(block, Block)
    np.testing.assert_allclose(x.numbers @ weights.numbers + bias.numbers, plain.numbers, atol=1e-15)
    np.testing.assert_array_equal(plain.numbers, before.numbers)
    turn = np.array([[np.cos(1.0), np.sin(1.0)], [-np.sin(1.0), np.cos(1.0)]])
    np.testing.assert_allclose(plain.numbers @ turn, made.numbers, atol=1e-15)
    np.testing.assert_array_equal(made.numbers, frame.k[1:2])


@pytest.mark.parametrize("part", ["query", "key", "value"])
def test_every_head_is_projected_by_its_own_columns_and_turned(part: str) -> None:
    frame = compute(random_state(3, 8, n_heads=4, n_kv_heads=2, positions="rotary", b_q=np.arange(8.0))).at_head(3)
    for shown in of_part(frame, 1, part):
        assert_is_product(shown.equation)
    made = {"query": frame.q[1:2], "key": frame.k[2:], "value": frame.v[2:]}[part]
    result = (shown.then or shown.equation)[-1]
    assert isinstance(result, Block)
    np.testing.assert_array_equal(result.numbers, made)


def test_embeddings_with_positions_are_drawn_as_their_sum() -> None:
    frame = compute(cat_dog_phone(positions="sinusoidal"))
    x, _, weights, _, made = of_part(frame, 0, "key")[1].equation
    assert isinstance(x, Block)
    assert x.name == "x_dog + p"
    assert x.origin == origin_in("input", 1)
    np.testing.assert_allclose(x.numbers, [[0.8 + np.sin(1.0), 0.6 + np.cos(1.0)]], atol=1e-15)
    whole = of_part(compute(random_state(40, 2, positions="sinusoidal")), None, "query")[0].equation[0]
    assert isinstance(whole, Block)
    assert whole.name == "X + P[1–5]"
    assert isinstance(made, Block)
    assert isinstance(weights, Block)


def test_banned_cells_are_hatched_from_where_the_mask_acts() -> None:
    stages = {"before": {"masked", "exp", "weight"}, "after": {"weight"}, "multiply_zero": set()}
    for method, hatched in stages.items():
        last = pictures(compute(cat_dog_phone(mask="causal", masking=method)), 0)[-1]
        assert {name for name, block in by_name(last).items() if block.banned is not None} == hatched


def test_bar_of_a_weight_larger_than_1_stays_in_the_chart() -> None:
    frame = compute(cat_dog_phone(mask="causal", dropout=0.5, dropout_seed=1))
    bars = [one.bars for one in pictures(frame, 0) if one.bars is not None]
    assert {one.peak for one in bars} == {max(1.0, float(frame.trace.weights[0].max()))}


def test_large_negative_scores_do_not_flatten_the_others() -> None:
    frame = compute(cat_dog_phone(mask="causal", masking="fill_large_negative"))
    levels = of_part(frame, 0, "mask")[0].levels
    assert levels is not None
    assert levels.numbers.tolist()[1:] == [-1e9, -1e9]
    assert levels.heights is not None
    assert levels.heights.min() == -2.0


def test_colours_of_weights_reach_beyond_1_under_dropout() -> None:
    frame = compute(cat_dog_phone(mask="causal", dropout=0.5, dropout_seed=1))
    largest = float(frame.trace.weights.max())
    assert largest > 1.0
    assert by_name(pictures(frame, None)[-1])["weight"].limit == largest


def test_sentences_of_several_heads_get_more_room() -> None:
    assert pictures(two_heads(), 0)[0].is_wordy
    assert not pictures(compute(cat_dog_phone()), 0)[0].is_wordy


# -- every setting at once


@pytest.mark.parametrize("seed", SEEDS)
def test_last_frame_is_the_trace_under_every_setting(seed: int) -> None:
    state = random_layer(seed, with_pins=True)
    try:
        first = compute(state)
    except DocumentError:
        return
    for frame in {0: first, first.n_heads - 1: first.at_head(first.n_heads - 1)}.values():
        assert_film_is_the_trace(frame, frame.n_query - 1)
        assert_film_is_the_trace(frame, None)


def assert_film_is_the_trace(frame: Frame, query: int | None) -> None:
    script = script_of(frame, query)
    rows = slice(None) if query is None else slice(query, query + 1)
    last_of = {script.step(index).part: index for index in range(len(script))}
    for index in range(len(script)):
        sentence = caption(frame, script.step(index))
        assert sentence.endswith(".")
        assert "\n" not in sentence
        assert not re.search(r"nan|(?<![A-Za-z])inf(?![a-z])|None|\.\.", sentence), sentence
        assert len(sentence) < 320, sentence
    if not frame.pins:
        for part in ("query", "key", "value"):
            assert_is_product(picture(frame, script.step(last_of[part])).equation)
    made = by_name(picture(frame, script.step(last_of["arrive"])))
    for name in STAGES if query is not None else ("weight",):
        assert made[name].known.all()
        np.testing.assert_array_equal(made[name].numbers, getattr(frame.trace, STAGES[name])[rows])
    np.testing.assert_array_equal(made["y"].numbers, frame.output[rows])
    final = by_name(picture(frame, script.step(len(script) - 1)))
    name = "out" if frame.state.w_o is not None else "heads" if frame.n_heads > 1 else "y"
    assert final[name].known.all()
    np.testing.assert_array_equal(final[name].numbers, frame.layer_output[rows])


def assert_is_product(equation: tuple[Block | str, ...]) -> None:
    """The last block is the product of the first two, plus the bias if there is one."""
    first, matrix, *bias, result = [block for block in equation if isinstance(block, Block)]
    product = first.numbers @ matrix.numbers + sum(block.numbers for block in bias)
    np.testing.assert_allclose(product, result.numbers, atol=1e-12)
