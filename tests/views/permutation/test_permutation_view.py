"""The permutation panel: its buttons choose an order, it shows both outputs, and says what sees the order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from attnviz.appearance import LIGHT
from attnviz.document.frame import compute
from attnviz.document.permutation import equivariance, in_order, shuffled
from attnviz.document.state import State
from attnviz.views.painted import texts_painted_by
from attnviz.views.permutation import trial
from attnviz.views.permutation.permutation_body import PermutationBody
from attnviz.views.permutation.permutation_view import PermutationView
from attnviz.views.permutation.pictures import pictures_of
from attnviz.views.permutation.verdict import verdict_of
from attnviz.views.selection import Selection
from tests.app.mouse import drag
from tests.document.states import cat_dog_phone, cross_state, random_state
from tests.views.overlapping import overlapping

S1 = cat_dog_phone()
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(qtbot: QtBot) -> PermutationView:
    panel = PermutationView(Selection())
    qtbot.addWidget(panel)
    panel.resize(460, 520)
    panel.show()
    return panel


def show(panel: PermutationView, state: State) -> PermutationBody:
    panel.offer_frame(compute(state))
    QApplication.processEvents()
    return panel.body


def press(button: QPushButton) -> None:
    QTest.mouseClick(button, LEFT)
    QApplication.processEvents()


# Orders


def test_every_shuffle_has_the_next_seed_and_says_it(panel: PermutationView) -> None:
    body = show(panel, random_state(7, 2))
    for seed in range(3):
        press(body.shuffle_button)
        assert body.order == shuffled(7, np.random.default_rng(seed))
        assert panel.subtitle == f"shuffled with seed {seed}"


def test_buttons_choose_the_order_they_name(panel: PermutationView) -> None:
    body = show(panel, State(replace(S1.sequence, tokens=("man", "bites", "dog"))))
    for button, order in (
        (body.sort_button, (1, 2, 0)),
        (body.reverse_button, (0, 2, 1)),
        (body.coordinate_button, (2, 1, 0)),
        (body.back_button, (0, 1, 2)),
    ):
        press(button)
        assert body.order == order, button.text()
    assert not body.back_button.isEnabled()
    assert not body.apply_button.isEnabled()


def test_space_presses_a_button(panel: PermutationView) -> None:
    body = show(panel, S1)
    body.reverse_button.setFocus()
    QTest.keyClick(body.reverse_button, Qt.Key.Key_Space)
    assert body.order == (2, 1, 0)


def test_trial_order_outlives_edits_until_the_number_of_tokens_changes(panel: PermutationView) -> None:
    body = show(panel, S1)
    press(body.reverse_button)
    show(panel, replace(S1, temperature=2.0))
    assert body.order == (2, 1, 0)
    show(panel, random_state(4, 2))
    assert body.order == in_order(4)


def test_apply_asks_for_the_order_once_and_begins_in_order_again(panel: PermutationView, qtbot: QtBot) -> None:
    body = show(panel, S1)
    press(body.reverse_button)
    with qtbot.waitSignal(panel.order_applied) as asked:
        press(body.apply_button)
    assert asked.args == ["sequence", (2, 1, 0)]
    assert body.order == (0, 1, 2)


def test_token_is_dragged_to_another_place_of_the_trial(panel: PermutationView) -> None:
    body = show(panel, random_state(4, 2))
    picture = body.picture
    x = 0.85 * picture.width()
    drag(picture, QPointF(x, picture.row_middle(3)), QPointF(x, picture.row_middle(0)))
    assert body.order == (3, 0, 1, 2)
    assert panel.subtitle == "by hand"
    drag(picture, QPointF(x, picture.row_middle(0)), QPointF(x, 10_000.0))
    assert body.order == (0, 1, 2, 3)
    drag(picture, QPointF(5, picture.row_middle(0)), QPointF(5, picture.row_middle(2)))
    assert body.order == (0, 1, 2, 3)  # the left column is the document's own order


def test_keys_go_from_place_to_place_and_take_the_token_along(panel: PermutationView) -> None:
    body = show(panel, random_state(4, 2))
    picture = body.picture
    picture.setFocus()
    QTest.keyClick(picture, Qt.Key.Key_Down)
    assert panel.selection.chosen.pointed_query == 1
    QTest.keyClick(picture, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(picture, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert body.order == (0, 2, 3, 1)
    QTest.keyClick(picture, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)  # there is nothing below
    assert body.order == (0, 2, 3, 1)
    QTest.keyClick(picture, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert body.order == (0, 2, 1, 3)


# What is shown


def test_matrices_show_both_outputs_and_their_difference_with_the_tokens_as_names(panel: PermutationView) -> None:
    state = replace(S1, mask="causal")
    body = show(panel, state)
    press(body.reverse_button)
    found = equivariance(compute(state), "sequence", (2, 1, 0))
    for matrix, rows in zip(body.matrices, (found.of_reordered, found.reordered, found.difference), strict=True):
        written = [text.strip() for text, _ in matrix.painted_texts()]
        assert [name for name in written if name in S1.sequence.tokens] == ["phone", "dog", "cat"]
        for number in rows.ravel():
            assert f"{number + 0.0:.3f}" in written


def test_rows_have_the_colours_that_their_tokens_have_elsewhere(panel: PermutationView) -> None:
    body = show(panel, S1)
    press(body.reverse_button)
    image = body.picture.grab().toImage()
    beside = round(0.3 * image.width()) + 6
    for row in range(3):
        y = round(body.picture.row_middle(row))
        assert image.pixelColor(beside, y).name() == LIGHT.token(row)
        assert image.pixelColor(image.width() - beside, y).name() == LIGHT.token(2 - row)
    frame = compute(S1)
    for picture in pictures_of(equivariance(frame, "sequence", (2, 1, 0)), frame):
        assert picture.row_colours == (2, 1, 0)


def test_rounding_has_no_colour_of_its_own() -> None:
    frame = compute(S1)
    found = equivariance(frame, "sequence", (2, 1, 0))
    off = replace(found, of_reordered=found.reordered + 1e-16 * np.eye(3, 2))
    outputs, _, gap = pictures_of(off, frame)
    assert gap.limits == outputs.limits
    told_apart = replace(found, of_reordered=found.reordered + 0.25 * np.eye(3, 2))
    assert pictures_of(told_apart, frame)[2].limits == pytest.approx((-0.25, 0.25))


def test_pointing_at_a_row_lights_the_token_in_every_matrix_and_in_the_selection(panel: PermutationView) -> None:
    body = show(panel, S1)
    press(body.reverse_button)
    matrix = body.matrices[0]
    QTest.mouseMove(matrix, matrix.cell_rect(0, 1).center().toPoint())
    assert panel.selection.chosen.pointed_query == 2
    QTest.mouseMove(body.picture, QPoint(body.picture.width() - 10, round(body.picture.row_middle(1))))
    assert panel.selection.chosen.pointed_query == 1


def test_in_cross_attention_the_order_of_the_keys_can_be_tried(panel: PermutationView) -> None:
    body = show(panel, cross_state(3, 5, 2))
    assert body.sides.isVisible()
    body.sides.show_choice("context")
    body.sides.chosen.emit("context")
    press(body.reverse_button)
    assert body.order == (4, 3, 2, 1, 0)
    assert "The order" not in body.verdict.text
    assert body.verdict.text.startswith("Shuffling the tokens that answer changes nothing")
    show(panel, S1)
    assert not body.sides.isVisible()
    assert body.side == "sequence"


def test_pictures_stand_side_by_side_where_there_is_room(panel: PermutationView) -> None:
    body = show(panel, S1)
    assert body.matrices[0].y() > body.picture.y()
    panel.resize(1200, 400)
    QApplication.processEvents()
    assert {matrix.y() for matrix in body.matrices} == {body.picture.y()}
    panel.resize(300, 400)
    QApplication.processEvents()
    places = [(shown.x(), shown.y()) for shown in (body.picture, *body.matrices)]
    assert len({x for x, _ in places}) == 1
    assert places == sorted(places)


def test_sentence_takes_the_lines_it_needs_and_is_never_cut(panel: PermutationView) -> None:
    body = show(panel, replace(S1, mask="causal", positions="rotary", dropout=0.5))
    press(body.reverse_button)
    for width in (700, 460, 300):
        panel.resize(width, 520)
        QApplication.processEvents()
        seen = [text for text in texts_painted_by(panel) if text.widget is body.verdict]
        assert " ".join(text.text.strip() for text in seen) == body.verdict.text
        assert all(text.visible.height() > text.box.height() - 1 for text in seen)
        assert body.verdict.height() >= body.verdict.sizeHint().height()


@pytest.mark.parametrize("n_tokens", [3, 40])
def test_nothing_is_written_over_anything_else(panel: PermutationView, n_tokens: int) -> None:
    body = show(panel, random_state(n_tokens, 4))
    press(body.shuffle_button)
    texts = [(seen.text, seen.box) for seen in texts_painted_by(body.picture)]
    assert len(texts) >= min(2 * n_tokens, 10)
    assert overlapping(texts, 0.0) == []


def test_of_very_many_lines_a_share_is_drawn_and_said(panel: PermutationView) -> None:
    body = show(panel, random_state(500, 2))
    press(body.shuffle_button)
    seen = [text.text for text in texts_painted_by(body.picture)]
    step = -(-2 * 500 // body.picture.height())
    assert f"1 of {step} lines drawn" in seen
    assert overlapping([(text.text, text.box) for text in texts_painted_by(body.picture)], 1.0) == []


# The sentence


@pytest.mark.parametrize(
    ("state", "order", "sentence"),
    [
        (S1, (0, 1, 2), "The tokens stand in their own order: shuffle or sort them to compare."),
        (
            replace(S1, mask="causal"),
            (2, 0, 1),
            "The causal mask sees the order: the largest difference is 0.656, at phone, coordinate 1.",
        ),
        (
            replace(random_state(2, 2), positions="alibi"),
            (1, 0),
            "ALiBi could see the order, but not this one: the largest difference is 5.6e-17, which is rounding.",
        ),
        (
            replace(S1, mask="causal", positions="rotary"),
            (1, 2, 0),
            "The causal mask and rotary positions see the order:",
        ),
        (replace(S1, positions="rotary"), (1, 2, 0), "Rotary positions see the order:"),
    ],
)
def test_sentence_names_what_sees_the_order(state: State, order: tuple[int, ...], sentence: str) -> None:
    frame = compute(state)
    assert verdict_of(equivariance(frame, "sequence", order), frame).startswith(sentence)


def test_sentence_calls_rounding_by_its_name() -> None:
    frame = compute(S1)
    found = equivariance(frame, "sequence", (1, 0, 2))
    exact = replace(found, of_reordered=found.reordered)
    start = "Shuffling the tokens shuffles the outputs and nothing else: the largest difference is "
    assert verdict_of(exact, frame) == f"{start}0 (equivariant)."
    off = replace(found, of_reordered=found.reordered + 1e-16 * np.eye(3, 2))
    assert verdict_of(off, frame) == f"{start}1.1e-16, which is rounding (equivariant)."


# Another thread


def test_large_comparisons_run_elsewhere_and_only_the_last_one_is_shown(
    panel: PermutationView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "MOST_AT_ONCE", 4)
    body = show(panel, S1)
    answers: list[tuple[int, ...]] = []

    def note(found: object) -> None:
        answers.append(found.order)  # type: ignore[attr-defined]

    qtbot.waitUntil(lambda: not body.trial.is_busy)
    body.trial.compared.connect(note)
    press_now = (body.reverse_button, body.sort_button, body.coordinate_button)
    for button in press_now:
        button.click()
    assert body.trial.is_busy
    assert body.verdict.text == "Computing …"
    qtbot.waitUntil(lambda: not body.trial.is_busy)
    # sorted is the order as it is, which needs no thread; then by the first coordinate: phone, dog, cat
    assert answers == [(0, 1, 2), (2, 1, 0)]
    assert body.verdict.text.startswith("Shuffling the tokens")


def test_numbers_that_overflow_are_told_in_the_panel(panel: PermutationView, monkeypatch: pytest.MonkeyPatch) -> None:
    body = show(panel, S1)

    def refuse(*_: object) -> None:
        raise trial.DocumentError("scores must be finite, got one that overflows")

    monkeypatch.setattr(trial, "equivariance", refuse)
    press(body.reverse_button)
    assert body.verdict.text == "scores must be finite, got one that overflows"


@pytest.mark.parametrize("side", ["sequence", "context"])
def test_order_as_it_is_takes_no_further_pass(panel: PermutationView, monkeypatch, side: str) -> None:
    asked: list[object] = []
    monkeypatch.setattr(trial, "equivariance", lambda *given: asked.append(given) or equivariance(*given))
    body = show(panel, cross_state(3, 4) if side == "context" else random_state(5, 2))
    body._choose_side(side)
    assert asked == []
    assert body._found.largest == 0.0
    assert body.verdict.text.startswith("The tokens stand in their own order")
    press(body.shuffle_button)
    assert len(asked) == 1
