"""The shared selection: what is pinned, what is pointed at, and that nobody is told twice."""

import pytest

from attnviz.document.number_ref import NumberRef
from attnviz.views.selection import Chosen, Selection


@pytest.fixture
def selection(qtbot) -> Selection:
    return Selection()


def test_pinned_number_brings_its_row_and_column(selection: Selection) -> None:
    selection.pin_number(NumberRef("scaled", (2, 0)), query=2, key=0)
    chosen = selection.chosen
    assert (chosen.number, chosen.query, chosen.key) == (NumberRef("scaled", (2, 0)), 2, 0)


def test_number_without_a_column_leaves_the_pinned_column(selection: Selection) -> None:
    selection.pin_cell(0, 2)
    selection.pin_number(NumberRef("entropy", (1,)), query=1)
    assert (selection.chosen.query, selection.chosen.key) == (1, 2)


def test_number_that_is_clicked_again_is_asked_for_again(selection: Selection) -> None:
    asked: list[NumberRef] = []
    selection.number_asked.connect(asked.append)
    for _ in range(2):
        selection.pin_number(NumberRef("entropy", (1,)), query=1)
    assert asked == [NumberRef("entropy", (1,))] * 2


def test_pinned_cell_forgets_the_number_before(selection: Selection) -> None:
    selection.pin_number(NumberRef("entropy", (1,)), query=1)
    selection.pin_cell(0, 2)
    assert selection.chosen.number is None


def test_release_lets_go_of_all_but_row_and_column(selection: Selection) -> None:
    selection.pin_number(NumberRef("scaled", (2, 0)), query=2, key=0)
    selection.point_at(1, 1, NumberRef("weight", (1, 1)))
    selection.release()
    assert selection.chosen == Chosen(query=2, key=0, is_pinned=False)


def test_number_is_kept_when_the_document_shrinks(selection: Selection) -> None:
    selection.pin_number(NumberRef("entropy", (0,)), query=0)
    selection.fit_to(2, 2, 0)
    assert selection.chosen.number == NumberRef("entropy", (0,))
