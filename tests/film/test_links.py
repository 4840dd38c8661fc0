"""The cells of the film name their numbers: what they show is what the explanation of the named number gives."""

from __future__ import annotations

import numpy as np
import pytest

from attnviz.document.frame import Frame, compute
from attnviz.document.number_ref import NumberRef
from attnviz.explanations import explain
from attnviz.film import Area, Block, FilmPicture, Script, lit_areas, number_in, picture
from tests.views.panel_scenes import cat_dog_phone, cross_attention, forty_tokens

STATES = {"three": cat_dog_phone(), "cross": cross_attention(), "forty": forty_tokens()}


def blocks_of(shown: FilmPicture) -> list[Block]:
    return [*(part for part in shown.equation if isinstance(part, Block)), *shown.terms, *shown.gathered]


def film(frame: Frame, query: int | None) -> Script:
    return Script(frame.n_query, frame.n_key, frame.q.shape[1], query)


def block_named(frame: Frame, query: int | None, kind: str, *, n_rows: int | None = None) -> Block:
    """Give the last block of a kind that is known whole, of so many rows if that matters."""
    script = film(frame, query)
    for index in range(len(script) - 1, -1, -1):
        for block in blocks_of(picture(frame, script.step(index))):
            is_whole = block.origin is not None and block.origin.kind == kind and bool(block.known.all())
            if is_whole and n_rows in (None, block.shape[0]):
                return block
    raise AssertionError(f"the film must show a {kind}")


@pytest.mark.parametrize("query", [None, 1])
@pytest.mark.parametrize("name", STATES)
def test_cell_shows_the_number_it_names(name: str, query: int | None) -> None:
    frame = compute(STATES[name])
    script = film(frame, query)
    seen: set[str] = set()
    for index in np.linspace(0, len(script) - 1, 60).astype(int).tolist():
        for block in blocks_of(picture(frame, script.step(index))):
            rows, columns = block.shape
            numbers = block.numbers
            for row, column in {(0, 0), (rows - 1, columns - 1), (rows // 2, columns // 2)}:
                ref = number_in(block, row, column)
                if ref is not None:
                    seen.add(ref.kind)
                    assert float(numbers[row, column]) == explain(frame, ref).result, (block.name, ref)
    assert {"q", "k", "v", "w_q", "score", "weight", "output"} <= seen


def test_cells_that_are_not_known_name_nothing() -> None:
    frame = compute(cat_dog_phone())
    script = film(frame, 0)
    first = next(i for i in range(len(script)) if script.step(i).stage == "score")
    score = next(b for b in picture(frame, script.step(first)).gathered if b.origin and b.origin.kind == "score")
    assert number_in(score, 0, 2) is None


def test_sum_that_is_not_complete_names_nothing() -> None:
    frame = compute(cat_dog_phone())
    script = film(frame, 0)
    step = next(script.step(i) for i in range(len(script)) if script.step(i).part == "mix")
    output = next(b for b in picture(frame, step).gathered if b.origin and b.origin.kind == "output")
    assert number_in(output, 0, 0) is None


def test_number_lights_its_own_cell() -> None:
    frame = compute(cat_dog_phone())
    weights = block_named(frame, None, "weight")
    assert lit_areas(frame, weights, 2, 1, NumberRef("weight", (2, 1))) == (Area(range(2, 3), range(1, 2)),)
    assert lit_areas(frame, weights, 2, 1, NumberRef("score", (2, 1))) == (Area(range(2, 3), range(1, 2)),)


def test_row_and_column_light_whole_rows_and_columns() -> None:
    frame = compute(cat_dog_phone())
    weights = block_named(frame, None, "weight")
    assert lit_areas(frame, weights, 2, None, None) == (Area(range(2, 3), range(3)),)
    assert lit_areas(frame, weights, None, 1, None) == (Area(range(3), range(1, 2)),)
    assert lit_areas(frame, weights, None, None, NumberRef("multiplier")) == ()


def test_film_of_one_row_leaves_other_rows_dark() -> None:
    frame = compute(cat_dog_phone())
    weights = block_named(frame, 1, "weight")
    assert lit_areas(frame, weights, 1, 2, None) == (Area(range(1), range(2, 3)),)
    assert lit_areas(frame, weights, 0, 2, None) == ()


def test_token_of_self_attention_lights_its_embedding_query_and_key() -> None:
    frame = compute(cat_dog_phone())
    for kind in ("q", "k", "v"):
        block = block_named(frame, None, kind, n_rows=3)
        assert lit_areas(frame, block, 2, 2, None) == (Area(range(2, 3), range(block.shape[1])),)


def test_key_that_stands_upright_lights_and_names_its_coordinates() -> None:
    frame = compute(forty_tokens())
    script = film(frame, None)
    step = next(s for i in range(len(script)) if (s := script.step(i)).part == "dot" and len(s.columns) > 1)
    upright = next(b for b in blocks_of(picture(frame, step)) if b.origin is not None and b.origin.is_turned)
    first = step.columns.start
    assert number_in(upright, 5, 0) == NumberRef("k", (first, 5))
    assert lit_areas(frame, upright, None, first, NumberRef("k", (first, 5))) == (Area(range(5, 6), range(1)),)
    assert lit_areas(frame, upright, None, first, None) == (Area(range(upright.shape[0]), range(1)),)
