"""The pictures: every number is the engine's, what is not made yet is not known, and the last frame is the trace."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from attnviz.document import edits
from attnviz.document.frame import Frame, compute
from attnviz.document.presets import load_preset, preset_names
from attnviz.document.projection import key_matrix, query_matrix
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.film import Block, FilmPicture, Script, picture

SCENES = [name for name in preset_names() if name[1] in "123456"]
STAGES = {"score": "scores", "scaled": "scaled", "masked": "masked", "exp": "exponentials", "weight": "weights"}


def frames() -> Iterator[Frame]:
    for name, is_causal in product(SCENES, (False, True)):
        yield compute(edits.set_scalar(load_preset(name), "causal", is_causal))


def script_of(frame: Frame, query: int | None) -> Script:
    return Script(frame.n_query, frame.n_key, frame.state.d_k, query)


def pictures(frame: Frame, query: int | None) -> list[FilmPicture]:
    script = script_of(frame, query)
    return [picture(frame, script.step(i)) for i in range(len(script))]


def random_frame(n: int, mask: str = "none") -> Frame:
    embeddings = np.random.default_rng(5).normal(size=(n, 7))
    return compute(State(TokenSequence(tuple(f"t{i}" for i in range(n)), embeddings), mask=mask))


def by_name(shown: FilmPicture) -> dict[str, Block]:
    return {block.name.partition("_")[0]: block for block in shown.gathered}


@pytest.mark.parametrize("frame", list(frames()), ids=lambda f: f"{f.state.title} {f.state.is_causal}")
def test_last_frame_of_every_query_is_the_trace_exactly(frame):
    for query in range(frame.n_query):
        last = by_name(pictures(frame, query)[-1])
        for name, stage in STAGES.items():
            assert last[name].known.all()
            np.testing.assert_array_equal(last[name].numbers, getattr(frame.trace, stage)[query : query + 1])
        assert last["y"].known.all()
        np.testing.assert_array_equal(last["y"].numbers, frame.trace.output[query : query + 1])


@pytest.mark.parametrize("frame", list(frames()), ids=lambda f: f"{f.state.title} {f.state.is_causal}")
def test_film_of_all_rows_ends_each_stage_with_the_trace_exactly(frame):
    shown = pictures(frame, None)
    script = script_of(frame, None)
    ends = {chapter.stage: shown[chapter.stop - 1] for chapter in script.chapters}
    for stage, name in (("score", "score"), ("scale", "scaled"), ("mask", "masked"), ("softmax", "weight")):
        block = by_name(ends[stage])[name]
        assert block.known.all()
        np.testing.assert_array_equal(block.numbers, getattr(frame.trace, STAGES[name]))
    last = by_name(shown[-1])
    np.testing.assert_array_equal(last["weight"].numbers, frame.trace.weights)
    outputs = last["Y" if frame.n_query > 1 else "y"]
    np.testing.assert_array_equal(outputs.numbers, frame.trace.output)
    assert outputs.known.all()


@pytest.mark.parametrize("query", [None, 0])
def test_last_frame_of_a_large_document_is_the_trace(query):
    frame = random_frame(200)
    script = script_of(frame, query)
    last = by_name(picture(frame, script.step(len(script) - 1)))
    rows = slice(None) if query is None else slice(0, 1)
    np.testing.assert_allclose(last["weight"].numbers, frame.trace.weights[rows], rtol=1e-12)
    np.testing.assert_array_equal(last["Y" if query is None else "y"].numbers, frame.output[rows])


def test_projection_shows_embedding_matrix_and_result():
    frame = random_frame(3)
    state = frame.state
    matrices = {"query": query_matrix(state), "key": key_matrix(state), "value": state.w_v}
    for shown in pictures(frame, None)[:9]:
        x, sign, matrix, equals, made = shown.equation
        assert (sign, equals) == ("·", "=")
        assert isinstance(x, Block)
        assert isinstance(matrix, Block)
        assert isinstance(made, Block)
        np.testing.assert_array_equal(matrix.numbers, matrices[shown.step.part])
        np.testing.assert_allclose(x.numbers @ matrix.numbers, made.numbers, rtol=1e-13, atol=1e-15)


def test_names_say_shape():
    first = pictures(compute(load_preset("s1")), 0)[0]
    assert [block.title for block in first.equation if isinstance(block, Block)] == [
        "x_cat (1 × 2)",
        "W_Q (2 × 2)",
        "q_cat (1 × 2)",
    ]
    assert [block.title for block in first.gathered] == ["q_cat (1 × 2)", "K (3 × 2)", "V (3 × 2)"]


def test_products_add_up_to_the_score_term_by_term():
    frame = compute(load_preset("s5"))
    for shown in pictures(frame, 0):
        if shown.step.part == "dot":
            q, k, products = shown.terms
            np.testing.assert_array_equal(products.numbers, q.numbers * k.numbers)
            n_known = shown.step.term + 1
            assert products.known.sum() == n_known
            assert shown.running == pytest.approx(products.numbers[0, :n_known].sum(), abs=1e-12)
            if n_known == 3:
                assert shown.running == frame.trace.scores[0, shown.step.columns[0]]


def test_score_cell_is_known_with_its_last_term():
    shown = pictures(compute(load_preset("s1")), 0)[7:13]
    assert [int(by_name(one)["score"].known.sum()) for one in shown] == [0, 1, 1, 2, 2, 3]


def test_bars_of_the_scores_stand_as_far_as_they_are_known():
    frame = compute(load_preset("s1"))
    levels = [one.levels for one in pictures(frame, 0)[7:13]]
    assert [one.n_known for one in levels if one is not None] == [0, 1, 1, 2, 2, 3]
    assert levels[0] is not None
    np.testing.assert_array_equal(levels[0].numbers, frame.trace.scores[0])


def test_scaling_shows_what_was_and_what_is():
    frame = compute(load_preset("s1"))
    levels = pictures(frame, 1)[13].levels
    assert levels is not None
    np.testing.assert_array_equal(levels.before, frame.trace.scores[1])
    np.testing.assert_array_equal(levels.numbers, frame.trace.scaled[1])


def test_mask_step_marks_the_hidden_keys():
    frame = compute(edits.set_scalar(load_preset("s1"), "causal", True))
    levels = pictures(frame, 1)[14].levels
    assert levels is not None
    assert levels.banned.tolist() == [False, False, True]


def test_bars_are_the_softmax_of_the_row():
    frame = compute(load_preset("s1"))
    shown = [one.bars for one in pictures(frame, 0) if one.bars is not None]
    assert [(bars.n_exponentials, bars.has_total, bars.n_weights) for bars in shown] == [
        (0, False, 0),
        (1, False, 0),
        (2, False, 0),
        (3, False, 0),
        (3, True, 0),
        (3, True, 1),
        (3, True, 2),
        (3, True, 3),
    ]
    np.testing.assert_allclose(np.exp(shown[0].shifted), shown[0].exponentials, rtol=1e-15)
    assert shown[0].exponentials.sum() == pytest.approx(shown[0].total)
    np.testing.assert_allclose(shown[0].exponentials / shown[0].total, shown[0].weights, rtol=1e-15)


@pytest.mark.parametrize("query", range(3))
def test_vectors_head_to_tail_end_at_the_output(query):
    frame = compute(load_preset("s1"))
    arrows = pictures(frame, query)[-1].arrows
    assert arrows is not None
    assert arrows.known == 3
    steps = np.diff(arrows.tips, axis=0)
    np.testing.assert_allclose(steps, frame.trace.weights[query][:, None] * frame.v, atol=1e-15)
    np.testing.assert_array_equal(arrows.tips[0], [0.0, 0.0])
    np.testing.assert_array_equal(arrows.tips[-1], frame.output[query])


def test_sum_so_far_grows_to_the_output():
    frame = compute(load_preset("s1"))
    shown = pictures(frame, 0)[23:26]
    for count, one in enumerate(shown, start=1):
        expected = frame.trace.weights[0, :count] @ frame.v[:count]
        np.testing.assert_allclose(by_name(one)["y"].numbers[0], expected, rtol=1e-12)


def test_values_of_many_coordinates_are_drawn_along_the_axes_of_the_plane():
    frame = random_frame(5)
    arrows = pictures(frame, 0)[-1].arrows
    assert arrows is not None
    assert frame.state.plane is not None
    np.testing.assert_allclose(arrows.tips[-1], frame.state.plane.axes @ frame.output[0], atol=1e-12)


def test_values_of_another_width_are_drawn_along_the_coordinates_that_differ_most():
    state = State(TokenSequence(("a", "b"), np.eye(2)), w_v=np.array([[0.0, 5.0, 0.0, -1.0], [0.0, 0.0, 3.0, -1.1]]))
    arrows = pictures(compute(state), 0)[-1].arrows
    assert arrows is not None
    assert arrows.axes == ("v[2]", "v[3]")


def test_values_of_one_coordinate_lie_on_a_line():
    state = State(TokenSequence(("a", "b"), np.eye(2)), w_v=np.ones((2, 1)))
    arrows = pictures(compute(state), 0)[-1].arrows
    assert arrows is not None
    np.testing.assert_array_equal(arrows.tips[:, 1], 0.0)


@pytest.mark.parametrize("n", [1, 3, 16])
@pytest.mark.parametrize("query", [None, 0])
def test_equal_keys_mean_equal_numbers(n, query):
    seen: dict[object, np.ndarray] = {}
    for shown in pictures(random_frame(n, mask="causal"), query):
        blocks = [b for b in (*shown.equation, *shown.terms, *shown.gathered) if isinstance(b, Block)]
        for block in blocks:
            numbers = seen.setdefault(block.key, block.numbers)
            np.testing.assert_array_equal(numbers, block.numbers)
