"""Pinned numbers in the film: no sentence gives a pinned number out as computed, and its cell is marked."""

import numpy as np

from attnviz.document import edits
from attnviz.document.frame import Frame, compute
from attnviz.document.number_ref import NumberRef
from attnviz.film import Script, picture
from attnviz.film.records import Block
from tests.document.states import cat_dog_phone, random_state
from tests.film.test_captions import told


def frame_with(*pins: tuple[str, int, int, float], **fields: object) -> Frame:
    state = cat_dog_phone(**fields)
    for kind, row, column, value in pins:
        state = edits.pin_number(state, NumberRef(kind, (row, column)), value)
    return compute(state)


def test_pinned_score_is_told_beside_what_it_would_be() -> None:
    heard = told(frame_with(("score", 0, 1, 3.0)), 0)
    assert heard["dot"][2:4] == [
        "q_cat · k_dog, term 1 of 2: 1.0·0.8 = 0.800.",
        "q_cat · k_dog would be 1.100, but this score is pinned to 3.000.",
    ]


def test_what_follows_says_so() -> None:
    heard = told(frame_with(("score", 0, 1, 3.0)), 0)
    for part in ("scale", "subtract", "exponentiate", "sum", "divide", "mix", "arrive"):
        assert all(sentence.endswith(", after pinned numbers.") for sentence in heard[part]), part
    assert not any("pinned" in sentence for sentence in told(frame_with(("score", 0, 1, 3.0)), 1)["arrive"])


def test_pinned_query_is_told_with_what_is_left_computed() -> None:
    heard = told(frame_with(("q", 0, 1, 2.0)), 0)
    assert heard["query"] == ["q_cat = (1.0, 2.0): entry 2 is pinned, the rest is x_cat · W_Q."]


def test_two_pinned_entries_of_a_value_are_counted() -> None:
    heard = told(frame_with(("v", 1, 0, 2.0), ("v", 1, 1, 3.0)), 0)
    assert heard["value"][1] == "v_dog = (2.0, 3.0): 2 entries are pinned, the rest is x_dog · W_V."


def test_pinned_weight_is_told_beside_what_it_would_be() -> None:
    heard = told(frame_with(("weight", 0, 1, 0.5)), 0)
    assert heard["divide"][1] == "0.899 ÷ 2.313 would be 0.389, but the weight of dog is pinned to 0.500."
    assert "pinned" not in heard["sum"][0]
    assert heard["arrive"][0].endswith(", after pinned numbers.")


def test_pinned_weight_of_a_row_that_sees_nothing_would_be_0() -> None:
    state = random_state(2, 2)
    context = random_state(5, 2).sequence
    state = state.__class__(sequence=context, context=state.sequence, mask="causal")
    frame = compute(edits.pin_number(state, NumberRef("weight", (0, 1)), 0.5))
    assert frame.empty_rows[0]
    heard = told(frame, 0)
    assert any("would be 0, but" in sentence for sentence in heard["divide"])
    assert any(sentence.startswith("0.500 · v_") for sentence in heard["mix"])
    assert not any(
        "reads nothing" in sentence or "output is 0" in sentence for sentence in heard["mix"] + heard["arrive"]
    )


def test_rows_at_once_count_their_pinned_numbers() -> None:
    state = random_state(40, 2)
    for column in (3, 7):
        state = edits.pin_number(state, NumberRef("score", (5, column)), 1.0)
    heard = told(compute(state), None)
    assert any("2 of these numbers are pinned." in sentence for sentence in heard["dot"])


def blocks_of(frame: Frame, part: str) -> list[Block]:
    script = Script(frame.n_query, frame.n_key, frame.state.d_k, 0)
    step = [script.step(i) for i in range(len(script)) if script.step(i).part == part][-1]
    made = picture(frame, step)
    return [block for block in (*made.equation, *made.terms, *made.gathered) if isinstance(block, Block)]


def test_pinned_cells_are_marked_in_every_block_that_shows_them() -> None:
    frame = frame_with(("score", 0, 1, 3.0), ("k", 1, 0, 2.0), ("weight", 0, 2, 0.5))
    marked = {
        block.name: block.pinned for part in ("dot", "divide") for block in blocks_of(frame, part) if block.pinned
    }
    assert ((0, 1),) in marked.values()
    assert ((0, 2),) in marked.values()
    keys = [block for block in blocks_of(frame, "value") if block.name == "K"]
    assert [block.pinned for block in keys] == [((1, 0),)]


def test_nothing_is_marked_where_nothing_is_pinned() -> None:
    frame = compute(cat_dog_phone())
    for part in ("query", "dot", "scale", "divide", "arrive"):
        assert all(block.pinned == () for block in blocks_of(frame, part))


def test_last_step_of_a_film_with_pins_is_the_engines_output() -> None:
    frame = frame_with(("score", 0, 1, 3.0), ("weight", 0, 2, 0.5))
    outputs = [
        block for block in blocks_of(frame, "arrive") if block.origin is not None and block.origin.kind == "output"
    ]
    assert outputs
    for block in outputs:
        np.testing.assert_array_equal(block.numbers, frame.output[block.origin.first_row :][: block.shape[0]])
