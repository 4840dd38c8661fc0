"""The script: how many steps there are, what each covers, and that all of it is found at once."""

from itertools import product
from time import perf_counter

import numpy as np
import pytest

from attnviz.film import PARTS, Script

SIZES = [(1, 1), (3, 3), (3, 7), (16, 16), (5, 200), (200, 200), (200, 3), (1000, 1000)]
SCRIPTS = [(n_query, n_key, d_k, query) for (n_query, n_key), d_k in product(SIZES, (1, 2, 64)) for query in (None, 0)]


def ids(size: tuple[object, ...]) -> str:
    return "x".join(map(str, size))


def script_of(size: tuple[int, int, int, int | None]) -> Script:
    return Script(*size)


def test_start_scene_is_counted_by_hand():
    # 1 query, 3 keys, 3 values, 3 cells of 2 terms, scale, mask, maximum, 3 exponentials, sum, 3 weights, 3 shares, y.
    assert len(Script(3, 3, 2, 0)) == 1 + 3 + 3 + 6 + 1 + 1 + (1 + 3 + 1 + 3) + (3 + 1)
    # 3 queries, 3 keys, 3 values, 9 cells of 2 terms, 3 scaled and 3 masked rows, 4 steps of a softmax, 3 shares and y.
    assert len(Script(3, 3, 2, None)) == 3 + 3 + 3 + 18 + 3 + 3 + 3 * 4 + 3 * 4


def test_steps_of_the_start_scene_come_in_order():
    script = Script(3, 3, 2, 1)
    found = [(s.part, s.columns.start if s.columns else 0, s.term) for s in map(script.step, range(len(script)))]
    assert found[:8] == [
        ("query", 0, None),
        ("key", 0, None),
        ("key", 1, None),
        ("key", 2, None),
        ("value", 0, None),
        ("value", 1, None),
        ("value", 2, None),
        ("dot", 0, 0),
    ]
    assert found[8:11] == [("dot", 0, 1), ("dot", 1, 0), ("dot", 1, 1)]
    assert [part for part, _, _ in found[13:]] == (
        ["scale", "mask", "subtract"] + ["exponentiate"] * 3 + ["sum"] + ["divide"] * 3 + ["mix"] * 3 + ["arrive"]
    )


@pytest.mark.parametrize("size", SCRIPTS, ids=ids)
def test_every_cell_is_made_once_and_all_are_known_at_the_end(size):
    script = script_of(size)
    n_rows, n_key = (script.n_query if script.query is None else 1), script.n_key
    made = {part: np.zeros((n_rows, n_key), int) for part in PARTS}
    for step in map(script.step, range(len(script))):
        is_last_term = step.term is None or step.term == step.n_terms - 1
        if is_last_term:
            rows = slice(step.rows.start - step.all_rows.start, step.rows.stop - step.all_rows.start)
            columns = slice(step.columns.start, step.columns.stop) if step.columns else slice(0, n_key)
            made[step.part][rows, columns] += 1
    assert {part: int(cells.min()) for part, cells in made.items()} == dict.fromkeys(PARTS, 1)
    assert {part: int(cells.max()) for part, cells in made.items()} == dict.fromkeys(PARTS, 1)
    last = script.step(len(script) - 1)
    for part in PARTS[3:]:
        assert last.reach(part).mask(n_rows, n_key).all(), part


@pytest.mark.parametrize("size", [s for s in SCRIPTS if s[0] * s[1] <= 256], ids=ids)
def test_what_is_known_only_grows_and_grows_by_the_step(size):
    script = script_of(size)
    shape = (script.n_query if script.query is None else 1, script.n_key)
    before = {part: np.zeros(shape, bool) for part in PARTS[3:]}
    for step in map(script.step, range(len(script))):
        for part in PARTS[3:]:
            known = step.reach(part).mask(*shape)
            assert (known | ~before[part]).all()
            grown = np.argwhere(known & ~before[part])
            if len(grown):
                assert part == step.part
                rows = {int(row) + step.all_rows.start for row, _ in grown}
                assert rows == set(step.rows)
                assert {int(column) for _, column in grown} == set(step.columns)
            before[part] = known


@pytest.mark.parametrize("size", SCRIPTS, ids=ids)
def test_place_of_a_step_is_its_number(size):
    script = script_of(size)
    step_of_samples = max(1, len(script) // 97)
    for index in range(0, len(script), step_of_samples):
        assert script.same_place(script.step(index)) == index


@pytest.mark.parametrize("query", [None, 0])
def test_films_stay_short_at_any_size(query):
    assert max(len(Script(n, n, d_k, query)) for n in (1, 3, 16, 40, 200, 1000) for d_k in (1, 8, 1024)) < 1000


def test_large_films_go_by_rows_and_blocks():
    assert {Script(200, 200, 8, None).step(i).unit for i in range(24, 224)} == {"row"}
    thousand = Script(1000, 1000, 64, None)
    assert thousand.step(24).rows == range(0, 5)
    assert thousand.step(24).unit == "block"
    assert Script(1000, 1000, 64, 7).step(17).columns == range(0, 16)
    assert Script(16, 16, 8, 3).step(30).unit == "term"
    assert Script(16, 16, 64, 3).step(30).unit == "cell"


def test_a_step_in_the_middle_of_a_large_film_is_found_at_once():
    script = Script(100_000, 100_000, 1024, None)
    script.step(0)
    start = perf_counter()
    script.step(len(script) // 2)
    assert perf_counter() - start < 0.01


def test_stages_follow_each_other_without_a_gap():
    chapters = Script(16, 16, 4, None).chapters
    assert [chapter.stage for chapter in chapters] == ["project", "score", "scale", "mask", "softmax", "output"]
    assert chapters[0].start == 0
    assert [chapter.start for chapter in chapters[1:]] == [chapter.stop for chapter in chapters[:-1]]
    script = Script(16, 16, 4, None)
    assert all(script.step(c.start).stage == script.step(c.stop - 1).stage == c.stage for c in chapters)


def test_place_is_kept_when_tokens_come_or_go():
    before, after = Script(3, 3, 2, 1), Script(5, 5, 2, 1)
    for index in range(len(before)):
        old = before.step(index)
        new = after.step(after.same_place(old))
        assert (new.part, new.rows, new.term) == (old.part, old.rows, old.term)
        if old.part not in ("scale", "mask", "subtract", "sum", "arrive"):
            assert new.columns == old.columns
    last_key = after.step(after.same_place(after.step(3)))
    assert Script(2, 2, 2, 1).step(Script(2, 2, 2, 1).same_place(last_key)).columns == range(1, 2)


def test_place_of_a_row_in_the_film_of_all():
    whole = Script(3, 3, 2, None)
    one = Script(3, 3, 2, 2)
    step = whole.step(whole.same_place(one.step(one.same_place(whole.step(whole.chapters[4].stop - 1)))))
    assert (step.part, step.rows) == ("divide", range(2, 3))


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((0, 3, 2, None), "sizes of a film must be at least 1, got 0, 3 and 2"),
        ((3, 3, 2, 3), "the query must lie between 0 and 2, got 3"),
    ],
)
def test_a_film_that_cannot_be_is_refused(sizes, message):
    with pytest.raises(ValueError, match=message):
        Script(*sizes)


@pytest.mark.parametrize("index", [-1, 27])
def test_a_step_that_is_not_there_is_refused(index):
    with pytest.raises(IndexError, match=f"a step must lie between 0 and 26, got {index}"):
        Script(3, 3, 2, 0).step(index)


def test_long_stages_go_faster():
    script = Script(16, 16, 2, None)
    paces = [script.pace_ms(chapter.start) for chapter in script.chapters]
    assert paces[1] == 120
    assert max(paces) == 900
