"""The model of the table: every matrix with its names and exact numbers, read by blocks, its rows in an order."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel, QPersistentModelIndex, Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from attnviz.document import edits
from attnviz.document.errors import DocumentError
from attnviz.document.frame import Frame, compute
from attnviz.document.matrices import MATRICES, MATRICES_BY_NAME
from attnviz.document.state import State
from attnviz.document.tokens import TokenSequence
from attnviz.views.table.model import MatrixModel
from attnviz.views.table.order import NAMES, Order
from tests.document.states import ODD_TOKENS, cat_dog_phone, cross_state, random_state

WEIGHTS = MATRICES_BY_NAME["weight"]
NAMES_OF_ALL = [matrix.name for matrix in MATRICES]
_Role = Qt.ItemDataRole


def shown(frame: Frame, name: str = "weight") -> MatrixModel:
    model = MatrixModel()
    model.show_matrix(frame, MATRICES_BY_NAME[name])
    return model


def texts(model: MatrixModel) -> list[list[str]]:
    rows, columns = range(model.rowCount()), range(model.columnCount())
    return [[str(model.data(model.index(row, column))) for column in columns] for row in rows]


def headers(model: MatrixModel, way: Qt.Orientation) -> list[object]:
    count = model.rowCount() if way == Qt.Orientation.Vertical else model.columnCount()
    return [model.headerData(place, way) for place in range(count)]


@pytest.mark.parametrize("name", NAMES_OF_ALL)
def test_qt_finds_no_fault_in_it(qtbot: QtBot, name: str) -> None:
    model = shown(compute(cross_state(3, 5, 7, mask="causal")), name)
    ModelTester(model).check(model)


def test_weights_of_the_first_scene() -> None:
    model = shown(compute(cat_dog_phone()))
    # The figures of the curriculum.
    assert texts(model) == [["0.432", "0.389", "0.179"], ["0.406", "0.379", "0.215"], ["0.219", "0.252", "0.529"]]
    assert headers(model, Qt.Orientation.Horizontal) == ["cat", "dog", "phone"]


@pytest.mark.parametrize("name", NAMES_OF_ALL)
def test_all_digits_are_read_back_to_the_same_bits(name: str) -> None:
    frame = compute(cross_state(3, 5, 7, d_k=11))
    model, matrix = shown(frame, name), MATRICES_BY_NAME[name]
    model.is_exact = True
    rows, columns = matrix.shape(frame)
    expected = matrix.read(frame, np.arange(rows), np.arange(columns))
    np.testing.assert_array_equal(np.array(texts(model), np.float64), expected)


def test_coordinates_are_counted_from_one() -> None:
    model = shown(compute(random_state(3, 5)), "w_q")
    assert headers(model, Qt.Orientation.Vertical) == ["1", "2", "3", "4", "5"]


def test_a_header_that_does_not_know_the_new_size_yet_gets_no_name() -> None:
    model = shown(compute(cat_dog_phone()))
    assert model.headerData(3, Qt.Orientation.Horizontal) is None
    assert model.headerData(3, Qt.Orientation.Vertical) is None


def test_names_are_plain_and_told_apart() -> None:
    names = (*ODD_TOKENS, "<s>", "R&D")
    frame = compute(State(TokenSequence(names, np.ones((len(names), 2)))))
    found = headers(shown(frame), Qt.Orientation.Vertical)
    assert found == ["<s> #1", *ODD_TOKENS[1:], f"<s> #{len(ODD_TOKENS) + 1}", "R&D"]


def test_a_cell_is_a_sentence_for_a_screen_reader() -> None:
    model = shown(compute(cat_dog_phone()))
    cell = model.index(0, 1)
    assert model.data(cell, _Role.AccessibleTextRole) == "query cat, key dog: weight 0.389"
    assert model.data(cell, _Role.AccessibleDescriptionRole) == "row 1 of 3, column 2 of 3"
    column = model.headerData(1, Qt.Orientation.Horizontal, _Role.AccessibleTextRole)
    assert column == "key dog"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("x", "query cat, coordinate 2: embedding 0.500"),
        ("w_q", "coordinate 1, d_k 2: W_Q 0.000"),
        ("k", "key cat, d_k 2: key 0.500"),
        ("masked", "query cat, key dog: masked score −∞"),
        ("exponential", "query cat, key dog: masked, exponential 0.000"),
        ("weight", "query cat, key dog: masked, weight 0.000"),
        ("scaled", "query cat, key dog: scaled score 0.778"),
    ],
)
def test_sentences_of_the_other_matrices_and_of_banned_cells(name: str, sentence: str) -> None:
    model = shown(compute(cat_dog_phone(mask="causal")), name)
    assert model.data(model.index(0, 1), _Role.AccessibleTextRole) == sentence


def test_tooltip_is_plain_text_with_every_digit() -> None:
    frame = compute(State(TokenSequence(("<b>a</b>", "b"), np.eye(2))))
    tip = str(shown(frame).data(shown(frame).index(0, 0), _Role.ToolTipRole))
    assert "&lt;b&gt;a" in tip
    assert repr(float(frame.trace.weights[0, 0])) in tip


def test_banned_cells_say_so_where_the_mask_makes_them_nought() -> None:
    frame = compute(cat_dog_phone(mask="causal"))
    assert texts(shown(frame, "weight"))[0] == ["1.000", "masked", "masked"]
    assert texts(shown(frame, "exponential"))[0] == ["1.000", "masked", "masked"]
    assert texts(shown(frame, "masked"))[0] == ["0.884", "−∞", "−∞"]
    assert texts(shown(frame, "scaled"))[0] == ["0.884", "0.778", "0.000"]


# Order


def test_sorting_by_a_column_moves_rows_with_their_names() -> None:
    model = shown(compute(cat_dog_phone()))
    model.sort_by(Order(2))
    assert headers(model, Qt.Orientation.Vertical) == ["cat", "dog", "phone"]
    model.sort_by(Order(2, is_descending=True))
    assert headers(model, Qt.Orientation.Vertical) == ["phone", "dog", "cat"]
    assert [row[2] for row in texts(model)] == ["0.529", "0.215", "0.179"]
    assert model.data(model.index(0, 0), _Role.AccessibleTextRole) == "query phone, key cat: weight 0.219"


def test_asking_again_goes_from_ascending_to_descending_to_the_document() -> None:
    order = Order()
    ways = []
    for _ in range(4):
        order = order.after(5)
        ways.append((order.column, order.is_descending))
    assert ways == [(5, False), (5, True), (None, False), (5, False)]
    assert order.after(4) == Order(4)


@pytest.mark.parametrize("is_descending", [False, True])
def test_equal_rows_keep_the_order_of_the_document(is_descending: bool) -> None:
    frame = compute(State(TokenSequence(tuple("abcde"), [[1.0], [0.0], [1.0], [0.0], [1.0]])))
    places = Order(0, is_descending).places(frame, MATRICES_BY_NAME["x"]).tolist()
    assert places == ([0, 2, 4, 1, 3] if is_descending else [1, 3, 0, 2, 4])


def test_banned_scores_come_first() -> None:
    frame = compute(cat_dog_phone(mask="causal"))
    assert Order(2).places(frame, MATRICES_BY_NAME["masked"]).tolist() == [0, 1, 2]
    assert Order(2, is_descending=True).places(frame, MATRICES_BY_NAME["masked"]).tolist() == [2, 0, 1]


def test_names_are_sorted_without_regard_to_case_and_numbers_by_size() -> None:
    frame = compute(State(TokenSequence(("b", "A", "c", "a"), np.ones((4, 11)))))
    assert Order(NAMES).places(frame, WEIGHTS).tolist() == [1, 3, 0, 2]
    assert Order(NAMES, is_descending=True).places(frame, WEIGHTS).tolist() == [2, 0, 1, 3]
    of_coordinates = Order(NAMES, is_descending=True).places(frame, MATRICES_BY_NAME["w_q"])
    assert of_coordinates.tolist() == list(range(10, -1, -1))


def test_places_lead_back_to_the_document() -> None:
    model = shown(compute(cat_dog_phone()))
    model.sort_by(Order(0))
    assert [model.place(row) for row in range(3)] == [2, 1, 0]
    assert [model.row_of(place) for place in range(3)] == [2, 1, 0]
    ref = model.ref(0, 1)
    assert ref is not None
    assert (ref.kind, ref.indices) == ("weight", (2, 1))


def test_another_frame_is_sorted_anew_and_cells_stay_with_their_rows() -> None:
    state = random_state(7, 3)
    model = shown(compute(state))
    model.sort_by(Order(3))
    marked = QPersistentModelIndex(model.index(2, 3))
    token = model.row_name(2)
    selection = QItemSelectionModel(model)
    selection.select(model.index(2, 3), QItemSelectionModel.SelectionFlag.Select)
    moved = compute(edits.set_coordinate(state, "sequence", 3, 0, -4.0))
    assert not model.show_matrix(moved, WEIGHTS)
    values = moved.trace.weights[:, 3]
    assert [model.place(row) for row in range(7)] == np.argsort(values, kind="stable").tolist()
    assert model.row_name(marked.row()) == token
    assert [index.row() for index in selection.selectedIndexes()] == [marked.row()]


def test_a_renamed_token_is_announced_to_both_headers(qtbot: QtBot) -> None:
    state = cat_dog_phone()
    model = shown(compute(state))
    with qtbot.waitSignals([model.headerDataChanged, model.headerDataChanged], timeout=1000):
        model.show_matrix(compute(edits.rename_token(state, "sequence", 0, "lion")), WEIGHTS)
    assert headers(model, Qt.Orientation.Vertical)[0] == "lion"


def test_another_matrix_begins_in_the_order_of_the_document() -> None:
    frame = compute(cat_dog_phone())
    model = shown(frame)
    model.sort_by(Order(0))
    assert model.show_matrix(frame, MATRICES_BY_NAME["q"])
    assert model.order == Order()


# Size


def test_a_large_matrix_is_read_only_where_it_is_looked_at() -> None:
    frame = compute(random_state(2048, 4))
    model = shown(frame)
    assert model._blocks is not None
    assert model._blocks.count == 0
    model.sort_by(Order(7))
    assert model._blocks.count == 0
    for row in range(40):
        for column in range(20):
            model.data(model.index(row, column))
    assert model._blocks.count == 1
    for row in range(0, 2048, 64):
        for column in range(0, 2048, 256):
            model.data(model.index(row, column))
    assert model._blocks.count == 64  # the memory has a bound


def test_numbers_of_a_large_matrix_are_those_of_its_place() -> None:
    frame = compute(random_state(300, 4))
    model = shown(frame)
    model.is_exact = True
    model.sort_by(Order(250, is_descending=True))
    weights = frame.trace.weights
    places = np.argsort(-weights[:, 250], kind="stable")
    for row, column in ((0, 0), (63, 31), (64, 32), (150, 250), (299, 299)):
        assert float(model.cell_text(row, column)) == pytest.approx(weights[places[row], column], rel=1e-12)


# Copying


def test_a_block_has_the_order_of_the_table_and_exact_numbers() -> None:
    frame = compute(cat_dog_phone())
    model = shown(frame)
    model.sort_by(Order(0))
    block = model.block(np.array([0, 2]), np.array([1, 2]))
    assert block is not None
    assert (block.name, block.corner) == ("weights", "A")
    assert (block.row_labels, block.column_labels) == (("phone", "cat"), ("dog", "phone"))
    np.testing.assert_array_equal(block.numbers, frame.trace.weights[[2, 0], 1:])


def test_too_many_cells_are_refused_before_any_is_read() -> None:
    model = shown(compute(random_state(1025, 1)))
    with pytest.raises(DocumentError, match=r"a copy must have at most 1,048,576 cells, got 1,050,625"):
        model.block(np.arange(1025), np.arange(1025))
